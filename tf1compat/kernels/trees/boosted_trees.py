"""Ensembles of boosted trees: growing them, and predictions. They live in the session, on the host.

A node of a tree holds the value that its leaf had before it was split; predictions of examples that
stopped there before go on from there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tf1compat.backend import Array
from tf1compat.core import errors, shapes
from tf1compat.core.deferred import Deferred
from tf1compat.core.op_registry import op, register
from tf1compat.core.shapes import Shape
from tf1compat.core.typing import LoweringContext
from tf1compat.formats import boosted_trees_pb2
from tf1compat.kernels.text.string import invalid
from tf1compat.kernels.variables import resources

messages = Deferred("google.protobuf.message")

_NO_PRUNING, _PRE_PRUNING, _POST_PRUNING = range(3)
# A move of the bias by a smaller part of it is the last one.
_LEAST_MOVE = 0.01
_f32 = np.float32

_SPLITS = {
    b"INEQUALITY_DEFAULT_LEFT": ("bucketized_split", 0),
    b"INEQUALITY_DEFAULT_RIGHT": ("bucketized_split", 1),
    b"EQUALITY_DEFAULT_RIGHT": ("categorical_split", 0),
}


class _Ensemble:
    """An ensemble of trees.

    Args:
      source: the operation that owns it.
    """

    def __init__(self, source: Any):
        self.stamp = -1
        self.trees: Any = None

    def load(self, stamp: int, serialized: bytes) -> None:
        """Takes the trees of a serialized TreeEnsemble.

        Raises:
          InvalidArgumentError: it is none.
        """
        try:
            self.trees = boosted_trees_pb2.TreeEnsemble.FromString(serialized)
        except messages.DecodeError:
            raise invalid("Unable to parse tree ensemble proto.") from None
        self.stamp = stamp

    def add_tree(self) -> None:
        """Begins a new tree."""
        self.trees.trees.add().nodes.add().leaf.SetInParent()
        self.trees.tree_weights.append(1.0)
        self.trees.tree_metadata.add()

    @property
    def last_layer(self) -> list[int]:
        """The nodes [from, to) that are split next."""
        growing = self.trees.growing_metadata
        return [growing.last_layer_node_start, growing.last_layer_node_end or 1]


def _values(leaf: Any, dimension: int) -> np.ndarray:
    """A leaf's logits."""
    if leaf.HasField("vector"):
        return np.array(leaf.vector.value, _f32)
    found = np.zeros(dimension, _f32)
    found[0] = leaf.scalar
    return found


def _fill(leaf: Any, values: np.ndarray) -> None:
    leaf.SetInParent()
    if len(values) == 1:
        leaf.scalar = values[0]
    else:
        leaf.vector.value.extend(values.tolist())


def _node_values(node: Any, dimension: int) -> np.ndarray:
    """The logits of a node as a leaf: its own, or those that it had before it was split."""
    return _values(node.leaf if node.WhichOneof("node") == "leaf" else node.metadata.original_leaf,
                   dimension)  # fmt: skip


def _next(node: Any, features: list[np.ndarray], example: int) -> tuple[int, int]:
    """Where an example goes from a split node, and by which feature."""
    kind = node.WhichOneof("node")
    split = getattr(node, kind)
    feature = features[split.feature_id]
    value = feature[example, split.dimension_id] if feature.ndim == 2 else feature[example]
    left = value <= split.threshold if kind == "bucketized_split" else value == split.value
    return (split.left_id if left else split.right_id), split.feature_id


def _leaf_of(tree: Any, features: list[np.ndarray], example: int, node: int = 0) -> int:
    while tree.nodes[node].WhichOneof("node") != "leaf":
        node = _next(tree.nodes[node], features, example)[0]
    return node


def _find(ctx: LoweringContext, handle: Any) -> _Ensemble:
    return resources.find(ctx, handle, _Ensemble)


