"""Records the goldens of the op table from the real TensorFlow 1.15.

    python3.7 -W ignore tests/golden/record_ops.py [TABLE ...]      (an environment with
    tensorflow==1.15.5)

For each row: outputs, gradients from fixed pseudo-random `grad_ys`, second gradients where the row
asks, static shapes of the outputs under four degrees of knowledge of the inputs' shapes, the
recorded graph, or the error that TensorFlow raises.
"""

from __future__ import annotations

import contextlib
import os
import pathlib
import sys
from typing import Any

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import numpy as np
import op_table
import tensorflow as tf
from op_table import driver, store
from op_table.case import Case

tf.compat.v1.logging.set_verbosity("ERROR")
NO_KERNEL = (
    "No OpKernel was registered",
    "could not find registered",
    "Could not find valid device",
    "No registered",
    "Cannot assign a device",
)


@contextlib.contextmanager
def _session() -> Any:
    """A session on a new graph, pinned to the CPU.

    What has no CPU kernel would otherwise run on TensorFlow's XLA device, by other rules.
    """
    with tf.Graph().as_default(), tf.device("/device:CPU:0"):
        with tf.Session(config=_config()) as session:
            yield session


def _config() -> Any:
    # No graph rewriting: numbers must be those of the recorded ops.
    config = tf.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1)
    config.graph_options.rewrite_options.disable_meta_optimizer = True
    config.graph_options.optimizer_options.opt_level = -1
    return config


def _failure(error: Exception, when: str) -> "dict[str, Any]":
    if isinstance(error, tf.errors.OpError):
        text = driver.root_text(error.message)
        if any(part in text for part in NO_KERNEL) or isinstance(
            error, tf.errors.UnimplementedError
        ):
            return {"unsupported": text.split("\n")[0][:120]}
        return {"error": [type(error).__name__, text], "when": when}
    return {"error": [type(error).__name__, str(error)], "when": when}


def _gradients(session: Any, case: Case, feeds: dict, record: Any) -> Any:
    """Runs what `record()` records; returns the tensors, their values, and the golden."""
    try:
        tensors = record()
    except Exception as error:
        return None, None, _failure(error, "build")
    try:
        present = iter(session.run([tensor for tensor in tensors if tensor is not None], feeds))
    except Exception as error:
        return None, None, _failure(error, "run")
    values = [
        None if tensor is None else driver.encode_gradient(next(present)) for tensor in tensors
    ]
    return tensors, values, values


def record(case: Case, describe: bool) -> "dict[str, Any]":
    """The golden of one row, with its static shapes and its graph if asked to `describe` it."""
    golden: "dict[str, Any]" = {}
    with _session() as session:
        try:
            built = driver.build(tf, case, reference=True)
        except Exception as error:
            return _failure(error, "build")
        feeds = driver.feeds(case, built)
        try:
            session.run(tf.global_variables_initializer())
            outputs = session.run([built.outputs, built.operations], feeds)[0]
            if built.variables:
                golden["after"] = session.run(built.variables)
        except Exception as error:
            return _failure(error, "run")
        golden["outputs"] = outputs
        if case.differentiated() and driver.differentiated_outputs(case, outputs):
            first, values, golden["gradients"] = _gradients(
                session, case, feeds, lambda: driver.gradients(tf, case, built, outputs)
            )
            dense = values and not any(isinstance(value, dict) for value in values)
            if case.second and dense and any(value is not None for value in values):
                _, _, golden["second"] = _gradients(
                    session,
                    case,
                    feeds,
                    lambda: driver.second_gradients(tf, case, built, first, values),
                )
    if describe:
        if case.inputs and not case.variables:
            golden["rank_unknown"] = _without_shapes(case, golden)
        if case.inputs:
            golden["shapes"] = {
                variant: driver.static_shapes(tf, case, variant) for variant in driver.VARIANTS
            }
        golden["graph"] = driver.recorded_graph(tf, case, isinstance(golden.get("gradients"), list))
    return golden


def _without_shapes(case: Case, golden: "dict[str, Any]") -> Any:
    """Whether TensorFlow finds the same outputs and gradients when it is told no shape: "same", or
    its error."""
    with _session() as session:
        try:
            built = driver.build(tf, case, "rank_unknown", reference=True)
            feeds = driver.feeds(case, built)
            found: Any = session.run(built.outputs, feeds)
            expected: Any = golden["outputs"]
            if isinstance(golden.get("gradients"), list):
                tensors = driver.gradients(tf, case, built, found)
                present = session.run([tensor for tensor in tensors if tensor is not None], feeds)
                found = [*found, *present]
                expected = [*expected, *(g for g in golden["gradients"] if g is not None)]
        except Exception as error:
            return _failure(error, "either")
    for a, b in zip(found, expected):
        a, b = driver.encode_gradient(a), b
        same = isinstance(a, dict) == isinstance(b, dict)
        if same and not isinstance(a, dict) and np.asarray(a).dtype.kind not in "OS":
            same = np.allclose(a, b, 1e-3, 1e-3, equal_nan=True)
        if not same:
            return "different"
    return "same"


def main() -> None:
    """Records the tables named on the command line, or all."""
    for table in sys.argv[1:] or op_table.TABLES:
        goldens = {}
        described = set()
        for case in op_table.rows(table):
            # The first dtype of a sweep that works stands for the others.
            sweep = case.op, case.label
            golden = goldens[case.key] = record(case, sweep not in described)
            if "graph" in golden:
                described.add(sweep)
            _report(case, golden)
        store.save(table, goldens)
        size = (store.FOLDER / f"{table}.json.gz").stat().st_size
        print(f"{table}: {len(goldens)} rows, {size / 1e3:.0f} kB", flush=True)


def _report(case: Case, golden: "dict[str, Any]") -> None:
    """Prints what a person should look at: rows that fail without saying so, and the other way
    round."""
    if case.raises and "error" not in golden:
        print(f"  {case.key}: does not raise {golden.get('unsupported', '')}")
    elif not case.raises and "error" in golden and golden["error"][0] != "TypeError":
        print(f"  {case.key}: {golden['when']}: {golden['error'][0]}: {golden['error'][1][:150]}")
    if golden.get("rank_unknown") == "different":
        print(f"  {case.key}: other results without static shapes")
    for part in ("gradients", "second"):
        found = golden.get(part)
        if isinstance(found, dict) and "error" in found:
            print(f"  {case.key}: {part}: {found['error'][0]}: {found['error'][1][:150]}")
        for value in found if isinstance(found, list) else []:
            array = value["values"] if isinstance(value, dict) else value
            if case.smooth and array is not None and not np.all(np.isfinite(array)):
                print(f"  {case.key}: {part}: not finite")


if __name__ == "__main__":
    main()
