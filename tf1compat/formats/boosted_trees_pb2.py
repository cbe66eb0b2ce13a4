"""The messages of TF's boosted_trees.proto: ensembles of trees, and what explains predictions."""

from __future__ import annotations

import functools
from typing import Any

from tf1compat.core import protos

# TF's messages: fields by number; a leading + marks what is repeated.
_MESSAGES: dict[str, dict[int, tuple[str, str]]] = {
    "Vector": {1: ("value", "+float")},
    "SparseVector": {1: ("index", "+int32"), 2: ("value", "+float")},
    "Leaf": {1: ("vector", "Vector"), 2: ("sparse_vector", "SparseVector"), 3: ("scalar", "float")},
    "NodeMetadata": {1: ("gain", "float"), 2: ("original_leaf", "Leaf")},
    "BucketizedSplit": {
        1: ("feature_id", "int32"), 2: ("threshold", "int32"), 3: ("left_id", "int32"),
        4: ("right_id", "int32"), 5: ("dimension_id", "int32"), 6: ("default_direction", "int32"),
    },
    "CategoricalSplit": {
        1: ("feature_id", "int32"), 2: ("value", "int32"), 3: ("left_id", "int32"),
        4: ("right_id", "int32"), 5: ("dimension_id", "int32"),
    },
    "DenseSplit": {
        1: ("feature_id", "int32"), 2: ("threshold", "float"), 3: ("left_id", "int32"),
        4: ("right_id", "int32"),
    },
    "Node": {
        1: ("leaf", "Leaf"), 2: ("bucketized_split", "BucketizedSplit"),
        3: ("categorical_split", "CategoricalSplit"), 4: ("dense_split", "DenseSplit"),
        777: ("metadata", "NodeMetadata"),
    },
    "Tree": {1: ("nodes", "+Node")},
    "PostPruneNodeUpdate": {1: ("new_node_id", "int32"), 2: ("logit_change", "+float")},
    "TreeMetadata": {
        2: ("num_layers_grown", "int32"), 3: ("is_finalized", "bool"),
        4: ("post_pruned_nodes_meta", "+PostPruneNodeUpdate"),
    },
    "GrowingMetadata": {
        1: ("num_trees_attempted", "int64"), 2: ("num_layers_attempted", "int64"),
        3: ("last_layer_node_start", "int32"), 4: ("last_layer_node_end", "int32"),
    },
    "TreeEnsemble": {
        1: ("trees", "+Tree"), 2: ("tree_weights", "+float"), 3: ("tree_metadata", "+TreeMetadata"),
        4: ("growing_metadata", "GrowingMetadata"),
    },
    "DebugOutput": {1: ("feature_ids", "+int32"), 2: ("logits_path", "+float")},
}  # fmt: skip


@functools.cache
def _messages() -> dict[str, Any]:
    """The message classes."""
    from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

    package = "tensorflow.boosted_trees"
    file = descriptor_pb2.FileDescriptorProto(
        name="tf1compat/boosted_trees.proto", package=package, syntax="proto3"
    )
    kinds = {"float": 2, "int64": 3, "int32": 5, "bool": 8}
    for name, fields in _MESSAGES.items():
        message = file.message_type.add(name=name)
        if name in ("Node", "Leaf"):
            message.oneof_decl.add(name=name.lower())
        for number, (field, kind) in fields.items():
            plain = kind.removeprefix("+")
            added = message.field.add(
                name=field, number=number, label=3 if kind != plain else 1,
                type=kinds.get(plain, 11),
            )  # fmt: skip
            if plain not in kinds:
                added.type_name = f".{package}.{plain}"
            if (name == "Node" and field != "metadata") or (name == "Leaf" and field != "scalar"):
                added.oneof_index = 0
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    found = {
        name: message_factory.GetMessageClass(pool.FindMessageTypeByName(f"{package}.{name}"))
        for name in _MESSAGES
    }
    protos.print_in_order(found["TreeEnsemble"])
    return found


def __getattr__(name: str) -> Any:
    if name not in _MESSAGES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return _messages()[name]
