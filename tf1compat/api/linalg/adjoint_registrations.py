"""`tensorflow.python.ops.linalg.adjoint_registrations`: adjoints by the class of an operator."""

from __future__ import annotations

from typing import Any

from tf1compat.api.linalg.linear_operator import LinearOperator
from tf1compat.api.linalg.linear_operator_adjoint import LinearOperatorAdjoint
from tf1compat.api.linalg.linear_operator_algebra import RegisterAdjoint
from tf1compat.api.linalg.linear_operator_block_diag import LinearOperatorBlockDiag
from tf1compat.api.linalg.linear_operator_circulant import LinearOperatorCirculant
from tf1compat.api.linalg.linear_operator_diag import LinearOperatorDiag
from tf1compat.api.linalg.linear_operator_householder import LinearOperatorHouseholder
from tf1compat.api.linalg.linear_operator_identity import (
    LinearOperatorIdentity,
    LinearOperatorScaledIdentity,
)
from tf1compat.api.linalg.linear_operator_kronecker import LinearOperatorKronecker
from tf1compat.api.linalg.registrations_util import hints_of
from tf1compat.api.math import math_ops


def _conjugated(x: Any) -> Any:
    return math_ops.conj(x) if x.dtype.is_complex else x


@RegisterAdjoint(LinearOperator)
def _adjoint_linear_operator(linop: Any) -> Any:
    return LinearOperatorAdjoint(linop, is_square=linop.is_square, **hints_of(linop))


@RegisterAdjoint(LinearOperatorAdjoint)
def _adjoint_adjoint_linear_operator(linop: Any) -> Any:
    return linop.operator


@RegisterAdjoint(LinearOperatorIdentity)
@RegisterAdjoint(LinearOperatorHouseholder)
def _adjoint_self(linop: Any) -> Any:
    return linop


@RegisterAdjoint(LinearOperatorScaledIdentity)
def _adjoint_scaled_identity(linop: Any) -> Any:
    multiplier = _conjugated(linop.multiplier)
    return LinearOperatorScaledIdentity(linop._num_rows, multiplier, **hints_of(linop))


@RegisterAdjoint(LinearOperatorDiag)
def _adjoint_diag(linop: Any) -> Any:
    return LinearOperatorDiag(_conjugated(linop.diag), is_square=True, **hints_of(linop))


@RegisterAdjoint(LinearOperatorBlockDiag)
def _adjoint_block_diag(linop: Any) -> Any:
    operators = [x.adjoint() for x in linop.operators]
    return LinearOperatorBlockDiag(operators, is_square=True, **hints_of(linop))


@RegisterAdjoint(LinearOperatorKronecker)
def _adjoint_kronecker(linop: Any) -> Any:
    operators = [x.adjoint() for x in linop.operators]
    return LinearOperatorKronecker(operators, is_square=True, **hints_of(linop))


@RegisterAdjoint(LinearOperatorCirculant)
def _adjoint_circulant(linop: Any) -> Any:
    return LinearOperatorCirculant(_conjugated(linop.spectrum), is_square=True, **hints_of(linop))
