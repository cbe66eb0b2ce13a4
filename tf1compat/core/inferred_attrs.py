"""What `Graph.create_op` settles of an operation's attrs: those that its inputs determine are
inferred, and what does not fit the op def is refused as TF's C++ node builder refuses it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tf1compat.core import dtypes, op_def_text, op_defs
from tf1compat.core.attr_value import kind_mismatch


def check_kinds(op_def: op_defs.OpDef, attrs: Mapping[str, Any], name: str) -> None:
    """Refuses attrs that the op def does not have, or that are of another kind there.

    Args:
      op_def: the op type's schema.
      attrs: attr values, as `AttrValue` protos or plain.
      name: the operation's name.

    Raises:
      ValueError: there is one.
    """
    for key, value in attrs.items():
        if key.startswith("_"):
            continue
        attr = op_def.attrs.get(key)
        summary = op_def_text.summary
        if attr is None:
            raise ValueError(
                f"NodeDef mentions attr '{key}' not in {summary(op_def)}; NodeDef: "
                f"{{{{node {name}}}}}. (Check whether your GraphDef-interpreting binary is up to "
                "date with your GraphDef-generating binary.)."
            )
        wrong = kind_mismatch(value, attr.type) if type(value).__name__ == "AttrValue" else None
        if wrong is not None:
            raise ValueError(
                f"{wrong}\n\t for attr '{key}'\n\t; NodeDef: {{{{node {name}}}}}; {summary(op_def)}"
            )


def complete(
    op_def: op_defs.OpDef, inputs: Sequence[Any], attrs: dict[str, Any], name: str
) -> None:
    """Adds the attrs that follow from the inputs, and the defaults of others.

    Args:
      op_def: the op type's schema.
      inputs: the input tensors.
      attrs: the attrs that were given, in plain form; what was not is added.
      name: the operation's name.

    Raises:
      ValueError: inputs and attrs do not agree, or one is missing.
      IndexError: there are too few inputs.
    """
    found: dict[str, Any] = {}
    building = f"while building NodeDef '{name}' using"

    def note(key: str, value: Any) -> None:
        if found.setdefault(key, value) != value:
            kinds = " vs. ".join(op_def_text.value(one) for one in (found[key], value))
            raise ValueError(
                f"Inconsistent values for attr '{key}' {kinds} {building} "
                f"{op_def_text.summary(op_def)}"
            )

    place = 0
    for arg in op_def.input_args:
        if not arg.is_list:
            count = 1
        else:
            # Of a list it has to be said how long it is.
            assert (arg.number_attr or arg.type_list_attr) in attrs
            number = attrs[arg.number_attr] if arg.number_attr else None
            count = len(attrs[arg.type_list_attr or ""]) if number is None else number
        taken = [inputs[place + i] for i in range(count)]
        place += count
        types = [tensor.dtype.base_dtype for tensor in taken]
        if arg.type_list_attr:
            note(arg.type_list_attr, types)
        for dtype in types:
            if arg.type_attr:
                note(arg.type_attr, dtype)
            elif arg.type is not None and dtype != arg.type:
                raise ValueError(
                    f"Input '{arg.name}' passed {dtypes.cpp_name(dtype)} expected "
                    f"{dtypes.cpp_name(arg.type)} {building} {op_def_text.summary(op_def)}"
                )
    where = f"NodeDef: {{{{node {name}}}}}"
    missing = [attr.name for attr in op_def.attrs.values()
               if not (attr.has_default or attr.name in found or attr.name in attrs)]  # fmt: skip
    if missing:
        raise ValueError(op_def_text.missing_attrs(op_def, missing, where))
    for attr in op_def.attrs.values():
        if attr.name in found:
            note(attr.name, attrs.get(attr.name, found[attr.name]))
            attrs[attr.name] = found[attr.name]
        attrs.setdefault(attr.name, attr.default)
        if attr.name in found:
            op_def_text.check_allowed(
                attr, attrs[attr.name], f"{where}; {op_def_text.summary(op_def)}"
            )
