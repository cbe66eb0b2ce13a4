"""tf.contrib.ffmpeg: sound and pictures of files that the program `ffmpeg` reads."""

from __future__ import annotations

from tf1compat.core import raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import TensorLike


@tf_export("contrib.ffmpeg.decode_audio")
def decode_audio(
    contents: TensorLike,
    file_format: TensorLike | None = None,
    samples_per_second: TensorLike | None = None,
    channel_count: TensorLike | None = None,
    stream: str | None = None,
) -> Tensor:
    """The sound in a file.

    Args:
      contents: a string scalar, what is in the file.
      file_format: a string scalar: "mp3", "mp4", "ogg" or "wav".
      samples_per_second: an int32 scalar; the sound is brought to so many.
      channel_count: an int32 scalar; the sound is brought to so many channels.
      stream: which of the file's streams, by the number that ffmpeg's option `-map` takes.

    Returns:
      A float32 tensor of shape [samples, channel_count], of numbers from -1 to 1; of shape [0, 0]
      where ffmpeg can't read the file.
    """
    return raw_ops.DecodeAudioV2(contents, file_format, samples_per_second, channel_count, stream)


@tf_export("contrib.ffmpeg.encode_audio")
def encode_audio(
    audio: TensorLike,
    file_format: TensorLike | None = None,
    samples_per_second: TensorLike | None = None,
) -> Tensor:
    """A file of a sound.

    Args:
      audio: a float32 tensor of shape [samples, channels], of numbers from -1 to 1.
      file_format: a string scalar: "wav".
      samples_per_second: an int32 scalar.

    Returns:
      A string scalar.
    """
    # The last is meant for other formats.
    return raw_ops.EncodeAudioV2(audio, file_format, samples_per_second, 192000)


@tf_export("contrib.ffmpeg.decode_video")
def decode_video(contents: TensorLike) -> Tensor:
    """The pictures of a film.

    Args:
      contents: a string scalar, what is in the file.

    Returns:
      A uint8 tensor of shape [pictures, height, width, 3].
    """
    return raw_ops.DecodeVideo(contents)
