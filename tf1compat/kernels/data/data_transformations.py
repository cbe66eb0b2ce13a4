"""Datasets that are made of others without calling functions."""

from __future__ import annotations

import collections
import concurrent.futures
from collections.abc import Iterator
from typing import Any

import numpy as np

from tf1compat.core import errors
from tf1compat.kernels.data.data_batches import stacked
from tf1compat.kernels.data.data_sources import ListDataset
from tf1compat.kernels.data.data_values import (
    INFINITE,
    UNKNOWN,
    Dataset,
    Element,
    Elements,
    Place,
    Same,
    Stage,
    dataset,
    integer,
    invalid,
    numbers,
)


@dataset("ZipDataset")
class _Zip(Dataset):
    def __init__(self, input_datasets: Any):
        super().__init__(*input_datasets)

    def elements(self, place: Place) -> Elements:
        return _Zipped([self.below(place, i) for i in range(len(self.inputs))])

    def cardinality(self) -> int:
        counts = [d.cardinality() for d in self.inputs]
        finite = [n for n in counts if n != INFINITE]
        if UNKNOWN in finite:
            return UNKNOWN
        return min(finite, default=INFINITE)


class _Zipped(Stage):
    def __init__(self, inputs: list[Elements]):
        self._inputs = inputs

    def __next__(self) -> Element:
        return tuple([component for elements in self._inputs for component in next(elements)])


@dataset("ConcatenateDataset")
class _Concatenated(Dataset):
    def elements(self, place: Place) -> Elements:
        return _Chain(iter([0, 1]), lambda i: self.below(place, i))

    def cardinality(self) -> int:
        return _sum([d.cardinality() for d in self.inputs])


def _sum(counts: list[int]) -> int:
    if INFINITE in counts:
        return INFINITE
    return UNKNOWN if UNKNOWN in counts else sum(counts)


class _Chain(Stage):
    """The elements of one iterator after the other."""

    def __init__(self, parts: Iterator[int], make: Any):
        self._parts = parts
        self._make = make
        self._current: Elements = iter(())

    def __next__(self) -> Element:
        while True:
            try:
                return next(self._current)
            except StopIteration:
                self._current = iter(())
            self._current = self._make(next(self._parts))


# Repetition and order.


class _Repeat(Dataset):
    def __init__(self, input_dataset: Dataset, count: int):
        super().__init__(input_dataset)
        self._count = count

    def elements(self, place: Place) -> Elements:
        shuffled = self._fused(place)
        if shuffled is not None:
            return _Shuffled(shuffled, place.below(0), shuffled.seeds, self._count)
        if self._count == 1:  # TF takes such a step out.
            return self.below(place)
        return _Repeated(self, place, self._count)

    def _fused(self, place: Place) -> Any:
        """The shuffled dataset that is repeated, if the two are to be one thing."""
        fuses = b"shuffle_and_repeat_fusion" in place.run.fused
        found = self.input
        return found if fuses and isinstance(found, _Shuffle) and found.reshuffles else None

    def cardinality(self) -> int:
        each = self.input.cardinality()
        if self._count < 0:
            return 0 if each == 0 else INFINITE
        if self._count == 0:
            return 0
        return each if each < 0 else each * self._count


class _Repeated(Stage):
    def __init__(self, repeated: Dataset, place: Place, count: int):
        self._repeated, self._place = repeated, place
        self._left = count
        self._current: Elements | None = None

    def __next__(self) -> Element:
        while self._left:
            is_first = self._current is None
            if self._current is None:
                self._current = self._repeated.below(self._place)
            try:
                return next(self._current)
            except StopIteration:
                self._current = None
                if self._left > 0:
                    self._left -= 1
                    # As in TF, after the last time too: seeds that outlast it are drawn.
                    self._current = self._repeated.below(self._place)
                elif is_first:  # There is nothing to repeat.
                    self._left = 0
        raise StopIteration


