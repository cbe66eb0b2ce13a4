"""`tensorflow.python.ops.signal.window_ops`: windows."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.math import math_ops
from tf1compat.core import dtypes, ops, tensor_util
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import DTypeLike, Name


@tf_export("signal.hann_window")
def hann_window(
    window_length: Any, periodic: Any = True, dtype: DTypeLike = dtypes.float32, name: Name = None
) -> Tensor:
    """A Hann window.

    Args:
      window_length: the number of samples, an int scalar.
      periodic: whether the window is periodic (for spectra) or symmetric (for filters).
      dtype: a floating-point dtype.
      name: the name scope, "hann_window" by default.

    Returns:
      A tensor [window_length].

    Raises:
      ValueError: `dtype` is not a floating-point one.
    """
    return _raised_cosine(name, "hann_window", window_length, periodic, dtype, 0.5, 0.5)


@tf_export("signal.hamming_window")
def hamming_window(
    window_length: Any, periodic: Any = True, dtype: DTypeLike = dtypes.float32, name: Name = None
) -> Tensor:
    """A Hamming window.

    Args:
      window_length: the number of samples, an int scalar.
      periodic: whether the window is periodic (for spectra) or symmetric (for filters).
      dtype: a floating-point dtype.
      name: the name scope, "hamming_window" by default.

    Returns:
      A tensor [window_length].

    Raises:
      ValueError: `dtype` is not a floating-point one.
    """
    return _raised_cosine(name, "hamming_window", window_length, periodic, dtype, 0.54, 0.46)


def _raised_cosine(
    name: Any, default_name: str, window_length: Any, periodic: Any, dtype: Any, a: float, b: float
) -> Tensor:
    """a - b cos(2 pi k / n)."""
    if not dtype.is_floating:
        raise ValueError(f"dtype must be a floating point type. Found {dtype}")
    with ops.name_scope(name, default_name, [window_length, periodic]):
        length = ops.convert_to_tensor(window_length, dtype=dtypes.int32, name="window_length")
        length.shape.assert_has_rank(0)
        known_length = tensor_util.constant_value(length)
        if known_length == 1:
            return array_ops.ones([1], dtype=dtype)
        periodic = ops.convert_to_tensor(periodic, dtype=dtypes.bool, name="periodic")
        one_more = math_ops.cast(periodic, dtypes.int32)
        periodic.shape.assert_has_rank(0)
        one_more *= 1 - math_ops.mod(length, 2)
        n = math_ops.cast(length + one_more - 1, dtype=dtype)
        count = math_ops.cast(math_ops.range(length), dtype)
        angles = constant_op.constant(2 * np.pi, dtype=dtype) * count / n

        def window() -> Tensor:
            return math_ops.cast(a - b * math_ops.cos(angles), dtype=dtype)

        if known_length is not None:
            return window()
        return control_flow_ops.cond(
            math_ops.equal(length, 1), lambda: array_ops.ones([1], dtype=dtype), window
        )
