"""`tensorflow.python.ops.lookup_ops`: tables from keys to values.

A table is a resource of the session; `tf.tables_initializer()` fills those that have an
initializer.
"""

from __future__ import annotations

import collections
import functools
import uuid
from typing import Any

from tf1compat.api.array import array_ops, constant_op, gather_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.math import math_ops
from tf1compat.api.text import string_ops
from tf1compat.api.training.tracking import base, tracking
from tf1compat.api.util.compat import integral_types
from tf1compat.api.util.deprecation import deprecated
from tf1compat.core import context, dtypes, ops, raw_ops, tensor_util
from tf1compat.core.export import tf_export
from tf1compat.core.sparse_tensor import SparseTensor
from tf1compat.core.tensor_shape import TensorShape


@tf_export("initialize_all_tables")
@deprecated(None, "Use `tf.tables_initializer` instead.")
def initialize_all_tables(name: str | None = "init_all_tables") -> Any:
    """As `tf.tables_initializer`."""
    return tables_initializer(name)


@tf_export("initializers.tables_initializer", "tables_initializer")
def tables_initializer(name: str | None = "init_all_tables") -> Any:
    """An operation that fills all tables (as `tf.tables_initializer` in TF 1.15).

    Args:
      name: the operation's name.

    Returns:
      An operation; it does nothing if there are no tables.
    """
    initializers = ops.get_collection(ops.GraphKeys.TABLE_INITIALIZERS)
    if initializers:
        return control_flow_ops.group(*initializers, name=name)
    return control_flow_ops.no_op(name=name)


def _check_table_dtypes(table: LookupInterface, key_dtype: Any, value_dtype: Any) -> None:
    if key_dtype.base_dtype != table.key_dtype:
        raise TypeError(f"Invalid key dtype, expected {table.key_dtype} but got {key_dtype}.")
    if value_dtype.base_dtype != table.value_dtype:
        raise TypeError(f"Invalid value dtype, expected {table.value_dtype} but got {value_dtype}.")


def _check_keys(keys: Any, key_dtype: Any) -> None:
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

    def __init__(self, key_dtype: Any, value_dtype: Any):
        self._key_dtype = dtypes.as_dtype(key_dtype)
        self._value_dtype = dtypes.as_dtype(value_dtype)
        super().__init__()

    def _create_resource(self) -> Any:
        raise NotImplementedError

    @property
    def key_dtype(self) -> dtypes.DType:
        """The dtype of keys."""
        return self._key_dtype

    @property
    def value_dtype(self) -> dtypes.DType:
        """The dtype of values."""
        return self._value_dtype

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

    @property
    def default_value(self) -> Any:
        """The value of keys that are not there."""
        return self._default_value

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
        _check_keys(keys, self._key_dtype)
        used = (self.resource_handle, key_tensor, self._default_value)
        with ops.name_scope(name, f"{self.name}_Lookup", used):
            values = raw_ops.LookupTableFindV2(*used)
        values.set_shape(key_tensor.get_shape())
        if isinstance(keys, SparseTensor):
            return SparseTensor(keys.indices, values, keys.dense_shape)
        return values


class InitializableLookupTableBaseV1(InitializableLookupTableBase):
    """The same, in a graph."""

    @property
    def initializer(self) -> Any:
        """The operation that fills the table."""
        return self._init_op


def _table_name(handle: Any) -> str | None:
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
        self._table_name = _table_name(handle)
        return handle

    @property
    def name(self) -> Any:
        """The table's name."""
        return self._table_name

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

    @property
    def initializer(self) -> Any:
        """The operation that fills the table."""
        return self._init_op


class HashTable(StaticHashTableV1):
    """The same, with the name that `initializer` had."""

    @property
    def init(self) -> Any:
        """The operation that fills the table."""
        return self.initializer


# Initializers.


