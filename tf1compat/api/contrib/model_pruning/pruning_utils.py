"""What pruning adds to a graph: variables, their assignment, blocks of a matrix."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.array.gather_ops import scatter_nd
from tf1compat.api.array.shape_ops import squeeze
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.nn import nn_convolution
from tf1compat.api.random import init_ops
from tf1compat.api.variables import state_ops, variable_scope
from tf1compat.core import dtypes, ops
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name


def weight_mask_variable(var: Any, scope: Any) -> Any:
    """The variable "mask" of a scope, of the shape of `var`, at first all ones."""
    with variable_scope.variable_scope(scope):
        return variable_scope.get_variable(
            "mask", var.get_shape(), initializer=init_ops.ones_initializer(), trainable=False,
            dtype=var.dtype,
        )  # fmt: skip


def weight_threshold_variable(var: Any, scope: Any) -> Any:
    """The scalar variable "threshold" of a scope, of the type of `var`, at first 0."""
    with variable_scope.variable_scope(scope):
        return variable_scope.get_variable(
            "threshold", [], initializer=init_ops.zeros_initializer(), trainable=False,
            dtype=var.dtype,
        )  # fmt: skip


def kronecker_product(mat1: Any, mat2: Any) -> Tensor:
    """The Kronecker product [m p, n q] of matrices [m, n] and [p, q]."""
    (m, n), (p, q) = mat1.get_shape().as_list(), mat2.get_shape().as_list()
    outer = array_ops.reshape(mat1, [m, 1, n, 1])
    inner = array_ops.reshape(mat2, [1, p, 1, q])
    return array_ops.reshape(outer * inner, [m * p, n * q])


def expand_tensor(tensor: Tensor, block_dims: Sequence[int]) -> Tensor:
    """Repeats each element of a matrix as a block of a height and a width.

    Raises:
      ValueError: `tensor` is no matrix, or `block_dims` are not two.
    """
    if tensor.get_shape().ndims != 2:
        raise ValueError("Input tensor must be rank 2")
    if len(block_dims) != 2:
        raise ValueError("block_dims must have 2 elements")
    height, width = block_dims
    expanded = tensor
    if height > 1:
        expanded = _each_row_repeated(tensor, height)
    if width > 1:
        turned = array_ops.transpose(expanded)
        expanded = array_ops.transpose(_each_row_repeated(turned, width))
    return expanded


def _each_row_repeated(matrix: Any, count: int) -> Tensor:
    """Copies of all rows, one below the other, scattered so that those of a row are neighbours."""
    rows, columns = matrix.shape.as_list()
    places = np.arange(rows * count, dtype=np.int32).reshape(rows, count).T.reshape(-1, 1)
    indices = constant_op.constant_v1(places)
    return scatter_nd(indices, array_ops.tile(matrix, [count, 1]), [rows * count, columns])


def factorized_pool(
    input_tensor: Tensor, window_shape: Any, pooling_type: str, strides: Any, padding: str,
    name: Name = None,
) -> Tensor:  # fmt: skip
    """Pools a matrix down its columns and then along its rows.

    Args:
      input_tensor: [height, width].
      window_shape, strides: two ints.
      pooling_type: "MAX" or "AVG".
      padding: "SAME" or "VALID".
      name: a name scope.

    Raises:
      ValueError: `input_tensor` is no matrix.
    """
    if input_tensor.get_shape().ndims != 2:
        raise ValueError("factorized_pool() accepts tensors of rank 2 only")
    height, width = input_tensor.get_shape()
    with ops.name_scope(name, "factorized_pool"):
        pooled = array_ops.reshape(
            input_tensor, [1, 1, height, width], name=f"{input_tensor.op.name}_aligned"
        )
        # The pooled dimension lies last but one, then the other one comes there.
        for i in range(2):
            pooled = nn_convolution.pool(
                pooled, window_shape=[1, window_shape[i]], pooling_type=pooling_type,
                strides=[1, strides[i]], padding=padding,
            )  # fmt: skip
            if i == 0:
                pooled = array_ops.transpose(pooled, perm=[0, 1, 3, 2])
    return squeeze(array_ops.transpose(pooled, perm=[0, 1, 3, 2]), axis=[0, 1])


def determine_partitioned_axis(partitioned_variable: Any) -> int:
    """The dimension in which the parts of a variable are shorter than the whole.

    Raises:
      ValueError: they are in none, or in several.
    """
    axis = 0
    whole = partitioned_variable.get_shape()
    for part in partitioned_variable:
        (shorter,) = np.nonzero(np.less(part.get_shape().as_list(), whole.as_list()))
        if len(shorter) != 1:
            raise ValueError(f"Number of partitioned axes {len(shorter)} not equal to 1")
        axis = int(shorter[0])
    return axis


def variable_assign(var: Any, new_value: Any) -> Any:
    """The assignment of a value to a variable, named after it."""
    return state_ops.assign(var, new_value, name=f"{var.op.name}_assign")


def partitioned_variable_assign(partitioned_var: Any, new_value: Tensor) -> Any:
    """The operation that assigns a value to the parts of a variable."""
    axis = 0 if len(partitioned_var) == 1 else determine_partitioned_axis(partitioned_var)
    sizes = np.array([part.get_shape().as_list()[axis] for part in partitioned_var])
    values = array_ops.split(new_value, ops.convert_to_tensor(sizes, dtype=dtypes.int32), axis=axis)
    assigned = [variable_assign(var, value) for var, value in zip(partitioned_var, values)]
    return control_flow_ops.group(*assigned, name=f"{partitioned_var.name}_group_assign")
