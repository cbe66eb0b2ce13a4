"""Sound and pictures in files of many formats, which the program `ffmpeg` decodes."""

from __future__ import annotations

import io
import shutil
import struct
import subprocess
import tempfile
from typing import Any

import numpy as np

from tf1compat.core import errors
from tf1compat.core.op_registry import not_differentiable, op
from tf1compat.core.operation import Operation
from tf1compat.core.shapes import Shape, ShapeError
from tf1compat.core.typing import LoweringContext
from tf1compat.kernels.framework.common import refuse, text_of_shape

_FORMATS = ("mp3", "mp4", "ogg", "wav")
_LARGEST = 32767  # of the 16 bits of a sample
_INSTALL = "FFmpeg must be installed to run this op. FFmpeg can be found at http://www.ffmpeg.org."


def _run(ctx: LoweringContext, contents: bytes, before: list[str], after: list[str]) -> bytes:
    """What ffmpeg makes of a file: nothing where it can't be read.

    Args:
      ctx: of the operation.
      contents: of the file.
      before, after: ffmpeg's arguments around the file's name.
    """
    program = shutil.which("ffmpeg")
    if program is None:
        ctx.check(False, errors.UnavailableError, _INSTALL)
    # A file, as some formats are not read from start to end.
    with tempfile.NamedTemporaryFile() as file:
        file.write(contents)
        file.flush()
        quiet = [str(program), "-nostdin", "-loglevel", "error"]
        command = [*quiet, *before, "-i", file.name, *after, "-"]
        return subprocess.run(command, stdout=subprocess.PIPE, check=False).stdout


def _check_ranks(ctx: LoweringContext, **values: Any) -> None:
    for name, value in values.items():
        rank = 2 if name == "sampled_audio" else 0
        if np.ndim(value) != rank:
            shape = text_of_shape(value)
            refuse(ctx, f"{name} must be a rank-{rank} tensor but got shape {shape}")


def _check_positive(ctx: LoweringContext, **values: Any) -> None:
    for name, value in values.items():
        if value <= 0:
            refuse(ctx, f"{name} must be positive, but got: {value}")


def _decoded(
    ctx: LoweringContext,
    contents: Any,
    file_format: str,
    samples_per_second: int,
    channel_count: int,
    stream: str = "",
) -> Any:
    file_format = file_format.lower()
    if file_format not in _FORMATS:
        formats = ", ".join(_FORMATS)
        refuse(ctx, f'file_format must be one of {{{formats}}}, but was: "{file_format}"')
    _check_positive(ctx, samples_per_second=samples_per_second, channel_count=channel_count)
    form = ["-ac:a:0", str(channel_count), "-ar:a:0", str(samples_per_second)]
    chosen = ["-map", f"0:{stream}"] if stream else []
    after = ["-vn", *form, *chosen, "-f", "s16le"]
    samples = _run(ctx, contents[()], ["-f", file_format], after)
    if not samples:
        return np.zeros((0, 0), np.float32)
    found = np.frombuffer(samples, "<i2").reshape(-1, channel_count)
    return found.astype(np.float32) / np.float32(_LARGEST)


def _encoded(ctx: LoweringContext, audio: Any, file_format: str, samples_per_second: int) -> Any:
    file_format = file_format.lower()
    if file_format != "wav":
        refuse(ctx, f'file_format must be "wav", but got: {file_format}')
    _check_positive(ctx, samples_per_second=samples_per_second)
    # Beyond 1 samples go around, as TensorFlow's do.
    samples = (audio * np.float32(_LARGEST)).astype(np.int32).astype("<i2")
    return np.array(_wav(samples, samples_per_second), object)