class TableInitializerBase(base.Trackable):
    """What fills a table.

    Args:
      key_dtype, value_dtype: dtypes.
    """

    def __init__(self, key_dtype: Any, value_dtype: Any):
        self._key_dtype = dtypes.as_dtype(key_dtype)
        self._value_dtype = dtypes.as_dtype(value_dtype)

    @property
    def key_dtype(self) -> dtypes.DType:
        """The dtype of keys."""
        return self._key_dtype

    @property
    def value_dtype(self) -> dtypes.DType:
        """The dtype of values."""
        return self._value_dtype

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
        key_dtype: Any = None,
        value_dtype: Any = None,
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
        key_dtype: Any,
        key_index: int,
        value_dtype: Any,
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
        key_dtype: Any = dtypes.string,
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


# Hash buckets for keys that are not in a table.


class HasherSpec(collections.namedtuple("HasherSpec", ["hasher", "key"])):
    """A hash function of strings: its name, "fasthash", "legacy" or "stronghash", and its key."""

    __slots__ = ()


FastHashSpec = HasherSpec("fasthash", None)


class StrongHashSpec(HasherSpec):
    """A hash function with a key, two integers.

    Raises:
      ValueError, TypeError: the key is no such thing.
    """

    __slots__ = ()

    def __new__(cls, key: Any) -> StrongHashSpec:
        if len(key) != 2:
            raise ValueError(f"key must have size 2, got {len(key)}.")
        if not all(isinstance(word, integral_types) for word in key):
            raise TypeError(f"Invalid key {key}. Must be unsigned integer values.")
        return super().__new__(cls, "stronghash", key)


def _as_string(tensor: Any) -> Any:
    return tensor if tensor.dtype.base_dtype == dtypes.string else string_ops.as_string(tensor)


class _BucketTable(LookupInterface):
    """A table, or none, with hash buckets for keys that are not in it.

    What its two subclasses have in common; they set `_table`, `_num_oov_buckets`, `_table_name`.
    """

    _table: Any
    _num_oov_buckets: int
    _table_name: Any

    def _create_resource(self) -> Any:
        return None if self._table is None else self._table._create_resource()

    def _initialize(self) -> Any:
        if self._table is not None:
            return self._table._initialize()
        with ops.name_scope(None, "init"):
            return control_flow_ops.no_op()

    @property
    def initializer(self) -> Any:
        """The operation that fills the table."""
        return self._initialize() if self._table is None else self._table._init_op

    @property
    def resource_handle(self) -> Any:
        """The handle of the table; None if there is none."""
        return None if self._table is None else self._table.resource_handle

    @property
    def name(self) -> Any:
        """The table's name."""
        return self._table_name

    def size(self, name: str | None = None) -> Any:
        """How many values there are, buckets included (int64)."""
        with ops.name_scope(name, f"{self.name}_Size"):
            if self._table:
                size = self._table.size()
            else:
                size = ops.convert_to_tensor(0, dtype=dtypes.int64)
            return size + self._num_oov_buckets

    def _hashed(self, values: Any) -> Any:
        """Records the hash of strings."""
        return string_ops.string_to_hash_bucket_fast(
            _as_string(values), num_buckets=self._num_oov_buckets, name="hash_bucket"
        )

    def _only_table(self, values: Any, name: str | None) -> Any:
        """The values of keys where there are no buckets; None where there are."""
        return None

    def lookup(self, keys: Any, name: str | None = None) -> Any:
        """The values of keys: those in the table, or the numbers of buckets after them.

        Args:
          keys: a tensor or SparseTensor of the dtype of keys.
          name: a name scope.

        Returns:
          int64 in the form of `keys`.

        Raises:
          TypeError: `keys` has another dtype.
        """
        _check_keys(keys, self._key_dtype)
        values = keys.values if isinstance(keys, SparseTensor) else keys
        if self._table and self._table.key_dtype.base_dtype == dtypes.int64:
            values = math_ops.cast(values, dtypes.int64)
        ids = self._only_table(values, name)
        if ids is None:
            with ops.name_scope(name, f"{self.name}_Lookup"):
                ids = buckets = self._hashed(values)
                if self._table:
                    ids = self._table.lookup(values)
                    buckets = math_ops.add(buckets, self._table.size())
                    is_known = math_ops.not_equal(ids, self._table.default_value)
                    ids = gather_ops.where_v2(is_known, ids, buckets)
        if isinstance(keys, SparseTensor):
            return SparseTensor(keys.indices, ids, keys.dense_shape)
        return ids


