"""Cutting a tensor into parts by an index of parts, and putting parts together by index."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.math import math_ops
from tf1compat.backend import jnp
from tf1compat.core import constants, dtypes, raw_ops, shapes
from tf1compat.core.indexed_slices import IndexedSlices
from tf1compat.core.op_registry import gradient, op, register
from tf1compat.core.operation import Operation
from tf1compat.core.shapes import ShapeError
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Gradients, LoweringContext, Shape
from tf1compat.kernels.framework.common import refuse


@op("DynamicPartition", host=True)
class DynamicPartition:
    def shape(data: Any, partitions: Shape, *, num_partitions: int) -> Any:
        if data is None or partitions is None:
            return [None] * num_partitions
        shapes.merge_prefix(data, partitions)
        return [(None, *data[len(partitions) :])] * num_partitions

    def lower(
        data: Any, partitions: np.ndarray, *, num_partitions: int, ctx: LoweringContext
    ) -> Any:
        data, partitions = np.asarray(data), np.asarray(partitions)
        if data.shape[: partitions.ndim] != partitions.shape:
            refuse(
                ctx,
                "data.shape must start with partitions.shape, got data.shape = "
                f"{shapes.to_string(data.shape)}, partitions.shape = "
                f"{shapes.to_string(partitions.shape)}",
            )
        wrong = np.argwhere((partitions < 0) | (partitions >= num_partitions))
        if len(wrong):
            at = tuple(wrong[0])
            place = f"[{','.join(str(i) for i in at)}]" if at else ""
            refuse(ctx, f"partitions{place} = {partitions[at]} is not in [0, {num_partitions})")
        return tuple(data[partitions == i] for i in range(num_partitions))

    def fold(data: Any, partitions: np.ndarray, *, num_partitions: int) -> Any:
        if data.shape[: partitions.ndim] != partitions.shape:
            return None
        if partitions.size and not 0 <= partitions.min() <= partitions.max() < num_partitions:
            return None
        return tuple(data[partitions == i] for i in range(num_partitions))

    def gradient(op: Any, *grads: Any) -> Gradients:
        data, indices = op.inputs
        prefix = array_ops.shape(indices)
        original = array_ops.reshape(math_ops.range(math_ops.reduce_prod(prefix)), prefix)
        parts = raw_ops.DynamicPartition(
            original, indices, num_partitions=op.get_attr("num_partitions")
        )
        result = raw_ops.DynamicStitch(parts, list(grads))
        return [array_ops.reshape(result, array_ops.shape(data)), None]


def _stitch_shape(indices: Any, data: Any, *, op: Any) -> Any:
    extra: Any = None
    size = 1  # Also without any index, as TF has it.
    known = True
    for i, (index, values) in enumerate(zip(indices, data, strict=True)):
        value = op.const_input(i)
        if value is None:
            known = False
        elif value.size:
            size = max(size, int(value.max()) + 1)
        if index is None or values is None:
            continue
        shapes.merge_prefix(values, index)
        extra = shapes.merge(extra, values[len(index) :])
    return shapes.concat((size if known else None,), extra)


def _stitched(indices: Any, data: Any) -> np.ndarray:
    """The parts merged; a later part wins where an index is given twice."""
    size = max((int(index.max()) + 1 for index in indices if index.size), default=0)
    rest = data[0].shape[indices[0].ndim :]
    # TF leaves rows that no index names as they happen to be; here they are zeros.
    result = np.zeros((size, *rest), data[0].dtype)
    for index, values in zip(indices, data, strict=True):
        if not size:
            break
        result[index.ravel()] = values.reshape((index.size, *rest))
    return result


def _has_data_for_indices(op: Operation) -> bool:
    """Whether the indices of a stitch are data, and not known by the time that it is compiled."""
    return not all(constants.follows_from_shapes(t) for t in op.inputs[: len(op.inputs) // 2])


def _gathered(indices: Any, data: Any) -> Any:
    """As `_stitched`, of values that the program computes: with known indices, a gather."""
    rest = data[0].shape[indices[0].ndim :]
    flat = np.concatenate([index.ravel() for index in indices])
    size = int(flat.max(initial=-1)) + 1
    # Row `flat.size` of the parts is one of zeros.
    source = np.full(size, flat.size)
    source[flat] = np.arange(flat.size)
    rows = [jnp.reshape(values, (-1, *rest)) for values in data]
    zeros = jnp.zeros((1, *rest), rows[0].dtype)
    return jnp.concatenate([*rows, zeros])[source]


def _stitch(indices: Any, data: Any, *, op: Any, ctx: LoweringContext) -> Any:
    for i, index in enumerate(indices):
        if not isinstance(index, np.ndarray):
            ctx.need(i)
    for n, (index, values) in enumerate(zip(indices, data, strict=True)):
        if values.shape[: index.ndim] != index.shape:
            refuse(
                ctx,
                f"data[{n}].shape = {shapes.to_string(values.shape)} does not start with "
                f"indices[{n}].shape = {shapes.to_string(index.shape)}",
            )
        if values.shape[index.ndim :] != data[0].shape[indices[0].ndim :]:
            refuse(
                ctx,
                f"Need data[0].shape[{indices[0].ndim}:] = data[{n}].shape[{index.ndim}:], got "
                f"data[0].shape = {shapes.to_string(data[0].shape)}, data[{n}].shape = "
                f"{shapes.to_string(values.shape)}, indices[0].shape = "
                f"{shapes.to_string(indices[0].shape)}, indices[{n}].shape = "
                f"{shapes.to_string(index.shape)}",
            )
        if index.size and index.min() < 0 and any((other >= 0).any() for other in indices):
            refuse(ctx, f"indices[{int(np.argmax(index.ravel() < 0))}] is out of range")
    return _stitched(indices, data) if _has_data_for_indices(op) else _gathered(indices, data)


def _stitch_on_numpy(indices: Any, data: Any) -> np.ndarray:
    rest = data[0].shape[indices[0].ndim :]
    if any(x.shape != index.shape + rest for index, x in zip(indices, data, strict=True)):
        raise ValueError("The shapes differ")
    flat = np.concatenate([index.reshape(-1) for index in indices])
    if flat.size and flat.min() < 0:
        raise ValueError("An index is negative")
    result = np.zeros((flat.max(initial=-1) + 1, *rest), data[0].dtype)
    result[flat] = np.concatenate([values.reshape((-1, *rest)) for values in data])
    return result


def _fold_stitch(indices: Any, data: Any) -> Any:
    if any(index.size and index.min() < 0 for index in indices):
        return None
    try:
        return _stitched(indices, data)
    except (ValueError, ShapeError):
        return None


for _name in ("DynamicStitch", "ParallelDynamicStitch"):
    register(
        _name,
        shape=_stitch_shape,
        lower=_stitch,
        fold=_fold_stitch,
        numpy=_stitch_on_numpy,
        # With known indices, as those of the gradient of a sum, it is but a gather.
        host=_has_data_for_indices,
    )


@gradient("DynamicStitch", "ParallelDynamicStitch")
def _stitch_gradient(op: Operation, grad: Tensor) -> Any:
    count = len(op.inputs) // 2

    def as_int32(x: Any) -> Any:
        return x if op.inputs[0].dtype == dtypes.int32 else math_ops.cast(x, dtypes.int32)

    indices = [as_int32(x) for x in op.inputs[:count]]
    if isinstance(grad, IndexedSlices):
        rows = array_ops.shape(op.outputs[0])[0]
        grad = math_ops.unsorted_segment_sum(grad.values, grad.indices, rows)
    return [None] * count + [array_ops.gather(grad, index) for index in indices]
