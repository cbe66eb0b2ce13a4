"""Helpers of contrib's layers (`tensorflow.contrib.layers.python.layers.utils`)."""

from __future__ import annotations

import collections
from collections.abc import Callable, Sequence
from typing import Any

from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.variables import variables
from tf1compat.core import ops, tensor_util
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.core.typing import DTypeLike

__all__ = [
    "channel_dimension",
    "collect_named_outputs",
    "constant_value",
    "get_variable_collections",
    "last_dimension",
    "n_positive_integers",
    "smart_cond",
    "static_cond",
    "two_element_tuple",
]

NamedOutputs = collections.namedtuple("NamedOutputs", ["name", "outputs"])  # noqa: PYI024

# ---- end points: collections of tensors with aliases ----


def collect_named_outputs(collections: Any, alias: str, outputs: Any) -> Any:
    """Adds a layer's outputs to collections, if there are any, under an alias.

    Returns:
      The outputs.
    """
    if collections:
        append_tensor_alias(outputs, alias)
        ops.add_to_collections(collections, outputs)
    return outputs


def append_tensor_alias(tensor: Any, alias: str) -> Any:
    """Adds an alias, without a slash at its end, to the list `tensor.aliases`."""
    alias = alias.removesuffix("/")
    if hasattr(tensor, "aliases"):
        tensor.aliases.append(alias)
    else:
        tensor.aliases = [alias]
    return tensor


def gather_tensors_aliases(tensors: Sequence[Any]) -> list[str]:
    """The aliases of several tensors in one list."""
    return [alias for tensor in tensors for alias in get_tensor_aliases(tensor)]


def get_tensor_aliases(tensor: Any) -> list[str]:
    """The aliases of a tensor; its name if it has none."""
    if hasattr(tensor, "aliases"):
        return tensor.aliases
    return [tensor.op.name if tensor.name.endswith(":0") else tensor.name]


def convert_collection_to_dict(
    collection: Any, clear_collection: bool = False
) -> collections.OrderedDict[str, Any]:
    """The tensors of a collection by alias.

    Args:
      collection: the collection.
      clear_collection: whether to empty it.
    """
    tensors = ops.get_collection(collection)
    found = collections.OrderedDict(
        (alias, tensor) for tensor in tensors for alias in get_tensor_aliases(tensor)
    )
    if clear_collection:
        ops.get_default_graph().clear_collection(collection)
    return found


def get_variable_collections(variables_collections: Any, name: str) -> Any:
    """The collections for the variable `name`, from a dict by name or from those of all."""
    if isinstance(variables_collections, dict):
        return variables_collections.get(name)
    return variables_collections


# ---- predicates ----


def constant_value(value_or_tensor_or_var: Any, dtype: DTypeLike | None = None) -> Any:
    """The value of a tensor if it is known while recording, else None; other values are themselves.

    Raises:
      ValueError: it is None, or its dtype is not `dtype`.
    """
    value = value_or_tensor_or_var
    if value is None:
        raise ValueError("value_or_tensor_or_var cannot be None")
    if not isinstance(value, Tensor | variables.Variable):
        return value
    if dtype and value.dtype != dtype:
        raise ValueError(f"It has the wrong type {value.dtype} instead of {dtype}")
    return None if isinstance(value, variables.Variable) else tensor_util.constant_value(value)


def static_cond(pred: Any, fn1: Callable[[], Any], fn2: Callable[[], Any]) -> Any:
    """`fn1()` if the Python value `pred` is true, else `fn2()`.

    Raises:
      TypeError: a function is not callable.
    """
    if not callable(fn1):
        raise TypeError("fn1 must be callable.")
    if not callable(fn2):
        raise TypeError("fn2 must be callable.")
    return fn1() if pred else fn2()


def smart_cond(pred: Any, fn1: Callable[[], Any], fn2: Callable[[], Any], name: Any = None) -> Any:
    """`tf.cond`, or the one branch where the predicate is known while recording.

    Args:
      pred: a bool, or a scalar bool tensor or variable.
      fn1, fn2: what is called if it is true, and if it is false.
      name: as in TF 1.15, taken for the argument `strict` of `tf.cond`.
    """
    known = constant_value(pred)
    if known is not None:
        return static_cond(known, fn1, fn2)
    return control_flow_ops.cond(pred, fn1, fn2, name)


# ---- sizes ----


def _dimension(shape: TensorShape, dim: int, min_rank: int) -> int:
    dims = shape.dims
    if dims is None:
        raise ValueError("dims of shape must be known but is None")
    if len(dims) < min_rank:
        raise ValueError(f"rank of shape must be at least {min_rank} not: {len(dims)}")
    value = dims[dim].value
    if value is None:
        raise ValueError(f"dimension {dim} of shape must be known but is None: {shape}")
    return value


def channel_dimension(shape: TensorShape, data_format: str, min_rank: int = 1) -> int:
    """The number of channels of a shape.

    Args:
      shape: a static shape.
      data_format: "channels_first" or "channels_last".
      min_rank: the least rank it must have.

    Raises:
      ValueError: it is not known, or the rank is less.
    """
    return _dimension(shape, 1 if data_format == "channels_first" else -1, min_rank)


def last_dimension(shape: TensorShape, min_rank: int = 1) -> int:
    """The last dimension of a shape. Args and Raises: see `channel_dimension`."""
    return _dimension(shape, -1, min_rank)


def two_element_tuple(int_or_tuple: Any) -> tuple[Any, Any]:
    """Two ints, from one, a list of two or a static shape.

    Raises:
      ValueError: it is none of these.
    """
    if isinstance(int_or_tuple, list | tuple):
        if len(int_or_tuple) != 2:
            raise ValueError(f"Must be a list with 2 elements: {int_or_tuple}")
        return int(int_or_tuple[0]), int(int_or_tuple[1])
    if isinstance(int_or_tuple, int):
        return int(int_or_tuple), int(int_or_tuple)
    if isinstance(int_or_tuple, TensorShape) and len(int_or_tuple) == 2:
        return int_or_tuple[0], int_or_tuple[1]
    raise ValueError("Must be an int, a list with 2 elements or a TensorShape of length 2")


def n_positive_integers(n: int, value: Any) -> tuple[int, ...]:
    """`n` positive ints, from one or a sequence.

    Raises:
      ValueError: it is none of these.
    """
    n_given, n = n, int(n)
    if n < 1 or n != n_given:
        raise ValueError("n must be a positive integer")
    try:
        values = (int(value),) * n
    except (TypeError, ValueError):
        text = f"Expected sequence of {n} positive integers, but received {value!r}"
        if len(value) != n:
            raise ValueError(text) from None
        try:
            values = tuple(int(x) for x in value)
        except (TypeError, ValueError):
            raise ValueError(text) from None
    for x in values:
        if x < 1:
            raise ValueError(f"expected positive integer, but received {x}")
    return values
