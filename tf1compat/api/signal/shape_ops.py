"""`tensorflow.python.ops.signal.shape_ops`: cutting signals into frames."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.math import math_ops
from tf1compat.api.signal import util_ops
from tf1compat.core import ops, tensor_util
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name


def _static_shape(
    signal: Tensor, frame_length: Any, frame_step: Any, pad_end: bool, axis: Any
) -> list[Any] | None:
    """What is known of the result's shape."""
    length, step, axis = map(tensor_util.constant_value, (frame_length, frame_step, axis))
    if signal.shape.ndims is None:
        return None
    if axis is None:
        return [None] * (signal.shape.ndims + 1)
    shape = signal.shape.as_list()
    samples, count = shape[axis], None
    if shape and samples is not None and step is not None:
        if pad_end:
            count = max(0, -(-samples // step))
        elif length is not None:
            count = max(0, (samples - length + step) // step)
    return [*shape[:axis], count, length, *shape[axis:][1:]]


@tf_export("signal.frame")
def frame(
    signal: Any,
    frame_length: Any,
    frame_step: Any,
    pad_end: bool = False,
    pad_value: Any = 0,
    axis: Any = -1,
    name: Name = None,
) -> Tensor:
    """Cuts the dimension `axis` of a signal into frames, which may overlap.

    Args:
      signal: [..., samples, ...].
      frame_length, frame_step: the length of a frame and the distance of their starts, int
        scalars.
      pad_end: whether the signal is padded so that every sample from the start of a step on is in
        a frame; else an incomplete frame at the end is dropped.
      pad_value: what with.
      axis: the dimension, an int scalar.
      name: the name scope, "frame" by default.

    Returns:
      A tensor [..., frames, frame_length, ...].
    """
    with ops.name_scope(name, "frame", [signal, frame_length, frame_step, pad_value]):
        signal, frame_length, frame_step, axis = tensor_util.named_tensors(
            None, signal=signal, frame_length=frame_length, frame_step=frame_step, axis=axis
        )
        signal.shape.with_rank_at_least(1)
        for scalar in (frame_length, frame_step, axis):
            scalar.shape.assert_has_rank(0)
        static_shape = _static_shape(signal, frame_length, frame_step, pad_end, axis)
        rank = array_ops.rank(signal)
        axis = math_ops.range(rank)[axis]
        shape = array_ops.shape(signal)
        outer, samples, inner = array_ops.split(shape, [axis, 1, rank - 1 - axis])
        samples = array_ops.reshape(samples, [])
        outer_rank, inner_rank = array_ops.size(outer), array_ops.size(inner)
        if pad_end:
            pad_value = ops.convert_to_tensor(pad_value, signal.dtype)
            pad_value.shape.assert_has_rank(0)
            count = -(-samples // frame_step)
            missing = math_ops.maximum(0, frame_length + frame_step * (count - 1) - samples)
            before, after = [
                array_ops.zeros([dimensions, 2], dtype=missing.dtype)
                for dimensions in (outer_rank, inner_rank)
            ]
            paddings = array_ops.concat([before, [[0, missing]], after], 0)
            signal = array_ops.pad(signal, paddings, constant_values=pad_value)
            shape = array_ops.shape(signal)
            samples = shape[axis]
        else:
            count = math_ops.maximum(0, 1 + (samples - frame_length) // frame_step)

        def with_sizes(*sizes: Any) -> Tensor:
            """The signal's shape with these dimensions in place of the samples."""
            return array_ops.concat([outer, list(sizes), inner], 0)

        # Frames are gathered in pieces that the steps and the frames are both made of.
        piece = util_ops.gcd(frame_length, frame_step)
        per_frame, per_step, pieces = [x // piece for x in (frame_length, frame_step, samples)]
        used, cut = with_sizes(pieces * piece), with_sizes(pieces, piece)
        start = array_ops.zeros_like(shape)
        signal = array_ops.reshape(array_ops.strided_slice(signal, start, used), cut)
        starts = array_ops.reshape(math_ops.range(count) * per_step, [count, 1])
        within = array_ops.reshape(math_ops.range(per_frame), [1, per_frame])
        chosen = array_ops.gather(signal, starts + within, axis=axis)
        frames = array_ops.reshape(chosen, with_sizes(count, frame_length))
        if static_shape:
            frames.set_shape(static_shape)
        return frames
