"""`tf.graph_util` (`tensorflow.python.framework.graph_util_impl`): GraphDefs cut and frozen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.util.deprecation import deprecated
from tf1compat.core import dtypes, ops, protos
from tf1compat.core.export import tf_export
from tf1compat.core.graph import Graph
from tf1compat.core.session_interface import SessionInterface
from tf1compat.core.tensor_proto import make_tensor_proto

_VARIABLE_OPS = frozenset(
    "Assign AssignAdd AssignSub Queue ScatterAdd ScatterSub ScatterUpdate TruncatedNormal Variable "
    "VariableV2".split()
)
# What may lie between a variable's handle and what reads it.
_PASSING_OPS = ("Switch", "Enter", "Exit", "Identity", "Merge", "NextIteration")


def _is_variable_op(op: str) -> bool:
    return op in _VARIABLE_OPS


@tf_export("graph_util.must_run_on_cpu")
@deprecated(None, "Use `tf.compat.v1.graph_util.must_run_on_cpu`")
def must_run_on_cpu(node: Any, pin_variables_on_cpu: bool = False) -> bool:
    """Whether TF runs a node on the CPU only.

    Args:
      node: an `Operation` or `NodeDef`.
      pin_variables_on_cpu: whether variables are to be there.

    Returns:
      A bool.
    """
    if isinstance(node, ops.Operation):
        node = node.node_def
    else:
        assert isinstance(node, protos.NodeDef)
    if pin_variables_on_cpu and _is_variable_op(node.op):
        return True
    if node.op == "Const":
        return node.attr["dtype"].type in (dtypes.string, dtypes.int32)
    if node.op in ("DynamicStitch", "ParallelDynamicStitch"):
        return node.attr["T"].type == dtypes.int32
    return node.op == "Cast" and node.attr["SrcT"].type == dtypes.int32


def _node_name(name: str) -> str:
    """The node's name in what a node lists as an input."""
    return name[1:] if name.startswith("^") else name.split(":")[0]


def _inputs(node: Any) -> list[str]:
    """The names of the nodes that a node reads, waits for, or is placed with."""
    names = [_node_name(name) for name in node.input]
    places = node.attr["_class"].list.s if "_class" in node.attr else ()
    return names + [name.decode()[5:] for name in places if name.startswith(b"loc:@")]


@tf_export("graph_util.extract_sub_graph")
@deprecated(None, "Use `tf.compat.v1.graph_util.extract_sub_graph`")
def extract_sub_graph(graph_def: Any, dest_nodes: Sequence[str]) -> Any:
    """The part of a graph that some nodes need.

    Args:
      graph_def: a `GraphDef`.
      dest_nodes: the names of the nodes.

    Returns:
      A `GraphDef` with them and what they depend on, in the order of before.

    Raises:
      TypeError: `graph_def` is none, or `dest_nodes` no list.
      AssertionError: a node is not in the graph.
    """
    if not isinstance(graph_def, protos.GraphDef):
        raise TypeError("graph_def must be a graph_pb2.GraphDef proto.")
    if isinstance(dest_nodes, str):
        raise TypeError("dest_nodes must be a list.")
    nodes = {_node_name(node.name): node for node in graph_def.node}
    for name in dest_nodes:
        assert name in nodes, f"{name} is not in graph"
    wanted: set[str] = set()
    waiting = list(dest_nodes)
    while waiting:
        name = waiting.pop()
        if name not in wanted:
            wanted.add(name)
            waiting.extend(_inputs(nodes[name]))
    kept = protos.GraphDef()
    kept.node.extend(node for name, node in nodes.items() if name in wanted)
    kept.library.CopyFrom(graph_def.library)
    kept.versions.CopyFrom(graph_def.versions)
    return kept


@tf_export("graph_util.tensor_shape_from_node_def_name")
@deprecated(None, "Use `tf.compat.v1.graph_util.tensor_shape_from_node_def_name`")
def tensor_shape_from_node_def_name(graph: Graph, input_name: str) -> Any:
    """The shape of a tensor.

    Args:
      graph: a `Graph`.
      input_name: the tensor's name, as a `NodeDef` lists it.

    Returns:
      A `TensorShape`.
    """
    name = input_name if ":" in input_name else input_name + ":0"
    return graph.get_tensor_by_name(name).get_shape()


def _const(name: str, dtype: Any, data: Any, shape: Any = None) -> Any:
    """The node of a constant."""
    node = protos.NodeDef(op="Const", name=name)
    node.attr["dtype"].CopyFrom(dtype)
    proto = make_tensor_proto(data, dtype=dtype.type, shape=shape)
    node.attr["value"].CopyFrom(protos.AttrValue(tensor=proto))
    return node


def _passing_types(graph_def: Any) -> dict[str, Any]:
    """The nodes that a variable's handle passes on its way to be read -> the variable's dtype.

    Raises:
      ValueError: what is read is no variable.
    """
    nodes = {node.name: node for node in graph_def.node}
    found: dict[str, Any] = {}

    def source(name: str, index: int = 0) -> str:
        return nodes[name].input[index].split(":")[0]

    for node in graph_def.node:
        if node.op not in ("ReadVariableOp", "ResourceGather"):
            continue
        waiting = [source(node.name)]
        while waiting and nodes[waiting[0]].op in _PASSING_OPS:
            name = waiting.pop()
            if name not in found:
                found[name] = node.attr["dtype"]
                waiting.append(source(name))
            if nodes[name].op == "Merge":
                other = source(name, 1)
                if other not in found:
                    found[other] = node.attr["dtype"]
                    waiting.append(source(other))
        if any(nodes[name].op != "VarHandleOp" for name in waiting):
            raise ValueError("Cannot find the variable that is an input to the ReadVariableOp.")
    return found


