"""`tensorflow.python.ops.signal.fft_ops`: Fourier transforms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops, manip_ops
from tf1compat.api.math import math_ops
from tf1compat.core import dtypes, ops, raw_ops, tensor_util
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name, TensorLike


@tf_export("signal.fft", "fft", "spectral.fft")
def fft(input: TensorLike, name: Name = None) -> Tensor:
    """The Fourier transform over the last dimension.

    Args:
      input: a complex64 or complex128 tensor [..., n].
      name: the operation's name.

    Returns:
      A tensor like `input`.
    """
    return raw_ops.FFT(input, name=name)


@tf_export("signal.ifft", "ifft", "spectral.ifft")
def ifft(input: TensorLike, name: Name = None) -> Tensor:
    """The inverse Fourier transform over the last dimension.

    Args:
      input: a complex64 or complex128 tensor [..., n].
      name: the operation's name.

    Returns:
      A tensor like `input`.
    """
    return raw_ops.IFFT(input, name=name)


@tf_export("signal.fft2d", "fft2d", "spectral.fft2d")
def fft2d(input: TensorLike, name: Name = None) -> Tensor:
    """The Fourier transform over the last two dimensions; see `fft`.

    Args:
      input: complex64 or complex128 [..., rows, columns].
      name: the operation's name.

    Returns:
      A tensor like `input`.
    """
    return raw_ops.FFT2D(input, name=name)


@tf_export("signal.ifft2d", "ifft2d", "spectral.ifft2d")
def ifft2d(input: TensorLike, name: Name = None) -> Tensor:
    """The inverse Fourier transform over the last two dimensions; see `ifft`.

    Args:
      input: complex64 or complex128 [..., rows, columns].
      name: the operation's name.

    Returns:
      A tensor like `input`.
    """
    return raw_ops.IFFT2D(input, name=name)


@tf_export("signal.fft3d", "fft3d", "spectral.fft3d")
def fft3d(input: TensorLike, name: Name = None) -> Tensor:
    """The Fourier transform over the last three dimensions; see `fft`.

    Args:
      input: complex64 or complex128 [..., depth, rows, columns].
      name: the operation's name.

    Returns:
      A tensor like `input`.
    """
    return raw_ops.FFT3D(input, name=name)


@tf_export("signal.ifft3d", "ifft3d", "spectral.ifft3d")
def ifft3d(input: TensorLike, name: Name = None) -> Tensor:
    """The inverse Fourier transform over the last three dimensions; see `ifft`.

    Args:
      input: complex64 or complex128 [..., depth, rows, columns].
      name: the operation's name.

    Returns:
      A tensor like `input`.
    """
    return raw_ops.IFFT3D(input, name=name)


# Real numbers: only the first half of the last dimension is kept, the rest being its conjugate.


@tf_export("signal.rfft", "spectral.rfft")
def rfft(
    input_tensor: TensorLike, fft_length: TensorLike | None = None, name: Name = None
) -> Tensor:
    """The Fourier transform of real numbers over the last dimension.

    Args:
      input_tensor: a float32 tensor [..., n].
      fft_length: int32 [1]: the length that is transformed, after cutting or padding with zeros;
        n by default.
      name: the operation's name.

    Returns:
      A complex64 tensor [..., fft_length // 2 + 1].
    """
    return _rfft("RFFT", 1, input_tensor, fft_length, name)


@tf_export("signal.irfft", "spectral.irfft")
def irfft(
    input_tensor: TensorLike, fft_length: TensorLike | None = None, name: Name = None
) -> Tensor:
    """The inverse of `rfft`.

    Args:
      input_tensor: a complex64 tensor [..., m].
      fft_length: int32 [1]: the length of the result; 2 (m - 1) by default.
      name: the operation's name.

    Returns:
      A float32 tensor [..., fft_length].
    """
    return _irfft("IRFFT", 1, input_tensor, fft_length, name)


@tf_export("signal.rfft2d", "spectral.rfft2d")
def rfft2d(
    input_tensor: TensorLike, fft_length: TensorLike | None = None, name: Name = None
) -> Tensor:
    """The Fourier transform of real numbers over the last two dimensions; see `rfft`.

    Args:
      input_tensor: float32 [..., rows, columns].
      fft_length: int32 [2]; the size of `input_tensor` by default.
      name: the operation's name.

    Returns:
      complex64 [..., rows, columns // 2 + 1].
    """
    return _rfft("RFFT2D", 2, input_tensor, fft_length, name)


@tf_export("signal.irfft2d", "spectral.irfft2d")
def irfft2d(
    input_tensor: TensorLike, fft_length: TensorLike | None = None, name: Name = None
) -> Tensor:
    """The inverse of `rfft2d`; see `irfft`.

    Args:
      input_tensor: complex64 [..., rows, columns // 2 + 1].
      fft_length: int32 [2], the size of the result.
      name: the operation's name.

    Returns:
      float32 [..., rows, columns].
    """
    return _irfft("IRFFT2D", 2, input_tensor, fft_length, name)


@tf_export("signal.rfft3d", "spectral.rfft3d")
def rfft3d(
    input_tensor: TensorLike, fft_length: TensorLike | None = None, name: Name = None
) -> Tensor:
    """The Fourier transform of real numbers over the last three dimensions; see `rfft`.

    Args:
      input_tensor: float32 [..., depth, rows, columns].
      fft_length: int32 [3]; the size of `input_tensor` by default.
      name: the operation's name.

    Returns:
      complex64 [..., depth, rows, columns // 2 + 1].
    """
    return _rfft("RFFT3D", 3, input_tensor, fft_length, name)


@tf_export("signal.irfft3d", "spectral.irfft3d")
def irfft3d(
    input_tensor: TensorLike, fft_length: TensorLike | None = None, name: Name = None
) -> Tensor:
    """The inverse of `rfft3d`; see `irfft`.

    Args:
      input_tensor: complex64 [..., depth, rows, columns // 2 + 1].
      fft_length: int32 [3], the size of the result.
      name: the operation's name.

    Returns:
      float32 [..., depth, rows, columns].
    """
    return _irfft("IRFFT3D", 3, input_tensor, fft_length, name)


def _rfft(op_type: str, rank: int, input_tensor: TensorLike, fft_length: Any, name: Name) -> Tensor:
    with ops.name_scope(name, op_type.lower(), [input_tensor, fft_length]) as name:
        input_tensor = ops.convert_to_tensor(input_tensor, dtypes.float32)
        input_tensor.shape.with_rank_at_least(rank)
        if fft_length is None:
            shape = input_tensor.get_shape()[-rank:]
            if shape.is_fully_defined():
                fft_length = ops.convert_to_tensor(shape.as_list(), dtypes.int32)
            else:
                fft_length = array_ops.shape(input_tensor)[-rank:]
        else:
            fft_length = ops.convert_to_tensor(fft_length, dtypes.int32)
        padded = _padded(input_tensor, rank, fft_length, is_inverse=False)
        return getattr(raw_ops, op_type)(padded, fft_length, name=name)


def _irfft(
    op_type: str, rank: int, input_tensor: TensorLike, fft_length: Any, name: Name
) -> Tensor:
    with ops.name_scope(name, op_type.lower(), [input_tensor, fft_length]) as name:
        input_tensor = ops.convert_to_tensor(input_tensor, dtypes.complex64)
        input_tensor.shape.with_rank_at_least(rank)
        if fft_length is None:
            shape = input_tensor.get_shape()[-rank:]
            if shape.is_fully_defined():
                sizes: list[Any] = shape.as_list()
                if sizes:
                    sizes[-1] = max(0, 2 * (sizes[-1] - 1))
                fft_length = ops.convert_to_tensor(sizes, dtypes.int32)
            else:
                sizes = array_ops.unstack(array_ops.shape(input_tensor)[-rank:])
                sizes[-1] = math_ops.maximum(0, 2 * (sizes[-1] - 1))
                fft_length = array_ops.stack(sizes)
        else:
            fft_length = ops.convert_to_tensor(fft_length, dtypes.int32)
        padded = _padded(input_tensor, rank, fft_length, is_inverse=True)
        return getattr(raw_ops, op_type)(padded, fft_length, name=name)


def _padded(x: Tensor, rank: int, fft_length: Any, is_inverse: bool) -> Tensor:
    """`x` padded with zeros to what is transformed."""
    wanted: Any = tensor_util.constant_value_as_shape(fft_length)
    if x._shape is not None and 0 in x._shape:
        return x
    if wanted.is_fully_defined() and x.shape.ndims is not None:
        found = x.shape[-wanted.ndims :]
        if found.is_fully_defined():
            if is_inverse:
                wanted = wanted[:-1].concatenate(wanted.dims[-1].value // 2 + 1)
            sizes = zip(wanted.as_list(), found.as_list(), strict=False)
            paddings = [[0, max(n - size, 0)] for n, size in sizes]
            if not any(after for _, after in paddings):
                return x
            outer = max(x.shape.ndims - wanted.ndims, 0)
            return array_ops.pad(x, [[0, 0]] * outer + paddings)
    x_rank = array_ops.rank(x)
    found = array_ops.shape(x)[-rank:]
    outer = math_ops.maximum(0, x_rank - rank)
    none = array_ops.zeros([outer], fft_length.dtype)
    if is_inverse:
        fft_length = array_ops.concat([fft_length[:-1], fft_length[-1:] // 2 + 1], 0)
    missing = math_ops.maximum(0, fft_length - found)
    after = array_ops.concat([none, missing], 0)
    paddings = array_ops.stack([array_ops.zeros_like(after), after], axis=1)
    return array_ops.pad(x, paddings)


# Shifts.


def _rolled(
    x: Any, axes: Any, name: Any, default_name: str, shift_of: Callable[[Any], int]
) -> Tensor:
    with ops.name_scope(name, default_name) as name:
        x = ops.convert_to_tensor(x)
        if axes is None:
            axes = tuple(range(x.shape.ndims))
            shift: Any = [shift_of(dim) for dim in x.shape]
        elif isinstance(axes, int):
            shift = shift_of(x.shape[axes])
        else:
            shift = [shift_of(x.shape[axis]) for axis in axes]
        return manip_ops.roll(x, shift, axes, name)


@tf_export("signal.fftshift")
def fftshift(x: TensorLike, axes: TensorLike | None = None, name: Name = None) -> Tensor:
    """Moves frequency 0 to the middle.

    Args:
      x: a tensor of known shape.
      axes: the dimension or the dimensions to shift; all by default.
      name: the operation's name.

    Returns:
      A tensor like `x`.
    """
    return _rolled(x, axes, name, "fftshift", lambda dim: int(dim // 2))


@tf_export("signal.ifftshift")
def ifftshift(x: TensorLike, axes: TensorLike | None = None, name: Name = None) -> Tensor:
    """The inverse of `fftshift`.

    Args:
      x: a tensor of known shape.
      axes: the dimension or the dimensions to shift; all by default.
      name: the operation's name.

    Returns:
      A tensor like `x`.
    """
    return _rolled(x, axes, name, "ifftshift", lambda dim: -int(dim // 2))
