"""Summaries: values as messages that TensorBoard shows."""

from __future__ import annotations

import functools
import struct
from typing import Any

import numpy as np

from tf1compat.core import dtypes, protos
from tf1compat.core.deferred import Deferred
from tf1compat.core.op_registry import not_differentiable, op
from tf1compat.core.operation import Operation
from tf1compat.core.typing import LoweringContext
from tf1compat.kernels.framework.common import refuse, scalar, text_of_shape
from tf1compat.kernels.image.png_writing import png_file

messages = Deferred("google.protobuf.message")

_LARGEST = float(np.finfo(np.float64).max)
# Below this, the values of an image are taken for zeros.
_ZERO = 1e-6


def message() -> Any:
    """An empty Summary."""
    return protos.load("summary_pb2", "Summary")()


def _serialized(summary: Any) -> np.ndarray:
    return np.array(summary.SerializeToString(), object)


@op("ScalarSummary", host=True)
class ScalarSummary:
    shape = scalar

    def lower(tags: Any, values: np.ndarray, *, ctx: LoweringContext) -> Any:
        if tags.shape != values.shape:
            tag = f" (tag '{tags.item().decode()}')" if tags.size == 1 else ""
            refuse(
                ctx,
                "tags and values not the same shape: "
                f"{text_of_shape(tags)} != {text_of_shape(values)}{tag}",
            )
        found = message()
        for tag, value in zip(tags.ravel().tolist(), values.astype(np.float32).ravel().tolist()):
            found.value.add(tag=tag.decode(), simple_value=value)
        return _serialized(found)


@functools.cache
def _bucket_limits() -> np.ndarray:
    """Where the buckets of a histogram end; each is a tenth wider than the one nearer to zero."""
    limits = []
    limit = 1e-12
    while limit < 1e20:
        limits.append(limit)
        limit *= 1.1
    limits.append(_LARGEST)
    return np.array([-limit for limit in reversed(limits)] + [0.0] + limits)


def fill_histogram(histogram: Any, values: np.ndarray) -> None:
    """Fills a HistogramProto with float64 values; of empty buckets in a row, only one is listed."""
    limits = _bucket_limits()
    places = np.searchsorted(limits[:-1], values, side="right")
    counts = np.bincount(places, minlength=len(limits))
    histogram.min = values.min() if values.size else _LARGEST
    histogram.max = values.max() if values.size else -_LARGEST
    histogram.num = values.size
    # One after the other, where np.sum would add in pairs.
    histogram.sum = np.add.accumulate(values)[-1] if values.size else 0.0
    histogram.sum_squares = np.add.accumulate(values * values)[-1] if values.size else 0.0
    filled = counts > 0
    shown = filled | np.append(filled[1:], True)
    if not values.size:
        shown[:-1] = False
    histogram.bucket_limit.extend(limits[shown].tolist())
    histogram.bucket.extend(counts[shown].astype(float).tolist())


@op("HistogramSummary", host=True)
class HistogramSummary:
    shape = scalar

    def lower(tag: Any, values: np.ndarray, *, op: Operation, ctx: LoweringContext) -> Any:
        if tag.ndim:
            refuse(ctx, "tags must be scalar")
        return _serialized(histogram_summary(tag, values, op.name, ctx))


def histogram_summary(tag: Any, values: Any, name: str, ctx: LoweringContext) -> Any:
    """A Summary of the values' distribution; `name` is what an error calls them."""
    numbers = np.asarray(values).ravel().astype(np.float64)
    strange = numbers[~np.isfinite(numbers)]
    if strange.size:
        kind = "Nan" if np.isnan(strange[0]) else "Infinity"
        refuse(ctx, f"{kind} in summary histogram for: {name}")
    found = message()
    fill_histogram(found.value.add(tag=tag[()].decode()).histo, numbers)
    return found