@dataset("RepeatDataset", scalars=(1,))
def repeat_dataset(input_dataset: Dataset, count: Any) -> Dataset:
    """A dataset several times."""
    return _Repeat(input_dataset, integer(count))


class _Shuffle(Dataset):
    def __init__(
        self, input_dataset: Dataset, size: int, seeds: tuple[int, int], reshuffles: bool, count=1
    ):
        super().__init__(input_dataset)
        if size < 1:
            raise invalid("buffer_size must be greater than zero.")
        self.size, self.seeds, self.reshuffles = size, seeds, reshuffles
        self._count = count

    def elements(self, place: Place) -> Elements:
        seeds = self.seeds
        if self.reshuffles:
            # Each epoch has seeds that the first ones draw.
            draws = place.own(self, lambda: numbers(*self.seeds))
            seeds = next(draws), next(draws)
        return _Shuffled(self, place, seeds, self._count)

    def cardinality(self) -> int:
        each = self.input.cardinality()
        if self._count < 0:
            return INFINITE
        return each if each < 0 else each * max(self._count, 0)


class _Shuffled(Stage):
    """The elements of several epochs in random order, but no epoch before the one before it.

    Args:
      shuffle: the shuffled dataset.
      place: its place.
      seeds: of the order.
      count: how many epochs there are; negative for no end.
    """

    def __init__(self, shuffle: _Shuffle, place: Place, seeds: tuple[int, int], count: int):
        self._shuffle, self._place = shuffle, place
        self._size, self._count = shuffle.size, count
        self._random = numbers(*seeds)
        self._buffer: dict[int, Element] = {}
        # The elements of each epoch that are in the buffer: [from, to).
        self._slices: collections.deque[list[int]] = collections.deque([[0, 0]])
        self._epoch = 0
        self._input: Elements | None = None
        self._began = False

    def __next__(self) -> Element:
        buffer, source = self._buffer, self._input
        room = self._size - len(buffer)
        if room == 1 and source is not None:  # As a rule.
            element = next(source, None)
            if element is None:
                self._end_epoch()
                self._fill()
            else:
                self._put(element)
        elif room and (source is not None or not self._began):
            self._fill()
        if not buffer:
            raise StopIteration
        slices = self._slices
        while slices[0][0] == slices[0][1]:
            slices.popleft()
        start, end = slices[0]
        chosen = start + next(self._random) % (end - start)
        first = buffer.pop(start)
        slices[0][0] += 1
        if chosen == start:
            return first
        found = buffer[chosen]
        buffer[chosen] = first
        return found

    def _put(self, element: Element) -> None:
        last = self._slices[-1]
        self._buffer[last[1]] = element
        last[1] += 1

    def _fill(self) -> None:
        if not self._began:
            self._began = True
            source = self._shuffle.below(self._place)
            self._input = source if self._count else None
        while self._input is not None and len(self._buffer) < self._size:
            element = next(self._input, None)
            if element is None:
                self._end_epoch()
            else:
                self._put(element)

    def _end_epoch(self) -> None:
        """Goes on to the next epoch, if there is one."""
        at = self._slices[-1][1]
        if not at and self._count < 0:  # There is nothing to repeat.
            self._input = None
            return
        self._epoch += 1
        self._slices.append([at, at])
        source = self._shuffle.below(self._place)
        self._input = source if self._count < 0 or self._epoch < self._count else None


@dataset("ShuffleDataset", scalars=(1, 2, 3))
def shuffle_dataset(
    input_dataset: Dataset,
    buffer_size: Any,
    seed: Any,
    seed2: Any,
    *,
    reshuffle_each_iteration: bool,
) -> Dataset:
    """A dataset in random order."""
    seeds = integer(seed), integer(seed2)
    return _Shuffle(input_dataset, integer(buffer_size), seeds, reshuffle_each_iteration)


