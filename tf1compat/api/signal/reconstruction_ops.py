"""`tensorflow.python.ops.signal.reconstruction_ops`: signals from overlapping frames."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.math import math_ops
from tf1compat.core import dtypes, ops, tensor_util
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name, TensorLike


@tf_export("signal.overlap_and_add")
def overlap_and_add(signal: Any, frame_step: TensorLike, name: Name = None) -> Tensor:
    """The sum of frames, each moved by `frame_step` from the one before.

    Args:
      signal: [..., frames, frame_length].
      frame_step: an int scalar, at most frame_length.
      name: the name scope, "overlap_and_add" by default.

    Returns:
      A tensor [..., (frames - 1) frame_step + frame_length].

    Raises:
      ValueError: the rank of `signal` is less than 2, or `frame_step` is not an integer scalar.
    """
    with ops.name_scope(name, "overlap_and_add", [signal, frame_step]):
        signal = ops.convert_to_tensor(signal, name="signal")
        signal.shape.with_rank_at_least(2)
        frame_step = _integer_scalar(frame_step, "frame_step")
        shape = array_ops.shape(signal)
        outer = shape[:-2]
        outer_rank = array_ops.size(outer)

        def with_outer(inner: list[Any]) -> Tensor:
            return array_ops.concat([outer, inner], 0)

        length, frames = shape[-1], shape[-2]
        output_length = length + frame_step * (frames - 1)
        step = tensor_util.constant_value(frame_step)
        if step is not None and signal._shape is not None and step == signal._shape[-1]:
            return array_ops.reshape(signal, with_outer([output_length]), name="fast_path")
        # A frame becomes `segments` pieces of the size of a step. With `segments` empty frames
        # after the last one, piece j of frame i lands in row i + j of the transposed pieces.
        segments = -(-length // frame_step)
        paddings = [[0, segments], [0, segments * frame_step - length]]
        none = array_ops.zeros([outer_rank, 2], dtypes.int32)
        signal = array_ops.pad(signal, array_ops.concat([none, paddings], 0))
        signal = array_ops.reshape(signal, with_outer([frames + segments, segments, frame_step]))
        perm = array_ops.concat([math_ops.range(outer_rank), outer_rank + [1, 0, 2]], 0)
        signal = array_ops.transpose(signal, perm)
        signal = array_ops.reshape(signal, with_outer([(frames + segments) * segments, frame_step]))
        signal = signal[..., : (frames + segments - 1) * segments, :]
        signal = array_ops.reshape(
            signal, with_outer([segments, frames + segments - 1, frame_step])
        )
        signal = math_ops.reduce_sum(signal, -3)
        signal = array_ops.reshape(signal, with_outer([(frames + segments - 1) * frame_step]))
        return signal[..., :output_length]


def _integer_scalar(value: TensorLike, name: str) -> Tensor:
    scalar = ops.convert_to_tensor(value, name=name)
    scalar.shape.assert_has_rank(0)
    if not scalar.dtype.is_integer:
        raise ValueError(f"{name} must be an integer. Got {scalar.dtype}")
    return scalar
