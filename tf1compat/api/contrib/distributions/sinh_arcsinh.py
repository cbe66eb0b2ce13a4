"""Distributions whose skewness and tails are changed by the sinh-arcsinh transformation."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.contrib.distributions import bijectors, distribution_util
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.distributions import normal
from tf1compat.api.distributions.moved import moved
from tf1compat.api.distributions.scalar import parameter
from tf1compat.api.distributions.transformed_distribution import TransformedDistribution
from tf1compat.core import ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import DTypeLike, Name, TensorLike

_LIBRARY = "tf.contrib.distributions"


class _SinhArcsinh(TransformedDistribution):
    """y = loc + c * sinh((arcsinh(x) + skewness) * tailweight), where c makes a scale of 1 keep
    the point 2 in its place."""

    loc = parameter("loc", "What is added.")
    scale = parameter("scale", "The width.")
    skewness = parameter("skewness", "How far the draws are pushed to one side.")
    tailweight = parameter("tailweight", "How heavy the tails are.")

    @staticmethod
    def _base(
        distribution: Any,
        dtype: DTypeLike,
        allow_nan_stats: bool,
        validate_args: bool,
        value: TensorLike,
    ) -> tuple[Any, Any]:
        """The distribution of x, and `value` once that is checked."""
        if distribution is None:
            zero, one = array_ops.zeros([], dtype=dtype), array_ops.ones([], dtype=dtype)
            return normal.Normal(zero, one, allow_nan_stats=allow_nan_stats), value
        checks = distribution_util.maybe_check_scalar_distribution(
            distribution, dtype, validate_args
        )
        if checks:
            value = control_flow_ops.with_dependencies(checks, value)
        return distribution, value

    @staticmethod
    def _transformation(
        scale: Any, skewness: Any, tailweight: Any, is_skewed: bool
    ) -> tuple[Any, Any]:
        """The bijector, and the factor c."""
        f = bijectors.SinhArcsinh(skewness=skewness, tailweight=tailweight)
        straight = f
        if is_skewed:
            none = skewness.dtype.as_numpy_dtype(0.0)
            straight = bijectors.SinhArcsinh(skewness=none, tailweight=tailweight)
        doubled = 2 * scale
        return f, doubled / straight.forward(ops.convert_to_tensor(2, dtype=skewness.dtype))

    def _keep(
        self,
        parameters: dict[str, Any],
        loc: Any,
        scale: TensorLike,
        tailweight: Any,
        skewness: Any,
    ) -> None:
        self._parameters = parameters
        self._loc, self._scale = loc, scale
        self._tailweight, self._skewness = tailweight, skewness


@tf_export("contrib.distributions.SinhArcsinh")
class SinhArcsinh(_SinhArcsinh):
    """A normal distribution, or another one, with other skewness and tails."""

    @moved("sinh_arcsinh", _LIBRARY)
    def __init__(
        self,
        loc: TensorLike,
        scale: TensorLike,
        skewness: Any = None,
        tailweight: Any = None,
        distribution: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: Name = "SinhArcsinh",
    ) -> None:
        """A batch of distributions.

        Args:
          loc: float tensor.
          scale: positive float tensor.
          skewness: float tensor; by default 0.
          tailweight: positive float tensor; by default 1.
          distribution: of scalars and no batch; by default a standard normal one.
          validate_args: whether parameters are checked.
          allow_nan_stats: see `Distribution`.
          name: scope of the ops.

        Raises:
          TypeError: the distribution is of another dtype.
          ValueError: it is not of scalars, or a batch.
        """
        parameters = dict(locals())
        with ops.name_scope(name, values=[loc, scale, skewness, tailweight]) as name:
            loc = ops.convert_to_tensor(loc, name="loc")
            dtype = loc.dtype
            scale = ops.convert_to_tensor(scale, name="scale", dtype=dtype)
            is_skewed = skewness is not None
            tailweight = ops.convert_to_tensor(
                1.0 if tailweight is None else tailweight, name="tailweight", dtype=dtype
            )
            skewness = ops.convert_to_tensor(
                0.0 if skewness is None else skewness, name="skewness", dtype=dtype
            )
            batch_shape = distribution_util.get_broadcast_shape(loc, scale, tailweight, skewness)
            distribution, loc = self._base(distribution, dtype, allow_nan_stats, validate_args, loc)
            f, c = self._transformation(scale, skewness, tailweight, is_skewed)
            affine = bijectors.AffineScalar(shift=loc, scale=c, validate_args=validate_args)
            super().__init__(
                distribution=distribution,
                bijector=bijectors.Chain([affine, f]),
                batch_shape=batch_shape,
                validate_args=validate_args,
                name=name,
            )
        self._keep(parameters, loc, scale, tailweight, skewness)


@tf_export("contrib.distributions.VectorSinhArcsinhDiag")
class VectorSinhArcsinhDiag(_SinhArcsinh):
    """Vectors of independent draws with other skewness and tails, scaled by a diagonal."""

    @moved("vector_sinh_arcsinh_diag", _LIBRARY)
    def __init__(
        self,
        loc: TensorLike | None = None,
        scale_diag: TensorLike | None = None,
        scale_identity_multiplier: TensorLike | None = None,
        skewness: Any = None,
        tailweight: Any = None,
        distribution: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: Name = "MultivariateNormalLinearOperator",
    ) -> None:
        """A batch of distributions of vectors.

        Args:
          loc: float tensor [..., k]; None for 0.
          scale_diag: float tensor [..., k]; None for 0.
          scale_identity_multiplier: float tensor [...], added to it; 1 if neither is given.
          skewness: float tensor; by default 0.
          tailweight: positive float tensor; by default 1.
          distribution: of scalars and no batch; by default a standard normal one.
          validate_args: whether parameters are checked.
          allow_nan_stats: see `Distribution`.
          name: scope of the ops.

        Raises:
          TypeError: the distribution is of another dtype.
          ValueError: it is not of scalars, or a batch, or nothing says what k is.
        """
        parameters = dict(locals())
        values = [loc, scale_diag, scale_identity_multiplier]
        with ops.name_scope(name, values=[*values, skewness, tailweight]) as name:
            loc = distribution_util.tensor_or_none(loc, "loc")
            is_skewed = skewness is not None
            operator = distribution_util.make_diag_scale(loc, scale_diag, scale_identity_multiplier)
            batch_shape, event_shape = distribution_util.shapes_from_loc_and_scale(loc, operator)
            diag = operator.diag_part()
            dtype = diag.dtype
            distribution, diag = self._base(
                distribution, dtype, allow_nan_stats, validate_args, diag
            )
            skewness = ops.convert_to_tensor(
                0.0 if skewness is None else skewness, dtype=dtype, name="skewness"
            )
            tailweight = ops.convert_to_tensor(
                1.0 if tailweight is None else tailweight, dtype=dtype, name="tailweight"
            )
            f, c = self._transformation(diag, skewness, tailweight, is_skewed)
            affine = bijectors.Affine(shift=loc, scale_diag=c, validate_args=validate_args)
            super().__init__(
                distribution=distribution,
                bijector=bijectors.Chain([affine, f]),
                batch_shape=batch_shape,
                event_shape=event_shape,
                validate_args=validate_args,
                name=name,
            )
        self._keep(parameters, loc, operator, tailweight, skewness)
