"""`python -m tf1compat migrate`."""

from __future__ import annotations

import argparse
import sys


def main(arguments: list[str]) -> int:
    """Writes a graph as Python source.

    Returns:
      0 if it is written; 1 if there is no source for a part of it; 2 if it can't be read.
    """
    parser = argparse.ArgumentParser(
        prog="python -m tf1compat migrate",
        description="Writes a graph as JAX source: model.py, its weights, and a test of both.",
    )
    parser.add_argument("graph", help="a SavedModel, a checkpoint, a .meta or a .pb file")
    parser.add_argument("--to", choices=["jax"], default="jax")
    parser.add_argument("-o", "--output", default="model.py", metavar="FILE")
    parser.add_argument("--signature", help="of a SavedModel")
    parser.add_argument("--inputs", metavar="NAME,...", help="tensors that become arguments")
    parser.add_argument("--outputs", metavar="NAME,...", help="tensors to compute")
    options = parser.parse_args(arguments)
    from tf1compat import migrate
    from tf1compat.migrate.source import CannotWrite, write_source

    try:
        loaded = migrate.load(options.graph, signature=options.signature)
        inputs, outputs = (
            given if names is None else {name: _tensor(loaded.graph, name) for name in names}
            for names, given in (
                (options.inputs and options.inputs.split(","), loaded.inputs),
                (options.outputs and options.outputs.split(","), loaded.outputs),
            )
        )
    except (OSError, ValueError, KeyError) as error:
        print(f"tf1compat migrate: {error}", file=sys.stderr)
        return 2
    try:
        write_source(options.output, outputs, inputs, loaded.session)
    except (CannotWrite, NotImplementedError) as error:
        print(f"tf1compat migrate: {error}", file=sys.stderr)
        return 1
    print(f"Wrote {options.output}, its weights, and a test")
    return 0


def _tensor(graph, name: str):
    return graph.get_tensor_by_name(name if ":" in name else f"{name}:0")
