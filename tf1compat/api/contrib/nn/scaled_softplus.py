"""Softplus of any sharpness (`tensorflow.contrib.nn.python.ops.scaled_softplus`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.functions import defun
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_ops
from tf1compat.core import ops, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name, TensorLike


def _reduce_and_reshape_grad(g: Any, t: TensorLike) -> Tensor:
    """The part of a gradient that a broadcast input gets."""
    shape = array_ops.shape(t)
    axes, _ = raw_ops.BroadcastGradientArgs(shape, array_ops.shape(g))
    return array_ops.reshape(math_ops.reduce_sum(g, axes), shape)


def _gradient(op: Any, g: Any) -> list[Any]:
    """The gradient of the function that is given y, x, alpha and, where y is clipped, its limit."""
    y, x, alpha, *limits = op.inputs
    with ops.control_dependencies([g]):
        y = array_ops.identity(y)
    limit_grads = []
    for limit in limits:
        unclipped = math_ops.cast(y < limit, g.dtype)
        limit_grads.append(_reduce_and_reshape_grad(g * (1.0 - unclipped), limit))
        g *= unclipped
    scaled = y / alpha
    decay = math_ops.exp(-scaled)
    dy_dx = 1.0 - decay
    # Where y underflows, the logarithm would be infinite.
    dy_dalpha = scaled * decay - dy_dx * math_ops.log(dy_dx + 1e-8)
    x_grad = _reduce_and_reshape_grad(g * dy_dx, x)
    return [None, x_grad, _reduce_and_reshape_grad(g * dy_dalpha, alpha), *limit_grads]


@tf_export("contrib.nn.scaled_softplus")
def scaled_softplus(
    x: TensorLike, alpha: TensorLike, clip: Any = None, name: Name = None
) -> Tensor:
    """alpha * softplus(x / alpha), which is relu for alpha = 0.

    Args:
      x: a float tensor.
      alpha: how far around 0 it is smooth; positive, broadcast against `x`.
      clip: the largest value; None for no limit.
      name: the name scope.

    Returns:
      A tensor.
    """
    clipping = clip is not None
    with ops.name_scope(name, "scaled_softplus", [x, alpha] + ([clip] if clipping else [])):
        x = ops.convert_to_tensor(x, name="x")
        dtype = x.dtype
        alpha = ops.convert_to_tensor(alpha, dtype=dtype, name="alpha")
        y = alpha * nn_ops.softplus(x / alpha)
        if clipping:
            clip = ops.convert_to_tensor(clip, dtype=dtype, name="clip")
            y = math_ops.minimum(y, clip)

        settings = {"shape_func": lambda op: [op.inputs[0].shape], "python_grad_func": _gradient}
        if clipping:

            @defun.Defun(
                *[dtype] * 4, func_name=f"ScaledSoftplusHelper_clip_{dtype.name}", **settings
            )
            def forward_with_clip(
                y: TensorLike, x: TensorLike, alpha: TensorLike, clip: Any
            ) -> Any:
                return y

            return forward_with_clip(y, x, alpha, clip)

        @defun.Defun(*[dtype] * 3, func_name=f"ScaledSoftplusHelper_{dtype.name}", **settings)
        def forward(y: TensorLike, x: TensorLike, alpha: TensorLike) -> Any:
            return y

        return forward(y, x, alpha)
