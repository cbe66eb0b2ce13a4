"""The part of `tensorflow.python.ops.math_ops` that reduces dimensions.

`reduce_x` is the form without deprecated arguments, `reduce_x_v1` what `tf.reduce_x` is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.array.constant_op import constant_of
from tf1compat.api.util.deprecation import deprecated_args, renamed
from tf1compat.api.util.dispatch import add_dispatch_support
from tf1compat.core import context, dtypes, ops, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor, TensorBase
from tf1compat.core.typing import DTypeLike, Name, TensorLike

_MODULE = "tensorflow.python.ops.math_ops"
_keep_dims_is_deprecated = deprecated_args(
    None, "keep_dims is deprecated, use keepdims instead", "keep_dims", module=_MODULE
)


def reduction_dims(x: TensorLike, axis: Any, reduction_indices: TensorLike | None = None) -> Any:
    """The dimensions to reduce: `axis`, or all of them.

    Raises:
      ValueError: `axis` and `reduction_indices` are both given.
    """
    if reduction_indices is not None:
        if axis is not None:
            raise ValueError("Can't specify both axis' and 'reduction_indices'.")
        axis = reduction_indices
    if axis is not None:
        return axis
    rank: Any = len(x._shape) if isinstance(x, Tensor) and x._shape is not None else None
    sparse_shape = getattr(x, "dense_shape", None) if isinstance(x, TensorBase) else None
    if rank is None and sparse_shape is not None:
        shape = sparse_shape.shape
        rank = shape.dims[0].value if shape.is_fully_defined() else None
    if rank is not None:
        return constant_of(np.arange(rank, dtype=np.int32), dtypes.int32)
    from tf1compat.api.math import math_ops

    return math_ops.range(0, array_ops.rank(x))


_ReductionDims = reduction_dims


def may_reduce_to_scalar(keepdims: bool, axis: Any, output: Tensor) -> Tensor:
    """Tells `output` that it is a scalar, where all dimensions were reduced."""
    if axis is None and not keepdims and not output._is_eager:
        shape = output._shape
        if shape is None or None in shape:
            output.set_shape(())
    return output


_may_reduce_to_scalar = may_reduce_to_scalar


def _reduction(
    what: str, op_type: str, logs: bool = True
) -> tuple[Callable[..., Tensor], Callable[..., Tensor]]:
    record = raw_ops.function(op_type)

    def call(
        input_tensor: TensorLike,
        axis: TensorLike | None = None,
        keepdims: bool | None = False,
        name: Name = None,
    ) -> Tensor:
        keepdims = False if keepdims is None else keepdims
        return may_reduce_to_scalar(
            keepdims,
            axis,
            record(input_tensor, reduction_dims(input_tensor, axis), keepdims, name=name),
        )

    call.__name__ = call.__qualname__ = what
    function = add_dispatch_support(call)
    return function, _v1(what, function, logs)


def _v1(what: str, function: Callable[..., Tensor], logs: bool = True) -> Callable[..., Tensor]:
    def call(
        input_tensor: TensorLike,
        axis: TensorLike | None = None,
        keepdims: bool | None = None,
        name: Name = None,
        reduction_indices: TensorLike | None = None,
        keep_dims: bool | None = None,
    ) -> Tensor:
        axis = renamed("axis", axis, "reduction_indices", reduction_indices)
        keepdims = renamed("keepdims", keepdims, "keep_dims", keep_dims)
        return function(input_tensor, axis, keepdims, name)

    call_v1: Any = call
    call_v1.__name__ = call_v1.__qualname__ = f"{what}_v1"
    call_v1.__doc__ = (
        function.__doc__
    ) = f"""`{what.removeprefix("reduce_")}` over dimensions of a tensor.

    Args:
      input_tensor: the tensor.
      axis: a dimension or several; None for all.
      keepdims: whether reduced dimensions stay, with size 1.
      name: the operation's name.
      reduction_indices, keep_dims: (not in v2) the old names of `axis` and `keepdims`.

    Returns:
      The reduced tensor.
    """
    if logs:
        call_v1 = _keep_dims_is_deprecated(call_v1)
    return tf_export(f"math.{what}", what)(call_v1)


reduce_all, reduce_all_v1 = _reduction("reduce_all", "All")
reduce_any, reduce_any_v1 = _reduction("reduce_any", "Any")
reduce_max, reduce_max_v1 = _reduction("reduce_max", "Max")
# Alone among the reductions, TF does not log that this one's keep_dims is deprecated.
reduce_mean, reduce_mean_v1 = _reduction("reduce_mean", "Mean", logs=False)
reduce_min, reduce_min_v1 = _reduction("reduce_min", "Min")
reduce_prod, reduce_prod_v1 = _reduction("reduce_prod", "Prod")
reduce_sum, reduce_sum_v1 = _reduction("reduce_sum", "Sum")


@tf_export("math.reduce_euclidean_norm")
def reduce_euclidean_norm(
    input_tensor: TensorLike,
    axis: TensorLike | None = None,
    keepdims: bool = False,
    name: Name = None,
) -> Tensor:
    """The Euclidean norm over dimensions of a tensor.

    Args:
      input_tensor: a tensor of numbers.
      axis: ints; all dimensions if None.
      keepdims: whether the dimensions stay, with size 1.
      name: the operation's name.

    Returns:
      A tensor of the same dtype.
    """
    dims = reduction_dims(input_tensor, axis)
    return may_reduce_to_scalar(
        keepdims, axis, raw_ops.EuclideanNorm(input_tensor, dims, keepdims, name=name)
    )


@tf_export("math.reduce_variance")
def reduce_variance(
    input_tensor: TensorLike,
    axis: TensorLike | None = None,
    keepdims: bool = False,
    name: Name = None,
) -> Tensor:
    """The variance (of the population) over dimensions of a tensor.

    Args:
      input_tensor: a floating-point or complex tensor.
      axis: ints; all dimensions if None.
      keepdims: whether the dimensions stay, with size 1.
      name: the operation's name.

    Returns:
      A tensor of the same dtype (real, for complex numbers).
    """
    with ops.name_scope(name or "reduce_variance"):
        means = reduce_mean(input_tensor, axis=axis, keepdims=True)
        return reduce_mean(raw_ops.Square(input_tensor - means), axis=axis, keepdims=keepdims)


@tf_export("math.reduce_std")
def reduce_std(
    input_tensor: TensorLike,
    axis: TensorLike | None = None,
    keepdims: bool = False,
    name: Name = None,
) -> Tensor:
    """The standard deviation (of the population) over dimensions of a tensor.

    Args:
      input_tensor: a floating-point or complex tensor.
      axis: ints; all dimensions if None.
      keepdims: whether the dimensions stay, with size 1.
      name: the operation's name.

    Returns:
      A tensor of the same dtype (real, for complex numbers).
    """
    with ops.name_scope(name or "reduce_std"):
        return raw_ops.Sqrt(reduce_variance(input_tensor, axis=axis, keepdims=keepdims))


def reduce_logsumexp(
    input_tensor: TensorLike,
    axis: TensorLike | None = None,
    keepdims: bool | None = False,
    name: Name = None,
) -> Tensor:
    """`log(sum(exp(x)))` over dimensions of a tensor, without overflow."""
    keepdims = False if keepdims is None else keepdims
    input_tensor = ops.convert_to_tensor(input_tensor)
    with ops.name_scope(name, "ReduceLogSumExp", [input_tensor]) as name:
        raw_max = reduce_max(input_tensor, axis=axis, keepdims=True)
        my_max = array_ops.stop_gradient(
            array_ops.where(raw_ops.IsFinite(raw_max), raw_max, array_ops.zeros_like(raw_max))
        )
        total = reduce_sum(raw_ops.Exp(raw_ops.Sub(input_tensor, my_max)), axis, keepdims=keepdims)
        result = raw_ops.Log(total)
        if not keepdims:
            my_max = array_ops.reshape(my_max, array_ops.shape(result))
        return may_reduce_to_scalar(keepdims, axis, raw_ops.Add(result, my_max))


reduce_logsumexp_v1 = _v1("reduce_logsumexp", reduce_logsumexp)


@tf_export("math.count_nonzero", "count_nonzero")
@_keep_dims_is_deprecated
@deprecated_args(None, "reduction_indices is deprecated, use axis instead", "axis", module=_MODULE)
def count_nonzero(
    input_tensor: TensorLike | None = None,
    axis: TensorLike | None = None,
    keepdims: bool | None = None,
    dtype: DTypeLike = dtypes.int64,
    name: Name = None,
    reduction_indices: TensorLike | None = None,
    keep_dims: bool | None = None,
    input: TensorLike | None = None,
) -> Tensor:
    """How many elements are not zero, over dimensions of a tensor.

    Args:
      input_tensor: the tensor.
      axis: a dimension or several; None for all.
      keepdims: whether reduced dimensions stay, with size 1.
      dtype: the result's dtype.
      name: the name scope.
      reduction_indices, keep_dims, input: other names of `axis`, `keepdims`, `input_tensor`.

    Returns:
      The reduced tensor.
    """
    keepdims = renamed("keepdims", keepdims, "keep_dims", keep_dims)
    input_tensor = renamed("input", input, "input_tensor", input_tensor)
    axis = renamed("axis", axis, "reduction_indices", reduction_indices)
    return count_nonzero_v2(input_tensor, axis, keepdims, dtype, name)


@tf_export("compat.v2.math.count_nonzero")
def count_nonzero_v2(
    input: Any,
    axis: TensorLike | None = None,
    keepdims: bool | None = None,
    dtype: DTypeLike = dtypes.int64,
    name: Name = None,
) -> Tensor:
    """As `count_nonzero`, without its old argument names.

    Args:
      input, axis, keepdims, dtype, name: as in `count_nonzero`.

    Returns:
      As `count_nonzero`.
    """
    from tf1compat.api.math import math_ops

    keepdims = False if keepdims is None else keepdims
    with ops.name_scope(name, "count_nonzero", [input]):
        input = ops.convert_to_tensor(input, name="input")
        zero = array_ops.zeros([], dtype=input.dtype)
        nonzero = math_ops.cast(raw_ops.NotEqual(input, zero), dtypes.int64)
        return math_ops.cast(reduce_sum(nonzero, axis=axis, keepdims=keepdims), dtype=dtype)


def reduced_shape(input_shape: Any, axes: TensorLike) -> Any:
    """The shape that `input_shape` becomes when the dimensions `axes` are reduced and kept.

    Args:
      input_shape: an int vector.
      axes: an int scalar or vector.

    Returns:
      An int32 vector.
    """
    from tf1compat.api.math import math_ops

    if context.executing_eagerly():
        result = np.array(input_shape)
        result[np.asarray(axes)] = 1
        return result
    input_shape = math_ops.cast(input_shape, dtypes.int32)
    axes = math_ops.cast(axes, dtypes.int32)
    rank = array_ops.size(input_shape)
    axes = (axes + rank) % rank
    axes_shape = array_ops.shape(axes)
    return raw_ops.DynamicStitch(
        [math_ops.range(rank), axes], [input_shape, array_ops.fill(axes_shape, 1)]
    )
