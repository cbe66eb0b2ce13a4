"""What several kernels share: shape functions of families, and the gradient of broadcasting."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from tf1compat.core import op_registry, raw_ops, shapes
from tf1compat.core.op_registry import Shape


def same(x: Shape, *rest: Any) -> Shape:
    """The output has the first input's shape."""
    return x


def broadcast(x: Shape, y: Shape) -> Shape:
    """The inputs are broadcast against each other."""
    return shapes.broadcast(x, y)


def scalar(*_: Any) -> Shape:
    """The output is a scalar."""
    return ()


def unbroadcast(op: Any, grad_x: Any, grad_y: Any) -> list[Any]:
    """Sums gradients over the dimensions that an op broadcast, as TF 1.15 records it for binary ops.

    Args:
      op: the forward operation; its inputs give the shapes.
      grad_x, grad_y: the gradients at the output's shape.
    """
    x, y = op.inputs
    sx, sy = raw_ops.Shape(x), raw_ops.Shape(y)
    rx, ry = raw_ops.BroadcastGradientArgs(sx, sy)
    return [
        raw_ops.Reshape(raw_ops.Sum(grad_x, rx), sx),
        raw_ops.Reshape(raw_ops.Sum(grad_y, ry), sy),
    ]


def equal_static_shapes(x: Any, y: Any) -> bool:
    """Whether two tensors have the same, fully known static shape."""
    return x._shape is not None and x._shape == y._shape and None not in x._shape


def known(value: Any) -> bool:
    """Whether a lowering's input is a NumPy value rather than a tracer."""
    return not hasattr(value, "aval")


def jnp_dtype(dtype: Any) -> Any:
    """The JAX dtype of a TF dtype."""
    return jnp.dtype(dtype.as_numpy_dtype)


spec = op_registry.spec
