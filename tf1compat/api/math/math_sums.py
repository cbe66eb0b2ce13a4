"""Ranges, counts, sums of tensors and running sums (a part of TF's math_ops)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.array.constant_op import constant_v1 as _constant
from tf1compat.api.math.math_cast import cast
from tf1compat.api.math.math_reduce import reduce_max, reduce_prod
from tf1compat.api.util.dispatch import add_dispatch_support
from tf1compat.core import context, dtypes, ops, raw_ops, tensor_util
from tf1compat.core.export import tf_export
from tf1compat.core.indexed_slices import IndexedSlices
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_shape import as_shape, unknown_shape
from tf1compat.core.typing import DTypeLike, Name, ShapeLike, TensorLike

__all__ = [
    "accumulate_n",
    "add_n",
    "bincount",
    "bincount_v1",
    "cumprod",
    "cumsum",
    "cumulative_logsumexp",
    "range",
]


@tf_export("range")
def range(
    start: TensorLike,
    limit: TensorLike | None = None,
    delta: TensorLike = 1,
    dtype: DTypeLike | None = None,
    name: Name = "range",
) -> Tensor:
    """The numbers from `start` to `limit` (left out) in steps of `delta`, as Python's `range`.

    Args:
      start: a scalar; the limit, if that is None (and the start is then 0).
      limit: a scalar.
      delta: a scalar.
      dtype: the dtype; by default the widest of the arguments' (int32, int64, float32, float64).
      name: the operation's name.

    Returns:
      A vector.
    """
    if limit is None:
        start, limit = 0, start
    with ops.name_scope(name, "Range", [start, limit, delta]) as name:
        tensors = tensor_util.named_tensors(dtype, start=start, limit=limit, delta=delta)
        if dtype is None:
            order = [dtypes.int32, dtypes.int64, dtypes.float32, dtypes.float64]
            assert all(x.dtype in order for x in tensors)
            widest = max((x.dtype for x in tensors), key=order.index)
            tensors = [cast(x, widest) for x in tensors]
        return raw_ops.Range(*tensors, name=name)


_ADD_N_ERROR = (
    "inputs must be a list of at least one Tensor/IndexedSlices with the same dtype and shape"
)


@tf_export("math.add_n", "add_n")
@add_dispatch_support
def add_n(inputs: Any, name: Name = None) -> Tensor:
    """The sum of tensors of one shape.

    Args:
      inputs: a list of tensors or IndexedSlices.
      name: the operation's name.

    Returns:
      A tensor like each of them.

    Raises:
      ValueError: `inputs` is not such a list.
    """
    if inputs is None:
        raise ValueError(_ADD_N_ERROR)
    if not isinstance(inputs, list | tuple) or not inputs:
        list(inputs)  # What can't be iterated over is a TypeError.
        raise ValueError(_ADD_N_ERROR)
    inputs = ops.convert_n_to_tensor_or_indexed_slices(inputs)
    if not all(isinstance(x, Tensor | IndexedSlices) for x in inputs):
        raise ValueError(_ADD_N_ERROR)
    if len(inputs) > 1:
        return raw_ops.AddN(inputs, name=name)
    values = ops.convert_to_tensor(inputs[0]) if isinstance(inputs[0], IndexedSlices) else inputs[0]
    return array_ops.identity(values, name=name) if name else values


@tf_export("math.accumulate_n", "accumulate_n")
def accumulate_n(
    inputs: TensorLike, shape: ShapeLike | None = None, tensor_dtype: Any = None, name: Name = None
) -> Tensor:
    """The sum of tensors of one shape, without waiting for all of them.

    Args:
      inputs: a list of tensors.
      shape: their shape.
      tensor_dtype: their dtype.
      name: the operation's name.

    Returns:
      A tensor like each of them.

    Raises:
      ValueError: `inputs` is not such a list, or the shapes differ.
      TypeError: the dtype is not `tensor_dtype`.
    """
    error = ValueError("inputs must be a list of at least one Tensor with the same dtype and shape")
    if not inputs or not isinstance(inputs, list | tuple):
        raise error
    inputs = ops.convert_n_to_tensor_or_indexed_slices(inputs)
    if not all(isinstance(x, Tensor) and x.dtype == inputs[0].dtype for x in inputs):
        raise error
    shape = unknown_shape() if shape is None else as_shape(shape)
    for tensor in inputs:
        shape = shape.merge_with(tensor.get_shape())
    if tensor_dtype is not None and tensor_dtype != inputs[0].dtype:
        raise TypeError(f"tensor_dtype is {tensor_dtype}, but input is of type {inputs[0].dtype}")
    if len(inputs) == 1:
        return inputs[0] if name is None else array_ops.identity(inputs[0], name=name)
    if context.executing_eagerly():
        return add_n(inputs, name=name)
    return raw_ops.AccumulateNV2(inputs, shape=shape, name=name)


@tf_export("compat.v2.math.bincount")
def bincount(
    arr: TensorLike,
    weights: TensorLike | None = None,
    minlength: Any = None,
    maxlength: Any = None,
    dtype: DTypeLike = dtypes.int32,
    name: Name = None,
) -> Tensor:
    """How often each integer from 0 on occurs in `arr`.

    Args:
      arr: an int32 tensor of non-negative numbers.
      weights: what each element counts, in place of 1; of the shape of `arr`.
      minlength, maxlength: bounds of the result's length.
      dtype: the result's dtype, where there are no weights.
      name: the name scope.

    Returns:
      A vector.
    """
    with ops.name_scope("bincount" if name is None else name):
        arr = ops.convert_to_tensor(arr, name="arr", dtype=dtypes.int32)
        nonempty = reduce_prod(array_ops.shape(arr)) > 0
        size = cast(nonempty, dtypes.int32) * (reduce_max(arr) + 1)
        for argument, bound, record in (
            ("minlength", minlength, raw_ops.Maximum),
            ("maxlength", maxlength, raw_ops.Minimum),
        ):
            if bound is not None:
                bound = ops.convert_to_tensor(bound, name=argument, dtype=dtypes.int32)
                size = record(bound, size)
        if weights is not None:
            weights = ops.convert_to_tensor(weights, name="weights")
            return raw_ops.UnsortedSegmentSum(weights, arr, size)
        return raw_ops.Bincount(arr, size, _constant([], dtype))


@tf_export("math.bincount", "bincount")
def bincount_v1(
    arr: TensorLike,
    weights: TensorLike | None = None,
    minlength: Any = None,
    maxlength: Any = None,
    dtype: DTypeLike = dtypes.int32,
) -> Tensor:
    """As `bincount`, without a name.

    Args:
      arr, weights, minlength, maxlength, dtype: as in `bincount`.

    Returns:
      A vector of counts.
    """
    return bincount(arr, weights, minlength, maxlength, dtype)


@tf_export("math.cumsum", "cumsum")
def cumsum(
    x: TensorLike,
    axis: TensorLike = 0,
    exclusive: bool = False,
    reverse: bool = False,
    name: Name = None,
) -> Tensor:
    """Running sums along a dimension.

    Args:
      x: a tensor.
      axis: a scalar; the dimension.
      exclusive: leave out the element itself.
      reverse: run from the end.
      name: the operation's name.

    Returns:
      A tensor like `x`.
    """
    with ops.name_scope(name, "Cumsum", [x]) as name:
        x = ops.convert_to_tensor(x, name="x")
        return raw_ops.Cumsum(x, axis, exclusive=exclusive, reverse=reverse, name=name)


@tf_export("math.cumprod", "cumprod")
def cumprod(
    x: TensorLike,
    axis: TensorLike = 0,
    exclusive: bool = False,
    reverse: bool = False,
    name: Name = None,
) -> Tensor:
    """Running products along a dimension; see `cumsum`.

    Args:
      x: a tensor of numbers.
      axis: a scalar int32.
      exclusive, reverse: as in `cumsum`.
      name: the operation's name.

    Returns:
      A tensor like `x`.
    """
    with ops.name_scope(name, "Cumprod", [x]) as name:
        x = ops.convert_to_tensor(x, name="x")
        return raw_ops.Cumprod(x, axis, exclusive=exclusive, reverse=reverse, name=name)


@tf_export("math.cumulative_logsumexp")
def cumulative_logsumexp(
    x: TensorLike,
    axis: TensorLike = 0,
    exclusive: bool = False,
    reverse: bool = False,
    name: Name = None,
) -> Tensor:
    """Running `log(sum(exp(x)))` along a dimension; see `cumsum`.

    Args:
      x: a floating-point tensor.
      axis: a scalar int32.
      exclusive, reverse: as in `cumsum`.
      name: the operation's name.

    Returns:
      A tensor like `x`.
    """
    with ops.name_scope(name, "CumulativeLogsumexp", [x]) as name:
        x = ops.convert_to_tensor(x, name="x")
        return raw_ops.CumulativeLogsumexp(x, axis, exclusive=exclusive, reverse=reverse, name=name)
