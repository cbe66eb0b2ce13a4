"""What the solvers share (`tensorflow.contrib.solvers.python.ops.util`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from tf1compat.api.array import array_ops
from tf1compat.api.array.constant_op import constant
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import TensorLike

_PREFIX = "contrib.solvers.util."


class LinearOperator(NamedTuple):
    """A matrix, known by its products with column vectors.

    Attributes:
      shape: its two dimensions: a list, or a tensor if they are not known.
      dtype: that of its elements.
      apply: [n, 1] -> [m, 1].
      apply_adjoint: [m, 1] -> [n, 1].
    """

    shape: Any
    dtype: Any
    apply: Callable[[Any], Any]
    apply_adjoint: Callable[[Any], Any]


def _shape_of(matrix: Any) -> Any:
    shape = matrix.get_shape()
    return shape.as_list() if shape.is_fully_defined() else array_ops.shape(matrix)


@tf_export(_PREFIX + "create_operator")
def create_operator(matrix: Any) -> LinearOperator:
    """The operator of a matrix, as tf.contrib.solvers.util.create_operator in TF 1.15.

    Args:
      matrix: [m, n].

    Returns:
      A `LinearOperator`: shape, dtype, and the products with the matrix and with its adjoint.
    """

    def product(adjoint: bool) -> Callable[[Any], Any]:
        return lambda v: math_ops.matmul(matrix, v, adjoint_a=adjoint)

    return LinearOperator(_shape_of(matrix), matrix.dtype, product(False), product(True))


@tf_export(_PREFIX + "identity_operator")
def identity_operator(matrix: Any) -> LinearOperator:
    """The identity of a matrix's shape and dtype, as in TF 1.15.

    Args:
      matrix: a tensor [rows, columns], or an operator.

    Returns:
      A `LinearOperator`.
    """
    return LinearOperator(_shape_of(matrix), matrix.dtype, lambda v: v, lambda v: v)


def zero_column(size: TensorLike, like: Any) -> Any:
    """Zeros [size, 1] of a tensor's dtype.

    Args:
      size: a list, or a tensor, of one number.
      like: the tensor.
    """
    return array_ops.expand_dims(array_ops.zeros(size, dtype=like.dtype.base_dtype), -1)


@tf_export(_PREFIX + "dot")
def dot(x: TensorLike, y: TensorLike) -> Any:
    """The scalar product, conjugate in `x`.

    Args:
      x, y: tensors of one shape and dtype.

    Returns:
      A scalar.
    """
    return math_ops.reduce_sum(math_ops.conj(x) * y)


@tf_export(_PREFIX + "l2norm_squared")
def l2norm_squared(v: Any) -> Any:
    """The sum of the squares of all elements.

    Args:
      v: a tensor.

    Returns:
      A scalar of its dtype.
    """
    return constant(2, dtype=v.dtype.base_dtype) * nn_ops.l2_loss(v)


@tf_export(_PREFIX + "l2norm")
def l2norm(v: TensorLike) -> Any:
    """The Euclidean norm of all elements.

    Args:
      v: a tensor.

    Returns:
      A scalar of its dtype.
    """
    return math_ops.sqrt(l2norm_squared(v))


@tf_export(_PREFIX + "l2normalize")
def l2normalize(v: TensorLike) -> tuple[Any, Any]:
    """A tensor divided by its norm, and the norm.

    Args:
      v: a tensor.

    Returns:
      A tensor like `v`, and a scalar.
    """
    norm = l2norm(v)
    return v / norm, norm
