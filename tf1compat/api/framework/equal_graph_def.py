"""`tf.test.assert_equal_graph_def`."""

from __future__ import annotations

import re
from typing import Any

from tf1compat.core.attr_text import attr_text
from tf1compat.core.export import tf_export

_SHARDED_SAVE = r"_temp_[0-9a-z]{32}/part"
_TABLE_NAME = r"hash_table_[0-9a-z\-]+"


def _strip_checkpoint_v2_randomized(graph_def: Any) -> None:
    for node in graph_def.node:
        for key in list(node.attr):
            values = node.attr[key].tensor.string_val
            if len(values) == 1 and re.search(_SHARDED_SAVE, str(values[0])):
                del node.attr[key]


def _strip_hash_table_shared_name(graph_def: Any) -> None:
    for node in graph_def.node:
        if node.op == "HashTableV2" and "shared_name" in node.attr:
            if re.search(_TABLE_NAME, str(node.attr["shared_name"].s)):
                del node.attr["shared_name"]


@tf_export("test.assert_equal_graph_def")
def assert_equal_graph_def(
    actual: Any,
    expected: Any,
    checkpoint_v2: bool = False,
    hash_table_shared_name: bool = False,
) -> None:
    """Two graphs have the same nodes, in whatever order.

    Args:
      actual, expected: GraphDefs.
      checkpoint_v2: whether the random names of temporary files may differ.
      hash_table_shared_name: whether the random names of tables may differ.

    Raises:
      TypeError: they are no GraphDefs.
      AssertionError: they differ.
    """
    for what, graph_def in (("actual", actual), ("expected", expected)):
        if type(graph_def).__name__ != "GraphDef":
            raise TypeError(f"Expected tf.GraphDef for {what}, got {type(graph_def).__name__}")
    for graph_def in (actual, expected):
        if checkpoint_v2:
            _strip_checkpoint_v2_randomized(graph_def)
        if hash_table_shared_name:
            _strip_hash_table_shared_name(graph_def)
    difference = _graph_difference(actual, expected)
    if difference:
        raise AssertionError(difference)


def _graph_difference(actual: Any, expected: Any) -> str:
    """Where two GraphDefs first differ, in the words of TF 1.15's `EqualGraphDef`."""
    nodes = {node.name: node for node in actual.node}
    for want in expected.node:
        have = nodes.pop(want.name, None)
        if have is None:
            return f"Did not find expected node '{_summary(want)}'"
        difference = _node_difference(have, want)
        if difference:
            return difference
    if nodes:
        name, node = sorted(nodes.items())[0]
        return f"Found unexpected node '{_summary(node)}'"
    return ""


def _summary(node: Any) -> str:
    """A node on one line."""
    attrs = ", ".join(f"{key}={attr_text(node.attr[key])}" for key in sorted(node.attr))
    place = f', _device="{node.device}"' if node.device else ""
    return f"{{{{node {node.name}}}}} = {node.op}[{attrs}{place}]({', '.join(node.input)})"


def _node_difference(have: Any, want: Any) -> str:
    name = want.name
    for what in ("op", "device"):
        ours, theirs = getattr(have, what), getattr(want, what)
        if ours != theirs:
            return f"Node named '{name}' has {what} '{ours}' that is not expected '{theirs}'"
    if len(have.input) != len(want.input):
        return (
            f"Node named '{name}' has {len(have.input)} inputs instead of expected "
            f"{len(want.input)}"
        )

    def data(node: Any) -> list[str]:
        return [x.removesuffix(":0") for x in node.input if not x.startswith("^")]

    def control(node: Any) -> list[str]:
        return sorted(x for x in node.input if x.startswith("^"))

    for i, (ours, theirs) in enumerate(zip(data(have), data(want))):
        if ours != theirs:
            return (
                f"Node named '{name}' has input {i} '{ours}' that doesn't match expected '{theirs}'"
            )
    for ours, theirs in zip(control(have), control(want)):
        if ours != theirs:
            return f"Node named '{name}' missing expected control input '{theirs}'"
    for key in sorted(set(have.attr) | set(want.attr)):
        if key not in have.attr:
            return f"Node named '{name}' missing expected attr '{key}'"
        if key not in want.attr:
            return f"Node named '{name}' has unexpected attr '{key}'"
        if have.attr[key] != want.attr[key]:
            return (
                f"Node named '{name}' has attr '{key}' with value: {attr_text(have.attr[key])} "
                f"that does not match expected: {attr_text(want.attr[key])}"
            )
    return ""
