"""Models of their configs (`tensorflow.python.keras.saving.model_config`)."""

from __future__ import annotations

import json
from typing import Any

from tf1compat.api.keras.layers.serialization import deserialize
from tf1compat.core.export import tf_export


@tf_export("keras.models.model_from_config")
def model_from_config(config: Any, custom_objects: dict[str, Any] | None = None) -> Any:
    """A model of its config, with new weights.

    Args:
      config: the class and the config, as a dict.
      custom_objects: classes and functions by name, for those that Keras doesn't have.

    Returns:
      A `Model`, not compiled.

    Raises:
      TypeError: it is a list.
    """
    if isinstance(config, list):
        raise TypeError(
            "`model_from_config` expects a dictionary, not a list. Maybe you meant to use "
            "`Sequential.from_config(config)`?"
        )
    return deserialize(config, custom_objects=custom_objects)


@tf_export("keras.models.model_from_json")
def model_from_json(json_string: str, custom_objects: dict[str, Any] | None = None) -> Any:
    """A model of what `to_json` wrote.

    Args:
      json_string: the text.
      custom_objects: classes and functions by name.

    Returns:
      A `Model`, not compiled.
    """
    return deserialize(json.loads(json_string), custom_objects=custom_objects)


@tf_export("keras.models.model_from_yaml")
def model_from_yaml(yaml_string: str, custom_objects: dict[str, Any] | None = None) -> Any:
    """A model of what `to_yaml` wrote.

    Args:
      yaml_string: the text.
      custom_objects: classes and functions by name.

    Returns:
      A `Model`, not compiled.

    Raises:
      ImportError: PyYAML is missing.
    """
    try:
        import yaml  # pyright: ignore[reportMissingModuleSource]
    except ImportError as error:
        raise ImportError("Requires yaml module installed (`pip install pyyaml`).") from error
    # Configs hold tuples, which only the full loader reads; it runs no code.
    return deserialize(yaml.load(yaml_string, yaml.FullLoader), custom_objects=custom_objects)
