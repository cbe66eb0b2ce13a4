"""`tf.contrib.lookup`: tables under their first names."""

from __future__ import annotations

from typing import Any

from tf1compat.api.lookup import lookup_ops
from tf1compat.api.lookup.lookup_mutable import DenseHashTable, MutableHashTable
from tf1compat.api.lookup.lookup_ops import (
    FastHashSpec,
    HasherSpec,
    IdTableWithHashBuckets,
    InitializableLookupTableBase,
    InitializableLookupTableBaseV1,
    KeyValueTensorInitializer,
    LookupInterface,
    StrongHashSpec,
    TableInitializerBase,
    TextFileIdTableInitializer,
    TextFileIndex,
    TextFileInitializer,
    TextFileStringTableInitializer,
    index_table_from_file,
    index_to_string_table_from_file,
)
from tf1compat.api.util.deprecation import deprecated
from tf1compat.core import dtypes, ops, raw_ops
from tf1compat.core.attribute import attribute
from tf1compat.core.export import export_constant, tf_export
from tf1compat.core.typing import DTypeLike

MutableDenseHashTable = DenseHashTable
_MODULE = "tensorflow.contrib.lookup.lookup_ops"

for _name, _value in {
    "FastHashSpec": FastHashSpec,
    "HasherSpec": HasherSpec,
    "IdTableWithHashBuckets": IdTableWithHashBuckets,
    "InitializableLookupTableBase": InitializableLookupTableBase,
    "KeyValueTensorInitializer": KeyValueTensorInitializer,
    "LookupInterface": LookupInterface,
    "MutableDenseHashTable": MutableDenseHashTable,
    "MutableHashTable": MutableHashTable,
    "StrongHashSpec": StrongHashSpec,
    "TableInitializerBase": TableInitializerBase,
    "TextFileIdTableInitializer": TextFileIdTableInitializer,
    "TextFileIndex": TextFileIndex,
    "TextFileInitializer": TextFileInitializer,
    "TextFileStringTableInitializer": TextFileStringTableInitializer,
    "index_table_from_file": index_table_from_file,
    "index_to_string_table_from_file": index_to_string_table_from_file,
}.items():
    export_constant(f"contrib.lookup.{_name}", _value)


@tf_export("contrib.lookup.string_to_index_table_from_file")
@deprecated("2017-04-10", "Use `index_table_from_file`.", module=_MODULE)
def string_to_index_table_from_file(
    vocabulary_file: str | None = None,
    num_oov_buckets: int = 0,
    vocab_size: int | None = None,
    default_value: int = -1,
    hasher_spec: Any = FastHashSpec,
    name: str | None = None,
) -> Any:
    """As `tf.contrib.lookup.index_table_from_file`, of strings.

    Args:
      vocabulary_file, num_oov_buckets, vocab_size, default_value, hasher_spec, name: as in
        `index_table_from_file`.

    Returns:
      As `index_table_from_file`.
    """
    return index_table_from_file(
        vocabulary_file,
        num_oov_buckets,
        vocab_size,
        default_value,
        hasher_spec,
        key_dtype=dtypes.string,
        name=name,
    )


@tf_export("contrib.lookup.string_to_index_table_from_tensor")
@deprecated("2017-04-10", "Use `index_table_from_tensor`.", module=_MODULE)
def string_to_index_table_from_tensor(
    mapping: Any,
    num_oov_buckets: int = 0,
    default_value: int = -1,
    hasher_spec: Any = FastHashSpec,
    name: str | None = None,
) -> Any:
    """As `tf.contrib.lookup.index_table_from_tensor`, of strings.

    Args:
      mapping, num_oov_buckets, default_value, hasher_spec, name: as in `index_table_from_tensor`.

    Returns:
      As `index_table_from_tensor`.

    Raises:
      ValueError: `mapping` is not of strings.
    """
    with ops.name_scope(name, "string_to_index") as scope:
        mapping = ops.convert_to_tensor(mapping)
    if mapping.dtype.base_dtype != dtypes.string:
        raise ValueError("string_to_index_table_from_tensor requires string.")
    return index_table_from_tensor(mapping, num_oov_buckets, default_value, hasher_spec, name=scope)


