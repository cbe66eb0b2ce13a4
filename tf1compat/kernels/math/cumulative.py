"""Running sums and products along a dimension."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.api.math import math_ops
from tf1compat.backend import jnp, lax
from tf1compat.core import errors, raw_ops
from tf1compat.core.op_registry import gradient, register
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import LoweringContext
from tf1compat.kernels.framework.common import same, text_of_shape

Array = Any


def _shifted(x: Array, axis: int, neutral: float | None) -> Array:
    """`x` without its last element along `axis`, after `neutral` (None: the lowest number)."""
    neutral = float(jnp.finfo(x.dtype).min) if neutral is None else neutral
    if not x.shape[axis]:
        return x
    first = jnp.full((*x.shape[:axis], 1, *x.shape[axis + 1 :]), neutral, x.dtype)
    return jnp.concatenate([first, lax.slice_in_dim(x, 0, x.shape[axis] - 1, axis=axis)], axis)


def _scan(
    name: str,
    run: Callable[[Array, int], Array],
    neutral: float | None,
    fold: Callable[[Any, int], Any] | None = None,
    **facts: Any,
) -> None:
    def lower(
        x: Array, axis: Any, *, exclusive: bool, reverse: bool, ctx: LoweringContext
    ) -> Array:
        x = jnp.asarray(x)
        rank = x.ndim
        ctx.check(
            axis.ndim == 0,
            errors.InvalidArgumentError,
            lambda: f"ScanOp: axis must be a scalar, not {text_of_shape(axis)}",
        )
        position = int(axis)
        ctx.check(
            -rank <= position < rank,
            errors.InvalidArgumentError,
            lambda: (
                f"ScanOp: Expected scan axis in the range [{-rank}, {rank}), but got "
                f"{position + rank if position < 0 else position}"
            ),
        )
        position %= rank
        x = jnp.flip(x, position) if reverse else x
        x = run(_shifted(x, position, neutral) if exclusive else x, position)
        return jnp.flip(x, position) if reverse else x

    def folded(x: Any, axis: Any, *, exclusive: bool, reverse: bool) -> Any:
        plain = axis.ndim == 0 and -x.ndim <= axis < x.ndim and not exclusive and not reverse
        return fold(x, int(axis)) if fold and plain and x.dtype.kind in "iu" else None

    register(name, shape=same, lower=lower, const=(1,), fold=fold and folded, **facts)


def _cumlogsumexp(x: Array, axis: int) -> Array:
    # TF begins with the lowest number, not with -inf.
    return jnp.maximum(lax.cumlogsumexp(x, axis), jnp.asarray(jnp.finfo(x.dtype).min, x.dtype))


_scan(
    "Cumsum",
    lambda x, axis: jnp.cumsum(x, axis, dtype=x.dtype),
    0,
    lambda x, axis: np.cumsum(x, axis, dtype=x.dtype),
    autodiff=True,
)
_scan(
    "Cumprod",
    lambda x, axis: jnp.cumprod(x, axis, dtype=x.dtype),
    1,
    lambda x, axis: np.cumprod(x, axis, dtype=x.dtype),
)
_scan("CumulativeLogsumexp", _cumlogsumexp, None)


@gradient("Cumsum")
def _cumsum_gradient(op: Operation, grad: Tensor) -> Any:
    exclusive, reverse = op.get_attr("exclusive"), op.get_attr("reverse")
    return [math_ops.cumsum(grad, op.inputs[1], exclusive=exclusive, reverse=not reverse), None]


@gradient("Cumprod")
def _cumprod_gradient(op: Operation, grad: Tensor) -> Any:
    x, axis = op.inputs
    exclusive, reverse = op.get_attr("exclusive"), op.get_attr("reverse")
    product = math_ops.cumprod(x, axis, exclusive=exclusive, reverse=reverse)
    out = math_ops.cumsum(product * grad, axis, exclusive=exclusive, reverse=not reverse)
    return [out / x, None]


@gradient("CumulativeLogsumexp")
def _cumulative_logsumexp_gradient(op: Operation, grad: Tensor) -> Any:
    x, axis = op.inputs
    y = op.outputs[0]
    exclusive, reverse = op.get_attr("exclusive"), op.get_attr("reverse")
    # Logarithms of the positive and of the negative part of the gradient keep it stable.
    lowest = grad.dtype.min
    log_positive = raw_ops.SelectV2(math_ops.greater(grad, 0), math_ops.log(grad), lowest)
    log_negative = raw_ops.SelectV2(math_ops.less(grad, 0), math_ops.log(-grad), lowest)

    def part(log_grad: Any) -> Any:
        total = math_ops.cumulative_logsumexp(
            log_grad - y, axis=axis, reverse=not reverse, exclusive=exclusive
        )
        return math_ops.exp(total + x)

    positive = part(log_positive)
    return [positive - part(log_negative), None]
