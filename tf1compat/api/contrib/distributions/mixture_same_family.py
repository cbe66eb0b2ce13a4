"""`tf.contrib.distributions.MixtureSameFamily`."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.contrib.distributions import distribution_util
from tf1compat.api.distributions import distribution, util
from tf1compat.api.distributions.moved import moved
from tf1compat.api.distributions.scalar import parameter
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_ops
from tf1compat.core import ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor_shape import dimension_value
from tf1compat.core.typing import Name, TensorLike


@tf_export("contrib.distributions.MixtureSameFamily")
class MixtureSameFamily(distribution.Distribution):
    """A mixture whose components are the last batch dimension of one distribution."""

    mixture_distribution = parameter(
        "mixture_distribution", "The distribution that chooses a component."
    )
    components_distribution = parameter("components_distribution", "The components, a batch.")

    @moved("mixture_same_family", "tf.contrib.distributions")
    def __init__(
        self,
        mixture_distribution: Any,
        components_distribution: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: Name = "MixtureSameFamily",
    ) -> None:
        """A mixture.

        Args:
          mixture_distribution: a `Categorical` distribution, no batch or one of the mixture's batch
            shape.
          components_distribution: a batch of distributions, whose last dimension is that of the
            components.
          validate_args: whether shapes are checked when the graph runs.
          allow_nan_stats: see `Distribution`.
          name: scope of the ops.

        Raises:
          ValueError: the mixture is not one of whole scalars, or shapes do not match.
        """
        parameters = dict(locals())
        with ops.name_scope(name) as name:
            self._mixture_distribution = mixture_distribution
            self._components_distribution = components_distribution
            shape = components_distribution.event_shape_tensor()
            known = dimension_value(shape.shape[0])
            self._event_ndims = array_ops.shape(shape)[0] if known is None else known
            self._runtime_assertions = []
            self._check_kind(validate_args)
            self._check_batches(validate_args)
            self._num_components = self._checked_count(validate_args)
            super().__init__(
                components_distribution.dtype,
                distribution.NOT_REPARAMETERIZED,
                validate_args,
                allow_nan_stats,
                parameters,
                mixture_distribution._graph_parents + components_distribution._graph_parents,
                name,
            )

    def _check_kind(self, validate_args: bool) -> None:
        mixture = self._mixture_distribution
        if not mixture.dtype.is_integer:
            raise ValueError(
                f"`mixture_distribution.dtype` ({mixture.dtype.name}) is not over integers"
            )
        text = "`mixture_distribution` must have scalar `event_dim`s"
        rank = mixture.event_shape.ndims
        if rank is not None and rank != 0:
            raise ValueError(text)
        if rank is None and validate_args:
            shape = mixture.event_shape_tensor()
            check = check_ops.assert_equal(array_ops.size(shape), 0, message=text)
            self._runtime_assertions.append(check)

    def _check_batches(self, validate_args: bool) -> None:
        mixture, components = self._mixture_distribution, self._components_distribution
        own = mixture.batch_shape
        all_ = components.batch_shape.with_rank_at_least(1)[:-1]
        if own.is_fully_defined() and all_.is_fully_defined():
            if own.ndims != 0 and own != all_:
                raise ValueError(
                    f"`mixture_distribution.batch_shape` (`{own.as_list()}`) is not compatible "
                    f"with `components_distribution.batch_shape` (`{all_.as_list()}`)"
                )
        elif validate_args:
            own = mixture.batch_shape_tensor()
            all_ = components.batch_shape_tensor()[:-1]
            own = util.pick_vector(mixture.is_scalar_batch(), all_, own)
            text = (
                "`mixture_distribution.batch_shape` is not compatible with "
                "`components_distribution.batch_shape`"
            )
            self._runtime_assertions.append(check_ops.assert_equal(own, all_, message=text))

    def _checked_count(self, validate_args: bool) -> Any:
        """How many components there are: a number if it is known."""
        mixture, components = self._mixture_distribution, self._components_distribution
        own = dimension_value(mixture.logits.shape.with_rank_at_least(1)[-1])
        other = dimension_value(components.batch_shape.with_rank_at_least(1)[-1])
        text = (
            "`mixture_distribution components`{} does not equal "
            "`components_distribution.batch_shape[-1{}]`{}"
        )
        if own is not None and other is not None and own != other:
            raise ValueError(text.format(f" ({own})", "", f" ({other})"))
        if validate_args:
            own = array_ops.shape(mixture.logits)[-1]
            other = components.batch_shape_tensor()[-1]
            check = check_ops.assert_equal(own, other, message=text.format("", ":", ""))
            self._runtime_assertions.append(check)
        elif own is None:
            own = array_ops.shape(mixture.logits)[-1]
        return own

    def _checked(self) -> Any:
        return ops.control_dependencies(self._runtime_assertions)

    def _batch_shape_tensor(self) -> Any:
        with self._checked():
            return self.components_distribution.batch_shape_tensor()[:-1]

    def _batch_shape(self) -> Any:
        return self.components_distribution.batch_shape.with_rank_at_least(1)[:-1]

    def _event_shape_tensor(self) -> Any:
        with self._checked():
            return self.components_distribution.event_shape_tensor()

    def _event_shape(self) -> Any:
        return self.components_distribution.event_shape

    def _beside_events(self, x: TensorLike) -> Any:
        """What is by component, so that it broadcasts with events."""
        return distribution_util.pad_mixture_dimensions(
            x, self, self.mixture_distribution, self._event_shape().ndims
        )

    def _pad_sample_dims(self, x: Any) -> Any:
        """A dimension of 1 for the components."""
        with ops.name_scope("pad_sample_dims", values=[x]):
            rank = array_ops.rank(x) if x.shape.ndims is None else x.shape.ndims
            shape = array_ops.shape(x)
            place = rank - self._event_ndims
            shape = array_ops.concat([shape[:place], [1], shape[place:]], axis=0)
            return array_ops.reshape(x, shape=shape)

    def _sample_n(self, n: TensorLike, seed: int) -> Any:
        with self._checked():
            x = self.components_distribution.sample(n)
            chosen = self.mixture_distribution.sample(n)
            number = x.dtype.as_numpy_dtype
            mask = array_ops.one_hot(chosen, self._num_components, number(1), number(0))
            return self._summed(x * self._beside_events(mask))

    def _summed(self, x: TensorLike) -> Any:
        return math_ops.reduce_sum(x, axis=-1 - self._event_ndims)

    def _log_prob(self, x: TensorLike) -> Any:
        with self._checked():
            return self._log_of_mixture("log_prob", x)

    def _log_cdf(self, x: TensorLike) -> Any:
        return self._log_of_mixture("log_cdf", x)

    def _log_of_mixture(self, method: str, x: TensorLike) -> Any:
        values = getattr(self.components_distribution, method)(self._pad_sample_dims(x))
        log_probs = nn_ops.log_softmax(self.mixture_distribution.logits, axis=-1)
        return math_ops.reduce_logsumexp(values + log_probs, axis=-1)

    def _mean(self) -> Any:
        with self._checked():
            probs = self._beside_events(self.mixture_distribution.probs)
            return self._summed(probs * self.components_distribution.mean())

    def _variance(self) -> Any:
        with self._checked():
            components = self.components_distribution
            probs = self._beside_events(self.mixture_distribution.probs)
            within = self._summed(probs * components.variance())
            means = components.mean(), self._pad_sample_dims(self._mean())
            between = self._summed(probs * math_ops.squared_difference(*means))
            return within + between

    def _covariance(self) -> Any:
        if self.event_shape.ndims != 1:
            raise NotImplementedError("covariance is not implemented")
        with self._checked():
            components = self.components_distribution
            probs = self._beside_events(self._beside_events(self.mixture_distribution.probs))
            within = math_ops.reduce_sum(probs * components.covariance(), axis=-3)
            z = components.mean() - self._pad_sample_dims(self._mean())
            square = z[..., None, :] * z[..., None]
            return within + math_ops.reduce_sum(probs * square, axis=-3)
