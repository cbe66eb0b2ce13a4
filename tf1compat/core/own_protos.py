"""The messages that the tensorboard package does not ship, made from descriptions.

They live in a descriptor pool of their own, so that nothing else in the process can clash.
"""

from __future__ import annotations

import functools
from typing import Any

from tf1compat.core import protos

# What a description calls them -> numbers of FieldDescriptorProto.Type.
_KINDS = {
    "bool": 8,
    "bytes": 12,
    "double": 1,
    "fixed32": 7,
    "float": 2,
    "int32": 5,
    "int64": 3,
    "string": 9,
}
_MESSAGE, _ENUM = 11, 14
_OPTIONAL, _REPEATED = 1, 3

# File -> message -> its fields: (name, type), numbered from 1 on; the type "[t]" is repeated, "{t}"
# a map from strings, "|t" one of several alternatives.
_FILES: dict[str, dict[str, list[tuple[str, str]]]] = {
    "core/example/feature": {
        "BytesList": [("value", "[bytes]")],
        "FloatList": [("value", "[float]")],
        "Int64List": [("value", "[int64]")],
        "Feature": [
            ("bytes_list", "|BytesList"),
            ("float_list", "|FloatList"),
            ("int64_list", "|Int64List"),
        ],
        "Features": [("feature", "{Feature}")],
        "FeatureList": [("feature", "[Feature]")],
        "FeatureLists": [("feature_list", "{FeatureList}")],
    },
    "core/example/example": {
        "Example": [("features", "Features")],
        "SequenceExample": [("context", "Features"), ("feature_lists", "FeatureLists")],
    },
    "core/protobuf/tpu/topology": {
        "TopologyProto": [
            ("mesh_shape", "[int32]"),
            ("num_tasks", "int32"),
            ("num_tpu_devices_per_task", "int32"),
            ("device_coordinates", "[int32]"),
        ],
    },
    "core/protobuf/queue_runner": {
        "QueueRunnerDef": [
            ("queue_name", "string"),
            ("enqueue_op_name", "[string]"),
            ("close_op_name", "string"),
            ("cancel_op_name", "string"),
            ("queue_closed_exception_types", "[Code]"),
        ],
    },
    "core/protobuf/control_flow": {
        "ValuesDef": [("values", "[string]"), ("external_values", "{string}")],
        "ControlFlowContextDef": [
            ("cond_ctxt", "|CondContextDef"),
            ("while_ctxt", "|WhileContextDef"),
        ],
        "CondContextDef": [
            ("context_name", "string"),
            ("pred_name", "string"),
            ("pivot_name", "string"),
            ("branch", "int32"),
            ("values_def", "ValuesDef"),
            ("nested_contexts", "[ControlFlowContextDef]"),
        ],
        "WhileContextDef": [
            ("context_name", "string"),
            ("parallel_iterations", "int32"),
            ("back_prop", "bool"),
            ("swap_memory", "bool"),
            ("pivot_name", "string"),
            ("pivot_for_pred_name", "string"),
            ("pivot_for_body_name", "string"),
            ("loop_exit_names", "[string]"),
            ("values_def", "ValuesDef"),
            ("loop_enter_names", "[string]"),
            ("maximum_iterations_name", "string"),
            ("nested_contexts", "[ControlFlowContextDef]"),
        ],
    },
    "core/framework/tensor_slice": {
        "Extent": [("start", "int64"), ("length", "|int64")],
        "TensorSliceProto": [("extent", "[Extent]")],
    },
    # Shapes, versions and tensors are messages of tensorboard's, kept here as their bytes; as an
    # alternative without others, they are written though empty.
    "core/protobuf/tensor_bundle": {
        "BundleHeaderProto": [
            ("num_shards", "int32"),
            ("endianness", "int32"),
            ("version", "|bytes"),
        ],
        "BundleEntryProto": [
            ("dtype", "int32"),
            ("shape", "|bytes"),
            ("shard_id", "int32"),
            ("offset", "int64"),
            ("size", "int64"),
            ("crc32c", "fixed32"),
            ("slices", "[TensorSliceProto]"),
        ],
    },
    "core/util/saved_tensor_slice": {
        "SavedSliceMeta": [
            ("name", "string"),
            ("shape", "|bytes"),
            ("type", "int32"),
            ("slice", "[TensorSliceProto]"),
        ],
        "SavedTensorSliceMeta": [("tensor", "[SavedSliceMeta]"), ("versions", "|bytes")],
        "SavedSlice": [("name", "string"), ("slice", "TensorSliceProto"), ("data", "|bytes")],
        "SavedTensorSlices": [("meta", "SavedTensorSliceMeta"), ("data", "SavedSlice")],
    },
    "python/training/checkpoint_state": {
        "CheckpointState": [
            ("model_checkpoint_path", "string"),
            ("all_model_checkpoint_paths", "[string]"),
            ("all_model_checkpoint_timestamps", "[double]"),
            ("last_preserved_timestamp", "double"),
        ],
    },
}


