"""Keras's settings: its float dtype, fuzz factor and image data format."""

from __future__ import annotations

from tf1compat.core.export import tf_export

_floatx = "float32"
_epsilon = 1e-7
_image_data_format = "channels_last"


@tf_export("keras.backend.epsilon")
def epsilon() -> float:
    """The small number that Keras adds to avoid divisions by zero."""
    return _epsilon


@tf_export("keras.backend.set_epsilon")
def set_epsilon(value: float) -> None:
    """Sets `epsilon()`.

    Args:
      value: a float.
    """
    global _epsilon
    _epsilon = value


@tf_export("keras.backend.floatx")
def floatx() -> str:
    """The name of Keras's default float dtype."""
    return _floatx


@tf_export("keras.backend.set_floatx")
def set_floatx(value: str) -> None:
    """Sets `floatx()`: "float16", "float32" or "float64".

    Args:
      value: the dtype's name.

    Raises:
      ValueError: it is something else.
    """
    global _floatx
    if value not in {"float16", "float32", "float64"}:
        raise ValueError(f"Unknown floatx type: {value}")
    _floatx = str(value)


@tf_export("keras.backend.image_data_format")
def image_data_format() -> str:
    """Where Keras expects channels by default."""
    return _image_data_format


@tf_export("keras.backend.set_image_data_format")
def set_image_data_format(data_format: str) -> None:
    """Sets `image_data_format()`: "channels_first" or "channels_last".

    Args:
      data_format: "channels_first" or "channels_last".

    Raises:
      ValueError: it is something else.
    """
    global _image_data_format
    if data_format not in {"channels_last", "channels_first"}:
        raise ValueError(f"Unknown data_format: {data_format}")
    _image_data_format = str(data_format)
