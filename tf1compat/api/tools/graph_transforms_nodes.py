"""Graph transforms that change nodes one by one: their names, types, attributes and constants."""

from __future__ import annotations

import itertools
import string
from collections.abc import Iterator
from typing import Any

import numpy as np

from tf1compat.api.framework import importer
from tf1compat.api.tools.graph_transforms_base import (
    Context,
    const_node,
    graph_of,
    invalid,
    node_of,
    value_of,
)
from tf1compat.core import dtypes, graph, protos

# Constants of fewer elements keep their values.
_LEAST_ROUNDED = 16


def _round_weights(graph_def: Any, context: Context) -> Any:
    """Constants of float32 get few values, that files compress well: the middles of steps."""
    given = context.only("num_steps", "256")
    try:
        steps = int(given)
    except ValueError:
        raise invalid(f"Couldn't interpret the num_steps argument as a number:{given}") from None
    result = []
    for node in graph_def.node:
        if node.op == "Const" and node.attr["dtype"].type == dtypes.float32.as_datatype_enum:
            value = value_of(node)
            if value.size >= _LEAST_ROUNDED:
                result.append(const_node(node.name, _rounded(value, steps), dtypes.float32))
                continue
        result.append(node)
    return graph_of(result, graph_def.library)


def _rounded(value: np.ndarray, steps: int) -> np.ndarray:
    low = np.float32(value.min())
    # In TF the highest value is looked for from the smallest positive one on.
    high = max(np.float32(value.max()), np.finfo(np.float32).tiny)
    if low == high:
        high = np.float32(low + 1 if abs(low) < 1e-6 else 2 * low)
    width = np.float32((high - low) / np.float32(steps))
    step = np.floor((value - low) / width)
    return np.asarray(low + width * (step + np.float32(0.5)), np.float32)


def _add_default_attributes(graph_def: Any, context: Context) -> Any:
    """Attributes that nodes lack get the defaults of their types."""
    return importer.with_defaults(graph_def)


def _obfuscate_names(graph_def: Any, context: Context) -> Any:
    """Nodes are called 0, 1, … 9, a, … Z, 10, … but for the inputs and outputs."""
    kept = {*context.input_nodes, *context.output_nodes}
    short = (name for name in _short_names() if name not in kept)
    names = {node.name: next(short) for node in graph_def.node if node.name not in kept}
    result = []
    for node in graph_def.node:
        copy = protos.NodeDef()
        copy.CopyFrom(node)
        copy.name = names.get(node.name, node.name)
        copy.input[:] = [
            name.replace(node_of(name), names.get(node_of(name), node_of(name)), 1)
            for name in node.input
        ]
        result.append(copy)
    return graph_of(result, graph_def.library)


def _short_names() -> Iterator[str]:
    """The numbers from 0 on, written with digits and letters."""
    figures = string.digits + string.ascii_letters
    for length in itertools.count(1):
        for parts in itertools.product(figures, repeat=length):
            if length == 1 or parts[0] != "0":
                yield "".join(parts)


def _insert_logging(graph_def: Any, context: Context) -> Any:
    """Print operations come between nodes, of some types or prefixes, and what uses them."""
    ops, prefixes = context.params.get("op"), context.params.get("prefix")
    used = {node_of(name) for node in graph_def.node for name in node.input}
    with graph.Graph().as_default() as imported:
        importer.import_graph_def(graph_def, name="")
    names, logged = {}, {}
    for node in graph_def.node:
        outputs = imported.get_operation_by_name(node.name).outputs
        is_wanted = (not ops or node.op in ops) and (
            not prefixes or node.name.startswith(tuple(prefixes))
        )
        if outputs and is_wanted and node.name in used:
            types = [output.dtype for output in outputs]
            logged[node.name] = _print_node(node, types, context)
            names[node.name] = names[f"{node.name}:0"] = f"{logged[node.name].name}:0"
    result = []
    for node in graph_def.node:
        node.input[:] = [names.get(name, name) for name in node.input]
        result.append(node)
        if node.name in logged:
            result.append(logged[node.name])
    return graph_of(result, graph_def.library)


def _print_node(node: Any, types: list[dtypes.DType], context: Context) -> Any:
    """What logs all outputs of a node, and hands on the first."""
    name = f"{node.name}__print__"
    values = [f"{node.name}:{i}" for i in range(len(types))]
    logged = protos.NodeDef(op="Print", name=name)
    logged.input.extend([values[0], *values])
    logged.attr["T"].type = types[0].as_datatype_enum
    logged.attr["U"].list.type.extend(dtype.as_datatype_enum for dtype in types)
    logged.attr["first_n"].i = int(context.only("first_n", "-1"))
    logged.attr["summarize"].i = int(context.only("summarize", "1024"))
    shown = (("show_op", node.op), ("show_name", name))
    heads = [f";{text};" for flag, text in shown if context.flag(flag)]
    logged.attr["message"].s = "".join([*heads, context.only("message", "")]).encode()
    return logged


def _backport_concatv2(graph_def: Any, context: Context) -> Any:
    """ConcatV2 becomes Concat, whose axis comes first."""
    for node in graph_def.node:
        if node.op == "ConcatV2":
            node.op = "Concat"
            count = node.attr["N"].i
            node.input[:] = [node.input[count], *node.input[:count], *node.input[count + 1 :]]
            node.attr.pop("Tidx", None)
    return graph_def


_OF_TENSOR_ARRAYS = "Grad Write Read Gather Scatter Concat Split Size Close".split()


def _backport_tensor_array_v3(graph_def: Any, context: Context) -> Any:
    """TensorArrays become those of version 2, whose flow begins with a constant."""
    older = {f"TensorArray{what}V3": f"TensorArray{what}V2" for what in _OF_TENSOR_ARRAYS}
    names, result = {}, []
    for node in graph_def.node:
        node.op = older.get(node.op, node.op)
        result.append(node)
        if node.op == "TensorArrayV3":
            node.op = "TensorArrayV2"
            flow = const_node(
                f"{node.name}/replacement_flow_node", np.asarray(1.0, np.float32), dtypes.float32
            )
            names[f"{node.name}:1"] = flow.name
            result.append(flow)
    for node in result:
        node.input[:] = [names.get(name, name) for name in node.input]
    return graph_of(result, graph_def.library)


TRANSFORMS = {
    "add_default_attributes": _add_default_attributes,
    "backport_concatv2": _backport_concatv2,
    "backport_tensor_array_v3": _backport_tensor_array_v3,
    "insert_logging": _insert_logging,
    "obfuscate_names": _obfuscate_names,
    "round_weights": _round_weights,
}
