"""Vectors of independent exponential draws, scaled and shifted."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.contrib.distributions import distribution_util
from tf1compat.api.contrib.distributions.bijectors.affine import AffineLinearOperator
from tf1compat.api.contrib.distributions.linear_operator_scaled import (
    LinearOperatorScaled,
    refuse_bad_scale,
)
from tf1compat.api.distributions import exponential
from tf1compat.api.distributions.moved import moved
from tf1compat.core import ops
from tf1compat.core.export import tf_export


class VectorExponentialLinearOperator(LinearOperatorScaled):
    """y = scale @ x + loc, where the elements of x are exponentially distributed."""

    @moved("vector_exponential_linear_operator", "tf.contrib.distributions")
    def __init__(
        self,
        loc: Any = None,
        scale: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: Any = "VectorExponentialLinearOperator",
    ) -> None:
        """A batch of distributions of vectors.

        Args:
          loc: float tensor [..., k]; None for 0.
          scale: linear operator [..., k, k].
          validate_args: whether `scale` is checked to be invertible.
          allow_nan_stats: see `Distribution`.
          name: scope of the ops.

        Raises:
          ValueError: `scale` is missing.
          TypeError: it is not of floats.
        """
        parameters = dict(locals())
        refuse_bad_scale(scale)
        with ops.name_scope(name, values=[loc, *scale.graph_parents]) as name:
            loc = distribution_util.tensor_or_none(loc, "loc")
            batch_shape, event_shape = distribution_util.shapes_from_loc_and_scale(loc, scale)
            rate = array_ops.ones([], dtype=scale.dtype)
            super().__init__(
                distribution=exponential.Exponential(rate, allow_nan_stats=allow_nan_stats),
                bijector=AffineLinearOperator(loc, scale, validate_args),
                batch_shape=batch_shape,
                event_shape=event_shape,
                validate_args=validate_args,
                name=name,
            )
            self._parameters = parameters

    def _mean(self) -> Any:
        return self._image(array_ops.ones)

    def _mode(self) -> Any:
        return self._image(array_ops.zeros)

    def _image(self, values: Any) -> Any:
        """What becomes of vectors x of the same elements."""
        y = self.scale.matvec(values(self._full_shape(), self.dtype))
        return y if self.loc is None else array_ops.identity(self.loc) + y


@tf_export("contrib.distributions.VectorExponentialDiag")
class VectorExponentialDiag(VectorExponentialLinearOperator):
    """Vectors of independent exponential draws, scaled by a diagonal and shifted."""

    @moved("vector_exponential_diag", "tf.contrib.distributions")
    def __init__(
        self,
        loc: Any = None,
        scale_diag: Any = None,
        scale_identity_multiplier: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: Any = "VectorExponentialDiag",
    ) -> None:
        """A batch of distributions of vectors.

        Args:
          loc: float tensor [..., k]; None for 0.
          scale_diag: float tensor [..., k]; None for 0.
          scale_identity_multiplier: float tensor [...], added to it; 1 if neither is given.
          validate_args: whether the scale is checked to be invertible.
          allow_nan_stats: see `Distribution`.
          name: scope of the ops.

        Raises:
          ValueError: neither `loc` nor `scale_diag` says what k is.
        """
        parameters = dict(locals())
        with ops.name_scope(name) as name:
            values = [loc, scale_diag, scale_identity_multiplier]
            with ops.name_scope("init", values=values):
                scale = distribution_util.make_diag_scale(*values)
        super().__init__(loc, scale, validate_args, allow_nan_stats, name)
        self._parameters = parameters
