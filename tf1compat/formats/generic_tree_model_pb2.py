"""The messages of TF's generic_tree_model.proto: decision trees."""

from __future__ import annotations

import functools
from typing import Any

from tf1compat.formats import message_tables

PACKAGE = "tensorflow.decision_trees"

_ANY = "google.protobuf.Any"
_INT = "google.protobuf.Int32Value"
_MORE = f"additional_data:{{}}:+{_ANY}"  # Most messages end with it.
_MESSAGES = {
    "Model": (
        "decision_tree:1:DecisionTree@model ensemble:2:Ensemble@model "
        f"custom_model:3:{_ANY}@model {_MORE.format(4)}"
    ),
    "ModelAndFeatures": f"model:2:Model {_MORE.format(3)}",
    "Ensemble": (
        "members:100:+Ensemble.Member summation_combination_technique:1:Summation@technique "
        "averaging_combination_technique:2:Averaging@technique "
        f"custom_combination_technique:3:{_ANY}@technique {_MORE.format(4)}"
    ),
    "Ensemble.Member": f"submodel:1:Model submodel_id:2:{_INT} {_MORE.format(3)}",
    "Summation": _MORE.format(1),
    "Averaging": _MORE.format(1),
    "DecisionTree": f"nodes:1:+TreeNode {_MORE.format(2)}",
    "TreeNode": (
        f"node_id:1:{_INT} depth:2:{_INT} subtree_size:3:{_INT} binary_node:4:BinaryNode@node_type "
        f"leaf:5:Leaf@node_type custom_node_type:6:{_ANY}@node_type {_MORE.format(7)}"
    ),
    "BinaryNode": (
        f"left_child_id:1:{_INT} right_child_id:2:{_INT} default_direction:3:BinaryNode.Direction "
        "inequality_left_child_test:4:InequalityTest@left_child_test "
        f"custom_left_child_test:5:{_ANY}@left_child_test"
    ),
    "SparseVector": "sparse_value:1:Value{}",
    "Vector": "value:1:+Value",
    "Leaf": f"vector:1:Vector@leaf sparse_vector:2:SparseVector@leaf {_MORE.format(3)}",
    "FeatureId": f"id:1:google.protobuf.StringValue {_MORE.format(2)}",
    "ObliqueFeatures": "features:1:+FeatureId weights:2:+float",
    "InequalityTest": (
        "feature_id:1:FeatureId@FeatureSum oblique:4:ObliqueFeatures@FeatureSum "
        "type:2:InequalityTest.Type threshold:3:Value"
    ),
    "Value": (
        "float_value:1:float@value double_value:2:double@value int32_value:3:int32@value "
        f"int64_value:4:int64@value custom_value:5:{_ANY}@value"
    ),
    # Of generic_tree_model_extensions.proto.
    "MatchingValuesTest": "feature_id:1:FeatureId value:2:+Value inverse:3:bool",
}
_ENUMS = {
    "BinaryNode.Direction": {"LEFT": 0, "RIGHT": 1},
    "InequalityTest.Type": {
        "LESS_OR_EQUAL": 0, "LESS_THAN": 1, "GREATER_OR_EQUAL": 2, "GREATER_THAN": 3,
    },
}  # fmt: skip


@functools.cache
def _found() -> dict[str, Any]:
    from google.protobuf import any_pb2, wrappers_pb2

    depends = any_pb2.DESCRIPTOR.name, wrappers_pb2.DESCRIPTOR.name
    return message_tables.messages("generic_tree_model", PACKAGE, _MESSAGES, _ENUMS, depends)


def __getattr__(name: str) -> Any:
    if name not in _MESSAGES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return _found()[name]
