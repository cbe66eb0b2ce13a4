"""Reducing dimensions: sums, extrema, norms, and where an extremum is."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.array.constant_op import constant_v1 as constant
from tf1compat.api.math import math_ops
from tf1compat.backend import jnp, lax
from tf1compat.core import context, dtypes, errors, ops, raw_ops, shapes, tensor_util
from tf1compat.core.op_registry import Shape, gradient, not_differentiable, register
from tf1compat.core.operation import Operation
from tf1compat.core.shapes import ShapeError
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import LoweringContext
from tf1compat.kernels.framework.common import refuse, text_of_shape

Array = Any


def reduced(input: Shape, reduction_indices: Shape, *, keep_dims: bool, op: Any) -> Shape:
    """The shape that is left."""
    shapes.with_rank_at_most(reduction_indices, 1)
    axes = op.const_input(1)
    if axes is None or input is None:
        return shapes.unknown(len(input)) if keep_dims and input is not None else None
    rank = len(input)
    for axis in axes.ravel():
        if not -rank <= axis < rank:
            raise ShapeError(
                f"Invalid reduction dimension {axis} for input with {rank} dimensions."
            )
    gone = {int(axis) % rank for axis in axes.ravel()}
    if keep_dims:
        return tuple(1 if i in gone else dim for i, dim in enumerate(input))
    return tuple(dim for i, dim in enumerate(input) if i not in gone)


def _axes(x: Array, indices: Any) -> tuple[int, ...] | None:
    """The reduced dimensions; None if one is out of range."""
    return _sorted_axes(np.ndim(x), tuple(indices.reshape(-1).tolist()))


@functools.lru_cache(1024)
def _sorted_axes(rank: int, axes: tuple[int, ...]) -> tuple[int, ...] | None:
    if any(not -rank <= axis < rank for axis in axes):
        return None
    return tuple(sorted({axis % rank for axis in axes}))


def reduction(
    name: str,
    lower: Callable[..., Any],
    fold: Callable[..., Any] | None = None,
    numpy: Callable[..., Any] | None = None,
    **facts: Any,
) -> None:
    """Registers a reduction.

    Args:
      name: the op type.
      lower: `(x, axes, keepdims)` in JAX.
      fold: the same in NumPy.
      numpy: the same on NumPy values, quicker; None where it has to be done as `lower` does it.
      **facts: facts of the op.
    """

    def lowered(
        input: Array, reduction_indices: Any, *, keep_dims: bool, ctx: LoweringContext
    ) -> Array:
        axes = _axes(input, reduction_indices)
        if axes is None:
            rank = np.ndim(input)
            bad = next(int(i) for i in np.ravel(reduction_indices) if not -rank <= i < rank)
            text = f"Invalid reduction dimension ({bad} for input with {rank} dimension(s)"
            ctx.check(False, errors.InvalidArgumentError, lambda: text)
        return lower(jnp.asarray(input), axes, keep_dims)

    def folded(input: Array, reduction_indices: Any, *, keep_dims: bool) -> Any:
        axes = _axes(input, reduction_indices)
        if fold is None or axes is None or input.dtype.kind not in "biu":
            return None
        return fold(input, axes, keep_dims)

    def on_numpy(input: Array, reduction_indices: Any, *, keep_dims: bool) -> Array:
        axes = _axes(input, reduction_indices)
        if axes is None or numpy is None:
            raise ValueError("Invalid reduction dimension")
        found = numpy(input, axes, keep_dims)
        return lower(input, axes, keep_dims) if found is None else found

    register(
        name,
        shape=reduced,
        lower=lowered,
        fold=fold and folded,
        numpy=numpy and on_numpy,
        const=(1,),
        **facts,
    )


def _limits(dtype: Any) -> tuple[Any, Any]:
    """What is below and above all numbers of a dtype."""
    if jnp.issubdtype(dtype, jnp.floating):
        return -jnp.inf, jnp.inf
    return jnp.iinfo(dtype).min, jnp.iinfo(dtype).max


def _without_nan(x: Array, instead: Any) -> Array:
    """TF's extrema skip NaN."""
    if not jnp.issubdtype(x.dtype, jnp.floating):
        return x
    return jnp.where(jnp.isnan(x), jnp.asarray(instead, x.dtype), x)


