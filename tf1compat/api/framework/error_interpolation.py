"""`tensorflow.python.framework.error_interpolation`: where the nodes of an error were made."""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from tf1compat.core import protos
from tf1compat.core.graph import Graph
from tf1compat.core.operation import Operation
from tf1compat.core.traceable_stack import TraceableObject

_NAME = r"[A-Za-z0-9_.][A-Za-z0-9_.\-/]*"
_TAG = re.compile(rf"\{{\{{({_NAME}) ({_NAME})\}}\}}")
# What files of TF's own are in, as seen by errors of programs that TF recorded.
_LIBRARY = tuple(
    os.path.join(package, part)
    for package in ("tensorflow", "tensorflow_estimator")
    for part in ("python", "contrib")
) + ("<embedded",)


class _ParseTag(NamedTuple):
    type: str
    name: str


def parse_message(message: str) -> tuple[list[str], list[_ParseTag]]:
    """Takes a message with tags as "{{node name}}" apart.

    Args:
      message: the text.

    Returns:
      What stands before, between and after the tags, and the tags.
    """
    separators, tags, end = [], [], 0
    for found in _TAG.finditer(message):
        separators.append(message[end : found.start()])
        tags.append(_ParseTag(*found.groups()))
        end = found.end()
    return [*separators, message[end:]], tags


def _find_index_of_defining_frame_for_op(op: Any) -> int:
    """The place in `op.traceback` of the innermost frame that is not TF's; 0 if all are."""
    frames = list(enumerate(op.traceback))
    for index, frame in reversed(frames):
        if not any(part in frame[0] for part in _LIBRARY):
            return index
    return 0


def _get_defining_frame_from_op(op: Any) -> Any:
    """The frame at that place."""
    return op.traceback[_find_index_of_defining_frame_for_op(op)]


def traceback_files_common_prefix(all_ops: Iterable[Iterable[Any] | None]) -> str:
    """The folder that all files of the operations' tracebacks are in; "" if there is none."""
    files = {
        frame[0]
        for group in all_ops
        for op in group or ()
        for frame in op.traceback
        if "<embedded" not in frame[0]
    }
    return os.path.split(os.path.commonprefix(list(files)))[0]


def _compute_useful_frames(op: Any, num: int) -> Any:
    """At most `num` frames up to the defining one, and two of TF's further in."""
    end = _find_index_of_defining_frame_for_op(op) + 3
    frames = op.traceback[:end]
    return frames[-num:] if num > 0 else frames[:0]


def create_graph_debug_info_def(operations: Iterable[tuple[str, Operation]]) -> Any:
    """A `GraphDebugInfo` proto: for each operation the lines that made it (as in TF 1.15).

    Args:
      operations: pairs of a function's name ("" outside of functions) and an operation in it.

    Returns:
      The proto, with traces by the function's name followed by the operation's.
    """
    frames = {function + op.name: _compute_useful_frames(op, 10) for function, op in operations}
    files = list(dict.fromkeys(frame[0] for stack in frames.values() for frame in stack))
    info = protos.load("graph_debug_info_pb2", "GraphDebugInfo")(files=files)
    for name, stack in frames.items():
        trace = info.traces[name]  # One without frames is there too.
        for file, line, *_ in reversed(stack):
            trace.file_line_cols.add(file_index=files.index(file), line=line)
    return info


def _within(what: str, name: str, blocks: list[tuple[str, Any]], prefix: str = "") -> str:
    """Lines that name the `with` blocks around an operation."""
    if not blocks:
        return f"{prefix}No {what} were active during op '{name}' creation."
    lines = [f"{prefix}{what[0].upper()}{what[1:]} active during op '{name}' creation:"]
    lines += [f"{prefix}  with {text}: <{at.filename}:{at.lineno}>" for text, at in blocks]
    return "\n".join(lines)


def _compute_device_summary_from_list(
    name: str, device_assignment_list: list[TraceableObject], prefix: str = ""
) -> str:
    blocks = [(f"tf.device({at.obj})", at) for at in device_assignment_list]
    return _within("device assignments", name, blocks, prefix)


