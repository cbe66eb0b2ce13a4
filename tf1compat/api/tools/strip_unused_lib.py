"""`tensorflow.python.tools.strip_unused_lib`: the part of a GraphDef between given nodes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from google.protobuf import text_format

from tf1compat.api.framework import graph_util_impl
from tf1compat.api.platform import gfile
from tf1compat.core import protos


def strip_unused(
    input_graph_def: Any,
    input_node_names: Sequence[str],
    output_node_names: Sequence[str],
    placeholder_type_enum: Any,
) -> Any:
    """The nodes that the outputs need, with the inputs made placeholders (as in TF 1.15).

    Args:
      input_graph_def: a `GraphDef`.
      input_node_names: the nodes that become placeholders.
      output_node_names: the nodes that are wanted.
      placeholder_type_enum: the placeholders' dtype as a `DataType` enum, or a list: one for each.

    Returns:
      A `GraphDef`.

    Raises:
      ValueError: an input name is a tensor's.
      KeyError: an input node is not in the graph.
    """
    for name in input_node_names:
        if ":" in name:
            raise ValueError(f"Name '{name}' appears to refer to a Tensor, not a Operation.")
    replaced = protos.GraphDef()
    not_found = set(input_node_names)
    for node in input_graph_def.node:
        if node.name not in input_node_names:
            replaced.node.add().CopyFrom(node)
            continue
        not_found.remove(node.name)
        placeholder = replaced.node.add(op="Placeholder", name=node.name)
        enum = placeholder_type_enum
        if isinstance(enum, list):
            enum = enum[list(input_node_names).index(node.name)]
        placeholder.attr["dtype"].type = enum
        for attr in ("_output_shapes", "shape"):
            if attr in node.attr:
                placeholder.attr[attr].CopyFrom(node.attr[attr])
    if not_found:
        raise KeyError(f"The following input nodes were not found: {not_found}")
    return graph_util_impl.extract_sub_graph(replaced, output_node_names)


def strip_unused_from_files(
    input_graph: str,
    input_binary: bool,
    output_graph: str,
    output_binary: bool,
    input_node_names: str,
    output_node_names: str,
    placeholder_type_enum: Any,
) -> int | None:
    """`strip_unused` from file to file; the names are separated by commas.

    Returns:
      -1 if something is missing, which is printed; else None.
    """
    if not gfile.Exists(input_graph):
        print(f"Input graph file '{input_graph}' does not exist!")
        return -1
    if not output_node_names:
        print("You need to supply the name of a node to --output_node_names.")
        return -1
    stripped = strip_unused(
        read_proto(protos.GraphDef(), input_graph, input_binary),
        input_node_names.split(","),
        output_node_names.split(","),
        placeholder_type_enum,
    )
    with gfile.GFile(output_graph, "wb" if output_binary else "w") as file:
        text = text_format.MessageToString
        file.write(stripped.SerializeToString() if output_binary else text(stripped))
    print(f"{len(stripped.node)} ops in the final graph.")
    return None


def read_proto(proto: Any, path: str, binary: bool) -> Any:
    """Reads a proto from a binary or a text file into `proto`, and returns it."""
    with gfile.GFile(path, "rb" if binary else "r") as file:
        if binary:
            proto.ParseFromString(file.read())
        else:
            text_format.Merge(file.read(), proto)
    return proto
