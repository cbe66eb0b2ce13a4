"""The schema of an op type as an `OpDef` proto, as meta graphs list it."""

from __future__ import annotations

import functools
from typing import Any

from tf1compat.core import op_defs, protos
from tf1compat.core.attr_value import to_attr_value

_FLAGS = ("is_aggregate", "is_commutative", "is_stateful", "allows_uninitialized_input")


@functools.cache
def op_def_proto(op_type: str) -> Any:
    """The `OpDef` proto of an op type; None if TF 1.15 has no such op."""
    definition, raw = op_defs.get(op_type), op_defs.raw(op_type)
    if definition is None or raw is None:
        return None
    proto = protos.OpDef(name=op_type)
    for args, field in (
        (definition.input_args, proto.input_arg),
        (definition.output_args, proto.output_arg),
    ):
        for arg in args:
            made = field.add(name=arg.name, is_ref=arg.is_ref)
            if arg.type is not None:
                made.type = arg.type.as_datatype_enum
            for name in ("type_attr", "number_attr", "type_list_attr"):
                if getattr(arg, name):
                    setattr(made, name, getattr(arg, name))
    for attr in definition.attrs.values():
        made = proto.attr.add(name=attr.name, type=attr.type)
        if attr.has_default:
            made.default_value.CopyFrom(to_attr_value(attr.default, attr.type))
        if attr.minimum is not None:
            made.has_minimum, made.minimum = True, attr.minimum
        if attr.allowed is not None:
            element = attr.type.removeprefix("list(").removesuffix(")")
            made.allowed_values.CopyFrom(to_attr_value(list(attr.allowed), f"list({element})"))
    for flag in _FLAGS:
        setattr(proto, flag, raw.get(flag, False))
    if definition.removed is not None:
        version, explanation = definition.removed
        proto.deprecation.version = version
        proto.deprecation.explanation = explanation
    return proto
