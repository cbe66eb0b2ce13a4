"""What is gathered about pipelines: how long elements take, and how many bytes they have."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.core.op_registry import op, register
from tf1compat.core.typing import LoweringContext, Shape
from tf1compat.kernels.data.data_values import (
    Dataset,
    Elements,
    Place,
    Same,
    byte_string,
    dataset,
    text,
)
from tf1compat.kernels.summary import summary, summary_writers
from tf1compat.kernels.variables import resources


class _Aggregator:
    """Values by tag; with a writer, each value is written as it comes."""

    def __init__(self, source: Any):
        self._values: dict[str, list[float]] = {}
        self._writes = source.type.endswith("V2")
        self._writer: Any = None
        self._steps = itertools.count()

    def write_to(self, writer: Any) -> None:
        """Has every value written by a summary writer."""
        self._writer = writer

    def add(self, tag: str, value: float) -> None:
        """Notes a value."""
        if not self._writes:
            self._values.setdefault(tag, []).append(value)
        elif self._writer is not None:
            found = _summary({tag: [value]})
            self._writer.add(summary_writers.event(np.array(next(self._steps)), summary=found))

    def summary(self) -> bytes:
        """A serialized Summary of the values so far."""
        return _summary(self._values).SerializeToString()


def _summary(values: dict[str, list[float]]) -> Any:
    found = summary.message()
    for tag, numbers in values.items():
        summary.fill_histogram(found.value.add(tag=tag).histo, np.array(numbers, np.float64))
    return found


for _name in (
    "StatsAggregatorHandle", "ExperimentalStatsAggregatorHandle", "StatsAggregatorHandleV2",
):  # fmt: skip
    register(_name, shape=lambda: (), source=True, host=True)


def _find(ctx: LoweringContext, handle: Any) -> _Aggregator:
    return resources.find(ctx, handle, _Aggregator)


@op(
    "StatsAggregatorSummary",
    "ExperimentalStatsAggregatorSummary",
    host=True,
    reads=(0,),
    effect=True,
)
class StatsAggregatorSummary:
    def shape(iterator: Any) -> Shape:
        return ()

    def lower(iterator: Any, *, ctx: LoweringContext) -> Any:
        return text(_find(ctx, iterator).summary())


@op("StatsAggregatorSetSummaryWriter", host=True, reads=(0, 1), effect=True)
class StatsAggregatorSetSummaryWriter:
    def shape(stats_aggregator: Any, summary: Shape) -> None:
        pass

    def lower(stats_aggregator: Any, summary: Any, *, ctx: LoweringContext) -> None:
        _find(ctx, stats_aggregator).write_to(summary_writers.find(ctx, summary))


class _Watched(Same):
    def __init__(self, input_dataset: Dataset, aggregator: _Aggregator, prefix: str):
        super().__init__(input_dataset)
        self._aggregator = aggregator
        self._prefix = prefix and f"{prefix}::"
        self.acts = True

    def elements(self, place: Place) -> Elements:
        place.run.note = lambda tag, value: self._aggregator.add(self._prefix + tag, value)
        return self.below(place)


@op("SetStatsAggregatorDataset", "ExperimentalSetStatsAggregatorDataset", host=True, reads=(1,))
class SetStatsAggregatorDataset:
    def shape(
        input_dataset: Any, stats_aggregator: Shape, tag: Shape, counter_prefix: Shape
    ) -> Any:
        return ()

    def lower(
        input_dataset: Any,
        stats_aggregator: Any,
        tag: np.ndarray,
        counter_prefix: np.ndarray,
        *,
        ctx: LoweringContext,
    ) -> Dataset:
        return _Watched(input_dataset, _find(ctx, stats_aggregator), byte_string(tag).decode())


class _Measured(Same):
    """A dataset of whose elements something is noted.

    Args:
      input_dataset: the dataset.
      tag: what the values are called.
      measure: of an element and the seconds that it took.
    """

    def __init__(self, input_dataset: Dataset, tag: Any, measure: Callable[[Any, float], float]):
        super().__init__(input_dataset)
        self._tag, self._measure = byte_string(tag).decode(), measure
        # Otherwise elements are made ahead of the time at which somebody asks for the statistics.
        self.acts = True

    def elements(self, place: Place) -> Elements:
        below = self.below(place)
        while True:
            began = time.perf_counter()
            try:
                element = next(below)
            except StopIteration:
                return
            if place.run.note is not None:
                place.run.note(self._tag, self._measure(element, time.perf_counter() - began))
            yield element


# What TF 1.15's tensors hold of each text besides its bytes: where these are.
_POINTER = 8


def _bytes(element: Any, seconds: float) -> float:
    return sum(
        sum(len(value) + _POINTER for value in part.ravel().tolist())
        if part.dtype == object
        else part.nbytes
        for part in element
        if isinstance(part, np.ndarray | np.generic)
    )


@dataset("BytesProducedStatsDataset", "ExperimentalBytesProducedStatsDataset", scalars=(1,))
def bytes_produced_stats_dataset(input_dataset: Dataset, tag: Any) -> Dataset:
    """A dataset that notes how many bytes each element has."""
    return _Measured(input_dataset, tag, _bytes)


@dataset("LatencyStatsDataset", "ExperimentalLatencyStatsDataset", scalars=(1,))
def latency_stats_dataset(input_dataset: Dataset, tag: Any) -> Dataset:
    """A dataset that notes how many microseconds each element takes."""
    return _Measured(input_dataset, tag, lambda _, seconds: float(int(seconds * 1e6)))
