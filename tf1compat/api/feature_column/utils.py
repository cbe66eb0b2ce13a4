"""Checks and small computations of columns (`tensorflow.python.feature_column.utils`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.math import math_ops
from tf1compat.core import dtypes, nest, ops
from tf1compat.core.sparse_tensor import SparseTensor
from tf1compat.core.tensor import Tensor


def sequence_length_from_sparse_tensor(sp_tensor: SparseTensor, num_elements: int = 1) -> Tensor:
    """The length of each row of sequences.

    Args:
      sp_tensor: a SparseTensor [batch, time, …].
      num_elements: how many values one step has.

    Returns:
      int64 [batch].
    """
    with ops.name_scope(None, "sequence_length") as scope:
        rows = sp_tensor.indices[:, 0]
        columns = sp_tensor.indices[:, 1]
        columns += array_ops.ones_like(columns)
        lengths = math_ops.segment_max(columns, segment_ids=rows)
        lengths = math_ops.cast(math_ops.ceil(lengths / num_elements), dtypes.int64)
        # Empty rows at the end have no segment.
        missing = array_ops.shape(sp_tensor)[:1] - array_ops.shape(lengths)[:1]
        padding = array_ops.zeros(missing, dtype=lengths.dtype)
        return array_ops.concat([lengths, padding], axis=0, name=scope)


def assert_string_or_int(dtype: dtypes.DType, prefix: str) -> None:
    """Raises ValueError for any other dtype."""
    if dtype != dtypes.string and not dtype.is_integer:
        raise ValueError(f"{prefix} dtype must be string or integer. dtype: {dtype}.")


def assert_key_is_string(key: Any) -> None:
    """Raises ValueError if a feature's key is no string."""
    if not isinstance(key, str):
        raise ValueError(f"key must be a string. Got: type {type(key)}. Given key: {key}.")


def check_default_value(shape: tuple[int, ...], default_value: Any, dtype: Any, key: Any) -> Any:
    """The default value of a numeric column, as nested tuples of its shape.

    Args:
      shape: the column's shape.
      default_value: None, a number, or numbers of that shape.
      dtype: the column's dtype.
      key: the feature's key.

    Raises:
      TypeError: the value is not of `dtype`.
      ValueError: it has another shape.
    """
    if default_value is None:
        return None
    if isinstance(default_value, int) or isinstance(default_value, float) and dtype.is_floating:
        return _create_tuple(shape, default_value)
    tolist = getattr(default_value, "tolist", None)
    if callable(tolist):
        default_value = tolist()
    if nest.is_sequence(default_value):
        if not _is_shape_and_default_value_compatible(default_value, shape):
            raise ValueError(
                "The shape of default_value must be equal to given shape. default_value: "
                f"{default_value}, shape: {shape}, key: {key}"
            )
        values = nest.flatten(default_value)
        if all(isinstance(v, int) for v in values):
            return _as_tuple(default_value)
        if any(isinstance(v, float) for v in values) and dtype.is_floating:
            return _as_tuple(default_value)
    raise TypeError(
        f"default_value must be compatible with dtype. default_value: {default_value}, dtype: "
        f"{dtype}, key: {key}"
    )


def _create_tuple(shape: Any, value: Any) -> Any:
    """Nested tuples of the given shape full of `value`."""
    return tuple(_create_tuple(shape[1:], value) for _ in range(shape[0])) if shape else value


def _as_tuple(value: Any) -> Any:
    return tuple(map(_as_tuple, value)) if nest.is_sequence(value) else value


def _is_shape_and_default_value_compatible(default_value: Any, shape: Any) -> bool:
    if nest.is_sequence(default_value) != bool(shape):
        return False
    if not shape:
        return True
    return len(default_value) == shape[0] and all(
        _is_shape_and_default_value_compatible(value, shape[1:]) for value in default_value
    )
