"""`tensorflow.python.ops.linalg.linear_operator_householder`."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.linalg import linalg_impl as linalg
from tf1compat.api.linalg import linear_operator_util as util
from tf1compat.api.linalg.linear_operator import LinearOperator
from tf1compat.api.math import math_ops
from tf1compat.core import errors, ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name, TensorLike


@tf_export("linalg.LinearOperatorHouseholder")
class LinearOperatorHouseholder(LinearOperator):
    """Reflections I - 2 v v^H at the hyperplanes orthogonal to v.

    Args:
      reflection_axis: v of any length but 0, [..., n].
      is_non_singular, is_self_adjoint, is_positive_definite, is_square: hints.
      name: what the names of its operations begin with.

    Raises:
      ValueError: `reflection_axis` is a scalar, or a hint says what can't be.
    """

    def __init__(
        self,
        reflection_axis: Any,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: Name = "LinearOperatorHouseholder",
    ):
        with ops.name_scope(name, values=[reflection_axis]):
            axis = util.convert_nonref_to_tensor(reflection_axis, name="reflection_axis")
            self._reflection_axis = axis
            self._check_reflection_axis(axis)
            for contradicts, what in (
                (is_self_adjoint is False, "self adjoint"),
                (is_positive_definite is True, "non-positive definite"),
                (is_square is False, "square"),
            ):
                if contradicts:
                    raise ValueError(f"A Householder operator is always {what}.")
            super().__init__(
                axis.dtype,
                [axis],
                is_non_singular=is_non_singular,
                is_self_adjoint=True,
                is_positive_definite=False,
                is_square=True,
                name=name,
            )

    def _check_reflection_axis(self, reflection_axis: Any) -> None:
        if reflection_axis.shape.ndims is not None and reflection_axis.shape.ndims < 1:
            raise ValueError(
                "Argument reflection_axis must have at least 1 dimension.  "
                f"Found: {reflection_axis!s}"
            )

    def _shape(self) -> Any:
        shape = self._reflection_axis.shape
        return shape.concatenate(shape[-1:])

    def _shape_tensor(self) -> Any:
        return util.square_shape_tensor(array_ops.shape(self._reflection_axis))

    def _assert_non_singular(self) -> Any:
        return control_flow_ops.no_op("assert_non_singular")

    def _assert_positive_definite(self) -> Any:
        raise errors.InvalidArgumentError(
            None, None, "Householder operators are always non-positive definite."
        )

    def _assert_self_adjoint(self) -> Any:
        return control_flow_ops.no_op("assert_self_adjoint")

    def _unit(self, axis: TensorLike) -> Any:
        return axis / linalg.norm(axis, axis=-1, keepdims=True)

    def _matmul(self, x: TensorLike, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        axis = ops.convert_to_tensor(self.reflection_axis)
        x = linalg.adjoint(x) if adjoint_arg else x
        column = self._unit(axis)[..., array_ops.newaxis]
        projection = math_ops.matmul(column, x, adjoint_a=True)
        return x - 2 * column * projection

    def _trace(self) -> Any:
        # Its eigenvalues are one -1, and 1 else.
        return math_ops.cast(self.domain_dimension_tensor() - 2, self.dtype) * self._ones()

    def _determinant(self) -> Any:
        return -self._ones()

    def _ones(self) -> Tensor:
        return array_ops.ones(shape=self.batch_shape_tensor(), dtype=self.dtype)

    def _log_abs_determinant(self) -> Any:
        return array_ops.zeros(shape=self.batch_shape_tensor(), dtype=self.dtype)

    def _solve(self, rhs: TensorLike, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return self._matmul(rhs, adjoint, adjoint_arg)

    def _to_dense(self) -> Any:
        column = self._unit(self.reflection_axis)[..., array_ops.newaxis]
        matrix = -2 * math_ops.matmul(column, column, adjoint_b=True)
        return array_ops.matrix_set_diag(matrix, 1.0 + array_ops.matrix_diag_part(matrix))

    def _diag_part(self) -> Any:
        unit = self._unit(self.reflection_axis)
        return 1.0 - 2 * unit * math_ops.conj(unit)

    @property
    def reflection_axis(self) -> Any:
        """What is reflected to its opposite."""
        return self._reflection_axis
