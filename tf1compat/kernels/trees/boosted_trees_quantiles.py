"""Approximate quantiles of weighted values, from which boosted trees take their buckets
(Greenwald and Khanna, 2001; weighted as in Chen and Guestrin, 2016). On the host."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from tf1compat.backend import Array
from tf1compat.core.op_registry import op, register
from tf1compat.core.shapes import Shape
from tf1compat.core.typing import LoweringContext
from tf1compat.kernels.text.string import invalid
from tf1compat.kernels.variables import resources

# (value, weight, lowest rank, highest rank).
Entry = tuple[float, float, float, float]
Summary = list[Entry]


def _exact(values: Any, weights: Any) -> Summary:
    """The summary of some values: each once, with its ranks."""
    order = np.argsort(values, kind="stable")
    found: Summary = []
    rank = 0.0
    for value, weight in zip(values[order].tolist(), weights[order].tolist()):
        if weight <= 0:
            continue
        if found and found[-1][0] == value:
            _, before, low, _ = found.pop()
            found.append((value, before + weight, low, low + before + weight))
        else:
            found.append((value, weight, rank, rank + weight))
        rank += weight
    return found


def _merged(a: Summary, b: Summary) -> Summary:
    """The summary of the values of two."""
    if not a or not b:
        return a or b
    found: Summary = []
    i = j = 0
    low_a = low_b = 0.0  # how many at least are before, in each
    while i < len(a) and j < len(b):
        x, y = a[i], b[j]
        if x[0] < y[0]:
            found.append((x[0], x[1], x[2] + low_b, x[3] + y[3] - y[1]))
            low_a, i = x[2] + x[1], i + 1
        elif y[0] < x[0]:
            found.append((y[0], y[1], y[2] + low_a, y[3] + x[3] - x[1]))
            low_b, j = y[2] + y[1], j + 1
        else:
            found.append((x[0], x[1] + y[1], x[2] + y[2], x[3] + y[3]))
            low_a, low_b = x[2] + x[1], y[2] + y[1]
            i, j = i + 1, j + 1
    found += [(x[0], x[1], x[2] + low_b, x[3] + b[-1][3]) for x in a[i:]]
    found += [(y[0], y[1], y[2] + low_a, y[3] + a[-1][3]) for y in b[j:]]
    return found


def _compressed(summary: Summary, size: int, epsilon: float = 0.0) -> Summary:
    """A summary of about so many entries, that keeps apart what lies apart."""
    size = max(size, 2)
    if len(summary) <= size:
        return summary
    most = summary[-1][3] * max(1.0 / size, epsilon)
    found = [summary[0]]
    spent, step, read, count = 0, len(summary), 0, len(summary)
    last = 0
    while read + 1 < count:
        following = read + 1
        while (
            following < count
            and spent < step
            and summary[following][3] - summary[following][1] - summary[read][2] - summary[read][1]
            <= most
        ):
            spent += size
            following += 1
        read = read + 1 if read == following - 1 else following - 1
        found.append(summary[read])
        last = read
        spent -= step
    if last + 1 < count:
        found.append(summary[-1])
    return found


def _boundaries(summary: Summary, count: int) -> list[float]:
    """Values that cut the others in about so many parts; none twice."""
    if not summary:
        return []
    error = max(
        [
            *(e[3] - e[2] - e[1] for e in summary),
            *(b[3] - b[1] - a[2] - a[1] for a, b in zip(summary, summary[1:])),
        ]
    )
    epsilon = error / summary[-1][3] + 1.0 / count
    return [entry[0] for entry in _compressed(summary, count, epsilon)]


def _quantiles(summary: Summary, count: int) -> list[float]:
    """The quantiles 0, 1/count … 1."""
    if not summary:
        return []
    count = max(count, 2)
    found, at = [], 0
    for number in range(count + 1):
        twice = 2 * (number * summary[-1][3] / count)
        following = at + 1
        while following < len(summary) and twice >= summary[following][2] + summary[following][3]:
            following += 1
        at = following - 1
        low = summary[at][2] + summary[at][1]
        if following == len(summary) or twice < low + summary[following][3] - summary[following][1]:
            found.append(summary[at][0])
        else:
            found.append(summary[following][0])
    return found


def _sizes(epsilon: float, most: int) -> int:
    """How many entries a summary keeps for an error and a number of values."""
    if epsilon <= 0:
        return max(most, 2)
    level, size = 1, 2
    while (1 << level) * size < most:
        size = math.ceil(level / epsilon) + 1
        level += 1
    return size


class _Stream:
    """A summary of values that come in parts."""

    def __init__(self, epsilon: float, most: int):
        self.epsilon = epsilon
        self.size = _sizes(epsilon, most)
        self.levels: list[Summary] = []

    def add(self, summary: Summary) -> None:
        """Takes in a part: where it fits in, with what is there; else both go on, shortened."""
        level, summary = 0, _compressed(summary, self.size, self.epsilon)
        while summary:
            if len(self.levels) <= level:
                self.levels.append([])
            before, self.levels[level] = self.levels[level], []
            summary = _merged(summary, before)
            if not before or len(summary) <= self.size + 1:
                self.levels[level] = summary
                return
            summary = _compressed(summary, self.size, self.epsilon)
            level += 1

    def summary(self) -> Summary:
        """What it has, as one."""
        found: Summary = []
        for level in self.levels:
            found = _merged(found, level)
        return found


def summarized(values: Any, weights: Any, epsilon: float, most: int) -> Summary:
    """The summary of a batch of values.

    Args:
      values: [n].
      weights: [n].
      epsilon: how far ranks may be wrong.
      most: how many values there could be.
    """
    stream = _Stream(epsilon, most + 1)
    step = min(2 * stream.size, most + 1)
    for start in range(0, len(values), step):
        part = slice(start, start + step)
        stream.add(_exact(values[part], weights[part]))
    return stream.summary()


@op("BoostedTreesMakeQuantileSummaries", host=True)
class BoostedTreesMakeQuantileSummaries:
    def shape(float_values: Any, example_weights: Shape, epsilon: Shape) -> Any:
        return [(None, 4)] * len(float_values)

    def lower(float_values: Any, example_weights: np.ndarray, epsilon: np.ndarray) -> Any:
        found = []
        for values in float_values:
            weights = np.broadcast_to(example_weights, values.shape)
            found.append(_array(summarized(values, weights, float(epsilon), len(values))))
        return found


def _array(summary: Summary) -> np.ndarray:
    return np.array(summary, np.float32).reshape(-1, 4)


class _Streams:
    """The streams of some features, and the boundaries that were made of them.

    Args:
      source: the operation that owns it.
    """

    def __init__(self, source: Any):
        self.streams: list[_Stream] | None = None
        self.boundaries: list[list[float]] = []

    def begin(self, epsilon: float, count: int, most: int) -> None:
        """Begins empty streams."""
        self.streams = [_Stream(epsilon, most) for _ in range(count)]
        self.boundaries = [[] for _ in range(count)]
        self._make = (epsilon, count, most)

    def flush(self, make: Any) -> None:
        """Makes boundaries of the streams, which begin anew."""
        assert self.streams is not None
        self.boundaries = [make(stream.summary()) for stream in self.streams]
        epsilon, count, most = self._make
        self.streams = [_Stream(epsilon, most) for _ in range(count)]


def _find(ctx: LoweringContext, handle: Any) -> _Streams:
    return resources.find(ctx, handle, _Streams)


def _ready(ctx: LoweringContext, handle: Any) -> tuple[_Streams, list[_Stream]]:
    found = _find(ctx, handle)
    if found.streams is None:
        raise invalid("Quantile stream resource is not initialized.")
    return found, found.streams


def _scalar(*_: Any) -> Shape:
    return ()


def _nothing(*_: Any) -> None:
    pass


_FACTS: dict[str, Any] = {"host": True, "reads": (0,), "effect": True}

register("BoostedTreesQuantileStreamResourceHandleOp", shape=_scalar, source=True, host=True)


@op("IsBoostedTreesQuantileStreamResourceInitialized", **_FACTS)
class IsBoostedTreesQuantileStreamResourceInitialized:
    shape = _scalar

    def lower(quantile_stream_resource_handle: Any, *, ctx: LoweringContext) -> Any:
        return np.array(_find(ctx, quantile_stream_resource_handle).streams is not None)


@op("BoostedTreesCreateQuantileStreamResource", **_FACTS)
class BoostedTreesCreateQuantileStreamResource:
    shape = _nothing

    def lower(
        quantile_stream_resource_handle: Any, epsilon: Array, num_streams: Array, *,
        max_elements: int, ctx: LoweringContext,
    ) -> None:  # fmt: skip
        if epsilon <= 0:
            raise invalid("Epsilon should be positive.")
        streams = _find(ctx, quantile_stream_resource_handle)
        if streams.streams is None:
            streams.begin(float(epsilon), int(num_streams), max_elements)


@op("BoostedTreesQuantileStreamResourceAddSummaries", **_FACTS)
class BoostedTreesQuantileStreamResourceAddSummaries:
    shape = _nothing

    def lower(
        quantile_stream_resource_handle: Any, summaries: Sequence[Array], *, ctx: LoweringContext
    ) -> None:
        _, streams = _ready(ctx, quantile_stream_resource_handle)
        for stream, summary in zip(streams, summaries):
            stream.add([tuple(entry) for entry in summary.tolist()])


@op("BoostedTreesFlushQuantileSummaries", **_FACTS)
class BoostedTreesFlushQuantileSummaries:
    def shape(quantile_stream_resource_handle: Any, *, num_features: int) -> Any:
        return [(None, 4)] * num_features

    def lower(quantile_stream_resource_handle: Any, *, ctx: LoweringContext) -> Any:
        owner, streams = _ready(ctx, quantile_stream_resource_handle)
        found = [_array(stream.summary()) for stream in streams]
        before = owner.boundaries
        owner.flush(lambda summary: [])
        owner.boundaries = before
        return found


@op("BoostedTreesQuantileStreamResourceFlush", **_FACTS)
class BoostedTreesQuantileStreamResourceFlush:
    shape = _nothing

    def lower(
        quantile_stream_resource_handle: Any, num_buckets: Array, *, generate_quantiles: bool,
        ctx: LoweringContext,
    ) -> None:  # fmt: skip
        owner, _ = _ready(ctx, quantile_stream_resource_handle)
        count = int(num_buckets)
        if generate_quantiles:
            owner.flush(lambda summary: _quantiles(summary, count - 1))
        else:
            owner.flush(lambda summary: _boundaries(summary, count))


@op("BoostedTreesQuantileStreamResourceDeserialize", **_FACTS)
class BoostedTreesQuantileStreamResourceDeserialize:
    shape = _nothing

    def lower(
        quantile_stream_resource_handle: Any,
        bucket_boundaries: Sequence[Array],
        *,
        ctx: LoweringContext,
    ) -> None:
        owner, _ = _ready(ctx, quantile_stream_resource_handle)
        owner.boundaries = [boundaries.tolist() for boundaries in bucket_boundaries]


@op("BoostedTreesQuantileStreamResourceGetBucketBoundaries", **_FACTS)
class BoostedTreesQuantileStreamResourceGetBucketBoundaries:
    def shape(quantile_stream_resource_handle: Any, *, num_features: int) -> Any:
        return [(None,)] * num_features

    def lower(quantile_stream_resource_handle: Any, *, ctx: LoweringContext) -> Any:
        owner, _ = _ready(ctx, quantile_stream_resource_handle)
        return [np.array(boundaries, np.float32) for boundaries in owner.boundaries]
