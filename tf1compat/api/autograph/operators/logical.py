"""`and`, `or`, `not`, `==` and `!=` on tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.control_flow import control_flow_ops
from tf1compat.core import raw_ops, tensor_util


def not_(a: Any) -> Any:
    """`not a`."""
    return raw_ops.LogicalNot(a) if tensor_util.is_tensor(a) else not a


def and_(a: Callable[[], Any], b: Callable[[], Any]) -> Any:
    """`a() and b()`."""
    first = a()
    if tensor_util.is_tensor(first):
        return control_flow_ops.cond(first, b, lambda: first)
    return first and b()


def or_(a: Callable[[], Any], b: Callable[[], Any]) -> Any:
    """`a() or b()`."""
    first = a()
    if tensor_util.is_tensor(first):
        return control_flow_ops.cond(first, lambda: first, b)
    return first or b()


def eq(a: Any, b: Any) -> Any:
    """`a == b`, element by element where one is a tensor."""
    if tensor_util.is_tensor(a) or tensor_util.is_tensor(b):
        return raw_ops.Equal(a, b)
    return a == b


def not_eq(a: Any, b: Any) -> Any:
    """`a != b`, element by element where one is a tensor."""
    return not_(eq(a, b))
