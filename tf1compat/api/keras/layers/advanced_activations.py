"""Activations with settings or weights
(`tensorflow.python.keras.layers.advanced_activations`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.keras import backend, lookup
from tf1compat.api.keras.engine.input_spec import InputSpec
from tf1compat.api.keras.layers.reshaping import SameTensorShape
from tf1compat.api.keras.utils import tf_utils
from tf1compat.api.keras.utils.generic_utils import settings
from tf1compat.api.math import math_ops
from tf1compat.core.export import tf_export


class _Activation(SameTensorShape):
    def __init__(self, **kwargs: Any):
        super().__init__(**kwargs)
        self.supports_masking = True


@tf_export("keras.layers.LeakyReLU")
class LeakyReLU(_Activation):
    """`x`, times `alpha` below 0.

    Args:
      alpha: the slope below 0.
      **kwargs: arguments of `Layer`.
    """

    def __init__(self, alpha: Any = 0.3, **kwargs: Any):
        super().__init__(**kwargs)
        self.alpha = backend.cast_to_floatx(alpha)

    def call(self, inputs: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The activation."""
        return backend.relu(inputs, alpha=self.alpha)

    get_config = settings("alpha", alpha=lambda self: float(self.alpha))


@tf_export("keras.layers.PReLU")
class PReLU(_Activation):
    """`x`, times learned numbers below 0.

    Args:
      alpha_initializer, alpha_regularizer, alpha_constraint: settings of these.
      shared_axes: the axes along which they are the same.
      **kwargs: see `Layer`.
    """

    def __init__(
        self, alpha_initializer: Any = "zeros", alpha_regularizer: Any = None,
        alpha_constraint: Any = None, shared_axes: Any = None, **kwargs: Any,
    ):  # fmt: skip
        super().__init__(**kwargs)
        self.alpha_initializer = lookup.initializer(alpha_initializer)
        self.alpha_regularizer = lookup.regularizer(alpha_regularizer)
        self.alpha_constraint = lookup.constraint(alpha_constraint)
        if shared_axes is not None and not isinstance(shared_axes, list | tuple):
            shared_axes = [shared_axes]
        self.shared_axes = None if shared_axes is None else list(shared_axes)

    @tf_utils.shape_type_conversion
    def build(self, input_shape: Any) -> None:
        """Makes the numbers."""
        shape = list(input_shape[1:])
        for i in self.shared_axes or ():
            shape[i - 1] = 1
        self.alpha = self.add_weight(
            shape=shape, name="alpha", initializer=self.alpha_initializer,
            regularizer=self.alpha_regularizer, constraint=self.alpha_constraint,
        )  # fmt: skip
        axes = {}
        if self.shared_axes:
            axes = {
                i: input_shape[i] for i in range(1, len(input_shape)) if i not in self.shared_axes
            }
        self.input_spec = InputSpec(ndim=len(input_shape), axes=axes)
        self.built = True

    def call(self, inputs: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The activation."""
        positive = backend.relu(inputs)
        factor = -self.alpha
        return positive + factor * backend.relu(-inputs)

    get_config = settings(
        "alpha_initializer", "alpha_regularizer", "alpha_constraint", "shared_axes"
    )


@tf_export("keras.layers.ELU")
class ELU(_Activation):
    """The exponential linear unit.

    Args:
      alpha: the scale of the negative part.
      **kwargs: arguments of `Layer`.
    """

    def __init__(self, alpha: Any = 1.0, **kwargs: Any):
        super().__init__(**kwargs)
        self.alpha = backend.cast_to_floatx(alpha)

    def call(self, inputs: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The activation."""
        return backend.elu(inputs, self.alpha)

    get_config = settings("alpha", alpha=lambda self: float(self.alpha))


@tf_export("keras.layers.ThresholdedReLU")
class ThresholdedReLU(_Activation):
    """`x` above `theta`, else 0.

    Args:
      theta: the threshold.
      **kwargs: arguments of `Layer`.
    """

    def __init__(self, theta: Any = 1.0, **kwargs: Any):
        super().__init__(**kwargs)
        self.theta = backend.cast_to_floatx(theta)

    def call(self, inputs: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The activation."""
        above = math_ops.greater(inputs, self.theta)
        return inputs * math_ops.cast(above, backend.floatx())

    get_config = settings("theta", theta=lambda self: float(self.theta))


@tf_export("keras.layers.Softmax")
class Softmax(_Activation):
    """exp(x), normalised along `axis`.

    Args:
      axis: the axis that sums to 1.
      **kwargs: arguments of `Layer`.
    """

    def __init__(self, axis: int = -1, **kwargs: Any):
        super().__init__(**kwargs)
        self.axis = axis

    def call(self, inputs: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The activation."""
        return backend.softmax(inputs, axis=self.axis)

    get_config = settings("axis")


@tf_export("keras.layers.ReLU")
class ReLU(_Activation):
    """max(x, 0), with a ceiling, a slope below and a threshold.

    Args:
      max_value: the ceiling, or None.
      negative_slope: the slope below.
      threshold: where it begins.
      **kwargs: see `Layer`.
    """

    def __init__(
        self, max_value: Any = None, negative_slope: Any = 0, threshold: Any = 0, **kwargs: Any
    ):
        super().__init__(**kwargs)
        self.supports_masking = False  # TF's constructor sets an attribute of another name.
        if max_value is not None and max_value < 0.0:
            raise ValueError(f"max_value of Relu layer cannot be negative value: {max_value}")
        if negative_slope < 0.0:
            raise ValueError(
                f"negative_slope of Relu layer cannot be negative value: {negative_slope}"
            )
        self.max_value = None if max_value is None else backend.cast_to_floatx(max_value)
        self.negative_slope = backend.cast_to_floatx(negative_slope)
        self.threshold = backend.cast_to_floatx(threshold)

    def call(self, inputs: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The activation."""
        return backend.relu(
            inputs, alpha=self.negative_slope, max_value=self.max_value, threshold=self.threshold
        )

    get_config = settings("max_value", "negative_slope", "threshold")
