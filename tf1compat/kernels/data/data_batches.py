"""Datasets of elements stacked: batches, padded and sparse ones."""

from __future__ import annotations

import contextlib
import itertools
from typing import Any

import numpy as np

from tf1compat.core import dtypes, errors
from tf1compat.kernels.data.data_values import (
    Dataset,
    Element,
    Elements,
    Place,
    Stage,
    dataset,
    integer,
    invalid,
    shape_text,
)
from tf1compat.kernels.sparse.sparse_serialize import packed_variants


def stacked(column: list[Any], component: int) -> np.ndarray:
    """A component of several elements as one array.

    Raises:
      InvalidArgumentError: the shapes differ.
    """
    first = column[0]
    shape = first.shape
    for i, value in enumerate(column):
        if value.shape != shape:
            raise invalid(
                f"Cannot batch tensors with different shapes in component {component}. First "
                f"element had shape {shape_text(shape)} and element {i} had shape "
                f"{shape_text(value.shape)}."
            )
    found = np.empty((len(column), *shape), first.dtype)
    if first.dtype == object:
        for row, value in enumerate(column):
            found[row] = value[()] if isinstance(value, np.ndarray) and not shape else value
    else:
        for row, value in enumerate(column):
            found[row] = value
    return found


class _Batch(Dataset):
    def __init__(self, input_dataset: Dataset, size: int, drops: bool):
        super().__init__(input_dataset)
        if size < 1:
            raise invalid("Batch size must be greater than zero.")
        self._size, self._drops = size, drops

    # Whether it is one thing with the map before it.
    maps = False

    def elements(self, place: Place) -> Elements:
        if self.maps or (self.input.maps and b"map_and_batch_fusion" in place.run.fused):
            below = _FailsWhole(self.below(place), self._size)
            return _Batches(below, self._size, self._drops, _joined)
        return _Batches(self.below(place), self._size, self._drops, self.stack)

    def stack(self, elements: list[Element]) -> Element:
        """Several elements as one."""
        return tuple([stacked([e[i] for e in elements], i) for i in range(len(elements[0]))])

    def cardinality(self) -> int:
        count = self.input.cardinality()
        if count < 0:
            return count
        return count // self._size if self._drops else -(-count // self._size)


def _joined(elements: list[Element]) -> Element:
    """As `_Batch.stack`, where only the number of numbers has to be the same."""
    found = []
    for i, first in enumerate(elements[0]):
        column = [element[i] for element in elements]
        for value in column:
            if value.size != first.size:
                raise invalid(
                    "Cannot add tensor to the batch: number of elements does not match. Shapes "
                    f"are: [tensor]: {shape_text(value.shape)}, [batch]: {shape_text(first.shape)}"
                )
        if any(value.shape != first.shape for value in column):
            column = [value.reshape(first.shape) for value in column]
        found.append(stacked(column, i))
    return tuple(found)


class _FailsWhole(Stage):
    """Elements of batches; an error in one takes the rest of its batch along."""

    def __init__(self, elements: Elements, size: int):
        self._elements, self._size = elements, size
        self._given = 0

    def __next__(self) -> Element:
        self._given = self._given % self._size + 1
        try:
            return next(self._elements)
        except errors.OpError:
            while self._given < self._size:
                self._given += 1
                with contextlib.suppress(errors.OpError):
                    if next(self._elements, None) is None:
                        break
            raise


class _Batches(Stage):
    def __init__(self, elements: Elements, size: int, drops: bool, stack: Any):
        self._elements, self._size, self._drops, self._stack = elements, size, drops, stack
        self._ended = False

    def __next__(self) -> Element:
        found = [] if self._ended else list(itertools.islice(self._elements, self._size))
        self._ended = len(found) < self._size
        if not found or (self._drops and len(found) < self._size):
            raise StopIteration
        return self._stack(found)


@dataset("BatchDataset", scalars=(1,))
def batch_dataset(input_dataset: Dataset, batch_size: Any) -> Dataset:
    """Elements, stacked."""
    return _Batch(input_dataset, integer(batch_size), False)


@dataset("BatchDatasetV2", scalars=(1, 2))
def batch_dataset_v2(input_dataset: Dataset, batch_size: Any, drop_remainder: Any) -> Dataset:
    """Elements, stacked."""
    return _Batch(input_dataset, integer(batch_size), bool(drop_remainder))


