"""`tf.graph_util`: parts of GraphDefs, and GraphDefs with their variables frozen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from tf1compat.api.deprecation import deprecated
from tf1compat.api.platform import tf_logging
from tf1compat.core import dtypes, ops, protos
from tf1compat.core.export import tf_export
from tf1compat.core.tensor_proto import make_tensor_proto

_VARIABLE_OPS = {
    *("Assign", "AssignAdd", "AssignSub", "Queue", "ScatterAdd", "ScatterSub", "ScatterUpdate"),
    *("TruncatedNormal", "Variable", "VariableV2"),
}
# What may stand between a variable's handle and what reads it.
_PASSES_HANDLES = {"Switch", "Enter", "Exit", "Identity", "Merge", "NextIteration"}
# Ops that are on the CPU for the dtype of one of their attributes.
_CPU_DTYPES = {
    "Const": ("dtype", (dtypes.string, dtypes.int32)),
    "DynamicStitch": ("T", (dtypes.int32,)),
    "ParallelDynamicStitch": ("T", (dtypes.int32,)),
    "Cast": ("SrcT", (dtypes.int32,)),
}


def _deprecated(name: str) -> Any:
    return deprecated(None, f"Use `tf.compat.v1.graph_util.{name}`")


@tf_export("graph_util.must_run_on_cpu")
@_deprecated("must_run_on_cpu")
def must_run_on_cpu(node: Any, pin_variables_on_cpu: bool = False) -> bool:
    """Whether TF 1.15 puts an operation on the CPU even if there is a GPU.

    Args:
      node: an Operation or a NodeDef.
      pin_variables_on_cpu: whether variables, and what assigns to them, count as such.

    Returns:
      A bool.
    """
    node_def = node.node_def if isinstance(node, ops.Operation) else node
    assert isinstance(node_def, protos.NodeDef)
    if pin_variables_on_cpu and node_def.op in _VARIABLE_OPS:
        return True
    attr, on_cpu = _CPU_DTYPES.get(node_def.op, ("", ()))
    return bool(attr) and node_def.attr[attr].type in [d.as_datatype_enum for d in on_cpu]


def _node_name(input_name: str) -> str:
    return input_name[1:] if input_name.startswith("^") else input_name.split(":")[0]


def _needs(node: Any) -> list[str]:
    """The names of the nodes that a node can't be without: its inputs, and those it is with."""
    places = node.attr["_class"].list.s if "_class" in node.attr else ()
    beside = [p[5:].decode() for p in places if p.startswith(b"loc:@")]
    return [*map(_node_name, node.input), *beside]


@tf_export("graph_util.extract_sub_graph")
@_deprecated("extract_sub_graph")
def extract_sub_graph(graph_def: Any, dest_nodes: Any) -> Any:
    """The part of a graph that some nodes need.

    Args:
      graph_def: a GraphDef.
      dest_nodes: a list of names of nodes.

    Returns:
      A GraphDef with the nodes in their order.

    Raises:
      TypeError: either argument is of another type.
      AssertionError: a node is not in the graph.
    """
    if not isinstance(graph_def, protos.GraphDef):
        raise TypeError("graph_def must be a graph_pb2.GraphDef proto.")
    if isinstance(dest_nodes, str):
        raise TypeError("dest_nodes must be a list.")
    nodes = {_node_name(node.name): node for node in graph_def.node}
    for name in dest_nodes:
        assert name in nodes, f"{name} is not in graph"
    kept: set[str] = set()
    pending = list(dest_nodes)
    while pending:
        name = pending.pop()
        if name not in kept:
            kept.add(name)
            pending += _needs(nodes[name])
    part = protos.GraphDef()
    part.node.extend(node for name, node in nodes.items() if name in kept)
    part.library.CopyFrom(graph_def.library)
    part.versions.CopyFrom(graph_def.versions)
    return part


@tf_export("graph_util.tensor_shape_from_node_def_name")
@_deprecated("tensor_shape_from_node_def_name")
def tensor_shape_from_node_def_name(graph: Any, input_name: str) -> Any:
    """The static shape of the tensor that an input string of a NodeDef names."""
    name = input_name if ":" in input_name else f"{input_name}:0"
    return graph.get_tensor_by_name(name).get_shape()


# ---- Freezing ----------


