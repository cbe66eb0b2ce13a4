"""Op definitions as TF's errors quote them: `Op<name=Neg; signature=x:T -> y:T; attr=T:type,…>`."""

from __future__ import annotations

from typing import Any

from tf1compat.core import dtypes, op_defs
from tf1compat.core.dtypes import DType
from tf1compat.core.tensor_shape import TensorShape

_ENUM_NAMES = {"float16": "HALF", "float32": "FLOAT", "float64": "DOUBLE"}


def summary(op_def: op_defs.OpDef) -> str:
    """The whole definition."""
    inputs, outputs = (
        ", ".join(_arg(arg) for arg in args) for args in (op_def.input_args, op_def.output_args)
    )
    attrs = "".join(f"; attr={_attr(attr)}" for attr in op_def.attrs.values())
    flags = "; is_stateful=true" if op_def.is_stateful else ""
    if op_def.allows_uninitialized_input:
        flags += "; allows_uninitialized_input=true"
    return f"Op<name={op_def.name}; signature={inputs} -> {outputs}{attrs}{flags}>"


def quoted(text: bytes) -> str:
    """A string attr's value."""
    return f'"{text.decode("utf-8", "replace")}"'


def _arg(arg: op_defs.ArgDef) -> str:
    kind = "" if arg.type_list_attr else arg.type_attr  # TF names no list of types here
    if kind is None:
        assert arg.type is not None
        kind = dtypes.cpp_name(arg.type)
    if arg.number_attr:
        kind = f"{arg.number_attr}*{kind}"
    return f"{arg.name}:Ref({kind})" if arg.is_ref else f"{arg.name}:{kind}"


def _attr(attr: op_defs.AttrDef) -> str:
    text = f"{attr.name}:{attr.type}"
    if attr.has_default:
        text += f",default={value(attr.default)}"
    if attr.minimum is not None:
        text += f",min={attr.minimum}"
    if attr.allowed is not None:
        text += f",allowed=[{', '.join(value(item) for item in attr.allowed)}]"
    return text


def value(given: Any) -> str:
    """An attr's value."""
    if isinstance(given, bytes):
        return quoted(given)
    if isinstance(given, bool):
        return str(given).lower()
    if isinstance(given, DType):
        return f"DT_{_ENUM_NAMES.get(given.name, given.name.upper())}"
    if isinstance(given, list):
        return f"[{', '.join(value(item) for item in given)}]"
    if isinstance(given, float):
        return f"{given:g}"
    if isinstance(given, TensorShape):
        dims = given.to_tuple()
        return "<unknown>" if dims is None else str(list(dims)).replace(" ", "")
    return str(given)


def check_allowed(attr: Any, value: Any, where: str) -> None:
    """Refuses a value that an attr may not have; `where` ends the text.

    Raises:
      ValueError: it may not.
    """
    if attr.allowed is None:
        return
    for item in value if attr.type.startswith("list(") else [value]:
        if item not in attr.allowed:
            is_text = isinstance(item, bytes)
            shown = quoted(item) if is_text else dtypes.cpp_name(item)
            allowed = ", ".join(
                quoted(choice) if is_text else dtypes.cpp_name(choice) for choice in attr.allowed
            )
            raise ValueError(
                f"Value for attr '{attr.name}' of {shown} is not in the list of allowed values: "
                f"{allowed}\n\t; {where}"
            )
