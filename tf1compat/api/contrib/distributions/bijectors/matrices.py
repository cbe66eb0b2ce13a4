"""Bijectors of matrices, and from vectors to matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.contrib.distributions.bijectors.combined import Chain
from tf1compat.api.contrib.distributions.bijectors.elementwise import AffineScalar, Softplus
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.distributions import util
from tf1compat.api.distributions.bijector_impl import Bijector
from tf1compat.api.distributions.moved import moved
from tf1compat.api.linalg import linalg_ops
from tf1compat.api.math import math_ops
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor_shape import dimension_value
from tf1compat.core.typing import Name, TensorLike

_LIBRARY = "tf.contrib.distributions"
_checked = control_flow_ops.with_dependencies


@tf_export("contrib.distributions.bijectors.CholeskyOuterProduct")
class CholeskyOuterProduct(Bijector):
    """Y = X @ X^T of a lower triangular X with a positive diagonal.

    Args:
      validate_args: whether X is checked.
      name: scope of the ops.
    """

    @moved("bijectors.cholesky_outer_product", _LIBRARY)
    def __init__(self, validate_args: bool = False, name: str = "cholesky_outer_product") -> None:
        super().__init__(forward_min_event_ndims=2, validate_args=validate_args, name=name)

    def _forward(self, x: TensorLike) -> Any:
        if self.validate_args:
            is_matrix = check_ops.assert_rank_at_least(x, 2)
            shape = array_ops.shape(x)
            x = _checked([is_matrix, check_ops.assert_equal(shape[-2], shape[-1])], x)
        x = array_ops.matrix_band_part(x, -1, 0)
        return math_ops.matmul(x, x, adjoint_b=True)

    def _inverse(self, y: TensorLike) -> Any:
        return linalg_ops.cholesky(y)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        # d/dX of X X^T is triangular too: 2^p times the product of X_jj^(p - j + 1).
        diag = _at_least_a_matrix(array_ops.matrix_diag_part(x))
        if self.validate_args:
            x = _checked(_checks_of_factor(x, diag), x)
        size = None if x.get_shape().ndims is None else dimension_value(x.get_shape()[-1])
        if size is None:
            size = array_ops.shape(x)[-1]
            as_float = math_ops.cast(size, dtype=x.dtype)
        else:
            as_float = np.array(size, dtype=x.dtype.as_numpy_dtype)
        exponents = math_ops.linspace(as_float, 1.0, size)
        weighted = math_ops.matmul(math_ops.log(diag), exponents[..., None])
        fldj = as_float * np.log(2.0) + array_ops.squeeze(weighted, axis=-1)
        rank = x.get_shape().ndims
        if rank is not None:
            return array_ops.squeeze(fldj, axis=-1) if rank == 2 else fldj
        shape = array_ops.shape(fldj)
        begin = shape[:-1]
        is_matrix = math_ops.equal(array_ops.rank(x), 2)
        nothing = np.array([], dtype=np.int32)
        end = util.pick_vector(is_matrix, nothing, shape[-1:])
        return array_ops.reshape(fldj, array_ops.concat([begin, end], 0))


def _checks_of_factor(x: TensorLike, diag: TensorLike) -> list[Any]:
    text = "Input must be {}."
    is_matrix = check_ops.assert_rank_at_least(x, 2, message=text.format("a (batch of) matrix"))
    shape = array_ops.shape(x)
    is_square = check_ops.assert_equal(
        shape[-2], shape[-1], message=text.format("a (batch of) square matrix")
    )
    is_positive = check_ops.assert_positive(diag, message=text.format("positive definite"))
    return [is_matrix, is_square, is_positive]


def _at_least_a_matrix(x: Any) -> Any:
    """Vectors as they are, one vector as a row."""
    if x.get_shape().ndims is not None:
        return x[None, :] if x.get_shape().ndims == 1 else x
    shape = array_ops.shape(x)
    begin = shape[:-1]
    nothing = np.array([], dtype=np.int32)
    one = util.pick_vector(math_ops.equal(array_ops.rank(x), 1), [1], nothing)
    return array_ops.reshape(x, array_ops.concat([begin, one, shape[-1:]], 0))


@tf_export("contrib.distributions.bijectors.MatrixInverseTriL")
class MatrixInverseTriL(Bijector):
    """Y = X^-1 of a lower triangular X.

    Args:
      validate_args: whether X and Y are checked.
      name: scope of the ops.
    """

    @moved("bijectors.matrix_inverse_tril", _LIBRARY)
    def __init__(self, validate_args: bool = False, name: str = "matrix_inverse_tril") -> None:
        super().__init__(forward_min_event_ndims=2, validate_args=validate_args, name=name)

    def _forward(self, x: TensorLike) -> Any:
        with ops.control_dependencies(self._checks(x)):
            shape = array_ops.shape(x)
            identity = linalg_ops.eye(shape[-1], batch_shape=shape[:-2])
            return linalg_ops.matrix_triangular_solve(x, identity, lower=True)

    def _inverse(self, y: TensorLike) -> Any:
        return self._forward(y)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        # Of the p (p + 1) / 2 elements: the product of X_jj^-(p + 1), of which TF takes -2 p.
        with ops.control_dependencies(self._checks(x)):
            factor = -2.0 * math_ops.cast(array_ops.shape(x)[-1], x.dtype.base_dtype)
            diag = math_ops.abs(array_ops.matrix_diag_part(x))
            return factor * math_ops.reduce_sum(math_ops.log(diag), axis=-1)

    def _checks(self, x: TensorLike) -> list[Any]:
        if not self.validate_args:
            return []
        shape = array_ops.shape(x)
        is_matrix = check_ops.assert_rank_at_least(x, 2, message="Input must have rank at least 2.")
        is_square = check_ops.assert_equal(
            shape[-2], shape[-1], message="Input must be a square matrix."
        )
        no_diagonal = array_ops.matrix_set_diag(
            x, array_ops.zeros(shape[:-1], dtype=dtypes.float32)
        )
        above = array_ops.matrix_band_part(no_diagonal, 0, -1)
        is_lower = check_ops.assert_equal(
            above, array_ops.zeros_like(above), message="Input must be lower triangular."
        )
        diag = array_ops.matrix_diag_part(x)
        is_regular = check_ops.assert_none_equal(
            diag,
            array_ops.zeros_like(diag),
            message="Input must have all diagonal entries nonzero.",
        )
        return [is_matrix, is_square, is_lower, is_regular]


@tf_export("contrib.distributions.bijectors.TransformDiagonal")
class TransformDiagonal(Bijector):
    """A bijector applied to the diagonal of a matrix."""

    @moved("bijectors.transform_diagonal", _LIBRARY)
    def __init__(
        self, diag_bijector: Any, validate_args: bool = False, name: str = "transform_diagonal"
    ) -> None:
        """A bijector applied to the diagonal of a matrix.

        Args:
          diag_bijector: a bijector of vectors or of scalars.
          validate_args: see `Bijector`.
          name: scope of the ops.
        """
        self._diag_bijector = diag_bijector
        super().__init__(
            forward_min_event_ndims=2,
            inverse_min_event_ndims=2,
            validate_args=validate_args,
            name=name,
        )

    def _forward(self, x: TensorLike) -> Any:
        diag = self._diag_bijector.forward(array_ops.matrix_diag_part(x))
        return array_ops.matrix_set_diag(x, diag)

    def _inverse(self, y: TensorLike) -> Any:
        diag = self._diag_bijector.inverse(array_ops.matrix_diag_part(y))
        return array_ops.matrix_set_diag(y, diag)

    def _forward_log_det_jacobian(self, x: TensorLike) -> Any:
        diag = array_ops.matrix_diag_part(x)
        return self._diag_bijector.forward_log_det_jacobian(diag, event_ndims=1)

    def _inverse_log_det_jacobian(self, y: TensorLike) -> Any:
        diag = array_ops.matrix_diag_part(y)
        return self._diag_bijector.inverse_log_det_jacobian(diag, event_ndims=1)


@tf_export("contrib.distributions.bijectors.FillTriangular")
class FillTriangular(Bijector):
    """Vectors to triangular matrices, as `tf.contrib.distributions.fill_triangular`."""

    @moved("bijectors.fill_triangular", _LIBRARY)
    def __init__(
        self, upper: bool = False, validate_args: bool = False, name: str = "fill_triangular"
    ) -> None:
        """Vectors to triangular matrices.

        Args:
          upper: whether the matrices are upper triangular.
          validate_args: whether shapes are checked when the graph runs.
          name: scope of the ops.
        """
        self._upper = upper
        super().__init__(
            forward_min_event_ndims=1,
            inverse_min_event_ndims=2,
            validate_args=validate_args,
            name=name,
        )

    def _forward(self, x: TensorLike) -> Any:
        return util.fill_triangular(x, upper=self._upper)

    def _inverse(self, y: TensorLike) -> Any:
        return util.fill_triangular_inverse(y, upper=self._upper)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return array_ops.zeros_like(x[..., 0])

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        return array_ops.zeros_like(y[..., 0, 0])

    def _forward_event_shape(self, input_shape: Any) -> Any:
        size = dimension_value(input_shape[-1])
        if size is not None:
            size = vector_size_to_square_matrix_size(size, self.validate_args)
        return input_shape[:-1].concatenate([size, size])

    def _inverse_event_shape(self, output_shape: Any) -> Any:
        rows, columns = (dimension_value(output_shape[i]) for i in (-2, -1))
        size = None
        if rows is not None and columns is not None:
            if rows != columns:
                raise ValueError(f"Matrix must be square. (saw [{rows}, {columns}])")
            size = rows * (rows + 1) // 2
        return output_shape[:-2].concatenate([size])

    def _forward_event_shape_tensor(self, input_shape: Any) -> Any:
        begin, size = input_shape[:-1], input_shape[-1]
        rows = vector_size_to_square_matrix_size(size, self.validate_args)
        return array_ops.concat([begin, [rows, rows]], axis=0)

    def _inverse_event_shape_tensor(self, output_shape: Any) -> Any:
        begin, rows = output_shape[:-2], output_shape[-1]
        if self.validate_args:
            text = "Matrix must be square."
            check = check_ops.assert_equal(rows, output_shape[-2], message=text)
            with ops.control_dependencies([check]):
                rows = array_ops.identity(rows)
        size = math_ops.cast(rows * (rows + 1) / 2, output_shape.dtype)
        return array_ops.concat([begin, [size]], axis=0)


def vector_size_to_square_matrix_size(d: Any, validate_args: bool, name: Name = None) -> Any:
    """How many rows a triangular matrix of `d` elements has.

    Args:
      d: a number, or an int tensor.
      validate_args: whether a tensor is checked when the graph runs.
      name: scope of the ops.

    Raises:
      ValueError: no triangular matrix has so many.
    """
    if isinstance(d, (float, int, np.generic, np.ndarray)):
        n = (-1 + np.sqrt(1 + 8 * np.asarray(d))) / 2.0
        if float(int(n)) != n:
            raise ValueError("Vector length is not a triangular number.")
        return int(n)
    with ops.name_scope(name, "vector_size_to_square_matrix_size", [d]) as name:
        n = (-1.0 + math_ops.sqrt(1 + 8.0 * math_ops.cast(d, dtypes.float32))) / 2.0
        if validate_args:
            whole = math_ops.cast(math_ops.cast(n, dtypes.int32), dtypes.float32)
            text = "Vector length is not a triangular number"
            with ops.control_dependencies([check_ops.assert_equal(whole, n, message=text)]):
                n = array_ops.identity(n)
        return math_ops.cast(n, d.dtype)


@tf_export("contrib.distributions.bijectors.ScaleTriL")
class ScaleTriL(Chain):
    """Vectors to lower triangular matrices with positive diagonals."""

    @moved("bijectors.scale_tril", _LIBRARY)
    def __init__(
        self,
        diag_bijector: Any = None,
        diag_shift: Any = 1e-5,
        validate_args: bool = False,
        name: str = "scale_tril",
    ) -> None:
        """Vectors to lower triangular matrices.

        Args:
          diag_bijector: what makes the diagonal positive; by default a softplus.
          diag_shift: float, added to the diagonal; None for 0.
          validate_args: see `Bijector`.
          name: scope of the ops.
        """
        if diag_bijector is None:
            diag_bijector = Softplus(validate_args=validate_args)
        if diag_shift is not None:
            diag_bijector = Chain([AffineScalar(shift=diag_shift), diag_bijector])
        parts = [TransformDiagonal(diag_bijector=diag_bijector), FillTriangular()]
        super().__init__(parts, validate_args=validate_args, name=name)
