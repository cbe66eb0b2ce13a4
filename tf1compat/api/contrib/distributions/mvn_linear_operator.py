"""Multivariate normal distributions."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.contrib.distributions import distribution_util
from tf1compat.api.contrib.distributions.bijectors.affine import AffineLinearOperator
from tf1compat.api.contrib.distributions.linear_operator_scaled import (
    LinearOperatorScaled,
    refuse_bad_scale,
)
from tf1compat.api.distributions import normal
from tf1compat.api.distributions.kullback_leibler import registers_kl
from tf1compat.api.distributions.moved import moved
from tf1compat.api.math import math_ops
from tf1compat.core import ops
from tf1compat.core.typing import TensorLike


class MultivariateNormalLinearOperator(LinearOperatorScaled):
    """A multivariate normal distribution of covariance scale @ scale^T."""

    @moved("mvn_linear_operator", "tf.contrib.distributions")
    def __init__(
        self,
        loc: Any = None,
        scale: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: Any = "MultivariateNormalLinearOperator",
    ) -> None:
        """A batch of multivariate normal distributions.

        Args:
          loc: float tensor [..., k], the means; None for 0.
          scale: linear operator [..., k, k].
          validate_args: whether `scale` is checked to be invertible.
          allow_nan_stats: not used.
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
        super().__init__(
            distribution=normal.Normal(
                loc=array_ops.zeros([], dtype=scale.dtype),
                scale=array_ops.ones([], dtype=scale.dtype),
            ),
            bijector=AffineLinearOperator(loc, scale, validate_args),
            batch_shape=batch_shape,
            event_shape=event_shape,
            validate_args=validate_args,
            name=name,
        )
        self._parameters = parameters

    def _mean(self) -> Any:
        return self._centre()

    def _mode(self) -> Any:
        return self._mean()


@registers_kl(MultivariateNormalLinearOperator, MultivariateNormalLinearOperator)
def _kl_of_normals(a: Any, b: Any, name: str | None = None) -> Any:
    def norm(x: TensorLike) -> Any:
        return math_ops.reduce_sum(math_ops.square(x), axis=[-2, -1])

    values = [a.loc, b.loc, *a.scale.graph_parents, *b.scale.graph_parents]
    with ops.name_scope(name, "kl_mvn", values=values):
        scales = a.scale, b.scale
        if all(distribution_util.is_diagonal_scale(scale) for scale in scales):
            ratio = (a.stddev() / b.stddev())[..., None]
        else:
            ratio = b.scale.solve(a.scale.to_dense())
        log_ratio = b.scale.log_abs_determinant() - a.scale.log_abs_determinant()
        size = math_ops.cast(a.scale.domain_dimension_tensor(), a.dtype)
        trace = -size + norm(ratio)
        distance = norm(b.scale.solve((b.mean() - a.mean())[..., None]))
        kl = log_ratio + 0.5 * (trace + distance)
        kl.set_shape(array_ops.broadcast_static_shape(a.batch_shape, b.batch_shape))
        return kl
