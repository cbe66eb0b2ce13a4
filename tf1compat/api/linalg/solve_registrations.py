"""`tensorflow.python.ops.linalg.solve_registrations`: quotients by the classes of two operators."""

from __future__ import annotations

from typing import Any

from tf1compat.api.linalg.linear_operator import LinearOperator
from tf1compat.api.linalg.linear_operator_algebra import RegisterSolve
from tf1compat.api.linalg.linear_operator_circulant import LinearOperatorCirculant
from tf1compat.api.linalg.linear_operator_composition import LinearOperatorComposition
from tf1compat.api.linalg.linear_operator_diag import LinearOperatorDiag
from tf1compat.api.linalg.linear_operator_identity import (
    LinearOperatorIdentity,
    LinearOperatorScaledIdentity,
)
from tf1compat.api.linalg.linear_operator_inversion import LinearOperatorInversion
from tf1compat.api.linalg.linear_operator_lower_triangular import LinearOperatorLowerTriangular
from tf1compat.api.linalg.registrations_util import commuting_hints, general_hints
from tf1compat.core.typing import TensorLike


@RegisterSolve(LinearOperator, LinearOperator)
def _solve_linear_operator(a: TensorLike, b: TensorLike) -> Any:
    hints = general_hints(a, b)
    return LinearOperatorComposition([LinearOperatorInversion(a), b], **hints)


@RegisterSolve(LinearOperatorInversion, LinearOperator)
def _solve_inverse_linear_operator(inversion: Any, linop: Any) -> Any:
    return inversion.operator.matmul(linop)


@RegisterSolve(LinearOperatorIdentity, LinearOperator)
def _solve_linear_operator_identity_left(identity: Any, linop: Any) -> Any:
    return linop


@RegisterSolve(LinearOperatorDiag, LinearOperatorDiag)
def _solve_linear_operator_diag(a: Any, b: Any) -> Any:
    return LinearOperatorDiag(b.diag / a.diag, **commuting_hints(a, b))


@RegisterSolve(LinearOperatorDiag, LinearOperatorScaledIdentity)
def _solve_linear_operator_diag_scaled_identity_right(diag: Any, scaled: Any) -> Any:
    return LinearOperatorDiag(scaled.multiplier / diag.diag, **commuting_hints(diag, scaled))


@RegisterSolve(LinearOperatorScaledIdentity, LinearOperatorDiag)
def _solve_linear_operator_diag_scaled_identity_left(scaled: Any, diag: Any) -> Any:
    return LinearOperatorDiag(diag.diag / scaled.multiplier, **commuting_hints(diag, scaled))


@RegisterSolve(LinearOperatorDiag, LinearOperatorLowerTriangular)
def _solve_linear_operator_diag_tril(diag: Any, tril: Any) -> Any:
    rows = tril.to_dense() / diag.diag[..., None]
    return LinearOperatorLowerTriangular(rows, **commuting_hints(diag, tril, triangular=True))


@RegisterSolve(LinearOperatorCirculant, LinearOperatorCirculant)
def _solve_linear_operator_circulant_circulant(a: Any, b: Any) -> Any:
    return LinearOperatorCirculant(b.spectrum / a.spectrum, **commuting_hints(a, b))
