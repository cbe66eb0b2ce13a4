"""Checks of tensors (`tensorflow.contrib.framework.python.framework.tensor_util`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.math import math_ops
from tf1compat.api.util.deprecation import deprecated
from tf1compat.core import dtypes, ops, sparse_tensor, tensor_util
from tf1compat.core.export import export_constant, tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.core.typing import Name, TensorLike

__all__ = [
    "assert_same_float_dtype",
    "assert_scalar",
    "assert_scalar_int",
    "convert_to_tensor_or_sparse_tensor",
    "is_tensor",
    "reduce_sum_n",
    "remove_squeezable_dimensions",
    "with_same_shape",
    "with_shape",
]

is_tensor = tensor_util.is_tensor
assert_same_float_dtype = check_ops.assert_same_float_dtype
assert_scalar = check_ops.assert_scalar
convert_to_tensor_or_sparse_tensor = sparse_tensor.convert_to_tensor_or_sparse_tensor
for _function in (assert_same_float_dtype, assert_scalar, convert_to_tensor_or_sparse_tensor):
    export_constant(f"contrib.framework.{_function.__name__}", _function)


@tf_export("contrib.framework.reduce_sum_n")
def reduce_sum_n(tensors: Sequence[Any], name: Name = None) -> Tensor:
    """The sum of all elements of all tensors.

    Args:
      tensors: tensors of one numeric dtype.
      name: the name of the result, and the scope of what else is recorded.

    Returns:
      A scalar of their dtype.

    Raises:
      ValueError: there are none.
    """
    if not tensors:
        raise ValueError("No tensors provided.")
    with ops.name_scope(name, "reduce_sum_n", tensors) as name_scope:
        sums = [math_ops.reduce_sum(t, name=f"{t.op.name}/sum") for t in tensors]
        return sums[0] if len(sums) == 1 else math_ops.add_n(sums, name=name_scope)


@tf_export("contrib.framework.remove_squeezable_dimensions")
@deprecated(
    None,
    "Please switch to remove_squeezable_dimensions from tf.confusion_matrix. Note that the order "
    "of the inputs and outputs of labels and predictions have also been switched.",
    module="tensorflow.contrib.framework.python.framework.tensor_util",
)
def remove_squeezable_dimensions(
    predictions: Any, labels: Any, name: Name = None
) -> tuple[Tensor, Tensor]:
    """Takes away a last dimension of 1 where one tensor has one dimension more than the other.

    Args:
      predictions, labels: tensors.
      name: the name scope.

    Returns:
      (predictions, labels).
    """
    with ops.name_scope(name, "remove_squeezable_dimensions", [predictions, labels]):
        predictions = ops.convert_to_tensor(predictions)
        labels = ops.convert_to_tensor(labels)
        predictions_shape, labels_shape = predictions.get_shape(), labels.get_shape()
        ranks = predictions_shape.ndims, labels_shape.ndims
        if None not in ranks:
            difference = ranks[0] - ranks[1]
            if difference == -1:
                labels = array_ops.squeeze(labels, [-1])
            elif difference == 1:
                predictions = array_ops.squeeze(predictions, [-1])
            return predictions, labels
        difference = array_ops.rank(predictions) - array_ops.rank(labels)
        predictions = _squeezed_if(1, difference, predictions, predictions_shape)
        labels = _squeezed_if(-1, difference, labels, labels_shape)
        return predictions, labels


def _squeezed_if(wanted: int, difference: Any, tensor: Any, shape: Any) -> Any:
    if shape.ndims is not None and not shape.dims[-1].is_compatible_with(1):
        return tensor
    return control_flow_ops.cond(
        math_ops.equal(wanted, difference),
        lambda: array_ops.squeeze(tensor, [-1]),
        lambda: tensor,
    )


def _assert_shape_op(expected_shape: Any, tensor: Tensor) -> Any:
    """An Assert of a tensor's shape, where -1 is any size."""
    with ops.name_scope("assert_shape", values=[tensor]) as scope:
        actual = array_ops.shape(tensor, name="actual")
        if isinstance(expected_shape, TensorShape) and not expected_shape.is_fully_defined():
            expected_shape = [size if size else -1 for size in expected_shape.as_list()]
        with ops.name_scope("is_shape", values=[tensor]) as is_scope:
            is_rank = _is_rank(array_ops.size(expected_shape), tensor)
            are_sizes = _are_sizes(expected_shape, actual)
            is_shape = math_ops.logical_and(is_rank, are_sizes, name=is_scope)
        text = f"Wrong shape for {tensor.name} [expected] [actual]."
        return control_flow_ops.Assert(is_shape, [text, expected_shape, actual], name=scope)


