"""The part of `tensorflow.python.ops.lookup_ops` about tables and what initializes them."""

from __future__ import annotations

import uuid
from typing import Any

from tf1compat.api.array import constant_op
from tf1compat.api.training.tracking import base, tracking
from tf1compat.core import context, dtypes, ops, raw_ops
from tf1compat.core.attribute import attribute
from tf1compat.core.export import tf_export
from tf1compat.core.sparse_tensor import SparseTensor
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.core.typing import DTypeLike


def _check_table_dtypes(table: LookupInterface, key_dtype: Any, value_dtype: Any) -> None:
    if key_dtype.base_dtype != table.key_dtype:
        raise TypeError(f"Invalid key dtype, expected {table.key_dtype} but got {key_dtype}.")
    if value_dtype.base_dtype != table.value_dtype:
        raise TypeError(f"Invalid value dtype, expected {table.value_dtype} but got {value_dtype}.")


def check_keys(keys: Any, key_dtype: DTypeLike) -> None:
    if keys.dtype.base_dtype != key_dtype:
        raise TypeError(f"Signature mismatch. Keys must be dtype {key_dtype}, got {keys.dtype}.")


def _in_control_flow() -> bool:
    return (
        not context.executing_eagerly()
        and ops.get_default_graph()._get_control_flow_context() is not None
    )


class LookupInterface(tracking.TrackableResource):
    """What every table has.

    Args:
      key_dtype, value_dtype: dtypes.
    """

    def __init__(self, key_dtype: DTypeLike, value_dtype: DTypeLike):
        self._key_dtype = dtypes.as_dtype(key_dtype)
        self._value_dtype = dtypes.as_dtype(value_dtype)
        super().__init__()

    def _create_resource(self) -> Any:
        raise NotImplementedError

    key_dtype: dtypes.DType = attribute("_key_dtype", "The dtype of keys.")
    value_dtype: dtypes.DType = attribute("_value_dtype", "The dtype of values.")

    @property
    def name(self) -> Any:
        """The table's name."""
        return NotImplementedError

    def size(self, name: str | None = None) -> Any:
        """How many keys there are (int64)."""
        raise NotImplementedError

    def lookup(self, keys: Any, name: str | None = None) -> Any:
        """The values of keys."""
        raise NotImplementedError


class InitializableLookupTableBase(LookupInterface):
    """A table that an initializer fills once.

    Args:
      default_value: the value of keys that are not there.
      initializer: a `TableInitializerBase`.
    """

    def __init__(self, default_value: Any, initializer: TableInitializerBase):
        super().__init__(initializer.key_dtype, initializer.value_dtype)
        self._default_value = ops.convert_to_tensor(default_value, dtype=self._value_dtype)
        self._default_value.get_shape().merge_with(TensorShape([]))
        self._initializer = self._track_trackable(initializer, "_initializer")
        with ops.init_scope():
            self._resource_handle = self._create_resource()
        if _in_control_flow():
            with ops.init_scope():
                self._init_op = self._initialize()
        else:
            self._init_op = self._initialize()

    def _initialize(self) -> Any:
        return self._initializer.initialize(self)

    default_value = attribute("_default_value", "The value of keys that are not there.")

    def size(self, name: str | None = None) -> Any:
        """How many keys there are (int64)."""
        with ops.name_scope(name, f"{self.name}_Size", [self.resource_handle]):
            return raw_ops.LookupTableSizeV2(self.resource_handle)

    def lookup(self, keys: Any, name: str | None = None) -> Any:
        """The values of keys.

        Args:
          keys: a tensor or SparseTensor of the dtype of keys.
          name: a name scope.

        Returns:
          Values in the form of `keys`.

        Raises:
          TypeError: `keys` has another dtype.
        """
        key_tensor = keys.values if isinstance(keys, SparseTensor) else keys
        check_keys(keys, self._key_dtype)
        used = (self.resource_handle, key_tensor, self._default_value)
        with ops.name_scope(name, f"{self.name}_Lookup", used):
            values = raw_ops.LookupTableFindV2(*used)
        values.set_shape(key_tensor.get_shape())
        if isinstance(keys, SparseTensor):
            return SparseTensor(keys.indices, values, keys.dense_shape)
        return values


class InitializableLookupTableBaseV1(InitializableLookupTableBase):
    """The same, in a graph."""

    initializer = attribute("_init_op", "The operation that fills the table.")


def table_name(handle: Any) -> str | None:
    return None if context.executing_eagerly() else handle.op.name.split("/")[-1]


