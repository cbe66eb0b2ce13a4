"""`tensorflow.python.ops.linalg.linear_operator_lower_triangular`."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.linalg import linalg_impl as linalg
from tf1compat.api.linalg import linear_operator_util as util
from tf1compat.api.linalg.linear_operator import LinearOperator
from tf1compat.api.math import math_ops
from tf1compat.core import ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name, TensorLike


@tf_export("linalg.LinearOperatorLowerTriangular")
class LinearOperatorLowerTriangular(LinearOperator):
    """Square lower triangular matrices.

    Args:
      tril: matrices [..., n, n]; what is above their diagonals is ignored.
      is_non_singular, is_self_adjoint, is_positive_definite, is_square: hints.
      name: what the names of its operations begin with.

    Raises:
      ValueError: `tril` has fewer than two dimensions, or `is_square` is False.
    """

    def __init__(
        self,
        tril: Any,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: Name = "LinearOperatorLowerTriangular",
    ):
        if is_square is False:
            raise ValueError("Only square lower triangular operators supported at this time.")
        with ops.name_scope(name, values=[tril]):
            self._tril = util.convert_nonref_to_tensor(tril, name="tril")
            self._check_tril(self._tril)
            super().__init__(
                self._tril.dtype,
                [self._tril],
                is_non_singular=is_non_singular,
                is_self_adjoint=is_self_adjoint,
                is_positive_definite=is_positive_definite,
                is_square=True,
                name=name,
            )

    def _check_tril(self, tril: Any) -> None:
        if tril.shape.ndims is not None and tril.shape.ndims < 2:
            raise ValueError(f"Argument tril must have at least 2 dimensions.  Found: {tril!s}")

    def _get_tril(self) -> Any:
        return array_ops.matrix_band_part(self._tril, -1, 0)

    def _get_diag(self) -> Any:
        return array_ops.matrix_diag_part(self._tril)

    def _shape(self) -> Any:
        return self._tril.shape

    def _shape_tensor(self) -> Any:
        return array_ops.shape(self._tril)

    def _assert_non_singular(self) -> Any:
        return util.assert_no_entries_with_modulus_zero(
            self._get_diag(), message="Singular operator:  Diagonal contained zero values."
        )

    def _matmul(self, x: TensorLike, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return math_ops.matmul(self._get_tril(), x, adjoint_a=adjoint, adjoint_b=adjoint_arg)

    def _determinant(self) -> Any:
        return math_ops.reduce_prod(self._get_diag(), axis=[-1])

    def _log_abs_determinant(self) -> Any:
        return util.log_abs_product(self._get_diag())

    def _solve(self, rhs: TensorLike, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        rhs = linalg.adjoint(rhs) if adjoint_arg else rhs
        return util.matrix_triangular_solve_with_broadcast(
            self._get_tril(), rhs, lower=True, adjoint=adjoint
        )

    def _to_dense(self) -> Any:
        return self._get_tril()
