"""The op table: what every op type must do, a row (or several) each.  See `case.Case` for the form
of a row.

Goldens are recorded from TensorFlow 1.15 by `golden/record_ops.py`.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil

from op_table.case import Case, expand

# Modules that are no tables.
_FORM = ("batch", "case", "compare", "driver", "store")
TABLES = tuple(
    sorted(module.name for module in pkgutil.iter_modules(__path__) if module.name not in _FORM)
)


@functools.lru_cache(maxsize=None)
def rows(table: str) -> "list[Case]":
    """The expanded rows of one table."""
    return expand(importlib.import_module(f"op_table.{table}").CASES)