def _max(x: Array, axes: Any, keepdims: bool) -> Array:
    lowest = _limits(x.dtype)[0]
    if not axes:
        return x
    return jnp.max(_without_nan(x, lowest), axes, keepdims=keepdims, initial=lowest)


def _min(x: Array, axes: Any, keepdims: bool) -> Array:
    highest = _limits(x.dtype)[1]
    if not axes:
        return x
    return jnp.min(_without_nan(x, highest), axes, keepdims=keepdims, initial=highest)


def _extreme_on_numpy(of_reals: np.ufunc, of_integers: np.ufunc, initial: Any) -> Callable:
    def reduce(x: Array, axes: Any, keepdims: bool) -> Any:
        if not axes:
            return x
        if x.dtype.kind == "f":  # `of_reals` skips NaN
            return of_reals.reduce(x, axes, keepdims=keepdims, initial=initial)
        return of_integers.reduce(x, axes, keepdims=keepdims) if x.size else None

    return reduce


def _sum_on_numpy(x: Array, axes: Any, keepdims: bool) -> Any:
    if not axes:
        return x
    if x.dtype.itemsize < 4:
        return None
    return np.add.reduce(x, axes, x.dtype, None, keepdims)  # pyright: ignore[reportCallIssue]


def _product_on_numpy(x: Array, axes: Any, keepdims: bool) -> Any:
    if x.dtype.itemsize < 4:
        return None
    return np.multiply.reduce(x, axes, x.dtype, None, keepdims)  # pyright: ignore[reportCallIssue]


def _mean(x: Array, axes: Any, keepdims: bool) -> Array:
    if jnp.issubdtype(x.dtype, jnp.inexact):
        return jnp.mean(x, axes, keepdims=keepdims)
    count = int(np.prod([x.shape[axis] for axis in axes], dtype=np.int64))
    # TF adds up in the dtype, and divides by the count in it, which may both overflow.
    total = jnp.sum(x, axes, keepdims=keepdims, dtype=x.dtype)
    divisor = np.asarray(max(count, 1)).astype(x.dtype)
    return lax.div(total, jnp.full(total.shape, divisor or 1, x.dtype))


def _euclidean_norm(x: Array, axes: Any, keepdims: bool) -> Array:
    if all(x.shape[axis] == 1 for axis in axes):
        # With nothing to add up, TF hands on the elements, negative ones too.
        return x if keepdims else jnp.squeeze(x, axes)
    total = jnp.sum(x * jnp.conj(x), axes, keepdims=keepdims, dtype=x.dtype)
    if jnp.issubdtype(x.dtype, jnp.integer):
        return jnp.sqrt(total.astype(jnp.float64)).astype(x.dtype)
    return jnp.sqrt(total)


def _fold_sum(x: Any, axes: Any, keepdims: bool) -> Any:
    return np.sum(x, axes, keepdims=keepdims, dtype=x.dtype)


reduction(
    "Sum",
    lambda x, axes, keep: jnp.sum(x, axes, dtype=x.dtype, keepdims=keep),
    _fold_sum,
    _sum_on_numpy,
    reduces="sum",
    autodiff=True,
)
reduction("Mean", _mean, reduces="mean", autodiff=True)
reduction(
    "Prod",
    lambda x, axes, keep: jnp.prod(x, axes, dtype=x.dtype, keepdims=keep),
    lambda x, axes, keep: np.prod(x, axes, dtype=x.dtype, keepdims=keep),
    _product_on_numpy,
)
reduction(
    "Max",
    _max,
    lambda x, axes, keep: np.max(x, axes, keepdims=keep, initial=np.iinfo(x.dtype).min),
    _extreme_on_numpy(np.fmax, np.maximum, -np.inf),
)
reduction(
    "Min",
    _min,
    lambda x, axes, keep: np.min(x, axes, keepdims=keep, initial=np.iinfo(x.dtype).max),
    _extreme_on_numpy(np.fmin, np.minimum, np.inf),
)
reduction(
    "All",
    lambda x, axes, keep: jnp.all(x, axes, keepdims=keep),
    lambda x, axes, keep: np.all(x, axes, keepdims=keep),
    lambda x, axes, keep: np.logical_and.reduce(x, axes, keepdims=keep),
    autodiff=True,
)
reduction(
    "Any",
    lambda x, axes, keep: jnp.any(x, axes, keepdims=keep),
    lambda x, axes, keep: np.any(x, axes, keepdims=keep),
    lambda x, axes, keep: np.logical_or.reduce(x, axes, keepdims=keep),
    autodiff=True,
)
reduction("EuclideanNorm", _euclidean_norm)
not_differentiable("EuclideanNorm")