def _ready(ctx: LoweringContext, handle: Any) -> _Ensemble:
    found = _find(ctx, handle)
    if found.trees is None:
        name = handle.key[1].decode()
        raise errors.NotFoundError(
            None,
            None,
            f"Container localhost does not exist. (Could not find resource: localhost/{name})",
        )
    return found


def _scalar(*_: Any) -> Shape:
    return ()


def _nothing(*_: Any) -> None:
    pass


_FACTS: dict[str, Any] = {"host": True, "reads": (0,), "effect": True}

register("BoostedTreesEnsembleResourceHandleOp", shape=_scalar, source=True, host=True)


@op("IsBoostedTreesEnsembleInitialized", **_FACTS)
class IsBoostedTreesEnsembleInitialized:
    shape = _scalar

    def lower(tree_ensemble_handle: Any, *, ctx: LoweringContext) -> Any:
        return np.array(_find(ctx, tree_ensemble_handle).trees is not None)


@op("BoostedTreesCreateEnsemble", **_FACTS)
class BoostedTreesCreateEnsemble:
    shape = _nothing

    def lower(
        tree_ensemble_handle: Any,
        stamp_token: Array,
        tree_ensemble_serialized: Array,
        *,
        ctx: LoweringContext,
    ) -> None:
        ensemble = _find(ctx, tree_ensemble_handle)
        if ensemble.trees is None:  # Who comes second changes nothing.
            ensemble.load(int(stamp_token), bytes(tree_ensemble_serialized[()]))


@op("BoostedTreesDeserializeEnsemble", **_FACTS)
class BoostedTreesDeserializeEnsemble:
    shape = _nothing

    def lower(
        tree_ensemble_handle: Any,
        stamp_token: Array,
        tree_ensemble_serialized: Array,
        *,
        ctx: LoweringContext,
    ) -> None:
        _find(ctx, tree_ensemble_handle).load(int(stamp_token), bytes(tree_ensemble_serialized[()]))


@op("BoostedTreesSerializeEnsemble", **_FACTS)
class BoostedTreesSerializeEnsemble:
    def shape(tree_ensemble_handle: Any) -> Any:
        return [(), ()]

    def lower(tree_ensemble_handle: Any, *, ctx: LoweringContext) -> Any:
        ensemble = _ready(ctx, tree_ensemble_handle)
        text = np.empty((), object)
        text[()] = ensemble.trees.SerializeToString(deterministic=True)
        return [np.array(ensemble.stamp, np.int64), text]


@op("BoostedTreesGetEnsembleStates", **_FACTS)
class BoostedTreesGetEnsembleStates:
    def shape(tree_ensemble_handle: Any) -> Any:
        return [(), (), (), (), (2,)]

    def lower(tree_ensemble_handle: Any, *, ctx: LoweringContext) -> Any:
        ensemble = _ready(ctx, tree_ensemble_handle)
        trees = ensemble.trees
        count = len(trees.trees)
        finished = count if not count or trees.tree_metadata[-1].is_finalized else count - 1
        numbers = (count, finished, trees.growing_metadata.num_layers_attempted)
        return [
            np.array(ensemble.stamp, np.int64),
            *(np.array(number, np.int32) for number in numbers),
            np.array(ensemble.last_layer, np.int32),
        ]


# Growing.


@op("BoostedTreesCenterBias", **_FACTS)
class BoostedTreesCenterBias:
    shape = _scalar

    def lower(
        tree_ensemble_handle: Any, mean_gradients: Any, mean_hessians: Any, l1: Any, l2: Any, *,
        ctx: LoweringContext,
    ) -> Any:  # fmt: skip
        ensemble = _ready(ctx, tree_ensemble_handle)
        gradients, hessians = mean_gradients.ravel(), mean_hessians.ravel()
        shrunk = np.sign(gradients) * np.maximum(np.abs(gradients) - l1, 0)
        move = (-shrunk / (hessians + l2)).astype(_f32)
        is_first = not ensemble.trees.trees
        if is_first:
            ensemble.add_tree()
        leaf = ensemble.trees.trees[0].nodes[0].leaf
        before = _values(leaf, len(move))
        leaf.Clear()
        _fill(leaf, before + move)
        ensemble.stamp += 1
        goes_on = np.any(np.abs(move) > _LEAST_MOVE * np.abs(before))
        return np.array(bool(is_first or goes_on))