# TF's enum of error codes, which the messages of queue runners have by name in their text.
_CODES = (
    "OK CANCELLED UNKNOWN INVALID_ARGUMENT DEADLINE_EXCEEDED NOT_FOUND ALREADY_EXISTS "
    "PERMISSION_DENIED RESOURCE_EXHAUSTED FAILED_PRECONDITION ABORTED OUT_OF_RANGE UNIMPLEMENTED "
    "INTERNAL UNAVAILABLE DATA_LOSS UNAUTHENTICATED"
).split()

# What a message calls its alternatives, unless "kind".
_ALTERNATIVES = {"ControlFlowContextDef": "ctxt"}


def _add_field(message: Any, number: int, name: str, kind: str) -> None:
    field = message.field.add(name=name, number=number)
    mark, kind = (kind[0], kind.strip("[]{}|")) if kind[0] in "[{|" else ("", kind)
    field.label = _REPEATED if mark in ("[", "{") else _OPTIONAL
    if mark == "{":
        entry = message.nested_type.add(name=f"{_camel(name)}Entry")
        entry.options.map_entry = True
        _add_field(entry, 1, "key", "string")
        _add_field(entry, 2, "value", kind)
        field.type = _MESSAGE
        field.type_name = f".tensorflow.{message.name}.{entry.name}"
        return
    if mark == "|":
        field.oneof_index = 0
    if kind in _KINDS:
        field.type = _KINDS[kind]
    elif kind == "Code":
        field.type, field.type_name = _ENUM, ".tensorflow.Code"
    else:
        field.type = _MESSAGE
        field.type_name = f".tensorflow.{kind}"


def _camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))


@functools.cache
def _load() -> dict[str, Any]:
    """The message classes by name; made when one is first asked for."""
    from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

    pool: Any = descriptor_pool.DescriptorPool()
    before: list[str] = []
    for name, messages in _FILES.items():
        path = f"tensorflow/{name}.proto"
        file = descriptor_pb2.FileDescriptorProto(
            name=path, package="tensorflow", syntax="proto3", dependency=before
        )
        before.append(path)
        if name == "core/protobuf/queue_runner":
            codes = file.enum_type.add(name="Code")
            for number, code in enumerate(_CODES):
                codes.value.add(name=code, number=number)
        for message_name, fields in messages.items():
            message = file.message_type.add(name=message_name)
            if any(kind.startswith("|") for _, kind in fields):
                message.oneof_decl.add(name=_ALTERNATIVES.get(message_name, "kind"))
            for number, (field, kind) in enumerate(fields, 1):
                _add_field(message, number, field, kind)
        pool.Add(file)
    found = {}
    for name, messages in _FILES.items():
        for message_name in messages:
            description = pool.FindMessageTypeByName(f"tensorflow.{message_name}")
            found[message_name] = message_factory.GetMessageClass(description)
            found[message_name].__module__ = f"tensorflow.{name.replace('/', '.')}_pb2"
    for message in found.values():
        protos.print_in_order(message)
    return found


def message(name: str) -> Any:
    """The message class of that name, e.g. "Example"."""
    return _load()[name]


