"""`tf.compat.v2.summary`: summaries of TF 2's kinds, whose data are tensors that TensorBoard's
plugins read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.checks import check_ops
from tf1compat.api.control_flow import control_flow_ops, map_fn
from tf1compat.api.image import image_files, image_ops_impl
from tf1compat.api.math import math_ops
from tf1compat.api.signal import audio_ops
from tf1compat.api.summary import summary_ops_v2
from tf1compat.api.text import string_ops
from tf1compat.core import dtypes, ops, protos
from tf1compat.core.export import tf_export

_BUCKETS = 30
_WAV = b"\x10\x0b"  # AudioPluginData(encoding=WAV)


def _metadata(plugin: str, description: Any, content: bytes = b"") -> Any:
    metadata = protos.load("summary_pb2", "SummaryMetadata")
    return metadata(
        summary_description=description,
        plugin_data=metadata.PluginData(plugin_name=plugin, content=content),
    )


@tf_export("compat.v2.summary.scalar")
def scalar(name: Any, data: Any, step: Any = None, description: Any = None) -> Any:
    """Writes a number to this thread's writer.

    Args:
      name: the summary's name.
      data: a scalar that can be cast to float32.
      step: an int64; that of `tf.summary.experimental.set_step` by default.
      description: Markdown that TensorBoard shows.

    Returns:
      A bool tensor: whether it was written.

    Raises:
      ValueError: there is no step.
    """
    metadata = _metadata("scalars", description)
    with summary_ops_v2.summary_scope(name, "scalar_summary", [data, step]) as (tag, _):
        check_ops.assert_scalar(data)
        return summary_ops_v2.write(tag, math_ops.cast(data, dtypes.float32), step, metadata)


@tf_export("compat.v2.summary.histogram")
def histogram(
    name: Any, data: Any, step: Any = None, buckets: Any = None, description: Any = None
) -> Any:
    """Writes the distribution of a tensor's elements; see `scalar`.

    Args:
      name: the summary's name.
      data: of any shape; can be cast to float64.
      step: as in `scalar`.
      buckets: how many there are; 30 by default.
      description: as in `scalar`.

    Returns:
      A bool tensor: whether it was written.
    """
    metadata = _metadata("histograms", description)
    with summary_ops_v2.summary_scope(name, "histogram_summary", [data, buckets, step]) as (tag, _):
        found = _filled_buckets(data, _BUCKETS if buckets is None else buckets)
        return summary_ops_v2.write(tag, found, step, metadata)


def _filled_buckets(data: Any, count: Any) -> Any:
    """Rows (left edge, right edge, how many elements), float64."""
    with ops.name_scope("buckets"):
        check_ops.assert_scalar(count)
        check_ops.assert_type(count, dtypes.int32)
        flat = math_ops.cast(array_ops.reshape(data, shape=[-1]), dtypes.float64)
        is_empty = math_ops.equal(array_ops.size(input=flat), 0)

        def split(low: Any, high: Any, extent: Any) -> Any:
            width = extent / math_ops.cast(count, dtypes.float64)
            places = math_ops.cast(math_ops.floor((flat - low) / width), dtype=dtypes.int32)
            in_last = math_ops.minimum(places, count - 1)
            hits = math_ops.reduce_sum(array_ops.one_hot(in_last, depth=count), axis=0)
            counts = math_ops.cast(hits, dtype=dtypes.float64)
            edges = math_ops.linspace(low, high, count + 1)
            edges = array_ops.concat([edges[:-1], [high]], 0)
            return array_ops.transpose(array_ops.stack([edges[:-1], edges[1:], counts]))

        def one(low: Any) -> Any:
            ends = [array_ops.stack([low - 0.5]), array_ops.stack([low + 0.5])]
            total = math_ops.cast(array_ops.size(input=flat), dtypes.float64)
            return array_ops.transpose(array_ops.stack([*ends, array_ops.stack([total])]))

        def filled() -> Any:
            low, high = math_ops.reduce_min(flat), math_ops.reduce_max(flat)
            extent = high - low
            return control_flow_ops.cond(
                math_ops.equal(extent, 0), lambda: one(low), lambda: split(low, high, extent)
            )

        return control_flow_ops.cond(
            is_empty, lambda: constant_op.constant_v1([], dtypes.float64, (0, 3)), filled
        )


def _encoded(each: Callable[[Any], Any], items: Any, name: str) -> Any:
    """The items of a batch as strings; an empty vector if there are none."""
    found = map_fn.map_fn(each, items, dtype=dtypes.string, name=name)
    there_are = array_ops.shape(input=found)[0] > 0
    return control_flow_ops.cond(
        there_are, lambda: found, lambda: constant_op.constant_v1([], dtypes.string)
    )


@tf_export("compat.v2.summary.image")
def image(
    name: Any, data: Any, step: Any = None, max_outputs: Any = 3, description: Any = None
) -> Any:
    """Writes images; see `scalar`.

    Args:
      name: the summary's name.
      data: [batch, height, width, channels]; floats are from 0 to 1.
      step: as in `scalar`.
      max_outputs: how many are written.
      description: as in `scalar`.

    Returns:
      As `histogram`.
    """
    metadata = _metadata("images", description)
    values = [data, max_outputs, step]
    with summary_ops_v2.summary_scope(name, "image_summary", values) as (tag, _):
        check_ops.assert_rank(data, 4)
        check_ops.assert_non_negative(max_outputs)
        pixels = image_ops_impl.convert_image_dtype(data, dtypes.uint8, saturate=True)
        files = _encoded(image_files.encode_png, pixels[:max_outputs], "encode_each_image")
        shape = array_ops.shape(input=pixels)
        width = string_ops.as_string(shape[2], name="width")
        height = string_ops.as_string(shape[1], name="height")
        size = array_ops.stack([width, height], name="dimensions")
        tensor = array_ops.concat([size, files], axis=0)
        return summary_ops_v2.write(tag, tensor, step, metadata)


@tf_export("compat.v2.summary.audio")
def audio(
    name: Any,
    data: Any,
    sample_rate: Any,
    step: Any = None,
    max_outputs: Any = 3,
    encoding: Any = None,
    description: Any = None,
) -> Any:
    """Writes sounds; see `scalar`.

    Args:
      name: the summary's name.
      data: [batch, frames, channels], from -1 to 1.
      sample_rate: an int32, in Hertz.
      step: as in `scalar`.
      max_outputs: how many are written.
      encoding: "wav", which is the default, too.
      description: as in `scalar`.

    Returns:
      As `histogram`.

    Raises:
      ValueError: another encoding.
    """
    if encoding not in (None, "wav"):
        raise ValueError(f"Unknown encoding: {encoding!r}")
    metadata = _metadata("audio", description, _WAV)
    values = [data, sample_rate, max_outputs, step]
    with summary_ops_v2.summary_scope(name, "audio_summary", values) as (tag, _):
        check_ops.assert_rank(data, 3)
        check_ops.assert_non_negative(max_outputs)
        clips = data[:max_outputs]
        encode = audio_ops.encode_wav
        files = _encoded(lambda clip: encode(clip, sample_rate), clips, "encode_each_audio")
        labels = array_ops.tile([""], array_ops.shape(input=clips)[:1])
        tensor = array_ops.transpose(array_ops.stack([files, labels]))
        return summary_ops_v2.write(tag, tensor, step, metadata)


@tf_export("compat.v2.summary.text")
def text(name: Any, data: Any, step: Any = None, description: Any = None) -> Any:
    """Writes strings; see `scalar`.

    Args:
      name: the summary's name.
      data: strings of any shape.
      step, description: as in `scalar`.

    Returns:
      As `histogram`.
    """
    metadata = _metadata("text", description)
    with summary_ops_v2.summary_scope(name, "text_summary", [data, step]) as (tag, _):
        check_ops.assert_type(data, dtypes.string)
        return summary_ops_v2.write(tag, data, step, metadata)
