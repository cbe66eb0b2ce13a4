"""`tf.contrib.eager.Network`: what models were before `tf.keras.Model`
(`tensorflow.contrib.eager.python.network`)."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from tf1compat.api.contrib.eager import saver as saver_lib
from tf1compat.api.keras.engine import base_layer
from tf1compat.api.training import checkpoint_utils
from tf1compat.core import ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name, TensorLike


@tf_export("contrib.eager.Network")
class Network(base_layer.Layer):
    """A layer made of layers, which `track_layer` or an attribute makes its own.

    Args:
      name: the network's name.
    """

    def __init__(self, name: Name = None):
        super().__init__(name=name)
        self._set_private("_tracked", [])

    def track_layer(self, layer: Any) -> Any:
        """Makes a layer a part of the network; returns it.

        Raises:
          TypeError: it is no layer.
          ValueError: it, or one of its name, is a part already.
        """
        if not isinstance(layer, base_layer.Layer):
            raise TypeError(
                f"Network.track_layer() passed type {type(layer)}, not a tf.layers.Layer"
            )
        if any(layer is known for known in self._tracked):
            return layer
        if any(layer.name == known.name for known in self._tracked):
            raise ValueError(
                f"Attempt to add two Layers with the name '{layer.name}' to the same Network"
            )
        self._tracked.append(layer)
        self._layers.append(layer)
        self._track_trackable(layer, name=layer.name, overwrite=True)
        return layer

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, value)
        if isinstance(value, base_layer.Layer) and "_tracked" in self.__dict__:
            if not any(value is known for known in self._tracked):
                self._tracked.append(value)

    @property
    def layers(self) -> list[Any]:
        """The layers."""
        return list(self._tracked)

    def get_layer(self, name: Name = None, index: Any = None) -> Any:
        """The layer of a name or index.

        Raises:
          ValueError: there is none, or neither is given, or both.
        """
        if index is not None:
            if name is not None:
                raise ValueError("Exactly one of `index` or `name` must be provided")
            if len(self._tracked) <= index:
                raise ValueError(
                    f"Was asked to retrieve layer at index {index} but Network only has "
                    f"{len(self._tracked)} layers."
                )
            return self._tracked[index]
        if not name:
            raise ValueError("Provide either a layer name or layer index.")
        for layer in self._tracked:
            if layer.name == name:
                return layer
        raise ValueError("No such layer: " + name)


@tf_export("contrib.eager.Sequential")
class Sequential(Network):
    """Layers, or functions, one after the other.

    Args:
      layers_funcs: layers and functions of a tensor.
      name: the network's name.
    """

    def __init__(self, layers_funcs: Any = None, name: Name = None):
        super().__init__(name=name)
        self._set_private("_steps", [])
        for step in layers_funcs or ():
            self.add(step)

    def add(self, layer_func: Any) -> None:
        """Adds a step at the end."""
        if isinstance(layer_func, base_layer.Layer):
            self.track_layer(layer_func)
        self._steps.append(layer_func)

    def call(self, inputs: Any, **kwargs: Any) -> Any:
        """What the last step gives."""
        for step in self._steps:
            if isinstance(step, base_layer.Layer) and step._expects_training_arg:
                inputs = step(inputs, **kwargs)
            else:
                inputs = step(inputs)
        return inputs


def _names(network: Network, map_func: Any) -> dict[str, Any]:
    """The variables by their names in a checkpoint: without the network's own name."""
    found = {}
    for v in network.variables:
        name = v.name.partition(":")[0]
        prefix = f"{network.name}/"
        own = name[len(prefix) :] if name.startswith(prefix) else name
        found[map_func(own) if map_func else own] = v
    return found


@tf_export("contrib.eager.save_network_checkpoint")
def save_network_checkpoint(
    network: Any,
    save_path: str,
    global_step: TensorLike | None = None,
    map_func: Callable[..., Any] | None = None,
) -> Any:
    """Saves a network's variables.

    Args:
      network: the network.
      save_path: a prefix, or a folder.
      global_step: a number to add to the name.
      map_func: a variable's name -> its name in the checkpoint.

    Returns:
      The path of the checkpoint.

    Raises:
      ValueError: the network has no variables yet.
    """
    if not network.built:
        raise ValueError(
            "Attempt to save the Network before it was first called. This means variables have not "
            "yet been created, so there is nothing to save."
        )
    if os.path.isdir(save_path):
        save_path = os.path.join(save_path, network.name.replace("/", "_"))
    if not ops.executing_eagerly():
        raise RuntimeError(
            "save_network_checkpoint is not supported by tf1compat in graphs: use tf.train.Saver"
        )
    return saver_lib.Saver(_names(network, map_func)).save(save_path, global_step)


@tf_export("contrib.eager.restore_network_checkpoint")
def restore_network_checkpoint(
    network: Any, save_path: str, map_func: Callable[..., Any] | None = None
) -> None:
    """Restores a network's variables, which it has to have.

    Args:
      network, save_path, map_func: as in `save_network_checkpoint`.

    Raises:
      NotImplementedError: the network has no variables yet.
    """
    if not network.built:
        raise NotImplementedError(
            "restore_network_checkpoint of a network that was not called yet is not supported by "
            "tf1compat yet: call it first"
        )
    if os.path.isdir(save_path):
        save_path = os.path.join(save_path, network.name.replace("/", "_"))
    reader = checkpoint_utils.load_checkpoint(save_path)
    for name, variable in _names(network, map_func).items():
        variable.assign(reader.get_tensor(name))