@tf_export("compat.v2.lookup.StaticHashTable")
class StaticHashTable(InitializableLookupTableBase):
    """A table that is filled once (as `tf.lookup.StaticHashTable`).

    Args:
      initializer: what fills it, e.g. `tf.lookup.KeyValueTensorInitializer`.
      default_value: the value of keys that are not there.
      name: the name of the handle's operation.
    """

    def __init__(self, initializer: Any, default_value: Any, name: str | None = None):
        self._initializer = initializer
        self._default_value = default_value
        self._shared_name = initializer._shared_name or f"hash_table_{uuid.uuid4()}"
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
        self._table_name = table_name(handle)
        return handle

    name = attribute("_table_name", "The table's name.")

    def export(self, name: str | None = None) -> tuple[Any, Any]:
        """All keys and all values."""
        with ops.name_scope(name, f"{self.name}_Export", [self.resource_handle]):
            keys, values = raw_ops.LookupTableExportV2(
                self.resource_handle, self._key_dtype, self._value_dtype
            )
        values.set_shape(keys.get_shape().concatenate(self._value_shape))
        return keys, values


@tf_export("lookup.StaticHashTable")
class StaticHashTableV1(StaticHashTable):
    """A table that is filled once (as `tf.lookup.StaticHashTable` in TF 1.15)."""

    initializer = attribute("_init_op", "The operation that fills the table.")


class HashTable(StaticHashTableV1):
    """The same, with the name that `initializer` had."""

    init = attribute("initializer", "The operation that fills the table.")


class TableInitializerBase(base.Trackable):
    """What fills a table.

    Args:
      key_dtype, value_dtype: dtypes.
    """

    def __init__(self, key_dtype: DTypeLike, value_dtype: DTypeLike):
        self._key_dtype = dtypes.as_dtype(key_dtype)
        self._value_dtype = dtypes.as_dtype(value_dtype)

    key_dtype: dtypes.DType = attribute("_key_dtype", "The dtype of keys.")
    value_dtype: dtypes.DType = attribute("_value_dtype", "The dtype of values.")

    def initialize(self, table: Any) -> Any:
        """Records the operation that fills `table`."""
        raise NotImplementedError

    @property
    def _shared_name(self) -> str:
        """A name for the table that shares it with others of the same contents; "" for none."""
        return str(ops.uid()) if context.executing_eagerly() else ""


@tf_export("lookup.KeyValueTensorInitializer")
class KeyValueTensorInitializer(TableInitializerBase):
    """Fills a table with tensors.

    Args:
      keys, values: vectors of one size.
      key_dtype, value_dtype: their dtypes; None to infer them.
      name: a name scope.
    """

    def __init__(
        self,
        keys: Any,
        values: Any,
        key_dtype: DTypeLike | None = None,
        value_dtype: DTypeLike | None = None,
        name: str | None = None,
    ):
        if _in_control_flow():
            with ops.init_scope():
                self._convert(keys, values, key_dtype, value_dtype)
        else:
            self._convert(keys, values, key_dtype, value_dtype)
        self._name = name if name is not None else "key_value_init"
        if context.executing_eagerly():
            self._name += str(ops.uid())
        super().__init__(self._keys.dtype, self._values.dtype)

    def _convert(self, keys: Any, values: Any, key_dtype: Any, value_dtype: Any) -> None:
        self._keys = ops.convert_to_tensor(keys, dtype=key_dtype, name="keys")
        self._values = ops.convert_to_tensor(values, dtype=value_dtype, name="values")

    def initialize(self, table: Any) -> Any:
        """Records the operation that fills `table`.

        Raises:
          TypeError: the table has other dtypes.
        """
        _check_table_dtypes(table, self._keys.dtype, self._values.dtype)
        used = (table.resource_handle, self._keys, self._values)
        with ops.name_scope(self._name, values=used):
            init_op = raw_ops.LookupTableImportV2(*used)
        ops.add_to_collection(ops.GraphKeys.TABLE_INITIALIZERS, init_op)
        return init_op


@tf_export("lookup.TextFileIndex")
class TextFileIndex:
    """What of a line of a file is a key or a value, besides a column's number."""

    WHOLE_LINE = -2
    LINE_NUMBER = -1


