"""`tensorflow.python.eager.monitoring`: counters, gauges and samplers of the process, by name."""

from __future__ import annotations

import bisect
import sys
import threading
import weakref
from typing import Any, ClassVar

from tf1compat.core import errors, protos

_names: weakref.WeakValueDictionary[str, Metric] = weakref.WeakValueDictionary()
_lock = threading.Lock()


class _Cell:
    """A number or text that is set.

    Args:
      cell: its value.
    """

    def __init__(self, cell: Any):
        self._cell = cell

    def set(self, value: Any) -> None:
        """Sets the value."""
        self._cell = value

    def value(self) -> Any:
        """The value."""
        return self._cell


class IntGaugeCell(_Cell):
    """An integer that is set."""


class StringGaugeCell(_Cell):
    """A text that is set."""


class BoolGaugeCell(_Cell):
    """A bool that is set."""


class CounterCell:
    """A number that grows.

    Args:
      cell: where it begins.
    """

    def __init__(self, cell: int):
        self._cell = cell

    def increase_by(self, value: int) -> None:
        """Adds a number."""
        with _lock:
            self._cell += value

    def value(self) -> int:
        """The number."""
        return self._cell


class SamplerCell:
    """A histogram.

    Args:
      cell: the upper limits of its buckets.
    """

    def __init__(self, cell: list[float]):
        self._cell = protos.load("summary_pb2", "HistogramProto")()
        self._cell.bucket_limit.extend([*cell, sys.float_info.max])
        self._cell.bucket.extend([0.0] * (len(cell) + 1))

    def add(self, value: float) -> None:
        """Counts a number."""
        with _lock:
            histogram = self._cell
            histogram.min = min(value, histogram.min) if histogram.num else value
            histogram.max = max(value, histogram.max) if histogram.num else value
            histogram.num += 1
            histogram.sum += value
            histogram.sum_squares += value * value
            histogram.bucket[bisect.bisect_right(list(histogram.bucket_limit), value)] += 1

    def value(self) -> Any:
        """The histogram so far, as a `HistogramProto`."""
        made = type(self._cell)()
        made.CopyFrom(self._cell)
        return made


class Buckets:
    """The buckets of a histogram.

    Args:
      buckets: their upper limits, without the last one's.
    """

    def __init__(self, buckets: list[float]):
        self.buckets = buckets


class ExponentialBuckets(Buckets):
    """Buckets each `growth_factor` times as wide as the one before; the first ends at `scale`."""

    def __init__(self, scale: float, growth_factor: float, bucket_count: int):
        super().__init__([scale * growth_factor**i for i in range(bucket_count)])


class Metric:
    """Cells by labels, under a name that no other has.

    Args:
      metric_name: the name.
      metric_methods: the class of the cells.
      label_length: how many labels a cell has.
      *args: the description, and the labels' names.

    Raises:
      AlreadyExistsError: another metric has the name.
      ValueError: there are more labels than this kind of metric may have.
    """

    _most_labels: ClassVar[int] = 2

    def __init__(self, metric_name: str, metric_methods: Any, label_length: int, *args: Any):
        kind = type(self).__name__
        if label_length > self._most_labels:
            raise ValueError(f"Cannot create {kind} metric with label >= {self._most_labels + 1}")
        if metric_name in _names:
            raise errors.AlreadyExistsError(
                None, None, "Another metric with the same name already exists."
            )
        _names[metric_name] = self
        self._new_cell = metric_methods
        self._label_length = label_length
        self._cells: dict[tuple[str, ...], Any] = {}

    def get_cell(self, *labels: str) -> Any:
        """The cell of labels.

        Raises:
          ValueError: there are more or fewer than the metric has.
        """
        if len(labels) != self._label_length:
            raise ValueError(
                f"The {type(self).__name__} expects taking {self._label_length} labels"
            )
        with _lock:
            if labels not in self._cells:
                self._cells[labels] = self._new_cell()
            return self._cells[labels]


class Counter(Metric):
    """A metric of `CounterCell`s."""

    def __init__(self, name: str, description: str, *labels: str):
        super().__init__(name, lambda: CounterCell(0), len(labels), description, *labels)


class IntGauge(Metric):
    """A metric of `IntGaugeCell`s."""

    def __init__(self, name: str, description: str, *labels: str):
        super().__init__(name, lambda: IntGaugeCell(0), len(labels), description, *labels)


class StringGauge(Metric):
    """A metric of `StringGaugeCell`s."""

    def __init__(self, name: str, description: str, *labels: str):
        super().__init__(name, lambda: StringGaugeCell(""), len(labels), description, *labels)


class BoolGauge(Metric):
    """A metric of `BoolGaugeCell`s."""

    def __init__(self, name: str, description: str, *labels: str):
        super().__init__(name, lambda: BoolGaugeCell(False), len(labels), description, *labels)


class Sampler(Metric):
    """A metric of `SamplerCell`s, which have the given buckets."""

    def __init__(self, name: str, buckets: Buckets, description: str, *labels: str):
        super().__init__(
            name, lambda: SamplerCell(buckets.buckets), len(labels), description, *labels
        )
