"""`tensorflow.python.tpu.bfloat16`."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from tf1compat.api.math import math_ops
from tf1compat.api.variables import variable_scope
from tf1compat.core import dtypes
from tf1compat.core.export import tf_export


def _float32_variable(getter: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    if kwargs["dtype"] != dtypes.bfloat16:
        return getter(*args, **kwargs)
    kwargs["dtype"] = dtypes.float32
    return math_ops.cast(getter(*args, **kwargs), dtypes.bfloat16)


@tf_export("tpu.bfloat16_scope", "contrib.tpu.bfloat16_scope")
@contextlib.contextmanager
def bfloat16_scope() -> Iterator[Any]:
    """A scope whose bfloat16 variables are kept in float32 and cast where they are read.

    Yields:
      The variable scope.
    """
    with variable_scope.variable_scope("", custom_getter=_float32_variable) as scope:
        yield scope
