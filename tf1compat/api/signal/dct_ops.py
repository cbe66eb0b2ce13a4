"""`tensorflow.python.ops.signal.dct_ops`: cosine transforms."""

from __future__ import annotations

import math
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.math import math_ops
from tf1compat.api.signal import fft_ops
from tf1compat.core import dtypes, ops, tensor_shape
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name, TensorLike


def _validate(input: Any, type: Any, n: Any, axis: Any, norm: Any) -> None:
    if axis != -1:
        raise NotImplementedError(f"axis must be -1. Got: {axis}")
    if n is not None and n < 1:
        raise ValueError("n should be a positive integer or None")
    if type not in (1, 2, 3):
        raise ValueError("Only Types I, II and III (I)DCT are supported.")
    if type == 1:
        if norm == "ortho":
            raise ValueError("Normalization is not supported for the Type-I DCT.")
        if input.shape[-1] is not None and input.shape[-1] < 2:
            raise ValueError("Type-I DCT requires the dimension to be greater than one.")
    if norm not in (None, "ortho"):
        raise ValueError(f"Unknown normalization. Expected None or 'ortho', got: {norm!s}")


def _size(x: Tensor) -> Any:
    """The size of the last dimension: an int if it is known and not 0."""
    return tensor_shape.dimension_value(x.shape[-1]) or array_ops.shape(x)[-1]


def _weights(first: Any, rest: Any, size: Any) -> Tensor:
    """The vector [first, rest, rest, …]."""
    return array_ops.pad(array_ops.expand_dims(first, 0), [[0, size - 1]], constant_values=rest)


@tf_export("signal.dct", "spectral.dct")
def dct(
    input: TensorLike,
    type: int = 2,
    n: TensorLike | None = None,
    axis: int = -1,
    norm: Any = None,
    name: Name = None,
) -> Tensor:
    """The discrete cosine transform over the last dimension.

    Args:
      input: a float32 tensor [..., samples].
      type: 1, 2 or 3.
      n: the length that is transformed, after cutting or padding with zeros.
      axis: -1.
      norm: None, or "ortho" for an orthonormal transform.
      name: the name scope, "dct" by default.

    Returns:
      A float32 tensor [..., samples].

    Raises:
      ValueError, NotImplementedError: an argument that is not one of these.
    """
    _validate(input, type, n, axis, norm)
    with ops.name_scope(name, "dct", [input]):
        x = ops.convert_to_tensor(input, dtype=dtypes.float32)
        length = _size(x)
        if n is not None:
            if n <= length:
                x = x[..., 0:n]
            else:
                paddings = [[0, 0] for _ in range(len(x.shape))]
                paddings[-1][1] = n - length
                x = array_ops.pad(x, paddings=ops.convert_to_tensor(paddings, dtype=dtypes.int32))
        size = _size(x)
        size_float = math_ops.cast(size, dtypes.float32)
        if type == 1:
            mirrored = array_ops.concat([x, x[..., -2:0:-1]], axis=-1)
            return math_ops.real(fft_ops.rfft(mirrored))
        if type == 2:
            angles = -math_ops.range(size_float) * math.pi * 0.5 / size_float
            scale = 2.0 * math_ops.exp(math_ops.complex(0.0, angles))
            transformed = fft_ops.rfft(x, fft_length=[2 * size])
            result = math_ops.real(transformed[..., :size] * scale)
            if norm == "ortho":
                first = 0.5 * math_ops.rsqrt(size_float)
                rest = first * math_ops.sqrt(2.0)
                result *= _weights(first, rest, size)
            return result
        if norm == "ortho":
            first = math_ops.sqrt(size_float)
            rest = first * math_ops.sqrt(0.5)
            x *= _weights(first, rest, size)
        else:
            x *= size_float
        angles = math_ops.range(size_float) * math.pi * 0.5 / size_float
        scale = 2.0 * math_ops.exp(math_ops.complex(0.0, angles))
        product = scale * math_ops.complex(x, 0.0)
        return math_ops.real(fft_ops.irfft(product, fft_length=[2 * size]))[..., :size]


@tf_export("signal.idct", "spectral.idct")
def idct(
    input: TensorLike,
    type: int = 2,
    n: TensorLike | None = None,
    axis: int = -1,
    norm: Any = None,
    name: Name = None,
) -> Tensor:
    """The inverse of `dct`; without norm="ortho", up to the factor 2 samples.

    Args:
      input: a float32 tensor [..., samples].
      type, n, axis, norm: as in `dct`.
      name: the name scope, "dct" by default.

    Returns:
      A float32 tensor [..., samples].
    """
    _validate(input, type, n, axis, norm)
    return dct(input, type={1: 1, 2: 3, 3: 2}[type], n=n, axis=axis, norm=norm, name=name)