def _frozen(node: Any, passing: dict[str, Any]) -> list[Any]:
    """The nodes in place of one that is no variable to be frozen."""
    new = protos.NodeDef(name=node.name)
    if node.name in passing:
        new.op = node.op
        new.input.extend(node.input)
        for key in node.attr:
            if key != "_output_shapes":
                new.attr[key].CopyFrom(node.attr[key])
        new.attr["T"].CopyFrom(passing[node.name])
        return [new]
    before = []
    if node.op == "ReadVariableOp":
        new.op = "Identity"
        new.input.append(node.input[0])
        new.attr["T"].CopyFrom(node.attr["dtype"])
    elif node.op == "ResourceGather":
        batch_dims = node.attr["batch_dims"].i
        if batch_dims:
            raise ValueError("batch_dims != 0 is not supported by freeze_graph.")
        before = [_const(node.name + "/axis", node.attr["Tindices"], batch_dims)]
        new.op = "GatherV2"
        new.input.extend([node.input[0], node.input[1], before[0].name])
        new.attr["Tparams"].CopyFrom(node.attr["dtype"])
        new.attr["Tindices"].CopyFrom(node.attr["Tindices"])
        new.attr["Taxis"].CopyFrom(node.attr["Tindices"])
    else:
        return [node]
    if "_class" in node.attr:
        new.attr["_class"].CopyFrom(node.attr["_class"])
    return [*before, new]


@tf_export("graph_util.convert_variables_to_constants")
@deprecated(None, "Use `tf.compat.v1.graph_util.convert_variables_to_constants`")
def convert_variables_to_constants(
    sess: SessionInterface, input_graph_def: Any, output_node_names: Sequence[str],
    variable_names_whitelist: Iterable[str] | None = None,
    variable_names_blacklist: Iterable[str] | None = None,
) -> Any:  # fmt: skip
    """A graph whose variables are constants: their values in a session.

    Args:
      sess: the session.
      input_graph_def: the `GraphDef`.
      output_node_names: the nodes that are wanted; what they don't need is left out.
      variable_names_whitelist: the variables to freeze; all by default.
      variable_names_blacklist: variables not to freeze.

    Returns:
      A `GraphDef`.

    Raises:
      ValueError: what is read is no variable, or gathered in batches.
    """
    graph_def = extract_sub_graph(input_graph_def, output_node_names)
    tensors: dict[str, str] = {}
    for node in graph_def.node:
        if node.op not in ("Variable", "VariableV2", "VarHandleOp"):
            continue
        if variable_names_whitelist is not None and node.name not in variable_names_whitelist:
            continue
        if variable_names_blacklist is not None and node.name in variable_names_blacklist:
            continue
        read = "/Read/ReadVariableOp:0" if node.op == "VarHandleOp" else ":0"
        tensors[node.name] = node.name + read
    passing = _passing_types(graph_def)
    values = dict(zip(tensors, sess.run(list(tensors.values())) if tensors else []))
    logging.info("Froze %d variables.", len(values))
    output = protos.GraphDef()
    for node in graph_def.node:
        if node.name in values:
            data = values[node.name]
            output.node.append(_const(node.name, node.attr["dtype"], data, data.shape))
        else:
            output.node.extend(_frozen(node, passing))
    output.library.CopyFrom(graph_def.library)
    logging.info("Converted %d variables to const ops.", len(values))
    return output


@tf_export("graph_util.remove_training_nodes")
@deprecated(None, "Use `tf.compat.v1.graph_util.remove_training_nodes`")
def remove_training_nodes(input_graph: Any, protected_nodes: Sequence[str] | None = None) -> Any:
    """A graph without nodes that only training needs: CheckNumerics, and Identity where no control
    edge is involved.

    Args:
      input_graph: a `GraphDef`.
      protected_nodes: the names of nodes to keep.

    Returns:
      A `GraphDef`.
    """
    protected = set(protected_nodes or ())
    removed = {
        node.name
        for node in input_graph.node
        if node.op == "CheckNumerics" and node.name not in protected
    }
    nodes = [
        _with_inputs(node, [name for name in node.input if name.removeprefix("^") not in removed])
        for node in input_graph.node
        if node.name not in removed
    ]
    controls = {name.replace("^", "") for node in nodes for name in node.input if "^" in name}
    waiting = {node.name for node in nodes if any("^" in name for name in node.input)}
    spliced = {
        node.name: node.input[0]
        for node in nodes
        if node.op == "Identity" and node.name not in protected | waiting | controls
    }

    def followed(name: str) -> str:
        while name.removeprefix("^") in spliced:
            name = spliced[name.removeprefix("^")]
        return name

    output = protos.GraphDef()
    output.node.extend(
        _with_inputs(node, [followed(name) for name in node.input])
        for node in nodes
        if node.name not in spliced
    )
    return output


def _with_inputs(node: Any, inputs: list[str]) -> Any:
    new = protos.NodeDef()
    new.CopyFrom(node)
    del new.input[:]
    new.input.extend(inputs)
    return new
