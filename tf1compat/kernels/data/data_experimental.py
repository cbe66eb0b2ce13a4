"""Datasets of `tf.data.experimental` that sample, wait, or choose among others; the objects beside
datasets that anonymous resources stand for."""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tf1compat.core import shapes
from tf1compat.core.op_registry import op, register
from tf1compat.core.shapes import Shape
from tf1compat.core.typing import LoweringContext
from tf1compat.kernels.data.data_transformations import _Part, _Shuffle, _Shuffled
from tf1compat.kernels.data.data_values import (
    Dataset,
    Elements,
    Place,
    Same,
    dataset,
    integer,
    invalid,
    numbers,
)


class _Sampled(Dataset):
    def __init__(self, input_dataset: Dataset, rate: Any, seeds: tuple[int, int]):
        super().__init__(input_dataset)
        self._rate, self._seeds = rate, seeds

    def elements(self, place: Place) -> Elements:
        draws = numbers(*self._seeds)
        return (element for element in self.below(place) if _unit(next(draws)) < self._rate)


def _unit(word: int) -> np.float32:
    """The float32 in [0, 1) that TF makes of 32 bits."""
    return np.uint32(word & 0x7FFFFF | 127 << 23).view(np.float32) - np.float32(1)


@dataset("SamplingDataset", scalars=(1, 2, 3))
def sampling_dataset(input_dataset: Dataset, rate: Any, seed: Any, seed2: Any) -> Dataset:
    """Each element with a probability."""
    return _Sampled(input_dataset, np.float32(rate), (integer(seed), integer(seed2)))


class _Slow(Same):
    def __init__(self, input_dataset: Dataset, microseconds: int):
        super().__init__(input_dataset)
        self._seconds = microseconds * 1e-6

    def elements(self, place: Place) -> Elements:
        for element in self.below(place):
            time.sleep(self._seconds)
            yield element


@dataset("SleepDataset", "ExperimentalSleepDataset", scalars=(1,))
def sleep_dataset(input_dataset: Dataset, sleep_microseconds: Any) -> Dataset:
    """A dataset that takes some time for each element."""
    return _Slow(input_dataset, integer(sleep_microseconds))


@dataset("ThreadPoolDataset", "ExperimentalThreadPoolDataset")
def thread_pool_dataset(input_dataset: Dataset, thread_pool: Any) -> Dataset:
    """A dataset whose threads come from a pool; here each works as fast without."""
    return Same(input_dataset)


@dataset("ChooseFastestDataset", "ExperimentalChooseFastestDataset")
def choose_fastest_dataset(input_datasets: list[Dataset]) -> Dataset:
    """One of datasets that all have the same elements: which one is as fast as any is unknown
    before, and no run may hang on a clock, so it is the first.

    Raises:
      InvalidArgumentError: their numbers of elements differ.
    """
    counts = [dataset.cardinality() for dataset in input_datasets]
    for i, count in enumerate(counts[1:], 1):
        if count != counts[0]:
            raise invalid(
                "All inputs to ChooseFastestDataset must have compatible cardinalities. Input "
                f"{i} has cardinality: {count}, while all prior inputs have cardinality: "
                f"{counts[0]}."
            )
    return Same(input_datasets[0])


class _Filtered(Dataset):
    def elements(self, place: Place) -> Elements:
        return (element[:-1] for element in self.below(place) if element[-1][()])


@dataset("FilterByLastComponentDataset")
def filter_by_last_component_dataset(input_dataset: Dataset) -> Dataset:
    """The elements whose last component is true, without it."""
    return _Filtered(input_dataset)


class _Wrapped:
    """A dataset as an element of another dataset."""

    shape = ()
    dtype = np.dtype(object)

    def __init__(self, inside: Any):
        self.inside = inside


def _scalar(*_: Any) -> Shape:
    return ()


register(
    "WrapDatasetVariant",
    shape=_scalar,
    host=True,
    lower=lambda input_handle: _Wrapped(input_handle),
)


