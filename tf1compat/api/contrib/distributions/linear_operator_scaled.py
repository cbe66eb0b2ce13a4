"""Vectors of independent draws, scaled by a linear operator and shifted."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.contrib.distributions import distribution_util
from tf1compat.api.distributions import util
from tf1compat.api.distributions.transformed_distribution import TransformedDistribution
from tf1compat.api.linalg.linear_operator_low_rank_update import LinearOperatorLowRankUpdate
from tf1compat.api.math import math_ops
from tf1compat.core.attribute import attribute
from tf1compat.core.typing import TensorLike

value_note = util.AppendDocstring(
    "`value` is a batch of vectors whose shape broadcasts with `batch_shape + event_shape`."
)


def refuse_bad_scale(scale: Any) -> None:
    """Refuses what is no operator of floats.

    Raises:
      ValueError: `scale` is None.
      TypeError: it is not of floats.
    """
    if scale is None:
        raise ValueError("Missing required `scale` parameter.")
    if not scale.dtype.is_floating:
        raise TypeError("`scale` parameter must have floating-point dtype.")


class LinearOperatorScaled(TransformedDistribution):
    """y = scale @ x + loc, where the elements of x are independent and of variance 1 or 2."""

    _variance_of_x: ClassVar[int] = 1

    loc = attribute("bijector.shift", "What is added, or None.")
    scale = attribute("bijector.scale", "The linear operator.")

    @value_note
    def _log_prob(self, x: TensorLike) -> Any:
        return super()._log_prob(x)

    @value_note
    def _prob(self, x: TensorLike) -> Any:
        return super()._prob(x)

    def _full_shape(self) -> Any:
        """The shape of batch and event: static if it is known."""
        shape = self.batch_shape.concatenate(self.event_shape)
        if shape.is_fully_defined():
            return shape
        return array_ops.concat([self.batch_shape_tensor(), self.event_shape_tensor()], 0)

    def _centre(self) -> Any:
        """`loc` in the full shape: the mean, where that of x is 0."""
        shape = self._full_shape()
        if self.loc is None:
            return array_ops.zeros(shape, self.dtype)
        if self.batch_shape.concatenate(self.event_shape).is_fully_defined():
            if shape == self.loc.get_shape():
                return array_ops.identity(self.loc)
        return array_ops.identity(self.loc) + array_ops.zeros(shape, self.dtype)

    def _times_variance(self, value: Any) -> Any:
        return value if self._variance_of_x == 1 else float(self._variance_of_x) * value

    def _times_stddev(self, value: TensorLike) -> Any:
        return value if self._variance_of_x == 1 else np.sqrt(self._variance_of_x) * value

    def _square(self, symmetric: bool) -> Any:
        """scale @ scale^T."""
        if symmetric:
            return self.scale.matmul(self.scale.to_dense())
        return self.scale.matmul(self.scale.to_dense(), adjoint_arg=True)

    def _is_symmetric(self) -> bool:
        is_update = isinstance(self.scale, LinearOperatorLowRankUpdate)
        return is_update and bool(self.scale.is_self_adjoint)

    def _covariance(self) -> Any:
        if distribution_util.is_diagonal_scale(self.scale):
            diag = math_ops.square(self.scale.diag_part())
            return self._times_variance(array_ops.matrix_diag(diag))
        return self._times_variance(self._square(symmetric=False))

    def _variance(self) -> Any:
        if distribution_util.is_diagonal_scale(self.scale):
            return self._times_variance(math_ops.square(self.scale.diag_part()))
        square = self._square(self._is_symmetric())
        return array_ops.matrix_diag_part(self._times_variance(square))

    def _stddev(self) -> Any:
        if distribution_util.is_diagonal_scale(self.scale):
            return self._times_stddev(math_ops.abs(self.scale.diag_part()))
        square = self._square(self._is_symmetric())
        return self._times_stddev(math_ops.sqrt(array_ops.matrix_diag_part(square)))
