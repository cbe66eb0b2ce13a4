"""The gradient of concatenation, as TF 1.15 records it."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.control_flow import control_flow_util
from tf1compat.api.math import math_ops
from tf1compat.core import raw_ops, tensor_util
from tf1compat.core.indexed_slices import IndexedSlices
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor


def concat_gradient(op: Operation, grad: Tensor, start: int, end: int, dim_index: int) -> list[Any]:
    """Takes `grad` apart along the dimension that the op joined.

    Args:
      op: a Concat or ConcatV2.
      grad: the gradient of its output: a tensor or IndexedSlices.
      start, end: which inputs are the values.
      dim_index: which input is the dimension.

    Raises:
      TypeError: `grad` is neither.
      ValueError: IndexedSlices along a dimension that is not known.
    """
    if len(op.inputs) == 2:
        grads = [grad]
    elif isinstance(grad, Tensor):
        grads = _dense(grad, op.inputs[dim_index], op.inputs[start:end])
    elif isinstance(grad, IndexedSlices):
        grads = _sparse(grad, op.inputs[dim_index], op.inputs[start:end])
    else:
        raise TypeError(f"Expected Tensor or IndexedSlices, got {type(grad)}")
    return [*grads, None] if end <= dim_index else [None, *grads]


def _dense(grad: Any, concat_dim: Any, values: Any) -> list[Any]:
    if concat_dim._is_eager:
        concat_dim = int(concat_dim.numpy())
    elif constant_op.is_constant(concat_dim):
        inside = control_flow_util.GetOutputContext(grad.op)
        if control_flow_util.GetOutputContext(concat_dim.op) is not inside:
            known = tensor_util.constant_value(concat_dim)
            concat_dim = constant_op.constant_v1(known, dtype=concat_dim.dtype)
    axis = concat_dim % array_ops.rank(values[0])
    sizes = _input_shapes(values)
    if len(sizes) > 16:
        along = array_ops.squeeze(
            array_ops.slice(array_ops.stack(sizes, axis=1), [axis, 0], [1, -1])
        )
        return list(array_ops.split(grad, along, axis))
    offsets = raw_ops.ConcatOffset(axis, sizes)
    return [array_ops.slice(grad, begin, size) for begin, size in zip(offsets, sizes, strict=True)]


def _input_shapes(values: Any) -> list[Any]:
    """The shapes of the inputs: constants if all are known, else one ShapeN."""
    sizes = []
    for value in values:
        shape = array_ops.shape(value)
        if not shape._is_eager and shape.op.type != "Const":
            return list(array_ops.shape_n(list(values)))
        sizes.append(shape)
    return sizes


def _sparse(grad: Any, concat_dim: Any, values: Any) -> list[Any]:
    axis = concat_dim % array_ops.rank(values[0])
    known = tensor_util.constant_value(concat_dim)
    if known is None:
        raise ValueError("Can only compute IndexedSlices gradient with statically-known concat_dim")
    if known < 0:
        rank = tensor_util.constant_value(array_ops.rank(values[0]))
        if rank is None:
            raise ValueError(
                "Can only compute IndexedSlices gradient with negative concat_dim when first value "
                "rank is statically-known."
            )
        known %= rank
    sizes = [array_ops.shape(value) for value in values]
    grads = []
    if known > 0:
        dims = array_ops.shape(sizes[0])
        mask = array_ops.concat(
            [
                array_ops.fill(array_ops.expand_dims(axis, 0), 0),
                [1],
                array_ops.fill(dims - axis - 1, 0),
            ],
            0,
        )
        begin = array_ops.fill(dims, 0)
        for size in sizes:
            extent = array_ops.concat([[-1], array_ops.slice(size, [1], [-1])], 0)
            part = array_ops.slice(grad.values, begin, extent)
            grads.append(IndexedSlices(part, grad.indices, size))
            begin = math_ops.add(begin, size * mask)
        return grads
    start = constant_op.constant_v1(0, dtype=grad.indices.dtype)
    for size in sizes:
        rows = array_ops.gather(size, axis)
        if rows.dtype != grad.indices.dtype:
            rows = math_ops.cast(rows, dtype=grad.indices.dtype)
        end = start + rows
        inside = math_ops.logical_and(grad.indices >= start, grad.indices < end)
        chosen = array_ops.squeeze(array_ops.where(inside), axis=[1])
        indices = array_ops.gather(grad.indices, chosen) - start
        grads.append(IndexedSlices(array_ops.gather(grad.values, chosen), indices, size))
        start = end
    return grads
