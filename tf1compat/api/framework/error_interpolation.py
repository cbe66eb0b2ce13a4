"""`tensorflow.python.framework.error_interpolation`: where the nodes of an error were made."""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from tf1compat.core.graph import Graph

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

    Raises:
      NotImplementedError: a tag "colocation_node", which asks for the devices that were active.
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
    texts, endings = [], []
    for tag, found in zip(tags, named, strict=True):
        text = f"{{{{{tag.type} {tag.name}}}}}"
        if tag.type == "function_node":
            text = ""
        elif found is not None and tag.type == "colocation_node":
            raise NotImplementedError("Tags colocation_node are not supported by tf1compat")
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
    parts = itertools.zip_longest(separators, texts, fillvalue="")
    return "".join(itertools.chain.from_iterable(parts))
