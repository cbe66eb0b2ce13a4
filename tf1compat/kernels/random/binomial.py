"""Binomial numbers, as TF 1.15 draws them from a generator that is a variable.

Hörmann, "The generation of binomial random variates" (1993), algorithm BTRS; where few successes
are expected the gaps between them are drawn, which are geometric.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tf1compat.core import shapes
from tf1compat.core.dtypes import DType
from tf1compat.core.op_registry import op
from tf1compat.core.operation import Operation
from tf1compat.core.shapes import Shape
from tf1compat.core.typing import LoweringContext
from tf1compat.kernels.framework.common import refuse
from tf1compat.kernels.random import philox, stateful_random

# Where a single pair of parameters is given, so many numbers are drawn from one stream.
_SAMPLES_OF_ONE = 100
_32, _MANTISSA = np.uint64(32), np.uint64((1 << 52) - 1)
# From so many expected successes on, BTRS is taken.
_MANY = 10
# What Stirling's approximation of log(k!) leaves out, for small k.
_TAILS = [
    math.lgamma(k + 1) - (k + 0.5) * math.log(k + 1) + (k + 1) - 0.5 * math.log(2 * math.pi)
    for k in range(10)
]


def _tail(k: float) -> float:
    if k <= 9:
        return _TAILS[int(k)]
    square = (k + 1) ** 2
    return (1 / 12 - (1 / 360 - 1 / 1260 / square) / square) / (k + 1)


class _Stream:
    """Uniform doubles of a generator.

    Args:
      key, counter: uint32[2] and uint32[4].
    """

    def __init__(self, key: np.ndarray, counter: np.ndarray):
        self._key, self._counter, self._block = key, counter, 0
        self._drawn: Iterator[list[float]] = iter(())
        self._size = 16

    def _pair(self) -> list[float]:
        found = next(self._drawn, None)
        if found is None:
            places = np.arange(self._block, self._block + self._size, dtype=np.uint32)
            block: Any = philox.block  # On the host, with or without JAX.
            words = [np.asarray(w, np.uint64) for w in block(self._key, self._counter, places)]
            halves = np.stack([words[0] << _32 | words[1], words[2] << _32 | words[3]], 1)
            self._drawn = iter(((halves & _MANTISSA) * 2.0**-52).tolist())
            self._block += self._size
            self._size = min(2 * self._size, 1024)
            found = next(self._drawn)
        return found

    def uniforms(self) -> Iterator[float]:
        """Uniforms for one number; each number begins with a new block."""
        while True:
            first, second = self._pair()
            yield second
            yield first


def _by_gaps(count: float, prob: float) -> Callable[[Iterator[float]], float]:
    scale = math.log1p(-prob)

    def draw(uniforms: Iterator[float]) -> float:
        trials, successes = 0.0, 0
        while True:
            u = next(uniforms)
            trials += math.ceil(math.log(u) / scale) if u else math.inf
            if trials > count:
                return successes
            successes += 1

    return draw


def _by_rejection(count: float, prob: float) -> Callable[[Iterator[float]], float]:
    spread = math.sqrt(count * prob * (1 - prob))
    b = 1.15 + 2.53 * spread
    a = -0.0873 + 0.0248 * b + 0.01 * prob
    centre = count * prob + 0.5
    v_sure = 0.92 - 4.2 / b
    odds = prob / (1 - prob)
    alpha = (2.83 + 5.1 / b) * spread
    mode = math.floor((count + 1) * prob)
    at_mode = (mode + 0.5) * math.log((mode + 1) / (odds * (count - mode + 1)))
    at_mode += _tail(mode) + _tail(count - mode)

    def log_density(k: float) -> float:
        return (
            at_mode
            + (count + 1) * math.log((count - mode + 1) / (count - k + 1))
            + (k + 0.5) * math.log(odds * (count - k + 1) / (k + 1))
            - _tail(k)
            - _tail(count - k)
        )

    def draw(uniforms: Iterator[float]) -> float:
        while True:
            u, v = next(uniforms) - 0.5, next(uniforms)
            edge = 0.5 - abs(u)
            if not edge:
                continue
            k = math.floor((2 * a / edge + b) * u + centre)
            if edge >= 0.07 and v <= v_sure:
                return k
            if not 0 <= k <= count:
                continue
            scaled = v * alpha / (a / edge**2 + b)
            if not scaled or math.log(scaled) <= log_density(k):
                return k

    return draw


def _sampler(count: float, prob: float) -> Callable[[Iterator[float]], float]:
    """What makes a number of uniforms."""
    if not (math.isfinite(count) and math.isfinite(prob)):
        return lambda _: math.nan
    if prob > 0.5:
        failures = _sampler(count, 1 - prob)
        return lambda uniforms: count - failures(uniforms)
    if count <= 0 or prob <= 0:
        return lambda _: 0.0
    return (_by_rejection if count * prob >= _MANY else _by_gaps)(count, prob)


@op("StatefulRandomBinomial", host=True, reads=(0,), writes=(0,))
class StatefulRandomBinomial:
    def shape(
        resource: Any, algorithm: Shape, shape: Shape, counts: Shape, probs: Shape, *, op: Operation
    ) -> Shape:
        return op.shape_input(2)

    def lower(
        resource: Any,
        algorithm: Any,
        shape: Any,
        counts: Any,
        probs: Any,
        *,
        dtype: DType,
        ctx: LoweringContext,
    ) -> Any:
        sizes = stateful_random.sizes_of(shape, ctx)
        if not sizes:
            refuse(ctx, "Shape tensor must not be empty, got [0]")
        batches, total = sizes[0], math.prod(sizes)
        for name, value in (("counts", counts), ("probs", probs)):
            if value.ndim > 1:
                refuse(
                    ctx,
                    f"Input {name} should be a scalar or vector, got shape: "
                    f"{shapes.to_string(value.shape)}",
                )
            if value.ndim and value.size not in (1, batches):
                refuse(
                    ctx,
                    f"Input {name} should have length 1 or shape[0], got shape: "
                    f"{shapes.to_string(value.shape)}",
                )
        if counts.size == 1 and probs.size == 1:
            batches, each = -(-total // _SAMPLES_OF_ONE), _SAMPLES_OF_ONE
        else:
            each = total // batches if batches else 0
        reserved = 2 * 100 * (each + 3) // 4
        state = np.asarray(stateful_random.state_of(resource, algorithm, ctx))
        counter, key = state[:2].view(np.uint32), state[2:3].view(np.uint32)
        after = state.copy()
        place = int(state[:1].view(np.uint64)[0]) + batches * reserved * philox.RESERVED_PER_OUTPUT
        after[:1].view(np.uint64)[0] = place & (1 << 64) - 1
        after[1] += place >> 64
        resource.assign(after)
        pairs = np.broadcast_arrays(counts.ravel(), probs.ravel(), np.empty(batches))[:2]
        found = np.empty(total)
        stream = _Stream(key, counter)
        for batch, (count, prob) in enumerate(zip(*(x.astype(np.float64).tolist() for x in pairs))):
            draw = _sampler(count, prob)
            for place in range(batch * each, min((batch + 1) * each, total)):
                found[place] = draw(stream.uniforms())
        return found.reshape(sizes).astype(dtype.as_numpy_dtype)
