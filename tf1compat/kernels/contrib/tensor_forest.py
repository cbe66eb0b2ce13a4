"""Trees of a forest that was grown elsewhere (`tensorflow.python.ops.tensor_forest_ops`), on the
host: kept, saved, and asked for what they predict."""

from __future__ import annotations

from typing import Any

import numpy as np
from google.protobuf import message as messages

from tf1compat.backend import Array
from tf1compat.core import errors, shapes
from tf1compat.core.op_registry import op, register
from tf1compat.core.shapes import Shape
from tf1compat.core.typing import LoweringContext
from tf1compat.formats import boosted_trees_pb2
from tf1compat.kernels.trees import tensor_forest as forest


def _parsed(serialized: Array) -> Any:
    """The tree of a serialized message.

    Raises:
      InvalidArgumentError: it is none.
    """
    try:
        return boosted_trees_pb2.Tree.FromString(serialized[()])
    except messages.DecodeError:
        raise errors.InvalidArgumentError(None, None, "Unable to parse tree config.") from None


def _leaf(nodes: Any, features: Array) -> Any:
    """The leaf to which an example falls.

    Raises:
      InvalidArgumentError: a node asks for something else than a feature's number.
    """
    node = nodes[0]
    while node.WhichOneof("node") != "leaf":
        if node.WhichOneof("node") != "dense_split":
            kind = node.WhichOneof("node")
            raise errors.InvalidArgumentError(None, None, f"Nodes can be no {kind} here.")
        split = node.dense_split
        is_left = features[split.feature_id] <= split.threshold
        node = nodes[split.left_id if is_left else split.right_id]
    return node.leaf


register("TensorForestTreeResourceHandleOp", shape=forest._scalar, source=True, host=True)
register(
    "TensorForestTreeIsInitializedOp", shape=forest._scalar, lower=forest._is_initialized,
    **forest._facts(),
)  # fmt: skip


@op("TensorForestCreateTreeVariable", **forest._facts())
class TensorForestCreateTreeVariable:
    shape = forest._nothing

    def lower(tree_handle: Any, tree_config: Array, *, ctx: LoweringContext) -> None:
        held, made = forest._held(ctx, tree_handle), _parsed(tree_config)
        if held.value is None:  # Who comes second changes nothing.
            held.value = made


@op("TensorForestTreeDeserialize", **forest._facts())
class TensorForestTreeDeserialize:
    shape = forest._nothing

    def lower(tree_handle: Any, tree_config: Array, *, ctx: LoweringContext) -> None:
        forest._held(ctx, tree_handle).value = _parsed(tree_config)


@op("TensorForestTreeSerialize", **forest._facts())
class TensorForestTreeSerialize:
    shape = forest._scalar

    def lower(tree_handle: Any, *, ctx: LoweringContext) -> Any:
        return forest._text(forest._ready(ctx, tree_handle).SerializeToString())


@op("TensorForestTreeSize", **forest._facts())
class TensorForestTreeSize:
    shape = forest._scalar

    def lower(tree_handle: Any, *, ctx: LoweringContext) -> Any:
        return np.array(len(forest._ready(ctx, tree_handle).nodes), np.int32)


@op("TensorForestTreePredict", **forest._facts())
class TensorForestTreePredict:
    def shape(tree_handle: Any, dense_features: Shape, *, logits_dimension: int) -> Shape:
        return (shapes.with_rank(dense_features, 2)[0], logits_dimension)

    def lower(
        tree_handle: Any, dense_features: Array, *, logits_dimension: int, ctx: LoweringContext
    ) -> Any:
        nodes = forest._ready(ctx, tree_handle).nodes
        if dense_features.ndim != 2:
            raise errors.InvalidArgumentError(None, None, "dense_features must be a matrix.")
        logits = np.zeros((len(dense_features), logits_dimension), np.float32)
        for row, features in zip(logits, dense_features, strict=True) if nodes else ():
            values = _leaf(nodes, features).vector.value[:logits_dimension]
            row[: len(values)] = values
        return logits
