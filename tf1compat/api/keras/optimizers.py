"""`tf.keras.optimizers` by name, and optimizers of `tf.train` for models
(`tensorflow.python.keras.optimizers`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.distribute import distribution_strategy_context as strategies
from tf1compat.api.keras import backend, optimizer_v1
from tf1compat.api.keras.optimizer_v2.adadelta import Adadelta
from tf1compat.api.keras.optimizer_v2.adagrad import Adagrad
from tf1compat.api.keras.optimizer_v2.adam import Adam
from tf1compat.api.keras.optimizer_v2.adamax import Adamax
from tf1compat.api.keras.optimizer_v2.ftrl import Ftrl
from tf1compat.api.keras.optimizer_v2.gradient_descent import SGD
from tf1compat.api.keras.optimizer_v2.nadam import Nadam
from tf1compat.api.keras.optimizer_v2.optimizer_v2 import OptimizerV2
from tf1compat.api.keras.optimizer_v2.rmsprop import RMSprop
from tf1compat.api.keras.utils.generic_utils import (
    deserialize_keras_object,
    serialize_keras_object,
)
from tf1compat.api.training import optimizer as tf_optimizer_module
from tf1compat.api.training import training_util
from tf1compat.api.training.tracking import base as trackable
from tf1compat.api.variables import state_ops
from tf1compat.core.export import tf_export

_CLASSES = {
    "adadelta": Adadelta,
    "adagrad": Adagrad,
    "adam": Adam,
    "adamax": Adamax,
    "nadam": Nadam,
    "rmsprop": RMSprop,
    "sgd": SGD,
    "ftrl": Ftrl,
}


class TFOptimizer(optimizer_v1.Optimizer, trackable.Trackable):
    """An optimizer of `tf.train` as models use them.

    Args:
      optimizer: the optimizer.
      iterations: the variable that counts steps; one of its own by default.
    """

    def __init__(self, optimizer: Any, iterations: Any = None):
        self.optimizer = optimizer
        self._track_trackable(optimizer, name="optimizer")
        self.updates: list[Any] = []
        if iterations is None:
            with backend.name_scope(type(self).__name__):
                iterations = backend.variable(0, dtype="int64", name="iterations")
        self.iterations = iterations
        self._track_trackable(iterations, name="global_step")

    def _begin(self) -> None:
        backend.track_tf_optimizer(self)

    def apply_gradients(self, grads: Any) -> None:
        """Records a step."""
        self.optimizer.apply_gradients(grads, global_step=self.iterations)

    def get_grads(self, loss: Any, params: Any) -> Any:
        """The gradients with their variables."""
        return self.optimizer.compute_gradients(loss, params)

    def get_updates(self, loss: Any, params: Any) -> list[Any]:
        """The operations of a step; in a strategy it is the global step that counts them."""
        if strategies.has_strategy():
            grads = self.optimizer.compute_gradients(loss, params or None)
            step = training_util.get_global_step()
            self.updates = [self.optimizer.apply_gradients(grads, step)]
            return self.updates
        if not params:
            self.updates = [state_ops.assign_add(self.iterations, 1)]
            return self.updates
        grads = self.optimizer.compute_gradients(loss, params)
        self.updates = [self.optimizer.apply_gradients(grads, global_step=self.iterations)]
        return self.updates

    @property
    def weights(self) -> Any:
        """Not known."""
        raise NotImplementedError

    def get_config(self) -> Any:
        """Not known."""
        raise NotImplementedError

    def from_config(self, config: Any) -> Any:
        """Not known."""
        raise NotImplementedError


@tf_export("keras.optimizers.serialize")
def serialize(optimizer: Any) -> Any:
    """An optimizer as its class and config.

    Args:
      optimizer: an optimizer.

    Returns:
      A dict.
    """
    return serialize_keras_object(optimizer)


@tf_export("keras.optimizers.deserialize")
def deserialize(config: Any, custom_objects: Any = None) -> Any:
    """What `serialize` described; Keras's own class names count in any case of letters.

    Args:
      config: a dict of class and config.
      custom_objects: {name: class or function}, or None.

    Returns:
      An optimizer.
    """
    if config["class_name"].lower() in _CLASSES:
        config["class_name"] = config["class_name"].lower()
    return deserialize_keras_object(
        config,
        module_objects=_CLASSES,
        custom_objects=custom_objects,
        printable_module_name="optimizer",
    )


@tf_export("keras.optimizers.get")
def get(identifier: Any) -> Any:
    """An optimizer from its name or config, or the one that it is; those of `tf.train` are wrapped.

    Args:
      identifier: a name, a dict or an optimizer.

    Returns:
      An optimizer.

    Raises:
      ValueError: it is none of these, or there is none of that name.
    """
    if isinstance(identifier, OptimizerV2 | optimizer_v1.Optimizer):
        return identifier
    if isinstance(identifier, tf_optimizer_module.Optimizer):
        return TFOptimizer(identifier)
    if isinstance(identifier, dict):
        return deserialize(identifier)
    if isinstance(identifier, str):
        return deserialize({"class_name": identifier, "config": {}})
    raise ValueError("Could not interpret optimizer identifier:", identifier)
