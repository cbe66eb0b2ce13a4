"""Sound: WAV files, spectrograms, and the cepstrum of the mel scale."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np

from tf1compat.backend import Array, jnp
from tf1compat.core import shapes
from tf1compat.core.op_registry import op
from tf1compat.core.shapes import ShapeError
from tf1compat.core.typing import LoweringContext, Shape
from tf1compat.kernels.framework.common import refuse, text_of_shape
from tf1compat.kernels.text.string import invalid

_HEADER = struct.Struct("<4sI4s4sIHHIIHH4sI")


class _Reader:
    """Reads a WAV file from its start.

    Args:
      contents: the file.
    """

    def __init__(self, contents: bytes):
        self._contents, self._at = contents, 0

    def take(self, size: int) -> bytes:
        """The next bytes."""
        if self._at + size > len(self._contents):
            raise invalid("Data too short when trying to read string")
        self._at += size
        return self._contents[self._at - size : self._at]

    def expect(self, word: bytes) -> None:
        """Skips a word that must be there."""
        found = self.take(len(word))
        if found != word:
            text = found.decode("latin-1")
            raise invalid(f"Header mismatch: Expected {word.decode()} but found {text}")

    def number(self, form: str) -> int:
        """The next integer, in a format of `struct`."""
        size = struct.calcsize(form)
        if self._at + size > len(self._contents):
            raise invalid("Data too short when trying to read string")
        return struct.unpack("<" + form, self.take(size))[0]

    def is_over(self) -> bool:
        """Whether all was read."""
        return self._at >= len(self._contents)


def _decoded(contents: bytes) -> tuple[np.ndarray, int]:
    """The samples [n, channels] of a WAV file, and how many there are in a second."""
    reader = _Reader(contents)
    reader.expect(b"RIFF")
    reader.number("I")
    reader.expect(b"WAVE")
    reader.expect(b"fmt ")
    size = reader.number("I")
    if size not in (16, 18):
        raise invalid(f"Bad format chunk size for WAV: Expected 16 or 18, but got{size}")
    form, channels, rate = reader.number("H"), reader.number("H"), reader.number("I")
    bytes_per_second, bytes_per_sample, bits = (reader.number(f) for f in ("I", "H", "H"))
    if size == 18:
        reader.number("H")
    if form != 1:
        raise invalid(f"Bad audio format for WAV: Expected 1 (PCM), but got{form}")
    if bits != 16:
        raise invalid(f"Can only read 16-bit WAV files, but received {bits}")
    if bytes_per_sample != 2 * channels:
        raise invalid(
            f"Bad bytes per sample in WAV header: Expected {2 * channels} but got "
            f"{bytes_per_sample}"
        )
    if bytes_per_second != bytes_per_sample * rate:
        raise invalid(
            f"Bad bytes per second in WAV header: Expected {bytes_per_sample * rate} but got "
            f"{bytes_per_second} (sample_rate={rate}, bytes_per_sample={bytes_per_sample})"
        )
    samples = None
    while not reader.is_over():
        name, size = reader.take(4), reader.number("I")
        data = reader.take(size)
        if name == b"data":
            if samples is not None:
                raise invalid("More than one data chunk found in WAV")
            count = size // bytes_per_sample * channels
            samples = np.frombuffer(data, "<i2", count).reshape(-1, channels)
    if samples is None:
        raise invalid("No data chunk found in WAV")
    return samples.astype(np.float32) / np.float32(1 << 15), rate


def _check_rank(name: str, value: Any, rank: int) -> None:
    if np.ndim(value) != rank:
        raise invalid(f"{name} must be {rank}-dimensional{text_of_shape(value)}")


@op("DecodeWav", host=True)
class DecodeWav:
    def shape(contents: Any, *, desired_channels: int, desired_samples: int) -> Any:
        shapes.with_rank(contents, 0)
        for name, value in (("channels", desired_channels), ("samples", desired_samples)):
            if value < 0 and value != -1:
                raise ShapeError(f"{name} must be non-negative, got {value}")
        sizes = (desired_samples, desired_channels)
        return [tuple(None if size == -1 else size for size in sizes), ()]

    def lower(contents: Any, *, desired_channels: int, desired_samples: int) -> Any:
        if np.ndim(contents):
            raise invalid(f"contents must be scalar, got shape {text_of_shape(contents)}")
        samples, rate = _decoded(bytes(np.asarray(contents)[()]))
        channels = samples.shape[1] if desired_channels == -1 else desired_channels
        count = len(samples) if desired_samples == -1 else desired_samples
        # Channels that the file lacks repeat its last one.
        samples = samples[:count, np.minimum(np.arange(channels), samples.shape[1] - 1)]
        padding = np.zeros((count - len(samples), channels), np.float32)
        return [np.concatenate([samples, padding]), np.array(rate, np.int32)]


@op("EncodeWav", host=True)
class EncodeWav:
    def shape(audio: Any, sample_rate: Shape) -> Shape:
        shapes.with_rank(audio, 2)
        shapes.with_rank(sample_rate, 0)
        return ()

    def lower(audio: Any, sample_rate: np.ndarray) -> Any:
        _check_rank("audio", audio, 2)
        if np.ndim(sample_rate):
            shape = text_of_shape(sample_rate)
            raise invalid(f"Input sample_rate should be a scalar tensor, got {shape} instead.")
        audio, rate = np.asarray(audio), int(sample_rate)
        if rate <= 0:
            raise invalid(f"sample_rate must be in (0, 2^32), got: {rate % 2**64}")
        count, channels = audio.shape
        if not channels:
            raise invalid("num_channels must be in (0, 2^16), got: 0")
        if not count:
            raise invalid("num_frames must be positive.")
        if rate * channels * 2 >= 2**32 or count * channels * 2 + 36 >= 2**32:
            raise invalid("Cannot encode audio that takes more than 2^32 bytes")
        scaled = audio * np.float32(1 << 15)
        whole = np.trunc(scaled + np.copysign(np.float32(0.5), scaled))
        data = np.clip(whole, -(1 << 15), (1 << 15) - 1).astype("<i2").tobytes()
        width = 2 * channels
        header = _HEADER.pack(
            b"RIFF", 36 + len(data), b"WAVE", b"fmt ", 16, 1, channels, rate, width * rate, width,
            16, b"data", len(data),
        )  # fmt: skip
        return np.array(header + data, object)


def _fft_size(window_size: int) -> int:
    return 1 << max(window_size - 1, 0).bit_length()


@op("AudioSpectrogram", autodiff=False)
class AudioSpectrogram:
    def shape(input: Any, *, window_size: int, stride: int) -> Shape:
        input = shapes.with_rank(input, 2)
        samples, channels = input
        frames = samples
        if samples is not None:
            frames = 0 if samples < window_size else 1 + (samples - window_size) // stride
        return channels, frames, _fft_size(window_size) // 2 + 1

    def lower(
        input: Any, *, window_size: int, stride: int, magnitude_squared: bool, ctx: LoweringContext
    ) -> Array:
        if window_size < 2 or stride < 1:
            refuse(
                ctx,
                "Spectrogram initialization failed for window size "
                f"{window_size} and stride {stride}",
            )
        _check_rank("input", input, 2)
        count, channels = input.shape
        frames = 0 if count < window_size else 1 + (count - window_size) // stride
        stream = jnp.asarray(input, jnp.float64).T.reshape(-1)
        phase = 2 * np.pi * np.arange(window_size) / window_size
        window = 0.5 - 0.5 * np.cos(phase)
        starts = []
        for channel in range(channels):
            # TF goes on with what was left of the channel before.
            low, high = channel * count, (channel + 1) * count
            first = max(0, -(-(low + 1 - window_size) // stride))
            found = np.arange(first * stride, max(high - window_size + 1, 0), stride)
            if len(found) != frames:
                refuse(
                    ctx,
                    f"Spectrogram size calculation failed: Expected height {frames} but got "
                    f"{len(found)}",
                )
            starts.append(found)
        at = np.array(starts, np.int64).reshape(channels, frames, 1) + np.arange(window_size)
        power = jnp.abs(jnp.fft.rfft(stream[at] * window, _fft_size(window_size))) ** 2
        return (power if magnitude_squared else jnp.sqrt(power)).astype(jnp.float32)


def _mel(frequency: Any) -> Any:
    return 1127.0 * np.log1p(frequency / 700.0)


def _mel_bands(size: int, rate: float, low: float, high: float, bands: int) -> np.ndarray:
    """What each of `size` frequencies adds to each band: triangles on the mel scale."""
    lowest = _mel(low)
    spacing = (_mel(high) - lowest) / (bands + 1)
    centres = lowest + spacing * np.arange(1, bands + 2)
    step = 0.5 * rate / (size - 1)
    weights = np.zeros((size, bands))
    channel = 0
    for i in range(int(1.5 + low / step), min(int(high / step), size - 1) + 1):
        mel = _mel(i * step)
        while channel < bands and centres[channel] < mel:
            channel += 1
        below = lowest if channel == 0 else centres[channel - 1]
        share = (centres[channel] - mel) / (centres[channel] - below)
        if channel > 0:
            weights[i, channel - 1] += share
        if channel < bands:
            weights[i, channel] += 1 - share
    return weights


@op("Mfcc", const=(1,))
class Mfcc:
    def shape(spectrogram: Any, sample_rate: Shape, *, dct_coefficient_count: int) -> Shape:
        spectrogram = shapes.with_rank(spectrogram, 3)
        shapes.with_rank(sample_rate, 0)
        return (*spectrogram[:2], dct_coefficient_count)

    def lower(
        spectrogram: Any,
        sample_rate: np.ndarray,
        *,
        upper_frequency_limit: float,
        lower_frequency_limit: float,
        filterbank_channel_count: int,
        dct_coefficient_count: int,
        ctx: LoweringContext,
    ) -> Array:
        _check_rank("spectrogram", spectrogram, 3)
        bands, count = filterbank_channel_count, dct_coefficient_count
        rate, low, high = int(sample_rate), lower_frequency_limit, upper_frequency_limit
        size = spectrogram.shape[2]
        if rate <= 0 or size < 2 or not 0 <= low < high or not 0 < count <= bands:
            refuse(
                ctx,
                f"Mfcc initialization failed for channel count {size} and sample rate {rate}",
            )
        weights = _mel_bands(size, rate, low, high, bands)
        energy = jnp.sqrt(spectrogram.astype(jnp.float64)) @ weights
        angles = np.pi / bands * np.outer(np.arange(bands) + 0.5, np.arange(count))
        transform = np.sqrt(2.0 / bands) * np.cos(angles)
        return (jnp.log(jnp.maximum(energy, 1e-12)) @ transform).astype(jnp.float32)
