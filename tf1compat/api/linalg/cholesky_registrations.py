"""`tensorflow.python.ops.linalg.cholesky_registrations`: Cholesky factors by class of operator."""

from __future__ import annotations

from typing import Any

from tf1compat.api.linalg import linalg_ops
from tf1compat.api.linalg.linear_operator import LinearOperator
from tf1compat.api.linalg.linear_operator_algebra import RegisterCholesky
from tf1compat.api.linalg.linear_operator_block_diag import LinearOperatorBlockDiag
from tf1compat.api.linalg.linear_operator_diag import LinearOperatorDiag
from tf1compat.api.linalg.linear_operator_identity import (
    LinearOperatorIdentity,
    LinearOperatorScaledIdentity,
)
from tf1compat.api.linalg.linear_operator_kronecker import LinearOperatorKronecker
from tf1compat.api.linalg.linear_operator_lower_triangular import LinearOperatorLowerTriangular
from tf1compat.api.math import math_ops

_TRIANGULAR: dict[str, Any] = {"is_non_singular": True, "is_self_adjoint": False, "is_square": True}
_DEFINITE: dict[str, Any] = {
    "is_non_singular": True,
    "is_self_adjoint": True,
    "is_positive_definite": True,
    "is_square": True,
}


@RegisterCholesky(LinearOperator)
def _cholesky_linear_operator(linop: Any) -> Any:
    factor = linalg_ops.cholesky(linop.to_dense())
    return LinearOperatorLowerTriangular(factor, **_TRIANGULAR)


@RegisterCholesky(LinearOperatorDiag)
def _cholesky_diag(linop: Any) -> Any:
    return LinearOperatorDiag(math_ops.sqrt(linop.diag), **_DEFINITE)


@RegisterCholesky(LinearOperatorIdentity)
def _cholesky_identity(linop: Any) -> Any:
    return LinearOperatorIdentity(
        linop._num_rows, batch_shape=linop.batch_shape, dtype=linop.dtype, **_DEFINITE
    )


@RegisterCholesky(LinearOperatorScaledIdentity)
def _cholesky_scaled_identity(linop: Any) -> Any:
    multiplier = math_ops.sqrt(linop.multiplier)
    return LinearOperatorScaledIdentity(linop._num_rows, multiplier, **_DEFINITE)


@RegisterCholesky(LinearOperatorBlockDiag)
def _cholesky_block_diag(linop: Any) -> Any:
    return LinearOperatorBlockDiag([x.cholesky() for x in linop.operators], **_TRIANGULAR)


@RegisterCholesky(LinearOperatorKronecker)
def _cholesky_kronecker(linop: Any) -> Any:
    return LinearOperatorKronecker([x.cholesky() for x in linop.operators], **_TRIANGULAR)
