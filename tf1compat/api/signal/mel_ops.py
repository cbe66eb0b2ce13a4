"""`tensorflow.python.ops.signal.mel_ops`: the mel scale."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.math import math_ops
from tf1compat.api.signal import shape_ops
from tf1compat.core import dtypes, ops, tensor_util
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import DTypeLike, Name, TensorLike

# Of HTK: mel = 1127 log(1 + hertz / 700).
_BREAK_HERTZ = 700.0
_HIGH_Q = 1127.0


def _hertz_to_mel(hertz: Any) -> Tensor:
    with ops.name_scope(None, "hertz_to_mel", [hertz]):
        hertz = ops.convert_to_tensor(hertz)
        return _HIGH_Q * math_ops.log(1.0 + (hertz / _BREAK_HERTZ))


def _validate(
    num_mel_bins: Any, sample_rate: Any, lower_edge_hertz: Any, upper_edge_hertz: Any, dtype: Any
) -> None:
    if num_mel_bins <= 0:
        raise ValueError(f"num_mel_bins must be positive. Got: {num_mel_bins}")
    if sample_rate <= 0.0:
        raise ValueError(f"sample_rate must be positive. Got: {sample_rate}")
    if lower_edge_hertz < 0.0:
        raise ValueError(f"lower_edge_hertz must be non-negative. Got: {lower_edge_hertz}")
    if lower_edge_hertz >= upper_edge_hertz:
        raise ValueError(
            f"lower_edge_hertz {lower_edge_hertz:.1f} >= upper_edge_hertz {upper_edge_hertz:.1f}"
        )
    if upper_edge_hertz > sample_rate / 2:
        raise ValueError(
            "upper_edge_hertz must not be larger than the Nyquist frequency (sample_rate / 2). "
            f"Got: {upper_edge_hertz} for sample_rate: {sample_rate}"
        )
    if not dtype.is_floating:
        raise ValueError(f"dtype must be a floating point type. Got: {dtype}")


@tf_export("signal.linear_to_mel_weight_matrix")
def linear_to_mel_weight_matrix(
    num_mel_bins: int = 20,
    num_spectrogram_bins: Any = 129,
    sample_rate: TensorLike = 8000,
    lower_edge_hertz: float = 125.0,
    upper_edge_hertz: float = 3800.0,
    dtype: DTypeLike = dtypes.float32,
    name: Name = None,
) -> Tensor:
    """The matrix by which spectra are multiplied to give mel spectra: triangles that overlap.

    Args:
      num_mel_bins: the number of bands.
      num_spectrogram_bins: the number of bins in a spectrum; an int scalar.
      sample_rate: of the signal, in hertz; a number or a constant tensor.
      lower_edge_hertz, upper_edge_hertz: the range of the bands.
      dtype: a floating-point dtype.
      name: the operation's name.

    Returns:
      A tensor [num_spectrogram_bins, num_mel_bins].

    Raises:
      ValueError: numbers that make no sense.
    """
    with ops.name_scope(name, "linear_to_mel_weight_matrix") as name:
        if isinstance(sample_rate, ops.Tensor):
            known = tensor_util.constant_value(sample_rate)
            if known is None:
                raise ValueError(
                    "`sample_rate` was a non-constant Tensor. Must be a Python float or a "
                    "constant Tensor."
                )
            sample_rate = known
        _validate(num_mel_bins, sample_rate, lower_edge_hertz, upper_edge_hertz, dtype)
        rate, lower, upper = tensor_util.named_tensors(
            dtype,
            sample_rate=sample_rate,
            lower_edge_hertz=lower_edge_hertz,
            upper_edge_hertz=upper_edge_hertz,
        )
        zero = ops.convert_to_tensor(0.0, dtype)
        # The bin of frequency 0 is in no band, as in HTK.
        nyquist = rate / 2.0
        frequencies = math_ops.linspace(zero, nyquist, num_spectrogram_bins)[1:]
        bins = array_ops.expand_dims(_hertz_to_mel(frequencies), 1)
        edges = math_ops.linspace(_hertz_to_mel(lower), _hertz_to_mel(upper), num_mel_bins + 2)
        weights = math_ops.maximum(zero, _triangles(bins, edges, num_mel_bins))
        return array_ops.pad(weights, [[1, 0], [0, 0]], name=name)


def _triangles(x: Tensor, edges: Tensor, count: int) -> Tensor:
    """At `x`, lines from 0 at an edge up to 1 at the next and down to 0 at the one after it.

    Args:
      x: [n, 1].
      edges: [count + 2].
      count: how many triangles there are.

    Returns:
      A tensor [n, count], negative outside the triangles.
    """
    corners = array_ops.split(shape_ops.frame(edges, frame_length=3, frame_step=1), 3, axis=1)
    low, centre, high = [array_ops.reshape(corner, [1, count]) for corner in corners]
    rising = (x - low) / (centre - low)
    falling = (high - x) / (high - centre)
    return math_ops.minimum(rising, falling)
