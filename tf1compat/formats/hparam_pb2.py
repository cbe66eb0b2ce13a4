"""The messages of TF's hparam.proto: hyperparameters by name."""

from __future__ import annotations

import functools
from typing import Any

from tf1compat.formats import message_tables

_MESSAGES = {
    "HParamDef": "hparam:1:HParamDef.HParamType{string}",
    "HParamDef.BytesList": "value:1:+bytes",
    "HParamDef.FloatList": "value:1:+float",
    "HParamDef.Int64List": "value:1:+int64",
    "HParamDef.BoolList": "value:1:+bool",
    "HParamDef.HParamType": (
        "int64_value:1:int64@kind float_value:2:float@kind bytes_value:3:bytes@kind "
        "bool_value:7:bool@kind int64_list:4:HParamDef.Int64List@kind "
        "float_list:5:HParamDef.FloatList@kind bytes_list:6:HParamDef.BytesList@kind "
        "bool_list:8:HParamDef.BoolList@kind"
    ),
}


@functools.cache
def _found() -> dict[str, Any]:
    return message_tables.messages("hparam", "tensorflow", _MESSAGES, {})


def __getattr__(name: str) -> Any:
    if name != "HParamDef":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return _found()[name]
