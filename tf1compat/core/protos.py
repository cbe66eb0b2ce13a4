"""The protocol buffer messages of a graph, as the tensorboard package ships them.

`protos.AttrValue()`: a message is imported when it is first asked for.  Their modules make the
classes while they are imported, where no type checker sees them.
"""

from __future__ import annotations

import functools
import importlib
from typing import Any

_MODULES = {
    "AssetFileDef": "meta_graph_pb2",
    "AttrValue": "attr_value_pb2",
    "CollectionDef": "meta_graph_pb2",
    "FunctionDef": "function_pb2",
    "GraphDef": "graph_pb2",
    "MetaGraphDef": "meta_graph_pb2",
    "NameAttrList": "attr_value_pb2",
    "NodeDef": "node_def_pb2",
    "OpDef": "op_def_pb2",
    "OpList": "op_def_pb2",
    "SaveSliceInfoDef": "variable_pb2",
    "SavedBareConcreteFunction": "saved_object_graph_pb2",
    "SavedConcreteFunction": "saved_object_graph_pb2",
    "SavedFunction": "saved_object_graph_pb2",
    "SavedObjectGraph": "saved_object_graph_pb2",
    "SavedUserObject": "saved_object_graph_pb2",
    "SaverDef": "saver_pb2",
    "SignatureDef": "meta_graph_pb2",
    "StructuredValue": "struct_pb2",
    "TensorInfo": "meta_graph_pb2",
    "TensorProto": "tensor_pb2",
    "TensorShapeProto": "tensor_shape_pb2",
    "TrackableObjectGraph": "trackable_object_graph_pb2",
    "VariableDef": "variable_pb2",
    "VariantTensorDataProto": "tensor_pb2",
    "VersionDef": "versions_pb2",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = message = load(_MODULES[name], name)
    return message


@functools.cache
def load(module: str, name: str) -> Any:
    """A message class of `tensorboard.compat.proto`; None if there is no such message."""
    message = getattr(importlib.import_module(f"tensorboard.compat.proto.{module}"), name, None)
    if isinstance(message, type):
        print_in_order(message)
    return message


def print_in_order(message: Any) -> None:
    """Lets `str` of a message, and of those within it, list the entries of a map by key.

    Protobuf's own `str` goes from the last key to the first: TF's programs print a node's
    attrs from the first to the last, which is also what `text_format` does.
    """
    if message.__str__ is _text:
        return
    message.__str__ = message.__repr__ = _text
    from google.protobuf import message_factory

    for field in message.DESCRIPTOR.fields:
        if field.message_type is not None:
            print_in_order(message_factory.GetMessageClass(field.message_type))


def _text(message: Any) -> str:
    from google.protobuf import text_format

    return text_format.MessageToString(message)
