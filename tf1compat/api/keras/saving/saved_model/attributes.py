"""What of a layer a SavedModel holds besides its own attributes."""

from __future__ import annotations

from typing import Any

from tf1compat.api.training.tracking import tracking

# The attribute with what only Keras looks for.
KERAS_ATTR = "keras_api"
# The key of a serialization's cache under which layers keep what they made.
KERAS_CACHE_KEY = "keras_serialized_attributes"

# Attributes of the layer itself.
OBJECTS = ("variables", "trainable_variables", "regularization_losses")
FUNCTIONS = ("__call__", "call_and_return_all_conditional_losses", "_default_save_signature")
PUBLIC = frozenset((*OBJECTS, *FUNCTIONS, KERAS_ATTR))


class SerializedAttributes:
    """The objects and functions that are saved with one layer."""

    def __init__(self) -> None:
        self._objects: dict[str, Any] = {}
        self._functions: dict[str, Any] = {}
        self._keras_api = tracking.AutoTrackable()

    @property
    def functions(self) -> dict[str, Any]:
        """All functions by name."""
        return {name: value for name, value in self._functions.items() if value is not None}

    @property
    def functions_to_serialize(self) -> dict[str, Any]:
        """Those that are attributes of the layer."""
        return {name: value for name, value in self.functions.items() if name in FUNCTIONS}

    @property
    def objects_to_serialize(self) -> dict[str, Any]:
        """The objects that are attributes of the layer."""
        found = {name: value for name, value in self._objects.items() if name in OBJECTS}
        return {**found, KERAS_ATTR: self._keras_api}

    def set(self, objects: dict[str, Any], functions: dict[str, Any]) -> None:
        """Sets what is saved; all of it is an attribute of the object for Keras, too."""
        self._objects.update(objects)
        self._functions.update(functions)
        for name, value in {**objects, **functions}.items():
            setattr(self._keras_api, name, value)