@dataset("ShuffleAndRepeatDataset", scalars=(1, 2, 3, 4))
def shuffle_and_repeat_dataset(
    input_dataset: Dataset, buffer_size: Any, seed: Any, seed2: Any, count: Any
) -> Dataset:
    """A dataset several times, in random order."""
    seeds, times = (integer(seed), integer(seed2)), integer(count)
    if times < 1 and times != -1:
        raise invalid("count must be greater than zero or equal to -1.")
    return _Shuffle(input_dataset, integer(buffer_size), seeds, False, times)


# Some of the elements.


class _Part(Dataset):
    """The elements number `start`, `start + step`… up to `stop`."""

    def __init__(self, input_dataset: Dataset, start: int, stop: int | None, step: int = 1):
        super().__init__(input_dataset)
        self._start, self._stop, self._step = start, stop, step

    def elements(self, place: Place) -> Elements:
        if self._stop is not None and self._stop <= self._start:
            return iter(())
        return _Parts(self.below(place), self._start, self._stop, self._step)

    def cardinality(self) -> int:
        count = self.input.cardinality()
        if count == UNKNOWN or (count == INFINITE and self._stop is None):
            return count
        stop = count if self._stop is None else self._stop
        last = stop if count == INFINITE else min(stop, count)
        return max(0, -(-(last - self._start) // self._step))


class _Parts(Stage):
    def __init__(self, elements: Elements, start: int, stop: int | None, step: int):
        self._elements, self._step = elements, step
        self._at, self._next, self._stop = 0, start, stop

    def __next__(self) -> Element:
        while self._stop is None or self._next < self._stop:
            element = next(self._elements)
            self._at += 1
            if self._at > self._next:
                self._next += self._step
                return element
        raise StopIteration


class _Take(_Part):
    def __init__(self, input_dataset: Dataset, count: int):
        super().__init__(input_dataset, 0, None if count < 0 else count)
        self._count = count

    def cardinality(self) -> int:
        # As in TF, which compares a negative count, too.
        count = self.input.cardinality()
        if count == UNKNOWN:
            return UNKNOWN
        return self._count if count == INFINITE else min(count, self._count)


@dataset("TakeDataset", scalars=(1,))
def take_dataset(input_dataset: Dataset, count: Any) -> Dataset:
    """The first elements."""
    return _Take(input_dataset, integer(count))


class _Skip(_Part):
    def __init__(self, input_dataset: Dataset, count: int):
        super().__init__(input_dataset, max(count, 0), 0 if count < 0 else None)

    def cardinality(self) -> int:
        return INFINITE if self.input.cardinality() == INFINITE else super().cardinality()


@dataset("SkipDataset", scalars=(1,))
def skip_dataset(input_dataset: Dataset, count: Any) -> Dataset:
    """All but the first elements."""
    return _Skip(input_dataset, integer(count))


@dataset("ShardDataset", scalars=(1, 2))
def shard_dataset(input_dataset: Dataset, num_shards: Any, index: Any) -> Dataset:
    """Every n-th element."""
    count, number = integer(num_shards), integer(index)
    if count < 1:
        raise invalid(
            f"Number of shards must be greater than zero (currently num_shards = {count})."
        )
    if not 0 <= number < count:
        raise invalid(f"Index must be between 0 and {count - 1} (currently index = {number}).")
    return _Part(input_dataset, number, None, count)


class _IgnoreErrors(Dataset):
    def elements(self, place: Place) -> Elements:
        return _WithoutErrors(self.below(place))

    def cardinality(self) -> int:
        return self.input.cardinality()  # As TF says, whatever is left out.


class _WithoutErrors(Stage):
    def __init__(self, elements: Elements):
        self._elements = elements

    def __next__(self) -> Element:
        while True:
            try:
                return next(self._elements)
            except errors.OpError:
                continue


dataset("IgnoreErrorsDataset", "ExperimentalIgnoreErrorsDataset")(_IgnoreErrors)


@dataset("UniqueDataset", "ExperimentalUniqueDataset")
class _Unique(Dataset):
    def elements(self, place: Place) -> Elements:
        return _Distinct(self.below(place))


class _Distinct(Stage):
    def __init__(self, elements: Elements):
        self._elements = elements
        self._seen: set[Any] = set()

    def __next__(self) -> Element:
        while True:
            element = next(self._elements)
            key = element[0].tobytes() if element[0].dtype != object else element[0].tolist()
            key = str(key) if isinstance(key, list) else key
            if key not in self._seen:
                self._seen.add(key)
                return element


# Rows and windows.


@dataset("UnbatchDataset", "ExperimentalUnbatchDataset")
class _Unbatch(Dataset):
    def elements(self, place: Place) -> Elements:
        return _Rows(self.below(place))


class _Rows(Stage):
    def __init__(self, elements: Elements):
        self._elements = elements
        self._current: Element = ()
        self._row = self._count = 0

    def __next__(self) -> Element:
        while self._row >= self._count:
            self._current = next(self._elements)
            self._row = self._count = 0
            if not all(np.ndim(value) for value in self._current):
                raise invalid("Input element must have a non-scalar value in each component.")
            self._count = len(self._current[0])
            for i, value in enumerate(self._current):
                if len(value) != self._count:
                    sizes = self._count, len(value)
                    self._count = 0
                    raise invalid(
                        "Input element must have the same batch size in each component. Component "
                        f"0 had size {sizes[0]} but component {i} had size, {sizes[1]}."
                    )
        row = self._row
        self._row += 1
        return tuple([value[row, ...] for value in self._current])


class _Windows(Dataset):
    def __init__(self, input_dataset: Dataset, size: int, shift: int, stride: int, drops: bool):
        super().__init__(input_dataset)
        for name, value in (("size", size), ("shift", shift), ("stride", stride)):
            if value < 1:
                raise invalid(f"Window {name} must be greater than zero.")
        self.size, self.shift, self.stride, self.drops = size, shift, stride, drops

    def elements(self, place: Place) -> Elements:
        return _Windowed(self, self.below(place))

    def cardinality(self) -> int:
        count = self.input.cardinality()
        if count < 0:
            return count
        if self.drops:
            target = (self.size - 1) * self.stride + 1
            return 0 if count < target else (count - target) // self.shift + 1
        return -(-count // self.shift)

    def made(self, elements: list[Element]) -> Element:
        """A window: a dataset for each component."""
        return tuple(
            ListDataset([(element[i],) for element in elements]) for i in range(len(elements[0]))
        )


class _Windowed(Stage):
    def __init__(self, windows: Any, elements: Elements):
        self._windows, self._elements = windows, elements
        self._buffer: list[Element] = []
        self._ended = False

    def _read(self) -> Element | None:
        element = None if self._ended else next(self._elements, None)
        self._ended = self._ended or element is None
        return element

    def __next__(self) -> Element:
        windows, buffer = self._windows, self._buffer
        target = (windows.size - 1) * windows.stride + 1
        while len(buffer) < target and (element := self._read()) is not None:
            buffer.append(element)
        if not buffer or (windows.drops and len(buffer) < target):
            raise StopIteration
        found = buffer[: target : windows.stride]
        for _ in range(windows.shift - len(buffer)):
            self._read()
        del buffer[: windows.shift]
        return windows.made(found)


@dataset("WindowDataset", scalars=(1, 2, 3, 4))
def window_dataset(
    input_dataset: Dataset, size: Any, shift: Any, stride: Any, drop_remainder: Any
) -> Dataset:
    """Datasets of consecutive elements."""
    sizes = integer(size), integer(shift), integer(stride)
    return _Windows(input_dataset, *sizes, bool(drop_remainder))


class _SlidingWindows(_Windows):
    def made(self, elements: list[Element]) -> Element:
        return tuple([stacked([e[i] for e in elements], i) for i in range(len(elements[0]))])


@dataset("SlidingWindowDataset", "ExperimentalSlidingWindowDataset", scalars=(1, 2, 3))
def sliding_window_dataset(
    input_dataset: Dataset, window_size: Any, window_shift: Any, window_stride: Any
) -> Dataset:
    """Batches of consecutive elements."""
    sizes = integer(window_size), integer(window_shift), integer(window_stride)
    return _SlidingWindows(input_dataset, *sizes, True)


# What makes elements ahead of time, and what is of no consequence here.


class _Prefetch(Dataset):
    def __init__(self, input_dataset: Dataset, size: int):
        super().__init__(input_dataset)
        if size < -1:
            raise invalid("buffer_size must be >= 0 or set buffer_size to be -1 for auto-tuning")
        self._size = _AUTOTUNED if size < 0 else size

    def elements(self, place: Place) -> Elements:
        elements = self.below(place)
        return _Ahead(elements, self._size) if self._size else elements

    def cardinality(self) -> int:
        return self.input.cardinality()


_AUTOTUNED = 2


class _Ahead(Stage):
    """An iterator that is up to `size` elements ahead, in a thread of its own."""

    def __init__(self, elements: Elements, size: int):
        self._elements, self._size = elements, size
        self._thread: Any = None
        self._made: collections.deque[Any] = collections.deque()
        self._ended = False

    def __next__(self) -> Element:
        made = self._made
        if self._thread is None:
            self._thread = concurrent.futures.ThreadPoolExecutor(1, "tf.data prefetch")
        while len(made) <= self._size and not self._ended:
            made.append(self._thread.submit(next, self._elements, None))
        if not made:
            raise StopIteration
        element = made.popleft().result()
        if element is None:
            self._ended = True
            made.clear()
            self._thread.shutdown(wait=False)
            raise StopIteration
        return element


@dataset("PrefetchDataset", scalars=(1,))
def prefetch_dataset(input_dataset: Dataset, buffer_size: Any) -> Dataset:
    """A dataset whose elements are made ahead of time."""
    return _Prefetch(input_dataset, integer(buffer_size))


class _Optimized(Same):
    def __init__(self, input_dataset: Dataset, rewrites: Any):
        super().__init__(input_dataset)
        self._fused = {bytes(name) for name in rewrites}

    def elements(self, place: Place) -> Elements:
        place.run.fused |= self._fused
        return self.below(place)


@dataset("OptimizeDataset")
def optimize_dataset(input_dataset: Dataset, optimizations: Any) -> Dataset:
    """A dataset whose pipeline TF rewrites."""
    return _Optimized(input_dataset, optimizations)


def _same(input_dataset: Dataset, *options: Any) -> Dataset:
    return Same(input_dataset)


dataset(
    "ModelDataset",
    "MaxIntraOpParallelismDataset",
    "ExperimentalMaxIntraOpParallelismDataset",
    "PrivateThreadPoolDataset",
    "ExperimentalPrivateThreadPoolDataset",
    "NonSerializableDataset",
    "ExperimentalNonSerializableDataset",
)(_same)


class _Directed(Dataset):
    def __init__(self, selector: Dataset, inputs: Any):
        super().__init__(selector, *inputs)

    def elements(self, place: Place) -> Elements:
        return _Selected(
            self.below(place), [self.below(place, i) for i in range(1, len(self.inputs))]
        )


class _Selected(Stage):
    def __init__(self, selector: Elements, inputs: list[Elements]):
        self._selector = selector
        self._inputs: list[Elements | None] = list(inputs)
        self._left = len(inputs)

    def __next__(self) -> Element:
        while self._left:
            (number,) = next(self._selector)
            chosen = integer(number)
            if not 0 <= chosen < len(self._inputs):
                raise invalid(f"Selector index out of range: {chosen} >= {len(self._inputs)}")
            elements = self._inputs[chosen]
            if elements is None:
                continue
            element = next(elements, None)
            if element is not None:
                return element
            self._inputs[chosen] = None
            self._left -= 1
        raise StopIteration


dataset("DirectedInterleaveDataset", "ExperimentalDirectedInterleaveDataset")(_Directed)
