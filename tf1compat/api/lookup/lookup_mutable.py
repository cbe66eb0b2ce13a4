"""Tables that are written to while a program runs; a part of TF's `lookup_ops`."""

from __future__ import annotations

from typing import Any

from tf1compat.api.lookup.static_tables import LookupInterface, table_name
from tf1compat.api.training.saving.saveable_object import SaveableObject, SaveSpec
from tf1compat.core import context, ops, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import DTypeLike, Name


class _Saveable(SaveableObject):
    """A table's keys and values in a checkpoint."""

    def __init__(self, table: _WritableTable, name: str):
        keys, values = table.export()
        specs = [SaveSpec(keys, "", name + "-keys"), SaveSpec(values, "", name + "-values")]
        super().__init__(table, specs, name)

    def restore(self, restored_tensors: Any, restored_shapes: Any, name: Name = None) -> Any:
        """Records the operation that fills the table with what was saved."""
        with (
            ops.name_scope(name, f"{self.name}_table_restore"),
            ops.colocate_with(self.op.resource_handle),
        ):
            return raw_ops.LookupTableImportV2(
                self.op.resource_handle, restored_tensors[0], restored_tensors[1]
            )


class _WritableTable(LookupInterface):
    """What `MutableHashTable` and `DenseHashTable` have in common."""

    _default_value: Any
    _name: str
    _checkpoint: bool

    def _start(self, key_dtype: DTypeLike, value_dtype: DTypeLike) -> None:
        """Makes the handle, and what checkpoints save."""
        self._shared_name = None
        self._table_name = None
        if context.executing_eagerly():
            self._shared_name = f"table_{ops.uid()}"
        LookupInterface.__init__(self, key_dtype, value_dtype)
        self._resource_handle = self._create_resource()
        if self._checkpoint:
            saveable = _Saveable(self, self._name)
            if not context.executing_eagerly():
                ops.add_to_collection(ops.GraphKeys.SAVEABLE_OBJECTS, saveable)

    def _sharing(self) -> dict[str, Any]:
        """How the handle's operation shares the table."""
        return {
            "shared_name": self._shared_name,
            "use_node_name_sharing": self._checkpoint and self._shared_name is None,
            "name": self._name,
        }

    @property
    def name(self) -> Any:
        """The table's name."""
        return self._table_name

    def size(self, name: str | None = None) -> Any:
        """How many keys there are (int64)."""
        with (
            ops.name_scope(name, f"{self.name}_Size", [self.resource_handle]),
            ops.colocate_with(self.resource_handle),
        ):
            return raw_ops.LookupTableSizeV2(self.resource_handle)

    def _remove(self, keys: Any, name: str | None) -> Any:
        if keys.dtype != self._key_dtype:
            raise TypeError(
                f"Signature mismatch. Keys must be dtype {self._key_dtype}, got {keys.dtype}."
            )
        used = (self.resource_handle, keys, self._default_value)
        with ops.name_scope(name, f"{self.name}_lookup_table_remove", used):
            return raw_ops.LookupTableRemoveV2(self.resource_handle, keys)

    def _lookup_scope(self, keys: Any) -> list[Any]:
        """The values that the name scope of `lookup` looks at."""
        return [self.resource_handle, keys]

    def lookup(self, keys: Any, name: str | None = None) -> Any:
        """The values of keys.

        Args:
          keys: a tensor of the dtype of keys.
          name: a name scope.

        Returns:
          A tensor: a value for each key.
        """
        scope = self._lookup_scope(keys)
        with ops.name_scope(name, f"{self.name}_lookup_table_find", scope):
            keys = ops.convert_to_tensor(keys, dtype=self._key_dtype, name="keys")
            with ops.colocate_with(self.resource_handle):
                return raw_ops.LookupTableFindV2(self.resource_handle, keys, self._default_value)

    def insert(self, keys: Any, values: Any, name: str | None = None) -> Any:
        """Records the operation that sets the values of keys."""
        used = [self.resource_handle, keys, values]
        with ops.name_scope(name, f"{self.name}_lookup_table_insert", used):
            keys = ops.convert_to_tensor(keys, self._key_dtype, name="keys")
            values = ops.convert_to_tensor(values, self._value_dtype, name="values")
            with ops.colocate_with(self.resource_handle):
                return raw_ops.LookupTableInsertV2(self.resource_handle, keys, values)

    def export(self, name: str | None = None) -> tuple[Any, Any]:
        """All keys and all values."""
        used = [self.resource_handle]
        with (
            ops.name_scope(name, f"{self.name}_lookup_table_export_values", used),
            ops.colocate_with(self.resource_handle),
        ):
            keys, values = raw_ops.LookupTableExportV2(
                self.resource_handle, self._key_dtype, self._value_dtype
            )
        return keys, values


