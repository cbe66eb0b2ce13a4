"""`tf.contrib.eager.Network`: what models were before `tf.keras.Model`
(`tensorflow.contrib.eager.python.network`)."""

from __future__ import annotations

import collections
import functools
import os
from collections.abc import Callable
from typing import Any

from tf1compat.api.contrib.eager import saver as saver_lib
from tf1compat.api.keras import backend
from tf1compat.api.keras.engine import base_layer as keras_layer
from tf1compat.api.layers import base as base_layer
from tf1compat.api.training import checkpoint_utils, training_util
from tf1compat.api.variables import variable_scope as vs
from tf1compat.core import ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name, TensorLike


def _exists(name: str) -> ValueError:
    return ValueError(
        f"A Network named '{name}' already exists (or a variable_scope was created with this "
        "name). Names must be unique."
    )


def _refused(what: str) -> RuntimeError:
    return RuntimeError(
        f"{what} supported in Network class yet. Please file an issue at "
        "https://github.com/tensorflow/tensorflow/issues/new if this is important to you"
    )


@tf_export("contrib.eager.Network")
class Network(base_layer.Layer):
    """A layer made of layers, which `track_layer` makes its own.

    Its variables, and those of its layers, have its name before theirs. A network without a name
    gets one when it becomes a part of another, or else when it is first called; its layers are
    numbered within it.

    Args:
      name: the network's name.

    Raises:
      ValueError: the name is a variable scope or has a slash; when it is first called: there is a
        network of its name already.
    """

    def __init__(self, name: Name = None):
        if isinstance(name, vs.VariableScope):
            raise ValueError("VariableScopes are not valid Network names.")
        if name is not None and "/" in name:
            raise ValueError("Forward slashes ('/') are not allowed in Network names.")
        super().__init__(name=name)
        self._tracked: list[Any] = []
        self._counts: dict[Any, int] = collections.defaultdict(int)
        # The first network that it became a part of; False if it was called before.
        self._network: Any = None
        self._outer = vs.get_variable_scope()

    def _init_set_name(self, name: Name, zero_based: bool = False) -> None:
        self._name: Any = name
        self._base_name: Any = None

    @property
    def name(self) -> str:
        """The network's name.

        Raises:
          ValueError: it has none yet.
        """
        if self._name is None:
            raise ValueError(
                "The network does not yet have a final name, but a name was requested for it. "
                "Networks get a name when they are added to another Network via track_layer, or "
                "when they are first called/built."
            )
        return self._name

    def _settle_name(self, network: Any) -> None:
        """Gives a network without a name one that the network around it (or, if that is False,
        the graph) has not."""
        if not self._name:
            self._base_name = keras_layer.to_snake_case(type(self).__name__)
            if network:
                self._name = network._free_name(self._base_name)
            else:
                self._name = backend.unique_object_name(
                    self._base_name, namespace=self._outer.name, zero_based=True
                )
        if self._network is None:
            self._network = network

    def _free_name(self, base_name: str) -> str:
        taken = [layer.name for layer in self._tracked]
        return backend.unique_object_name(base_name, self._counts, taken, zero_based=True)

    def _set_scope(self, scope: Any = None) -> None:
        """Opens the variable scopes of the network and of its layers, once."""
        if self._scope is not None:
            return
        if scope is not None:
            raise ValueError("Networks may not be created with explicit scopes.")
        if not self._network:
            self._settle_name(False)
            outer = self._outer
        else:
            self._network._set_scope()
            outer = self._network._scope
        with (
            vs.variable_scope(outer),
            vs.variable_scope(None, use_resource=True, default_name=self._name) as opened,
        ):
            if opened.name.rpartition("/")[2] != self._name:
                raise _exists(self._name)
            self._scope = opened
        if not self._network:
            self._name = self._scope.name
        for layer in self._tracked:
            if not isinstance(layer, Network):
                self._open_scope_of(layer)

    def _open_scope_of(self, layer: Any) -> None:
        """Gives a layer that is no network its variable scope in that of its first network."""
        if layer._scope is not None:
            return
        layer._network._set_scope()
        if layer._scope is None:
            with (
                vs.variable_scope(layer._network._scope),
                vs.variable_scope(None, use_resource=True, default_name=layer.name) as opened,
            ):
                layer._scope = opened
            # Operations are named as variables are.
            layer._name_scope = lambda: f"{layer._current_scope.name}/"

    def _name_scope(self) -> str:
        return f"{self._current_scope.name}/"

    def track_layer(self, layer: Any) -> Any:
        """Makes a layer a part of the network; returns it.

        Raises:
          RuntimeError: a subclass has not called `Network.__init__` yet.
          TypeError: it is no layer.
          ValueError: one of its name is a part already.
        """
        if not hasattr(self, "_tracked"):
            raise RuntimeError("Need to call Network.__init__ before adding layers")
        if not isinstance(layer, base_layer.Layer):
            raise TypeError(
                f"Network.track_layer() passed type {type(layer)}, not a tf.layers.Layer"
            )
        if any(layer is known for known in self._tracked):
            return layer
        layer._use_resource_variables = True
        if isinstance(layer, Network):
            layer._settle_name(self)
        elif not layer.built and getattr(layer, "_network", None) is None:
            if layer._name != layer._base_name:  # not a name that was given
                layer._name = self._free_name(layer._base_name)
            layer._network = self
        if not layer.built and layer._network is self:
            if any(layer.name == known.name for known in self._tracked):
                raise ValueError(
                    f"Attempt to add two Layers with the name '{layer.name}' to the same Network."
                )
        self._tracked.append(layer)
        self._layers.append(layer)
        self._track_trackable(layer, name=layer.name, overwrite=True)
        if self._scope is not None and not isinstance(layer, Network) and not layer.built:
            self._open_scope_of(layer)
        return layer

    @property
    def layers(self) -> list[Any]:
        """The layers."""
        return list(self._tracked)

    def add_variable(self, *args: Any, **kwargs: Any) -> Any:
        """Is refused: variables belong to layers."""
        raise _refused("add_variable not")

    def add_loss(self, losses: Any, inputs: Any = None) -> Any:
        """Is refused: losses belong to layers."""
        raise _refused("add_loss is not")

    def get_layer(self, name: Name = None, index: Any = None) -> Any:
        """The layer of a name or index.

        Raises:
          ValueError: there is none, or neither is given, or both.
        """
        if index is not None:
            if name is not None:
                raise ValueError("Exactly one of 'index' or 'name' must be provided")
            if len(self._tracked) <= index:
                raise ValueError(
                    f"Was asked to retrieve layer at index {index} but model only has "
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
        self._steps: list[Any] = []
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


def _own_name(network: Network) -> Callable[[str], str]:
    """A variable's name -> the same without the network's own."""
    return lambda name: name.removeprefix(f"{network.scope_name}/")


def _names(network: Network, map_func: Any, conflict: str) -> dict[str, Any]:
    """The variables by their names in a checkpoint.

    Raises:
      ValueError: two of them have one name.
    """
    found: dict[str, Any] = {}
    for v in network.variables:
        name = map_func(v.name.partition(":")[0])
        if found.setdefault(name, v) is not v:
            pair = [one.name.partition(":")[0] for one in (found[name], v)]
            raise ValueError(conflict.format(network.name, name, *pair, network.scope_name))
    return found


_SAVED_TWICE = (
    "The map_func passed to save_network_checkpoint for the Network '{}' resulted in two variables "
    "named '{}' ('{}' and '{}'). Try stripping less from the variable names, or renaming parts of "
    "the Network. For reference, variables created by sub-Layers of this Network are prefixed with "
    "'{}', but if they are re-used after being added to another Network, they will have that "
    "Network's full variable prefix instead."
)
_RESTORED_TWICE = _SAVED_TWICE.replace("save_", "restore_")


def _refuse_graphs(name: str) -> None:
    if not ops.executing_eagerly():
        raise RuntimeError(f"{name} is not supported by tf1compat in graphs: use tf.train.Saver")


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
      global_step: a number to add to the name; that of training, if there is one, by default.
      map_func: a variable's name -> its name in the checkpoint; without the network's own name by
        default.

    Returns:
      The path of the checkpoint.

    Raises:
      ValueError: the network has no variables yet, or two would have one name.
    """
    if not network.built:
        raise ValueError(
            "Attempt to save the Network before it was first called. This means variables have not "
            "yet been created, so there is nothing to save."
        )
    network._set_scope()
    if global_step is None:
        global_step = training_util.get_global_step()
    if os.path.isdir(save_path):
        save_path = os.path.join(save_path, network.name.replace("/", "_"))
    _refuse_graphs("save_network_checkpoint")
    names = _names(network, map_func or _own_name(network), _SAVED_TWICE)
    return saver_lib.Saver(names).save(save_path, global_step)


@tf_export("contrib.eager.restore_network_checkpoint")
def restore_network_checkpoint(
    network: Any, save_path: str, map_func: Callable[..., Any] | None = None
) -> None:
    """Restores a network's variables: those that it has at once, others when they are made.

    Args:
      network, save_path, map_func: as in `save_network_checkpoint`.

    Raises:
      ValueError: two variables would have one name.
    """
    _refuse_graphs("restore_network_checkpoint")
    network._settle_name(False)
    network._set_scope()
    if os.path.isdir(save_path):
        save_path = os.path.join(save_path, network.name.replace("/", "_"))
    to_name = map_func or _own_name(network)
    there = _names(network, to_name, _RESTORED_TWICE)
    if there:
        saver_lib.Saver(there).restore(save_path)
    reader = checkpoint_utils.load_checkpoint(save_path)
    later = {
        name: reader.get_tensor(name)
        for name in reader.get_variable_to_shape_map()
        if name not in there
    }

    def restored(getter: Any, name: str, *args: Any, **kwargs: Any) -> Any:
        variable = getter(name, *args, **kwargs)
        if to_name(name) in later:
            variable.assign(later.pop(to_name(name)))
        return variable

    if later:
        _restore_when_made(network, restored)


def _restore_when_made(layer: Any, restored: Callable[..., Any]) -> None:
    """Has a getter see the variables that a layer and all layers in it will make."""
    before = layer._scope.custom_getter

    def both(getter: Any, *args: Any, **kwargs: Any) -> Any:  # what is restored last counts
        return restored(functools.partial(before, getter), *args, **kwargs)

    layer._scope.set_custom_getter(restored if before is None else both)
    for inner in layer.layers if isinstance(layer, Network) else ():
        if isinstance(inner, Network):
            inner._set_scope()
        else:
            layer._open_scope_of(inner)
        _restore_when_made(inner, restored)
