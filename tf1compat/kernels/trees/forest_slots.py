"""What a random forest counts at a leaf: how classes, or targets, fall by candidate splits."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.core import errors
from tf1compat.formats import fertile_stats_pb2
from tf1compat.formats import tensor_forest_params_pb2 as params_pb2
from tf1compat.kernels.trees.forest_data import MATCHES, Examples, HashOrder, Test, Words
from tf1compat.kernels.trees.forest_tree import fill_values, make_test, read_test, values_of

_f32 = np.float32


def resolved(param: Any, depth: int) -> float:
    """The value of a DepthDependentParam at a depth."""
    kind = param.WhichOneof("ParamType")
    if kind == "constant_value":
        return param.constant_value
    value = getattr(param, kind)
    if kind == "linear":
        return min(max(value.slope * depth + value.y_intercept, value.min_val), value.max_val)
    if kind == "exponential":
        return value.bias + value.multiplier * value.base ** (value.depth_multiplier * depth)
    return value.on_value if depth >= value.threshold else value.off_value


def check_supported(params: Any) -> None:
    """Refuses settings that are not supported.

    Raises:
      UnimplementedError: it is one of them.
    """
    refused = {
        "split_pruning_name": params.pruning_type.type != params_pb2.SPLIT_PRUNE_NONE,
        "split_finish_name": params.finish_type.type != params_pb2.SPLIT_FINISH_BASIC,
        "initialize_average_splits": params.initialize_average_splits,
        "model_name": params.leaf_type == params_pb2.MODEL_SPARSE_OR_DENSE_CLASSIFICATION,
        "collection_type": params.collection_type != params_pb2.COLLECTION_BASIC,
    }
    for name, is_set in refused.items():
        if is_set:
            text = f"tensor_forest's {name} has a value that tf1compat does not support yet"
            raise errors.UnimplementedError(None, None, text)


def _added(sums: Any, lefts: Any, terms: Any) -> Any:
    """Sums [tests, ...] and, one after the other, the terms [examples, ...] that go left."""
    flat = terms.reshape(len(terms), -1)
    whole = np.trunc(flat) == flat
    if whole.all():  # Then it is the same in any order.
        return sums + (lefts.T.astype(_f32) @ flat).reshape(sums.shape)
    chosen = lefts.reshape(*lefts.shape, *[1] * (terms.ndim - 1))
    steps = np.where(chosen, terms[:, None], _f32(0))
    return np.add.accumulate(np.concatenate([sums[None], steps]))[-1]


class Slot:
    """The statistics of one leaf.

    Args:
      params: a TensorForestParams.
      depth: of the leaf in its tree.
    """

    def __init__(self, params: Any, depth: int):
        self._params, self.depth = params, depth
        self._wanted = int(resolved(params.num_splits_to_consider, depth))
        self._enough = resolved(params.split_after_samples, depth)
        outputs = params.num_outputs
        self._is_sparse = params.stats_type == params_pb2.STATS_SPARSE_GINI
        self.tests: list[tuple[int, Any, int]] = []
        self._in_arrays: Test | None = None
        self.weight = _f32(0)
        # Of all examples and, for each test, of those that it sends to the left: the sums of
        # weights by class, or of targets and of their squares.
        self._sums = np.zeros((2, outputs) if params.is_regression else (1, outputs), _f32)
        self._left = np.zeros((self._wanted, *self._sums.shape), _f32)
        self._left_counts = np.zeros(self._wanted, _f32)

    @property
    def is_initialized(self) -> bool:
        """Whether it has all its tests."""
        return bool(self.weight > 0) or len(self.tests) == self._wanted

    @property
    def missing(self) -> int:
        """How many tests it lacks."""
        return 0 if self.is_initialized else self._wanted - len(self.tests)

    @property
    def is_finished(self) -> bool:
        """Whether it has seen enough to be split."""
        if self._params.is_regression:
            return bool(self.weight >= self._enough)
        return bool(self.weight >= self._enough and np.count_nonzero(self._sums[0]) > 1)

    def add_test(self, examples: Examples, row: int, words: Words) -> None:
        """Takes a random feature of an example for a test."""
        feature, value, is_categorical = examples.draw(row, words)
        kind = MATCHES if is_categorical else self._params.inequality_test_type
        self._add(feature, value, kind)

    def _add(self, feature: int, threshold: Any, kind: int) -> None:
        self.tests.append((feature, _f32(threshold), kind))
        self._in_arrays = None

    def add(self, examples: Examples, rows: Any, targets: Any, weights: Any) -> int | None:
        """Counts examples.

        Args:
          examples: the batch.
          rows: which of it, in their order.
          targets: the batch's targets, [examples, targets].
          weights: of the batch, [examples].

        Returns:
          The number in `rows` of the example that finished the leaf; None if none did.
        """
        if self._in_arrays is None:
            self._in_arrays = Test(*(np.array(part) for part in zip(*self.tests)))
        lefts = self._in_arrays.holds(examples, rows[:, None])
        if self._params.is_regression:
            terms = np.stack([targets[rows], targets[rows] ** 2], 1)
            steps = np.ones(len(rows), _f32)
        else:
            steps = weights[rows]
            terms = np.zeros((len(rows), *self._sums.shape), _f32)
            terms[np.arange(len(rows)), 0, targets[rows, 0].astype(np.int64)] = steps
        sums = np.add.accumulate(np.concatenate([self._sums[None], terms]))[1:]
        weight = np.add.accumulate(np.append(self.weight, steps).astype(_f32))[1:]
        self._sums, self.weight = sums[-1].copy(), weight[-1]
        self._left = _added(self._left, lefts, terms)
        self._left_counts = _added(self._left_counts, lefts, steps)
        enough = weight >= self._enough
        if not self._params.is_regression:
            enough &= np.count_nonzero(sums[:, 0], axis=1) > 1
        return int(np.argmax(enough)) if enough.any() else None

    def best(self) -> tuple[tuple[int, Any, int], Any, Any] | None:
        """The best test and the values of the two leaves that it makes; None if all are useless."""
        scores = self._variances() if self._params.is_regression else self._impurities()
        best = np.argmin(scores) if len(scores) else 0
        if not len(scores) or not scores[best] < np.finfo(_f32).max:
            return None
        left, right = self._left[best], self._sums - self._left[best]
        if self._params.is_regression:
            count = self._left_counts[best]
            return self.tests[best], left[0] / count, right[0] / (self.weight - count)
        return self.tests[best], left[0], right[0]

    def _impurities(self) -> Any:
        """The Gini impurity of both sides, each class seen once more, times the side's weight;
        infinite if a side is empty."""
        scores = np.zeros(len(self.tests), _f32)
        useless = np.zeros(len(self.tests), bool)
        for counts in (self._left[:, 0], self._sums[0] - self._left[:, 0]):
            total, squares = np.zeros((2, len(self.tests)), _f32)
            for count in counts.T:
                total, squares = total + count, squares + count * count
            smoothed = total + _f32(counts.shape[1])
            squares = squares + 2 * total + _f32(counts.shape[1])
            scores = scores + total * (1 - squares / (smoothed * smoothed))
            useless |= total <= 0
        return np.where(useless, _f32(np.inf), scores)

    def _variances(self) -> Any:
        """The sum of the variances of both sides; infinite if one is empty."""
        counts = self._left_counts, self.weight - self._left_counts
        useless = (counts[0] <= 0) | (counts[1] <= 0)
        sides = self._left, self._sums - self._left
        total = np.zeros(len(self.tests), _f32)
        with np.errstate(divide="ignore", invalid="ignore"):
            for output in range(self._sums.shape[1]):
                for side, count in zip(sides, counts):
                    mean, square = side[:, 0, output] / count, side[:, 1, output] / count
                    total = total + (square - mean * mean)
        return np.where(useless, _f32(np.inf), total)

    # As messages.

    def write(self, node: int, slot: Any) -> None:
        """Fills in a FertileSlot."""
        slot.node_id, slot.depth = node, self.depth
        if not self._params.checkpoint_stats:
            return
        self._write_stats(slot.post_init_leaf_stats, self.weight, self._sums)
        for test, count, sums in zip(self.tests, self._left_counts, self._left):
            candidate = slot.candidates.add()
            make_test(candidate.split, *test)
            weight = count if self._params.is_regression else _f32(0)
            self._write_stats(candidate.left_stats, weight, sums)

    def _write_stats(self, stats: Any, weight: Any, sums: Any) -> None:
        stats.weight_sum = float(weight)
        if self._params.is_regression:
            fill_values(stats.regression.mean_output, sums[0])
            fill_values(stats.regression.mean_output_squares, sums[1])
        elif self._is_sparse:
            fill_values(stats.classification.sparse_counts, sums[0])
        else:
            fill_values(stats.classification.dense_counts, sums[0])

    def _read_stats(self, stats: Any) -> Any:
        outputs = self._sums.shape[1]
        if self._params.is_regression:
            found = stats.regression.mean_output, stats.regression.mean_output_squares
        elif self._is_sparse:
            found = (stats.classification.sparse_counts,)
        else:
            found = (stats.classification.dense_counts,)
        return np.stack([values_of(vector, outputs) for vector in found])

    def read(self, slot: Any) -> None:
        """Takes what a FertileSlot has."""
        self._sums = self._read_stats(slot.post_init_leaf_stats)
        self.weight = _f32(slot.post_init_leaf_stats.weight_sum)
        for candidate in slot.candidates:
            self._add(*read_test(candidate.split))
            sums = self._read_stats(candidate.left_stats)
            self._left[len(self.tests) - 1] = sums
            is_regression = self._params.is_regression
            count = candidate.left_stats.weight_sum if is_regression else sums[0].sum()
            self._left_counts[len(self.tests) - 1] = count


class Stats:
    """The statistics of a tree's leaves.

    Args:
      params: a TensorForestParams.
    """

    def __init__(self, params: Any):
        self.params = params
        self.slots: dict[int, Slot] = {}
        self._order = HashOrder()

    def allocate(self, node: int, depth: int) -> None:
        """Begins to count at a leaf, maybe anew."""
        if node not in self.slots:
            self._order.add(node)
        self.slots[node] = Slot(self.params, depth)

    def clear(self, node: int) -> None:
        """Forgets a leaf."""
        del self.slots[node]
        self._order.remove(node)

    def load(self, serialized: bytes) -> None:
        """Takes the slots of a serialized FertileStats."""
        for slot in fertile_stats_pb2.FertileStats.FromString(serialized).node_to_slot:
            self.allocate(slot.node_id, slot.depth)
            self.slots[slot.node_id].read(slot)

    def serialized(self) -> bytes:
        """The slots as a FertileStats."""
        message = fertile_stats_pb2.FertileStats()
        for node in self._order.keys:
            self.slots[node].write(node, message.node_to_slot.add())
        return message.SerializeToString(deterministic=True)