def _check_key_dtypes(table_dtype: Any, key_dtype: Any, shown: Any) -> None:
    supported = (dtypes.int64, dtypes.string)
    if table_dtype not in supported:
        raise TypeError(f"Invalid key dtype, expected one of {supported}, but got {shown}.")
    if table_dtype.is_integer != key_dtype.is_integer:
        kind = "integer" if key_dtype.is_integer else "non-integer"
        raise TypeError(f"Invalid key dtype, expected {kind} but got {table_dtype}.")


class IdTableWithHashBuckets(_BucketTable):
    """A table of numbers, with hash buckets for keys that are not in it.

    Args:
      table: a table from int64 or strings to int64, or None.
      num_oov_buckets: how many buckets there are.
      hasher_spec: the hash function.
      name: the table's name.
      key_dtype: the dtype of keys; None for the table's.

    Raises:
      TypeError: the table has other dtypes, or `hasher_spec` is no `HasherSpec`.
      ValueError: there are neither a table nor buckets.
    """

    def __init__(
        self,
        table: Any,
        num_oov_buckets: int,
        hasher_spec: Any = FastHashSpec,
        name: str | None = None,
        key_dtype: Any = None,
    ):
        name = name.rstrip("/") if name else name
        if table:
            key_dtype = table.key_dtype if key_dtype is None else key_dtype
            _check_key_dtypes(table.key_dtype, key_dtype, key_dtype)
            if table.value_dtype != dtypes.int64:
                raise TypeError(
                    f"Invalid value dtype, expected {dtypes.int64} but got {table.value_dtype}."
                )
            self._table = table
            name = name or table.name
        else:
            if num_oov_buckets <= 0:
                raise ValueError("oov_buckets must be > 0 if no table is supplied.")
            key_dtype = dtypes.string if key_dtype is None else key_dtype
            self._table = None
            name = name or "hash_bucket"
        if not key_dtype.is_integer and key_dtype != dtypes.string:
            raise TypeError(f"Invalid key_dtype, expected integer or string, got {key_dtype}.")
        self._num_oov_buckets = num_oov_buckets
        if not isinstance(hasher_spec, HasherSpec):
            raise TypeError(f"hasher_spec must be of type HasherSpec, got {hasher_spec}")
        self._hasher_spec = hasher_spec
        self._table_name = name.split("/")[-1] if name else None
        super().__init__(key_dtype, dtypes.int64)

    @property
    @deprecated("2018-12-15", "Use `initializer` instead.")
    def init(self) -> Any:
        """The operation that fills the table."""
        return self.initializer

    def _hashed(self, values: Any) -> Any:
        spec = self._hasher_spec
        functions = {
            "fasthash": string_ops.string_to_hash_bucket_fast,
            "legacy": string_ops.string_to_hash_bucket,
            "stronghash": functools.partial(string_ops.string_to_hash_bucket_strong, key=spec.key),
        }
        if spec.hasher not in functions:
            raise ValueError(f"Unknown hasher {spec.hasher}")
        return functions[spec.hasher](
            _as_string(values), num_buckets=self._num_oov_buckets, name="hash_bucket"
        )

    def _only_table(self, values: Any, name: str | None) -> Any:
        return self._table.lookup(values, name=name) if self._num_oov_buckets == 0 else None