@op("UnwrapDatasetVariant", host=True)
class UnwrapDatasetVariant:
    shape = _scalar

    def lower(input_handle: Any) -> Any:
        if not isinstance(input_handle, _Wrapped):
            raise invalid("Unwrapped dataset could not be retrieved.")
        return input_handle.inside


# Pipelines for several workers or replicas.

# Op types of datasets that read the files whose names they get.
_READERS = frozenset(
    ("TextLineDataset", "TFRecordDataset", "FixedLengthRecordDataset", "FixedLengthRecordDatasetV2")
)


@dataset("AutoShardDataset", "ExperimentalAutoShardDataset", scalars=(1, 2))
def auto_shard_dataset(input_dataset: Dataset, num_workers: Any, index: Any) -> Dataset:
    """One worker's part: every so-manieth file, or element where files are not read one by one."""
    count, own = integer(num_workers), integer(index)
    if count < 1:
        raise invalid("num_workers must be greater than zero.")
    if not 0 <= own < count:
        raise invalid(f"index must be between 0 and {count - 1}")
    if count == 1:
        return Same(input_dataset)
    return _by_files(input_dataset, count, own) or _Part(input_dataset, own, None, count)


def _by_files(whole: Any, count: int, own: int) -> Any:
    """A copy of a dataset that reads some of its files; None if no step of it reads each file of a
    list."""
    if len(whole.inputs) != 1:
        return None
    if _reads_files(getattr(whole, "function", None)):
        below = _with_source(whole.input, lambda names: _Part(names, own, None, count))
    else:
        below = _by_files(whole.input, count, own)
    return below and _on(whole, below)


def _reads_files(function: Any) -> bool:
    if function is None:
        return False
    graph = function.host.function.graph
    return any(operation.type in _READERS for operation in graph.get_operations())


def _with_source(whole: Any, change: Callable[[Dataset], Dataset]) -> Any:
    """A copy of a dataset with another one in the place of what its elements come from."""
    if not whole.inputs:
        return change(whole)
    below = _with_source(whole.input, change) if len(whole.inputs) == 1 else None
    return below and _on(whole, below)


def _on(step: Dataset, below: Dataset) -> Dataset:
    found = copy.copy(step)
    found.inputs = (below,)
    return found