@tf_export("contrib.lookup.index_table_from_tensor")
def index_table_from_tensor(
    mapping: Any,
    num_oov_buckets: int = 0,
    default_value: int = -1,
    hasher_spec: Any = FastHashSpec,
    dtype: DTypeLike = dtypes.string,
    name: str | None = None,
) -> Any:
    """A table from the elements of a vocabulary to their numbers.

    Args:
      mapping: the vocabulary, a vector of strings or integers.
      num_oov_buckets: how many hash buckets there are for keys that are not in it.
      default_value: the value of keys that are not there, if there are no buckets.
      hasher_spec: the hash function.
      dtype: the dtype of keys.
      name: a name scope.

    Returns:
      A table; it has to be initialized.

    Raises:
      ValueError, TypeError: an argument makes no sense.
    """
    if mapping is None:
        raise ValueError("mapping must be specified.")
    return lookup_ops.index_table_from_tensor(
        mapping, num_oov_buckets, default_value, hasher_spec, dtype, name
    )


@tf_export("contrib.lookup.string_to_index")
@deprecated(
    "2017-01-07",
    "This op will be removed after the deprecation date. "
    "Please switch to index_table_from_tensor and call the lookup "
    "method of the returned table.",
    module=_MODULE,
)
def string_to_index(
    tensor: Any, mapping: Any, default_value: int = -1, name: str | None = None
) -> Any:
    """The numbers of strings in a vocabulary.

    Args:
      tensor: strings.
      mapping: the vocabulary, a vector of strings.
      default_value: the number of strings that are not in it.
      name: a name scope.

    Returns:
      Int64 numbers of the strings' shape.
    """
    return index_table_from_tensor(mapping, default_value=default_value, name=name).lookup(tensor)


@tf_export("contrib.lookup.index_to_string_table_from_tensor")
def index_to_string_table_from_tensor(
    mapping: Any, default_value: str = "UNK", name: str | None = None
) -> Any:
    """A table from numbers to the elements of a vocabulary.

    Args:
      mapping: the vocabulary, a vector of strings.
      default_value: the value of numbers that are not there.
      name: a name scope.

    Returns:
      A table from int64 to strings.

    Raises:
      ValueError: there is no vocabulary.
    """
    if mapping is None:
        raise ValueError("mapping must be specified.")
    return lookup_ops.index_to_string_table_from_tensor(mapping, default_value, name)


@tf_export("contrib.lookup.index_to_string")
@deprecated(
    "2017-01-07",
    "This op will be removed after the deprecation date. "
    "Please switch to index_to_string_table_from_tensor and call the lookup "
    "method of the returned table.",
    module=_MODULE,
)
def index_to_string(
    tensor: Any, mapping: Any, default_value: str = "UNK", name: str | None = None
) -> Any:
    """The strings of numbers in a vocabulary.

    Args:
      tensor: int64 numbers.
      mapping: the vocabulary, a vector of strings.
      default_value: the string of numbers that are not in it.
      name: a name scope.

    Returns:
      Strings of the numbers' shape.
    """
    return index_to_string_table_from_tensor(mapping, default_value, name).lookup(tensor)


@tf_export("contrib.lookup.HashTable")
class HashTable(InitializableLookupTableBaseV1):
    """A table that is filled once (as `tf.contrib.lookup.HashTable` in TF 1.15).

    Args:
      initializer: what fills it, e.g. `KeyValueTensorInitializer`.
      default_value: the value of keys that are not there.
      shared_name: a name under which sessions share it.
      name: the name of the handle's operation.
    """

    def __init__(
        self,
        initializer: Any,
        default_value: Any,
        shared_name: str | None = None,
        name: str | None = None,
    ):
        self._initializer = initializer
        self._default_value = default_value
        self._shared_name = shared_name
        self._name = name or "hash_table"
        self._table_name = None
        super().__init__(default_value, initializer)
        self._value_shape = self._default_value.get_shape()

    def _create_resource(self) -> Any:
        handle = raw_ops.HashTableV2(
            shared_name=self._shared_name,
            key_dtype=self._initializer.key_dtype,
            value_dtype=self._initializer.value_dtype,
            name=self._name,
        )
        self._table_name = lookup_ops.table_name(handle)
        return handle

    init = attribute("initializer", "The operation that fills the table.")
    name = attribute("_table_name", "The table's name.")

    def export(self, name: str | None = None) -> tuple[Any, Any]:
        """All keys and all values."""
        with ops.name_scope(name, f"{self.name}_Export", [self.resource_handle]) as name:
            keys, values = raw_ops.LookupTableExportV2(
                self.resource_handle, self._key_dtype, self._value_dtype, name=name
            )
        values.set_shape(keys.get_shape().concatenate(self._value_shape))
        return keys, values
