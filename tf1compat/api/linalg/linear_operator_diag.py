"""`tensorflow.python.ops.linalg.linear_operator_diag`."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.linalg import linalg_impl as linalg
from tf1compat.api.linalg import linear_operator_util as util
from tf1compat.api.linalg.linear_operator import LinearOperator
from tf1compat.api.math import math_ops
from tf1compat.core import ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name, TensorLike


@tf_export("linalg.LinearOperatorDiag")
class LinearOperatorDiag(LinearOperator):
    """Square diagonal matrices.

    Args:
      diag: the diagonals, [..., n].
      is_non_singular, is_self_adjoint, is_positive_definite, is_square: hints.
      name: what the names of its operations begin with.

    Raises:
      ValueError: `diag` is a scalar, or a hint says what can't be.
    """

    def __init__(
        self,
        diag: TensorLike,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: Name = "LinearOperatorDiag",
    ):
        with ops.name_scope(name, values=[diag]):
            self._diag = util.convert_nonref_to_tensor(diag, name="diag")
            self._check_diag(self._diag)
            if not self._diag.dtype.is_complex:
                if is_self_adjoint is False:
                    raise ValueError("A real diagonal operator is always self adjoint.")
                is_self_adjoint = True
            if is_square is False:
                raise ValueError("Only square diagonal operators currently supported.")
            super().__init__(
                self._diag.dtype,
                [self._diag],
                is_non_singular=is_non_singular,
                is_self_adjoint=is_self_adjoint,
                is_positive_definite=is_positive_definite,
                is_square=True,
                name=name,
            )

    def _check_diag(self, diag: Any) -> None:
        if diag.shape.ndims is not None and diag.shape.ndims < 1:
            raise ValueError(f"Argument diag must have at least 1 dimension.  Found: {diag!s}")

    def _shape(self) -> Any:
        return self._diag.shape.concatenate(self._diag.shape[-1:])

    def _shape_tensor(self) -> Any:
        shape = array_ops.shape(self._diag)
        size = shape[-1]
        return array_ops.concat((shape, [size]), 0)

    def _assert_non_singular(self) -> Any:
        return util.assert_no_entries_with_modulus_zero(
            self._diag, message="Singular operator:  Diagonal contained zero values."
        )

    def _assert_positive_definite(self) -> Any:
        if self.dtype.is_complex:
            message = (
                "Diagonal operator had diagonal entries with non-positive real part, "
                "thus was not positive definite."
            )
        else:
            message = (
                "Real diagonal operator had non-positive diagonal entries, "
                "thus was not positive definite."
            )
        return check_ops.assert_positive(math_ops.real(self._diag), message=message)

    def _assert_self_adjoint(self) -> Any:
        return util.assert_zero_imag_part(
            self._diag,
            message=(
                "This diagonal operator contained non-zero imaginary values.   "
                "Thus it was not self-adjoint."
            ),
        )

    def _factors(self, adjoint: bool) -> Any:
        return math_ops.conj(self._diag) if adjoint else self._diag

    def _matmul(self, x: TensorLike, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        factors = self._factors(adjoint)
        x = linalg.adjoint(x) if adjoint_arg else x
        return array_ops.expand_dims(factors, -1) * x

    def _matvec(self, x: TensorLike, adjoint: bool = False) -> Any:
        return self._factors(adjoint) * x

    def _determinant(self) -> Any:
        return math_ops.reduce_prod(self._diag, axis=[-1])

    def _log_abs_determinant(self) -> Any:
        log = util.log_abs_product(self._diag)
        return math_ops.cast(log, dtype=self.dtype) if self.dtype.is_complex else log

    def _solve(self, rhs: TensorLike, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        factors = self._factors(adjoint)
        rhs = linalg.adjoint(rhs) if adjoint_arg else rhs
        return rhs * array_ops.expand_dims(1.0 / factors, -1)

    def _to_dense(self) -> Any:
        return array_ops.matrix_diag(self._diag)

    def _diag_part(self) -> Any:
        return self.diag

    def _add_to_tensor(self, x: TensorLike) -> Any:
        diagonal = array_ops.matrix_diag_part(x)
        return array_ops.matrix_set_diag(x, self._diag + diagonal)

    @property
    def diag(self) -> Any:
        """The diagonals."""
        return self._diag
