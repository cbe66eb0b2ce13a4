"""Layers by name (`tensorflow.python.keras.layers.serialization`)."""

from __future__ import annotations

import functools
from typing import Any

from tf1compat.api.keras.engine import op_layers
from tf1compat.api.keras.utils.generic_utils import (
    deserialize_keras_object,
    serialize_keras_class_and_config,
)
from tf1compat.core import export
from tf1compat.core.export import tf_export


@functools.cache
def _module_objects() -> dict[str, Any]:
    """Class's name -> class: all public layers, models, and those that have other names inside."""
    found: dict[str, Any] = {}
    for name, value in export.exported().items():
        prefix, _, own = name.rpartition(".")
        if prefix in ("keras.layers", "keras.models") and isinstance(value, type):
            found[own] = value
            found[value.__name__] = value
    for cls in (op_layers.TensorFlowOpLayer, op_layers.AddLoss, op_layers.AddMetric):
        found[cls.__name__] = cls
    found["BatchNormalizationV1"] = found["BatchNormalizationV2"] = found["BatchNormalization"]
    return found


@tf_export("keras.layers.serialize")
def serialize(layer: Any) -> dict[str, Any]:
    """A layer as its class and config.

    Args:
      layer: a layer.

    Returns:
      {"class_name": …, "config": …}.
    """
    return serialize_keras_class_and_config(type(layer).__name__, layer.get_config())


@tf_export("keras.layers.deserialize")
def deserialize(config: Any, custom_objects: dict[str, Any] | None = None) -> Any:
    """What `serialize` described.

    Args:
      config: a dict of class_name and config.
      custom_objects: {name: class or function}, or None.

    Returns:
      A layer or model.

    Raises:
      KeyError: no class is named.
      ValueError: the class is not known.
    """
    _ = config["class_name"]  # TF looks for it before it says what else is wrong.
    return deserialize_keras_object(
        config,
        module_objects=_module_objects(),
        custom_objects=custom_objects,
        printable_module_name="layer",
    )
