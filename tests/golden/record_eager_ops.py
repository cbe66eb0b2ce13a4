"""Records what the rows of the op table do in eager execution, from the real TensorFlow 1.15.

    python3.7 -W ignore tests/golden/record_eager_ops.py     (after record_ops.py)

Kept is what differs from the values of the graph: errors, outputs, gradients.
"""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
from typing import Any

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import numpy as np
import op_table
import tensorflow as tf
from op_table import driver, store

tf.compat.v1.logging.set_verbosity("ERROR")
tf.enable_eager_execution()
MARK = "@@"


def _same(found: Any, expected: Any) -> bool:
    """Whether two results agree as far as different kernels do."""
    if isinstance(expected, list):
        return len(found) == len(expected) and all(map(_same, found, expected))
    if expected is None or found is None:
        return expected is found
    if isinstance(expected, dict):
        return isinstance(found, dict) and all(_same(found[k], v) for k, v in expected.items())
    found, expected = np.asarray(found), np.asarray(expected)
    if found.shape != expected.shape or found.dtype.kind != expected.dtype.kind:
        return False
    if expected.dtype.kind in "OSU":
        return found.tolist() == expected.tolist()
    return found.dtype == expected.dtype and np.allclose(found, expected, 1e-3, 1e-4, True)


def _is_error(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(isinstance(v, str) for v in value)


def _record(table: str, begin: int) -> None:
    """Prints a line for each row: its key, and what was found."""
    goldens = store.load(table)
    for case in op_table.rows(table)[begin:]:
        golden = goldens.get(case.key, {})
        print(MARK, flush=True)  # Should TensorFlow abort the process, it is for this row.
        with tf.device("/device:CPU:0"):
            result = driver.run_eagerly(tf, case)
        for part in ("outputs", "after", "gradients"):
            expected = store.unpack(golden.get(part, []))
            if part in result and not _is_error(result[part]) and isinstance(expected, list):
                if _same(result[part], expected):
                    del result[part]
        print(MARK + json.dumps(store.pack(result)), flush=True)


def main() -> None:
    """Records all tables into one file; each in a process of its own, and on after a crash."""
    if len(sys.argv) > 1:
        return _record(sys.argv[1], int(sys.argv[2]))
    found: "dict[str, Any]" = {}
    for table in op_table.TABLES:
        keys = [case.key for case in op_table.rows(table)]
        begin = 0
        while begin < len(keys):
            command = [sys.executable, "-W", "ignore", __file__, table, str(begin)]
            output = subprocess.run(command, stdout=subprocess.PIPE).stdout.decode()
            for line in output.split("\n"):
                if line.startswith(MARK + "{"):
                    result = json.loads(line[len(MARK) :])
                    if result:
                        found["{}:{}".format(table, keys[begin])] = result
                    begin += 1
            if begin < len(keys):
                found["{}:{}".format(table, keys[begin])] = {"aborts": True}
                begin += 1
        print(table, len(found), flush=True)
    store.save("eager", found)


if __name__ == "__main__":
    main()
