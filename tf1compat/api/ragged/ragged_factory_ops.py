"""`tensorflow.python.ops.ragged.ragged_factory_ops`: constants and placeholders."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.ragged.ragged_tensor import RaggedTensor, is_ragged
from tf1compat.api.ragged.ragged_tensor_value import RaggedTensorValue
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.core.typing import DTypeLike, Name, TensorLike


@tf_export("ragged.constant")
def constant(
    pylist: Any,
    dtype: DTypeLike | None = None,
    ragged_rank: int | None = None,
    inner_shape: Any = None,
    name: Name = None,
    row_splits_dtype: Any = dtypes.int64,
) -> Any:
    """A ragged tensor of nested lists (as in TF 1.15).

    Args:
      pylist: nested lists or arrays, the scalars all at one depth.
      dtype: of the values; what fits them by default.
      ragged_rank: how many dimensions are ragged; all that can be by default.
      inner_shape: the shape of each value.
      name: a name scope.
      row_splits_dtype: int32 or int64.

    Returns:
      A RaggedTensor; a Tensor if `pylist` has no lists in lists.

    Raises:
      ValueError, TypeError: the lists are not nested so.
    """

    def with_splits(values: Any, row_splits: TensorLike) -> RaggedTensor:
        splits = constant_op.constant(row_splits, dtype=row_splits_dtype)
        return RaggedTensor.from_row_splits(values, splits, validate=False)

    with ops.name_scope(name, "RaggedConstant"):
        return _nested(with_splits, constant_op.constant, pylist, dtype, ragged_rank, inner_shape)


@tf_export("ragged.constant_value")
def constant_value(
    pylist: Any,
    dtype: Any = None,
    ragged_rank: int | None = None,
    inner_shape: Any = None,
    row_splits_dtype: Any = "int64",
) -> Any:
    """As `tf.ragged.constant`, in NumPy.

    Args:
      pylist, ragged_rank, inner_shape: as there.
      dtype: a NumPy dtype or `DType`.
      row_splits_dtype: int32 or int64.

    Returns:
      A RaggedTensorValue; an array if `pylist` has no lists in lists.
    """
    if isinstance(dtype, dtypes.DType):
        dtype = dtype.as_numpy_dtype
    splits_dtype = dtypes.as_dtype(row_splits_dtype).as_numpy_dtype

    def with_splits(values: Any, row_splits: TensorLike) -> RaggedTensorValue:
        return RaggedTensorValue(values, np.array(row_splits, dtype=splits_dtype))

    def array(pylist: Any, dtype: Any, shape: Any, name: Name = None) -> np.ndarray:
        return np.reshape(np.array(pylist, dtype=dtype), shape)

    return _nested(with_splits, array, pylist, dtype, ragged_rank, inner_shape)


def _is_list(value: Any) -> bool:
    return isinstance(value, list | tuple) or np.ndim(value) != 0


def _nested(
    with_splits: Callable[..., Any],
    dense: Callable[..., Any],
    pylist: Any,
    dtype: Any,
    ragged_rank: int | None,
    inner_shape: Any,
) -> Any:
    """Nested lists as values with row splits.

    Args:
      with_splits: `(values, row splits as a list)` -> what is ragged.
      dense: `(list, dtype, shape, name=…)` -> the values.
      pylist, dtype, ragged_rank, inner_shape: as in `constant`.
    """
    if is_ragged(pylist):
        raise TypeError("pylist may not be a RaggedTensor or RaggedTensorValue.")
    if not _is_list(pylist):
        if ragged_rank is not None and ragged_rank != 0:
            raise ValueError(
                f"Invalid pylist={pylist!r}: incompatible with ragged_rank={ragged_rank}"
            )
        if inner_shape is not None and inner_shape:
            raise ValueError(
                f"Invalid pylist={pylist!r}: incompatible with dim(inner_shape)={len(inner_shape)}"
            )
        return dense(pylist, dtype, ())
    if ragged_rank is not None and ragged_rank < 0:
        raise ValueError(f"Invalid ragged_rank={ragged_rank!r}: must be nonnegative")
    scalar_depth, depth = _depths(pylist)
    if scalar_depth is not None and depth > scalar_depth:
        raise ValueError(
            f"Invalid pylist={pylist!r}: empty list nesting is greater than scalar value nesting"
        )
    if inner_shape is not None and ragged_rank is not None:
        expected = ragged_rank + len(inner_shape) + 1
        if (scalar_depth is not None and expected != scalar_depth) or (
            scalar_depth is None and expected < depth
        ):
            raise ValueError(
                f"Invalid pylist={pylist!r}: incompatible with ragged_rank={ragged_rank} and "
                f"dim(inner_shape)={len(inner_shape)}"
            )
    if ragged_rank == 0:
        return dense(pylist, dtype, inner_shape)
    if ragged_rank is None:
        inner_depth = 0 if inner_shape is None else len(inner_shape)
        if depth - inner_depth < 2 or depth < 2:
            return dense(pylist, dtype, inner_shape)
        if scalar_depth is None:
            ragged_rank = max(1, depth - 1)
        else:
            ragged_rank = max(1, scalar_depth - 1 - inner_depth)
        inner_shape = () if inner_shape is None else inner_shape
    elif inner_shape is None:
        inner_shape = _inner_shape(pylist, ragged_rank)
    nested_splits: list[list[int]] = []
    rows: Any = pylist
    for _ in range(ragged_rank):
        splits = [0]
        for row in rows:
            splits.append(splits[-1] + len(row))
        nested_splits.append(splits)
        rows = [item for row in rows for item in row]
    values = dense(rows, dtype=dtype, shape=(len(rows), *inner_shape), name="values")
    for splits in nested_splits[::-1]:
        values = with_splits(values, splits)
    return values


def _depths(pylist: Any) -> tuple[int | None, int]:
    """How deep the scalars lie (None if there are none), and how deep the lists are nested."""
    if not _is_list(pylist):
        return 0, 0
    scalar_depth = None
    depth = 1
    for child in pylist:
        child_scalar_depth, child_depth = _depths(child)
        if child_scalar_depth is not None:
            if scalar_depth is not None and scalar_depth != child_scalar_depth + 1:
                raise ValueError("all scalar values must have the same nesting depth")
            scalar_depth = child_scalar_depth + 1
        depth = max(depth, child_depth + 1)
    return scalar_depth, depth


def _inner_shape(pylist: Any, ragged_rank: int) -> tuple[int, ...]:
    """The shape of each value below `ragged_rank` ragged dimensions."""
    rows: Any = pylist
    for dim in range(ragged_rank):
        if not all(_is_list(row) for row in rows):
            raise ValueError(
                f"pylist has scalar values depth {dim + 1}, but ragged_rank={ragged_rank} "
                f"requires scalar value depth greater than {ragged_rank}"
            )
        rows = [item for row in rows for item in row]
    shape: list[int] = []
    item = rows
    while _is_list(item):
        shape.append(len(item))
        if not len(item):
            break
        item = item[0]
    _check_shape(rows, tuple(shape))
    return tuple(shape[1:])


def _check_shape(item: Any, shape: tuple[int, ...]) -> None:
    if _is_list(item) != bool(shape) or (shape and shape[0] != len(item)):
        raise ValueError("inner values have inconsistent shape")
    if shape:
        for child in item:
            _check_shape(child, shape[1:])


@tf_export("ragged.placeholder")
def placeholder(
    dtype: DTypeLike, ragged_rank: int, value_shape: Any = None, name: Name = None
) -> Any:
    """A ragged tensor that is always fed, with a RaggedTensorValue (as in TF 1.15).

    Args:
      dtype: of the values.
      ragged_rank: how many dimensions are ragged.
      value_shape: the shape of each value; None if it is unknown.
      name: a name scope.

    Returns:
      A RaggedTensor with int64 row splits; a Tensor if `ragged_rank` is 0.
    """
    if ragged_rank == 0:
        return array_ops.placeholder(dtype, value_shape, name)
    with ops.name_scope(name, "RaggedPlaceholder", []):
        flat_shape = TensorShape([None]).concatenate(value_shape)
        result: Any = array_ops.placeholder(dtype, flat_shape, "flat_values")
        for i in reversed(range(ragged_rank)):
            row_splits = array_ops.placeholder(dtypes.int64, [None], f"row_splits_{i}")
            result = RaggedTensor(result, row_splits, internal=True)
        return result
