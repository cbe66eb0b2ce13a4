"""The examples of a random forest, the tests that send them left or right, and random features."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from tf1compat import kernels

# Kinds of tests: of an inequality, or whether a feature has a value.
LESS_OR_EQUAL, LESS, MATCHES = range(3)
_CATEGORICAL = 1  # The "original_type" of a column in a spec.
_DRAWN_AT_ONCE = 1024  # Words of random bits.


class Test(NamedTuple):
    """What sends an example to the left; several of them in arrays."""

    feature: Any
    threshold: Any
    kind: Any

    def holds(self, examples: Examples, rows: Any) -> Any:
        """Whether the examples in `rows` go left.

        Args:
          examples: the batch.
          rows: which of it: int [n] for a test each, [n, 1] for all tests.

        Returns:
          bool, of the shape of `rows` and the tests broadcast.
        """
        values = examples.values(self.feature, rows)
        equal = values == self.threshold
        less = (values < self.threshold) & (self.kind != MATCHES)
        return less | equal & (self.kind != LESS)


class Spec:
    """The columns of a forest's data.

    Args:
      text: what `TensorForestDataSpec.SerializeToString` gives.
    """

    def __init__(self, text: str):
        size, _, columns = text.partition(" dense: [")
        dense, _, sparse = columns.rpartition("] sparse: [")
        self.dense_size = int(size.rpartition(" ")[2])
        column = re.compile(r"original_type: (\d+) size: (-?\d+)\}")
        self.is_categorical = [
            int(kind) == _CATEGORICAL
            for kind, size in column.findall(dense)
            for _ in range(int(size))
        ]
        self.sparse_is_categorical = [int(k) == _CATEGORICAL for k, _ in column.findall(sparse)]


class Examples:
    """A batch of examples.

    Args:
      spec: a `Spec`.
      dense: [examples, columns] float32; of one dimension if there are none.
      indices, values, shape: of the sparse columns; empty if there are none.
    """

    def __init__(self, spec: Spec, dense: Any, indices: Any, values: Any, shape: Any):
        self._spec = spec
        self._dense = dense if dense.ndim == 2 else None
        self._indices = indices if indices.ndim == 2 else np.zeros((0, 2), np.int64)
        self._values = values
        self.count = int(shape[0]) if self._dense is None else len(dense)
        # Whether each feature is a column of the dense ones.
        self._is_plain = self._dense is not None and (
            dense.shape[1] == spec.dense_size and not spec.sparse_is_categorical
        )

    def values(self, features: Any, rows: Any) -> Any:
        """What the examples in `rows` have as features, float32; sparse ones 0 if nothing.

        Sparse features are numbered on after the dense ones, and are yet looked up in the column of
        that number, as TensorFlow does: with both kinds, another column is read than was drawn. A
        tree that sees some of the dense features is still given the number of them all: those too
        many are read from the rows that follow; after the last, 0.
        """
        if self._is_plain:
            return self._dense[rows, features]  # pyright: ignore[reportOptionalSubscript]
        features, rows = np.broadcast_arrays(features, rows)
        is_dense = features < self._spec.dense_size
        found = np.zeros(features.shape, np.float32)
        if self._dense is not None:
            places = rows * self._dense.shape[1] + features
            flat = self._dense.reshape(-1)
            inside = is_dense & (places < flat.size)
            found[inside] = flat[places[inside]]
        for feature in np.unique(features[~is_dense]):
            here = self._indices[:, 1] == feature
            column = np.zeros(self.count, np.float32)
            column[self._indices[here, 0]] = self._values[here]
            chosen = features == feature
            found[chosen] = column[rows[chosen]]
        return found

    def draw(self, row: int, words: Words) -> tuple[int, Any, bool]:
        """A random feature of an example, its value, and whether it is categorical."""
        dense = self._spec.dense_size
        first, last = np.searchsorted(self._indices[:, 0], [row, row + 1])
        drawn = words.below(dense + int(last - first))
        if first == last and not dense:  # There is nothing to draw; TF reads before the tensor.
            return 0, np.float32(0), self._spec.sparse_is_categorical[0]
        if drawn < dense:
            return drawn, self.values(drawn, row)[()], self._spec.is_categorical[drawn]
        feature = int(self._indices[int(first) + drawn - dense, 1]) + dense
        return feature, self.values(feature, row)[()], self._spec.sparse_is_categorical[0]


class Words:
    """A stream of random numbers, as TF's SimplePhilox gives them.

    Args:
      seed: of the stream; 0 for one that is different each time.
    """

    def __init__(self, seed: int):
        seed = seed or int(np.random.SeedSequence().generate_state(1, np.uint64)[0])
        self._key = np.array([seed & 0xFFFFFFFF, seed >> 32 & 0xFFFFFFFF], np.uint32)
        self._counter = np.zeros(4, np.uint32)
        self._words: list[int] = []
        self._drawn = self._taken = 0

    def _next(self) -> int:
        if self._taken == len(self._words):
            philox = kernels.twins.module("tf1compat.kernels.random.philox")
            with np.errstate(over="ignore"):  # Words wrap around.
                drawn = philox.words_from(self._key, self._counter, self._drawn, _DRAWN_AT_ONCE)
            self._drawn += _DRAWN_AT_ONCE
            self._words, self._taken = drawn.tolist(), 0
        self._taken += 1
        return self._words[self._taken - 1]

    def below(self, n: int) -> int:
        """An int in [0, n), all as probable; 0 for n = 0."""
        if n & (n - 1) == 0:
            return self._next() & max(n - 1, 0)
        unfit = 0xFFFFFFFF % n + 1
        while (word := self._next()) < unfit:
            pass
        return word % n


# How many buckets libstdc++'s hash tables have, one after the other: each as many as the table may
# hold before it takes the next.
_BUCKETS = (3, 7, 17, 37, 79, 167, 337, 709, 1493, 3209, 6427, 12983, 26267, 53201, 107897)


class HashOrder:
    """Ints in the order in which a C++ `unordered_set` has them.

    New nodes of a tree are numbered in it.
    """

    def __init__(self, keys: Iterable[int] = ()):
        self.keys: list[int] = []
        self._sizes = iter(_BUCKETS)
        self._buckets = 0
        for key in keys:
            self.add(key)

    def add(self, key: int) -> None:
        """Adds an int that is not there yet."""
        if len(self.keys) + 1 >= self._buckets:
            self._buckets = next(self._sizes)
            before, self.keys = self.keys, []
            for old in before:
                self._put(old)
        self._put(key)

    def _put(self, key: int) -> None:
        """In front of its bucket's keys, which lie side by side; of all if it is new."""
        bucket = key % self._buckets
        same = (i for i, other in enumerate(self.keys) if other % self._buckets == bucket)
        self.keys.insert(next(same, 0), key)

    def remove(self, key: int) -> None:
        """Removes an int."""
        self.keys.remove(key)
