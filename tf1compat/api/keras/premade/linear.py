"""A linear model (`tensorflow.python.keras.premade.linear`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.keras import activations, initializers, regularizers
from tf1compat.api.keras.engine import base_layer, training
from tf1compat.api.keras.layers import core
from tf1compat.api.nn import nn_ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Initializer, Regularizer


@tf_export("keras.experimental.LinearModel")
class LinearModel(training.Model):
    """A weighted sum of features, of one input or of a list of them.

    Args:
      units: how many outputs.
      activation: of the outputs.
      use_bias: whether to add a bias.
      kernel_initializer, bias_initializer, kernel_regularizer, bias_regularizer: of the weights and
        the bias.
      **kwargs: see `tf.keras.Model`.
    """

    def __init__(
        self, units: int = 1, activation: Callable[..., Any] | str | None = None,
        use_bias: bool = True,
        kernel_initializer: Initializer = "glorot_uniform", bias_initializer: Initializer = "zeros",
        kernel_regularizer: Regularizer | None = None, bias_regularizer: Regularizer | None = None,
        **kwargs: Any,
    ):  # fmt: skip
        self.units = units
        self.activation = activations.get(activation)
        self.use_bias = use_bias
        self.kernel_initializer = initializers.get(kernel_initializer)
        self.bias_initializer = initializers.get(bias_initializer)
        self.kernel_regularizer = regularizers.get(kernel_regularizer)
        self.bias_regularizer = regularizers.get(bias_regularizer)
        super().__init__(**kwargs)

    def build(self, input_shape: Any) -> None:
        """Makes a layer for each input."""
        shapes = input_shape if isinstance(input_shape, list) else [input_shape]
        self.dense_layers = []
        for shape in shapes:
            layer = core.Dense(
                self.units, use_bias=False, kernel_initializer=self.kernel_initializer,
                kernel_regularizer=self.kernel_regularizer, input_shape=shape,
            )  # fmt: skip
            self.dense_layers.append(layer)
        self.bias = None
        if self.use_bias:
            self.bias = self.add_weight(
                "bias", shape=self.units, initializer=self.bias_initializer,
                regularizer=self.bias_regularizer, dtype=self.dtype, trainable=True,
            )  # fmt: skip

    def call(self, inputs: Any) -> Any:
        """The sum, [batch, units].

        Raises:
          ValueError: there are more or fewer inputs than the model was built for.
        """
        inputs = inputs if isinstance(inputs, tuple | list) else [inputs]
        if len(inputs) != len(self.dense_layers):
            raise ValueError(
                f"Expected {len(self.dense_layers)} inputs, but got {len(inputs)} inputs"
            )
        first, *others = [layer(x) for layer, x in zip(self.dense_layers, inputs, strict=True)]
        for other in others:
            first += other
        if self.use_bias:
            first = nn_ops.bias_add(first, self.bias)
        return first if self.activation is None else self.activation(first)

    def get_config(self) -> dict[str, Any]:
        """What makes a model like this one."""
        own = {
            "units": self.units,
            "activation": activations.serialize(self.activation),
            "use_bias": self.use_bias,
        }
        for part, module in (("initializer", initializers), ("regularizer", regularizers)):
            for of in ("kernel", "bias"):
                own[f"{of}_{part}"] = module.serialize(getattr(self, f"{of}_{part}"))
        return {**base_layer.Layer.get_config(self), **own}

    @classmethod
    def from_config(
        cls, config: dict[str, Any], custom_objects: dict[str, Any] | None = None
    ) -> LinearModel:
        """A model from what `get_config` gave."""
        return cls(**config)
