"""Helpers of layers (`tensorflow.python.layers.utils`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.keras.utils.conv_utils import (
    conv_output_length,
    convert_data_format,
    normalize_data_format,
    normalize_padding,
    normalize_tuple,
)
from tf1compat.api.keras.utils.tf_utils import constant_value as _constant_value
from tf1compat.api.keras.utils.tf_utils import get_reachable_from_inputs as reachable
from tf1compat.api.keras.utils.tf_utils import smart_cond
from tf1compat.core.operation import Operation

__all__ = [
    "constant_value",
    "conv_output_length",
    "convert_data_format",
    "deconv_output_length",
    "normalize_data_format",
    "normalize_padding",
    "normalize_tuple",
    "smart_cond",
    "static_shape",
]


def get_reachable_from_inputs(inputs: Any, targets: Any = None) -> set[Any]:
    """The tensors that are computed from some.

    Args:
      inputs: tensors, or variables.
      targets: tensors; when all of them are found, no more are looked for.

    Returns:
      The tensors found, with the inputs.
    """
    found = reachable(inputs, targets)
    return {x for x in found if not isinstance(x, Operation)}


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


def deconv_output_length(
    input_length: int | None, filter_size: int, padding: str, stride: int
) -> int | None:
    """The length that a transposed convolution gives; None if it is not known.

    Args:
      input_length, filter_size, stride: of one dimension.
      padding: "same", "valid" or "full".
    """
    if input_length is None:
        return None
    more = {"valid": max(filter_size - stride, 0), "full": 2 - stride - filter_size}
    return input_length * stride + more.get(padding, 0)
