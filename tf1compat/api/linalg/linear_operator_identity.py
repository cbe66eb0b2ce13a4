"""`tensorflow.python.ops.linalg.linear_operator_identity`."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.linalg import linalg_impl as linalg
from tf1compat.api.linalg import linear_operator_util as util
from tf1compat.api.linalg.linear_operator import LinearOperator
from tf1compat.api.math import math_ops
from tf1compat.core import dtypes, ops, tensor_shape, tensor_util
from tf1compat.core.export import tf_export
from tf1compat.core.typing import DTypeLike, Name, ShapeLike, TensorLike


class SizedLinearOperator(LinearOperator):
    """An operator that is given by its size: the number of rows, and perhaps a batch shape."""

    _assert_proper_shapes: Any
    _batch_shape_arg: Any
    _batch_shape_static: Any

    def _min_matrix_dim(self) -> Any:
        """The length of the diagonal, or None."""
        columns = tensor_shape.dimension_value(self.domain_dimension)
        rows = tensor_shape.dimension_value(self.range_dimension)
        return None if columns is None or rows is None else min(columns, rows)

    def _min_matrix_dim_tensor(self) -> Any:
        return math_ops.reduce_min(self.shape_tensor()[-2:])

    def _diag_shape(self) -> Any:
        if self.shape.is_fully_defined():
            return self.batch_shape.concatenate([self._min_matrix_dim()])
        return array_ops.concat(
            [self.batch_shape_tensor(), [self._min_matrix_dim_tensor()]], axis=0
        )

    def _known_batch_shape(self) -> Any:
        if self.batch_shape.is_fully_defined():
            return self.batch_shape
        return self.batch_shape_tensor()

    def _checked_num(self, size: TensorLike, static: Any, name: str) -> Any:
        return util.checked_size(size, static, name, 0, self._assert_proper_shapes)

    def _set_batch_shape(self, batch_shape: Any) -> None:
        if batch_shape is None:
            self._batch_shape_arg = None
            return
        self._batch_shape_arg = util.shape_tensor(batch_shape, name="batch_shape_arg")
        self._batch_shape_static = tensor_util.constant_value(self._batch_shape_arg)
        self._batch_shape_arg = util.checked_size(
            self._batch_shape_arg, self._batch_shape_static, "batch_shape", 1,
            self._assert_proper_shapes, last_space="",
        )  # fmt: skip

    def _with_batch_shape(self, matrix_shape: Any) -> Any:
        if self._batch_shape_arg is None:
            return matrix_shape
        return tensor_shape.TensorShape(self._batch_shape_static).concatenate(matrix_shape)

    def _with_batch_shape_tensor(self, matrix_shape: Any) -> Any:
        if self._batch_shape_arg is None:
            return matrix_shape
        return array_ops.concat((self._batch_shape_arg, matrix_shape), 0)

    def _possibly_broadcast_batch_shape(self, x: Any) -> Any:
        """`x` broadcast to the batch shape."""
        if self._batch_shape_arg is None:
            return x
        special: Any = self.batch_shape.concatenate([1, 1])
        broadcast = array_ops.broadcast_static_shape(x.shape, special)
        if special.is_fully_defined():
            if broadcast == x.shape:
                return x
        else:
            special = array_ops.concat((self.batch_shape_tensor(), [1, 1]), 0)
        return x + array_ops.zeros(shape=special, dtype=self.dtype)

    def _asserting_size(self, x: TensorLike) -> Any:
        """`x`, behind an assertion that its size fits, if there is to be one."""
        if not self._assert_proper_shapes:
            return x
        check = util.assert_compatible_matrix_dimensions(self, x)
        return control_flow_ops.with_dependencies([check], x)


class BaseLinearOperatorIdentity(SizedLinearOperator):
    """What both kinds of identities share."""

    _num_rows: Any
    _num_rows_static: Any

    def _set_num_rows(self, num_rows: TensorLike) -> None:
        rows = util.shape_tensor(num_rows, name="num_rows")
        self._num_rows_static = tensor_util.constant_value(rows)
        self._num_rows = self._checked_num(rows, self._num_rows_static, "num_rows")

    def _square(self) -> Any:
        return tensor_shape.TensorShape((self._num_rows_static, self._num_rows_static))

    def _square_tensor(self) -> Any:
        return array_ops.stack((self._num_rows, self._num_rows), axis=0)

    def _ones_diag(self) -> Any:
        return array_ops.ones(shape=self._diag_shape(), dtype=self.dtype)

    def _size_times(self, scale: Any) -> Any:
        """`scale` times the number of rows, broadcast to the batch shape."""
        ones = array_ops.ones(shape=self._known_batch_shape(), dtype=self.dtype)
        size = self._min_matrix_dim()
        if size is None:
            size = math_ops.cast(self._min_matrix_dim_tensor(), self.dtype)
        return (size if scale is None else scale * size) * ones


@tf_export("linalg.LinearOperatorIdentity")
class LinearOperatorIdentity(BaseLinearOperatorIdentity):
    """Identity matrices.

    Args:
      num_rows: an integer scalar.
      batch_shape: an int vector: that of the batch, if there is one.
      dtype: float32 by default.
      is_non_singular, is_self_adjoint, is_positive_definite, is_square: hints; all are True.
      assert_proper_shapes: whether to check shapes in a run as well.
      name: what the names of its operations begin with.

    Raises:
      ValueError: a size is negative or of the wrong rank, or a hint is False.
      TypeError: a size is not of an integer type, or a variable.
    """

    def __init__(
        self,
        num_rows: TensorLike,
        batch_shape: ShapeLike | None = None,
        dtype: DTypeLike | None = None,
        is_non_singular: bool = True,
        is_self_adjoint: bool = True,
        is_positive_definite: bool = True,
        is_square: bool = True,
        assert_proper_shapes: Any = False,
        name: Name = "LinearOperatorIdentity",
    ):
        dtype = dtype or dtypes.float32
        self._assert_proper_shapes = assert_proper_shapes
        with ops.name_scope(name):
            for hint, what in (
                (is_self_adjoint, "self adjoint"),
                (is_non_singular, "non-singular"),
                (is_positive_definite, "positive-definite"),
                (is_square, "square"),
            ):
                if not hint:
                    raise ValueError(f"An identity operator is always {what}.")
            super().__init__(
                dtypes.as_dtype(dtype),
                is_non_singular=is_non_singular,
                is_self_adjoint=is_self_adjoint,
                is_positive_definite=is_positive_definite,
                is_square=is_square,
                name=name,
            )
            util.assert_not_ref_type(num_rows, "num_rows")
            util.assert_not_ref_type(batch_shape, "batch_shape")
            self._set_num_rows(num_rows)
            self._set_batch_shape(batch_shape)

    def _shape(self) -> Any:
        return self._with_batch_shape(self._square())

    def _shape_tensor(self) -> Any:
        return self._with_batch_shape_tensor(self._square_tensor())

    def _assert_non_singular(self) -> Any:
        return control_flow_ops.no_op("assert_non_singular")

    def _assert_positive_definite(self) -> Any:
        return control_flow_ops.no_op("assert_positive_definite")

    def _assert_self_adjoint(self) -> Any:
        return control_flow_ops.no_op("assert_self_adjoint")

    def _matmul(self, x: TensorLike, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        x = linalg.adjoint(x) if adjoint_arg else x
        return self._possibly_broadcast_batch_shape(self._asserting_size(x))

    def _determinant(self) -> Any:
        return array_ops.ones(shape=self.batch_shape_tensor(), dtype=self.dtype)

    def _log_abs_determinant(self) -> Any:
        return array_ops.zeros(shape=self.batch_shape_tensor(), dtype=self.dtype)

    def _solve(self, rhs: TensorLike, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return self._matmul(rhs, adjoint_arg=adjoint_arg)

    def _trace(self) -> Any:
        return self._size_times(None)

    def _diag_part(self) -> Any:
        return self._ones_diag()

    def add_to_tensor(self, mat: Any, name: Name = "add_to_tensor") -> Any:
        """The sum with matrices [..., n, n]."""
        with self._name_scope(name):
            mat = ops.convert_to_tensor(mat, name="mat")
            diagonal = array_ops.matrix_diag_part(mat)
            return array_ops.matrix_set_diag(mat, 1 + diagonal)


@tf_export("linalg.LinearOperatorScaledIdentity")
class LinearOperatorScaledIdentity(BaseLinearOperatorIdentity):
    """Identity matrices times scalars.

    Args:
      num_rows: an integer scalar.
      multiplier: the scalars, [...].
      is_non_singular, is_self_adjoint, is_positive_definite, is_square: hints.
      assert_proper_shapes: whether to check shapes in a run as well.
      name: what the names of its operations begin with.

    Raises:
      ValueError: `num_rows` is negative or no scalar, or a hint says what can't be.
      TypeError: `num_rows` is not of an integer type, or a variable.
    """

    def __init__(
        self,
        num_rows: TensorLike,
        multiplier: Any,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: Any = True,
        assert_proper_shapes: Any = False,
        name: Name = "LinearOperatorScaledIdentity",
    ):
        self._assert_proper_shapes = assert_proper_shapes
        with ops.name_scope(name, values=[multiplier, num_rows]):
            self._multiplier = util.convert_nonref_to_tensor(multiplier, name="multiplier")
            if not self._multiplier.dtype.is_complex:
                if is_self_adjoint is False:
                    raise ValueError("A real diagonal operator is always self adjoint.")
                is_self_adjoint = True
            if not is_square:
                raise ValueError("A ScaledIdentity operator is always square.")
            util.assert_not_ref_type(num_rows, "num_rows")
            super().__init__(
                self._multiplier.dtype.base_dtype,
                is_non_singular=is_non_singular,
                is_self_adjoint=is_self_adjoint,
                is_positive_definite=is_positive_definite,
                is_square=is_square,
                name=name,
            )
            self._set_num_rows(num_rows)
            self._num_rows_cast_to_dtype = math_ops.cast(self._num_rows, self.dtype)
            self._num_rows_cast_to_real_dtype = math_ops.cast(self._num_rows, self.dtype.real_dtype)

    def _shape(self) -> Any:
        return self.multiplier.shape.concatenate(self._square())

    def _shape_tensor(self) -> Any:
        matrix = self._square_tensor()
        return array_ops.concat((array_ops.shape(self.multiplier), matrix), 0)

    def _assert_non_singular(self) -> Any:
        return check_ops.assert_positive(
            math_ops.abs(self.multiplier), message="LinearOperator was singular"
        )

    def _assert_positive_definite(self) -> Any:
        return check_ops.assert_positive(
            math_ops.real(self.multiplier), message="LinearOperator was not positive definite."
        )

    def _assert_self_adjoint(self) -> Any:
        imaginary = math_ops.imag(self.multiplier)
        return check_ops.assert_equal(
            array_ops.zeros_like(imaginary),
            imaginary,
            message="LinearOperator was not self-adjoint",
        )

    def _make_multiplier_matrix(self, conjugate: bool = False) -> Any:
        matrix = array_ops.expand_dims(array_ops.expand_dims(self.multiplier, -1), -1)
        return math_ops.conj(matrix) if conjugate else matrix

    def _matmul(self, x: TensorLike, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        x = self._asserting_size(linalg.adjoint(x) if adjoint_arg else x)
        return x * self._make_multiplier_matrix(conjugate=adjoint)

    def _determinant(self) -> Any:
        return self.multiplier**self._num_rows_cast_to_dtype

    def _log_abs_determinant(self) -> Any:
        log = math_ops.log(math_ops.abs(self.multiplier))
        return self._num_rows_cast_to_real_dtype * log

    def _solve(self, rhs: TensorLike, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        rhs = self._asserting_size(linalg.adjoint(rhs) if adjoint_arg else rhs)
        return rhs / self._make_multiplier_matrix(conjugate=adjoint)

    def _trace(self) -> Any:
        return self._size_times(self.multiplier)

    def _diag_part(self) -> Any:
        return self._ones_diag() * self.multiplier[..., array_ops.newaxis]

    def add_to_tensor(self, mat: Any, name: Name = "add_to_tensor") -> Any:
        """The sum with matrices [..., n, n]."""
        with self._name_scope(name):
            factors = array_ops.expand_dims(self.multiplier, -1)
            mat = ops.convert_to_tensor(mat, name="mat")
            diagonal = array_ops.matrix_diag_part(mat)
            return array_ops.matrix_set_diag(mat, factors + diagonal)

    @property
    def multiplier(self) -> Any:
        """The scalars."""
        return self._multiplier
