"""The protocol buffer messages of a graph, as the tensorboard package ships them.

`protos.AttrValue()`: a message is imported when it is first asked for.  Their modules make the
classes while they are imported, where no type checker sees them.
"""

from __future__ import annotations

import importlib
from typing import Any

_MODULES = {
    "AttrValue": "attr_value_pb2",
    "FunctionDef": "function_pb2",
    "GraphDef": "graph_pb2",
    "NameAttrList": "attr_value_pb2",
    "NodeDef": "node_def_pb2",
    "SaveSliceInfoDef": "variable_pb2",
    "TensorProto": "tensor_pb2",
    "TensorShapeProto": "tensor_shape_pb2",
    "VariableDef": "variable_pb2",
    "VersionDef": "versions_pb2",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    message = getattr(importlib.import_module(f"tensorboard.compat.proto.{_MODULES[name]}"), name)
    globals()[name] = message
    return message
