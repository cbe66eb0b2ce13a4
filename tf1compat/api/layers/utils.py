"""Helpers of layers (`tensorflow.python.layers.utils`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.keras.utils.conv_utils import (
    conv_output_length,
    convert_data_format,
    normalize_data_format,
    normalize_padding,
    normalize_tuple,
)  # fmt: skip
from tf1compat.api.keras.utils.tf_utils import constant_value as _constant_value
from tf1compat.api.keras.utils.tf_utils import smart_cond

__all__ = [
    "constant_value",
    "conv_output_length",
    "convert_data_format",
    "normalize_data_format",
    "normalize_padding",
    "normalize_tuple",
    "smart_cond",
    "static_shape",
]


def constant_value(pred: Any) -> bool | None:
    """The value of a predicate (a bool, 0, 1, tensor or variable) if it is known, else None."""
    return _constant_value(pred)


def static_shape(x: Any) -> tuple[int | None, ...] | None:
    """The static shape of a tensor as a tuple; None for None, or where not even the rank is
    known."""
    if x is None:
        return None
    try:
        return tuple(x.get_shape().as_list())
    except ValueError:
        return None
