"""The messages of TF's example_parser_configuration.proto: what a ParseExample looks for."""

from __future__ import annotations

import functools
from typing import Any

from tf1compat.core import protos
from tf1compat.formats import message_tables

PACKAGE = "tf1compat.example_parser"

_MESSAGES = {
    "VarLenFeatureProto": (
        "dtype:1:#{types} values_output_tensor_name:2:string indices_output_tensor_name:3:string "
        "shapes_output_tensor_name:4:string"
    ),
    "FixedLenFeatureProto": (
        "dtype:1:#{types} shape:2:{shape} default_value:3:{tensor} "
        "values_output_tensor_name:4:string"
    ),
    "FeatureConfiguration": (
        "fixed_len_feature:1:FixedLenFeatureProto@config "
        "var_len_feature:2:VarLenFeatureProto@config"
    ),
    "ExampleParserConfiguration": "feature_map:1:FeatureConfiguration{{string}}",
}


@functools.cache
def _messages() -> dict[str, Any]:
    tensor = protos.TensorProto.DESCRIPTOR
    shape = protos.TensorShapeProto.DESCRIPTOR
    types = tensor.fields_by_name["dtype"].enum_type
    names = {"types": types.full_name, "shape": shape.full_name, "tensor": tensor.full_name}
    return message_tables.messages(
        "example_parser_configuration",
        PACKAGE,
        {name: fields.format(**names) for name, fields in _MESSAGES.items()},
        {},
        tuple({message.file.name: None for message in (tensor, shape, types)}),
    )


def __getattr__(name: str) -> Any:
    if name not in _MESSAGES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return _messages()[name]
