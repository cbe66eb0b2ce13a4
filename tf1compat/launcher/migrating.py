"""`python -m tf1compat migrate`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from typing import Any


def main(arguments: list[str], run_script: Callable[[str, list[str]], None]) -> int:
    """Writes a graph as Python source.

    Args:
      arguments: the command line.
      run_script: runs a script with its arguments.

    Returns:
      0 if it is written; 1 if there is no source for a part of it; 2 if it can't be read.
    """
    parser = argparse.ArgumentParser(
        prog="python -m tf1compat migrate",
        description="Writes a graph as JAX source: model.py, its weights, and a test of both.",
        allow_abbrev=False,
    )
    parser.add_argument(
        "graph",
        help="a SavedModel, a checkpoint, a .meta or a .pb file; or a script, which is run, with "
        "its arguments: what it asks its sessions for most often is written",
    )
    parser.add_argument("--to", choices=["jax", "flax"], default="jax")
    parser.add_argument(
        "--weights", choices=["npz", "safetensors"], default="npz", help="the weights' format"
    )
    parser.add_argument("-o", "--output", default="model.py", metavar="FILE")
    parser.add_argument("--signature", help="of a SavedModel")
    parser.add_argument("--inputs", metavar="NAME,...", help="tensors that become arguments")
    parser.add_argument("--outputs", metavar="NAME,...", help="tensors to compute")
    parser.add_argument("--train", metavar="NAME", help="the training operation to write besides")
    parser.add_argument(
        "--most-segments",
        type=int,
        metavar="N",
        help="how many rows averages of sparse embeddings give, as a rule the batch's size",
    )
    options, rest = parser.parse_known_args(arguments)
    options.output = os.path.abspath(options.output)  # The script may go elsewhere.
    if rest and not options.graph.endswith(".py"):
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    from tf1compat.migrate.source import CannotWrite, write_source

    try:
        script = options.graph.endswith(".py")
        found = _of_script(options.graph, rest, run_script) if script else _load(options)
        graph, session, inputs, outputs, train, batches = found
        if options.inputs:
            inputs, batches = _named(graph, options.inputs), ()
        if options.outputs:
            outputs = _named(graph, options.outputs)
        if options.train:
            train = graph.get_operation_by_name(options.train)
    except (OSError, ValueError, KeyError) as error:
        print(f"tf1compat migrate: {error}", file=sys.stderr)
        return 2
    try:
        write_source(
            options.output,
            outputs,
            inputs,
            session,
            batches,
            train=train,
            to=options.to,
            weights=options.weights,
            most_segments=options.most_segments,
        )
    except (CannotWrite, NotImplementedError, ImportError) as error:
        print(f"tf1compat migrate: {error}", file=sys.stderr)
        return 1
    print(f"Wrote {options.output}, its weights, and a test")
    return 0


def _load(options: argparse.Namespace) -> tuple[Any, ...]:
    from tf1compat import migrate

    loaded = migrate.load(options.graph, signature=options.signature)
    return loaded.graph, loaded.session, loaded.inputs, loaded.outputs, None, ()


def _of_script(path: str, arguments: list[str], run_script: Callable[..., None]) -> tuple[Any, ...]:
    """What a script asks its sessions for most often."""
    from tf1compat.migrate.source_script import Watch
    from tf1compat.migrate.source_training import hangs_on_counter, reads_after_writes
    from tf1compat.runtime.session import BaseSession

    watch = Watch(BaseSession)
    watch.begin()
    try:
        run_script(path, arguments)
    except SystemExit as ended:
        if ended.code not in (None, 0):
            raise
    finally:
        watch.end()
    seen = watch.most_often()
    if seen is None:
        raise ValueError(f"{path} asks no session for a tensor")
    outputs = seen.outputs
    for name, tensor in seen.outputs.items() if seen.train is not None else ():
        why = "hangs on the counter of steps" if hangs_on_counter(tensor) else ""
        why = "is computed from what the run has changed" if reads_after_writes(tensor) else why
        if why:
            outputs = {key: value for key, value in outputs.items() if key != name}
            print(f"tf1compat migrate: {name} {why}: left out", file=sys.stderr)
    return seen.session.graph, seen.session, seen.inputs, outputs, seen.train, seen.batches


def _named(graph: Any, names: str) -> dict[str, Any]:
    return {
        name: graph.get_tensor_by_name(name if ":" in name else f"{name}:0")
        for name in names.split(",")
    }
