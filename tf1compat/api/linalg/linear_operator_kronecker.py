"""`tensorflow.python.ops.linalg.linear_operator_kronecker`."""

from __future__ import annotations

import functools
import operator as arithmetic
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.linalg import linalg_impl as linalg
from tf1compat.api.linalg import linear_operator_util as util
from tf1compat.api.linalg.linear_operator import LinearOperator
from tf1compat.api.math import math_ops
from tf1compat.core import errors, ops, tensor_shape
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name, TensorLike


def _vec(x: TensorLike) -> Any:
    """The columns of matrices [..., m, n], one after the other: [..., m * n]."""
    columns = array_ops.matrix_transpose(x)
    return array_ops.reshape(columns, array_ops.concat([array_ops.shape(x)[:-2], [-1]], axis=0))


def _with_last_dims(x: TensorLike, replaced: int, sizes: list[Any]) -> Any:
    """`x` with dimensions of other sizes for the last `replaced` ones."""
    shape = array_ops.concat([array_ops.shape(x)[:-replaced], sizes], axis=0)
    return array_ops.reshape(x, shape)


def _unvec_by(y: TensorLike, num_col: Any) -> Any:
    """The matrices with `num_col` columns of which `_vec` makes `y`."""
    return array_ops.matrix_transpose(_with_last_dims(y, 1, [num_col, -1]))


def _last_dim_first(x: TensorLike) -> Any:
    rank = array_ops.rank(x)
    order = array_ops.concat([[rank - 1], math_ops.range(0, rank - 1)], axis=0)
    return array_ops.transpose(x, order)


def _first_dim_last(x: TensorLike) -> Any:
    others = math_ops.range(1, array_ops.rank(x))
    return array_ops.transpose(x, array_ops.concat([others, [0]], axis=0))


