"""Datasets that are made of no other one."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.kernels.data.data_values import (
    INFINITE,
    Dataset,
    Element,
    Elements,
    Place,
    dataset,
    frozen,
    integer,
    invalid,
    numbers,
)


class ListDataset(Dataset):
    """A dataset of elements that are there."""

    def __init__(self, elements: list[Element]):
        super().__init__()
        self._elements = elements

    def elements(self, place: Place) -> Elements:
        return iter(self._elements)

    def cardinality(self) -> int:
        return len(self._elements)


@dataset("TensorDataset")
def tensor_dataset(components: Any) -> Dataset:
    """One element."""
    return ListDataset([tuple(frozen(value) for value in components)])


class _Slices(Dataset):
    def __init__(self, components: list[Any]):
        super().__init__()
        self._components = [frozen(value) for value in components]
        self._count = len(components[0])
        for i, value in enumerate(components):
            if len(value) != self._count:
                raise invalid(
                    "All components must have the same size in the 0th dimension: component "
                    f"{i} has {len(value)}, and the first one {self._count}."
                )

    def elements(self, place: Place) -> Elements:
        components = self._components
        if len(components) == 1:
            (only,) = components
            return ((only[i, ...],) for i in range(self._count))
        return (tuple([value[i, ...] for value in components]) for i in range(self._count))

    def cardinality(self) -> int:
        return self._count


dataset("TensorSliceDataset")(_Slices)


@dataset("SparseTensorSliceDataset")
def sparse_tensor_slice_dataset(indices: Any, values: Any, dense_shape: Any) -> Dataset:
    """The rows of a sparse tensor."""
    rows = []
    for row in range(int(dense_shape[0])):
        mine = indices[:, 0] == row
        rows.append((indices[mine, 1:], values[mine], dense_shape[1:]))
    return ListDataset(rows)


class _Range(Dataset):
    def __init__(self, start: int, stop: int, step: int):
        super().__init__()
        if not step:
            raise invalid("step must be a non-zero integer.")
        self._range = range(start, stop, step)

    def elements(self, place: Place) -> Elements:
        return ((np.array(i, np.int64),) for i in self._range)

    def cardinality(self) -> int:
        # `len` knows no number of more than 63 bits.
        first, last, step = self._range.start, self._range.stop, self._range.step
        return max(0, (last - first + step - (1 if step > 0 else -1)) // step)


@dataset("RangeDataset", scalars=(0, 1, 2))
def range_dataset(start: Any, stop: Any, step: Any) -> Dataset:
    """Numbers."""
    return _Range(integer(start), integer(stop), integer(step))


class _Random(Dataset):
    def __init__(self, seed: int, seed2: int):
        super().__init__()
        self._seeds = seed, seed2

    def elements(self, place: Place) -> Elements:
        return ((np.array(number, np.int64),) for number in numbers(*self._seeds))

    def cardinality(self) -> int:
        return INFINITE


@dataset("RandomDataset", "ExperimentalRandomDataset", scalars=(0, 1))
def random_dataset(seed: Any, seed2: Any) -> Dataset:
    """Random numbers of 32 bits."""
    return _Random(integer(seed), integer(seed2))