class MutableHashTable(_WritableTable):
    """A table that is written to while the program runs (as `tf.contrib.lookup.MutableHashTable`).

    Args:
      key_dtype, value_dtype: dtypes.
      default_value: the value of keys that are not there; values have its shape.
      name: the name of the handle's operation.
      checkpoint: whether checkpoints hold the table.
    """

    def __init__(
        self,
        key_dtype: DTypeLike,
        value_dtype: DTypeLike,
        default_value: Any,
        name: str = "MutableHashTable",
        checkpoint: bool = True,
    ):
        self._default_value = ops.convert_to_tensor(default_value, dtype=value_dtype)
        self._value_shape = self._default_value.get_shape()
        self._checkpoint = checkpoint
        self._name = name
        self._start(key_dtype, value_dtype)

    def _create_resource(self) -> Any:
        settings: dict[str, Any] = {"key_dtype": self._key_dtype, "value_dtype": self._value_dtype}
        if self._default_value.get_shape().ndims == 0:
            handle = raw_ops.MutableHashTableV2(**settings, **self._sharing())
        else:
            handle = raw_ops.MutableHashTableOfTensorsV2(
                **settings, value_shape=self._default_value.get_shape(), **self._sharing()
            )
        self._table_name = table_name(handle)
        return handle

    def _lookup_scope(self, keys: Any) -> list[Any]:
        return [self.resource_handle, keys, self._default_value]

    def remove(self, keys: Any, name: str | None = None) -> Any:
        """Records the operation that removes keys.

        Raises:
          TypeError: `keys` has another dtype.
        """
        return self._remove(keys, name)


@tf_export("lookup.experimental.DenseHashTable")
class DenseHashTable(_WritableTable):
    """A table that is written to while the program runs, in buckets of tensors.

    Args:
      key_dtype, value_dtype: dtypes.
      default_value: the value of keys that are not there; values have its shape.
      empty_key, deleted_key: two keys that are never used; keys have their shape.
      initial_num_buckets: how many buckets there are at first, a power of two.
      name: the name of the handle's operation.
      checkpoint: whether checkpoints hold the table.
    """

    def __init__(
        self,
        key_dtype: DTypeLike,
        value_dtype: DTypeLike,
        default_value: Any,
        empty_key: Any,
        deleted_key: Any,
        initial_num_buckets: int | None = None,
        name: str = "MutableDenseHashTable",
        checkpoint: bool = True,
    ):
        self._default_value = ops.convert_to_tensor(
            default_value, dtype=value_dtype, name="default_value"
        )
        self._initial_num_buckets = initial_num_buckets
        self._value_shape = self._default_value.get_shape()
        self._checkpoint = checkpoint
        self._name = name
        self._empty_key = ops.convert_to_tensor(empty_key, dtype=key_dtype, name="empty_key")
        self._deleted_key = ops.convert_to_tensor(deleted_key, dtype=key_dtype, name="deleted_key")
        self._start(key_dtype, value_dtype)

    def _create_resource(self) -> Any:
        handle = raw_ops.MutableDenseHashTableV2(
            empty_key=self._empty_key,
            deleted_key=self._deleted_key,
            value_dtype=self._value_dtype,
            value_shape=self._value_shape,
            initial_num_buckets=self._initial_num_buckets,
            **self._sharing(),
        )
        self._table_name = table_name(handle)
        return handle

    def insert_or_assign(self, keys: Any, values: Any, name: str | None = None) -> Any:
        """As `insert`."""
        return self.insert(keys, values, name)

    def erase(self, keys: Any, name: str | None = None) -> Any:
        """As `remove`."""
        return self._remove(keys, name)

    def remove(self, keys: Any, name: str | None = None) -> Any:
        """Records the operation that removes keys.

        Raises:
          TypeError: `keys` has another dtype.
        """
        return self.erase(keys, name)
