"""`tf.contrib.checkpoint.NumpyState`."""

from __future__ import annotations

import io
from typing import Any

import numpy as np

from tf1compat.api.training.tracking import base, python_state
from tf1compat.core.export import tf_export


@tf_export("contrib.checkpoint.NumpyState")
class NumpyState(base.Trackable):
    """An object whose attributes are NumPy arrays, which checkpoints hold."""

    def _lookup_dependency(self, name: str) -> Any:
        value = super()._lookup_dependency(name)
        if value is None:
            # What a checkpoint has becomes an attribute.
            value = _NumpyWrapper(np.array([]))
            self._maybe_initialize_trackable()
            self._self_dependencies[name] = value  # pyright: ignore
            object.__setattr__(self, name, value)
        return value

    def __getattribute__(self, name: str) -> Any:
        value = super().__getattribute__(name)
        return value.array if isinstance(value, _NumpyWrapper) else value

    def __setattr__(self, name: str, value: Any) -> None:
        if not isinstance(value, np.ndarray | np.generic):
            if name in ("_self_setattr_tracking", "_update_uid"):
                object.__setattr__(self, name, value)
                return
            raise NotImplementedError(
                f"Assigned {value} to the {name} property of {self}, which is not a NumPy array. "
                "Currently mixing NumPy arrays and other trackable objects is not supported. File "
                "a feature request if this limitation bothers you."
            )
        existing = self.__dict__.get(name)
        if existing is not None:
            existing.array = value
            return
        wrapper = _NumpyWrapper(value)
        self._maybe_initialize_trackable()
        self._self_dependencies[name] = wrapper  # pyright: ignore
        object.__setattr__(self, name, wrapper)
        self._handle_deferred_dependencies(name=name, trackable=wrapper)


class _NumpyWrapper(python_state.PythonState):
    """An array in a checkpoint."""

    def __init__(self, array: Any):
        self.array = array

    def serialize(self) -> bytes:
        file = io.BytesIO()
        np.save(file, self.array, allow_pickle=False)
        return file.getvalue()

    def deserialize(self, string_value: bytes) -> None:
        self.array = np.load(io.BytesIO(string_value), allow_pickle=False)
