"""`tensorflow.python.ops.signal.spectral_ops`: short-time Fourier transforms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.math import math_ops
from tf1compat.api.signal import fft_ops, reconstruction_ops, shape_ops, window_ops
from tf1compat.core import dtypes, ops, tensor_util
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import DTypeLike, Name, TensorLike


def _scalar(value: TensorLike, name: str) -> Tensor:
    tensor = ops.convert_to_tensor(value, name=name)
    tensor.shape.assert_has_rank(0)
    return tensor


@tf_export("signal.stft")
def stft(
    signals: Any,
    frame_length: TensorLike,
    frame_step: TensorLike,
    fft_length: TensorLike | None = None,
    window_fn: Any = window_ops.hann_window,
    pad_end: bool = False,
    name: Name = None,
) -> Tensor:
    """The Fourier transforms of the frames of signals.

    Args:
      signals: float32 [..., samples].
      frame_length, frame_step: the length of a frame and the distance of their starts.
      fft_length: the length that is transformed; the next power of two by default.
      window_fn: (frame_length, dtype) -> the window that frames are multiplied by; None for none.
      pad_end: whether the end is padded with zeros to whole frames.
      name: the name scope, "stft" by default.

    Returns:
      A complex64 tensor [..., frames, fft_length // 2 + 1].
    """
    with ops.name_scope(name, "stft", [signals, frame_length, frame_step]):
        signals = ops.convert_to_tensor(signals, name="signals")
        signals.shape.with_rank_at_least(1)
        frame_length = _scalar(frame_length, "frame_length")
        frame_step = _scalar(frame_step, "frame_step")
        if fft_length is None:
            fft_length = _next_power_of_two(frame_length)
        else:
            fft_length = ops.convert_to_tensor(fft_length, name="fft_length")
        frames = shape_ops.frame(signals, frame_length, frame_step, pad_end=pad_end)
        if window_fn is not None:
            frames *= window_fn(frame_length, dtype=frames.dtype)
        return fft_ops.rfft(frames, [fft_length])


@tf_export("signal.inverse_stft_window_fn")
def inverse_stft_window_fn(
    frame_step: TensorLike, forward_window_fn: Any = window_ops.hann_window, name: Name = None
) -> Callable[..., Tensor]:
    """The window function with which `inverse_stft` inverts `stft` (Griffin and Lim, 1984).

    Args:
      frame_step: the distance of the starts of frames.
      forward_window_fn: the window function of `stft`.
      name: the name scope, "inverse_stft_window_fn" by default.

    Returns:
      (frame_length, dtype) -> window [frame_length].
    """
    scope = "inverse_stft_window_fn"
    with ops.name_scope(name, scope, [forward_window_fn]):
        frame_step = _scalar(frame_step, "frame_step")

    def inverse_stft_window_fn_inner(frame_length: TensorLike, dtype: DTypeLike) -> Tensor:
        with ops.name_scope(name, scope, [forward_window_fn]):
            frame_length = _scalar(frame_length, "frame_length")
            window = forward_window_fn(frame_length, dtype=dtype)
            return window / _overlapped(math_ops.square(window), frame_length, frame_step)

    return inverse_stft_window_fn_inner


def _overlapped(values: Tensor, length: Tensor, step: Tensor) -> Tensor:
    """The sum of copies of `values`, [length], each moved by `step`, where they all overlap."""
    copies = -(-length // step)
    values = array_ops.pad(values, [(0, copies * step - length)])
    rows = array_ops.reshape(values, [copies, step])
    total = array_ops.tile(math_ops.reduce_sum(rows, 0, keepdims=True), [copies, 1])
    return array_ops.reshape(total, [copies * step])[:length]


@tf_export("signal.inverse_stft")
def inverse_stft(
    stfts: Any,
    frame_length: TensorLike,
    frame_step: TensorLike,
    fft_length: TensorLike | None = None,
    window_fn: Any = window_ops.hann_window,
    name: Name = None,
) -> Tensor:
    """Signals from the Fourier transforms of their frames.

    Args:
      stfts: complex64 [..., frames, fft_length // 2 + 1].
      frame_length, frame_step, fft_length: as in `stft`.
      window_fn: the window that frames are multiplied by before they are added up; see
        `inverse_stft_window_fn`.
      name: the name scope, "inverse_stft" by default.

    Returns:
      A float32 tensor [..., samples].
    """
    with ops.name_scope(name, "inverse_stft", [stfts]):
        stfts = ops.convert_to_tensor(stfts, name="stfts")
        stfts.shape.with_rank_at_least(2)
        frame_length = _scalar(frame_length, "frame_length")
        frame_step = _scalar(frame_step, "frame_step")
        if fft_length is None:
            fft_length = _next_power_of_two(frame_length)
        else:
            fft_length = _scalar(fft_length, "fft_length")
        frames = fft_ops.irfft(stfts, [fft_length])
        length = tensor_util.constant_value(frame_length)
        rank = frames.shape.ndims
        size = None if rank is None else frames.shape.as_list()[-1]
        if length is None or rank is None or size is None:
            frames = frames[..., :frame_length]
            dynamic_rank, shape = array_ops.rank(frames), array_ops.shape(frames)
            none = array_ops.zeros([dynamic_rank - 1, 2], dtype=frame_length.dtype)
            missing = math_ops.maximum(0, frame_length - shape[-1])
            frames = array_ops.pad(frames, array_ops.concat([none, [[0, missing]]], 0))
        elif size > length:
            frames = frames[..., :length]
        elif size < length:
            frames = array_ops.pad(frames, [[0, 0]] * (rank - 1) + [[0, length - size]])
        if length is not None and frames.shape.ndims is not None:
            frames.set_shape([None] * (frames.shape.ndims - 1) + [length])
        if window_fn is not None:
            frames *= window_fn(frame_length, dtype=stfts.dtype.real_dtype)
        return reconstruction_ops.overlap_and_add(frames, frame_step)


def _next_power_of_two(value: Tensor) -> Tensor:
    known = tensor_util.constant_value(value)
    if known is not None:
        power = int(2 ** np.ceil(np.log(known) / np.log(2.0)))
        return constant_op.constant(power, value.dtype)
    log = math_ops.log(math_ops.cast(value, dtypes.float32))
    exponent = math_ops.ceil(log / math_ops.log(2.0))
    return math_ops.cast(math_ops.pow(2.0, exponent), value.dtype)