def _pixels(image: np.ndarray, bad_color: np.ndarray) -> np.ndarray:
    """An image of floats as bytes: scaled so that the greatest is 255, or with 0 at the middle."""
    flat = image.reshape(-1, image.shape[-1])
    good = np.isfinite(flat).all(axis=1)
    kind = flat.dtype.type
    low, high = (flat[good].min(), flat[good].max()) if good.any() else (kind(0), kind(0))
    if low < 0:
        largest = max(abs(low), abs(high))
        scale, offset = kind(0) if largest < _ZERO else kind(127) / largest, kind(128)
    else:
        scale, offset = kind(0) if high < _ZERO else kind(255) / high, kind(0)
    pixels = np.empty(flat.shape, np.uint8)
    pixels[good] = (flat[good] * scale + offset).astype(np.uint8)
    pixels[~good] = bad_color[: flat.shape[1]]
    return pixels.reshape(image.shape)


@op("ImageSummary", host=True)
class ImageSummary:
    shape = scalar

    def lower(
        tag: Any, tensor: np.ndarray, *, max_images: int, bad_color: Any, ctx: LoweringContext
    ) -> Any:
        if tag.ndim:
            refuse(ctx, "Tags must be a scalar")
        return _serialized(image_summary(tag, tensor, max_images, np.asarray(bad_color), ctx))


def image_summary(
    tag: Any, tensor: Any, max_images: int, color: np.ndarray, ctx: LoweringContext
) -> Any:
    """A Summary of images; `color` is that of pixels that are no numbers."""
    if tensor.ndim != 4 or tensor.shape[3] not in (1, 3, 4):
        shape = text_of_shape(tensor)
        refuse(ctx, f"Tensor must be 4-D with last dim 1, 3, or 4, not {shape}")
    if 0 in tensor.shape[1:3]:
        shape = ", ".join(map(str, tensor.shape))
        refuse(ctx, f"input tensor must have non-zero dims. Found: [{shape}].")
    if color.dtype != np.uint8:
        refuse(ctx, f"bad_color must be uint8, got {dtypes.as_dtype(color.dtype).name}")
    if color.size < tensor.shape[3]:
        refuse(
            ctx, f"expected depth <= bad_color.size, got depth = {tensor.shape[3]}, "
            f"bad_color.size = {color.size}",
        )  # fmt: skip
    found = message()
    for i, image in enumerate(tensor[:max_images]):
        pixels = image if image.dtype == np.uint8 else _pixels(image, color)
        value = found.value.add(tag=_numbered(tag, "image", i, max_images))
        value.image.height, value.image.width, value.image.colorspace = pixels.shape
        value.image.encoded_image_string = png_file(pixels)
    return found


def _numbered(tag: Any, kind: str, i: int, count: int) -> str:
    """The tag of one of several values."""
    return f"{tag[()].decode()}/{kind}" + (f"/{i}" if count > 1 else "")


def _wav_file(samples: np.ndarray, rate: int) -> bytes:
    """A WAV file of samples from -1 to 1, of shape [frames, channels]."""
    scaled = np.nan_to_num(samples.astype(np.float64) * (1 << 15))
    # A half is rounded away from zero.
    rounded = np.sign(scaled) * np.floor(np.abs(scaled) + 0.5)
    data = rounded.clip(-(1 << 15), (1 << 15) - 1).astype("<i2").tobytes()
    channels = samples.shape[1]
    format_ = struct.pack("<HHIIHH", 1, channels, rate, 2 * rate * channels, 2 * channels, 16)
    chunks = b"fmt " + struct.pack("<I", len(format_)) + format_
    chunks += b"data" + struct.pack("<I", len(data)) + data
    return b"RIFF" + struct.pack("<I", 4 + len(chunks)) + b"WAVE" + chunks


@op("AudioSummaryV2", host=True)
class AudioSummaryV2:
    shape = scalar

    def lower(
        tag: Any,
        tensor: np.ndarray,
        sample_rate: np.ndarray,
        *,
        max_outputs: int,
        ctx: LoweringContext,
    ) -> Any:
        return _serialized(audio_summary(tag, tensor, sample_rate, max_outputs, ctx))


