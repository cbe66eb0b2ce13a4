"""A linear model and a net, trained together (`tensorflow.python.keras.premade.wide_deep`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.keras import activations
from tf1compat.api.keras.engine import base_layer, training
from tf1compat.api.keras.layers import serialization
from tf1compat.api.keras.utils import generic_utils
from tf1compat.core.export import tf_export


@tf_export("keras.experimental.WideDeepModel")
class WideDeepModel(training.Model):
    """The mean of a linear model and a net; each may have an optimizer of its own.

    Args:
      linear_model, dnn_model: the models; their input is the same, or a pair.
      activation: of the mean.
      **kwargs: see `tf.keras.Model`.
    """

    def __init__(
        self,
        linear_model: Any,
        dnn_model: Any,
        activation: Callable[..., Any] | str | None = None,
        **kwargs: Any,
    ):
        super().__init__(**kwargs)
        self.linear_model = linear_model
        self.dnn_model = dnn_model
        self.activation = activations.get(activation)

    def call(self, inputs: Any) -> Any:
        """The mean of the two."""
        of_linear = of_dnn = inputs
        if isinstance(inputs, tuple | list) and len(inputs) == 2:
            of_linear, of_dnn = inputs
        linear = self.linear_model(of_linear)
        mean = 0.5 * (linear + self.dnn_model(of_dnn))
        return self.activation(mean) if self.activation else mean

    def _get_optimizers(self) -> tuple[Any, Any]:
        """Those of the linear model and of the net."""
        if isinstance(self.optimizer, tuple | list):
            return self.optimizer[0], self.optimizer[1]
        return self.optimizer, self.optimizer

    def _parts(self) -> list[tuple[Any, Any]]:
        """(optimizer, the weights that it trains) of each model."""
        models = (self.linear_model, self.dnn_model)
        return [
            (optimizer, model._unique_trainable_weights)
            for optimizer, model in zip(self._get_optimizers(), models, strict=True)
        ]

    def _backwards(self, tape: Any, loss: Any) -> None:
        """A step of training in eager execution."""
        parts = self._parts()
        grads = tape.gradient(loss, [weights for _, weights in parts])
        for (optimizer, weights), of_weights in zip(parts, grads, strict=True):
            optimizer.apply_gradients(zip(of_weights, weights, strict=True))

    def _optimizer_updates(self) -> list[Any]:
        return [
            update
            for optimizer, weights in self._parts()
            for update in optimizer.get_updates(params=weights, loss=self.total_loss)
        ]

    def get_config(self) -> dict[str, Any]:
        """What makes a model like this one."""
        own = {
            "linear_model": generic_utils.serialize_keras_object(self.linear_model),
            "dnn_model": generic_utils.serialize_keras_object(self.dnn_model),
            "activation": activations.serialize(self.activation),
        }
        return {**base_layer.Layer.get_config(self), **own}

    @classmethod
    def from_config(
        cls, config: dict[str, Any], custom_objects: dict[str, Any] | None = None
    ) -> WideDeepModel:
        """A model from what `get_config` gave."""
        models = {
            name: serialization.deserialize(config.pop(name), custom_objects)
            for name in ("linear_model", "dnn_model")
        }
        activation = activations.deserialize(config.pop("activation", None), custom_objects)
        return cls(**models, activation=activation, **config)
