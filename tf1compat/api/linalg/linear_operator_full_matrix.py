"""`tensorflow.python.ops.linalg.linear_operator_full_matrix`."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.linalg import linear_operator_util as util
from tf1compat.api.linalg.linear_operator import LinearOperator
from tf1compat.api.math import math_ops
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name, TensorLike

_DTYPES = [dtypes.float16, dtypes.float32, dtypes.float64, dtypes.complex64, dtypes.complex128]


@tf_export("linalg.LinearOperatorFullMatrix")
class LinearOperatorFullMatrix(LinearOperator):
    """Matrices that are written out.

    Args:
      matrix: the matrices, [..., m, n].
      is_non_singular, is_self_adjoint, is_positive_definite, is_square: hints.
      name: what the names of its operations begin with.

    Raises:
      TypeError: the dtype is none of floating or complex numbers.
      ValueError: `matrix` has fewer than two dimensions.
    """

    def __init__(
        self,
        matrix: TensorLike,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: Name = "LinearOperatorFullMatrix",
    ):
        with ops.name_scope(name, values=[matrix]):
            self._matrix = util.convert_nonref_to_tensor(matrix, name="matrix")
            self._check_matrix(self._matrix)
            super().__init__(
                self._matrix.dtype,
                [self._matrix],
                is_non_singular=is_non_singular,
                is_self_adjoint=is_self_adjoint,
                is_positive_definite=is_positive_definite,
                is_square=is_square,
                name=name,
            )

    def _check_matrix(self, matrix: TensorLike) -> None:
        matrix = ops.convert_to_tensor(matrix, name="matrix")
        if matrix.dtype not in _DTYPES:
            raise TypeError(f"Argument matrix must have dtype in {_DTYPES}.  Found: {matrix.dtype}")
        if matrix.shape.ndims is not None and matrix.shape.ndims < 2:
            raise ValueError(f"Argument matrix must have at least 2 dimensions.  Found: {matrix!s}")

    def _shape(self) -> Any:
        return self._matrix.shape

    def _shape_tensor(self) -> Any:
        return array_ops.shape(self._matrix)

    def _matmul(self, x: TensorLike, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return math_ops.matmul(self._matrix, x, adjoint_a=adjoint, adjoint_b=adjoint_arg)

    def _to_dense(self) -> Any:
        return self._matrix
