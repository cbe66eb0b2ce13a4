"""`tf.contrib.deprecated`: the summaries of the first versions, whose tags are tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.summary.summary_op_util import collect
from tf1compat.api.util.deprecation import deprecated
from tf1compat.core import dtypes, ops, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name

_DATE = "2016-11-30"
_MODULE = "tensorflow.python.ops.logging_ops"
_NAMES = (
    "Note that {} uses the node name instead of the tag. This means that TensorFlow will "
    "automatically de-duplicate summary names based on the scope they are created in."
)


def _obsolete(new: str, more: str | None = None) -> Callable[[Any], Any]:
    instructions = f"Please switch to {new}."
    if more is not None:
        instructions += f" {_NAMES.format(new)}{more}"
    return deprecated(_DATE, instructions, module=_MODULE)


@tf_export("contrib.deprecated.histogram_summary")
@_obsolete("tf.summary.histogram", "")
def histogram_summary(tag: Any, values: Any, collections: Any = None, name: Name = None) -> Tensor:
    """A histogram.

    Args:
      tag: a string scalar.
      values: numbers of any shape.
      collections: where the summary is added; the summaries by default.
      name: the operation's name.

    Returns:
      A string scalar, a `Summary`.
    """
    with ops.name_scope(name, "HistogramSummary", [tag, values]) as scope:
        val = raw_ops.HistogramSummary(tag=tag, values=values, name=scope)
        collect(val, collections, [ops.GraphKeys.SUMMARIES])
    return val


@tf_export("contrib.deprecated.image_summary")
@_obsolete("tf.summary.image", " Also, the max_images argument was renamed to max_outputs.")
def image_summary(
    tag: Any, tensor: Any, max_images: Any = 3, collections: Any = None, name: Name = None
) -> Tensor:
    """Images.

    Args:
      tag: a string scalar.
      tensor: [batch, height, width, channels], uint8 or floats.
      max_images: how many images of the batch.
      collections, name: as for `histogram_summary`.

    Returns:
      A string scalar, a `Summary`.
    """
    with ops.name_scope(name, "ImageSummary", [tag, tensor]) as scope:
        val = raw_ops.ImageSummary(tag=tag, tensor=tensor, max_images=max_images, name=scope)
        collect(val, collections, [ops.GraphKeys.SUMMARIES])
    return val


@tf_export("contrib.deprecated.audio_summary")
@_obsolete("tf.summary.audio", "")
def audio_summary(
    tag: Any, tensor: Any, sample_rate: Any, max_outputs: Any = 3, collections: Any = None,
    name: Name = None,
) -> Tensor:  # fmt: skip
    """Sounds.

    Args:
      tag: a string scalar.
      tensor: floats [batch, frames, channels] or [batch, frames].
      sample_rate: frames a second.
      max_outputs: how many sounds of the batch.
      collections, name: as for `histogram_summary`.

    Returns:
      A string scalar, a `Summary`.
    """
    with ops.name_scope(name, "AudioSummary", [tag, tensor]) as scope:
        sample_rate = ops.convert_to_tensor(sample_rate, dtype=dtypes.float32, name="sample_rate")
        val = raw_ops.AudioSummaryV2(
            tag=tag, tensor=tensor, max_outputs=max_outputs, sample_rate=sample_rate, name=scope
        )
        collect(val, collections, [ops.GraphKeys.SUMMARIES])
    return val


@tf_export("contrib.deprecated.merge_summary")
@_obsolete("tf.summary.merge")
def merge_summary(inputs: Any, collections: Any = None, name: Name = None) -> Tensor:
    """All summaries in one.

    Args:
      inputs: string scalars, each a `Summary`.
      collections: where the summary is added; nowhere by default.
      name: the operation's name.

    Returns:
      A string scalar, a `Summary`.
    """
    with ops.name_scope(name, "MergeSummary", inputs):
        val = raw_ops.MergeSummary(inputs=inputs, name=name)
        collect(val, collections, [])
    return val


@tf_export("contrib.deprecated.merge_all_summaries")
@_obsolete("tf.summary.merge_all")
def merge_all_summaries(key: str = "summaries") -> Tensor | None:
    """All summaries of a collection in one; None if there are none.

    Args:
      key: the collection, `GraphKeys.SUMMARIES` by default.

    Returns:
      A string scalar (a serialized Summary), or None.
    """
    summaries = ops.get_collection(key)
    return merge_summary(summaries) if summaries else None


@tf_export("contrib.deprecated.scalar_summary")
@_obsolete(
    "tf.summary.scalar",
    " Also, passing a tensor or list of tags to a scalar summary op is no longer supported.",
)
def scalar_summary(tags: Any, values: Any, collections: Any = None, name: Name = None) -> Tensor:
    """Numbers.

    Args:
      tags: strings.
      values: as many numbers.
      collections, name: as for `histogram_summary`.

    Returns:
      A string scalar, a `Summary`.
    """
    with ops.name_scope(name, "ScalarSummary", [tags, values]) as scope:
        val = raw_ops.ScalarSummary(tags=tags, values=values, name=scope)
        collect(val, collections, [ops.GraphKeys.SUMMARIES])
    return val


def get_summary_op() -> Tensor | None:
    """The operation that runs all summaries of the default graph, made if there is none yet.

    Returns:
      A string scalar, a `Summary`; None if there are no summaries.
    """
    made = ops.get_collection(ops.GraphKeys.SUMMARY_OP)
    if made and made[0] is not None:
        return made[0]
    summary_op = merge_all_summaries()
    if summary_op is not None:
        ops.add_to_collection(ops.GraphKeys.SUMMARY_OP, summary_op)
    return summary_op
