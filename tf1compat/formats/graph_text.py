"""GraphDefs as protobuf's text, which `graph.pbtxt` of each training is."""

from __future__ import annotations

import re
from typing import Any

from tf1compat.core.deferred import Deferred

text_format = Deferred("google.protobuf.text_format")

# What is written between quotes as it is.
_PLAIN = re.compile(r"[\w/.:^>,@ -]*", re.ASCII)
_FIELDS = {"name", "op", "input", "device", "attr"}
# Longer values are seldom the same as another one.
_LONGEST_KEPT = 256


def graph_text(graph_def: Any) -> str:
    """A GraphDef as `text_format.MessageToString` writes it, in a fraction of the time: what nodes
    have as attrs is mostly the same few values.

    Args:
      graph_def: the GraphDef.
    """
    rest = type(graph_def)()
    rest.CopyFrom(graph_def)
    rest.ClearField("node")
    values: dict[bytes, str] = {}
    nodes = [f"node {{\n{_node_text(node, values)}}}\n" for node in graph_def.node]
    return "".join(nodes) + text_format.MessageToString(rest)


def _node_text(node: Any, values: dict[bytes, str]) -> str:
    """The lines of a node; `values` keeps those of attrs, by the attrs' bytes."""
    fields = {field.name for field, _ in node.ListFields()}
    attrs = sorted(node.attr)
    texts = [node.name, node.op, node.device, *node.input, *attrs]
    if fields - _FIELDS or "" in attrs or not all(map(_PLAIN.fullmatch, texts)):
        return text_format.MessageToString(node, indent=2)
    lines = [f'  {name}: "{text}"\n' for name, text in _strings(node, fields)]
    for name in attrs:
        value = _value_text(node.attr[name], values)
        lines.append(f'  attr {{\n    key: "{name}"\n    value {{\n{value}    }}\n  }}\n')
    return "".join(lines)


def _strings(node: Any, fields: set[str]) -> list[tuple[str, str]]:
    """The fields of a node that are strings, in their order, with their values."""
    inputs = [("input", name) for name in node.input]
    first = [(name, getattr(node, name)) for name in ("name", "op") if name in fields]
    return [*first, *inputs, *([("device", node.device)] if "device" in fields else [])]


def _value_text(value: Any, values: dict[bytes, str]) -> str:
    content = value.SerializeToString()
    text = values.get(content)
    if text is None:
        text = text_format.MessageToString(value, indent=6)
        if len(content) <= _LONGEST_KEPT:
            values[content] = text
    return text
