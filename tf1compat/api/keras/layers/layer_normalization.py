"""`tf.keras.layers.LayerNormalization` (of
`tensorflow.python.keras.layers.normalization`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.keras import lookup
from tf1compat.api.keras.layers.reshaping import SameShape
from tf1compat.api.keras.utils.generic_utils import settings
from tf1compat.api.nn import nn_impl
from tf1compat.core.export import tf_export
from tf1compat.core.tensor_shape import dimension_value
from tf1compat.core.typing import Name


@tf_export("keras.layers.LayerNormalization")
class LayerNormalization(SameShape):
    """Normalises each sample by its own mean and variance; then scales and shifts.

    Args:
      axis: the axis, or axes, that are normalised.
      epsilon: added to variances.
      center, scale: whether to shift by `beta`, to scale by `gamma`.
      beta_initializer, …: settings of the variables.
      trainable, name, **kwargs: see `Layer`.
    """

    def __init__(
        self, axis: Any = -1, epsilon: float = 0.001, center: bool = True, scale: bool = True,
        beta_initializer: Any = "zeros", gamma_initializer: Any = "ones",
        beta_regularizer: Any = None, gamma_regularizer: Any = None, beta_constraint: Any = None,
        gamma_constraint: Any = None, trainable: bool = True, name: Name = None, **kwargs: Any,
    ):  # fmt: skip
        super().__init__(name=name, trainable=trainable, **kwargs)
        if not isinstance(axis, list | tuple | int):
            raise ValueError(
                "Expected an int or a list/tuple of ints for the argument 'axis', but received "
                f"instead: {axis}"
            )
        self.axis: Any = axis if isinstance(axis, int) else axis[:]
        self.epsilon = epsilon
        self.center = center
        self.scale = scale
        self.beta_initializer = lookup.initializer(beta_initializer)
        self.gamma_initializer = lookup.initializer(gamma_initializer)
        self.beta_regularizer = lookup.regularizer(beta_regularizer)
        self.gamma_regularizer = lookup.regularizer(gamma_regularizer)
        self.beta_constraint = lookup.constraint(beta_constraint)
        self.gamma_constraint = lookup.constraint(gamma_constraint)
        self.supports_masking = True

    def build(self, input_shape: Any) -> None:
        """Makes gamma and beta."""
        rank = len(input_shape)
        axes = [self.axis] if isinstance(self.axis, int) else self.axis
        positive = [rank + x if x < 0 else x for x in axes]
        if isinstance(self.axis, list):
            self.axis[:] = positive  # A config that was taken before shows it, too.
        else:
            self.axis = positive
        for x in self.axis:
            if x < 0 or x >= rank:
                raise ValueError(f"Invalid axis: {x}")
        if len(self.axis) != len(set(self.axis)):
            raise ValueError(f"Duplicate axis: {tuple(self.axis)}")
        shape = [input_shape[dim] for dim in self.axis]
        self.gamma = self._parameter("gamma", shape) if self.scale else None
        self.beta = self._parameter("beta", shape) if self.center else None
        self.built = True

    def _parameter(self, name: str, shape: Any) -> Any:
        return self.add_weight(
            name=name, shape=shape, initializer=getattr(self, f"{name}_initializer"),
            regularizer=getattr(self, f"{name}_regularizer"),
            constraint=getattr(self, f"{name}_constraint"), trainable=True,
            experimental_autocast=False,
        )  # fmt: skip

    def call(self, inputs: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The normalised inputs."""
        rank = len(inputs.shape)
        mean, variance = nn_impl.moments(inputs, self.axis, keep_dims=True)
        shape: list[Any] = [1] * rank
        for dim in self.axis:
            shape[dim] = dimension_value(inputs.shape[dim])

        def broadcast(v: Any) -> Any:
            if v is not None and len(v.shape) != rank and self.axis != [rank - 1]:
                return array_ops.reshape(v, shape)
            return v

        scale, offset = broadcast(self.gamma), broadcast(self.beta)
        outputs = nn_impl.batch_normalization(
            inputs, mean, variance, offset=offset, scale=scale, variance_epsilon=self.epsilon
        )
        outputs.set_shape(inputs.shape)
        return outputs

    get_config = settings(
        "axis", "epsilon", "center", "scale", "beta_initializer", "gamma_initializer",
        "beta_regularizer", "gamma_regularizer", "beta_constraint", "gamma_constraint",
    )  # fmt: skip
