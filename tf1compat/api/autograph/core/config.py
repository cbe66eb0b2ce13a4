"""The modules whose functions are called as they are, unless a user asks for their conversion."""

from __future__ import annotations

from tf1compat.api.autograph.core.config_lib import (
    Action,
    Convert,
    DoNotConvert,
    Rule,
)

__all__ = ["CONVERSION_RULES", "Action", "Convert", "DoNotConvert"]

# The first one decides that is about a function's module.
CONVERSION_RULES: tuple[Rule, ...] = tuple(
    DoNotConvert(module)
    for module in (
        "collections copy cProfile inspect ipdb linecache mock pathlib pdb posixpath pstats re "
        "threading numpy tensorflow tensorflow_probability tensorflow_datasets.core"
    ).split()
)