# Where an extremum is.


def _arg_shape(input: Shape, dimension: Shape, *, op: Any) -> Shape:
    shapes.with_rank(dimension, 0)
    if input is None:
        return None
    rank = len(input)
    if rank <= 1:
        return ()
    axis = op.const_input(1)
    if axis is None:
        return shapes.unknown(rank - 1)
    if not -rank <= axis < rank:
        raise ShapeError(
            f"Dimension ({axis}) must be in the range [{-rank}, {rank}), where {rank} is the "
            "number of dimensions in the input."
        )
    return tuple(dim for i, dim in enumerate(input) if i != int(axis) % rank)


def _arg_reduction(name: str, find: Callable[..., Any], worst: int) -> None:
    def lower(input: Array, dimension: Any, *, output_type: Any, ctx: LoweringContext) -> Array:
        input = jnp.asarray(input)
        if np.ndim(dimension):
            shape = text_of_shape(dimension)
            refuse(ctx, f"dim must be a scalar, but received tensor of shape: {shape}")
        rank, axis = np.ndim(input), int(dimension)
        ctx.check(
            -rank <= axis < rank,
            errors.InvalidArgumentError,
            lambda: f"Expected dimension in the range [{-rank}, {rank}), but got {axis}",
        )
        ctx.check(
            input.shape[axis] > 0,
            errors.InvalidArgumentError,
            lambda: f"Reduction axis {axis} is empty in shape {shapes.to_string(input.shape)}",
        )
        if jnp.issubdtype(input.dtype, jnp.floating):
            input = _without_nan(input, _limits(input.dtype)[worst])
        return find(input, axis).astype(output_type.as_numpy_dtype)

    def on_numpy(input: Array, dimension: Any, *, output_type: Any) -> Array:
        if not input.ndim:
            raise IndexError("a scalar has no axis")
        # The sum of all is NaN where one is.
        if input.dtype.kind not in "iuf" or np.isnan(np.add.reduce(input, None)):
            input = _without_nan(input, _limits(input.dtype)[worst])
        axis = int(dimension)
        input.shape[axis]  # NumPy takes axis 0 of a scalar; TF refuses it.
        return find(input, axis).astype(output_type.as_numpy_dtype)

    def gradient(op: Operation, grad: Tensor) -> Any:
        return [None, None]

    register(name, shape=_arg_shape, lower=lower, numpy=on_numpy, const=(1,), gradient=gradient)


_arg_reduction("ArgMax", jnp.argmax, 0)
_arg_reduction("ArgMin", jnp.argmin, 1)


# Gradients.


def _safe_shape_div(x: Any, y: Any) -> Any:
    """`x / y` for sizes, where 0 / 0 is 0."""
    return x // math_ops.maximum(y, 1)


