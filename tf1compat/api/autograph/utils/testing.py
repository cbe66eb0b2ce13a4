"""`tensorflow.python.autograph.utils.testing`: for tests of converters."""

from __future__ import annotations

import types

from tf1compat.api.math import math_ops
from tf1compat.core import ops, raw_ops
from tf1compat.core.op_defs import by_function


def fake_tf() -> types.ModuleType:
    """A module like `tensorflow`, with graphs and mathematics alone."""
    module = types.ModuleType("tensorflow")
    for name in by_function():
        setattr(module, name, raw_ops.function(by_function()[name]))
    for source in (math_ops, ops):
        vars(module).update(
            (name, value) for name, value in vars(source).items() if not name.startswith("__")
        )
    return module