class _Split:
    """A candidate: a feature by which a node may be split, with the parts' moves."""

    def __init__(
        self, gain: Any, feature: int, threshold: int, left: Any, right: Any, dimension: int = 0,
        kind: bytes = b"INEQUALITY_DEFAULT_LEFT",
    ):  # fmt: skip
        self.gain, self.feature, self.threshold = gain, feature, threshold
        self.left, self.right, self.dimension, self.kind = left, right, dimension, kind


def _best(candidates: list[tuple[int, _Split]], pruning: int) -> dict[int, _Split]:
    """The best candidate of each node; of several the one with the first feature."""
    found: dict[int, _Split] = {}
    for node, split in candidates:
        if pruning == _PRE_PRUNING and split.gain < 0:
            continue
        known = found.get(node)
        better = known is None or (split.gain, -split.feature) > (known.gain, -known.feature)
        if better:
            found[node] = split
    return dict(sorted(found.items()))


def _grow(
    ensemble: _Ensemble, splits: dict[int, _Split], depth: int, rate: Any, pruning: int
) -> None:
    """Adds a layer to the tree that grows."""
    trees = ensemble.trees
    if not trees.trees:
        ensemble.add_tree()
    growing, tree, metadata = trees.growing_metadata, trees.trees[-1], trees.tree_metadata[-1]
    growing.num_trees_attempted += metadata.num_layers_grown == 0
    growing.num_layers_attempted += 1
    ensemble.stamp += 1
    first, end = ensemble.last_layer
    if splits:
        first = len(tree.nodes)
        for number, split in splits.items():
            _split(tree, number, split, rate)
        end = len(tree.nodes)
        metadata.num_layers_grown += 1
        if metadata.num_layers_grown >= depth:
            first, end = 0, 1
            metadata.is_finalized = True
            if pruning == _POST_PRUNING:
                _prune(tree, metadata)
            ensemble.add_tree()
    growing.last_layer_node_start, growing.last_layer_node_end = first, end


def _split(tree: Any, number: int, split: _Split, rate: Any) -> None:
    node = tree.nodes[number]
    dimension = len(np.ravel(split.left))
    before = _values(node.leaf, dimension)
    # TF keeps what a root was only if it was something.
    keeps = number > 0 or node.leaf.ByteSize() > 0
    kind, direction = _SPLITS[split.kind]
    made = getattr(node, kind)
    made.feature_id, made.dimension_id = split.feature, split.dimension
    if kind == "bucketized_split":
        made.threshold, made.default_direction = split.threshold, direction
    else:
        made.value = split.threshold
    made.left_id, made.right_id = len(tree.nodes), len(tree.nodes) + 1
    node.metadata.gain = split.gain
    if keeps:
        _fill(node.metadata.original_leaf, before)
    for move in (split.left, split.right):
        _fill(tree.nodes.add().leaf, before + _f32(rate) * np.ravel(move))


