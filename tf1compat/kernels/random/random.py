"""Random ops: TF 1.15's own numbers, from the op's Philox counter or a seed tensor (Stateless*)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.math import math_ops
from tf1compat.backend import Array, jnp, lax
from tf1compat.core import dtypes, errors, op_registry, ops, raw_ops, shapes
from tf1compat.core.dtypes import DType
from tf1compat.core.op_registry import Shape, not_differentiable, op
from tf1compat.core.shapes import ShapeError
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Gradients, LoweringContext
from tf1compat.kernels.framework.common import broadcast, jnp_dtype, refuse, same, text_of_shape
from tf1compat.kernels.random import philox, samplers

_RESERVED = philox.RESERVED_PER_OUTPUT


# Static shapes.


def _drawn_shape(shape: Shape, *params: Shape, op: Any) -> Shape:
    """What the input `shape` says; the other inputs must be scalars."""
    shapes.with_rank(shape, 1)
    for param in params:
        shapes.with_rank(param, 0)
    return op.shape_input(0)


def _per_parameter_shape(shape: Shape, param: Shape, *, op: Any) -> Shape:
    """`shape` samples for each element of `param`."""
    shapes.with_rank(shape, 1)
    return shapes.concat(op.shape_input(0), param)


def _stateless_shape(shape: Shape, seed: Shape, *params: Shape, op: Any) -> Shape:
    _check_seed(seed)
    return _drawn_shape(shape, *params, op=op)


def _check_seed(seed: Shape) -> None:
    shapes.dim_with_value(shapes.with_rank(seed, 1)[0], 2)


def _truncated_shape(
    shape: Shape, means: Shape, stdevs: Shape, minvals: Shape, maxvals: Shape, *, op: Any
) -> Shape:
    shapes.with_rank(shape, 1)
    for param in (means, stdevs, minvals, maxvals):
        shapes.with_rank_at_most(param, 1)
    return op.shape_input(0)


def _categorical_shape(logits: Shape, num_samples: Shape, *, op: Any) -> Shape:
    rows = shapes.with_rank(logits, 2)[0]
    shapes.with_rank(num_samples, 0)
    count = op.const_input(1)
    if count is None:
        return (rows, None)
    if count < 0:
        raise ShapeError(
            f"Dimension size, given by scalar input 1, must be non-negative but is {count}"
        )
    return (rows, int(count))


def _stateless_categorical_shape(
    logits: Shape, num_samples: Shape, seed: Shape, *, op: Any
) -> Shape:
    _check_seed(seed)
    return _categorical_shape(logits, num_samples, op=op)


# Lowerings.


def _sizes(shape: np.ndarray, ctx: LoweringContext) -> tuple[int, ...]:
    """The value of a shape input."""
    if shape.ndim != 1:
        refuse(ctx, f"shape must be a vector of {{int32,int64}}, got shape {text_of_shape(shape)}")
    sizes = tuple(shape.tolist())
    for size in sizes:
        if size < 0:
            ctx.check(False, errors.InvalidArgumentError, f"Dimension {size} must be >= 0")
    return sizes


def _stateless_key(seed: Any, ctx: LoweringContext) -> tuple[Any, Any]:
    if np.shape(seed) != (2,):
        refuse(ctx, f"seed must have shape [2], not {text_of_shape(seed)}")
    return philox.stateless_key(seed)


def _stateful(draw: Callable[..., Any]) -> Callable[..., Any]:
    """The lowering of an op that fills a shape with `draw(key, counter, n, dtype)`."""

    def lower(shape: np.ndarray, *, dtype: dtypes.DType, ctx: LoweringContext) -> Any:
        sizes = _sizes(shape, ctx)
        n = math.prod(sizes)
        key, counter = ctx.rng(reserve_128=_RESERVED * n)
        return draw(key, counter, n, jnp_dtype(dtype)).reshape(sizes)

    return lower


def _stateless(draw: Callable[..., Any]) -> Callable[..., Any]:
    """The same, seeded by a tensor."""

    def lower(shape: np.ndarray, seed: Any, *, dtype: dtypes.DType, ctx: LoweringContext) -> Any:
        sizes = _sizes(shape, ctx)
        key, counter = _stateless_key(seed, ctx)
        return draw(key, counter, math.prod(sizes), jnp_dtype(dtype)).reshape(sizes)

    return lower


for _kind, _draw in (
    ("Uniform", philox.uniform),
    ("StandardNormal", philox.normal),
    ("TruncatedNormal", philox.truncated_normal),
):
    _name = _kind if _kind.startswith("Truncated") else f"Random{_kind}"
    op_registry.register(_name, shape=_drawn_shape, lower=_stateful(_draw), const=(0,), random=True)
    _name = {"StandardNormal": "RandomNormal", "Uniform": "RandomUniform"}.get(_kind, _kind)
    op_registry.register(
        f"Stateless{_name}", shape=_stateless_shape, lower=_stateless(_draw), const=(0,)
    )


def _integers(
    key: Any, counter: Any, sizes: Any, minval: Any, maxval: Any, ctx: LoweringContext
) -> Any:
    for name, limit in (("minval", minval), ("maxval", maxval)):
        if np.ndim(limit):
            refuse(ctx, f"{name} must be 0-D, got shape {text_of_shape(limit)}")
    n = math.prod(sizes)
    if n:
        ctx.check(
            jnp.less(minval, maxval),
            errors.InvalidArgumentError,
            "Need minval < maxval, got {low} >= {high}",
            low=minval,
            high=maxval,
        )
    return philox.uniform_int(key, counter, n, minval, maxval).reshape(sizes)


@op("RandomUniformInt", const=(0,), random=True)
class RandomUniformInt:
    shape = _drawn_shape

    def lower(shape: Any, minval: Array, maxval: Array, *, ctx: LoweringContext) -> Array:
        sizes = _sizes(shape, ctx)
        key, counter = ctx.rng(reserve_128=_RESERVED * math.prod(sizes))
        return _integers(key, counter, sizes, minval, maxval, ctx)


@op("StatelessRandomUniformInt", const=(0,))
class StatelessRandomUniformInt:
    shape = _stateless_shape

    def lower(
        shape: Any, seed: Array, minval: Array, maxval: Array, *, ctx: LoweringContext
    ) -> Array:
        return _integers(*_stateless_key(seed, ctx), _sizes(shape, ctx), minval, maxval, ctx)


@op("RandomShuffle", random=True)
class RandomShuffle:
    shape = same

    def lower(value: Any, *, ctx: LoweringContext) -> Array:
        rows = value.shape[0] if value.ndim else 1
        if rows <= 1 or value.size <= 1:
            return value
        # One 32-bit number for each row but the last.
        key, counter = ctx.rng(reserve_128=(rows - 1 + 3) // 4)
        order = samplers.permutation(key, counter, rows)
        # Text stays on the host.
        return value[np.asarray(order)] if value.dtype == object else jnp.asarray(value)[order]


def _categories(
    logits: Any,
    num_samples: np.ndarray,
    dtype: Any,
    ctx: LoweringContext,
    rng: Callable[[int], Any],
) -> Any:
    if np.ndim(logits) != 2:
        refuse(ctx, f"logits should be a matrix, got shape {text_of_shape(logits)}")
    if np.ndim(num_samples):
        refuse(ctx, f"num_samples should be a scalar, got shape {text_of_shape(num_samples)}")
    rows, classes = logits.shape
    count = int(num_samples)
    invalid = errors.InvalidArgumentError
    ctx.check(count >= 0, invalid, f"num_samples should be nonnegative, got {count}")
    ctx.check(classes > 0, invalid, f"num_classes should be positive, got {classes}")
    if rows == 0 or count == 0:
        return jnp.zeros((rows, count), jnp_dtype(dtype))
    # A double, two words, for each sample; TF rounds each row's samples up to fours.
    key, counter = rng(_RESERVED * rows * (-(-count // 4) * 4 * 2))
    return samplers.categorical(key, counter, logits, count).astype(jnp_dtype(dtype))


@op("Multinomial", const=(1,), random=True)
class Multinomial:
    shape = _categorical_shape

    def lower(
        logits: Any, num_samples: np.ndarray, *, output_dtype: DType, ctx: LoweringContext
    ) -> Array:
        return _categories(logits, num_samples, output_dtype, ctx, ctx.rng)


@op("StatelessMultinomial", const=(1,))
class StatelessMultinomial:
    shape = _stateless_categorical_shape

    def lower(
        logits: Any,
        num_samples: np.ndarray,
        seed: Array,
        *,
        output_dtype: DType,
        ctx: LoweringContext,
    ) -> Array:
        key = _stateless_key(seed, ctx)
        return _categories(logits, num_samples, output_dtype, ctx, lambda _: key)


@op("RandomGamma", const=(0,), random=True)
class RandomGamma:
    shape = _per_parameter_shape

    def lower(shape: Any, alpha: Array, *, ctx: LoweringContext) -> Array:
        sizes = _sizes(shape, ctx) + alpha.shape
        if 0 in sizes:
            return jnp.zeros(sizes, alpha.dtype)
        samples = math.prod(sizes) // alpha.size
        key, counter = ctx.rng(reserve_128=_RESERVED * math.prod(sizes))
        drawn = samplers.gamma(key, counter, samples, jnp.ravel(alpha).astype(np.float64))
        return drawn.astype(alpha.dtype).reshape(sizes)

    def gradient(op: Any, grad: Tensor) -> Gradients:
        shape, alpha = op.inputs
        sample = op.outputs[0]
        with ops.control_dependencies([grad]):
            rank = array_ops.shape(shape)[0]
            ones = array_ops.ones([rank], dtype=dtypes.int32)
            unsqueezed = array_ops.reshape(
                alpha, array_ops.concat([ones, array_ops.shape(alpha)], axis=0)
            )
            partial = raw_ops.RandomGammaGrad(unsqueezed, sample)
            return None, math_ops.reduce_sum(grad * partial, axis=math_ops.range(rank))


@op("RandomGammaGrad")
class RandomGammaGrad:
    shape = broadcast

    def lower(alpha: Any, sample: Array) -> Array:
        alpha, sample = jnp.broadcast_arrays(alpha, sample)
        # JAX gives it the dtype itself, whatever its signature says.
        return lax.random_gamma_grad(alpha, sample)  # pyright: ignore[reportCallIssue]


@op("RandomPoissonV2", const=(0,), random=True)
class RandomPoissonV2:
    shape = _per_parameter_shape

    def lower(shape: Any, rate: Array, *, dtype: DType, ctx: LoweringContext) -> Array:
        kind = jnp_dtype(dtype)
        sizes = _sizes(shape, ctx) + rate.shape
        if 0 in sizes:
            return jnp.zeros(sizes, kind)
        samples = math.prod(sizes) // rate.size
        key, counter = ctx.rng(reserve_128=_RESERVED * math.prod(sizes))
        highest = float((jnp.iinfo if dtype.is_integer else jnp.finfo)(kind).max)
        rates = jnp.ravel(rate).astype(np.float64)
        return samplers.poisson(key, counter, samples, rates, highest).astype(kind).reshape(sizes)


@op("ParameterizedTruncatedNormal", const=(0,), random=True)
class ParameterizedTruncatedNormal:
    shape = _truncated_shape

    def lower(
        shape: Any,
        means: Array,
        stdevs: Array,
        minvals: Array,
        maxvals: Array,
        *,
        dtype: DType,
        ctx: LoweringContext,
    ) -> Array:
        if dtype not in (dtypes.float32, dtypes.float64):
            raise NotImplementedError(
                f"ParameterizedTruncatedNormal of {dtype.name} is not supported by tf1compat yet"
            )
        sizes = _sizes(shape, ctx)
        invalid = errors.InvalidArgumentError
        ctx.check(bool(sizes), invalid, "Shape tensor must not be empty, got 0 dimensions")
        n = math.prod(sizes)
        if n == 0:
            return jnp.zeros(sizes, jnp_dtype(dtype))
        params = [jnp.ravel(p) for p in (means, stdevs, minvals, maxvals)]
        for name, param in zip(("means", "stddevs", "minvals", "maxvals"), params):
            ctx.check(
                param.size in (1, sizes[0]),
                invalid,
                f"Input {name} should have length 1 or shape[0], got shape: [{param.size}]",
            )
        # TF deals out the samples in hundreds where all batches are alike.
        alike = all(param.size == 1 for param in params)
        batches, samples = (-(-n // 100), 100) if alike else (sizes[0], n // sizes[0])
        reserved = batches * 2 * samplers.MAX_TRUNCATED_ITERATIONS * (samples + 3) // 4
        key, counter = ctx.rng(reserve_128=reserved)
        drawn, valid = samplers.parameterized_truncated_normal(
            key, counter, batches, samples, tuple(params)
        )
        ctx.check(valid, invalid, "Invalid parameters")
        return drawn.reshape(-1)[:n].reshape(sizes)


not_differentiable(
    "Multinomial",
    "ParameterizedTruncatedNormal",
    "RandomStandardNormal",
    "RandomUniform",
    "StatelessMultinomial",
    "StatelessRandomNormal",
    "StatelessRandomUniform",
    "StatelessRandomUniformInt",
    "StatelessTruncatedNormal",
    "TruncatedNormal",
)
