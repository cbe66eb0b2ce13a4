"""The op table: what every op type must do, a row (or several) each.  See `case.Case` for the form
of a row.

Goldens are recorded from TensorFlow 1.15 by `golden/record_ops.py`.
"""

from __future__ import annotations

import functools
import importlib

from op_table.case import Case, expand

TABLES = (
    "math_unary",
    "math_binary",
    "math_reduce",
    "matmul",
    "array_shape",
    "array_slice",
    "array_index",
    "segment",
    "nn",
    "nn_conv",
    "nn_loss",
    "state",
    "checks",
    "training",
    "candidate_sampling",
)
# Recorded ahead of the kernels that they test; the tests run those of TABLES.
LATER = (
    "linalg",
    "image",
    "sparse",
)


@functools.lru_cache(maxsize=None)
def rows(table: str) -> "list[Case]":
    """The expanded rows of one table."""
    return expand(importlib.import_module(f"op_table.{table}").CASES)