def _prune(tree: Any, metadata: Any) -> None:
    """Makes leaves of nodes again that were split at a loss, from below."""
    old = type(tree)()
    old.CopyFrom(tree)
    merged: dict[int, int] = {}  # a node that goes -> the one above it that stays

    def visit(number: int) -> None:
        node = tree.nodes[number]
        kind = node.WhichOneof("node")
        if kind == "leaf":
            return
        split = getattr(node, kind)
        below = (split.left_id, split.right_id)
        for child in below:
            visit(child)
        leaves = all(tree.nodes[child].WhichOneof("node") == "leaf" for child in below)
        if leaves and node.metadata.gain < 0:
            leaf = node.metadata.original_leaf
            kept = type(leaf)()
            kept.CopyFrom(leaf)
            node.Clear()
            node.leaf.CopyFrom(kept)
            merged.update(dict.fromkeys(below, number))

    visit(0)
    if not merged:
        return
    # The nodes that stay, in their order.
    kept = [i for i in range(len(old.nodes)) if i not in merged]
    place = {number: i for i, number in enumerate(kept)}
    for number, node in enumerate(old.nodes):
        last = number
        while last in merged:
            last = merged[last]
        update = metadata.post_pruned_nodes_meta.add(new_node_id=place[last])
        values = [_node_values(one, 1) for one in (old.nodes[last], node)]
        width = max(map(len, values))
        values = [np.resize(value, width) for value in values]
        change = values[0] - values[1] if last != number else np.zeros(width, _f32)
        update.logit_change.extend(change.tolist())
    nodes = [type(tree.nodes[0]).FromString(tree.nodes[i].SerializeToString()) for i in kept]
    del tree.nodes[:]
    for node in nodes:
        kind = node.WhichOneof("node")
        if kind != "leaf":
            split = getattr(node, kind)
            split.left_id, split.right_id = place[split.left_id], place[split.right_id]
        tree.nodes.add().CopyFrom(node)


@op("BoostedTreesUpdateEnsemble", **_FACTS)
class BoostedTreesUpdateEnsemble:
    shape = _nothing

    def lower(
        tree_ensemble_handle: Any, feature_ids: Array, node_ids: Sequence[Array],
        gains: Sequence[Array], thresholds: Sequence[Array],
        left_node_contribs: Sequence[Array], right_node_contribs: Sequence[Array],
        max_depth: Array, learning_rate: Array, *,
        pruning_mode: int, ctx: LoweringContext,
    ) -> None:  # fmt: skip
        columns = (node_ids, gains, thresholds, left_node_contribs, right_node_contribs)
        candidates = [
            (int(node), _Split(gain, int(feature), int(threshold), left, right))
            for feature, *rows in zip(feature_ids, *columns)
            for node, gain, threshold, left, right in zip(*rows)
        ]
        splits = _best(candidates, pruning_mode)
        ensemble = _ready(ctx, tree_ensemble_handle)
        _grow(ensemble, splits, int(max_depth), learning_rate, pruning_mode)


@op("BoostedTreesUpdateEnsembleV2", **_FACTS)
class BoostedTreesUpdateEnsembleV2:
    shape = _nothing

    def lower(
        tree_ensemble_handle: Any, feature_ids: Array, dimension_ids: Sequence[Array],
        node_ids: Sequence[Array], gains: Sequence[Array],
        thresholds: Sequence[Array], left_node_contribs: Sequence[Array],
        right_node_contribs: Sequence[Array], split_types: Sequence[Array],
        max_depth: Array, learning_rate: Array, pruning_mode: Array, *, ctx: LoweringContext,
    ) -> None:  # fmt: skip
        columns = (
            node_ids, gains, thresholds, left_node_contribs, right_node_contribs, dimension_ids,
            split_types,
        )  # fmt: skip
        candidates = [
            (int(node), _Split(gain, int(feature), int(threshold), left, right, int(dim), kind))
            for feature, *rows in zip(feature_ids, *columns)
            for node, gain, threshold, left, right, dim, kind in zip(*rows)
        ]
        splits = _best(candidates, int(pruning_mode))
        ensemble = _ready(ctx, tree_ensemble_handle)
        _grow(ensemble, splits, int(max_depth), learning_rate, int(pruning_mode))


# Predictions.


def _rows(features: Any) -> Any:
    found: int | None = None
    for shape in features:
        found = shapes.merge_dim(found, None if shape is None else shape[0])
    return found