def audio_summary(
    tag: Any, tensor: Any, sample_rate: Any, max_outputs: int, ctx: LoweringContext
) -> Any:
    """A Summary of sounds."""
    if tag.ndim:
        refuse(ctx, "Tag must be a scalar")
    if tensor.ndim not in (2, 3):
        refuse(ctx, f"Tensor must be 3-D or 2-D, got: {text_of_shape(tensor)}")
    rate = float(sample_rate)
    if not rate > 0:
        refuse(ctx, "sample_rate must be > 0")
    if rate >= 2.0**32:
        refuse(ctx, f"sample_rate must be in (0, 2^32), got: {int(min(rate, 2.0**63))}")
    found = message()
    for i, samples in enumerate(tensor[:max_outputs]):
        if not samples.size:
            refuse(ctx, "audio is null")
        samples = samples.reshape(len(samples), -1)
        value = found.value.add(tag=_numbered(tag, "audio", i, max_outputs))
        value.audio.sample_rate = rate
        value.audio.length_frames, value.audio.num_channels = samples.shape
        value.audio.encoded_audio_string = _wav_file(samples, max(1, round(rate)))
        value.audio.content_type = "audio/wav"
    return found


@op("MergeSummary", host=True)
class MergeSummary:
    shape = scalar

    def lower(inputs: Any, *, ctx: LoweringContext) -> Any:
        found, tags = message(), set()
        for data in (data for array in inputs for data in np.ravel(array).tolist()):
            part = message()
            try:
                part.ParseFromString(data)
            except messages.DecodeError:
                refuse(ctx, "Could not parse one of the summary inputs")
            for value in part.value:
                if value.tag and value.tag in tags:
                    refuse(ctx, f"Duplicate tag {value.tag} found in summary inputs")
                tags.add(value.tag)
            found.MergeFrom(part)
        return _serialized(found)


def fill_tensor(proto: Any, tensor: np.ndarray) -> None:
    """Fills a TensorProto with a value: its bytes, or strings."""
    proto.dtype = dtypes.as_dtype(tensor.dtype).as_datatype_enum
    proto.tensor_shape.SetInParent()
    for size in tensor.shape:
        proto.tensor_shape.dim.add(size=size)
    if tensor.dtype == object:
        proto.string_val.extend(tensor.ravel().tolist())
    else:
        proto.tensor_content = np.ascontiguousarray(tensor).tobytes()


@op("TensorSummary", host=True)
class TensorSummary:
    shape = scalar

    def lower(tensor: Any, *, op: Operation) -> Any:
        found = message()
        fill_tensor(found.value.add(node_name=op.name).tensor, np.asarray(tensor))
        return _serialized(found)


@op("TensorSummaryV2", host=True)
class TensorSummaryV2:
    shape = scalar

    def lower(
        tag: Any,
        tensor: np.ndarray,
        serialized_summary_metadata: np.ndarray,
        *,
        ctx: LoweringContext,
    ) -> Any:
        if tag.ndim:
            refuse(ctx, "tag must be scalar")
        if serialized_summary_metadata.ndim:
            refuse(ctx, "serialized_summary_metadata must be scalar")
        found = message()
        value = found.value.add(tag=tag[()].decode())
        fill_tensor(value.tensor, np.asarray(tensor))
        value.metadata.SetInParent()
        try:
            value.metadata.ParseFromString(serialized_summary_metadata[()])
        except messages.DecodeError:
            value.metadata.Clear()
            value.metadata.SetInParent()
        return _serialized(found)


not_differentiable(
    "AudioSummary",
    "AudioSummaryV2",
    "HistogramSummary",
    "ImageSummary",
    "MergeSummary",
    "ScalarSummary",
    "TensorSummary",
    "TensorSummaryV2",
)
