"""`tensorflow.python.ops.linalg.linear_operator_toeplitz`."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.linalg import linalg_impl as linalg
from tf1compat.api.linalg import linear_operator_util as util
from tf1compat.api.linalg.linear_operator import LinearOperator
from tf1compat.api.linalg.linear_operator_circulant import LinearOperatorCirculant
from tf1compat.api.math import math_ops
from tf1compat.api.signal import fft_ops
from tf1compat.core import ops
from tf1compat.core.attribute import attribute
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name, TensorLike


@tf_export("linalg.LinearOperatorToeplitz")
class LinearOperatorToeplitz(LinearOperator):
    """Square matrices with constant diagonals, multiplied as parts of circulant ones.

    Args:
      col: their first columns, [..., n].
      row: their first rows, [..., n]; the first element is that of `col`.
      is_non_singular, is_self_adjoint, is_positive_definite, is_square: hints.
      name: what the names of its operations begin with.

    Raises:
      ValueError: `col` or `row` is a scalar, their lengths differ, or `is_square` is False.
    """

    def __init__(
        self,
        col: Any,
        row: Any,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: Name = "LinearOperatorToeplitz",
    ):
        with ops.name_scope(name, values=[row, col]):
            self._row = ops.convert_to_tensor(row, name="row")
            self._col = ops.convert_to_tensor(col, name="col")
            self._check_row_col()
            spectrum = fft_ops.fft(util.to_complex(self._circulant_column()))
            self._circulant = LinearOperatorCirculant(spectrum, input_output_dtype=self._row.dtype)
            if is_square is False:
                raise ValueError("Only square Toeplitz operators currently supported.")
            super().__init__(
                self._row.dtype,
                [self._row, self._col],
                is_non_singular=is_non_singular,
                is_self_adjoint=is_self_adjoint,
                is_positive_definite=is_positive_definite,
                is_square=True,
                name=name,
            )

    def _circulant_column(self) -> Tensor:
        """The first column of the circulant matrix of which this one is the upper left part."""
        padding = array_ops.zeros_like(self._col[..., 0:1])
        above = array_ops.reverse(self._row[..., 1:], axis=[-1])
        return array_ops.concat([self._col, padding, above], axis=-1)

    def _check_row_col(self) -> None:
        row, col = self._row, self._col
        for name, tensor in (("row", row), ("col", col)):
            if tensor.shape.ndims is not None and tensor.shape.ndims < 1:
                raise ValueError(
                    f"Argument {name} must have at least 1 dimension.  Found: {tensor!s}"
                )
        if row.shape[-1] is not None and col.shape[-1] is not None:
            if row.shape[-1] != col.shape[-1]:
                raise ValueError(
                    "Expected square matrix, got row and col with mismatched dimensions."
                )

    def _shape(self) -> Any:
        shape = array_ops.broadcast_static_shape(self.row.shape, self.col.shape)
        return shape.concatenate(shape[-1:])

    def _shape_tensor(self) -> Any:
        shape = array_ops.broadcast_dynamic_shape(
            array_ops.shape(self.row), array_ops.shape(self.col)
        )
        return util.square_shape_tensor(shape)

    def _assert_self_adjoint(self) -> Any:
        return check_ops.assert_equal(
            self.row,
            self.col,
            message="row and col are not the same, and so this operator is not self-adjoint.",
        )

    def _matmul(self, x: TensorLike, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        x = linalg.adjoint(x) if adjoint_arg else x
        padded = array_ops.concat([x, array_ops.zeros_like(x)], axis=-2)
        product = self._circulant.matmul(padded, adjoint=adjoint, adjoint_arg=False)
        size = self.domain_dimension_tensor()
        return math_ops.cast(product[..., :size, :], self.dtype)

    def _trace(self) -> Any:
        size = math_ops.cast(self.domain_dimension_tensor(), dtype=self.dtype)
        return size * self.col[..., 0]

    def _diag_part(self) -> Any:
        value = self.col[..., 0:1]
        return value * array_ops.ones([self.domain_dimension_tensor()], self.dtype)

    col = attribute("_col", "The first columns.")
    row = attribute("_row", "The first rows.")
