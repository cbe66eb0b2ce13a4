"""`tensorflow.python.ops.linalg.matmul_registrations`: products by the classes of two operators."""

from __future__ import annotations

from typing import Any

from tf1compat.api.linalg.linear_operator import LinearOperator
from tf1compat.api.linalg.linear_operator_algebra import RegisterMatmul
from tf1compat.api.linalg.linear_operator_circulant import LinearOperatorCirculant
from tf1compat.api.linalg.linear_operator_composition import LinearOperatorComposition
from tf1compat.api.linalg.linear_operator_diag import LinearOperatorDiag
from tf1compat.api.linalg.linear_operator_identity import (
    LinearOperatorIdentity,
    LinearOperatorScaledIdentity,
)
from tf1compat.api.linalg.linear_operator_lower_triangular import LinearOperatorLowerTriangular
from tf1compat.api.linalg.linear_operator_zeros import LinearOperatorZeros
from tf1compat.api.linalg.registrations_util import commuting_hints, general_hints
from tf1compat.core.typing import TensorLike


@RegisterMatmul(LinearOperator, LinearOperator)
def _matmul_linear_operator(a: TensorLike, b: TensorLike) -> Any:
    return LinearOperatorComposition([a, b], **general_hints(a, b))


@RegisterMatmul(LinearOperatorIdentity, LinearOperator)
def _matmul_linear_operator_identity_left(identity: Any, linop: Any) -> Any:
    return linop


@RegisterMatmul(LinearOperator, LinearOperatorIdentity)
def _matmul_linear_operator_identity_right(linop: Any, identity: Any) -> Any:
    return linop


def _square_zeros(zeros: Any, linop: Any) -> Any:
    if not zeros.is_square or not linop.is_square:
        raise ValueError(
            "Matmul with non-square `LinearOperator`s or non-square `LinearOperatorZeros` not "
            "supported at this time."
        )
    return zeros


@RegisterMatmul(LinearOperator, LinearOperatorZeros)
def _matmul_linear_operator_zeros_right(linop: Any, zeros: Any) -> Any:
    return _square_zeros(zeros, linop)


@RegisterMatmul(LinearOperatorZeros, LinearOperator)
def _matmul_linear_operator_zeros_left(zeros: Any, linop: Any) -> Any:
    return _square_zeros(zeros, linop)


@RegisterMatmul(LinearOperatorDiag, LinearOperatorDiag)
def _matmul_linear_operator_diag(a: Any, b: Any) -> Any:
    return LinearOperatorDiag(a.diag * b.diag, **commuting_hints(a, b))


@RegisterMatmul(LinearOperatorDiag, LinearOperatorScaledIdentity)
def _matmul_linear_operator_diag_scaled_identity_right(diag: Any, scaled: Any) -> Any:
    return LinearOperatorDiag(diag.diag * scaled.multiplier, **commuting_hints(diag, scaled))


@RegisterMatmul(LinearOperatorScaledIdentity, LinearOperatorDiag)
def _matmul_linear_operator_diag_scaled_identity_left(scaled: Any, diag: Any) -> Any:
    return LinearOperatorDiag(diag.diag * scaled.multiplier, **commuting_hints(diag, scaled))


@RegisterMatmul(LinearOperatorDiag, LinearOperatorLowerTriangular)
def _matmul_linear_operator_diag_tril(diag: Any, tril: Any) -> Any:
    rows = diag.diag[..., None] * tril.to_dense()
    return LinearOperatorLowerTriangular(rows, **commuting_hints(diag, tril, triangular=True))


@RegisterMatmul(LinearOperatorLowerTriangular, LinearOperatorDiag)
def _matmul_linear_operator_tril_diag(tril: Any, diag: Any) -> Any:
    columns = tril.to_dense() * diag.diag
    return LinearOperatorLowerTriangular(columns, **commuting_hints(diag, tril, triangular=True))


@RegisterMatmul(LinearOperatorCirculant, LinearOperatorCirculant)
def _matmul_linear_operator_circulant_circulant(a: Any, b: Any) -> Any:
    return LinearOperatorCirculant(a.spectrum * b.spectrum, **commuting_hints(a, b))