@tf_export("lookup.TextFileInitializer")
class TextFileInitializer(TableInitializerBase):
    """Fills a table from the lines of a text file.

    Args:
      filename: a string or a scalar string tensor.
      key_dtype: the dtype of keys.
      key_index: the column of keys, or one of `TextFileIndex`.
      value_dtype: the dtype of values.
      value_index: the column of values, or one of `TextFileIndex`.
      vocab_size: how many lines are used; None for all.
      delimiter: what is between columns.
      name: a name scope.

    Raises:
      ValueError: the dtypes do not fit the columns, or a number makes no sense.
    """

    def __init__(
        self,
        filename: Any,
        key_dtype: DTypeLike,
        key_index: int,
        value_dtype: DTypeLike,
        value_index: int,
        vocab_size: int | None = None,
        delimiter: str = "\t",
        name: str | None = None,
    ):
        if not isinstance(filename, ops.Tensor) and not filename:
            raise ValueError(f"Filename required for {name}.")
        self._filename_arg = filename
        key_dtype, value_dtype = dtypes.as_dtype(key_dtype), dtypes.as_dtype(value_dtype)
        if key_index < -2:
            raise ValueError(f"Invalid key index {key_index}.")
        if key_index == TextFileIndex.LINE_NUMBER and key_dtype != dtypes.int64:
            raise ValueError(
                f"Signature mismatch. Keys must be dtype {dtypes.int64}, got {key_dtype}."
            )
        if (
            key_index == TextFileIndex.WHOLE_LINE
            and not key_dtype.is_integer
            and key_dtype != dtypes.string
        ):
            raise ValueError(
                f"Signature mismatch. Keys must be integer or string, got {key_dtype}."
            )
        if value_index < -2:
            raise ValueError(f"Invalid value index {value_index}.")
        if value_index == TextFileIndex.LINE_NUMBER and value_dtype != dtypes.int64:
            raise ValueError(
                f"Signature mismatch. Values must be dtype {dtypes.int64}, got {value_dtype}."
            )
        if value_index == TextFileIndex.WHOLE_LINE and value_dtype != dtypes.string:
            raise ValueError(
                f"Signature mismatch. Values must be dtype {dtypes.string}, got {value_dtype}."
            )
        if vocab_size is not None and vocab_size <= 0:
            raise ValueError(f"Invalid vocab_size {vocab_size}.")
        self._key_index = key_index
        self._value_index = value_index
        self._vocab_size = vocab_size
        self._delimiter = delimiter
        self._name = name
        self._filename = self._track_trackable(tracking.TrackableAsset(filename), "_filename")
        super().__init__(key_dtype, value_dtype)

    def initialize(self, table: Any) -> Any:
        """Records the operation that fills `table`.

        Raises:
          TypeError: the table has other dtypes.
        """
        _check_table_dtypes(table, self.key_dtype, self.value_dtype)
        with ops.name_scope(self._name, "text_file_init", (table.resource_handle,)):
            filename = ops.convert_to_tensor(self._filename, dtypes.string, name="asset_filepath")
            init_op = raw_ops.InitializeTableFromTextFileV2(
                table.resource_handle,
                filename,
                self._key_index,
                self._value_index,
                -1 if self._vocab_size is None else self._vocab_size,
                self._delimiter,
            )
        ops.add_to_collection(ops.GraphKeys.TABLE_INITIALIZERS, init_op)
        if not context.executing_eagerly() and constant_op.is_constant(filename):
            ops.add_to_collection(ops.GraphKeys.ASSET_FILEPATHS, filename)
        return init_op

    @property
    def _shared_name(self) -> str:
        size = f"{self._vocab_size}_" if self._vocab_size else ""
        return f"hash_table_{self._filename_arg}_{size}{self._key_index}_{self._value_index}"


class TextFileStringTableInitializer(TextFileInitializer):
    """Fills a table from line numbers to strings.

    Args:
      filename, vocab_size, delimiter, name: as in `TextFileInitializer`.
      key_column_index, value_column_index: its `key_index` and `value_index`.
    """

    def __init__(
        self,
        filename: Any,
        key_column_index: int = TextFileIndex.LINE_NUMBER,
        value_column_index: int = TextFileIndex.WHOLE_LINE,
        vocab_size: int | None = None,
        delimiter: str = "\t",
        name: str | None = "text_file_string_table_init",
    ):
        super().__init__(
            filename,
            dtypes.int64,
            key_column_index,
            dtypes.string,
            value_column_index,
            vocab_size=vocab_size,
            delimiter=delimiter,
            name=name,
        )


class TextFileIdTableInitializer(TextFileInitializer):
    """Fills a table from strings to line numbers.

    Args:
      filename, vocab_size, delimiter, name, key_dtype: as in `TextFileInitializer`.
      key_column_index, value_column_index: its `key_index` and `value_index`.
    """

    def __init__(
        self,
        filename: Any,
        key_column_index: int = TextFileIndex.WHOLE_LINE,
        value_column_index: int = TextFileIndex.LINE_NUMBER,
        vocab_size: int | None = None,
        delimiter: str = "\t",
        name: str | None = "text_file_id_table_init",
        key_dtype: DTypeLike = dtypes.string,
    ):
        super().__init__(
            filename,
            key_dtype,
            key_column_index,
            dtypes.int64,
            value_column_index,
            vocab_size=vocab_size,
            delimiter=delimiter,
            name=name,
        )