@functools.cache
def server_def() -> Any:
    """The message class `ServerDef`; its parts are messages of the tensorboard package."""
    from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

    parts = {"cluster": "ClusterDef", "default_session_config": "ConfigProto"}
    for module, name in (("cluster_pb2", "ClusterDef"), ("config_pb2", "ConfigProto")):
        protos.load(module, name)
    file = descriptor_pb2.FileDescriptorProto(
        name="tf1compat/tensorflow_server.proto",
        package="tf1compat",
        syntax="proto3",
        dependency=[f"tensorboard/compat/proto/{name}.proto" for name in ("cluster", "config")],
    )
    message = file.message_type.add(name="ServerDef")
    fields = ("cluster", "job_name", "task_index", "default_session_config", "protocol")
    for number, name in enumerate(fields, 1):
        field: Any = message.field.add(name=name, number=number, label=_OPTIONAL)
        if name in parts:
            field.type, field.type_name = _MESSAGE, f".tensorboard.{parts[name]}"
        else:
            field.type = _KINDS["int32" if name == "task_index" else "string"]
    # The pool that the parts are in.
    pool: Any = descriptor_pool.Default()
    pool.Add(file)
    found = message_factory.GetMessageClass(pool.FindMessageTypeByName("tf1compat.ServerDef"))
    found.__module__ = "tensorflow.core.protobuf.tensorflow_server_pb2"
    protos.print_in_order(found)
    return found


@functools.cache
def example_parser_configuration() -> Any:
    """The message class `ExampleParserConfiguration`; parts are of the tensorboard package."""
    from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

    for module, name in (("tensor_pb2", "TensorProto"), ("tensor_shape_pb2", "TensorShapeProto")):
        protos.load(module, name)
    file = descriptor_pb2.FileDescriptorProto(
        name="tf1compat/example_parser_configuration.proto",
        package="tf1compat",
        syntax="proto3",
        dependency=[
            f"tensorboard/compat/proto/{name}.proto" for name in ("tensor", "tensor_shape", "types")
        ],
    )
    names = ["values_output_tensor_name", "indices_output_tensor_name", "shapes_output_tensor_name"]
    var = ["dtype", *names]
    fixed = ["dtype", "shape", "default_value", names[0]]
    parts = {"shape": "TensorShapeProto", "default_value": "TensorProto"}
    for kind, fields in (("VarLenFeatureProto", var), ("FixedLenFeatureProto", fixed)):
        message = file.message_type.add(name=kind)
        for number, name in enumerate(fields, 1):
            field: Any = message.field.add(name=name, number=number, label=_OPTIONAL)
            if name in parts:
                field.type, field.type_name = _MESSAGE, f".tensorboard.{parts[name]}"
            elif name == "dtype":
                field.type, field.type_name = _ENUM, ".tensorboard.DataType"
            else:
                field.type = _KINDS["string"]
    feature = file.message_type.add(name="FeatureConfiguration")
    feature.oneof_decl.add(name="config")
    for number, (name, kind) in enumerate(
        (("fixed_len_feature", "FixedLenFeatureProto"), ("var_len_feature", "VarLenFeatureProto")),
        1,
    ):
        field = feature.field.add(name=name, number=number, label=_OPTIONAL, oneof_index=0)
        field.type, field.type_name = _MESSAGE, f".tf1compat.{kind}"
    whole = file.message_type.add(name="ExampleParserConfiguration")
    entry = whole.nested_type.add(name="FeatureMapEntry")
    entry.options.map_entry = True
    entry.field.add(name="key", number=1, label=_OPTIONAL, type=_KINDS["string"])
    value = ".tf1compat.FeatureConfiguration"
    entry.field.add(name="value", number=2, label=_OPTIONAL, type=_MESSAGE, type_name=value)
    pairs = ".tf1compat.ExampleParserConfiguration.FeatureMapEntry"
    whole.field.add(name="feature_map", number=1, label=_REPEATED, type=_MESSAGE, type_name=pairs)
    pool: Any = descriptor_pool.Default()
    pool.Add(file)
    found = message_factory.GetMessageClass(
        pool.FindMessageTypeByName("tf1compat.ExampleParserConfiguration")
    )
    found.__module__ = "tensorflow.core.example.example_parser_configuration_pb2"
    protos.print_in_order(found)
    return found


def find(name: str) -> Any:
    """As `message`; None if there is none of that name."""
    return _load().get(name)
