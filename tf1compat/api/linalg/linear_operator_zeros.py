"""`tensorflow.python.ops.linalg.linear_operator_zeros`."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.linalg import linalg_impl as linalg
from tf1compat.api.linalg import linear_operator_util as util
from tf1compat.api.linalg.linear_operator_identity import SizedLinearOperator
from tf1compat.core import dtypes, errors, ops, tensor_shape, tensor_util
from tf1compat.core.export import tf_export
from tf1compat.core.typing import DTypeLike, Name, ShapeLike, TensorLike


@tf_export("linalg.LinearOperatorZeros")
class LinearOperatorZeros(SizedLinearOperator):
    """Matrices of zeros.

    Args:
      num_rows: an integer scalar.
      num_columns: an integer scalar; `num_rows` by default.
      batch_shape: an int vector: that of the batch, if there is one.
      dtype: float32 by default.
      is_non_singular, is_self_adjoint, is_positive_definite, is_square: hints.
      assert_proper_shapes: whether to check shapes in a run as well.
      name: what the names of its operations begin with.

    Raises:
      ValueError: a size is negative or of the wrong rank, or a hint says what can't be.
      TypeError: a size is not of an integer type, or a variable.
    """

    def __init__(
        self,
        num_rows: TensorLike,
        num_columns: TensorLike | None = None,
        batch_shape: ShapeLike | None = None,
        dtype: DTypeLike | None = None,
        is_non_singular: bool = False,
        is_self_adjoint: bool = True,
        is_positive_definite: bool = False,
        is_square: bool = True,
        assert_proper_shapes: Any = False,
        name: Name = "LinearOperatorZeros",
    ):
        dtype = dtype or dtypes.float32
        self._assert_proper_shapes = assert_proper_shapes
        with ops.name_scope(name):
            for contradicts, what in (
                (not is_self_adjoint and is_square, "self adjoint"),
                (is_non_singular, "singular"),
                (is_positive_definite, "not positive-definite"),
            ):
                if contradicts:
                    raise ValueError(f"A zero operator is always {what}.")
            super().__init__(
                dtypes.as_dtype(dtype),
                is_non_singular=is_non_singular,
                is_self_adjoint=is_self_adjoint,
                is_positive_definite=is_positive_definite,
                is_square=is_square,
                name=name,
            )
            sizes = {"num_rows": num_rows, "num_columns": num_columns, "batch_shape": batch_shape}
            for argument, value in sizes.items():
                util.assert_not_ref_type(value, argument)
            self._num_rows = util.shape_tensor(num_rows, name="num_rows")
            self._num_rows_static = rows = tensor_util.constant_value(self._num_rows)
            if num_columns is None:
                num_columns = num_rows
            self._num_columns = util.shape_tensor(num_columns, name="num_columns")
            self._num_columns_static = columns = tensor_util.constant_value(self._num_columns)
            self._num_rows = self._checked_num(self._num_rows, rows, "num_rows")
            self._num_columns = self._checked_num(self._num_columns, columns, "num_columns")
            if rows is not None and columns is not None and is_square and rows != columns:
                raise ValueError(
                    "LinearOperatorZeros initialized as is_square=True, but got "
                    f"num_rows({rows}) != num_columns({columns})"
                )
            self._set_batch_shape(batch_shape)

    def _shape(self) -> Any:
        return self._with_batch_shape(
            tensor_shape.TensorShape((self._num_rows_static, self._num_columns_static))
        )

    def _shape_tensor(self) -> Any:
        matrix = array_ops.stack((self._num_rows, self._num_columns), axis=0)
        return self._with_batch_shape_tensor(matrix)

    def _assert_non_singular(self) -> Any:
        raise errors.InvalidArgumentError(None, None, "Zero operators are always non-invertible.")

    def _assert_positive_definite(self) -> Any:
        raise errors.InvalidArgumentError(
            None, None, "Zero operators are always non-positive definite."
        )

    def _assert_self_adjoint(self) -> Any:
        return control_flow_ops.no_op("assert_self_adjoint")

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        if self._assert_proper_shapes:
            x = self._asserting_size(linalg.adjoint(x) if adjoint_arg else x)
        zeros = array_ops.zeros(shape=self._product_shape(x, adjoint, adjoint_arg), dtype=x.dtype)
        return self._possibly_broadcast_batch_shape(zeros)

    def _product_shape(self, x: TensorLike, adjoint: bool, adjoint_arg: bool) -> Any:
        if not self.is_square:
            shape = array_ops.shape(x)
            rows = self._num_columns if adjoint else self._num_rows
            matrix = [rows, shape[-2 if adjoint_arg else -1]]
            return array_ops.concat([shape[:-2], matrix], axis=0)
        if not adjoint_arg:
            return array_ops.shape(x)
        batch = array_ops.shape(x)[:-2]
        matrix = [array_ops.shape(x)[-1], array_ops.shape(x)[-2]]
        return array_ops.concat([batch, matrix], axis=0)

    def _determinant(self) -> Any:
        return array_ops.zeros(shape=self._known_batch_shape(), dtype=self.dtype)

    def _trace(self) -> Any:
        return array_ops.zeros(shape=self._known_batch_shape(), dtype=self.dtype)

    def _diag_part(self) -> Any:
        return array_ops.zeros(shape=self._diag_shape(), dtype=self.dtype)

    def add_to_tensor(self, mat: Any, name: Name = "add_to_tensor") -> Any:
        """The sum with matrices [..., m, n]: these."""
        return self._possibly_broadcast_batch_shape(mat)
