"""What boosted trees are grown by: sums of gradients and Hessians in buckets, and the splits that
gain most. On the host."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from tf1compat.core import shapes
from tf1compat.core.op_registry import op
from tf1compat.core.typing import Shape
from tf1compat.kernels.text.string import invalid

_f32 = np.float32
_LEFT, _RIGHT, _EQUAL = (
    b"INEQUALITY_DEFAULT_LEFT",
    b"INEQUALITY_DEFAULT_RIGHT",
    b"EQUALITY_DEFAULT_RIGHT",
)


@op("BoostedTreesBucketize", host=True)
class BoostedTreesBucketize:
    def shape(float_values: Any, bucket_boundaries: Sequence[Shape]) -> Any:
        for boundaries in bucket_boundaries:
            shapes.with_rank(boundaries, 1)
        return [shapes.with_rank(values, 1) for values in float_values]

    def lower(float_values: Any, bucket_boundaries: Sequence[np.ndarray]) -> Any:
        return [
            np.minimum(np.searchsorted(limits, values), max(len(limits) - 1, 0)).astype(np.int32)
            for values, limits in zip(float_values, bucket_boundaries)
        ]


# Sums.


@op("BoostedTreesMakeStatsSummary", host=True)
class BoostedTreesMakeStatsSummary:
    def shape(
        node_ids: Any, gradients: Shape, hessians: Shape,
        bucketized_features_list: Sequence[Shape], *,
        max_splits: int, num_buckets: int, num_features: int,
    ) -> Shape:  # fmt: skip
        return (num_features, max_splits, num_buckets, 2)

    def lower(
        node_ids: Any, gradients: np.ndarray, hessians: np.ndarray,
        bucketized_features_list: Sequence[np.ndarray], *,
        max_splits: int, num_buckets: int, num_features: int,
    ) -> Any:  # fmt: skip
        found = np.zeros((num_features, max_splits, num_buckets, 2), _f32)
        stats = np.concatenate([gradients, hessians], 1)
        for sums, buckets in zip(found, bucketized_features_list):
            np.add.at(sums, (node_ids, buckets), stats)
        return found


@op("BoostedTreesAggregateStats", host=True)
class BoostedTreesAggregateStats:
    def shape(
        node_ids: Any, gradients: Shape, hessians: Shape, feature: Shape, *, max_splits: int,
        num_buckets: int,
    ) -> Shape:  # fmt: skip
        gradients, hessians = shapes.with_rank(gradients, 2), shapes.with_rank(hessians, 2)
        width = shapes.add_dims(gradients[1], hessians[1])
        # As TF says it, though the result is [max_splits, dimensions, num_buckets + 1, width].
        return (max_splits, num_buckets, shapes.with_rank(feature, 2)[1], width)

    def lower(
        node_ids: Any, gradients: np.ndarray, hessians: np.ndarray, feature: np.ndarray, *,
        max_splits: int,
        num_buckets: int,
    ) -> Any:  # fmt: skip
        stats = np.concatenate([gradients, hessians], 1)
        dims = feature.shape[1]
        found = np.zeros((max_splits, dims, num_buckets + 1, stats.shape[1]), _f32)
        # What is missing (-1) is in the last bucket.
        buckets = np.where(feature < 0, num_buckets, feature)
        where = node_ids[:, None], np.arange(dims)[None], buckets
        np.add.at(found, where, stats[:, None])
        return found


@op("BoostedTreesSparseAggregateStats", host=True)
class BoostedTreesSparseAggregateStats:
    def shape(
        node_ids: Any, gradients: Shape, hessians: Shape, feature_indices: Shape,
        feature_values: Shape,
        feature_shape: Shape,
    ) -> Any:  # fmt: skip
        return [(None, 4), (None,), (4,)]

    def lower(
        node_ids: Any, gradients: np.ndarray, hessians: np.ndarray, feature_indices: np.ndarray,
        feature_values: np.ndarray,
        feature_shape: np.ndarray, *, max_splits: int, num_buckets: int,
    ) -> Any:  # fmt: skip
        rows, dims = (int(n) for n in feature_shape)
        buckets = np.full((rows, dims), num_buckets)
        buckets[feature_indices[:, 0], feature_indices[:, 1]] = feature_values
        stats = np.concatenate([gradients, hessians], 1)
        shape = (max_splits, dims, num_buckets + 1, stats.shape[1])
        sums, has = np.zeros(shape, _f32), np.zeros(shape[:3], bool)
        where = node_ids[:, None], np.arange(dims)[None], buckets
        np.add.at(sums, where, stats[:, None])
        has[where] = True
        places = np.argwhere(np.repeat(has[..., None], shape[3], 3))
        return [places.astype(np.int32), sums[tuple(places.T)], np.array(shape, np.int32)]


# Splits.

_LEAST_HESSIAN = 1e-15


class _Rule(NamedTuple):
    """How gains are counted."""

    l1: float
    l2: float
    dimension: int

    def best(self, stats: np.ndarray) -> tuple[np.ndarray, Any]:
        """The move of a leaf with these sums, and what it gains."""
        gradients, hessians = stats[: self.dimension], stats[self.dimension :]
        if self.dimension == 1:
            gradient = np.sign(gradients) * np.maximum(np.abs(gradients) - self.l1, 0)
            below = hessians + self.l2
            if below[0] <= _LEAST_HESSIAN:
                return np.zeros(1, _f32), _f32(0)
            # Multiplied as TF does: which of two splits is better may hang on rounding.
            move = -gradient / below
            return move, (-gradient * move)[0]
        size = self.dimension
        full = np.diag(hessians) if len(hessians) == size else hessians.reshape(size, size)
        full = full + self.l2 * np.eye(size, dtype=_f32)
        move = -np.linalg.lstsq(full, gradients, rcond=None)[0].astype(_f32)
        return move, -gradients @ move


class _Best(NamedTuple):
    node: int
    gain: float
    dim: int
    threshold: int
    left: np.ndarray
    right: np.ndarray
    kind: bytes


Parts = Iterator[tuple[int, int, np.ndarray, bytes]]


def _split(
    nodes: Any, totals: Any, parts: Any, rule: _Rule, complexity: Any, least: Any
) -> list[_Best]:
    """The best split of each node.

    Args:
      nodes: [from, to).
      totals: of a node: its sums.
      parts: of a node: ways to split it, as (dimension, threshold, the sums on the left, kind).
      rule: for gains.
      complexity: what a split has to gain.
      least: nodes with smaller Hessians are left out.
    """
    found = []
    for node in range(int(nodes[0]), int(nodes[1])):
        whole = totals(node)
        if np.linalg.norm(whole[rule.dimension :]) < least:
            continue
        own = rule.best(whole)[1]
        best: _Best | None = None
        for dim, threshold, left, kind in parts(node):
            moves = rule.best(left), rule.best(whole - left)
            gain = moves[0][1] + moves[1][1]
            if best is None or gain > best.gain:
                best = _Best(node, gain, dim, threshold, moves[0][0], moves[1][0], kind)
        if best is not None:
            found.append(best._replace(gain=best.gain - own - complexity))
    return found


def _moves(found: list[_Best], side: str, width: int) -> np.ndarray:
    return np.array([getattr(best, side) for best in found], _f32).reshape(-1, width)


@op("BoostedTreesCalculateBestGainsPerFeature", host=True)
class BoostedTreesCalculateBestGainsPerFeature:
    def shape(
        node_id_range: Any, stats_summary_list: Sequence[Shape], l1: Shape, l2: Shape,
        tree_complexity: Shape,
        min_node_weight: Shape,
    ) -> Any:  # fmt: skip
        count = len(stats_summary_list)
        return [*[(None,)] * (3 * count), *[(None, 1)] * (2 * count)]

    def lower(
        node_id_range: Any, stats_summary_list: Any, l1: Any, l2: Any, tree_complexity: Any,
        min_node_weight: Any,
    ) -> Any:  # fmt: skip
        rule = _Rule(l1, l2, 1)
        columns = []
        for stats in stats_summary_list:

            def parts(node: int, stats: np.ndarray = stats) -> Parts:
                for bucket, left in enumerate(np.add.accumulate(stats[node])):
                    yield 0, bucket, left, _LEFT

            def totals(node: int, stats: np.ndarray = stats) -> np.ndarray:
                return np.add.accumulate(stats[node])[-1]

            columns.append(
                _split(node_id_range, totals, parts, rule, tree_complexity, min_node_weight)
            )
        return [
            *(np.array([b.node for b in found], np.int32) for found in columns),
            *(np.array([b.gain for b in found], _f32) for found in columns),
            *(np.array([b.threshold for b in found], np.int32) for found in columns),
            *(_moves(found, "left", 1) for found in columns),
            *(_moves(found, "right", 1) for found in columns),
        ]


def _results(found: list[_Best], width: int) -> list[np.ndarray]:
    kinds = np.empty(len(found), object)
    kinds[:] = [best.kind for best in found]
    return [
        np.array([best.node for best in found], np.int32),
        np.array([best.gain for best in found], _f32),
        np.array([best.dim for best in found], np.int32),
        np.array([best.threshold for best in found], np.int32),
        _moves(found, "left", width),
        _moves(found, "right", width),
        kinds,
    ]


_SPLIT_SHAPES = [(None,)] * 7


@op("BoostedTreesCalculateBestFeatureSplit", host=True)
class BoostedTreesCalculateBestFeatureSplit:
    def shape(
        node_id_range: Any, stats_summary: Shape, l1: Shape, l2: Shape, tree_complexity: Shape,
        min_node_weight: Shape,
    ) -> Any:  # fmt: skip
        return _SPLIT_SHAPES

    def lower(
        node_id_range: Any, stats_summary: Any, l1: Any, l2: Any, tree_complexity: Any,
        min_node_weight: Any, *, logits_dimension: int, split_type: str,
    ) -> Any:  # fmt: skip
        if logits_dimension > 1 and l1 > 0:
            raise invalid(f"l1 != 0 is not yet supported for multi-class regularization {l1:g}")

        def parts(node: int) -> Parts:
            for dim, stats in enumerate(stats_summary[node]):
                # The last bucket is of what is missing.
                buckets, missing = stats[:-1], stats[-1]
                if split_type == "equality":
                    for bucket, left in enumerate(buckets):
                        yield dim, bucket, left, _EQUAL
                    continue
                sums = np.add.accumulate(buckets)
                for bucket, left in enumerate(sums):
                    yield dim, bucket, left + missing, _LEFT
                if np.any(missing):
                    for bucket, left in enumerate(sums):
                        yield dim, bucket, left, _RIGHT

        def totals(node: int) -> np.ndarray:
            return np.add.accumulate(stats_summary[node, 0])[-1]

        rule = _Rule(l1, l2, logits_dimension)
        found = _split(node_id_range, totals, parts, rule, tree_complexity, min_node_weight)
        return _results(found, logits_dimension)


@op("BoostedTreesSparseCalculateBestFeatureSplit", host=True)
class BoostedTreesSparseCalculateBestFeatureSplit:
    def shape(
        node_id_range: Any, stats_summary_indices: Shape, stats_summary_values: Shape,
        stats_summary_shape: Shape, l1: Shape, l2: Shape, tree_complexity: Shape,
        min_node_weight: Shape,
    ) -> Any:  # fmt: skip
        return _SPLIT_SHAPES

    def lower(
        node_id_range: Any, stats_summary_indices: Any, stats_summary_values: Any,
        stats_summary_shape: Any, l1: Any, l2: Any, tree_complexity: Any, min_node_weight: Any, *,
        logits_dimension: int,
    ) -> Any:  # fmt: skip
        shape = tuple(int(n) for n in stats_summary_shape)
        stats = np.zeros(shape, _f32)
        stats[tuple(stats_summary_indices.T)] = stats_summary_values
        has = np.zeros(shape[:3], bool)
        has[tuple(stats_summary_indices[:, :3].T)] = True

        def parts(node: int) -> Parts:
            for dim in range(shape[1]):
                left = np.zeros(shape[3], _f32)
                for bucket in np.flatnonzero(has[node, dim, :-1]).tolist():
                    left = left + stats[node, dim, bucket]
                    yield dim, bucket, left, _RIGHT
                    yield dim, bucket, left + stats[node, dim, -1], _LEFT

        def totals(node: int) -> np.ndarray:
            return np.add.accumulate(stats[node, 0])[-1]

        rule = _Rule(l1, l2, logits_dimension)
        found = _split(node_id_range, totals, parts, rule, tree_complexity, min_node_weight)
        return _results(found, logits_dimension)
