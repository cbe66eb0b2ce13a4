"""The messages of TF's fertile_stats.proto: what a random forest counts where it may split."""

from __future__ import annotations

import functools
from typing import Any

from tf1compat.formats import generic_tree_model_pb2, message_tables

_TREES = generic_tree_model_pb2.PACKAGE
_MESSAGES = {
    "FertileStats": "node_to_slot:1:+FertileSlot",
    "GiniStats": "square:2:float",
    "LeafStat": (
        "weight_sum:3:float classification:1:LeafStat.GiniImpurityClassificationStats@leaf_stat "
        "regression:2:LeafStat.LeastSquaresRegressionStats@leaf_stat"
    ),
    "LeafStat.GiniImpurityClassificationStats": (
        f"dense_counts:1:{_TREES}.Vector@counts sparse_counts:2:{_TREES}.SparseVector@counts "
        "gini:3:GiniStats"
    ),
    "LeafStat.LeastSquaresRegressionStats": (
        f"mean_output:1:{_TREES}.Vector mean_output_squares:2:{_TREES}.Vector"
    ),
    "FertileSlot": (
        "leaf_stats:4:LeafStat candidates:1:+SplitCandidate post_init_leaf_stats:6:LeafStat "
        "node_id:5:int32 depth:7:int32"
    ),
    "SplitCandidate": (
        f"split:1:{_TREES}.BinaryNode left_stats:4:LeafStat right_stats:5:LeafStat "
        "unique_id:6:string"
    ),
    "TreePath": f"nodes_visited:1:+{_TREES}.TreeNode",
}


@functools.cache
def _found() -> dict[str, Any]:
    depends = (generic_tree_model_pb2.Model.DESCRIPTOR.file.name,)
    return message_tables.messages(
        "fertile_stats", "tensorflow.tensorforest", _MESSAGES, {}, depends
    )


def __getattr__(name: str) -> Any:
    if name not in _MESSAGES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return _found()[name]
