"""The parts of `tensorflow.python.framework.func_graph` that are not in `core.func_graph`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tf1compat.api.control_flow import tensor_array_ops
from tf1compat.core import nest, ops, scopes
from tf1compat.core.func_graph import SHARED_COLLECTIONS, FuncGraph
from tf1compat.core.traceable_stack import TraceableStack

WHITELIST_COLLECTIONS = list(SHARED_COLLECTIONS)


def pack_sequence_as(structure: Any, flat_sequence: Iterable[Any]) -> Any:
    """A structure of tensors; those in the place of a `TensorArray` of `structure` are its flow.

    Args:
      structure: the structure.
      flat_sequence: the tensors.

    Raises:
      ValueError: there are more or fewer than the structure has.
    """
    values = list(flat_sequence)
    leaves = nest.flatten(structure, expand_composites=True)
    if len(leaves) != len(values):
        raise ValueError("Mismatch in element count")
    packed = [
        tensor_array_ops.build_ta_with_new_flow(leaf, value)
        if isinstance(leaf, tensor_array_ops.TensorArray)
        else value
        for leaf, value in zip(leaves, values, strict=True)
    ]
    return nest.pack_sequence_as(structure, packed, expand_composites=True)


def maybe_captured(tensor: ops.Tensor) -> ops.Tensor:
    """What a placeholder of a function's body stands for; any other tensor as it is.

    Args:
      tensor: the tensor.

    Returns:
      A tensor, which may be outside of all functions.
    """
    while not tensor._is_eager and tensor.op.type == "Placeholder":
        captures = getattr(tensor.graph, "captures", ())
        outer = next((outer for outer, inner in captures if inner is tensor), None)
        if outer is None:
            break
        tensor = outer
    return tensor


def device_stack_has_callable(device_stack: TraceableStack) -> bool:
    """Whether a function says where operations go, in one of the blocks around them.

    Args:
      device_stack: a graph's `_device_function_stack`.
    """
    return any(callable(scope.device) for scope in device_stack.peek_objs())


def dismantle_func_graph(func_graph: FuncGraph) -> None:
    """Takes a function's body apart, which is of no use after that.

    Args:
      func_graph: the body.
    """
    func_graph.reset_captures([])
    scopes.dismantle_graph(func_graph)
