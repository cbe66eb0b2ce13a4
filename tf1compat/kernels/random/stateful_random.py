"""Random ops whose generator is a variable: int64 [counter (two), key], as `tf.random.experimental`
keeps it."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.backend import Array, jnp, lax
from tf1compat.core import errors, op_registry, shapes
from tf1compat.core.dtypes import DType
from tf1compat.core.op_registry import op
from tf1compat.core.operation import Operation
from tf1compat.core.shapes import Shape
from tf1compat.core.typing import LoweringContext
from tf1compat.kernels.framework.common import jnp_dtype, refuse
from tf1compat.kernels.random import philox

_PHILOX = 1
_STATE_SIZE = 3


def state_of(resource: Any, algorithm: Any, ctx: LoweringContext) -> Any:
    """What a generator holds, if it is one of `algorithm`."""
    if np.ndim(algorithm):
        text = f"algorithm must be of shape [], not {shapes.to_string(np.shape(algorithm))}"
        refuse(ctx, text)
    if int(algorithm) != _PHILOX:
        refuse(ctx, f"Unsupported algorithm id: {int(algorithm)}")
    state = resource.read()
    if state.shape[0] < _STATE_SIZE:
        refuse(
            ctx,
            "For the Philox algorithm, the size of state must be at least "
            f"{_STATE_SIZE}; got {state.shape[0]}",
        )
    return state


def _take(resource: Any, algorithm: Any, outputs: Any, ctx: LoweringContext) -> tuple[Any, Any]:
    """Key and counter for some numbers; the generator moves on by what TF sets aside for them."""
    state = state_of(resource, algorithm, ctx)
    words = lax.bitcast_convert_type(jnp.asarray(state)[:_STATE_SIZE], jnp.uint32)
    low, high = (lax.bitcast_convert_type(state[i], jnp.uint64) for i in (0, 1))
    step = jnp.asarray(outputs, jnp.int64) * philox.RESERVED_PER_OUTPUT
    moved = low + lax.bitcast_convert_type(step, jnp.uint64)
    counter = jnp.stack([moved, high + (moved < low)])
    counter = lax.bitcast_convert_type(counter, jnp.int64)
    resource.assign(jnp.concatenate([counter, state[2:]]))
    return words[2], words[:2].reshape(4)


def sizes_of(shape: Any, ctx: LoweringContext) -> tuple[int, ...]:
    """A shape as a tuple.

    Raises:
      InvalidArgumentError: it is none.
    """
    if np.ndim(shape) != 1:
        text = f"shape must be a vector of {{int32,int64}}, got shape {np.shape(shape)}"
        refuse(ctx, text.replace("()", "[]"))
    for size in shape.tolist():
        ctx.check(size >= 0, errors.InvalidArgumentError, f"Dimension {size} must be >= 0")
    return tuple(int(size) for size in shape)


def _shape(resource: Any, algorithm: Any, shape: Any, *, op: Any) -> Shape:
    shapes.with_rank(algorithm, 0)
    return op.shape_input(2)


_FACTS: dict[str, Any] = {"reads": (0,), "writes": (0,)}


def _draws(name: str, draw: Callable[..., Any]) -> None:
    def lower(
        resource: Any, algorithm: Any, shape: Any, *, dtype: Any, ctx: LoweringContext
    ) -> Any:
        sizes = sizes_of(shape, ctx)
        key, counter = _take(resource, algorithm, math.prod(sizes), ctx)
        return draw(key, counter, math.prod(sizes), jnp_dtype(dtype)).reshape(sizes)

    op_registry.register(name, shape=_shape, lower=lower, const=(1, 2), **_FACTS)


def _all_bits(key: Any, counter: Any, n: int, dtype: Any) -> Any:
    """Integers whose every bit is drawn."""
    wide = np.dtype(dtype).itemsize == 8
    found = (philox.bits64 if wide else philox.words)(key, counter, n)
    return lax.bitcast_convert_type(found, dtype)


_draws("StatefulUniform", philox.uniform)
_draws("StatefulStandardNormalV2", philox.normal)
_draws("StatefulTruncatedNormal", philox.truncated_normal)
_draws("StatefulUniformFullInt", _all_bits)


class _Numbered:
    """A generator of the first form, which begins with the number of its algorithm."""

    def __init__(self, resource: Any):
        self._resource = resource

    def read(self) -> Any:
        return self._resource.read()[1:]

    def assign(self, value: Any) -> None:
        self._resource.assign(jnp.concatenate([self._resource.read()[:1], value]))


@op("StatefulStandardNormal", const=(1,), **_FACTS)
class StatefulStandardNormal:
    def shape(resource: Any, shape: Shape, *, op: Operation) -> Shape:
        return op.shape_input(1)

    def lower(resource: Any, shape: np.ndarray, *, dtype: DType, ctx: LoweringContext) -> Array:
        drawn = sizes_of(shape, ctx)
        algorithm = resource.read()[0]
        ctx.check(
            algorithm == _PHILOX,
            errors.InvalidArgumentError,
            "Unsupported algorithm id: {algorithm}",
            algorithm=algorithm,
        )
        count = math.prod(drawn)
        key, counter = _take(_Numbered(resource), np.int64(_PHILOX), count, ctx)
        return philox.normal(key, counter, count, jnp_dtype(dtype)).reshape(drawn)


@op("StatefulUniformInt", const=(1, 2), **_FACTS)
class StatefulUniformInt:
    def shape(
        resource: Any,
        algorithm: Shape,
        shape: Shape,
        minval: Shape,
        maxval: Shape,
        *,
        op: Operation,
    ) -> Shape:
        for scalar in (algorithm, minval, maxval):
            shapes.with_rank(scalar, 0)
        return op.shape_input(2)

    def lower(
        resource: Any,
        algorithm: np.ndarray,
        shape: np.ndarray,
        minval: Array,
        maxval: Array,
        *,
        ctx: LoweringContext,
    ) -> Array:
        sizes = sizes_of(shape, ctx)
        count = math.prod(sizes)
        if count:
            ctx.check(
                jnp.less(minval, maxval),
                errors.InvalidArgumentError,
                "Need minval < maxval, got {low} >= {high}",
                low=minval,
                high=maxval,
            )
        key, counter = _take(resource, algorithm, count, ctx)
        return philox.uniform_int(key, counter, count, minval, maxval).reshape(sizes)


@op("RngSkip", const=(1,), effect=True, **_FACTS)
class RngSkip:
    def shape(resource: Any, algorithm: Shape, delta: Shape) -> None:
        for scalar in (algorithm, delta):
            shapes.with_rank(scalar, 0)

    def lower(resource: Any, algorithm: np.ndarray, delta: Array, *, ctx: LoweringContext) -> None:
        _take(resource, algorithm, delta, ctx)


@op("NonDeterministicInts", host=True, effect=True)
class NonDeterministicInts:
    def shape(shape: Any, *, op: Operation) -> Shape:
        return op.shape_input(0)

    def lower(shape: Any, *, dtype: DType) -> Any:
        kind = np.dtype(dtype.as_numpy_dtype)
        sizes = tuple(shape.tolist())
        data = np.random.default_rng().bytes(math.prod(sizes) * kind.itemsize)
        return np.frombuffer(data, kind).reshape(sizes).copy()
