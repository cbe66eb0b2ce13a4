"""`tf.keras.Sequential` (`tensorflow.python.keras.engine.sequential`)."""

from __future__ import annotations

import copy
import inspect
from typing import Any

from tf1compat.api.keras.engine import base_layer, input_layer, training
from tf1compat.api.keras.engine.base_layer_utils import default
from tf1compat.api.keras.engine.network_maps import input_shape_and_dtype
from tf1compat.api.keras.layers import serialization
from tf1compat.api.keras.utils import layer_utils, tf_utils
from tf1compat.api.platform import tf_logging as logging
from tf1compat.core import nest
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name, TensorLike


@tf_export("keras.models.Sequential", "keras.Sequential")
class Sequential(training.Model):
    """A chain of layers.

    Args:
      layers: the layers.
      name: the model's name.
    """

    def __init__(self, layers: Any = None, name: Name = None):
        super().__init__(name=name)
        for attribute, value in (
            ("supports_masking", True),
            ("_build_input_shape", None),
            ("_compute_output_and_mask_jointly", True),
            ("_layer_call_argspecs", {}),
        ):
            self._set_private(attribute, value)
        if layers:
            if not isinstance(layers, list | tuple):
                layers = [layers]
            tf_utils.assert_no_legacy_layers(layers)
            for layer in layers:
                self.add(layer)

    @property
    def _object_identifier(self) -> str:
        return "_tf_keras_sequential"

    @property
    def layers(self) -> list[Any]:
        """The layers, without an input layer at the start."""
        found = super().layers
        if found and isinstance(found[0], input_layer.InputLayer):
            return found[1:]
        return found

    @property
    def dynamic(self) -> bool:
        """Whether a layer can only run eagerly."""
        return any(layer.dynamic for layer in self.layers)

    def add(self, layer: Any) -> None:
        """Adds a layer at the end.

        Raises:
          TypeError: it is no layer, or has several outputs.
        """
        if hasattr(layer, "_keras_history"):
            origin = layer._keras_history[0]
            if isinstance(origin, input_layer.InputLayer):
                layer = origin
        if not isinstance(layer, base_layer.Layer):
            raise TypeError(f"The added layer must be an instance of class Layer. Found: {layer}")
        tf_utils.assert_no_legacy_layers([layer])
        self._set_private("built", False)
        set_inputs = False
        if not self._layers:
            set_inputs = self._begin_with(layer)
        elif self.outputs:
            output = layer(self.outputs[0])
            if len(nest.flatten(output)) != 1:
                raise TypeError(
                    "All layers in a Sequential model should have a single output tensor. For "
                    "multi-output layers, use the functional API."
                )
            self._set_private("outputs", [output])
        if self.outputs:
            self._set_private("built", True)
        if set_inputs or self._is_graph_network:
            self._init_graph_network(self.inputs, self.outputs, name=self.name)
        else:
            self._layers.append(layer)
        self._track_layers()
        self._layer_call_argspecs[layer] = inspect.getfullargspec(layer.call)

    def _begin_with(self, layer: Any) -> bool:
        """Calls the first layer, if the shape of its input is known; whether it is."""
        if not isinstance(layer, input_layer.InputLayer):
            batch_shape, dtype = input_shape_and_dtype(layer)
            if not batch_shape:
                return False
            layer(
                input_layer.Input(batch_shape=batch_shape, dtype=dtype, name=f"{layer.name}_input")
            )
        outputs = nest.flatten(layer._inbound_nodes[-1].output_tensors)
        if len(outputs) != 1:
            raise ValueError(
                "All layers in a Sequential model should have a single output tensor. For "
                "multi-output layers, use the functional API."
            )
        self._set_private("outputs", outputs)
        self._set_private("inputs", layer_utils.get_source_inputs(outputs[0]))
        return True

    def pop(self) -> None:
        """Removes the last layer.

        Raises:
          TypeError: there is none.
        """
        if not self.layers:
            raise TypeError("There are no layers in the model.")
        layer = self._layers.pop()
        self._layer_call_argspecs.pop(layer)
        if not self.layers:
            for attribute, value in (("outputs", None), ("inputs", None), ("built", False)):
                self._set_private(attribute, value)
        elif self._is_graph_network:
            last = self.layers[-1]
            last._set_private("_outbound_nodes", [])
            self._set_private("outputs", [last.output])
            self._init_graph_network(self.inputs, self.outputs, name=self.name)
            self._set_private("built", True)

    @default
    def build(self, input_shape: Any = None) -> None:
        """Makes the variables, for inputs of a shape."""
        if self._is_graph_network:
            self._init_graph_network(self.inputs, self.outputs, name=self.name)
        else:
            if input_shape is None:
                raise ValueError("You must provide an `input_shape` argument.")
            input_shape = tuple(input_shape)
            self._set_private("_build_input_shape", input_shape)
            super().build(input_shape)
        self._set_private("built", True)

    def call(self, inputs: Any, training: Any = None, mask: TensorLike | None = None) -> Any:
        """Calls layer after layer."""
        if self._is_graph_network:
            if not self.built:
                self._init_graph_network(self.inputs, self.outputs, name=self.name)
            return super().call(inputs, training=training, mask=mask)
        outputs = inputs
        for layer in self.layers:
            names = self._layer_call_argspecs[layer].args
            kwargs = {}
            if "mask" in names:
                kwargs["mask"] = mask
            if "training" in names:
                kwargs["training"] = training
            outputs = layer(inputs, **kwargs)
            inputs, mask = outputs, outputs._keras_mask
        return outputs

    def compute_output_shape(self, input_shape: Any) -> Any:
        """The static shape of the output."""
        for layer in self.layers:
            input_shape = layer.compute_output_shape(input_shape)
        return input_shape

    def compute_mask(self, inputs: Any, mask: TensorLike | None = None) -> Any:
        """The mask of the output."""
        return self.call(inputs, mask=mask)._keras_mask

    def predict_proba(self, x: Any, batch_size: int = 32, verbose: int = 0) -> Any:
        """The outputs, with a warning if they are no probabilities."""
        preds = self.predict(x, batch_size, verbose)
        if preds.min() < 0.0 or preds.max() > 1.0:
            logging.warning(
                "Network returning invalid probability values. The last layer might not normalize "
                "predictions into probabilities (like softmax or sigmoid would)."
            )
        return preds

    def predict_classes(self, x: Any, batch_size: int = 32, verbose: int = 0) -> Any:
        """The class of each sample."""
        proba = self.predict(x, batch_size=batch_size, verbose=verbose)
        if proba.shape[-1] > 1:
            return proba.argmax(axis=-1)
        return (proba > 0.5).astype("int32")

    def get_config(self) -> dict[str, Any]:
        """The configs of the layers."""
        layers = [
            {"class_name": type(layer).__name__, "config": layer.get_config()}
            for layer in self.layers
        ]
        first = self._layers[0] if self._layers else None
        if (
            self._is_graph_network
            and layers
            and "batch_input_shape" not in layers[0]["config"]
            and isinstance(first, input_layer.InputLayer)
        ):
            layers[0]["config"]["batch_input_shape"] = first._batch_input_shape
        config = {"name": self.name, "layers": copy.deepcopy(layers)}
        if self._build_input_shape:
            config["build_input_shape"] = self._build_input_shape
        return config

    @classmethod
    def from_config(
        cls, config: dict[str, Any], custom_objects: dict[str, Any] | None = None
    ) -> Any:
        """A model from what `get_config` gave."""
        name = shape = None
        layers = config
        if "name" in config:
            name, layers = config["name"], config["layers"]
            shape = config.get("build_input_shape")
        model = cls(name=name)
        for layer in layers:
            model.add(serialization.deserialize(layer, custom_objects=custom_objects))
        if not model.inputs and shape:
            model.build(shape)
        return model

    @property
    def input_spec(self) -> Any:
        """What the first layer demands of its input."""
        if self.layers and hasattr(self.layers[0], "input_spec"):
            return self.layers[0].input_spec
        return None
