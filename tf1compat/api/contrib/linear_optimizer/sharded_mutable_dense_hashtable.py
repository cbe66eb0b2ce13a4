"""Tables in shards
(`tensorflow.contrib.linear_optimizer.python.ops.sharded_mutable_dense_hashtable`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.contrib.linear_optimizer.sparse_feature_column import in_core
from tf1compat.api.learning import sharded_tables
from tf1compat.api.lookup.lookup_mutable import DenseHashTable


class ShardedMutableDenseHashTable(sharded_tables._ShardedMutableDenseHashTable):
    """As the newer one, but that it takes keys of known shape alone."""

    _table = DenseHashTable

    @in_core
    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)

    def _first_numbers(self, keys: Any) -> Any:
        return array_ops.slice(keys, [0, 0], [keys.get_shape().as_list()[0], 1])

    def _check_keys(self, keys: Any) -> None:
        shape = keys.get_shape()
        if not shape.is_fully_defined():
            raise ValueError(f"Key shape must be fully defined, got {shape}.")
        super()._check_keys(keys)

    def _key_count(self, keys: Any) -> Any:
        return keys.get_shape().dims[0]

    def _joined(self, keys: Any, values: Any) -> Any:
        values.set_shape(keys.get_shape()[:1].concatenate(self._value_shape))
        return values
