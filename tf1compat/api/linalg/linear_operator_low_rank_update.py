"""`tensorflow.python.ops.linalg.linear_operator_low_rank_update`."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.linalg import linalg_ops
from tf1compat.api.linalg import linear_operator_util as util
from tf1compat.api.linalg.linear_operator import LinearOperator
from tf1compat.api.linalg.linear_operator_diag import LinearOperatorDiag
from tf1compat.api.linalg.linear_operator_identity import LinearOperatorIdentity
from tf1compat.api.math import math_ops
from tf1compat.api.platform import tf_logging as logging
from tf1compat.core import ops, tensor_shape
from tf1compat.core.attribute import attribute
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name, TensorLike


@tf_export("linalg.LinearOperatorLowRankUpdate")
class LinearOperatorLowRankUpdate(LinearOperator):
    """An operator L plus a product U D V^H of low rank.

    Its determinants and solutions come from those of L by the matrix determinant lemma and the
    Woodbury identity.

    Args:
      base_operator: L, a LinearOperator [..., m, n].
      u: U, [..., m, k].
      diag_update: the diagonals of D, [..., k]; ones by default.
      v: V, [..., n, k]; `u` by default.
      is_diag_update_positive: a hint: whether `diag_update` is positive.
      is_non_singular, is_self_adjoint, is_positive_definite, is_square: hints.
      name: what the names of its operations begin with.

    Raises:
      ValueError: the hints contradict each other, or the shapes don't match.
    """

    def __init__(
        self,
        base_operator: Any,
        u: TensorLike,
        diag_update: Any = None,
        v: TensorLike | None = None,
        is_diag_update_positive: Any = None,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: Name = "LinearOperatorLowRankUpdate",
    ):
        dtype = base_operator.dtype
        if diag_update is None:
            if is_diag_update_positive is False:
                raise ValueError(
                    "Default diagonal is the identity, which is positive.  However, user set "
                    "'is_diag_update_positive' to False."
                )
            is_diag_update_positive = True
        elif is_diag_update_positive and dtype.is_complex:
            logging.warn(
                "Note: setting is_diag_update_positive with a complex dtype means that diagonal is "
                "real and positive."
            )
        symmetric = base_operator.is_self_adjoint and v is None
        self._use_cholesky = (
            base_operator.is_positive_definite and symmetric and is_diag_update_positive
        )
        if symmetric and not dtype.is_complex:
            if is_self_adjoint is False:
                raise ValueError(
                    "A = L + UDU^H, with L self-adjoint and D real diagonal.  Since UDU^H is "
                    "self-adjoint, this must be a self-adjoint operator."
                )
            is_self_adjoint = True
        if self._use_cholesky:
            if False in (is_positive_definite, is_self_adjoint, is_non_singular):
                raise ValueError("Arguments imply this is self-adjoint positive-definite operator.")
            is_positive_definite = is_self_adjoint = True

        with ops.name_scope(name, values=base_operator.graph_parents + [u, diag_update, v]):
            self._u = util.convert_nonref_to_tensor(u, name="u")
            self._v = self._u if v is None else util.convert_nonref_to_tensor(v, name="v")
            self._diag_update = util.convert_nonref_to_tensor(diag_update, name="diag_update")
            self._base_operator = base_operator
            parents = [x for x in (self._u, self._diag_update, self._v) if x is not None]
            super().__init__(
                dtype,
                base_operator.graph_parents + parents,
                is_non_singular=is_non_singular,
                is_self_adjoint=is_self_adjoint,
                is_positive_definite=is_positive_definite,
                is_square=is_square,
                name=name,
            )
            self._set_diag_operators(diag_update, is_diag_update_positive)
            self._is_diag_update_positive = is_diag_update_positive
            self._check_shapes()

    def _check_shapes(self) -> None:
        factors = array_ops.broadcast_static_shape(self.u.shape, self.v.shape)
        batch = array_ops.broadcast_static_shape(self.base_operator.batch_shape, factors[:-2])
        columns = tensor_shape.Dimension(self.base_operator.domain_dimension)
        columns.assert_is_compatible_with(factors[-2])
        if self._diag_update is not None:
            diagonal = self._diag_update.shape
            rank = tensor_shape.dimension_at_index(factors, -1)
            rank.assert_is_compatible_with(diagonal[-1])
            array_ops.broadcast_static_shape(batch, diagonal[:-1])

    def _set_diag_operators(self, diag_update: Any, is_diag_update_positive: Any) -> None:
        if diag_update is not None:
            self._diag_operator: Any = LinearOperatorDiag(
                self._diag_update, is_positive_definite=is_diag_update_positive
            )
            return
        rank: Any = tensor_shape.dimension_value(self.u.shape[-1])
        if rank is None:
            rank = array_ops.shape(self.u)[-1]
        self._diag_operator = LinearOperatorIdentity(num_rows=rank, dtype=self.dtype)

    u = attribute("_u", "U.")
    v = attribute("_v", "V.")
    is_diag_update_positive = attribute(
        "_is_diag_update_positive", "Whether D is positive, or None."
    )
    diag_update = attribute("_diag_update", "The diagonals of D, or None.")
    diag_operator = attribute("_diag_operator", "D, a LinearOperator.")
    base_operator = attribute("_base_operator", "L.")

    def _shape(self) -> Any:
        base = self.base_operator
        batch = array_ops.broadcast_static_shape(base.batch_shape, self.u.shape[:-2])
        return batch.concatenate(base.shape[-2:])

    def _shape_tensor(self) -> Any:
        base = self.base_operator
        batch = array_ops.broadcast_dynamic_shape(
            base.batch_shape_tensor(), array_ops.shape(self.u)[:-2]
        )
        return array_ops.concat([batch, base.shape_tensor()[-2:]], axis=0)

    def _matmul(self, x: TensorLike, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        left, right = (self.v, self.u) if adjoint else (self.u, self.v)
        leading = self.base_operator.matmul(x, adjoint=adjoint, adjoint_arg=adjoint_arg)
        inner = math_ops.matmul(right, x, adjoint_a=True, adjoint_b=adjoint_arg)
        inner = self.diag_operator.matmul(inner, adjoint=adjoint)
        return leading + math_ops.matmul(left, inner)

    def _determinant(self) -> Any:
        if self.is_positive_definite:
            return math_ops.exp(self.log_abs_determinant())
        capacitance = linalg_ops.matrix_determinant(self._make_capacitance())
        diagonal = self.diag_operator.determinant()
        base = self.base_operator.determinant()
        return capacitance * diagonal * base

    def _log_abs_determinant(self) -> Any:
        parts = [x.log_abs_determinant() for x in (self.diag_operator, self.base_operator)]
        return sum(parts, self._log_abs_capacitance())

    def _log_abs_capacitance(self) -> Any:
        """The log of the magnitude of the capacitance's determinant."""
        capacitance = self._make_capacitance()
        if self._use_cholesky:
            return util.log_determinant(linalg_ops.cholesky(capacitance))
        log = math_ops.log(math_ops.abs(linalg_ops.matrix_determinant(capacitance)))
        return math_ops.cast(log, dtype=self.dtype) if self.dtype.is_complex else log

    def _solve(self, rhs: TensorLike, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        base = self.base_operator
        if base.is_non_singular is False:
            raise ValueError(
                "Solve not implemented unless this is a perturbation of a non-singular "
                "LinearOperator."
            )
        left, right = (self.v, self.u) if adjoint else (self.u, self.v)
        unperturbed = base.solve(rhs, adjoint=adjoint, adjoint_arg=adjoint_arg)
        inner = math_ops.matmul(right, unperturbed, adjoint_a=True)
        inner = self._solve_capacitance(inner, adjoint)
        return unperturbed - base.solve(math_ops.matmul(left, inner), adjoint=adjoint)

    def _solve_capacitance(self, rhs: TensorLike, adjoint: bool) -> Any:
        capacitance = self._make_capacitance()
        if self._use_cholesky:
            return util.cholesky_solve_with_broadcast(linalg_ops.cholesky(capacitance), rhs)
        return util.matrix_solve_with_broadcast(capacitance, rhs, adjoint=adjoint)

    def _make_capacitance(self) -> Any:
        """D^-1 + V^H L^-1 U."""
        inner = self.base_operator.solve(self.u)
        inner = math_ops.matmul(self.v, inner, adjoint_a=True)
        return self._diag_operator.inverse().add_to_tensor(inner)
