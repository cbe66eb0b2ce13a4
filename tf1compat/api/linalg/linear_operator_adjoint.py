"""`tensorflow.python.ops.linalg.linear_operator_adjoint`."""

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


@tf_export("linalg.LinearOperatorAdjoint")
class LinearOperatorAdjoint(util.AssertionsOfOperator, LinearOperator):
    """The conjugate transpose of an operator.

    Args:
      operator: a LinearOperator.
      is_non_singular, is_self_adjoint, is_positive_definite, is_square: hints; those of
        `operator` hold, too.
      name: that of `operator` and "_adjoint", by default.

    Raises:
      ValueError: the hints contradict those of `operator`.
    """

    def __init__(
        self,
        operator: Any,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: Name = None,
    ):
        self._operator = operator
        hints = util.shared_hints(
            operator,
            "adjoint",
            is_non_singular=is_non_singular,
            is_self_adjoint=is_self_adjoint,
            is_positive_definite=is_positive_definite,
            is_square=is_square,
        )
        name = operator.name + "_adjoint" if name is None else name
        with ops.name_scope(name, values=operator.graph_parents):
            super().__init__(operator.dtype, operator.graph_parents, name=name, **hints)

    @property
    def operator(self) -> Any:
        """The operator before transposition."""
        return self._operator

    def _shape(self) -> Any:
        batch, columns, rows = self._parts(self.operator.shape)
        return batch.concatenate([columns, rows])

    def _shape_tensor(self) -> Any:
        batch, columns, rows = self._parts(self.operator.shape_tensor())
        return array_ops.concat([batch, [columns, rows]], axis=-1)

    def _parts(self, shape: Any) -> tuple[Any, Any, Any]:
        return shape[:-2], shape[-1], shape[-2]

    def _matmul(self, x: TensorLike, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return self.operator.matmul(x, adjoint=not adjoint, adjoint_arg=adjoint_arg)

    def _matvec(self, x: TensorLike, adjoint: bool = False) -> Any:
        return self.operator.matvec(x, adjoint=not adjoint)

    def _conjugated(self, value: TensorLike) -> Any:
        return value if self.is_self_adjoint else math_ops.conj(value)

    def _determinant(self) -> Any:
        return self._conjugated(self.operator.determinant())

    def _log_abs_determinant(self) -> Any:
        return self.operator.log_abs_determinant()

    def _trace(self) -> Any:
        return self._conjugated(self.operator.trace())

    def _solve(self, rhs: TensorLike, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return self.operator.solve(rhs, adjoint=not adjoint, adjoint_arg=adjoint_arg)

    def _solvevec(self, rhs: TensorLike, adjoint: bool = False) -> Any:
        return self.operator.solvevec(rhs, adjoint=not adjoint)

    def _to_dense(self) -> Any:
        dense = self.operator.to_dense()
        return dense if self.is_self_adjoint else linalg.adjoint(dense)
