"""Summaries of layers (`tensorflow.contrib.layers.python.layers.summaries`)."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable
from typing import Any

from tf1compat.api.math import math_ops
from tf1compat.api.summary import summary
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export

__all__ = [
    "summarize_activation",
    "summarize_activations",
    "summarize_biases",
    "summarize_collection",
    "summarize_tensor",
    "summarize_tensors",
    "summarize_variables",
    "summarize_weights",
]


def _add_scalar_summary(tensor: Any, tag: Any = None) -> Any:
    tensor.get_shape().assert_has_rank(0)
    return summary.scalar(tag or f"{tensor.op.name}_summary", tensor)


def _add_histogram_summary(tensor: Any, tag: Any = None) -> Any:
    return summary.histogram(tag or f"{tensor.op.name}_summary", tensor)


def _summarize_share(op: Any, compare: Callable[..., Any], bound: float, name: str) -> None:
    """The share of an activation's inputs that lie beyond a bound."""
    inputs = op.op.inputs[0]
    beyond = math_ops.to_float(compare(inputs, math_ops.cast(bound, inputs.dtype)))
    _add_scalar_summary(math_ops.reduce_mean(beyond), f"{op.op.name}/{name}")


@tf_export("contrib.layers.summarize_activation")
def summarize_activation(op: Any) -> Any:
    """A histogram of an activation; for relus also how much is cut off.

    Args:
      op: a tensor.

    Returns:
      The histogram's summary.
    """
    if op.op.type in ("Relu", "Softplus", "Relu6"):
        _summarize_share(op, math_ops.less, 0.0, "zeros")
    if op.op.type == "Relu6":
        _summarize_share(op, math_ops.greater, 6.0, "sixes")
    return _add_histogram_summary(op, f"{op.op.name}/activation")


@tf_export("contrib.layers.summarize_tensor")
def summarize_tensor(tensor: Any, tag: Any = None) -> Any:
    """A summary of a tensor: of the number, or a histogram.

    Args:
      tensor: a tensor or variable.
      tag: the summary's name; from the tensor's by default.

    Returns:
      The summary; None for strings and booleans.
    """
    if tensor.dtype.is_compatible_with(dtypes.string) or tensor.dtype.base_dtype == dtypes.bool:
        return None
    if tensor.get_shape().ndims == 0:
        return _add_scalar_summary(tensor, tag)
    return _add_histogram_summary(tensor, tag)


@tf_export("contrib.layers.summarize_tensors")
def summarize_tensors(
    tensors: Iterable[Any], summarizer: Callable[..., Any] = summarize_tensor
) -> list[Any]:
    """Summaries of tensors.

    Args:
      tensors: tensors or variables.
      summarizer: a function that records a tensor's summary.

    Returns:
      The summaries.
    """
    return [summarizer(tensor) for tensor in tensors]


@tf_export("contrib.layers.summarize_collection")
def summarize_collection(
    collection: Any, name_filter: Any = None, summarizer: Callable[..., Any] = summarize_tensor
) -> list[Any]:
    """Summaries of a collection's tensors.

    Args:
      collection: its key.
      name_filter: a regular expression that the operations' names must match from the start on.
      summarizer: a function that records a tensor's summary.

    Returns:
      The summaries.
    """
    tensors = [
        member
        for member in ops.get_collection(collection)
        if name_filter is None or re.match(name_filter, member.op.name)
    ]
    return summarize_tensors(tensors, summarizer)


summarize_variables = functools.partial(summarize_collection, ops.GraphKeys.GLOBAL_VARIABLES)
summarize_weights = functools.partial(summarize_collection, ops.GraphKeys.WEIGHTS)
summarize_biases = functools.partial(summarize_collection, ops.GraphKeys.BIASES)


@tf_export("contrib.layers.summarize_activations")
def summarize_activations(
    name_filter: Any = None, summarizer: Callable[..., Any] = summarize_activation
) -> list[Any]:
    """Summaries of the activations of the graph.

    Args:
      name_filter: a regular expression that the operations' names must match from the start on.
      summarizer: a function that records a tensor's summary.

    Returns:
      The summaries.
    """
    return summarize_collection(ops.GraphKeys.ACTIVATIONS, name_filter, summarizer)