def _static_scaling(shape: tuple[int, ...], axes: tuple[int, ...]) -> tuple[Any, Any]:
    """The reduced shape and what to tile it by.

    They are worked out now; the ops that compute them are still recorded, once per graph.
    """
    cache = context.default_graph().__dict__.setdefault("_reduced_shape_cache", {})
    key = (shape, axes)
    if key not in cache:
        gone = {axis % len(shape) for axis in axes}
        kept = tuple(np.int32(1 if i in gone else dim) for i, dim in enumerate(shape))
        math_ops.reduced_shape(shape, axes)
        _safe_shape_div(shape, kept)
        scaling = tuple(np.int32(dim // max(k, 1)) for dim, k in zip(shape, kept, strict=True))
        cache[key] = kept, scaling
    return cache[key]


@gradient("Sum")
def _sum_gradient(op: Any, grad: Any) -> Any:
    x = op.inputs[0]
    shape = x._shape
    axes = None if shape is None else tensor_util.constant_value(op.inputs[1])
    if shape is not None and axes is not None:
        if axes.ndim and axes.tolist() == [*range(len(shape))]:
            grad = array_ops.reshape(grad, [1] * len(shape))
            known = None not in shape
            sizes = constant(shape, dtype=dtypes.int32) if known else array_ops.shape(x)
            return [array_ops.tile(grad, sizes), None]
        if None not in shape and not context.executing_eagerly():
            kept, scaling = _static_scaling(shape, tuple(axes.reshape(-1)))
            return [array_ops.tile(array_ops.reshape(grad, kept), scaling), None]
    sizes = array_ops.shape(x)
    with ops.colocate_with(sizes):
        kept = math_ops.reduced_shape(sizes, op.inputs[1])
        scaling = _safe_shape_div(sizes, kept)
    grad = array_ops.reshape(grad, kept)
    return [array_ops.tile(grad, scaling), None]


@gradient("Mean")
def _mean_gradient(op: Operation, grad: Tensor) -> Any:
    sum_grad = _sum_gradient(op, grad)[0]
    count = math_ops.cast(_count_per_mean(op, sum_grad.dtype), sum_grad.dtype)
    return math_ops.truediv(sum_grad, count), None


def _count_per_mean(op: Any, dtype: Any) -> Any:
    """How many elements there are to each mean; of `dtype` if it is known beforehand."""
    x, mean = op.inputs[0], op.outputs[0]
    if shapes.is_fully_known(x._shape) and shapes.is_fully_known(mean._shape):
        return constant(np.prod(x._shape) // max(np.prod(mean._shape), 1), dtype=dtype)
    before, after = array_ops.shape(x), array_ops.shape(mean)
    return _safe_shape_div(math_ops.reduce_prod(before), math_ops.reduce_prod(after))


@gradient("Max", "Min")
def _extremum_gradient(op: Operation, grad: Tensor) -> Any:
    sizes = array_ops.shape(op.inputs[0])
    kept = math_ops.reduced_shape(sizes, op.inputs[1])
    y, grad = [array_ops.reshape(part, kept) for part in (op.outputs[0], grad)]
    # Equal extrema share the gradient.
    indicators = math_ops.cast(math_ops.equal(y, op.inputs[0]), grad.dtype)
    selected = array_ops.reshape(math_ops.reduce_sum(indicators, op.inputs[1]), kept)
    return [math_ops.divide(indicators, selected) * grad, None]


def _axes_first(x: Any, sizes: Any, axes: Any) -> tuple[Any, tuple[Any, ...]]:
    """The dimensions of `x` with `axes` in front; how many elements these have, and the others."""
    rank = array_ops.rank(x)
    gone = math_ops.cast((axes + rank) % rank, dtypes.int32)
    other, _ = raw_ops.ListDiff(math_ops.range(0, rank), gone)
    perm = array_ops.concat([gone, other], 0)
    counts = [math_ops.reduce_prod(array_ops.gather(sizes, part)) for part in (gone, other)]
    return perm, tuple(counts)


@gradient("Prod")
def _prod_gradient(op: Operation, grad: Tensor) -> Any:
    x = op.inputs[0]
    sizes = array_ops.shape(x)
    axes = array_ops.reshape(op.inputs[1], [-1])
    kept = math_ops.reduced_shape(sizes, op.inputs[1])
    scaling = _safe_shape_div(sizes, kept)
    grad = array_ops.tile(array_ops.reshape(grad, kept), scaling)
    # The product without each entry: that of those before it times that of those after it.
    with ops.device("/cpu:0"):
        perm, matrix_sizes = _axes_first(x, sizes, axes)
    permuted = array_ops.transpose(x, perm)
    permuted_shape = array_ops.shape(permuted)
    matrix = array_ops.reshape(permuted, matrix_sizes)
    left = math_ops.cumprod(matrix, axis=0, exclusive=True)
    right = math_ops.cumprod(matrix, axis=0, exclusive=True, reverse=True)
    y = array_ops.reshape(math_ops.conj(left) * math_ops.conj(right), permuted_shape)
    out = grad * array_ops.transpose(y, array_ops.invert_permutation(perm))
    return array_ops.reshape(out, sizes), None
