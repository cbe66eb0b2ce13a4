"""Batch normalisation (`tensorflow.python.keras.layers.normalization`)."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops, constant_op  # fmt: skip
from tf1compat.api.distribute import distribution_strategy_context
from tf1compat.api.keras import backend, lookup
from tf1compat.api.keras.engine.base_layer import Layer
from tf1compat.api.keras.engine.input_spec import InputSpec
from tf1compat.api.keras.utils.generic_utils import serialize_keras_object
from tf1compat.api.keras.utils.tf_utils import constant_value, smart_cond
from tf1compat.api.math import math_ops  # fmt: skip
from tf1compat.api.nn import nn_impl, nn_ops  # fmt: skip
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.variables import state_ops, variables  # fmt: skip
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor_shape import TensorShape, dimension_value
from tf1compat.core.typing import Initializer, Name, Regularizer, ShapeLike, TensorLike

_CLIPPING = {"rmax", "rmin", "dmax"}


@tf_export("keras.layers.BatchNormalization")
class BatchNormalization(Layer):
    """Normalises inputs by their mean and variance, or by the moving averages of these; then scales
    and shifts.

    Args:
      axis: the axis, or axes, that keep statistics of their own: as a rule the channels.
      momentum: of the moving averages.
      epsilon: added to variances.
      center, scale: whether to shift by `beta`, to scale by `gamma`.
      beta_initializer, …: settings of the variables.
      renorm: whether to correct training by the moving averages (batch renormalisation).
      renorm_clipping: bounds of that correction: "rmax", "rmin", "dmax".
      renorm_momentum: of the moving averages it uses.
      fused: whether to use the fused op, where it can be.
      trainable: see `Layer`.
      virtual_batch_size: normalise smaller batches each on its own.
      adjustment: a function of the inputs' shape that gives (scale, bias) to apply when training.
      name, **kwargs: see `Layer`.
    """

    _USE_V2_BEHAVIOR = False

    def __init__(
        self, axis: TensorLike = -1, momentum: float = 0.99, epsilon: float = 1e-3,
        center: bool = True,
        scale: bool = True, beta_initializer: Initializer = "zeros",
        gamma_initializer: Initializer = "ones",
        moving_mean_initializer: Any = "zeros", moving_variance_initializer: Any = "ones",
        beta_regularizer: Regularizer | None = None, gamma_regularizer: Regularizer | None = None,
        beta_constraint: Regularizer | None = None,
        gamma_constraint: Regularizer | None = None, renorm: bool = False,
        renorm_clipping: Any = None,
        renorm_momentum: float = 0.99, fused: bool | None = None, trainable: bool = True,
        virtual_batch_size: int | None = None, adjustment: Any = None, name: Name = None,
        **kwargs: Any,
    ):  # fmt: skip
        super().__init__(name=name, **kwargs)
        if not isinstance(axis, list | int):
            raise TypeError(f"axis must be int or list, type given: {type(axis)}")
        self.axis: Any = axis
        self.momentum = momentum
        self.epsilon = epsilon
        self.center = center
        self.scale = scale
        self.beta_initializer = lookup.initializer(beta_initializer)
        self.gamma_initializer = lookup.initializer(gamma_initializer)
        self.moving_mean_initializer = lookup.initializer(moving_mean_initializer)
        self.moving_variance_initializer = lookup.initializer(moving_variance_initializer)
        self.beta_regularizer = lookup.regularizer(beta_regularizer)
        self.gamma_regularizer = lookup.regularizer(gamma_regularizer)
        self.beta_constraint = lookup.constraint(beta_constraint)
        self.gamma_constraint = lookup.constraint(gamma_constraint)
        self.renorm = renorm
        self.virtual_batch_size = virtual_batch_size
        self.adjustment = adjustment
        self.fused = self._first_fused(fused)
        self.supports_masking = True
        self._bessels_correction_test_only = True
        self.trainable = trainable
        if renorm:
            renorm_clipping = renorm_clipping or {}
            if set(renorm_clipping) - _CLIPPING:
                raise ValueError(
                    f"renorm_clipping {renorm_clipping} contains keys not in "
                    f"{['rmax', 'rmin', 'dmax']}"
                )
            self.renorm_clipping = renorm_clipping
            self.renorm_momentum = renorm_momentum

    def _raise_if_fused_cannot_be_used(self) -> None:
        """Raises ValueError if the arguments rule the fused op out, whatever the inputs are."""
        axis = [self.axis] if isinstance(self.axis, int) else self.axis
        if self.renorm:
            raise ValueError("Passing both fused=True and renorm=True is unsupported")
        if len(axis) > 1 or axis[0] not in (-3, -1, 1, 3):
            raise ValueError("Passing fused=True is only supported when axis is 1 or 3")
        for name in ("virtual_batch_size", "adjustment"):
            if getattr(self, name) is not None:
                raise ValueError(f"Passing fused=True is unsupported when {name} is specified.")

    def _fused_can_be_used(self) -> bool:
        try:
            self._raise_if_fused_cannot_be_used()
        except ValueError:
            return False
        return True

    # What TF 2's layer does otherwise.

    def _first_fused(self, fused: bool | None) -> bool | None:
        """Whether to use the fused op, as far as the arguments say; None: that hangs on inputs."""
        return True if fused is None else fused

    def _settled_fused(self, rank: int) -> bool:
        """Whether to use the fused op for inputs of that rank."""
        return rank == 4 and bool(self.fused) and self._fused_can_be_used()

    def _get_training_value(self, training: Any = None) -> Any:
        """Whether to normalise by the batch, a bool or a scalar tensor."""
        return backend.learning_phase() if training is None else training

    @property
    def _param_dtype(self) -> Any:
        narrow = self.dtype in ("float16", "bfloat16")
        return dtypes.float32 if narrow else self.dtype or dtypes.float32

    # Variables.

    def build(self, input_shape: Any) -> None:
        """Makes gamma, beta and the moving averages.

        Raises:
          ValueError: the axes don't fit the inputs, or their size is not known.
        """
        input_shape = TensorShape(input_shape)
        if not input_shape.ndims:
            raise ValueError("Input has undefined rank:", input_shape)
        rank = input_shape.ndims
        axes = [self.axis] if isinstance(self.axis, int) else self.axis
        self.axis = [rank + x if x < 0 else x for x in axes]
        for x in self.axis:
            if x < 0 or x >= rank:
                raise ValueError(f"Invalid axis: {x}")
        if len(self.axis) != len(set(self.axis)):
            raise ValueError(f"Duplicate axis: {self.axis}")
        self._check_virtual_batch()
        if self.fused is not False:
            self.fused = self._settled_fused(rank)
        if self.fused:
            if self.axis not in ([1], [3]):
                raise ValueError(
                    "Unsupported axis, fused batch norm only supports axis == [1] or axis == [3]"
                )
            self._data_format = "NCHW" if self.axis == [1] else "NHWC"
        sizes = {x: dimension_value(input_shape[x]) for x in self.axis}
        if None in sizes.values():
            raise ValueError("Input has undefined `axis` dimension. Input shape: ", input_shape)
        self.input_spec = InputSpec(ndim=rank, axes=sizes)
        if len(sizes) == 1 and self.virtual_batch_size is None:
            shape: Any = tuple(sizes.values())
        else:
            shape = [sizes.get(i, 1) for i in range(rank)]
            if self.virtual_batch_size is not None:
                shape.insert(1, 1)
                self.axis = [x + 1 for x in self.axis]
        self.gamma = self._parameter("gamma", shape) if self.scale else None
        if self.fused and not self.scale:
            self._gamma_const = constant_op.constant(1.0, dtype=self._param_dtype, shape=shape)
        self.beta = self._parameter("beta", shape) if self.center else None
        if self.fused and not self.center:
            self._beta_const = constant_op.constant(0.0, dtype=self._param_dtype, shape=shape)
        # Moving averages are never cut into parts.
        scope: Any = getattr(self, "_scope", None)
        partitioner = scope.partitioner if scope else None
        if partitioner:
            scope.set_partitioner(None)
        try:
            self._make_averages(shape)
        finally:
            if partitioner:
                scope.set_partitioner(partitioner)
        self.built = True

    def _check_virtual_batch(self) -> None:
        if self.virtual_batch_size is None:
            return
        if self.virtual_batch_size <= 0:
            raise ValueError(
                "virtual_batch_size must be a positive integer that divides the true batch size of "
                "the "
                "input Tensor"
            )
        if 0 in self.axis:
            raise ValueError(
                "When using virtual_batch_size, the batch dimension must be 0 and thus axis cannot "
                "include 0"
            )
        if self.adjustment is not None:
            raise ValueError("When using virtual_batch_size, adjustment cannot be specified")

    def _parameter(self, name: str, shape: ShapeLike) -> Any:
        return self.add_weight(
            name=name, shape=shape, dtype=self._param_dtype,
            initializer=getattr(self, f"{name}_initializer"),
            regularizer=getattr(self, f"{name}_regularizer"),
            constraint=getattr(self, f"{name}_constraint"), trainable=True,
            experimental_autocast=False,
        )  # fmt: skip

    def _average(self, name: str, shape: ShapeLike, initializer: Initializer) -> Any:
        return self.add_weight(
            name=name, shape=shape, dtype=self._param_dtype, initializer=initializer,
            synchronization=variables.VariableSynchronization.ON_READ, trainable=False,
            aggregation=variables.VariableAggregation.MEAN, experimental_autocast=False,
        )  # fmt: skip

    def _make_averages(self, shape: ShapeLike) -> None:
        mean, variance = self.moving_mean_initializer, self.moving_variance_initializer
        self.moving_mean = self._average("moving_mean", shape, mean)
        self.moving_variance = self._average("moving_variance", shape, variance)
        if self.renorm:

            def stddev(*args: Any, **kwargs: Any) -> Any:
                return math_ops.sqrt(variance(*args, **kwargs))

            with ops.colocate_with(self.moving_variance):
                self.moving_stddev = self._average("moving_stddev", shape, stddev)
            with ops.colocate_with(self.moving_mean):
                self.renorm_mean = self._average("renorm_mean", shape, mean)
            with ops.colocate_with(self.moving_stddev):
                self.renorm_stddev = self._average("renorm_stddev", shape, stddev)

    # Updates.

    def _support_zero_size_input(self) -> bool:
        """Whether a replica's batch may be empty, as the last one of a strategy may be."""
        extended = distribution_strategy_context.get_strategy().extended
        may_be = getattr(extended, "experimental_enable_get_next_as_optional", False)
        return distribution_strategy_context.has_strategy() and may_be

    def _inputs_size(self, inputs: Any) -> Any:
        return array_ops.size(inputs) if self._support_zero_size_input() else None

    def _assign_moving_average(
        self, variable: Any, value: Any, momentum: Any, inputs_size: Any
    ) -> Any:
        with backend.name_scope("AssignMovingAvg") as scope, ops.colocate_with(variable):
            decay = ops.convert_to_tensor(1.0 - momentum, name="decay")
            if decay.dtype != variable.dtype.base_dtype:
                decay = math_ops.cast(decay, variable.dtype.base_dtype)
            delta = (variable - math_ops.cast(value, variable.dtype)) * decay
            if inputs_size is not None:
                delta = array_ops.where(inputs_size > 0, delta, backend.zeros_like(delta))
            return state_ops.assign_sub(variable, delta, name=scope)

    def _assign_new_value(self, variable: Any, value: Any) -> Any:
        with backend.name_scope("AssignNewValue") as scope, ops.colocate_with(variable):
            return state_ops.assign(variable, value, name=scope)

    def _assign_renorm_variance(
        self, stddev: Callable[[], Any], momentum: TensorLike, inputs_size: Any
    ) -> Any:
        """The moving variance as the square of the moving standard deviation."""
        average = self._assign_moving_average(self.moving_stddev, stddev(), momentum, inputs_size)
        return self._assign_new_value(
            self.moving_variance, nn_ops.relu(average * average - self.epsilon)
        )

    # Computation.

    def call(self, inputs: Any, training: Any = None) -> Any:  # pyright: ignore
        """Normalises by the batch if `training`, a bool or a scalar tensor, else by the moving
        averages."""
        training = self._get_training_value(training)
        original_shape: Any = None
        if self.virtual_batch_size is not None:
            original_shape = [-1, *inputs.shape.as_list()[1:]]
            inputs = array_ops.reshape(inputs, [self.virtual_batch_size, -1, *original_shape[1:]])
        if self.fused:
            return self._fused_batch_norm(inputs, training)
        outputs = self._batch_norm(inputs, training)
        if self.virtual_batch_size is not None:
            outputs = array_ops.reshape(outputs, original_shape)
        return outputs

    def _fused_batch_norm(self, inputs: Any, training: Any) -> Any:
        beta = self.beta if self.center else self._beta_const
        gamma = self.gamma if self.scale else self._gamma_const
        inputs_size = self._inputs_size(inputs)

        def by_batch() -> Any:
            return nn_impl.fused_batch_norm(
                inputs, gamma, beta, epsilon=self.epsilon, data_format=self._data_format
            )

        def by_averages() -> Any:
            return nn_impl.fused_batch_norm(
                inputs, gamma, beta, mean=self.moving_mean, variance=self.moving_variance,
                epsilon=self.epsilon, is_training=False, data_format=self._data_format,
            )  # fmt: skip

        output, mean, variance = smart_cond(training, by_batch, by_averages)
        if not self._bessels_correction_test_only:
            size = math_ops.cast(array_ops.size(inputs) / array_ops.size(variance), variance.dtype)
            variance *= (size - math_ops.cast(1.0, variance.dtype)) / size
        known = constant_value(training)
        if known is None:
            momentum = smart_cond(training, lambda: self.momentum, lambda: 1.0)
        else:
            momentum = ops.convert_to_tensor(self.momentum)
        if known or known is None:
            for moving, value in ((self.moving_mean, mean), (self.moving_variance, variance)):
                self.add_update(
                    functools.partial(
                        self._assign_moving_average, moving, value, momentum, inputs_size
                    )
                )
        return output

    def _batch_norm(self, inputs: Any, training: Any) -> Any:
        rank = inputs.shape.ndims
        reduced = [i for i in range(rank) if i not in self.axis]
        if self.virtual_batch_size is not None:
            del reduced[1]  # Each of the small batches has its own statistics.
        column: list[Any] = [1] * rank
        column[self.axis[0]] = dimension_value(inputs.shape[self.axis[0]])

        def broadcast(v: Any) -> Any:
            needed = v is not None and len(v.shape) != rank and reduced != list(range(rank - 1))
            return array_ops.reshape(v, column) if needed else v

        scale, offset = broadcast(self.gamma), broadcast(self.beta)
        known = constant_value(training)  # a bool, or an array scalar
        if known is not None and not known:
            mean, variance = self.moving_mean, self.moving_variance
        else:
            if self.adjustment:
                own_scale, own_bias = self.adjustment(array_ops.shape(inputs))
                own_scale = smart_cond(
                    training, lambda: own_scale, lambda: array_ops.ones_like(own_scale)
                )
                own_bias = smart_cond(
                    training, lambda: own_bias, lambda: array_ops.zeros_like(own_bias)
                )
                scale, offset = _composed(own_scale, own_bias, scale, offset)
            mean, variance, scale, offset = self._statistics(
                inputs, training, reduced, scale, offset, broadcast
            )
        mean, variance, offset, scale = (
            None if v is None else math_ops.cast(v, inputs.dtype)
            for v in (mean, variance, offset, scale)
        )
        outputs = nn_impl.batch_normalization(
            inputs, broadcast(mean), broadcast(variance), offset, scale, self.epsilon
        )
        outputs.set_shape(inputs.shape)
        return outputs

    def _statistics(
        self, inputs: Any, training: Any, reduced: list[int], scale: Any, offset: TensorLike,
        broadcast: Callable[[Any], Any],
    ) -> tuple[Any, Any, Any, Any]:  # fmt: skip
        """(mean, variance, scale, offset) to normalise with; records the updates of the
        averages."""
        keep = self.virtual_batch_size is not None or len(self.axis) > 1
        mean, variance = self._moments(
            math_ops.cast(inputs, self._param_dtype), reduced, keep_dims=keep
        )
        batch_mean, batch_variance = mean, variance
        mean = smart_cond(
            training, lambda: batch_mean, lambda: ops.convert_to_tensor(self.moving_mean)
        )
        variance = smart_cond(
            training, lambda: batch_variance, lambda: ops.convert_to_tensor(self.moving_variance)
        )
        if self.virtual_batch_size is not None:
            new_mean = math_ops.reduce_mean(mean, axis=1, keepdims=True)
            new_variance = math_ops.reduce_mean(variance, axis=1, keepdims=True)
        else:
            new_mean, new_variance = mean, variance
        inputs_size = self._inputs_size(inputs)
        if self.renorm:
            r, d, new_mean, new_variance = self._renorm_correction_and_moments(
                new_mean, new_variance, training, inputs_size
            )
            r = broadcast(array_ops.stop_gradient(r, name="renorm_r"))
            d = broadcast(array_ops.stop_gradient(d, name="renorm_d"))
            scale, offset = _composed(r, d, scale, offset)

        def average(variable: Any, value: Any) -> Any:
            return self._assign_moving_average(variable, value, self.momentum, inputs_size)

        def update_variance() -> Any:
            if self.renorm:
                return self._assign_renorm_variance(
                    lambda: math_ops.sqrt(new_variance + self.epsilon), self.momentum, inputs_size
                )
            return average(self.moving_variance, new_variance)

        self.add_update(
            lambda: smart_cond(
                training, lambda: average(self.moving_mean, new_mean), lambda: self.moving_mean
            )
        )
        self.add_update(lambda: smart_cond(training, update_variance, lambda: self.moving_variance))
        return mean, variance, scale, offset

    def _moments(self, inputs: Any, reduction_axes: list[int], keep_dims: bool) -> tuple[Any, Any]:
        """The batch's (mean, variance), which subclasses may take from more than this batch."""
        mean, variance = nn_impl.moments(inputs, reduction_axes, keep_dims=keep_dims)
        size = self._inputs_size(inputs)
        if size is not None:
            mean = array_ops.where(size > 0, mean, backend.zeros_like(mean))
            variance = array_ops.where(size > 0, variance, backend.zeros_like(variance))
        return mean, variance

    def _renorm_correction_and_moments(
        self, mean: Any, variance: Any, training: Any, inputs_size: Any
    ) -> tuple[Any, Any, Any, Any]:
        """(r, d) of batch renormalisation, and the mean and variance after its averages'
        updates."""
        stddev = math_ops.sqrt(variance + self.epsilon)
        moving_stddev = math_ops.maximum(self.renorm_stddev, math_ops.sqrt(self.epsilon))
        r = stddev / moving_stddev
        d = (mean - self.renorm_mean) / moving_stddev
        # The averages must not be updated before they are read.
        with ops.control_dependencies([r, d]):
            mean = array_ops.identity(mean)
            stddev = array_ops.identity(stddev)
        bounds = self.renorm_clipping
        if bounds.get("rmin") is not None:
            r = math_ops.maximum(r, bounds["rmin"])
        if bounds.get("rmax") is not None:
            r = math_ops.minimum(r, bounds["rmax"])
        if bounds.get("dmax") is not None:
            d = math_ops.maximum(d, -bounds["dmax"])
            d = math_ops.minimum(d, bounds["dmax"])
        clipped_r, clipped_d = r, d
        r = smart_cond(training, lambda: clipped_r, lambda: array_ops.ones_like(clipped_r))
        d = smart_cond(training, lambda: clipped_d, lambda: array_ops.zeros_like(clipped_d))

        def update(variable: Any, value: Any) -> Any:
            value = array_ops.identity(value)
            return smart_cond(
                training,
                lambda: self._assign_moving_average(
                    variable, value, self.renorm_momentum, inputs_size
                ),
                lambda: array_ops.identity(variable),
            )

        updates = [update(self.renorm_mean, mean), update(self.renorm_stddev, stddev)]
        with ops.control_dependencies(updates):
            return r, d, array_ops.identity(mean), array_ops.identity(variance)

    def compute_output_shape(self, input_shape: Any) -> Any:
        """`input_shape`."""
        return input_shape

    def get_config(self) -> dict[str, Any]:
        """The arguments with which `from_config` makes an equal layer."""
        names = (
            "axis", "momentum", "epsilon", "center", "scale", "beta_initializer",
            "gamma_initializer", "moving_mean_initializer", "moving_variance_initializer",
            "beta_regularizer", "gamma_regularizer", "beta_constraint", "gamma_constraint",
        )  # fmt: skip
        config = super().get_config()
        for name in names:
            value = getattr(self, name)
            if name.endswith(("_initializer", "_regularizer", "_constraint")):
                value = serialize_keras_object(value)
            config[name] = value
        if self.renorm:
            config["renorm"] = True
            config["renorm_clipping"] = self.renorm_clipping
            config["renorm_momentum"] = self.renorm_momentum
        if self.virtual_batch_size is not None:
            config["virtual_batch_size"] = self.virtual_batch_size
        if self.adjustment is not None:
            logging.warning(
                "The `adjustment` function of this `BatchNormalization` layer cannot be serialized "
                "and has been omitted from the layer config. It will not be included when "
                "re-creating the layer from the saved config."
            )
        return config


def _composed(scale: Any, offset: TensorLike, then_scale: Any, then_offset: Any) -> tuple[Any, Any]:
    """One scale and offset for two transformations, one after the other."""
    if then_scale is not None:
        scale = scale * then_scale
        offset = offset * then_scale
    if then_offset is not None:
        offset = offset + then_offset
    return scale, offset
