"""`tensorflow.python.ops.linalg.linear_operator_block_diag`."""

from __future__ import annotations

import operator as arithmetic
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.linalg import linear_operator_util as util
from tf1compat.api.linalg.linear_operator import LinearOperator
from tf1compat.core import ops, tensor_shape
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name, TensorLike


@tf_export("linalg.LinearOperatorBlockDiag")
class LinearOperatorBlockDiag(LinearOperator):
    """Square operators along the diagonal of a larger one, which is zero else.

    Args:
      operators: square LinearOperators of one dtype.
      is_non_singular, is_self_adjoint, is_positive_definite, is_square: hints; each holds if it
        holds of all operators.
      name: the operators' names joined by "_ds_", by default.

    Raises:
      ValueError: there are none, one is not square, or the hints contradict theirs.
      TypeError: their dtypes differ.
    """

    def __init__(
        self,
        operators: Any,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool = True,
        name: Name = None,
    ):
        self._operators = operators = util.checked_operators(operators)
        hints = {
            f"is_{word.replace(' ', '_').replace('-', '_')}": util.inherited_hint(
                operators,
                f"is_{word.replace(' ', '_').replace('-', '_')}",
                hint,
                f"The direct sum of {word} operators is always {word}.",
            )
            for word, hint in (
                ("non-singular", is_non_singular),
                ("self-adjoint", is_self_adjoint),
                ("positive definite", is_positive_definite),
            )
        }
        if not (is_square and all(x.is_square for x in operators)):
            raise ValueError("Can only represent a block diagonal of square matrices.")
        parents = util.graph_parents(operators)
        name = "_ds_".join(x.name for x in operators) if name is None else name
        with ops.name_scope(name, values=parents):
            super().__init__(operators[0].dtype, parents, is_square=True, name=name, **hints)

    @property
    def operators(self) -> Any:
        """The blocks."""
        return self._operators

    def _shape(self) -> Any:
        columns = sum((x.domain_dimension for x in self.operators), 0)
        rows = sum((x.range_dimension for x in self.operators), 0)
        matrix = tensor_shape.TensorShape([columns, rows])
        return util.common_batch_shape(self.operators).concatenate(matrix)

    def _shape_tensor(self) -> Any:
        return util.static_shape_or(self, self._matrix_shape_tensor)

    def _matrix_shape_tensor(self) -> list[Any]:
        sizes = [self.operators[0].domain_dimension_tensor()]
        sizes.append(self.operators[0].range_dimension_tensor())
        for operator in self.operators[1:]:
            sizes[0] += operator.domain_dimension_tensor()
            sizes[1] += operator.range_dimension_tensor()
        return sizes

    def _block_by_block(self, method: str, x: TensorLike, adjoint: bool, adjoint_arg: bool) -> Any:
        if self.shape.is_fully_defined():
            sizes = [operator.domain_dimension.value for operator in self.operators]
        else:
            sizes = [operator.domain_dimension_tensor() for operator in self.operators]
        parts = array_ops.split(x, sizes, axis=-1 if adjoint_arg else -2)
        results = [
            getattr(operator, method)(part, adjoint=adjoint, adjoint_arg=adjoint_arg)
            for operator, part in zip(self.operators, parts, strict=True)
        ]
        return array_ops.concat(util.broadcast_matrix_batch_dims(results), axis=-2)

    def _matmul(self, x: TensorLike, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return self._block_by_block("matmul", x, adjoint, adjoint_arg)

    def _determinant(self) -> Any:
        return util.accumulated(self.operators, "determinant", arithmetic.mul)

    def _log_abs_determinant(self) -> Any:
        return util.accumulated(self.operators, "log_abs_determinant", arithmetic.add)

    def _solve(self, rhs: TensorLike, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return self._block_by_block("solve", rhs, adjoint, adjoint_arg)

    def _diag_part(self) -> Any:
        columns = [x.diag_part()[..., array_ops.newaxis] for x in self.operators]
        diagonal = array_ops.concat(util.broadcast_matrix_batch_dims(columns), axis=-2)
        return array_ops.squeeze(diagonal, axis=-1)

    def _trace(self) -> Any:
        return util.accumulated(self.operators, "trace", arithmetic.add)

    def _to_dense(self) -> Any:
        blocks = util.broadcast_matrix_batch_dims([x.to_dense() for x in self.operators])
        done: Any = 0
        rows = []
        for block in blocks:
            shape = array_ops.shape(block)[:-1]
            before = array_ops.zeros(
                shape=array_ops.concat([shape, [done]], axis=-1), dtype=block.dtype
            )
            done += array_ops.shape(block)[-1]
            left = self.domain_dimension_tensor() - done
            after = array_ops.zeros(
                shape=array_ops.concat([shape, [left]], axis=-1), dtype=block.dtype
            )
            rows.append(array_ops.concat([before, block, after], axis=-1))
        dense = array_ops.concat(rows, axis=-2)
        dense.set_shape(self.shape)
        return dense

    def _assert_non_singular(self) -> Any:
        return control_flow_ops.group([x.assert_non_singular() for x in self.operators])

    def _assert_self_adjoint(self) -> Any:
        return control_flow_ops.group([x.assert_self_adjoint() for x in self.operators])

    def _assert_positive_definite(self) -> Any:
        return control_flow_ops.group([x.assert_positive_definite() for x in self.operators])
