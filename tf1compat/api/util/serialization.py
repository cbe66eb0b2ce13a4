"""`tensorflow.python.util.serialization`: what JSON says for objects of TF."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from tf1compat.core.tensor_shape import Dimension, TensorShape


def get_json_type(obj: Any) -> Any:
    """What JSON says for objects that it does not know.

    Raises:
      TypeError: there is nothing.
    """
    if hasattr(obj, "get_config"):
        return {"class_name": type(obj).__name__, "config": obj.get_config()}
    if type(obj).__module__ == np.__name__:
        return obj.tolist() if isinstance(obj, np.ndarray) else obj.item()
    if callable(obj):
        return obj.__name__
    if isinstance(obj, type):
        return obj.__name__
    if isinstance(obj, TensorShape):
        return obj.as_list()
    if isinstance(obj, Dimension):
        return obj.value
    if isinstance(obj, Mapping):
        return dict(obj)
    raise TypeError("Not JSON Serializable:", obj)