@op("BoostedTreesPredict", **_FACTS)
class BoostedTreesPredict:
    def shape(
        tree_ensemble_handle: Any, bucketized_features: Sequence[Shape], *, logits_dimension: int
    ) -> Any:
        return (_rows(bucketized_features), logits_dimension)

    def lower(
        tree_ensemble_handle: Any,
        bucketized_features: Any,
        *,
        logits_dimension: int,
        ctx: LoweringContext,
    ) -> Any:
        trees = _ready(ctx, tree_ensemble_handle).trees
        found = np.zeros((len(bucketized_features[0]), logits_dimension), _f32)
        for row in range(len(found)):
            for tree, weight in zip(trees.trees, trees.tree_weights):
                leaf = tree.nodes[_leaf_of(tree, bucketized_features, row)].leaf
                found[row] += _f32(weight) * _values(leaf, logits_dimension)
        return found


@op("BoostedTreesTrainingPredict", **_FACTS)
class BoostedTreesTrainingPredict:
    def shape(
        tree_ensemble_handle: Any, cached_tree_ids: Shape, cached_node_ids: Shape,
        bucketized_features: Sequence[Shape], *, logits_dimension: int,
    ) -> Any:  # fmt: skip
        rows = _rows([cached_tree_ids, cached_node_ids, *bucketized_features])
        return [(rows, logits_dimension), (rows,), (rows,)]

    def lower(
        tree_ensemble_handle: Any, cached_tree_ids: Array, cached_node_ids: Array,
        bucketized_features: Any, *, logits_dimension: int, ctx: LoweringContext,
    ) -> Any:  # fmt: skip
        trees = _ready(ctx, tree_ensemble_handle).trees
        count = len(cached_tree_ids)
        found = np.zeros((count, logits_dimension), _f32)
        places = np.zeros(count, np.int32)
        last = len(trees.trees) - 1
        for row in range(count if trees.trees else 0):
            first, node = int(cached_tree_ids[row]), int(cached_node_ids[row])
            total = np.zeros(logits_dimension, _f32)
            for number in range(first, last + 1):
                tree, weight = trees.trees[number], _f32(trees.tree_weights[number])
                pruned = trees.tree_metadata[number].post_pruned_nodes_meta
                start = 0
                # Without a node (-1) no tree has seen the example: there is nothing to take back.
                if number == first and node >= 0:
                    start = node
                    if pruned:
                        total += weight * np.array(pruned[start].logit_change, _f32)
                        start = pruned[start].new_node_id
                    total -= weight * _node_values(tree.nodes[start], logits_dimension)
                leaf = _leaf_of(tree, bucketized_features, row, start)
                total += weight * _values(tree.nodes[leaf].leaf, logits_dimension)
                places[row] = leaf
            found[row] = total
        return [found, np.full(count, max(last, 0), np.int32), places]


@op("BoostedTreesExampleDebugOutputs", **_FACTS)
class BoostedTreesExampleDebugOutputs:
    def shape(tree_ensemble_handle: Any, bucketized_features: Sequence[Shape]) -> Any:
        return (_rows(bucketized_features),)

    def lower(tree_ensemble_handle: Any, bucketized_features: Any, *, ctx: LoweringContext) -> Any:
        trees = _ready(ctx, tree_ensemble_handle).trees
        found = np.empty(len(bucketized_features[0]), object)
        for row in range(len(found)):
            output = boosted_trees_pb2.DebugOutput()
            before = _f32(0)
            for i, (tree, weight) in enumerate(zip(trees.trees, trees.tree_weights)):
                node = tree.nodes[0]
                value = _f32(weight) * _node_values(node, 1)[0]
                if not i:
                    output.logits_path.append(value)
                while node.WhichOneof("node") != "leaf":
                    number, feature = _next(node, bucketized_features, row)
                    node = tree.nodes[number]
                    value = _f32(weight) * _node_values(node, 1)[0]
                    output.feature_ids.append(feature)
                    output.logits_path.append(before + value)
                before += value
            found[row] = output.SerializeToString()
        return found
