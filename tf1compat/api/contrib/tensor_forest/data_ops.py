"""Features and labels as the ops of random forests take them."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.math import math_ops
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.sparse import sparse_ops
from tf1compat.core import dtypes, ops, raw_ops
from tf1compat.core.sparse_tensor import SparseTensor
from tf1compat.core.typing import Name

DATA_FLOAT = 0
DATA_CATEGORICAL = 1

DTYPE_TO_FTYPE = {
    dtypes.string: DATA_CATEGORICAL,
    dtypes.int32: DATA_CATEGORICAL,
    dtypes.int64: DATA_CATEGORICAL,
    dtypes.float32: DATA_FLOAT,
    dtypes.float64: DATA_FLOAT,
}


def CastToFloat(tensor: Any) -> Any:
    """Ints as float32, strings as numbers that stand for them; floats as they are."""
    if tensor.dtype == dtypes.string:
        return raw_ops.ReinterpretStringToFloat(tensor)
    return math_ops.cast(tensor, dtypes.float32) if tensor.dtype.is_integer else tensor


class DataColumn:
    """One column: its name, its kind and how many features it has (-1 for sparse ones)."""

    def __init__(self):
        self.name: Any = ""
        self.original_type: Any = ""
        self.size: Any = 0

    def SerializeToString(self) -> str:
        """The column as the ops' attrs have it."""
        return f"name: {self.name} original_type: {self.original_type} size: {self.size}"


class DataColumnCollection:
    """Columns."""

    def __init__(self):
        self.cols: list[DataColumn] = []

    def add(self) -> DataColumn:
        """Adds a column, to be filled in."""
        self.cols.append(DataColumn())
        return self.cols[-1]

    def size(self) -> int:
        """How many there are."""
        return len(self.cols)

    def SerializeToString(self) -> str:
        """The columns as the ops' attrs have them."""
        return "".join(f"{{{column.SerializeToString()}}}" for column in self.cols)


class TensorForestDataSpec:
    """The columns of a forest's data."""

    def __init__(self):
        self.sparse = DataColumnCollection()
        self.dense = DataColumnCollection()
        self.dense_features_size: Any = 0

    def SerializeToString(self) -> str:
        """The spec as the ops' attrs have it."""
        dense, sparse = self.dense.SerializeToString(), self.sparse.SerializeToString()
        size = self.dense_features_size
        return f"dense_features_size: {size} dense: [{dense}] sparse: [{sparse}]"


def _add(columns: DataColumnCollection, name: Name, kind: int, size: Any) -> None:
    column = columns.add()
    column.name, column.original_type, column.size = name, kind, size


def GetColumnName(column_key: Any, col_num: int) -> Any:
    """A key that is a text, a feature column's name, or else the number."""
    if isinstance(column_key, str):
        return column_key
    return getattr(column_key, "column_name", str(col_num))


def ParseDataTensorOrDict(data: Any) -> tuple[Any, Any, TensorForestDataSpec]:
    """Features as one matrix and one sparse matrix.

    Args:
      data: a matrix, a `SparseTensor`, or a dict of both and of vectors by column name.

    Returns:
      (the matrix [examples, features] or None, the `SparseTensor` or None, what they are).
    """
    spec = TensorForestDataSpec()
    if isinstance(data, SparseTensor):
        _add(spec.sparse, "sparse_features", DTYPE_TO_FTYPE[data.dtype], -1)
        return None, data, spec
    if not isinstance(data, dict):
        data = ops.convert_to_tensor(data)
        size = data.get_shape()[1]
        _add(spec.dense, "dense_features", DTYPE_TO_FTYPE[data.dtype], size)
        spec.dense_features_size = size
        return data, None, spec
    dense, sparse = [], []
    for key in sorted(data):
        column = data[key]
        if not isinstance(column, SparseTensor):
            shape = column.get_shape()
            size = 1 if len(shape) == 1 else shape[1].value
            _add(spec.dense, GetColumnName(key, len(dense)), DTYPE_TO_FTYPE[column.dtype], size)
            spec.dense_features_size += size
            dense.append(CastToFloat(column))
        elif column.dtype == dtypes.float32:
            logging.info("TensorForest does not support sparse continuous.")
        else:
            if not spec.sparse.size():
                _add(spec.sparse, "all_sparse", DATA_CATEGORICAL, -1)
            values = CastToFloat(column.values)
            sparse.append(SparseTensor(column.indices, values, column.dense_shape))
    joined = array_ops.concat(dense, 1) if dense else None
    if not dense:
        spec.dense_features_size = 0
    joined_sparse = sparse_ops.sparse_concat(1, sparse) if sparse else None
    logging.info(spec.SerializeToString())
    return joined, joined_sparse, spec


def ParseLabelTensorOrDict(labels: Any) -> Any:
    """Labels as one float32 tensor.

    Args:
      labels: a tensor, a `SparseTensor` (-1 where it has none), or a dict of tensors.
    """
    if isinstance(labels, dict):
        labels = array_ops.concat([labels[key] for key in sorted(labels)], 1)
    elif isinstance(labels, SparseTensor):
        labels = sparse_ops.sparse_tensor_to_dense(labels, default_value=-1)
    return math_ops.cast(labels, dtypes.float32)
