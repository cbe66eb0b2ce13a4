"""`tensorflow.python.ops.linalg.linear_operator_composition`."""

from __future__ import annotations

import operator as arithmetic
from typing import Any

from tf1compat.api.linalg import linear_operator_util as util
from tf1compat.api.linalg.linear_operator import LinearOperator
from tf1compat.core import ops, tensor_shape
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name, TensorLike


@tf_export("linalg.LinearOperatorComposition")
class LinearOperatorComposition(LinearOperator):
    """The product of operators, the last of which is applied first.

    Args:
      operators: LinearOperators of one dtype whose sizes match.
      is_non_singular, is_self_adjoint, is_positive_definite, is_square: hints; the first holds
        if it holds of all operators.
      name: the operators' names joined by "_o_", by default.

    Raises:
      ValueError: there are none, or the hint contradicts theirs.
      TypeError: their dtypes differ.
    """

    def __init__(
        self,
        operators: Any,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: Name = None,
    ):
        self._operators = operators = util.checked_operators(operators)
        is_non_singular = util.inherited_hint(
            operators,
            "is_non_singular",
            is_non_singular,
            "The composition of non-singular operators is always non-singular.",
        )
        parents = util.graph_parents(operators)
        name = "_o_".join(x.name for x in operators) if name is None else name
        with ops.name_scope(name, values=parents):
            super().__init__(
                operators[0].dtype,
                parents,
                is_non_singular=is_non_singular,
                is_self_adjoint=is_self_adjoint,
                is_positive_definite=is_positive_definite,
                is_square=is_square,
                name=name,
            )

    @property
    def operators(self) -> Any:
        """The factors."""
        return self._operators

    def _shape(self) -> Any:
        for left, right in zip(self.operators, self.operators[1:]):
            left.domain_dimension.assert_is_compatible_with(right.range_dimension)
        matrix = tensor_shape.TensorShape(
            [self.operators[0].range_dimension, self.operators[-1].domain_dimension]
        )
        return util.common_batch_shape(self.operators).concatenate(matrix)

    def _shape_tensor(self) -> Any:
        return util.static_shape_or(self, self._matrix_shape_tensor)

    def _matrix_shape_tensor(self) -> list[Any]:
        first, last = self.operators[0], self.operators[-1]
        return [first.range_dimension_tensor(), last.domain_dimension_tensor()]

    def _one_after_another(
        self, order: Any, method: str, x: TensorLike, adjoint: bool, adjoint_arg: bool
    ) -> Any:
        first, *others = order
        x = getattr(first, method)(x, adjoint=adjoint, adjoint_arg=adjoint_arg)
        for operator in others:
            x = getattr(operator, method)(x, adjoint=adjoint)
        return x

    def _matmul(self, x: TensorLike, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        order = self.operators if adjoint else reversed(self.operators)
        return self._one_after_another(order, "matmul", x, adjoint, adjoint_arg)

    def _determinant(self) -> Any:
        return util.accumulated(self.operators, "determinant", arithmetic.mul)

    def _log_abs_determinant(self) -> Any:
        return util.accumulated(self.operators, "log_abs_determinant", arithmetic.add)

    def _solve(self, rhs: TensorLike, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        order = reversed(self.operators) if adjoint else self.operators
        return self._one_after_another(order, "solve", rhs, adjoint, adjoint_arg)
