"""`tensorflow.python.ops.lookup_ops`: tables from keys to values.

A table is a resource of the session; `tf.tables_initializer()` fills those that have an
initializer.
"""

from __future__ import annotations

import collections
import functools
from typing import Any

from tf1compat.api.array import array_ops, gather_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.lookup.static_tables import *  # noqa: F403
from tf1compat.api.lookup.static_tables import (
    HashTable,
    KeyValueTensorInitializer,
    LookupInterface,
    StaticHashTableV1,
    TextFileIdTableInitializer,
    TextFileIndex,
    TextFileStringTableInitializer,
    check_keys,
)
from tf1compat.api.math import math_ops
from tf1compat.api.text import string_ops
from tf1compat.api.util.compat import integral_types
from tf1compat.api.util.deprecation import deprecated
from tf1compat.core import dtypes, ops, tensor_util
from tf1compat.core.export import tf_export
from tf1compat.core.sparse_tensor import SparseTensor


@tf_export("initialize_all_tables")
@deprecated(None, "Use `tf.tables_initializer` instead.")
def initialize_all_tables(name: str | None = "init_all_tables") -> Any:
    """As `tf.tables_initializer`.

    Args:
      name: the operation's name.

    Returns:
      An operation.
    """
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


# Initializers.


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
        check_keys(keys, self._key_dtype)
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


def _check_vocabulary(vocabulary_file: str | None) -> None:
    if vocabulary_file is None or vocabulary_file == "":
        raise ValueError("vocabulary_file must be specified and must not be empty.")


def _check_buckets(num_oov_buckets: int) -> None:
    if num_oov_buckets < 0:
        raise ValueError(f"num_oov_buckets must be greater or equal than 0, got {num_oov_buckets}.")


def index_table_from_file(
    vocabulary_file: str | None = None,
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
    vocabulary_file: str,
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