@tf_export("linalg.LinearOperatorKronecker")
class LinearOperatorKronecker(LinearOperator):
    """The Kronecker product of operators.

    Args:
      operators: LinearOperators of one dtype.
      is_non_singular, is_self_adjoint, is_positive_definite, is_square: hints; the first three
        hold if they hold of all operators.
      name: the operators' names joined by "_x_", by default.

    Raises:
      ValueError: there are none, or the hints contradict theirs.
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
        self._operators = operators = util.checked_operators(operators, "a list of >=1 operators")
        hints = {}
        for word, hint in (
            ("non-singular", is_non_singular),
            ("self-adjoint", is_self_adjoint),
            ("positive-definite", is_positive_definite),
        ):
            key = "is_" + word.replace("-", "_")
            text = f"The Kronecker product of {word} operators is always {word}."
            hints[key] = util.inherited_hint(operators, key, hint, text)
        parents = util.graph_parents(operators)
        name = "_x_".join(x.name for x in operators) if name is None else name
        with ops.name_scope(name, values=parents):
            super().__init__(operators[0].dtype, parents, is_square=is_square, name=name, **hints)

    @property
    def operators(self) -> Any:
        """The factors."""
        return self._operators

    def _shape(self) -> Any:
        columns = functools.reduce(arithmetic.mul, (x.domain_dimension for x in self.operators))
        rows = functools.reduce(arithmetic.mul, (x.range_dimension for x in self.operators))
        matrix = tensor_shape.TensorShape([rows, columns])
        return util.common_batch_shape(self.operators).concatenate(matrix)

    def _shape_tensor(self) -> Any:
        columns = util.accumulated(self.operators, "domain_dimension_tensor", arithmetic.mul)
        rows = util.accumulated(self.operators, "range_dimension_tensor", arithmetic.mul)
        batch = util.accumulated(
            self.operators, "batch_shape_tensor", array_ops.broadcast_dynamic_shape
        )
        return array_ops.concat((batch, [rows, columns]), 0)

    def _factor_by_factor(self, method: str, x: Any, adjoint: bool, adjoint_arg: bool) -> Any:
        """Applies one factor after the other to its own part of each column.

        `method` and `method` + "vec" are called; the columns are the first dimension meanwhile.
        """
        x = linalg.adjoint(x) if adjoint_arg else x
        ones = array_ops.concat([array_ops.ones_like(self.batch_shape_tensor()), [1, 1]], 0)
        x += array_ops.zeros(ones, dtype=x.dtype.base_dtype)

        output = _last_dim_first(x)[array_ops.newaxis, ...]
        columns = "range_dimension_tensor" if adjoint else "domain_dimension_tensor"
        for operator in self.operators[:-1]:
            size = getattr(operator, columns)()
            output = array_ops.matrix_transpose(_unvec_by(output, size))
            output = getattr(operator, method)(output, adjoint=adjoint, adjoint_arg=False)
            output = _first_dim_last(array_ops.matrix_transpose(output))
            output = _last_dim_first(_vec(output))
        vector = {"matmul": "matvec", "solve": "solvevec"}[method]
        output = getattr(self.operators[-1], vector)(output, adjoint=adjoint)
        output = _vec(_first_dim_last(output))
        output = _first_dim_last(output)

        if x.shape.is_fully_defined():
            batch = array_ops.broadcast_static_shape(x.shape[:-2], self.batch_shape)
            rows = self.domain_dimension if adjoint else self.range_dimension
            output.set_shape(batch.concatenate([rows, x.shape[-1]]))
        return output

    def _matmul(self, x: TensorLike, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return self._factor_by_factor("matmul", x, adjoint, adjoint_arg)

    def _solve(self, rhs: TensorLike, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return self._factor_by_factor("solve", rhs, adjoint, adjoint_arg)

    def _copies(self, operator: Any, total: TensorLike) -> Any:
        """How often a factor's determinant counts."""
        return math_ops.cast(total / operator.domain_dimension_tensor(), dtype=operator.dtype)

    def _determinant(self) -> Any:
        total = self.domain_dimension_tensor()
        result: Any = 1.0
        for operator in self.operators:
            result *= operator.determinant() ** self._copies(operator, total)
        return result

    def _log_abs_determinant(self) -> Any:
        total = self.domain_dimension_tensor()
        result: Any = 0.0
        for operator in self.operators:
            result += operator.log_abs_determinant() * self._copies(operator, total)
        return result

    def _trace(self) -> Any:
        result: Any = 1.0
        for operator in self.operators:
            result *= operator.trace()
        return result

    def _diag_part(self) -> Any:
        result = self.operators[0].diag_part()
        for operator in self.operators[1:]:
            result = result[..., :, array_ops.newaxis]
            result *= operator.diag_part()[..., array_ops.newaxis, :]
            result = _with_last_dims(result, 2, [-1])
        rows, columns = self.range_dimension, self.domain_dimension
        result.set_shape(self.batch_shape.concatenate(columns if rows > columns else rows))
        return result

    def _to_dense(self) -> Any:
        result = self.operators[0].to_dense()
        for operator in self.operators[1:]:
            result = result[..., :, array_ops.newaxis, :, array_ops.newaxis]
            result *= operator.to_dense()[..., array_ops.newaxis, :, array_ops.newaxis, :]
            batch = array_ops.shape(result)[:-4]
            sizes = [array_ops.shape(result)[i] * array_ops.shape(result)[i + 1] for i in (-4, -2)]
            result = array_ops.reshape(result, array_ops.concat([batch, sizes], axis=0))
        result.set_shape(self.shape)
        return result

    def _assert_all(self, method: str, what: str) -> Any:
        if not all(operator.is_square for operator in self.operators):
            raise errors.InvalidArgumentError(
                None, None, f"All Kronecker factors must be square for the product to be {what}."
            )
        return control_flow_ops.group([getattr(x, method)() for x in self.operators])

    def _assert_non_singular(self) -> Any:
        return self._assert_all("assert_non_singular", "invertible")

    def _assert_self_adjoint(self) -> Any:
        return self._assert_all("assert_self_adjoint", "self adjoint")
