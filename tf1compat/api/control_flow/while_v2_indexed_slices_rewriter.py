"""IndexedSlices as gradients of what a While captures
(`while_v2_indexed_slices_rewriter` of TF).

The body of the gradient loop then has three inputs, and as many outputs, in place of one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tf1compat.api.array import array_ops, constant_op
from tf1compat.core import dtypes, nest, ops, raw_ops
from tf1compat.core.tensor_shape import TensorShape


def rewrite_grad_indexed_slices(
    grads: Sequence[Any], body_grad_graph: Any, loop_vars: list[Any], forward_inputs: Sequence[Any]
) -> list[Any]:
    """Has the body of a gradient loop take in the form in which it returns.

    Args:
      grads: the gradients of the forward loop's results, or None.
      body_grad_graph: the body of the gradient loop.
      loop_vars: what the gradient loop begins with.
      forward_inputs: what the forward loop begins with.

    Returns:
      What the gradient loop begins with then.
    """
    inputs = [tensor for grad, tensor in zip(grads, forward_inputs) if grad is not None]
    for forward_input, output in zip(inputs, body_grad_graph.structured_outputs[3:]):
        if not isinstance(output, ops.IndexedSlices):
            continue
        if forward_input.dtype is dtypes.resource:
            loop_vars = _rewrite_input(body_grad_graph, output, forward_input, loop_vars)
        else:
            _rewrite_output_as_tensor(body_grad_graph, output)
    return loop_vars


def _flatten(value: Any) -> list[Any]:
    return nest.flatten(value, expand_composites=True)


def _place(values: Sequence[Any], wanted: Any) -> int:
    return next(i for i, value in enumerate(values) if value is wanted)


def _rewrite_output_as_tensor(graph: Any, slices: Any) -> None:
    with graph.as_default():
        tensor = ops.convert_to_tensor(slices)
    graph.structured_outputs[_place(graph.structured_outputs, slices)] = tensor
    graph.outputs = _flatten(graph.structured_outputs)


def _rewrite_input(graph: Any, slices: Any, forward_input: Any, loop_vars: list[Any]) -> list[Any]:
    initial = _initial_slices(slices, forward_input)
    with graph.as_default():
        values, indices, dense_shape = (
            graph.capture(part, whitelisted=True)
            for part in (initial.values, initial.indices, initial.dense_shape)
        )
        taken = ops.IndexedSlices(values=values, indices=indices, dense_shape=dense_shape)
        for part in _flatten(initial):
            placeholder = graph.pop_capture(part)
            graph.inputs.pop(_place(graph.inputs, placeholder))
        returned = _with_input(slices, taken)
    # The parts take the place of the tensor.
    position = _place(graph.outputs, _flatten(slices)[0])
    graph.structured_outputs[_place(graph.structured_outputs, slices)] = returned
    graph.outputs = _flatten(graph.structured_outputs)
    rest = position + 1
    graph.inputs = graph.inputs[:position] + _flatten(taken) + graph.inputs[rest:]
    return loop_vars[:position] + _flatten(initial) + loop_vars[rest:]


def _initial_slices(slices: Any, forward_input: Any) -> Any:
    """No slices, of the form of those that the body returns."""
    values = slices.values
    is_resource = forward_input.dtype is dtypes.resource
    if values.shape.is_fully_defined():
        shape: Any = TensorShape([0, *values.shape.as_list()[1:]])
    else:
        of_all = (
            raw_ops.VariableShape(forward_input) if is_resource else array_ops.shape(forward_input)
        )
        shape = array_ops.concat([[0], of_all[1:]], 0)
    start = array_ops.zeros(shape, dtype=values.dtype, name="values_init")
    indices = constant_op.constant([], slices.indices.dtype, name="indices_init")
    if is_resource:
        dense_shape = raw_ops.VariableShape(forward_input, name="shape_init")
    else:
        dense_shape = array_ops.shape(forward_input, name="shape_init")
    return ops.IndexedSlices(values=start, indices=indices, dense_shape=dense_shape)


def _with_input(slices: Any, taken: Any) -> Any:
    """The slices that the body returns, with `taken` in place of the tensor that it took: the first
    of what they join."""

    def joined(returned: Any, given: Any) -> Any:
        assert returned.type == "Identity"
        join = returned.inputs[0].op
        assert join.type == "ConcatV2"
        return array_ops.concat([given, *join.inputs[1:-1]], 0)

    values = joined(slices.values.op, taken.values)
    indices = joined(slices.indices.op, taken.indices)
    return ops.IndexedSlices(values=values, indices=indices, dense_shape=taken.dense_shape)
