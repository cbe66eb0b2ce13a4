"""`tf.keras.regularizers`: penalties on variables and outputs
(`tensorflow.python.keras.regularizers`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.keras import backend
from tf1compat.api.keras.utils.generic_utils import (
    deserialize_keras_object,
    serialize_keras_object,
)
from tf1compat.api.math import math_ops
from tf1compat.core.export import tf_export


@tf_export("keras.regularizers.Regularizer")
class Regularizer:
    """Base class: a function of a tensor that gives a penalty."""

    def __call__(self, x: Any) -> Any:
        return 0.0

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Any:
        """A regularizer from what `get_config` gave."""
        return cls(**config)


@tf_export("keras.regularizers.L1L2")
class L1L2(Regularizer):
    """`l1` times the sum of absolute values plus `l2` times the sum of squares.

    Args:
      l1: the factor of the sum of absolute values.
      l2: the factor of the sum of squares.
    """

    def __init__(self, l1: Any = 0.0, l2: Any = 0.0):
        self.l1 = backend.cast_to_floatx(l1)
        self.l2 = backend.cast_to_floatx(l2)

    def __call__(self, x: Any) -> Any:
        if not self.l1 and not self.l2:
            return backend.constant(0.0)
        penalty: Any = 0.0
        for factor, measure in ((self.l1, math_ops.abs), (self.l2, math_ops.square)):
            if factor:
                penalty += factor * math_ops.reduce_sum(measure(x))
        return penalty

    def get_config(self) -> dict[str, Any]:
        """The two factors."""
        return {"l1": float(self.l1), "l2": float(self.l2)}


@tf_export("keras.regularizers.l1")
def l1(l: Any = 0.01) -> L1L2:  # noqa: E741
    """`l` times the sum of absolute values.

    Args:
      l: the factor.

    Returns:
      A regularizer.
    """
    return L1L2(l1=l)


@tf_export("keras.regularizers.l2")
def l2(l: Any = 0.01) -> L1L2:  # noqa: E741
    """`l` times the sum of squares.

    Args:
      l: the factor.

    Returns:
      A regularizer.
    """
    return L1L2(l2=l)


@tf_export("keras.regularizers.l1_l2")
def l1_l2(l1: Any = 0.01, l2: Any = 0.01) -> L1L2:
    """Both penalties.

    Args:
      l1: the factor of the sum of absolute values.
      l2: the factor of the sum of squares.

    Returns:
      A regularizer.
    """
    return L1L2(l1=l1, l2=l2)


@tf_export("keras.regularizers.serialize")
def serialize(regularizer: Regularizer) -> Any:
    """A regularizer as its class and config, or its name.

    Args:
      regularizer: a regularizer.

    Returns:
      A dict, or a string.
    """
    return serialize_keras_object(regularizer)


@tf_export("keras.regularizers.deserialize")
def deserialize(config: Any, custom_objects: dict[str, Any] | None = None) -> Any:
    """What `serialize` described.

    Args:
      config: a dict, or a name.
      custom_objects: {name: class or function}, or None.

    Returns:
      A regularizer.
    """
    return deserialize_keras_object(
        config,
        module_objects=globals(),
        custom_objects=custom_objects,
        printable_module_name="regularizer",
    )


@tf_export("keras.regularizers.get")
def get(identifier: Any) -> Any:
    """A regularizer from its name or config, or the callable that it is; None for None.

    Args:
      identifier: a name, a dict, a callable or None.

    Returns:
      A function of a tensor, or None.

    Raises:
      ValueError: it is none of these, or there is none of that name.
    """
    if identifier is None:
        return None
    if isinstance(identifier, dict):
        return deserialize(identifier)
    if isinstance(identifier, str):
        if identifier in ("l1", "l2", "l1_l2"):
            return deserialize({"class_name": identifier, "config": {}})
        return deserialize(identifier)
    if callable(identifier):
        return identifier
    raise ValueError("Could not interpret regularizer identifier:", identifier)
