"""`tensorflow.python.autograph.utils.type_check`."""

from __future__ import annotations

from typing import Any

from tf1compat.core import tensor_util


def is_tensor(*args: Any) -> bool:
    """Whether any of the arguments is a tensor.

    Args:
      *args: the arguments.
    """
    return any(map(tensor_util.is_tensor, args))
