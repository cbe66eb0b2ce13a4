"""`tensorflow.python.ops.gen_audio_ops`: sound."""

from __future__ import annotations

from typing import Any

from tf1compat.core import raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name, TensorLike


@tf_export("audio.decode_wav")
def decode_wav(
    contents: TensorLike, desired_channels: Any = -1, desired_samples: Any = -1, name: Name = None
) -> Any:
    """The sound in a WAV file of 16-bit samples.

    Args:
      contents: the file, a scalar string.
      desired_channels: how many channels; those that the file lacks repeat its last one. -1 for
        as many as the file has.
      desired_samples: how many samples; zeros follow where the file has fewer. -1 for as many.
      name: the operation's name.

    Returns:
      (audio, sample_rate): float32 samples [n, channels] in [-1, 1), and an int32 scalar.

    Raises:
      InvalidArgumentError: in a run, it is no such file.
    """
    return raw_ops.DecodeWav(contents, desired_channels, desired_samples, name=name)


@tf_export("audio.encode_wav")
def encode_wav(audio: Any, sample_rate: TensorLike, name: Name = None) -> Tensor:
    """A WAV file of 16-bit samples.

    Args:
      audio: float32 samples [n, channels]; what is not in [-1, 1) is clipped.
      sample_rate: an int32 scalar.
      name: the operation's name.

    Returns:
      A scalar string.
    """
    return raw_ops.EncodeWav(audio, sample_rate, name=name)


def audio_spectrogram(
    input: TensorLike,
    window_size: Any,
    stride: Any,
    magnitude_squared: Any = False,
    name: Name = None,
) -> Tensor:
    """The magnitudes of the Fourier transforms of Hann windows.

    Args:
      input: float32 samples [n, channels].
      window_size: of a window, in samples; it is padded to a power of two, p.
      stride: how far the windows are apart.
      magnitude_squared: whether to give the squares.
      name: the operation's name.

    Returns:
      A float32 tensor [channels, windows, p / 2 + 1].
    """
    return raw_ops.AudioSpectrogram(
        input,
        window_size=window_size,
        stride=stride,
        magnitude_squared=magnitude_squared,
        name=name,
    )


def mfcc(
    spectrogram: Any,
    sample_rate: TensorLike,
    upper_frequency_limit: Any = 4000,
    lower_frequency_limit: Any = 20,
    filterbank_channel_count: Any = 40,
    dct_coefficient_count: Any = 13,
    name: Name = None,
) -> Tensor:
    """The mel-frequency cepstral coefficients of spectrograms.

    Args:
      spectrogram: as of `audio_spectrogram`, squared.
      sample_rate: an int32 scalar.
      upper_frequency_limit, lower_frequency_limit: in Hertz, of the bands.
      filterbank_channel_count: how many bands.
      dct_coefficient_count: how many coefficients.
      name: the operation's name.

    Returns:
      A float32 tensor [channels, windows, dct_coefficient_count].
    """
    return raw_ops.Mfcc(
        spectrogram,
        sample_rate,
        upper_frequency_limit=upper_frequency_limit,
        lower_frequency_limit=lower_frequency_limit,
        filterbank_channel_count=filterbank_channel_count,
        dct_coefficient_count=dct_coefficient_count,
        name=name,
    )
