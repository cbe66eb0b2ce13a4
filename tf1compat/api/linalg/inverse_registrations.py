"""`tensorflow.python.ops.linalg.inverse_registrations`: inverses by the class of an operator."""

from __future__ import annotations

from typing import Any

from tf1compat.api.linalg.linear_operator import LinearOperator
from tf1compat.api.linalg.linear_operator_algebra import RegisterInverse
from tf1compat.api.linalg.linear_operator_block_diag import LinearOperatorBlockDiag
from tf1compat.api.linalg.linear_operator_circulant import LinearOperatorCirculant
from tf1compat.api.linalg.linear_operator_diag import LinearOperatorDiag
from tf1compat.api.linalg.linear_operator_householder import LinearOperatorHouseholder
from tf1compat.api.linalg.linear_operator_identity import (
    LinearOperatorIdentity,
    LinearOperatorScaledIdentity,
)
from tf1compat.api.linalg.linear_operator_inversion import LinearOperatorInversion
from tf1compat.api.linalg.linear_operator_kronecker import LinearOperatorKronecker
from tf1compat.api.linalg.registrations_util import hints_of


@RegisterInverse(LinearOperator)
def _inverse_linear_operator(linop: Any) -> Any:
    return LinearOperatorInversion(linop, is_square=linop.is_square, **hints_of(linop))


@RegisterInverse(LinearOperatorInversion)
def _inverse_inverse_linear_operator(linop: Any) -> Any:
    return linop.operator


@RegisterInverse(LinearOperatorIdentity)
@RegisterInverse(LinearOperatorHouseholder)
def _inverse_self(linop: Any) -> Any:
    return linop


@RegisterInverse(LinearOperatorDiag)
def _inverse_diag(linop: Any) -> Any:
    return LinearOperatorDiag(1.0 / linop.diag, is_square=True, **hints_of(linop))


@RegisterInverse(LinearOperatorScaledIdentity)
def _inverse_scaled_identity(linop: Any) -> Any:
    hints = {**hints_of(linop), "is_self_adjoint": True}
    return LinearOperatorScaledIdentity(linop._num_rows, 1.0 / linop.multiplier, **hints)


@RegisterInverse(LinearOperatorBlockDiag)
def _inverse_block_diag(linop: Any) -> Any:
    operators = [x.inverse() for x in linop.operators]
    return LinearOperatorBlockDiag(operators, is_square=True, **hints_of(linop))


@RegisterInverse(LinearOperatorKronecker)
def _inverse_kronecker(linop: Any) -> Any:
    operators = [x.inverse() for x in linop.operators]
    return LinearOperatorKronecker(operators, is_square=True, **hints_of(linop))


@RegisterInverse(LinearOperatorCirculant)
def _inverse_circulant(linop: Any) -> Any:
    return LinearOperatorCirculant(1.0 / linop.spectrum, is_square=True, **hints_of(linop))
