"""`tensorflow.python.framework.op_def_library`: operations recorded by the name of their type."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tf1compat.core import context, op_defs, op_registry, raw_ops
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor


class OpDefLibrary:
    """A library of op types: here always all that TF has, with those of the libraries loaded."""

    def add_op(self, op_def: Any) -> None:
        """Adds an op type.

        Args:
          op_def: its `OpDef` proto.

        Raises:
          NotImplementedError: TF has no such op type.
        """
        if op_defs.get(op_def.name) is None:
            raise NotImplementedError(
                f"OpDefLibrary.add_op of a new op type ({op_def.name}) is not supported by "
                "tf1compat"
            )

    def add_op_list(self, op_list: Iterable[Any]) -> None:
        """Adds the op types of an `OpList` proto, or a list of `OpDef`s (see `add_op`)."""
        for op_def in getattr(op_list, "op", op_list):
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
        op_def = op_defs.get(op_type_name)
        if op_def is None:
            raise RuntimeError(f"Unrecognized Op name {op_type_name}")
        given = {}
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
        result = raw_ops.function(op_type_name)(**given, name=name)
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


LIBRARY = OpDefLibrary()