class _PaddedBatch(_Batch):
    def __init__(self, input_dataset: Dataset, size: int, drops: bool, shapes: Any, values: Any):
        super().__init__(input_dataset, size, drops)
        self._shapes = [[int(n) for n in shape] for shape in shapes]
        self._values = values

    def elements(self, place: Place) -> Elements:
        return _Batches(self.below(place), self._size, self._drops, self.stack)

    def stack(self, elements: list[Element]) -> Element:
        return tuple(
            [self._padded([element[i] for element in elements], i) for i in range(len(elements[0]))]
        )

    def _padded(self, column: list[Any], component: int) -> np.ndarray:
        declared = self._shapes[component]
        sizes = [0 if size < 0 else size for size in declared]
        for value in column:
            if value.ndim != len(declared):
                raise invalid(
                    "All elements in a batch must have the same rank as the padded shape for "
                    f"component{component}: expected rank {len(declared)} but got element with "
                    f"rank {value.ndim}"
                )
            for i, size in enumerate(value.shape):
                if declared[i] < 0:
                    sizes[i] = max(sizes[i], size)
                elif size > declared[i]:
                    raise errors.DataLossError(
                        None, None, "Attempted to pad to a smaller size than the input element."
                    )
        found = np.empty((len(column), *sizes), column[0].dtype)
        found[...] = self._values[component]
        for row, value in enumerate(column):
            found[(row, *map(slice, value.shape), ...)] = value
        return found


@dataset("PaddedBatchDataset", scalars=(1,))
def padded_batch_dataset(
    input_dataset: Dataset, batch_size: Any, padded_shapes: Any, padding_values: Any
) -> Dataset:
    """Elements, padded and stacked."""
    return _PaddedBatch(input_dataset, integer(batch_size), False, padded_shapes, padding_values)


@dataset("PaddedBatchDatasetV2", scalars=(1, 4))
def padded_batch_dataset_v2(
    input_dataset: Dataset,
    batch_size: Any,
    padded_shapes: Any,
    padding_values: Any,
    drop_remainder: Any,
) -> Dataset:
    """Elements, padded and stacked."""
    drops = bool(drop_remainder)
    return _PaddedBatch(input_dataset, integer(batch_size), drops, padded_shapes, padding_values)


class _SparseBatch(_Batch):
    def __init__(self, input_dataset: Dataset, size: int, row_shape: Any):
        super().__init__(input_dataset, size, False)
        self._row_shape = [int(n) for n in row_shape]

    def elements(self, place: Place) -> Elements:
        below = map(self._checked, self.below(place))
        return _Batches(below, self._size, self._drops, self.stack)

    def _checked(self, element: Element) -> Element:
        """An element that fits into a row."""
        (value,) = element
        if value.ndim != len(self._row_shape):
            raise invalid(
                f"Input element had shape ({shape_text(value.shape)}) that is incompatible "
                f"with the row shape ({shape_text(self._row_shape)})."
            )
        if any(size > most >= 0 for size, most in zip(value.shape, self._row_shape)):
            raise errors.DataLossError(
                None,
                None,
                f"Input element had shape ({shape_text(value.shape)}) that is larger than "
                f"the row shape ({shape_text(self._row_shape)}).",
            )
        return element

    def stack(self, elements: list[Element]) -> Element:
        rank = len(self._row_shape)
        sizes = [max(size, 0) for size in self._row_shape]
        indices, values = [], []
        for row, (value,) in enumerate(elements):
            for i, size in enumerate(value.shape):
                if self._row_shape[i] < 0:
                    sizes[i] = max(sizes[i], size)
            grid = np.indices(value.shape, np.int64).reshape(rank, -1).T
            own = np.full((len(grid), 1), row, np.int64)
            indices.append(np.concatenate([own, grid], axis=1))
            values.append(value.ravel())
        parts = (
            np.concatenate(indices),
            np.concatenate(values),
            np.array([len(elements), *sizes], np.int64),
        )
        is_text = parts[1].dtype == object
        dtype = dtypes.string if is_text else dtypes.as_dtype(parts[1].dtype)
        return (packed_variants(parts, dtype),)


@dataset("DenseToSparseBatchDataset", "ExperimentalDenseToSparseBatchDataset", scalars=(1,))
def dense_to_sparse_batch_dataset(
    input_dataset: Dataset, batch_size: Any, row_shape: Any
) -> Dataset:
    """Elements of different shapes as one sparse tensor."""
    return _SparseBatch(input_dataset, integer(batch_size), row_shape)