@tf_export("compat.v2.lookup.StaticVocabularyTable")
class StaticVocabularyTable(_BucketTable):
    """A table that is filled once, with hash buckets for keys that are not in it.

    Args:
      initializer: what fills it, or None.
      num_oov_buckets: how many buckets there are.
      lookup_key_dtype: the dtype of keys; None for the initializer's.
      name: the table's name.

    Raises:
      TypeError: the initializer has other dtypes than int64 or strings to int64.
      ValueError: there are no buckets.
    """

    def __init__(
        self,
        initializer: Any,
        num_oov_buckets: int,
        lookup_key_dtype: Any = None,
        name: str | None = None,
    ):
        if num_oov_buckets <= 0:
            raise ValueError("oov_buckets must be > 0.")
        name = name.rstrip("/") if name else name
        if initializer:
            if lookup_key_dtype is None:
                lookup_key_dtype = initializer.key_dtype
            _check_key_dtypes(initializer.key_dtype, lookup_key_dtype, initializer.key_dtype)
            if initializer.value_dtype != dtypes.int64:
                raise TypeError(
                    f"Invalid value dtype, expected {dtypes.int64} but got "
                    f"{initializer.value_dtype}."
                )
            self._table = HashTable(initializer, default_value=-1)
            name = name or self._table.name
        else:
            lookup_key_dtype = dtypes.string
            self._table = None
            name = name or "hash_bucket"
        if not lookup_key_dtype.is_integer and lookup_key_dtype != dtypes.string:
            raise TypeError(
                f"Invalid key_dtype, expected integer or string, got {lookup_key_dtype}."
            )
        self._num_oov_buckets = num_oov_buckets
        self._table_name = None if name is None else name.split("/")[-1]
        super().__init__(lookup_key_dtype, dtypes.int64)


@tf_export("lookup.StaticVocabularyTable")
class StaticVocabularyTableV1(StaticVocabularyTable):
    """As `tf.lookup.StaticVocabularyTable` in TF 1.15."""


# Tables of vocabularies.


def _check_vocabulary(vocabulary_file: Any) -> None:
    if vocabulary_file is None or vocabulary_file == "":
        raise ValueError("vocabulary_file must be specified and must not be empty.")


def _check_buckets(num_oov_buckets: int) -> None:
    if num_oov_buckets < 0:
        raise ValueError(f"num_oov_buckets must be greater or equal than 0, got {num_oov_buckets}.")


def index_table_from_file(
    vocabulary_file: Any = None,
    num_oov_buckets: int = 0,
    vocab_size: int | None = None,
    default_value: int = -1,
    hasher_spec: Any = FastHashSpec,
    key_dtype: Any = dtypes.string,
    name: str | None = None,
    key_column_index: int = TextFileIndex.WHOLE_LINE,
    value_column_index: int = TextFileIndex.LINE_NUMBER,
    delimiter: str = "\t",
) -> Any:
    """A table from the lines of a vocabulary file to their numbers.

    Args:
      vocabulary_file: its path.
      num_oov_buckets: how many hash buckets there are for keys that are not in it.
      vocab_size: how many lines are used; None for all.
      default_value: the value of keys that are not there, if there are no buckets.
      hasher_spec: the hash function.
      key_dtype: an integer dtype or string.
      name: a name scope.
      key_column_index, value_column_index, delimiter: see `TextFileInitializer`.

    Returns:
      A table; it has to be initialized.

    Raises:
      ValueError, TypeError: an argument makes no sense.
    """
    if not isinstance(vocabulary_file, ops.Tensor):
        _check_vocabulary(vocabulary_file)
    _check_buckets(num_oov_buckets)
    if vocab_size is not None and vocab_size < 1:
        shown = vocabulary_file
        if isinstance(vocabulary_file, ops.Tensor):
            shown = tensor_util.constant_value(vocabulary_file) or "?"
        raise ValueError(
            f"vocab_size must be greater than 0, got {vocab_size}. vocabulary_file: {shown}"
        )
    if not key_dtype.is_integer and key_dtype.base_dtype != dtypes.string:
        raise TypeError("Only integer and string keys are supported.")
    with ops.name_scope(name, "string_to_index"):
        with ops.name_scope(None, "hash_table"):
            init = TextFileIdTableInitializer(
                vocabulary_file,
                vocab_size=vocab_size,
                key_dtype=dtypes.int64 if key_dtype.is_integer else key_dtype,
                name="table_init",
                key_column_index=key_column_index,
                value_column_index=value_column_index,
                delimiter=delimiter,
            )
            table: Any = StaticHashTableV1(init, default_value)
        if num_oov_buckets:
            table = IdTableWithHashBuckets(
                table,
                num_oov_buckets=num_oov_buckets,
                hasher_spec=hasher_spec,
                key_dtype=key_dtype,
            )
        return table


