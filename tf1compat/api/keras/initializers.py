"""`tf.keras.initializers`: those of `tf.initializers`, of which Keras draws smaller numbers."""

from __future__ import annotations

from typing import Any

from tf1compat.api.compat_v2 import init_ops_v2
from tf1compat.api.keras.utils.generic_utils import (
    deserialize_keras_object,
    serialize_keras_object,
)
from tf1compat.api.random import init_ops
from tf1compat.core import dtypes, tf2
from tf1compat.core.export import export_constant, tf_export


@tf_export(
    "keras.initializers.TruncatedNormal",
    "keras.initializers.truncated_normal",
)
class TruncatedNormal(init_ops.TruncatedNormal):
    """As `tf.truncated_normal_initializer`, with a deviation of 0.05 by default.

    Args:
      mean, stddev, seed, dtype: as in `tf.truncated_normal_initializer`.
    """

    def __init__(
        self,
        mean: Any = 0.0,
        stddev: Any = 0.05,
        seed: int | None = None,
        dtype: Any = dtypes.float32,
    ):
        super().__init__(mean, stddev, seed, dtype)


@tf_export(
    "keras.initializers.RandomUniform",
    "keras.initializers.uniform",
    "keras.initializers.random_uniform",
)
class RandomUniform(init_ops.RandomUniform):
    """As `tf.random_uniform_initializer`, from -0.05 to 0.05 by default.

    Args:
      minval, maxval, seed, dtype: as in `tf.random_uniform_initializer`.
    """

    def __init__(
        self,
        minval: Any = -0.05,
        maxval: Any = 0.05,
        seed: int | None = None,
        dtype: Any = dtypes.float32,
    ):
        super().__init__(minval, maxval, seed, dtype)


@tf_export(
    "keras.initializers.RandomNormal",
    "keras.initializers.normal",
    "keras.initializers.random_normal",
)
class RandomNormal(init_ops.RandomNormal):
    """As `tf.random_normal_initializer`, with a deviation of 0.05 by default.

    Args:
      mean, stddev, seed, dtype: as in `tf.random_normal_initializer`.
    """

    def __init__(
        self,
        mean: Any = 0.0,
        stddev: Any = 0.05,
        seed: int | None = None,
        dtype: Any = dtypes.float32,
    ):
        super().__init__(mean, stddev, seed, dtype)


# Public names -> what `tf.initializers` has too.
_SHARED = {
    ("Constant", "constant"): init_ops.Constant,
    ("Identity", "identity"): init_ops.Identity,
    ("Initializer",): init_ops.Initializer,
    ("Ones", "ones"): init_ops.Ones,
    ("Orthogonal", "orthogonal"): init_ops.Orthogonal,
    ("VarianceScaling",): init_ops.VarianceScaling,
    ("Zeros", "zeros"): init_ops.Zeros,
    ("glorot_normal",): init_ops.GlorotNormal,
    ("glorot_uniform",): init_ops.GlorotUniform,
    ("he_normal",): init_ops.he_normal,
    ("he_uniform",): init_ops.he_uniform,
    ("lecun_normal",): init_ops.lecun_normal,
    ("lecun_uniform",): init_ops.lecun_uniform,
}
# The names by which `get` knows them: the public ones and those of the classes.
_NAMED: dict[str, Any] = {
    "GlorotNormal": init_ops.GlorotNormal,
    "GlorotUniform": init_ops.GlorotUniform,
    "RandomNormal": RandomNormal,
    "RandomUniform": RandomUniform,
    "TruncatedNormal": TruncatedNormal,
    "normal": RandomNormal,
    "one": init_ops.Ones,
    "random_normal": RandomNormal,
    "random_uniform": RandomUniform,
    "truncated_normal": TruncatedNormal,
    "uniform": RandomUniform,
    "zero": init_ops.Zeros,
}
for _names, _value in _SHARED.items():
    for _name in _names:
        export_constant(f"keras.initializers.{_name}", _value)
        _NAMED[_name] = _value


@tf_export("keras.initializers.serialize")
def serialize(initializer: Any) -> Any:
    """What `deserialize` makes an equal initializer of; a function's name for a function.

    Args:
      initializer: an initializer.

    Returns:
      A dict, or a string.

    Raises:
      ValueError: it has neither a config nor a name.
    """
    return serialize_keras_object(initializer)


@tf_export("keras.initializers.deserialize")
def deserialize(config: Any, custom_objects: dict[str, Any] | None = None) -> Any:
    """The initializer of a name, or of {"class_name": …, "config": …}.

    Args:
      config: the one or the other.
      custom_objects: more classes and functions, by name.

    Returns:
      An initializer.

    Raises:
      ValueError: there is none of that name.
    """
    return deserialize_keras_object(
        config,
        module_objects=vars(init_ops_v2) if tf2.enabled() else _NAMED,
        custom_objects=custom_objects,
        printable_module_name="initializer",
    )


@tf_export("keras.initializers.get")
def get(identifier: Any) -> Any:
    """An initializer from its name or config, or the callable that it is.

    Args:
      identifier: a name, a dict, a callable or None.

    Returns:
      An initializer, or None.

    Raises:
      ValueError: it is none of these, or there is none of that name.
    """
    if identifier is None or callable(identifier):
        return identifier
    if isinstance(identifier, str):
        # Functions that return an initializer.
        if identifier in ("he_normal", "he_uniform", "lecun_normal", "lecun_uniform"):
            identifier = {"class_name": identifier, "config": {}}
        return deserialize(identifier)
    if isinstance(identifier, dict):
        return deserialize(identifier)
    raise ValueError(f"Could not interpret initializer identifier: {identifier!s}")
