"""The message of TF's saved_model.proto, made of those that the tensorboard package ships."""

from __future__ import annotations

from typing import Any

from tf1compat.core import protos


def _make() -> Any:
    from google.protobuf import descriptor_pb2, message_factory

    meta_graph = protos.MetaGraphDef.DESCRIPTOR
    file = descriptor_pb2.FileDescriptorProto(
        name="tf1compat/saved_model.proto",
        package="tf1compat",
        syntax="proto3",
        dependency=[meta_graph.file.name],
    )
    message = file.message_type.add(name="SavedModel")
    number = descriptor_pb2.FieldDescriptorProto
    message.field.add(
        name="saved_model_schema_version",
        number=1,
        type=number.TYPE_INT64,
        label=number.LABEL_OPTIONAL,
    )
    message.field.add(
        name="meta_graphs",
        number=2,
        type=number.TYPE_MESSAGE,
        type_name=f".{meta_graph.full_name}",
        label=number.LABEL_REPEATED,
    )
    pool = meta_graph.file.pool
    pool.Add(file)
    found = message_factory.GetMessageClass(pool.FindMessageTypeByName("tf1compat.SavedModel"))
    protos.print_in_order(found)
    return found


def __getattr__(name: str) -> Any:
    if name != "SavedModel":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = made = _make()
    return made
