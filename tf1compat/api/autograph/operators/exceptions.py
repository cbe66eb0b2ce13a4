"""`assert` on tensors."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from tf1compat.api.control_flow import control_flow_ops
from tf1compat.core import tensor_util


def assert_stmt(expression1: Any, expression2: Callable[[], Any]) -> Any:
    """`assert expression1, expression2()`.

    Raises:
      ValueError: the message is no function without arguments.
      AssertionError: a plain value is false.
    """
    if not callable(expression2):
        raise ValueError(f"{expression2} must be a callable")
    if inspect.signature(expression2).parameters:
        raise ValueError(f"{expression2} may not have any arguments")
    if not tensor_util.is_tensor(expression1):
        assert expression1, expression2()
        return None
    message = expression2()
    return control_flow_ops.Assert(expression1, message if isinstance(message, list) else [message])