def index_table_from_tensor(
    vocabulary_list: Any,
    num_oov_buckets: int = 0,
    default_value: int = -1,
    hasher_spec: Any = FastHashSpec,
    dtype: Any = dtypes.string,
    name: str | None = None,
) -> Any:
    """A table from the elements of a vocabulary to their numbers.

    Args:
      vocabulary_list: a vector of strings or integers.
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
    if vocabulary_list is None:
        raise ValueError("vocabulary_list must be specified.")
    _check_buckets(num_oov_buckets)
    if not dtype.is_integer and dtype.base_dtype != dtypes.string:
        raise TypeError("Only integer and string keys are supported.")
    with ops.name_scope(name, "string_to_index"):
        keys = ops.convert_to_tensor(vocabulary_list)
        if keys.dtype.is_integer != dtype.is_integer:
            kind = "integer" if dtype.is_integer else "non-integer"
            raise ValueError(f"Expected {kind}, got {keys.dtype}.")
        if not dtype.is_integer and keys.dtype.base_dtype != dtype:
            raise ValueError(f"Expected {dtype}, got {keys.dtype}.")
        values = math_ops.cast(math_ops.range(array_ops.size(keys)), dtypes.int64)
        with ops.name_scope(None, "hash_table"):
            if keys.dtype.is_integer:
                keys = math_ops.cast(keys, dtypes.int64)
            init = KeyValueTensorInitializer(
                keys, values, keys.dtype.base_dtype, dtypes.int64, name="table_init"
            )
            table: Any = StaticHashTableV1(init, default_value)
        if num_oov_buckets:
            table = IdTableWithHashBuckets(
                table,
                num_oov_buckets=num_oov_buckets,
                hasher_spec=hasher_spec,
                key_dtype=dtype,
            )
        return table


def index_to_string_table_from_file(
    vocabulary_file: Any,
    vocab_size: int | None = None,
    default_value: str = "UNK",
    name: str | None = None,
    key_column_index: int = TextFileIndex.LINE_NUMBER,
    value_column_index: int = TextFileIndex.WHOLE_LINE,
    delimiter: str = "\t",
) -> StaticHashTableV1:
    """A table from numbers to the lines of a vocabulary file.

    Args:
      vocabulary_file: its path.
      vocab_size: how many lines are used; None for all.
      default_value: the value of numbers that are not there.
      name: a name scope.
      key_column_index, value_column_index, delimiter: see `TextFileInitializer`.

    Returns:
      A table; it has to be initialized.

    Raises:
      ValueError: an argument makes no sense.
    """
    if not isinstance(vocabulary_file, ops.Tensor):
        _check_vocabulary(vocabulary_file)
    if vocab_size is not None and vocab_size < 1:
        raise ValueError(f"vocab_size must be greater than 0, got {vocab_size}.")
    with ops.name_scope(name, "index_to_string"):
        init = TextFileStringTableInitializer(
            vocabulary_file,
            vocab_size=vocab_size,
            name="table_init",
            key_column_index=key_column_index,
            value_column_index=value_column_index,
            delimiter=delimiter,
        )
        return StaticHashTableV1(init, default_value)


def index_to_string_table_from_tensor(
    vocabulary_list: Any, default_value: str = "UNK", name: str | None = None
) -> StaticHashTableV1:
    """A table from numbers to the elements of a vocabulary.

    Args:
      vocabulary_list: a vector of strings.
      default_value: the value of numbers that are not there.
      name: a name scope.

    Returns:
      A table; it has to be initialized.

    Raises:
      ValueError: there is no vocabulary.
    """
    if vocabulary_list is None:
        raise ValueError("vocabulary_list must be specified.")
    with ops.name_scope(name, "index_to_string"):
        vocabulary_list = ops.convert_to_tensor(vocabulary_list, dtypes.string)
        numbers = math_ops.range(array_ops.size(vocabulary_list))
        keys = math_ops.cast(numbers, dtypes.int64)
        init = KeyValueTensorInitializer(
            keys, vocabulary_list, dtypes.int64, dtypes.string, name="table_init"
        )
        return StaticHashTableV1(init, default_value)
