"""Op definitions as TF's errors quote them: `Op<name=Neg; signature=x:T -> y:T; attr=T:type,…>`."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from tf1compat.core import dtypes, op_defs
from tf1compat.core.dtypes import DType
from tf1compat.core.tensor_shape import TensorShape

_FLAGS = ("is_commutative", "is_aggregate", "is_stateful", "allows_uninitialized_input")
# Of a list of so many, TF shows the first and the last few.
_LONG, _SHOWN = 15, 5
_ENUM_NAMES = {"float16": "HALF", "float32": "FLOAT", "float64": "DOUBLE"}


@functools.lru_cache(2048)  # importing a graph asks for it at each attr
def summary(op_def: op_defs.OpDef) -> str:
    """The whole definition."""
    inputs, outputs = (
        ", ".join(_arg(arg) for arg in args) for args in (op_def.input_args, op_def.output_args)
    )
    attrs = "".join(f"; attr={_attr(attr)}" for attr in op_def.attrs.values())
    flags = "".join(f"; {flag}=true" for flag in _FLAGS if getattr(op_def, flag))
    return f"Op<name={op_def.name}; signature={inputs} -> {outputs}{attrs}{flags}>"


def missing_attrs(op_def: op_defs.OpDef, names: list[str], where: str) -> str:
    """The text for a node that lacks attrs; `where` ends it."""
    # TF finds several in the order of a hash table, which is mostly the last one first.
    listed = ", ".join(f"'{name}'" for name in reversed(names))
    plural = "s" if len(names) > 1 else ""
    return f"NodeDef missing attr{plural} {listed} from {summary(op_def)}; {where}"


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
        text += f",allowed={value(list(attr.allowed))}"
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
        shown = [value(item) for item in given]
        if len(shown) >= _LONG:
            shown[_SHOWN:-_SHOWN] = ["..."]
        return f"[{', '.join(shown)}]"
    if isinstance(given, np.ndarray):
        values = " ".join(value(item) for item in given.ravel()[:3].tolist())
        more = "..." if given.size > 3 else ""
        shape = value(TensorShape(given.shape))
        kind = dtypes.cpp_name(dtypes.as_dtype(given.dtype))
        return f"Tensor<type: {kind} shape: {shape} values: {values}{more}>"
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
