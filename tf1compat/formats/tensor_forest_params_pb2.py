"""The messages of TF's tensor_forest_params.proto: the settings of a random forest."""

from __future__ import annotations

import functools
from typing import Any

from tf1compat.formats import generic_tree_model_pb2, message_tables

_MESSAGES = {
    "SplitPruningConfig": (
        "prune_every_samples:1:DepthDependentParam type:2:SplitPruningStrategyType"
    ),
    "SplitFinishConfig": "check_every_steps:1:DepthDependentParam type:2:SplitFinishStrategyType",
    "LinearParam": "slope:1:float y_intercept:2:float min_val:3:float max_val:4:float",
    "ExponentialParam": "bias:1:float base:2:float multiplier:3:float depth_multiplier:4:float",
    "ThresholdParam": "on_value:1:float off_value:2:float threshold:3:float",
    "DepthDependentParam": (
        "constant_value:1:float@ParamType linear:2:LinearParam@ParamType "
        "exponential:3:ExponentialParam@ParamType threshold:4:ThresholdParam@ParamType"
    ),
    "TensorForestParams": (
        "leaf_type:1:LeafModelType stats_type:2:StatsModelType "
        "collection_type:3:SplitCollectionType pruning_type:4:SplitPruningConfig "
        "finish_type:5:SplitFinishConfig num_trees:6:int32 max_nodes:7:int32 num_features:21:int32 "
        f"inequality_test_type:19:#{generic_tree_model_pb2.PACKAGE}.InequalityTest.Type "
        "is_regression:8:bool drop_final_class:9:bool collate_examples:10:bool "
        "checkpoint_stats:11:bool use_running_stats_method:20:bool "
        "initialize_average_splits:22:bool inference_tree_paths:23:bool num_outputs:12:int32 "
        "num_splits_to_consider:13:DepthDependentParam split_after_samples:14:DepthDependentParam "
        "dominate_fraction:15:DepthDependentParam min_split_samples:18:DepthDependentParam "
        "graph_dir:16:string num_select_features:17:int32 num_classes_to_track:24:int32"
    ),
}
_ENUMS = {
    "LeafModelType": {
        "MODEL_DENSE_CLASSIFICATION": 0, "MODEL_SPARSE_CLASSIFICATION": 1, "MODEL_REGRESSION": 2,
        "MODEL_SPARSE_OR_DENSE_CLASSIFICATION": 3,
    },
    "StatsModelType": {
        "STATS_DENSE_GINI": 0, "STATS_SPARSE_GINI": 1, "STATS_LEAST_SQUARES_REGRESSION": 2,
        "STATS_SPARSE_THEN_DENSE_GINI": 3, "STATS_FIXED_SIZE_SPARSE_GINI": 4,
    },
    "SplitCollectionType": {"COLLECTION_BASIC": 0, "GRAPH_RUNNER_COLLECTION": 1},
    "SplitPruningStrategyType": {
        "SPLIT_PRUNE_NONE": 0, "SPLIT_PRUNE_HALF": 1, "SPLIT_PRUNE_QUARTER": 2,
        "SPLIT_PRUNE_10_PERCENT": 3, "SPLIT_PRUNE_HOEFFDING": 4,
    },
    "SplitFinishStrategyType": {
        "SPLIT_FINISH_BASIC": 0, "SPLIT_FINISH_DOMINATE_HOEFFDING": 2,
        "SPLIT_FINISH_DOMINATE_BOOTSTRAP": 3,
    },
}  # fmt: skip
_VALUES = {name: number for values in _ENUMS.values() for name, number in values.items()}


@functools.cache
def _found() -> dict[str, Any]:
    depends = (generic_tree_model_pb2.Model.DESCRIPTOR.file.name,)
    return message_tables.messages(
        "tensor_forest_params", "tensorflow.tensorforest", _MESSAGES, _ENUMS, depends
    )


def __getattr__(name: str) -> Any:
    if name in _VALUES:
        return _VALUES[name]
    if name not in _MESSAGES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return _found()[name]