def _wav(samples: np.ndarray, samples_per_second: int) -> bytes:
    data, channels = samples.tobytes(), samples.shape[1]
    frame = channels * samples.itemsize
    form = (1, channels, samples_per_second, samples_per_second * frame, frame, 16)
    layout = struct.pack("<HHIIHH", *form)
    # Python's own module knows no sound without channels, which TensorFlow writes.
    chunks = b"fmt " + struct.pack("<I", len(layout)) + layout + b"data"
    chunks += struct.pack("<I", len(data)) + data
    return b"RIFF" + struct.pack("<I", 4 + len(chunks)) + b"WAVE" + chunks


@op("DecodeAudioV2", host=True)
class DecodeAudioV2:
    def shape(
        contents: Any,
        file_format: Any,
        samples_per_second: Any,
        channel_count: Any,
        *,
        op: Operation,
    ) -> Shape:
        count = op.const_input(3)
        if count is None or np.ndim(count):
            return (None, None)
        if count <= 0:
            raise ShapeError(f"channel_count must be positive, but got: {count}")
        return (None, int(count))

    def lower(
        contents: Any,
        file_format: Any,
        samples_per_second: Any,
        channel_count: Any,
        *,
        stream: str,
        ctx: LoweringContext,
    ) -> Any:
        _check_ranks(
            ctx,
            contents=contents,
            file_format=file_format,
            samples_per_second=samples_per_second,
            channel_count=channel_count,
        )
        name, rate = file_format[()].decode(), int(samples_per_second)
        return _decoded(ctx, contents, name, rate, int(channel_count), stream)


@op("DecodeAudio", host=True)
class DecodeAudio:
    def shape(contents: Any, *, channel_count: int) -> Shape:
        if channel_count <= 0:
            raise ShapeError("channel_count must be positive.")
        return (None, channel_count)

    def lower(
        contents: Any,
        *,
        file_format: str,
        samples_per_second: int,
        channel_count: int,
        ctx: LoweringContext,
    ) -> Any:
        _check_ranks(ctx, contents=contents)
        return _decoded(ctx, contents, file_format, samples_per_second, channel_count)


@op("EncodeAudioV2", host=True)
class EncodeAudioV2:
    def shape(
        sampled_audio: Any, file_format: Any, samples_per_second: Any, bits_per_second: Any
    ) -> Shape:
        return ()

    def lower(
        sampled_audio: Any,
        file_format: Any,
        samples_per_second: Any,
        bits_per_second: Any,
        *,
        ctx: LoweringContext,
    ) -> Any:
        _check_ranks(
            ctx,
            sampled_audio=sampled_audio,
            file_format=file_format,
            samples_per_second=samples_per_second,
            bits_per_second=bits_per_second,
        )
        return _encoded(ctx, sampled_audio, file_format[()].decode(), int(samples_per_second))


@op("EncodeAudio", host=True)
class EncodeAudio:
    def shape(sampled_audio: Any) -> Shape:
        return ()

    def lower(
        sampled_audio: Any, *, file_format: str, samples_per_second: int, ctx: LoweringContext
    ) -> Any:
        _check_ranks(ctx, sampled_audio=sampled_audio)
        return _encoded(ctx, sampled_audio, file_format, samples_per_second)


@op("DecodeVideo", host=True)
class DecodeVideo:
    def shape(contents: Any) -> Shape:
        return (None,) * 4

    def lower(contents: Any, *, ctx: LoweringContext) -> Any:
        _check_ranks(ctx, contents=contents)
        out = io.BytesIO(_run(ctx, contents[()], [], ["-f", "image2pipe", "-vcodec", "ppm"]))
        frames = []
        while out.readline():  # "P6", then the picture's size and the largest value
            width, height = map(int, out.readline().split())
            out.readline()
            pixels = np.frombuffer(out.read(width * height * 3), np.uint8)
            frames.append(pixels.reshape(height, width, 3))
        if not frames:
            refuse(ctx, "FFmpeg finds no pictures in it")
        return np.stack(frames)


not_differentiable("DecodeAudio", "EncodeAudio", "DecodeVideo")