@tf_export("graph_util.convert_variables_to_constants")
@_deprecated("convert_variables_to_constants")
def convert_variables_to_constants(
    sess: Any,
    input_graph_def: Any,
    output_node_names: Sequence[str],
    variable_names_whitelist: Iterable[str] | None = None,
    variable_names_blacklist: Iterable[str] | None = None,
) -> Any:
    """The part of a graph that some nodes need, with the variables in it made constants.

    Args:
      sess: the session that has the variables' values.
      input_graph_def: the GraphDef of its graph.
      output_node_names: a list of names of nodes.
      variable_names_whitelist: the names of the variables to convert; None for all.
      variable_names_blacklist: the names of variables not to convert, or None.

    Returns:
      A GraphDef.

    Raises:
      ValueError: a resource variable is read in a way that can't be frozen.
    """
    graph = extract_sub_graph(input_graph_def, output_node_names)
    fetches = {}
    for node in graph.node:
        if node.op not in ("Variable", "VariableV2", "VarHandleOp"):
            continue
        if variable_names_whitelist is not None and node.name not in variable_names_whitelist:
            continue
        if variable_names_blacklist is not None and node.name in variable_names_blacklist:
            continue
        read = "/Read/ReadVariableOp" if node.op == "VarHandleOp" else ""
        fetches[node.name] = f"{node.name}{read}:0"
    handle_types = _handle_types(graph)
    values = dict(zip(fetches, sess.run(list(fetches.values())) if fetches else (), strict=True))
    tf_logging.info("Froze %d variables.", len(values))
    frozen = protos.GraphDef()
    for node in graph.node:
        if node.name in values:
            value = values[node.name]
            frozen.node.append(_const(node.name, node.attr["dtype"], value, value.shape))
        elif node.name in handle_types:
            frozen.node.append(_of_values(node, handle_types[node.name]))
        elif node.op == "ReadVariableOp":
            identity = _node("Identity", node, [node.input[0]])
            identity.attr["T"].CopyFrom(node.attr["dtype"])
            frozen.node.append(identity)
        elif node.op == "ResourceGather":
            frozen.node.extend(_gather(node))
        else:
            frozen.node.append(node)
    frozen.library.CopyFrom(graph.library)
    tf_logging.info("Converted %d variables to const ops.", len(values))
    return frozen


def _handle_types(graph: Any) -> dict[str, Any]:
    """The nodes that pass a handle on to where it is read, each with the variable's dtype."""
    nodes = {node.name: node for node in graph.node}
    found: dict[str, Any] = {}
    for reader in graph.node:
        if reader.op not in ("ReadVariableOp", "ResourceGather"):
            continue
        pending = [_node_name(reader.input[0])]
        while pending:
            node = nodes[pending.pop()]
            if node.op == "VarHandleOp":
                continue
            if node.op not in _PASSES_HANDLES:
                raise ValueError("Cannot find the variable that is an input to the ReadVariableOp.")
            if node.name not in found:
                found[node.name] = reader.attr["dtype"]
                count = 2 if node.op == "Merge" else 1
                pending += [_node_name(name) for name in node.input[:count]]
    return found


def _const(name: str, dtype: Any, value: Any, shape: Any = None) -> Any:
    node = protos.NodeDef(op="Const", name=name)
    node.attr["dtype"].CopyFrom(dtype)
    node.attr["value"].tensor.CopyFrom(make_tensor_proto(value, dtype=dtype.type, shape=shape))
    return node


def _node(op: str, replaced: Any, inputs: Sequence[str]) -> Any:
    """A node in place of another one, on its device's side but without its attributes."""
    node = protos.NodeDef(op=op, name=replaced.name, input=inputs)
    if "_class" in replaced.attr:
        node.attr["_class"].CopyFrom(replaced.attr["_class"])
    return node


def _of_values(node: Any, dtype: Any) -> Any:
    """A node that passed a handle on, for the value instead."""
    changed = protos.NodeDef(op=node.op, name=node.name, input=node.input)
    for name, value in node.attr.items():
        if name != "_output_shapes":
            changed.attr[name].CopyFrom(value)
    changed.attr["T"].CopyFrom(dtype)
    return changed


def _gather(node: Any) -> list[Any]:
    if node.attr["batch_dims"].i != 0:
        raise ValueError("batch_dims != 0 is not supported by freeze_graph.")
    axis = _const(f"{node.name}/axis", node.attr["Tindices"], 0)
    gather = _node("GatherV2", node, [node.input[0], node.input[1], axis.name])
    gather.attr["Tparams"].CopyFrom(node.attr["dtype"])
    gather.attr["Tindices"].CopyFrom(node.attr["Tindices"])
    gather.attr["Taxis"].CopyFrom(node.attr["Tindices"])
    return [axis, gather]


# ---- Without what only training needs ----------


@tf_export("graph_util.remove_training_nodes")
@_deprecated("remove_training_nodes")
def remove_training_nodes(input_graph: Any, protected_nodes: Sequence[str] | None = None) -> Any:
    """A graph without its CheckNumerics, and without the Identity nodes that no control edge needs.

    Args:
      input_graph: a GraphDef.
      protected_nodes: names of nodes to keep in any case.

    Returns:
      A GraphDef.
    """
    protected = set(protected_nodes or ())
    checks = {
        n.name for n in input_graph.node if n.op == "CheckNumerics" and n.name not in protected
    }
    nodes = [
        _with_inputs(node, [name for name in node.input if name.removeprefix("^") not in checks])
        for node in input_graph.node
        if node.name not in checks
    ]
    controls = {name.removeprefix("^") for n in nodes for name in n.input if name.startswith("^")}
    spliced = {
        node.name: node.input[0]
        for node in nodes
        if node.op == "Identity"
        and node.name not in protected
        and node.name not in controls
        and not any(name.startswith("^") for name in node.input)
    }

    def source(name: str) -> str:
        while name.removeprefix("^") in spliced:
            name = spliced[name.removeprefix("^")]
        return name

    result = protos.GraphDef()
    result.node.extend(
        _with_inputs(node, [source(name) for name in node.input])
        for node in nodes
        if node.name not in spliced
    )
    return result


def _with_inputs(node: Any, inputs: Sequence[str]) -> Any:
    changed = protos.NodeDef()
    changed.CopyFrom(node)
    del changed.input[:]
    changed.input.extend(inputs)
    return changed
