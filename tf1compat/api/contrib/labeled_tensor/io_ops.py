"""Inputs with named axes (`tensorflow.contrib.labeled_tensor.python.ops.io_ops`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.contrib.labeled_tensor import core
from tf1compat.api.io import parsing_ops
from tf1compat.core import ops
from tf1compat.core.attribute import attribute
from tf1compat.core.export import tf_export
from tf1compat.core.typing import DTypeLike, Name


@tf_export("contrib.labeled_tensor.FixedLenFeature")
class FixedLenFeature:
    """`tf.FixedLenFeature`, with axes instead of a shape.

    Args:
      axes: a list of axes, or of (name, value).
      dtype: the dtype.
      default_value: what an Example without the feature has.
    """

    def __init__(self, axes: Any, dtype: DTypeLike, default_value: Any = None):
        self._axes = [core.as_axis(axis) for axis in axes]
        self._dtype = dtype
        self._default_value = default_value

    axes: list[core.Axis] = attribute("_axes", "The axes.")
    dtype = attribute("_dtype", "The dtype.")
    default_value = attribute("_default_value", "What an Example without the feature has.")


def _without_names(features: Mapping[str, FixedLenFeature]) -> dict[str, Any]:
    found = {}
    for name, feature in features.items():
        shape = [axis.size for axis in feature.axes]
        if None in shape:
            raise ValueError("axes with unknown size are not supported")
        found[name] = parsing_ops.FixedLenFeature(shape, feature.dtype, feature.default_value)
    return found


@tf_export("contrib.labeled_tensor.parse_example")
def parse_example(
    serialized: Any, features: Mapping, name: Name = None, example_names: Any = None
) -> dict[str, core.LabeledTensor]:
    """`tf.parse_example`.

    Args:
      serialized: a labeled vector of strings.
      features: {name: a `FixedLenFeature`}.
      name: of the operation.
      example_names: see `tf.parse_example`.

    Returns:
      {name: a LabeledTensor}, each with the axes of `serialized` and then the feature's.

    Raises:
      ValueError: a size is unknown.
    """
    given = core.convert_to_labeled_tensor(serialized)
    parsed = parsing_ops.parse_example(given.tensor, _without_names(features), name, example_names)
    before = list(given.axes.values())
    return {
        key: core.LabeledTensor(tensor, before + features[key].axes)
        for key, tensor in parsed.items()
    }


@tf_export("contrib.labeled_tensor.parse_single_example")
def parse_single_example(
    serialized: Any, features: Mapping, name: Name = None, example_names: Any = None
) -> dict[str, core.LabeledTensor]:
    """`tf.parse_single_example`; see `parse_example`.

    Args:
      serialized: a string scalar, one Example.
      features, example_names: as in `parse_example`.
      name: the operation's name.

    Returns:
      {name: a `LabeledTensor`}.
    """
    given = core.convert_to_labeled_tensor(serialized)
    parsed = parsing_ops.parse_single_example(
        given.tensor, _without_names(features), name, example_names
    )
    return {key: core.LabeledTensor(parsed[key], features[key].axes) for key in parsed}


@tf_export("contrib.labeled_tensor.placeholder")
def placeholder(dtype: DTypeLike, axes: Any, name: Name = None) -> core.LabeledTensor:
    """`tf.placeholder`.

    Args:
      dtype: the dtype.
      axes: a list of axes, of (name, value), and of names of axes of unknown size.
      name: of the operation.

    Returns:
      A LabeledTensor of that dtype, with these axes.
    """
    with ops.name_scope(name, "lt_placeholder", []) as scope:
        named = core.Axes([(axis, None) if isinstance(axis, str) else axis for axis in axes])
        shape = [axis.size for axis in named.values()]
        return core.LabeledTensor(array_ops.placeholder(dtype, shape, name=scope), named)
