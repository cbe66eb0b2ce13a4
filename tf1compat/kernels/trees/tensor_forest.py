"""Random forests that grow while they see examples (`tf.contrib.tensor_forest`), on the host.

Each leaf takes random features of its first examples for tests, counts how later ones fall by them,
and is split by the best test when it has seen enough. Examples of a batch are taken one after the
other, as TF does on one thread; on several its order, and so the numbers of new nodes, are not
fixed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.backend import Array
from tf1compat.core import errors
from tf1compat.core.op_registry import not_differentiable, op, register, without_kernel
from tf1compat.core.operation import Operation
from tf1compat.core.shapes import Shape
from tf1compat.core.typing import LoweringContext
from tf1compat.formats import tensor_forest_params_pb2
from tf1compat.kernels.trees.forest_data import Examples, HashOrder, Spec, Words
from tf1compat.kernels.trees.forest_slots import Stats, check_supported
from tf1compat.kernels.trees.forest_tree import Tree
from tf1compat.kernels.variables import resources


class _Holder:
    """What a handle leads to.

    Args:
      source: the operation that owns it.
    """

    def __init__(self, source: Any):
        self.value: Any = None


def _held(ctx: LoweringContext, handle: Any) -> _Holder:
    return resources.find(ctx, handle, _Holder)


def _ready(ctx: LoweringContext, handle: Any) -> Any:
    found = _held(ctx, handle).value
    if found is None:
        name = handle.key[1].decode()
        text = f"Container localhost does not exist. (Could not find resource: localhost/{name})"
        raise errors.NotFoundError(None, None, text)
    return found


def _settings(params: Any) -> Any:
    """The TensorForestParams of an attr."""
    text = params if isinstance(params, bytes) else params.encode("latin-1")
    found = tensor_forest_params_pb2.TensorForestParams.FromString(text)
    check_supported(found)
    return found


def _examples(op: Operation, dense: Any, indices: Any, values: Any, shape: Any) -> Examples:
    spec = Spec(op.get_attr("input_spec").decode())
    return Examples(spec, dense, indices, values, shape)


def _text(value: bytes) -> Any:
    found = np.empty((), object)
    found[()] = value
    return found


def _scalar(*_: Any) -> Shape:
    return ()


def _vector(*_: Any) -> Shape:
    return (None,)


def _nothing(*_: Any) -> None:
    pass


def _facts(handles: int = 1) -> dict[str, Any]:
    return {"host": True, "reads": tuple(range(handles)), "effect": True}


for _name in ("DecisionTreeResourceHandleOp", "FertileStatsResourceHandleOp"):
    register(_name, shape=_scalar, source=True, host=True)


def _is_initialized(handle: Any, *, ctx: LoweringContext) -> Any:
    return np.array(_held(ctx, handle).value is not None)


for _name in ("TreeIsInitializedOp", "FertileStatsIsInitializedOp"):
    register(_name, shape=_scalar, lower=_is_initialized, **_facts())


def _make_tree(serialized: bytes, params: Any) -> Tree:
    tree = Tree(_settings(params))
    tree.load(serialized)
    return tree


def _make_stats(serialized: bytes, params: Any) -> Stats:
    stats = Stats(_settings(params))
    stats.load(serialized)
    if not stats.slots:
        stats.allocate(0, 0)
    return stats


@op("CreateTreeVariable", **_facts())
class CreateTreeVariable:
    shape = _nothing

    def lower(tree_handle: Any, tree_config: Any, *, op: Any, ctx: LoweringContext) -> None:
        held = _held(ctx, tree_handle)
        if held.value is None:  # Who comes second changes nothing.
            held.value = _make_tree(tree_config[()], op.get_attr("params"))


@op("CreateFertileStatsVariable", **_facts())
class CreateFertileStatsVariable:
    shape = _nothing

    def lower(stats_handle: Any, stats_config: Any, *, op: Any, ctx: LoweringContext) -> None:
        held = _held(ctx, stats_handle)
        if held.value is None:
            held.value = _make_stats(stats_config[()], op.get_attr("params"))


@op("TreeDeserialize", **_facts())
class TreeDeserialize:
    shape = _nothing

    def lower(tree_handle: Any, tree_config: Any, *, op: Any, ctx: LoweringContext) -> None:
        _held(ctx, tree_handle).value = _make_tree(tree_config[()], op.get_attr("params"))


@op("FertileStatsDeserialize", **_facts())
class FertileStatsDeserialize:
    shape = _nothing

    def lower(stats_handle: Any, stats_config: Any, *, op: Any, ctx: LoweringContext) -> None:
        _held(ctx, stats_handle).value = _make_stats(stats_config[()], op.get_attr("params"))


@op("TreeSerialize", **_facts())
class TreeSerialize:
    shape = _scalar

    def lower(tree_handle: Any, *, ctx: LoweringContext) -> Any:
        return _text(_ready(ctx, tree_handle).serialized())


@op("FertileStatsSerialize", **_facts())
class FertileStatsSerialize:
    shape = _scalar

    def lower(stats_handle: Any, *, ctx: LoweringContext) -> Any:
        return _text(_ready(ctx, stats_handle).serialized())


@op("TreeSize", **_facts())
class TreeSize:
    shape = _scalar

    def lower(tree_handle: Any, *, ctx: LoweringContext) -> Any:
        return np.array(len(_ready(ctx, tree_handle)), np.int32)


@op("FeatureUsageCounts", **_facts())
class FeatureUsageCounts:
    shape = _vector

    def lower(tree_handle: Any, *, ctx: LoweringContext) -> Any:
        tree = _ready(ctx, tree_handle)
        used = [tree.feature[node] for node in range(len(tree)) if not tree.is_leaf(node)]
        return np.bincount(used, minlength=tree.params.num_features).astype(np.int32)


# What a step of training does, one op after the other.


def _count(input_data: Shape) -> int | None:
    """How many examples there are, as dense features tell."""
    return input_data[0] if input_data is not None and len(input_data) == 2 else None


@op("TraverseTreeV4", **_facts())
class TraverseTreeV4:
    def shape(tree_handle: Any, input_data: Shape, *_: Any) -> Any:
        return (_count(input_data),)

    def lower(
        tree_handle: Any, input_data: Array, sparse_input_indices: Array,
        sparse_input_values: Array,
        sparse_input_shape: Array, *, op: Operation, ctx: LoweringContext,
    ) -> Any:  # fmt: skip
        sparse = sparse_input_indices, sparse_input_values, sparse_input_shape
        return _ready(ctx, tree_handle).leaves_of(_examples(op, input_data, *sparse))


@op("UpdateModelV4", **_facts())
class UpdateModelV4:
    shape = _nothing

    def lower(
        tree_handle: Any,
        leaf_ids: Array,
        input_labels: Array,
        input_weights: Array,
        *,
        ctx: LoweringContext,
    ) -> None:
        tree = _ready(ctx, tree_handle)
        if tree.params.is_regression:
            return
        labels = input_labels.reshape(len(leaf_ids), -1)[:, 0].astype(np.int64)
        tree.count(leaf_ids, labels, _weights(input_weights, labels))


def _weights(input_weights: Any, examples: Any) -> Any:
    return input_weights if len(input_weights) else np.ones(len(examples), np.float32)


@op("ProcessInputV4", **_facts(2))
class ProcessInputV4:
    shape = _vector

    def lower(
        tree_handle: Any, stats_handle: Any, input_data: Any, sparse_input_indices: Any,
        sparse_input_values: Any, sparse_input_shape: Any, input_labels: Any, input_weights: Any,
        leaf_ids: Any, *, random_seed: int, op: Any, ctx: LoweringContext,
    ) -> Any:  # fmt: skip
        stats = _ready(ctx, stats_handle)
        sparse = sparse_input_indices, sparse_input_values, sparse_input_shape
        examples = _examples(op, input_data, *sparse)
        targets = input_labels.reshape(len(leaf_ids), -1)
        weights = _weights(input_weights, leaf_ids)
        leaves = list(dict.fromkeys(leaf_ids.tolist()))
        collated = stats.params.collate_examples
        if collated:
            leaves = HashOrder(leaves).keys
        rows = {leaf: np.flatnonzero(leaf_ids == leaf) for leaf in leaves}
        first = {leaf: rows[leaf][: stats.slots[leaf].missing] for leaf in leaves}
        drawing = [int(row) for leaf in leaves for row in first[leaf]]
        words = Words(random_seed)
        for row in drawing if collated else sorted(drawing):
            stats.slots[int(leaf_ids[row])].add_test(examples, row, words)
        finished = {}
        for number, leaf in enumerate(leaves):
            later = rows[leaf][len(first[leaf]) :]
            if collated and len(first[leaf]):
                continue  # What is left of a leaf's first examples is not counted.
            if not len(later):
                continue
            place = stats.slots[leaf].add(examples, later, targets, weights)
            if place is not None:
                finished[leaf] = number if collated else later[place]
        in_order = sorted(finished, key=finished.__getitem__)
        return np.array(HashOrder(in_order).keys, np.int32)


@op("GrowTreeV4", **_facts(2))
class GrowTreeV4:
    shape = _nothing

    def lower(
        tree_handle: Any, stats_handle: Any, finished_nodes: Array, *, ctx: LoweringContext
    ) -> None:
        tree, stats = _ready(ctx, tree_handle), _ready(ctx, stats_handle)
        for node in finished_nodes.tolist():
            if len(tree) >= tree.params.max_nodes:
                return
            slot = stats.slots[node]
            best = slot.best()
            if best is None:
                stats.allocate(node, slot.depth)
                continue
            for child in tree.split(node, *best):
                stats.allocate(child, slot.depth + 1)
            stats.clear(node)


@op("TreePredictionsV4", **_facts())
class TreePredictionsV4:
    def shape(tree_handle: Any, input_data: Shape, *_: Any) -> Any:
        return [(_count(input_data), None), (None,)]

    def lower(
        tree_handle: Any, input_data: Array, sparse_input_indices: Array,
        sparse_input_values: Array,
        sparse_input_shape: Array, *, op: Operation, ctx: LoweringContext,
    ) -> Any:  # fmt: skip
        tree = _ready(ctx, tree_handle)
        sparse = sparse_input_indices, sparse_input_values, sparse_input_shape
        examples = _examples(op, input_data, *sparse)
        paths = np.empty(0, object)
        if tree.params.inference_tree_paths:
            paths = tree.serialized_paths(examples)
        return [tree.predictions(tree.leaves_of(examples)), paths]


@op("FinalizeTree", **_facts(2))
class FinalizeTree:
    shape = _nothing

    def lower(*_: Any) -> None:
        raise errors.UnimplementedError(None, None, "FinalizeTreeOp is disabled for now.")


for _name in (
    "FeatureUsageCounts FertileStatsDeserialize FertileStatsSerialize FinalizeTree GrowTreeV4 "
    "ProcessInputV4 TreeDeserialize TreePredictionsV4 TreeSerialize TreeSize"
).split():
    not_differentiable(_name)

without_kernel("ReinterpretStringToFloat", shape=lambda text: text)
