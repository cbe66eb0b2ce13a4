"""`tensorflow.python.framework.c_api_util`: what TF 1.15 writes about its op types."""

from __future__ import annotations

import re
from collections.abc import KeysView, Sequence
from typing import Any

from google.protobuf import text_format

from tf1compat.core import errors, op_defs, protos
from tf1compat.core.op_def_proto import op_def_proto

# As in a shell: a text of several lines, up to a line with its mark.
_TEXT = re.compile(r"^([^\n#]*:\s*)<<(\w+)\n(.*?)\n?^\2$", re.DOTALL | re.MULTILINE)


class ApiDefMap:
    """The `ApiDef` protos of all op types: how wrappers name and describe an op and its arguments.

    As in TF 1.15 nothing can be put into it once something was read.
    """

    def __init__(self):
        # Those that were changed. The others follow from their op's definition.
        self._changed: dict[str, Any] = {}
        self._read = False

    def put_api_def(self, text: str) -> None:
        """Changes what is said of op types.

        Args:
          text: an `ApiDefs` proto as text; `description: <<END` begins one of several lines.

        Raises:
          FailedPreconditionError: something was read before, or an argument is named that the op
            hasn't.
          InvalidArgumentError: the text is no `ApiDefs`.
        """
        if self._read:
            raise _refused(
                "TF_ApiDefMapPut cannot be called after TF_ApiDefMapGet has been called."
            )
        given = protos.load("api_def_pb2", "ApiDefs")()
        try:
            text_format.Parse(_TEXT.sub(_quoted, text), given)
        except text_format.ParseError as error:
            raise errors.InvalidArgumentError(None, None, str(error)) from None
        for change in given.op:
            if op_defs.get(change.graph_op_name) is not None:
                known = self._api_def(change.graph_op_name)
                _merge(known, change)
                self._changed[change.graph_op_name] = known

    def get_api_def(self, op_name: str) -> Any:
        """What is said of an op type.

        Args:
          op_name: the op type.

        Returns:
          An `ApiDef` proto.

        Raises:
          ValueError: there is no such op type.
        """
        self._read = True
        return self._api_def(op_name)

    def get_op_def(self, op_name: str) -> Any:
        """The `OpDef` proto of an op type; raises as `get_api_def`."""
        found = op_def_proto(op_name)
        if found is None:
            raise ValueError(f"No entry found for {op_name}.")
        return found

    def op_names(self) -> KeysView[str]:
        """All op types."""
        return dict.fromkeys(op_defs.names()).keys()

    def _api_def(self, op_name: str) -> Any:
        found = protos.load("api_def_pb2", "ApiDef")()
        found.CopyFrom(self._changed.get(op_name) or _of_definition(self.get_op_def(op_name)))
        return found


def _of_definition(op_def: Any) -> Any:
    """What is said of an op type where nobody says more."""
    found = protos.load("api_def_pb2", "ApiDef")(graph_op_name=op_def.name, visibility=1)
    found.endpoint.add(name=op_def.name)
    for field, args in ((found.in_arg, op_def.input_arg), (found.out_arg, op_def.output_arg)):
        for arg in args:
            field.add(name=arg.name, rename_to=arg.name)
    for attr in op_def.attr:
        made = found.attr.add(name=attr.name, rename_to=attr.name)
        if attr.HasField("default_value"):
            made.default_value.CopyFrom(attr.default_value)
    found.arg_order.extend(arg.name for arg in op_def.input_arg)
    return found


def _merge(known: Any, change: Any) -> None:
    """Takes over what `change` says; the rest stays."""
    op_name = known.graph_op_name
    for field, what in (("in_arg", "Argument"), ("out_arg", "Argument"), ("attr", "Attribute")):
        of_name = {one.name: one for one in getattr(known, field)}
        for one in getattr(change, field):
            if one.name not in of_name:
                raise _refused(f"{what} {one.name} not defined in base api for {op_name}")
            of_name[one.name].MergeFrom(one)
    if change.arg_order:
        _check_order(op_name, list(change.arg_order), list(known.arg_order))
        known.arg_order[:] = change.arg_order
    if change.endpoint:
        del known.endpoint[:]
        known.endpoint.extend(change.endpoint)
    if change.visibility:
        known.visibility = change.visibility
    if change.summary:
        known.summary = change.summary
    if change.description:
        known.description = change.description
    if change.description_prefix:
        known.description = f"{change.description_prefix}\n{known.description}"
    if change.description_suffix:
        known.description += f"\n{change.description_suffix}"


def _check_order(op_name: str, given: Sequence[str], known: Sequence[str]) -> None:
    if len(given) != len(known):
        raise _refused(
            f"Invalid number of arguments {len(given)} for {op_name}. Expected: {len(known)}"
        )
    if sorted(given) != sorted(known):
        raise _refused(
            f"Invalid arg_order: {', '.join(given)} for {op_name}. All elements in arg_order "
            f"override must match base arg_order: {', '.join(known)}"
        )


def _refused(text: str) -> errors.FailedPreconditionError:
    return errors.FailedPreconditionError(None, None, text)


def _quoted(found: re.Match[str]) -> str:
    text = found[3].replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
    return f'{found[1]}"{text}"'
