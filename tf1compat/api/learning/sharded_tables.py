"""Tables in shards, by which coordinate ascent knows its examples
(`…linear_optimizer.python.utils.sharded_mutable_dense_hashtable` of tensorflow_estimator)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.lookup.lookup_mutable import DenseHashTable
from tf1compat.api.math import math_ops
from tf1compat.api.queues import data_flow_ops
from tf1compat.core import ops, raw_ops
from tf1compat.core.attribute import attribute
from tf1compat.core.typing import DTypeLike, Name


class _MutableDenseHashTable(DenseHashTable):
    """A `DenseHashTable` whose operations are named as their scopes."""

    def size(self, name: str | None = None) -> Any:
        """How many keys there are (int64)."""
        used = [self.resource_handle]
        with (
            ops.name_scope(name, f"{self.name}_Size", used) as scope,
            ops.colocate_with(self.resource_handle),
        ):
            return raw_ops.LookupTableSizeV2(self.resource_handle, name=scope)

    def lookup(self, keys: Any, name: str | None = None) -> Any:
        """The values of keys."""
        used = [self.resource_handle, keys]
        with ops.name_scope(name, f"{self.name}_lookup_table_find", used) as scope:
            keys = ops.convert_to_tensor(keys, dtype=self._key_dtype, name="keys")
            with ops.colocate_with(self.resource_handle):
                return raw_ops.LookupTableFindV2(
                    self.resource_handle, keys, self._default_value, name=scope
                )

    def insert(self, keys: Any, values: Any, name: str | None = None) -> Any:
        """Records the operation that sets the values of keys."""
        used = [self.resource_handle, keys, values]
        with ops.name_scope(name, f"{self.name}_lookup_table_insert", used) as scope:
            keys = ops.convert_to_tensor(keys, self._key_dtype, name="keys")
            values = ops.convert_to_tensor(values, self._value_dtype, name="values")
            with ops.colocate_with(self.resource_handle):
                return raw_ops.LookupTableInsertV2(self.resource_handle, keys, values, name=scope)

    def export(self, name: str | None = None) -> tuple[Any, Any]:
        """All keys and all values."""
        used = [self.resource_handle]
        with (
            ops.name_scope(name, f"{self.name}_lookup_table_export_values", used) as scope,
            ops.colocate_with(self.resource_handle),
        ):
            keys, values = raw_ops.LookupTableExportV2(
                self.resource_handle, self._key_dtype, self._value_dtype, name=scope
            )
        return keys, values


class _ShardedMutableDenseHashTable:
    """Several tables; which one a key is in goes by its (first) number.

    Args:
      key_dtype, value_dtype, default_value, empty_key, deleted_key: see `DenseHashTable`.
      num_shards: how many tables.
      checkpoint: whether checkpoints hold them.
      name: the name scope, and what the tables' names begin with.
    """

    _table: type[DenseHashTable] = _MutableDenseHashTable

    def __init__(
        self, key_dtype: DTypeLike, value_dtype: DTypeLike, default_value: Any, empty_key: Any,
        deleted_key: Any, num_shards: int = 1, checkpoint: bool = True,
        name: str = "ShardedMutableHashTable",
    ):  # fmt: skip
        self._key_dtype = key_dtype
        self._value_dtype = value_dtype
        with ops.name_scope(name, "sharded_mutable_hash_table") as scope:
            self._table_name = scope
            self._table_shards = [
                self._table(
                    key_dtype=key_dtype, value_dtype=value_dtype, default_value=default_value,
                    empty_key=empty_key, deleted_key=deleted_key, checkpoint=checkpoint,
                    name=f"{name}-{i + 1}-of-{num_shards}",
                )
                for i in range(num_shards)
            ]  # fmt: skip
        self._value_shape = self._table_shards[0]._value_shape

    name: str = attribute("_table_name", "The name scope of the tables.")
    table_shards: list[DenseHashTable] = attribute("_table_shards", "The tables.")

    @property
    def _num_shards(self) -> int:
        return len(self._table_shards)

    def size(self, name: Name = None) -> Any:
        """How many keys there are in all (int64)."""
        with ops.name_scope(name, "sharded_mutable_hash_table_size"):
            return math_ops.add_n([table.size() for table in self._table_shards])

    def _first_numbers(self, keys: Any) -> Any:
        return array_ops.slice(keys, [0, 0], [-1, 1])

    def _shard_indices(self, keys: Any) -> Any:
        if keys.get_shape().ndims > 1:
            keys = array_ops.reshape(self._first_numbers(keys), [-1])
        return math_ops.cast(math_ops.mod(math_ops.abs(keys), self._num_shards), "int32")

    def _check_keys(self, keys: Any) -> None:
        shape = keys.get_shape()
        if shape.ndims not in (1, 2):
            raise ValueError(f"Expected a vector or matrix for keys, got {shape}.")

    def _split(self, values: Any, shards: Any) -> Any:
        return data_flow_ops.dynamic_partition(values, shards, self._num_shards)

    def lookup(self, keys: Any, name: Name = None) -> Any:
        """The values of keys.

        Args:
          keys: [keys] or [keys, numbers], of the dtype of keys.
          name: the name of the operations.

        Raises:
          TypeError: `keys` has another dtype.
          ValueError: it has another rank.
        """
        if keys.dtype.base_dtype != self._key_dtype:
            raise TypeError(
                f"Signature mismatch. Keys must be dtype {self._key_dtype}, got {keys.dtype}."
            )
        self._check_keys(keys)
        if self._num_shards == 1:
            return self._table_shards[0].lookup(keys, name=name)
        shards = self._shard_indices(keys)
        parts = self._split(keys, shards)
        values = [table.lookup(part, name=name) for table, part in zip(self._table_shards, parts)]
        places = self._split(math_ops.range(self._key_count(keys)), shards)
        return self._joined(keys, data_flow_ops.dynamic_stitch(places, values))

    def _key_count(self, keys: Any) -> Any:
        return array_ops.shape(keys)[0]

    def _joined(self, keys: Any, values: Any) -> Any:
        return values

    def insert(self, keys: Any, values: Any, name: Name = None) -> Any:
        """Records the operations that set the values of keys."""
        self._check_keys(keys)
        if self._num_shards == 1:
            return self._table_shards[0].insert(keys, values, name=name)
        shards = self._shard_indices(keys)
        parts = zip(self._table_shards, self._split(keys, shards), self._split(values, shards))
        return control_flow_ops.group(*[table.insert(*part, name=name) for table, *part in parts])

    def export_sharded(self, name: Name = None) -> tuple[list[Any], list[Any]]:
        """All keys and all values, in lists: a tensor for each table."""
        found = [table.export(name=name) for table in self._table_shards]
        return [keys for keys, _ in found], [values for _, values in found]
