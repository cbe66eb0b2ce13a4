"""Elementwise math: one line an op."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from tf1compat.core import dtypes, op_registry, raw_ops
from tf1compat.core.op_registry import gradient
from tf1compat.kernels.common import broadcast, equal_static_shapes, same, unbroadcast


def _unary(name: str, lower: Callable[..., Any], fold: Callable[..., Any] | None = None, **facts: Any) -> None:
    op_registry.register(name, shape=same, lower=lower, fold=fold, **facts)


def _binary(name: str, lower: Callable[..., Any], fold: Callable[..., Any] | None = None, **facts: Any) -> None:
    op_registry.register(name, shape=broadcast, lower=lower, fold=fold, **facts)


# op, JAX, NumPy (for values known while tracing), facts
_unary("Neg", lax.neg, np.negative, autodiff=True)
_unary("Exp", lax.exp, autodiff=True)
_unary("Square", lax.square, np.square, autodiff=True)

_binary("Add", lambda x, y: jnp.add(x, y), np.add, autodiff=True)
_binary("AddV2", lambda x, y: jnp.add(x, y), np.add, autodiff=True)
_binary("Sub", lambda x, y: jnp.subtract(x, y), np.subtract, autodiff=True)
_binary("Mul", lambda x, y: jnp.multiply(x, y), np.multiply, autodiff=True)
_binary("Less", lambda x, y: jnp.less(x, y), np.less)


@gradient("Neg")
def _neg_grad(op: Any, grad: Any) -> Any:
    return -grad


@gradient("Mul")
def _mul_grad(op: Any, grad: Any) -> Any:
    x, y = op.inputs
    if equal_static_shapes(x, y) and equal_static_shapes(x, grad) and grad.dtype in (dtypes.int32, dtypes.float32):
        return raw_ops.Mul(grad, y), raw_ops.Mul(grad, x)
    return unbroadcast(op, raw_ops.Mul(grad, y), raw_ops.Mul(x, grad))
