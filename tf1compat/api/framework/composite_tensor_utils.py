"""`tensorflow.python.framework.composite_tensor_utils`: composite tensors and their values."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.ragged.ragged_tensor_value import RaggedTensorValue
from tf1compat.core import export, nest
from tf1compat.core.sparse_tensor import SparseTensor, SparseTensorValue


def is_composite_or_composite_value(tensor: Any) -> bool:
    """Whether something consists of tensors, or is what a session gives for such."""
    return nest.is_composite(tensor) or isinstance(tensor, SparseTensorValue | RaggedTensorValue)


def get_shape(tensor: Any) -> Any:
    """The static shape of a tensor or composite tensor; of a value, its shape."""
    if isinstance(tensor, SparseTensorValue):
        return tuple(tensor.dense_shape)
    return tensor.shape


def append_composite_tensor(target: Any, to_append: Any) -> Any:
    """The rows of two composite tensors, or of two values, one after the other.

    Raises:
      RuntimeError: they are of different kinds, or of a kind that can't be joined, or differ in
        their other dimensions.
    """
    if type(target) is not type(to_append):
        raise RuntimeError(f"Unable to concatenate {type(target)} and {type(to_append)}")
    if isinstance(target, SparseTensor):
        return export.find("sparse.concat")(sp_inputs=[target, to_append], axis=0)
    if isinstance(target, SparseTensorValue):
        return _append_sparse_tensor_value(target, to_append)
    if isinstance(target, RaggedTensorValue):
        return _append_ragged_tensor_value(target, to_append)
    if type(target).__name__ == "RaggedTensor":
        return export.find("concat")([target, to_append], axis=0)
    raise RuntimeError(f"Attempted to concatenate unsupported object {target}.")


def _append_sparse_tensor_value(target: Any, to_append: Any) -> SparseTensorValue:
    rest, other_rest = target.dense_shape[1:], to_append.dense_shape[1:]
    if len(target.dense_shape) != len(to_append.dense_shape):
        raise RuntimeError(
            f"Unable to concatenate {target} and {to_append}. The inner dense shapes do not have "
            f"the same number of dimensions ({target.dense_shape} vs {to_append.dense_shape})"
        )
    if tuple(rest) != tuple(other_rest):
        raise RuntimeError(
            f"Unable to concatenate {target} and {to_append}. The inner dense shapes do not match "
            f"inner dimensions ({rest} vs {other_rest})"
        )
    rows = target.dense_shape[0]
    moved = np.array(to_append.indices) + np.eye(1, len(rest) + 1, dtype=np.int64) * rows
    return SparseTensorValue(
        indices=np.concatenate([target.indices, moved]),
        values=np.concatenate([target.values, to_append.values]),
        dense_shape=(rows + to_append.dense_shape[0], *rest),
    )


def _append_ragged_tensor_value(target: Any, to_append: Any) -> Any:
    if len(target.shape) != len(to_append.shape):
        raise RuntimeError(f"Unable to concatenate {target} and {to_append}")
    if target.shape[1:] != to_append.shape[1:]:
        raise RuntimeError(f"Unable to concatenate {target} and {to_append}")
    if isinstance(to_append.values, RaggedTensorValue):
        values = _append_ragged_tensor_value(target.values, to_append.values)
    else:
        values = np.concatenate((target.values, to_append.values), axis=0)
    splits = np.concatenate((target.row_splits, to_append.row_splits[1:] + target.row_splits[-1]))
    return RaggedTensorValue(values, splits)
