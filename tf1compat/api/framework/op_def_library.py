"""`tensorflow.python.framework.op_def_library`: operations recorded by the name of their type."""

from __future__ import annotations

import collections
from collections.abc import MutableMapping
from typing import Any, cast

from tf1compat.api.framework import op_def_registry
from tf1compat.core import attr_value, context, op_defs, op_dtypes, op_registry, protos, raw_ops
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_shape import as_shape


class OpDefLibrary:
    """The op types that were added to it."""

    def __init__(self) -> None:
        self._ops: MutableMapping[str, Any] = {}

    def add_op(self, op_def: Any) -> None:
        """Adds an op type.

        Args:
          op_def: its `OpDef` proto.

        Raises:
          RuntimeError: the library has the op type already.
          TypeError: it is no `OpDef`, or an argument's type does not follow from the attrs.
        """
        if not isinstance(op_def, protos.OpDef):
            raise TypeError(f"{op_def} is {type(op_def)}, not an op_def_pb2.OpDef")
        kinds = {attr.name: attr.type for attr in op_def.attr}
        for arg in (*op_def.input_arg, *op_def.output_arg):
            _check_arg(op_def.name, arg, kinds)
        if op_def.name in self._ops:
            raise RuntimeError(f"Op name {op_def.name} registered twice.")
        self._ops[op_def.name] = op_def

    def add_op_list(self, op_list: Any) -> None:
        """Adds the op types of an `OpList` proto (see `add_op`).

        Args:
          op_list: the proto.

        Raises:
          TypeError: it is none.
        """
        if not isinstance(op_list, protos.OpList):
            raise TypeError(f"{op_list} is {type(op_list)}, not an op_def_pb2.OpList")
        for op_def in op_list.op:
            self.add_op(op_def)

    def apply_op(self, op_type_name: str, name: str | None = None, **keywords: Any) -> Any:
        """Records an operation.

        Args:
          op_type_name: its type.
          name: the operation's name; its type by default.
          **keywords: inputs and attrs by name; a name that Python keeps for itself may end with
            an underscore.

        Returns:
          Its output: a tensor; a list, of an output that is one; a tuple, of several; the
          operation, of none.

        Raises:
          RuntimeError: there is no such op type.
          TypeError: an argument is missing, is one too many or is of a wrong kind.
          ValueError: an argument has a wrong value.
        """
        proto = self._ops.get(op_type_name)
        if proto is None:
            raise RuntimeError(f"Unrecognized Op name {op_type_name}")
        op_def = op_defs.get(op_type_name)
        if op_def is None:
            text = op_dtypes.unknown_op_type(op_type_name)
            raise ValueError(f"{text} while building NodeDef '{name or op_type_name}'")
        given: dict[str, Any] = {}
        for parameter in op_def.parameters:
            key = parameter if parameter in keywords else f"{parameter}_"
            if key in keywords:
                given[parameter] = keywords.pop(key)
            elif parameter not in op_def.attrs:
                raise TypeError(f"No argument for input {parameter}")
            else:  # Defaults are what the functions of generated modules add.
                raise TypeError(f"No argument for attr {parameter}")
        if keywords:
            names = ", ".join(sorted(keywords))
            raise TypeError(f"apply_op() got unexpected keyword arguments: {names}")
        attrs = {
            attr: op_def.attrs[attr].default
            if value is None and op_def.attrs[attr].has_default
            else _attr_value(value, op_def.attrs[attr])
            for attr, value in given.items()
            if attr in op_def.attrs
        }
        function = raw_ops.function(op_type_name)
        inputs = [given[arg.name] for arg in op_def.input_args]
        result = function.outputs_of(function.record(inputs, attrs, name))
        return tuple(result) if isinstance(result, tuple) else result

    def _apply_op_helper(
        self, op_type_name: str, name: str | None = None, **keywords: Any
    ) -> tuple[list[int | None], bool, Any]:
        """As `apply_op`.

        Returns:
          For each output the length of the list that it is, or None; whether the op type is
          stateful; the operation.
        """
        result = self.apply_op(op_type_name, name, **keywords)
        op_def = op_registry.spec(op_type_name).op_def
        assert op_def is not None
        if isinstance(result, Operation):
            return [], op_def.is_stateful, result
        outputs = list(result) if len(op_def.output_args) > 1 else [result]
        structure = [len(output) if arg.is_list else None
                     for arg, output in zip(op_def.output_args, outputs, strict=True)]  # fmt: skip
        first = next((t for o in outputs for t in ([o] if isinstance(o, Tensor) else o)), None)
        graph = context.default_graph()
        op = first.op if first is not None else graph._operations[-1]
        return structure, op_def.is_stateful, op


def _check_arg(op_type: str, arg: Any, kinds: dict[str, str]) -> None:
    """Refuses an input or output whose type does not follow from the attrs.

    Args:
      op_type: the op type, for the text.
      arg: an `ArgDef` proto.
      kinds: each attr's name -> its kind.

    Raises:
      TypeError: an attr is missing or of another kind, or there is not one field of the type.
    """
    fields = sum(map(bool, (arg.type, arg.type_attr, arg.type_list_attr)))
    if fields != 1:
        raise TypeError(f"Arg '{arg.name}' of '{op_type}' must have one type field not {fields}")
    for field, kind in (
        ("type_attr", "type"),
        ("type_list_attr", "list(type)"),
        ("number_attr", "int"),
    ):
        attr = getattr(arg, field)
        if attr and attr not in kinds:
            raise TypeError(f"Inconsistent OpDef for '{op_type}', missing attr '{attr}'")
        if attr and kinds[attr] != kind:
            # TF names the attr of the type in its text on lists of types, too.
            named = arg.type_attr if field == "type_list_attr" else attr
            raise TypeError(
                f"Attr '{named}' of '{op_type}' used as a {field} but has type {kinds[attr]}"
            )


def _attr_value(value: Any, attr: op_defs.AttrDef) -> Any:
    """An attr's value in plain form, refused in the words of TF's library."""
    if attr.type.startswith("list("):
        if not isinstance(value, list | tuple):
            raise TypeError(f"Expected list for attr {attr.name}")
        return [_element(item, attr.type[5:-1], attr.name) for item in value]
    return _element(value, attr.type, attr.name)


def _element(value: Any, kind: str, attr: str) -> Any:
    if kind != "shape":
        return attr_value.plain(value, kind, attr)
    try:
        return as_shape(value)
    except (TypeError, ValueError) as error:
        raise type(error)(f"Error converting {attr} to a TensorShape: {error}") from None


LIBRARY = OpDefLibrary()  # what `_op_def_lib` of a generated module is
LIBRARY._ops = collections.ChainMap(
    {}, cast("MutableMapping[str, Any]", op_def_registry.get_registered_ops())
)