def _compute_device_assignment_summary_from_op(op: Operation, prefix: str = "") -> str:
    return _compute_device_summary_from_list(op.name, op._device_assignments, prefix)


def _compute_colocation_summary_from_dict(
    name: str, colocation_dict: dict[str, TraceableObject], prefix: str = ""
) -> str:
    blocks = [(f"tf.colocate_with({other})", at) for other, at in colocation_dict.items()]
    return _within("node-device colocations", name, blocks, prefix)


def _compute_colocation_summary_from_op(op: Operation, prefix: str = "") -> str:
    return _compute_colocation_summary_from_dict(op.name, op._colocation_dict, prefix)


def compute_field_dict(op: Operation, strip_file_prefix: str = "") -> dict[str, Any]:
    """What error texts say of an operation (as in TF 1.15).

    Args:
      op: the operation.
      strip_file_prefix: what is left out of the file's name where it begins so.

    Returns:
      "file" and "line" where it was made, and the texts "defined_at", "colocations", "devices" and
      "devs_and_colocs", the last two together.
    """
    file, line, *_ = _get_defining_frame_from_op(op)
    file = file.removeprefix(strip_file_prefix)
    colocations = _compute_colocation_summary_from_op(op)
    devices = _compute_device_assignment_summary_from_op(op)
    return {
        "file": file,
        "line": line,
        "defined_at": f" (defined at {file}:{line})",
        "colocations": colocations,
        "devices": devices,
        "devs_and_colocs": f"{colocations}\n{devices}",
    }


def _defined_at(op: Any, prefix: str) -> str:
    file, line, *_ = _get_defining_frame_from_op(op)
    return f" (defined at {file.removeprefix(prefix)}:{line})"


def _before(op: Any) -> list[Any]:
    """The operations that an operation depends on, each once."""
    return list(dict.fromkeys([*(tensor.op for tensor in op.inputs), *op.control_inputs]))


def interpolate(error_message: str, graph: Graph) -> str:
    """A message with the places where the nodes were made that it names (as in TF 1.15).

    Args:
      error_message: the text, with tags as "{{node name}}".
      graph: the graph with these nodes.
    """
    separators, tags = parse_message(error_message)
    named: list[list[Any] | None] = []
    for tag in tags:
        try:
            op = graph.get_operation_by_name(tag.name)
        except KeyError:
            named.append(None)
        else:
            named.append([op, *_before(op)])
    prefix = traceback_files_common_prefix(named)
    texts, endings, places_asked = [], [], []
    for tag, found in zip(tags, named, strict=True):
        text = f"{{{{{tag.type} {tag.name}}}}}"
        if tag.type == "function_node":
            text = ""
        elif found is not None and tag.type == "colocation_node":
            fields = compute_field_dict(found[0], prefix)
            text = "node {}{} placed on device {} ".format(
                found[0].name, fields["defined_at"], fields["devices"]
            )
            places_asked.append(fields["devs_and_colocs"])
        elif found is not None and tag.type == "node":
            op, *sources = found
            place = _defined_at(op, prefix)
            text = f"node {op.name}{place} "
            # The first source of each place.
            places = {_defined_at(source, prefix): source for source in reversed(sources)}
            others = [s for s in sources if places.get(_defined_at(s, prefix)) is s]
            lines = [
                f" {source.name}{_defined_at(source, prefix)}"
                for source in others
                if _defined_at(source, prefix) != place
            ]
            if lines:
                head = f"\nInput Source operations connected to node {op.name}:\n"
                endings.append(head + "\t\n".join(lines))
        texts.append(text)
    if endings:
        texts.append("\n\nErrors may have originated from an input operation.")
        texts.append("\n".join(endings))
    if places_asked:
        texts.append("Additional information about colocations:")
        texts.append("\n".join(places_asked))
    parts = itertools.zip_longest(separators, texts, fillvalue="")
    return "".join(itertools.chain.from_iterable(parts))
