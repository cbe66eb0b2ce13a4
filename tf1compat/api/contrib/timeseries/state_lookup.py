"""Tables of structures of tensors, by integers (a part of
`tensorflow.contrib.timeseries.python.timeseries.math_utils`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.lookup.lookup_mutable import DenseHashTable
from tf1compat.api.lookup.static_tables import LookupInterface
from tf1compat.core import nest, ops
from tf1compat.core.typing import DTypeLike, Name, TensorLike


class TensorValuedMutableDenseHashTable(DenseHashTable):
    """A mutable hash table whose values may have any rank.

    Args:
      key_dtype, value_dtype: dtypes of keys and values.
      default_value: what unknown keys have; its shape is that of all values.
      *args, **kwargs: as in `tf.contrib.lookup.MutableDenseHashTable`.
    """

    def __init__(
        self, key_dtype: DTypeLike, value_dtype: DTypeLike, default_value: TensorLike,
        *args: Any, **kwargs: Any,
    ):  # fmt: skip
        self._non_vector_value_shape = array_ops.shape(default_value)
        super().__init__(
            *args, key_dtype=key_dtype, value_dtype=value_dtype,
            default_value=array_ops.reshape(default_value, [-1]), **kwargs,
        )  # fmt: skip

    def insert(self, keys: TensorLike, values: TensorLike, name: Name = None) -> Any:
        """Sets values.

        Args:
          keys: of any shape.
          values: of the keys' shape and the values' together.
          name: the operation's name.
        """
        keys = ops.convert_to_tensor(keys, dtype=self._key_dtype)
        flat = array_ops.reshape(keys, [-1])
        rows = array_ops.reshape(values, [array_ops.shape(flat)[0], -1])
        return super().insert(keys=flat, values=rows, name=name)

    def lookup(self, keys: TensorLike, name: Name = None) -> Any:
        """The values of keys.

        Args:
          keys: of any shape.
          name: the operation's name.

        Returns:
          A tensor of the keys' shape and the values' together.
        """
        flat = array_ops.reshape(ops.convert_to_tensor(keys, dtype=self._key_dtype), [-1])
        rows = super().lookup(keys=flat, name=name)
        shape = array_ops.concat([array_ops.shape(keys), self._non_vector_value_shape], 0)
        return array_ops.reshape(rows, shape)


class TupleOfTensorsLookup(LookupInterface):
    """Mutable hash tables, one for each tensor of a structure.

    Args:
      key_dtype: the dtype of keys.
      default_values: the structure that unknown keys have.
      empty_key, deleted_key: two keys that are not used.
      name: what the tables' names begin with.
      checkpoint: whether they are saved in checkpoints.
    """

    def __init__(
        self, key_dtype: DTypeLike, default_values: Any, empty_key: Any, deleted_key: Any,
        name: str, checkpoint: bool = True,
    ):  # fmt: skip
        tables = [
            TensorValuedMutableDenseHashTable(
                key_dtype=key_dtype,
                value_dtype=value.dtype.base_dtype,
                default_value=value,
                empty_key=empty_key,
                deleted_key=deleted_key,
                name=f"{name}_{number}",
                checkpoint=checkpoint,
            )
            for number, value in enumerate(nest.flatten(default_values))
        ]
        self._hash_tables = nest.pack_sequence_as(default_values, tables)
        self._name = name

    def lookup(self, keys: TensorLike) -> Any:
        """The structures of keys, each tensor with the keys' shape before its own.

        Args:
          keys: of any shape.
        """
        return nest.map_structure(lambda table: table.lookup(keys), self._hash_tables)

    def insert(self, keys: TensorLike, values: Any) -> Any:
        """Sets structures.

        Args:
          keys: of any shape.
          values: the structure, each tensor with the keys' shape before its own.
        """
        nest.assert_same_structure(self._hash_tables, values)
        flat = [array_ops.identity(value) for value in nest.flatten(values)]
        # All are worked out before any is replaced: they may hang on what the tables hold.
        with ops.control_dependencies(flat):
            tables = nest.flatten(self._hash_tables)
            inserts = [t.insert(keys, value) for t, value in zip(tables, flat, strict=True)]
        return control_flow_ops.group(*inserts)

    def check_table_dtypes(self, key_dtype: DTypeLike, value_dtype: DTypeLike) -> None:
        """Nothing: the values have several dtypes.

        Args:
          key_dtype, value_dtype: not used.
        """
