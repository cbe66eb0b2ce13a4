"""`tf.contrib.slim.summaries` (`tensorflow.contrib.slim.python.slim.summaries`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.io import logging_ops
from tf1compat.api.nn import nn_impl
from tf1compat.api.summary import summary
from tf1compat.core import ops
from tf1compat.core.typing import Name, TensorLike


def _name(tensor: Any, name: Name = None, prefix: Any = None, postfix: Any = None) -> str:
    """The name of a tensor's summary."""
    parts = [prefix, name or tensor.op.name, postfix]
    return "/".join(part for part in parts if part)


def _printed(make: Callable[..., Any], tensor: TensorLike, name: str, print_summary: Any) -> Any:
    """A summary, whose tensor is printed when it is computed if so wished."""
    made = make(name=name, tensor=tensor, collections=[] if print_summary else None)
    if print_summary:
        made = logging_ops.Print(made, [tensor], name)
        ops.add_to_collection(ops.GraphKeys.SUMMARIES, made)
    return made


def add_histogram_summary(tensor: TensorLike, name: Name = None, prefix: Any = None) -> Any:
    """A histogram of a tensor.

    Args:
      tensor: the tensor.
      name: the summary's name; the operation's by default.
      prefix: what stands before it.
    """
    return summary.histogram(_name(tensor, name, prefix), tensor)


def add_image_summary(
    tensor: TensorLike, name: Name = None, prefix: Any = None, print_summary: Any = False
) -> Any:
    """Images. Args: see `add_scalar_summary`."""
    return _printed(summary.image, tensor, _name(tensor, name, prefix), print_summary)


def add_scalar_summary(
    tensor: TensorLike, name: Name = None, prefix: Any = None, print_summary: Any = False
) -> Any:
    """A scalar.

    Args:
      tensor: the tensor.
      name: the summary's name; the operation's by default.
      prefix: what stands before it.
      print_summary: whether the tensor is printed when the summary is computed.
    """
    return _printed(summary.scalar, tensor, _name(tensor, name, prefix), print_summary)


def add_zero_fraction_summary(
    tensor: TensorLike, name: Name = None, prefix: Any = None, print_summary: Any = False
) -> Any:
    """The share of zeros. Args: see `add_scalar_summary`."""
    name = _name(tensor, name, prefix, "Fraction_of_Zero_Values")
    return add_scalar_summary(nn_impl.zero_fraction(tensor), name, print_summary=print_summary)


def add_histogram_summaries(tensors: Any, prefix: Any = None) -> list[Any]:
    """A histogram of each tensor."""
    return [add_histogram_summary(tensor, prefix=prefix) for tensor in tensors]


def add_image_summaries(tensors: Any, prefix: Any = None) -> list[Any]:
    """The images of each tensor."""
    return [add_image_summary(tensor, prefix=prefix) for tensor in tensors]


def add_scalar_summaries(tensors: Any, prefix: Any = None, print_summary: Any = False) -> list[Any]:
    """A scalar of each tensor."""
    return [
        add_scalar_summary(tensor, prefix=prefix, print_summary=print_summary) for tensor in tensors
    ]


def add_zero_fraction_summaries(tensors: Any, prefix: Any = None) -> list[Any]:
    """The share of zeros of each tensor."""
    return [add_zero_fraction_summary(tensor, prefix=prefix) for tensor in tensors]
