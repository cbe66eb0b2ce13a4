"""What functional conditionals and loops share (`control_flow_util_v2` of TF)."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any

from tf1compat.api.control_flow import control_flow_util
from tf1compat.api.control_flow.control_flow_v2_func_graphs import (
    CondBranchFuncGraph,
    WhileBodyFuncGraph,
    WhileCondFuncGraph,
)
from tf1compat.api.keras.engine.call_context import call_context
from tf1compat.core import context, ops
from tf1compat.core.func_graph import FuncGraph
from tf1compat.core.function_def import GraphFunction

__all__ = ["CondBranchFuncGraph", "WhileBodyFuncGraph", "WhileCondFuncGraph"]

_EXPERIMENTAL_OUTPUT_ALL_INTERMEDIATES_OVERRIDE: bool | None = None


def in_defun() -> bool:
    """Whether the default graph is, or lies in, the body of a `tf.function`."""
    if context.executing_eagerly():
        return False
    graph: Any = ops.get_default_graph()
    while isinstance(graph, CondBranchFuncGraph | WhileBodyFuncGraph):
        graph = graph.outer_graph
    return isinstance(graph, FuncGraph)


def create_new_tf_function(func_graph: FuncGraph) -> str:
    """Adds the function of a body to the library of the graph around it; returns its name."""
    function = GraphFunction(func_graph.name, func_graph, func_graph.inputs, func_graph.outputs)
    # What is recorded in the body later on is no part of it.
    _ = function.definition
    function.add_to_graph(func_graph.outer_graph)
    return func_graph.name


def unique_fn_name(scope: str, name: str) -> str:
    """A name for a function that no other has."""
    return f"{scope}{name}_{ops.uid()}".replace("/", "_")


def unique_grad_fn_name(forward_name: str) -> str:
    """A name for the gradient of a function."""
    return f"{forward_name}_grad_{ops.uid()}"


def maybe_set_lowering_attr(op: ops.Operation) -> None:
    """Marks an operation to be run as Switches and Merges, unless XLA is to compile it."""
    if not control_flow_util.GraphOrParentsInXlaContext(op.graph):
        op._attrs["_lower_using_switch_merge"] = True


def maybe_propagate_compile_time_consts_in_xla(op: ops.Operation) -> None:
    """Has XLA, where it compiles an operation, know constants inside its functions."""
    if control_flow_util.GraphOrParentsInXlaContext(op.graph):
        op._attrs["_xla_propagate_compile_time_consts"] = True


def resource_input_index(
    tensor_name: str, input_names: Sequence[str], node_defs: Any, functions: Any
) -> int:
    """Which input of a function a resource in its body is.

    Args:
      tensor_name: the resource.
      input_names: the function's inputs.
      node_defs: the body's nodes by name.
      functions: the functions that they may call by name.

    Raises:
      ValueError: the body itself makes the resource.
    """
    while tensor_name not in input_names:
        parts = tensor_name.split(":")
        node_def = node_defs[parts[0]]
        output_index = int(parts[-1]) if len(parts) > 1 else 0
        if node_def.op == "While":
            # A resource leaves a loop where it entered it.
            tensor_name = node_def.input[output_index]
        elif node_def.op in ("PartitionedCall", "StatefulPartitionedCall"):
            fdef = functions[node_def.attr["f"].func.name].definition
            returned = fdef.ret[fdef.signature.output_arg[output_index].name]
            index = resource_input_index(
                returned,
                [arg.name for arg in fdef.signature.input_arg],
                {node.name: node for node in fdef.node_def},
                functions,
            )
            tensor_name = node_def.input[index]
        else:
            raise ValueError(
                "Taking gradient of a while loop which creates a resource in its body is not "
                f"supported: {parts[0]}"
            )
    return list(input_names).index(tensor_name)


@contextlib.contextmanager
def clear_control_inputs() -> Iterator[None]:
    """Operations made in the `with` block wait for nothing, but stay in their control flow
    context."""
    graph = ops.get_default_graph()
    inside = graph._get_control_flow_context()
    with ops.control_dependencies(None):
        graph._set_control_flow_context(inside)
        yield


def output_all_intermediates() -> bool:
    """Whether a conditional or loop returns all that it computes from the start: in TF so it is in
    Keras layers of a plain graph."""
    if _EXPERIMENTAL_OUTPUT_ALL_INTERMEDIATES_OVERRIDE is not None:
        return _EXPERIMENTAL_OUTPUT_ALL_INTERMEDIATES_OVERRIDE
    if in_defun() or control_flow_util.GraphOrParentsInXlaContext(ops.get_default_graph()):
        return False
    return call_context.in_call