class _Rebatched(Dataset):
    def __init__(self, input_dataset: Dataset, parts: int):
        super().__init__(input_dataset)
        self._parts = parts

    def elements(self, place: Place) -> Elements:
        for element in self.below(place):
            size = -(-len(element[0]) // self._parts)
            for i in range(self._parts):
                yield tuple(component[i * size : (i + 1) * size] for component in element)

    def cardinality(self) -> int:
        whole = self.input.cardinality()
        return whole if whole < 0 else whole * self._parts


@dataset("RebatchDataset", "ExperimentalRebatchDataset", scalars=(1,))
def rebatch_dataset(input_dataset: Dataset, num_replicas: Any) -> Dataset:
    """Each batch in a part for each replica.

    TF may change the size of the batches themselves in its place; it does not where the last one
    is small, and elsewhere the elements are the same.
    """
    count = integer(num_replicas)
    if count < 1:
        raise invalid("num_replicas must be greater than zero.")
    return _Rebatched(input_dataset, count)


# Resources that belong to nobody: their handle is all there is of them.


class _Resource:
    """What a resource tensor holds."""

    shape = ()
    dtype = np.dtype(object)


class _Seeds(_Resource):
    """A generator of the seeds of epochs."""

    def __init__(self, seed: int, seed2: int):
        self.draws = numbers(seed, seed2)


class _Memory(_Resource):
    """What a dataset keeps, once it was gone through."""

    def __init__(self) -> None:
        self.kept: dict[str, Any] = {}


def _pair(*_: Any) -> Any:
    return [(), ()]


def _with_deleter(resource: Any) -> list[Any]:
    """The outputs of an op that makes a resource: the resource, and what deletes it."""
    return [resource, _Resource()]


register(
    "AnonymousRandomSeedGenerator",
    shape=_pair,
    lower=lambda seed, seed2: _with_deleter(_Seeds(integer(seed), integer(seed2))),
    host=True,
    effect=True,
)
register(
    "AnonymousMemoryCache",
    shape=_pair,
    lower=lambda: _with_deleter(_Memory()),
    host=True,
    effect=True,
)


def _nothing(*_: Any) -> None:
    """A resource without a name goes with its last handle."""


for _name in ("DeleteRandomSeedGenerator", "DeleteMemoryCache"):
    register(_name, shape=_nothing, lower=_nothing, host=True, effect=True)


class _ShuffledBySeeds(_Shuffle):
    def __init__(self, input_dataset: Dataset, size: int, seeds: _Seeds):
        # It has no seeds of its own to reshuffle by, and does not become one with a repetition.
        super().__init__(input_dataset, size, (0, 0), False)
        self._draws = seeds.draws

    def elements(self, place: Place) -> Elements:
        return _Shuffled(self, place, (next(self._draws), next(self._draws)), 1)

    def outside_state(self) -> str | None:
        name = f"ShuffleDatasetOp({self.size})::ReshufflingDataset"
        return f"{name} depends on random seed generator resource."


@dataset("ShuffleDatasetV2", scalars=(1,))
def shuffle_dataset_v2(input_dataset: Dataset, buffer_size: Any, seed_generator: Any) -> Dataset:
    """A dataset in random order; each epoch's comes from a generator that others may share."""
    return _ShuffledBySeeds(input_dataset, integer(buffer_size), seed_generator)


@op("ThreadPoolHandle", "ExperimentalThreadPoolHandle", host=True, effect=True)
class ThreadPoolHandle:
    shape = _scalar

    def lower(*, num_threads: int) -> Any:
        return _Resource()


# Many calls at once.


@op("MapDefun", host=True)
class MapDefun:
    def shape(
        arguments: Any, captured_inputs: Sequence[Shape], *, output_shapes: Sequence[Shape]
    ) -> Any:
        rows: int | None = None
        for shape in arguments:
            first = shapes.with_rank_at_least(shape, 1)
            rows = shapes.merge_dim(rows, None if first is None else first[0])
        return [None if shape is None else (rows, *shape) for shape in output_shapes]

    def lower(
        arguments: Any, captured_inputs: Sequence[np.ndarray], *, ctx: LoweringContext
    ) -> Any:
        counts = {len(value) for value in arguments}
        if len(counts) > 1:
            raise invalid(
                "All inputs must have the same dimension 0. Input 0 has leading dimension "
                f"{len(arguments[0])}"
            )
        captured = ctx.op._inputs[len(arguments) :]
        function = ctx.host_function("f", captured, captured_inputs)
        state = function.new_state()
        rows = [
            function(state, [value[i, ...] for value in arguments]) for i in range(counts.pop())
        ]
        if not rows:
            attrs = ctx.op._attrs
            pairs = zip(attrs["output_types"], attrs["output_shapes"])
            return [
                np.zeros((0, *(n or 0 for n in shape.to_tuple() or ())), kind.as_numpy_dtype)
                for kind, shape in pairs
            ]
        return [np.stack(column) for column in zip(*rows)]


@dataset("ChooseFastestBranchDataset", scalars=(1, 2))
def choose_fastest_branch_dataset(
    input_dataset: Dataset, ratio_numerator: Any, ratio_denominator: Any, other_arguments: Any, *,
    branches: Any, other_arguments_lengths: Any, ctx: LoweringContext,
) -> Dataset:  # fmt: skip
    """What one of several functions makes of a dataset, all of which make the same: the first, for
    the reason that `choose_fastest_dataset` gives.

    Raises:
      InvalidArgumentError: the ratio is none.
    """
    if integer(ratio_numerator) <= 0:
        raise invalid("`ratio_numerator` must be greater than zero.")
    if integer(ratio_denominator) <= 0:
        raise invalid("`ratio_denominator` must be greater than zero.")
    captured = other_arguments[: other_arguments_lengths[0]]
    return Same(*ctx.call_function(branches[0], [input_dataset, *captured]))
