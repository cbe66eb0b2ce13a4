"""`tensorflow.python.ops.linalg.linear_operator_inversion`."""

from __future__ import annotations

from typing import Any

from tf1compat.api.linalg import linear_operator_util as util
from tf1compat.api.linalg.linear_operator import LinearOperator
from tf1compat.core import ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name, TensorLike


@tf_export("linalg.LinearOperatorInversion")
class LinearOperatorInversion(util.AssertionsOfOperator, LinearOperator):
    """The inverse of an operator: its products are the operator's solutions.

    Args:
      operator: a square LinearOperator.
      is_non_singular, is_self_adjoint, is_positive_definite, is_square: hints; those of
        `operator` hold, too.
      name: that of `operator` and "_inv", by default.

    Raises:
      ValueError: `operator` is singular or not square, or the hints contradict its own.
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
        hints = {
            "is_non_singular": is_non_singular,
            "is_self_adjoint": is_self_adjoint,
            "is_positive_definite": is_positive_definite,
            "is_square": is_square,
        }
        for key in ("is_non_singular", "is_square"):
            own, given = getattr(operator, key), hints[key]
            if own is False or given is False:
                raise ValueError(
                    f"operator and supplied hints must have `{key}` equal to `True` or `None`.  "
                    f"Found {own}, {given}"
                )
        hints = util.shared_hints(operator, "inverse", **hints)
        name = operator.name + "_inv" if name is None else name
        with ops.name_scope(name, values=operator.graph_parents):
            super().__init__(operator.dtype, operator.graph_parents, name=name, **hints)

    @property
    def operator(self) -> Any:
        """The operator before inversion."""
        return self._operator

    def _shape(self) -> Any:
        return self.operator.shape

    def _shape_tensor(self) -> Any:
        return self.operator.shape_tensor()

    def _matmul(self, x: TensorLike, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return self.operator.solve(x, adjoint=adjoint, adjoint_arg=adjoint_arg)

    def _determinant(self) -> Any:
        return 1.0 / self.operator.determinant()

    def _log_abs_determinant(self) -> Any:
        return -1.0 * self.operator.log_abs_determinant()

    def _solve(self, rhs: TensorLike, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return self.operator.matmul(rhs, adjoint=adjoint, adjoint_arg=adjoint_arg)