def _is_rank(expected_rank: Any, tensor: Tensor) -> Tensor:
    with ops.name_scope("is_rank", values=[tensor]) as scope:
        expected = ops.convert_to_tensor(expected_rank, name="expected")
        actual = array_ops.rank(tensor, name="actual")
        return math_ops.equal(expected, actual, name=scope)


def _are_sizes(expected_shape: Any, actual: Tensor) -> Tensor:
    with ops.name_scope("shape_tensor_equal", values=[expected_shape, actual]) as scope:
        is_any = math_ops.equal(expected_shape, -1)
        same = math_ops.equal(expected_shape, actual, "equal")
        either = math_ops.logical_or(is_any, same, name="exclude_partial_shape")
        return math_ops.reduce_all(either, name=scope)


@tf_export("contrib.framework.with_same_shape")
def with_same_shape(expected_tensor: Any, tensor: Any) -> Tensor:
    """`with_shape` for the shape of another tensor.

    Args:
      expected_tensor: the tensor whose shape is expected.
      tensor: the tensor to check.

    Returns:
      `tensor`, which fails when it runs if its shape is another; of a known shape, where that is.
    """
    with ops.name_scope(f"{tensor.op.name}/", values=[expected_tensor, tensor]):
        shape = expected_tensor.get_shape()
        if shape.is_fully_defined():
            return with_shape(shape.as_list(), tensor)
        return with_shape(array_ops.shape(expected_tensor, name="expected_shape"), tensor)


@tf_export("contrib.framework.with_shape")
def with_shape(expected_shape: Any, tensor: Any) -> Tensor:
    """Checks a tensor's shape, when the graph is recorded or else when it runs.

    Args:
      expected_shape: a vector of int32; -1 for any size.
      tensor: the tensor.

    Returns:
      The tensor itself, or its copy that depends on the check.

    Raises:
      ValueError: the static shape is another, `expected_shape` is no int32 vector, or `tensor` is
        sparse.
    """
    if isinstance(tensor, sparse_tensor.SparseTensor):
        raise ValueError("SparseTensor not supported.")
    if isinstance(expected_shape, list | tuple):
        as_array = np.asarray(expected_shape, None if expected_shape else np.int32)
        expected_shape = as_array.astype(np.int32) if as_array.dtype == np.int64 else as_array
    is_known = not is_tensor(expected_shape)
    if isinstance(expected_shape, np.ndarray) and expected_shape.ndim > 1:
        raise ValueError(
            f"Invalid rank {expected_shape.ndim} for shape {expected_shape} expected of tensor "
            f"{tensor.name}."
        )
    if isinstance(expected_shape, np.ndarray):
        is_int32 = expected_shape.dtype == np.int32
    else:
        is_int32 = is_known or expected_shape.dtype.base_dtype == dtypes.int32
    if not is_int32:
        raise ValueError(
            f"Invalid dtype {expected_shape.dtype} for shape {expected_shape} expected of tensor "
            f"{tensor.name}."
        )
    actual_shape = tensor.get_shape()
    if not is_known or not actual_shape.is_fully_defined():
        with ops.name_scope(f"{tensor.op.name}/", values=[tensor]):
            if is_known and len(expected_shape) < 1:
                return array_ops.reshape(tensor, [])
            with ops.control_dependencies([_assert_shape_op(expected_shape, tensor)]):
                result = array_ops.identity(tensor)
            if is_known:
                result.set_shape(expected_shape)
            return result
    if not actual_shape.is_compatible_with(expected_shape):
        if len(expected_shape) < 1 and actual_shape.is_compatible_with([1]):
            with ops.name_scope(f"{tensor.op.name}/", values=[tensor]):
                return array_ops.reshape(tensor, [])
        raise ValueError(
            f"Invalid shape for tensor {tensor.name}, expected {expected_shape}, got "
            f"{actual_shape}."
        )
    return tensor


@tf_export("contrib.framework.assert_scalar_int")
def assert_scalar_int(tensor: TensorLike, name: Name = None) -> Tensor:
    """Checks that a tensor is an integer scalar.

    Args:
      tensor: a tensor or what converts to one.
      name: the name scope.

    Returns:
      The tensor.

    Raises:
      ValueError: it is not.
    """
    with ops.name_scope(name, "assert_scalar_int", [tensor]) as name_scope:
        tensor = ops.convert_to_tensor(tensor)
        dtype = tensor.dtype
        if not dtype.base_dtype.is_integer:
            raise ValueError(f"Expected integer type for {tensor.name}, received type: {dtype}.")
        return check_ops.assert_scalar(tensor, name=name_scope)
