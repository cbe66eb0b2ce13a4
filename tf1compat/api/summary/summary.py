"""`tf.summary` (`tensorflow.python.summary.summary`): values for TensorBoard."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import constant_op
from tf1compat.api.distribute import summary_op_util as strategies
from tf1compat.api.summary import summary_op_util
from tf1compat.api.summary.writer.writer import FileWriter as FileWriter
from tf1compat.api.summary.writer.writer_cache import FileWriterCache as FileWriterCache
from tf1compat.core import dtypes, ops, protos, raw_ops
from tf1compat.core.deferred import Deferred
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name

json_format = Deferred("google.protobuf.json_format")

_SUMMARIES = [ops.GraphKeys.SUMMARIES]


@tf_export("summary.scalar")
def scalar(name: Any, tensor: Any, collections: Any = None, family: Any = None) -> Tensor:
    """A summary of one number.

    Args:
      name: of the operation; also the tag that TensorBoard shows.
      tensor: a real numeric scalar.
      collections: keys of the collections that the summary joins; `[GraphKeys.SUMMARIES]` by
        default.
      family: goes before the tag; TensorBoard shows it as a group.

    Returns:
      A scalar string tensor: a serialized `Summary`.
    """
    if strategies.skip_summary():
        return constant_op.constant_v1("")
    with summary_op_util.summary_scope(name, family, values=[tensor]) as (tag, scope):
        val = raw_ops.ScalarSummary(tags=tag, values=tensor, name=scope)
        summary_op_util.collect(val, collections, _SUMMARIES)
    return val


@tf_export("summary.image")
def image(
    name: Any, tensor: Any, max_outputs: int = 3, collections: Any = None, family: Any = None
) -> Tensor:
    """A summary of images, as PNG files.

    Floats are scaled, image by image: so that the greatest is 255, or, where some are negative,
    so that 0 lies in the middle.

    Args:
      name: of the operation; the tags are `name/image`, or `name/image/0`, `name/image/1`, …
      tensor: [batch, height, width, channels], uint8 or floats; 1, 3 or 4 channels.
      max_outputs: how many images of the batch are taken.
      collections: keys of the collections that the summary joins; `[GraphKeys.SUMMARIES]` by
        default.
      family: goes before the tag; TensorBoard shows it as a group.

    Returns:
      A scalar string tensor: a serialized `Summary`.
    """
    if strategies.skip_summary():
        return constant_op.constant_v1("")
    with summary_op_util.summary_scope(name, family, values=[tensor]) as (tag, scope):
        val = raw_ops.ImageSummary(tag=tag, tensor=tensor, max_images=max_outputs, name=scope)
        summary_op_util.collect(val, collections, _SUMMARIES)
    return val


@tf_export("summary.histogram")
def histogram(name: Any, values: Any, collections: Any = None, family: Any = None) -> Tensor:
    """A summary of how values are distributed.

    Args:
      name: of the operation; also the tag that TensorBoard shows.
      values: a real numeric tensor of any shape; all finite, or the run fails.
      collections: keys of the collections that the summary joins; `[GraphKeys.SUMMARIES]` by
        default.
      family: goes before the tag; TensorBoard shows it as a group.

    Returns:
      A scalar string tensor: a serialized `Summary`.
    """
    if strategies.skip_summary():
        return constant_op.constant_v1("")
    with summary_op_util.summary_scope(
        name, family, values=[values], default_name="HistogramSummary"
    ) as (tag, scope):
        val = raw_ops.HistogramSummary(tag=tag, values=values, name=scope)
        summary_op_util.collect(val, collections, _SUMMARIES)
    return val


@tf_export("summary.audio")
def audio(
    name: Any, tensor: Any, sample_rate: Any, max_outputs: int = 3, collections: Any = None,
    family: Any = None,
) -> Tensor:  # fmt: skip
    """A summary of sounds, as WAV files of 16 bits.

    Args:
      name: of the operation; the tags are `name/audio`, or `name/audio/0`, `name/audio/1`, …
      tensor: [batch, frames] or [batch, frames, channels], float32 from -1 to 1.
      sample_rate: a float32 scalar: frames a second.
      max_outputs: how many sounds of the batch are taken.
      collections: keys of the collections that the summary joins; `[GraphKeys.SUMMARIES]` by
        default.
      family: goes before the tag; TensorBoard shows it as a group.

    Returns:
      A scalar string tensor: a serialized `Summary`.
    """
    if strategies.skip_summary():
        return constant_op.constant_v1("")
    with summary_op_util.summary_scope(name, family=family, values=[tensor]) as (tag, scope):
        rate = ops.convert_to_tensor(sample_rate, dtype=dtypes.float32, name="sample_rate")
        val = raw_ops.AudioSummaryV2(
            tag=tag, tensor=tensor, max_outputs=max_outputs, sample_rate=rate, name=scope
        )
        summary_op_util.collect(val, collections, _SUMMARIES)
    return val


@tf_export("summary.text")
def text(name: Any, tensor: Any, collections: Any = None) -> Tensor:
    """A summary of text, which TensorBoard reads as Markdown.

    Args:
      name: of the operation; also the tag that TensorBoard shows.
      tensor: a string tensor; one of rank 1 or 2 is shown as a table.
      collections: keys of the collections that the summary joins; `[GraphKeys.SUMMARIES]` by
        default.

    Returns:
      A scalar string tensor: a serialized `Summary`.

    Raises:
      ValueError: the tensor holds no strings.
    """
    if tensor.dtype != dtypes.string:
        raise ValueError(f"Expected tensor {tensor.name} to have dtype string, got {tensor.dtype}")
    metadata = protos.load("summary_pb2", "SummaryMetadata")()
    metadata.plugin_data.plugin_name = "text"
    return tensor_summary(
        name=name, tensor=tensor, summary_metadata=metadata, collections=collections
    )


@tf_export("summary.tensor_summary")
def tensor_summary(
    name: Any, tensor: Any, summary_description: Any = None, collections: Any = None,
    summary_metadata: Any = None, family: Any = None, display_name: Any = None,
) -> Tensor:  # fmt: skip
    """A summary of a whole tensor.

    Args:
      name: of the operation; also the tag.
      tensor: of any dtype and shape.
      summary_description: a text about it, in Markdown.
      collections: keys of the collections that the summary joins; `[GraphKeys.SUMMARIES]` by
        default.
      summary_metadata: a `SummaryMetadata` that says which plugin shows it.
      family: goes before the tag.
      display_name: what TensorBoard shows in place of the tag.

    Returns:
      A scalar string tensor: a serialized `Summary`.
    """
    if strategies.skip_summary():
        return constant_op.constant_v1("")
    if summary_metadata is None:
        summary_metadata = protos.load("summary_pb2", "SummaryMetadata")()
    if summary_description is not None:
        summary_metadata.summary_description = summary_description
    if display_name is not None:
        summary_metadata.display_name = display_name
    serialized = summary_metadata.SerializeToString()
    with summary_op_util.summary_scope(name, family, values=[tensor]) as (tag, scope):
        val = raw_ops.TensorSummaryV2(
            tensor=tensor, tag=tag, name=scope, serialized_summary_metadata=serialized
        )
        summary_op_util.collect(val, collections, _SUMMARIES)
    return val


@tf_export("summary.merge")
def merge(inputs: Any, collections: Any = None, name: Name = None) -> Tensor:
    """All values of several summaries in one; a run fails if two have the same tag.

    Args:
      inputs: a list of string tensors: serialized `Summary` messages.
      collections: keys of the collections that the summary joins; none by default.
      name: the operation's name.

    Returns:
      A scalar string tensor: a serialized `Summary`.

    Raises:
      RuntimeError: when executing eagerly.
    """
    _refuse_eager()
    if strategies.skip_summary():
        return constant_op.constant_v1("")
    name = summary_op_util.clean_tag(name)
    with ops.name_scope(name, "Merge", inputs):
        val = raw_ops.MergeSummary(inputs=inputs, name=name)
        summary_op_util.collect(val, collections, [])
    return val


def _refuse_eager() -> None:
    if ops.executing_eagerly():
        raise RuntimeError(
            "Merging tf.summary.* ops is not compatible with eager execution. "
            "Use tf.contrib.summary instead."
        )


@tf_export("summary.merge_all")
def merge_all(
    key: Any = ops.GraphKeys.SUMMARIES, scope: Any = None, name: Name = None
) -> Tensor | None:
    """All summaries of the default graph in one.

    Args:
      key: of the collection that they are in.
      scope: a regular expression that their names must match from the start on.
      name: the operation's name.

    Returns:
      A scalar string tensor, a serialized `Summary`; None if there are no summaries.

    Raises:
      RuntimeError: when executing eagerly.
    """
    _refuse_eager()
    summaries = ops.get_collection(key, scope=scope)
    return merge(summaries, name=name) if summaries else None


@tf_export("summary.get_summary_description")
def get_summary_description(node_def: Any) -> Any:
    """The description that a node of type TensorSummary carries.

    Args:
      node_def: a `NodeDef`.

    Returns:
      A `SummaryDescription`.

    Raises:
      ValueError: the node is of another type.
    """
    if node_def.op != "TensorSummary":
        raise ValueError(f"Can't get_summary_description on {node_def.op}")
    description = protos.load("summary_pb2", "SummaryDescription")()
    json_format.Parse(node_def.attr["description"].s.decode(), description)
    return description
