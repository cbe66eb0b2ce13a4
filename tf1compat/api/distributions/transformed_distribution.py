"""Distributions of what a bijector makes of another distribution's samples."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.checks import check_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.distributions import distribution as distribution_lib
from tf1compat.api.distributions import identity_bijector, static, util
from tf1compat.api.distributions.moved import moved
from tf1compat.api.math import math_ops
from tf1compat.core import dtypes, ops, tensor_util
from tf1compat.core.attribute import attribute
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name, ShapeLike, TensorLike


@tf_export("contrib.distributions.TransformedDistribution")
class TransformedDistribution(distribution_lib.Distribution):
    """The distribution of y = g(x), where x is of a distribution and g is a bijector.

    A scalar distribution can be made one over events, or a batch, of a given shape: as many
    independent draws are taken before g is applied.
    """

    @moved("transformed_distribution")
    def __init__(
        self,
        distribution: Any,
        bijector: Any = None,
        batch_shape: ShapeLike | None = None,
        event_shape: ShapeLike | None = None,
        validate_args: bool = False,
        name: Name = None,
    ) -> None:
        """A transformed distribution.

        Args:
          distribution: that of x.
          bijector: g; by default the identity.
          batch_shape: int vector, the batch shape instead of that of `distribution`, which must be
            no batch.
          event_shape: int vector, the event shape instead of that of `distribution`, whose events
            must be scalars.
          validate_args: whether these are checked.
          name: scope of the ops; by default the two names.

        Raises:
          ValueError: a shape is given though the distribution has one, or it is no vector of
            positive numbers.
        """
        parameters = dict(locals())
        self._validate_args = validate_args
        name = name or ("" if bijector is None else bijector.name) + distribution.name
        with ops.name_scope(name, values=[event_shape, batch_shape]) as name:
            self._zero = constant_op.constant(0, dtype=dtypes.int32, name="zero")
            self._empty = constant_op.constant([], dtype=dtypes.int32, name="empty")
            if bijector is None:
                bijector = identity_bijector.Identity(validate_args=validate_args)
            batch = self._override("batch_shape", batch_shape, distribution.is_scalar_batch())
            self._override_batch_shape, self._is_batch_override = batch
            self._is_maybe_batch_override = _may_be_given(self._override_batch_shape)
            event = self._override("event_shape", event_shape, distribution.is_scalar_event())
            self._override_event_shape, self._is_event_override = event
            self._is_maybe_event_override = _may_be_given(self._override_event_shape)
            # Draws for the event come before the batch of the distribution, and have to go behind.
            self._needs_rotation = static.logical_and(
                self._is_event_override,
                static.logical_not(self._is_batch_override),
                static.logical_not(distribution.is_scalar_batch()),
            )
            given = static.rank_of(self._override_event_shape)
            self._rotate_ndims = static.choice(self._needs_rotation, given, 0)
            self._reduce_event_indices = math_ops.range(
                self._rotate_ndims - given, self._rotate_ndims
            )
        self._distribution = distribution
        self._bijector = bijector
        super().__init__(
            distribution.dtype,
            distribution.reparameterization_type,
            validate_args,
            distribution.allow_nan_stats,
            parameters,
            distribution._graph_parents + bijector.graph_parents,
            name,
        )

    distribution = attribute("_distribution", "The distribution of x.")
    bijector = attribute("_bijector", "The function that makes y of x.")

    # ---- Shapes ----------

    def _override(self, name: str, given: Any, base_is_scalar: Any) -> tuple[Any, Any]:
        """A shape given by the user, empty if there is none, and whether there is one."""
        shape = self._maybe_validate_shape_override(
            given, base_is_scalar, self._validate_args, name
        )
        return shape, static.logical_not(static.equal(static.rank_of(shape), self._zero))

    def _event_shape_tensor(self) -> Any:
        own = self.distribution.event_shape_tensor()
        shape = util.pick_vector(self._is_event_override, self._override_event_shape, own)
        return self.bijector.forward_event_shape_tensor(shape)

    def _event_shape(self) -> Any:
        given = tensor_util.constant_value_as_shape(self._override_event_shape)
        own = given if self._is_maybe_event_override else self.distribution.event_shape
        return self.bijector.forward_event_shape(own)

    def _batch_shape_tensor(self) -> Any:
        own = self.distribution.batch_shape_tensor()
        return util.pick_vector(self._is_batch_override, self._override_batch_shape, own)

    def _batch_shape(self) -> Any:
        given = tensor_util.constant_value_as_shape(self._override_batch_shape)
        return given if self._is_maybe_batch_override else self.distribution.batch_shape

    def _maybe_validate_shape_override(
        self, override_shape: Any, base_is_scalar: Any, validate_args: bool, name: str
    ) -> Any:
        """A shape given by the user; the empty vector if there is none."""
        shape = ops.convert_to_tensor(
            [] if override_shape is None else override_shape, dtype=dtypes.int32, name=name
        )
        if not shape.dtype.is_integer:
            raise TypeError("shape override must be an integer")
        is_empty = static.equal(static.rank_of(shape), 0)
        if tensor_util.constant_value(is_empty):
            return self._empty
        checks: list[Callable[[], Any]] = []
        text = "shape override must be a vector"
        if shape.get_shape().ndims is None:
            checks.append(lambda: check_ops.assert_rank(shape, 1, message=text))
        elif shape.get_shape().ndims != 1:
            raise ValueError(text)
        known = tensor_util.constant_value(shape)
        positive = "shape override must have positive elements"
        if known is None:
            checks.append(lambda: check_ops.assert_positive(shape, message=positive))
        elif any(size <= 0 for size in known):
            raise ValueError(positive)
        made = [check() for check in checks] if validate_args else []
        both = static.logical_and(static.logical_not(base_is_scalar), static.logical_not(is_empty))
        known, text = tensor_util.constant_value(both), "base distribution not scalar"
        if known:
            raise ValueError(text)
        if known is None and validate_args:
            made.append(check_ops.assert_equal(both, False, message=text))
        return control_flow_ops.with_dependencies(made, shape) if made else shape

    def _maybe_rotate_dims(self, x: TensorLike, rotate_right: bool = False) -> Any:
        """Puts the dimensions drawn for the event behind the batch's, or back."""
        needed = tensor_util.constant_value(self._needs_rotation)
        if needed is not None and not needed:
            return x
        rank = array_ops.rank(x)
        n = rank - self._rotate_ndims if rotate_right else self._rotate_ndims
        order = static.concatenated(math_ops.range(n, rank), math_ops.range(0, n))
        return array_ops.transpose(x, order)

    def _maybe_get_static_event_ndims(self) -> Any:
        if self.event_shape.ndims is not None:
            return self.event_shape.ndims
        count = array_ops.size(self.event_shape_tensor())
        known = util.maybe_get_static_value(count)
        return count if known is None else known

    # ---- Samples ----------

    def _sample_n(self, n: TensorLike, seed: int | None = None, **distribution_kwargs: Any) -> Any:
        shape = static.concatenated(
            util.pick_vector(self._needs_rotation, self._empty, [n]),
            self._override_batch_shape,
            self._override_event_shape,
            util.pick_vector(self._needs_rotation, [n], self._empty),
        )
        x = self.distribution.sample(sample_shape=shape, seed=seed, **distribution_kwargs)
        return self._maybe_rotate_dims(x)

    def _call_sample_n(self, sample_shape: TensorLike, seed: Any, name: str, **kwargs: Any) -> Any:
        return self._drawn(sample_shape, seed, name, kwargs, kwargs)

    def _drawn(
        self, sample_shape: TensorLike, seed: int, name: str, bijector_kwargs: Any, own_kwargs: Any
    ) -> Any:
        def draw(n: TensorLike) -> Any:
            return self._sample_n(n, seed, **own_kwargs)

        def transform(x: TensorLike) -> Any:
            return self.bijector.forward(x, **bijector_kwargs)

        # The bijector comes last, so that it knows the sample again.
        return self._draws(sample_shape, name, draw, transform)

    # ---- Functions of a value ----------

    def _log_prob(self, y: TensorLike) -> Any:
        terms, event_ndims = self._fibers(y, {})
        found = []
        for x, ildj in terms:
            x = self._maybe_rotate_dims(x, rotate_right=True)
            log_prob = self.distribution.log_prob(x)
            if self._is_maybe_event_override:
                log_prob = math_ops.reduce_sum(log_prob, self._reduce_event_indices)
            log_prob += math_ops.cast(ildj, log_prob.dtype)
            found.append(self._with_shape_of(log_prob, y, event_ndims))
        if self.bijector._is_injective:
            return found[0]
        return math_ops.reduce_logsumexp(array_ops.stack(found), axis=0)

    def _prob(self, y: TensorLike) -> Any:
        terms, event_ndims = self._fibers(y, {})
        found = []
        for x, ildj in terms:
            x = self._maybe_rotate_dims(x, rotate_right=True)
            prob = self.distribution.prob(x)
            if self._is_maybe_event_override:
                prob = math_ops.reduce_prod(prob, self._reduce_event_indices)
            prob *= math_ops.exp(math_ops.cast(ildj, prob.dtype))
            found.append(self._with_shape_of(prob, y, event_ndims))
        return found[0] if self.bijector._is_injective else sum(found)

    def _fibers(self, y: TensorLike, bijector_kwargs: dict[str, Any]) -> tuple[list[Any], Any]:
        """Each x of y with its log determinant, and the number of event dimensions."""
        x = self.bijector.inverse(y, **bijector_kwargs)
        event_ndims = self._maybe_get_static_event_ndims()
        ildj = self.bijector.inverse_log_det_jacobian(y, event_ndims=event_ndims, **bijector_kwargs)
        injective = self.bijector._is_injective
        return ([(x, ildj)] if injective else list(zip(x, ildj, strict=False))), event_ndims

    def _with_shape_of(self, x: Any, y: Any, event_ndims: Any) -> Any:
        if self._is_maybe_event_override and isinstance(event_ndims, int):
            shape = y.get_shape().with_rank_at_least(1)[:-event_ndims]
            x.set_shape(array_ops.broadcast_static_shape(shape, self.batch_shape))
        return x

    def _only_where_monotone(self, method: str) -> None:
        if self._is_maybe_event_override:
            raise NotImplementedError(f"{method} is not implemented when overriding event_shape")
        self._only_if_injective(method)

    def _only_if_injective(self, method: str) -> None:
        if not self.bijector._is_injective:
            raise NotImplementedError(
                f"{method} is not implemented when bijector is not injective."
            )

    def _log_cdf(self, y: TensorLike) -> Any:
        self._only_where_monotone("log_cdf")
        return self.distribution.log_cdf(self.bijector.inverse(y))

    def _cdf(self, y: TensorLike) -> Any:
        self._only_where_monotone("cdf")
        return self.distribution.cdf(self.bijector.inverse(y))

    def _log_survival_function(self, y: TensorLike) -> Any:
        self._only_where_monotone("log_survival_function")
        return self.distribution.log_survival_function(self.bijector.inverse(y))

    def _survival_function(self, y: TensorLike) -> Any:
        self._only_where_monotone("survival_function")
        return self.distribution.survival_function(self.bijector.inverse(y))

    def _quantile(self, value: TensorLike) -> Any:
        self._only_where_monotone("quantile")
        return self.bijector.forward(self.distribution.quantile(value))

    def _entropy(self) -> Any:
        if not self.bijector.is_constant_jacobian:
            raise NotImplementedError("entropy is not implemented")
        self._only_if_injective("entropy")
        entropy = self.distribution.entropy()
        if self._is_maybe_event_override:
            count = math_ops.reduce_prod(self._override_event_shape)
            entropy *= math_ops.cast(count, dtype=entropy.dtype.base_dtype)
        if self._is_maybe_batch_override:
            given = self._override_batch_shape
            ones = static.ones_like(given)
            own = self.distribution.batch_shape_tensor()
            entropy = array_ops.reshape(entropy, array_ops.concat([ones, own], 0))
            ones = static.ones_like(self.distribution.batch_shape_tensor())
            entropy = array_ops.tile(entropy, array_ops.concat([given, ones], 0))
        # The Jacobian is the same everywhere, so any value will do.
        shape = array_ops.concat([self.batch_shape_tensor(), self.event_shape_tensor()], 0)
        anywhere = array_ops.zeros(shape=shape, dtype=self.dtype)
        event_ndims = self.event_shape.ndims
        if event_ndims is None:
            event_ndims = array_ops.size(self.event_shape_tensor())
        ildj = self.bijector.inverse_log_det_jacobian(anywhere, event_ndims=event_ndims)
        entropy -= math_ops.cast(ildj, entropy.dtype)
        entropy.set_shape(self.batch_shape)
        return entropy


def _may_be_given(shape: ShapeLike) -> bool:
    known = tensor_util.constant_value(shape)
    return known is None or known.size != 0
