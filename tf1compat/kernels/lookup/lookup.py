"""Lookup tables. They live in the session, on the host; a failed run does not take back what it did
to them, as in TF.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from tf1compat.api.lib.io import file_io
from tf1compat.core import constants, dtypes, errors, shapes
from tf1compat.core.dtypes import DType
from tf1compat.core.op_registry import not_differentiable, op, register
from tf1compat.core.operation import Operation
from tf1compat.core.shapes import Shape, ShapeError
from tf1compat.core.typing import LoweringContext
from tf1compat.kernels.text import regex
from tf1compat.kernels.text.string import invalid, parse_float, parse_int
from tf1compat.kernels.text.string_hash import hash64
from tf1compat.kernels.variables import resources

_WHOLE_LINE = -2
_LINE_NUMBER = -1


class _Table:
    """A table from keys to values, both as Python values (rows of a dense array as tuples).

    Args:
      source: the operation that owns it.
    """

    fixed = False  # Whether it is filled once.

    def __init__(self, source: Any):
        attrs = source._attrs
        self.rows: dict[Any, Any] = {}
        self.key_shape: tuple[int, ...] = ()
        self.key_dtype: dtypes.DType = attrs["key_dtype"]
        self.value_dtype: dtypes.DType = attrs["value_dtype"]
        shape = attrs["value_shape"].to_tuple() if "value_shape" in attrs else ()
        self.value_shape: tuple[int, ...] = shape

    # Arrays as Python values and back.

    def keys_of(self, keys: np.ndarray) -> list[Any]:
        """The keys that an array holds."""
        if not self.key_shape:
            return keys.ravel().tolist()
        flat = keys.reshape(-1, math.prod(self.key_shape))
        return [tuple(row) for row in flat.tolist()]

    def values_of(self, values: np.ndarray) -> list[Any]:
        """The values that an array holds."""
        if not self.value_shape:
            return values.ravel().tolist()
        return list(values.reshape(-1, *self.value_shape))

    def as_keys(self, keys: list[Any]) -> np.ndarray:
        """The keys as an array."""
        return _array(keys, self.key_dtype, (len(keys), *self.key_shape))

    def as_values(self, values: list[Any], shape: Any = None) -> np.ndarray:
        """The values as an array whose first dimensions are `shape`."""
        shape = (len(values),) if shape is None else shape
        return _array(values, self.value_dtype, (*shape, *self.value_shape))

    # What operations do.

    def leading(self, keys: np.ndarray) -> tuple[int, ...]:
        """The shape of an array of keys, without that of one key."""
        rank = keys.ndim - len(self.key_shape)
        if rank < 0 or keys.shape[rank:] != self.key_shape:
            wanted = shapes.to_string(self.key_shape)
            raise invalid(
                f"Input key shape must end with the table's key shape {wanted}, but got "
                f"{shapes.to_string(keys.shape)}"
            )
        return keys.shape[:rank]

    def find(self, keys: np.ndarray, default: np.ndarray) -> np.ndarray:
        """The values of the keys."""
        shape = self.leading(keys)
        rows = self.rows
        missing = self.values_of(default)[0] if default.size else None
        return self.as_values([rows.get(key, missing) for key in self.keys_of(keys)], shape)

    def check_values(self, keys: np.ndarray, values: np.ndarray) -> None:
        """Fails unless there is a value of the right shape for each key."""
        wanted = (*self.leading(keys), *self.value_shape)
        if values.shape != wanted:
            raise invalid(
                f"Expected shape {shapes.to_string(wanted)} for value, got "
                f"{shapes.to_string(values.shape)}"
            )

    def insert(self, keys: np.ndarray, values: np.ndarray) -> None:
        """Sets the values of keys."""
        self.check_values(keys, values)
        self.rows.update(zip(self.keys_of(keys), self.values_of(values)))

    def remove(self, keys: np.ndarray) -> None:
        """Removes keys, those of them that are there."""
        self.leading(keys)
        for key in self.keys_of(keys):
            self.rows.pop(key, None)

    def load(self, keys: np.ndarray, values: np.ndarray) -> None:
        """Replaces all that is in the table."""
        self.check_values(keys, values)
        self.rows = dict(zip(self.keys_of(keys), self.values_of(values)))

    def export(self) -> list[np.ndarray]:
        """All keys and all values."""
        return [self.as_keys(list(self.rows)), self.as_values(list(self.rows.values()))]


def _array(items: list[Any], dtype: dtypes.DType, shape: tuple[int, ...]) -> np.ndarray:
    if dtype is dtypes.string:
        array = np.empty(len(items), object)
        array[:] = items
        return array.reshape(shape)
    return np.array(items, dtype.as_numpy_dtype).reshape(shape)


class _TensorTable(_Table):
    """A table whose values are vectors."""

    def __init__(self, source: Any):
        super().__init__(source)
        if len(self.value_shape) != 1:
            shape = shapes.to_string(self.value_shape)
            raise invalid(f"Default value must be a vector, got shape {shape}")


class _FixedTable(_Table):
    """A table that is filled once, by its initializer."""

    fixed = True

    def __init__(self, source: Any):
        super().__init__(source)
        self.is_initialized = False

    def find(self, keys: np.ndarray, default: np.ndarray) -> np.ndarray:
        if not self.is_initialized:
            raise errors.FailedPreconditionError(None, None, "Table not initialized.")
        if default.ndim:
            raise invalid(
                f"Expected shape [] for default value, got {shapes.to_string(default.shape)}"
            )
        return super().find(keys, default)

    def insert(self, keys: np.ndarray, values: np.ndarray) -> None:
        self._refuse("Insert")

    def remove(self, keys: np.ndarray) -> None:
        self._refuse("Remove")

    def _refuse(self, what: str) -> None:
        raise errors.UnimplementedError(
            None, None, f"{what} not supported by InitializableLookupTable implementations"
        )

    def load(self, keys: np.ndarray, values: np.ndarray) -> None:
        self.check_values(keys, values)
        if not keys.size:
            raise invalid("keys and values cannot be empty tensors.")
        self.initialize(keys.size, zip(self.keys_of(keys), self.values_of(values)))

    def initialize(self, size: int, rows: Iterable[tuple[Any, Any]]) -> None:
        """Fills the table, unless it is filled already.

        Args:
          size: how many rows there are.
          rows: (key, value)s.
        """
        if self.is_initialized:
            if size != len(self.rows):
                raise errors.FailedPreconditionError(
                    None, None, "Table was already initialized with different data."
                )
            return
        found: dict[Any, Any] = {}
        for key, value in rows:
            if found.setdefault(key, value) != value:
                key, before, value = map(_shown, (key, found[key], value))
                raise errors.FailedPreconditionError(
                    None,
                    None,
                    f"HashTable has different value for same key. Key {key} has {before} and "
                    f"trying to add value {value}",
                )
        self.rows = found
        self.is_initialized = True

    def export(self) -> list[np.ndarray]:
        if not self.is_initialized:
            raise errors.AbortedError(None, None, "HashTable is not initialized.")
        return super().export()


def _shown(value: Any) -> str:
    return regex.decode(value) if isinstance(value, bytes) else str(value)


_FREE = object()
_DELETED = object()


class _DenseTable(_Table):
    """A table in buckets, as TF lays it out: the layout shows when it is exported.

    The buckets of a key are looked through from that of its hash on, in steps of 1, 2, 3, …
    """

    def __init__(self, source: Any):
        super().__init__(source)
        values = [constants.known_value(tensor) for tensor in source._inputs]
        if any(value is None for value in values):
            raise NotImplementedError(
                f"The empty and deleted keys of the table '{source._name}' must be constants: "
                "computed ones are not supported by tf1compat yet"
            )
        empty, deleted = map(np.asarray, values)
        self.key_shape = empty.shape
        self.empty, self.deleted = self.keys_of(empty)[0], self.keys_of(deleted)[0]
        if self.empty == self.deleted:
            raise invalid("Empty and deleted keys cannot be equal")
        self.bucket_count = int(source._attrs["initial_num_buckets"])
        if self.bucket_count < 4 or self.bucket_count & (self.bucket_count - 1):
            raise invalid(
                f"Number of buckets must be at least 4 and a power of 2, got: {self.bucket_count}"
            )
        self._load_factor = float(source._attrs["max_load_factor"])
        self._buckets: dict[int, Any] = {}  # bucket -> its key, or _DELETED
        self._places: dict[Any, int] = {}

    def leading(self, keys: np.ndarray) -> tuple[int, ...]:
        rank = max(keys.ndim - len(self.key_shape), 0)
        if keys.shape[rank:] != self.key_shape:
            raise invalid(
                f"Input key shape {shapes.to_string(keys.shape)} must end with the table's key "
                f"shape {shapes.to_string(self.key_shape)}"
            )
        return keys.shape[:rank]

    def _check_count(self, keys: np.ndarray) -> None:
        """Refuses keys that don't stand along the first dimension."""
        wanted = (keys.shape[0] if keys.ndim else 1, *self.key_shape)
        if keys.size != math.prod(wanted):
            raise invalid(
                f"Expected key shape {shapes.to_string(wanted)} got {shapes.to_string(keys.shape)}"
            )

    def _check(self, keys: list[Any]) -> None:
        for name in ("empty", "deleted"):
            if getattr(self, name) in keys:
                raise invalid(f"Using the {name}_key as a table key is not allowed")

    def find(self, keys: np.ndarray, default: np.ndarray) -> np.ndarray:
        self.leading(keys)
        self._check_count(keys)
        self._check(self.keys_of(keys))
        return super().find(keys, default)

    def insert(self, keys: np.ndarray, values: np.ndarray) -> None:
        self.check_values(keys, values)
        self._check_count(keys)
        new = self.keys_of(keys)
        if len(self.rows) + len(new) > self.bucket_count * self._load_factor:
            while len(self.rows) + len(new) > self.bucket_count * self._load_factor:
                self.bucket_count *= 2
            self._lay_out(list(self.rows))
        self._check(new)
        for key, value in zip(new, self.values_of(values)):
            if key not in self.rows:
                self._place(key)
            self.rows[key] = value

    def remove(self, keys: np.ndarray) -> None:
        self.leading(keys)
        self._check_count(keys)
        self._check(self.keys_of(keys))
        for key in self.keys_of(keys):
            if key in self.rows:
                del self.rows[key]
                self._buckets[self._places.pop(key)] = _DELETED

    def load(self, keys: np.ndarray, values: np.ndarray) -> None:
        """Takes over what a table exported: its free buckets are listed with the others."""
        keys = keys.reshape(len(keys), *self.key_shape)
        values = values.reshape(len(keys), *self.value_shape)
        self.bucket_count = len(keys)
        rows = zip(self.keys_of(keys), self.values_of(values))
        self.rows = {key: value for key, value in rows if key != self.empty and key != self.deleted}
        self._lay_out(list(self.rows))

    def _lay_out(self, keys: list[Any]) -> None:
        self._buckets, self._places = {}, {}
        for key in keys:
            self._place(key)

    def _place(self, key: Any) -> None:
        bucket, step = _bucket_hash(key) & (self.bucket_count - 1), 0
        while self._buckets.get(bucket, _FREE) not in (_FREE, _DELETED):
            step += 1
            bucket = (bucket + step) & (self.bucket_count - 1)
        self._buckets[bucket] = key
        self._places[key] = bucket

    def export(self) -> list[np.ndarray]:
        keys = [self.empty] * self.bucket_count
        zero = np.zeros((), self.value_dtype.as_numpy_dtype)[()]
        zero = b"" if self.value_dtype is dtypes.string else zero
        nothing = np.full(self.value_shape, zero) if self.value_shape else zero
        values: list[Any] = [nothing] * self.bucket_count
        for bucket, key in self._buckets.items():
            keys[bucket] = self.deleted if key is _DELETED else key
            if key is not _DELETED:
                values[bucket] = self.rows[key]
        # TF gives the buckets as they are: a matrix each, whatever a key or a value is.
        exported = self.as_keys(keys), self.as_values(values)
        return [array.reshape(self.bucket_count, -1) for array in exported]


def _bucket_hash(key: Any) -> int:
    if not isinstance(key, tuple):
        return hash64(key) if isinstance(key, bytes) else int(key)
    found, mask = 0, 0xFFFFFFFFFFFFFFFF
    for part in key:
        found ^= (_bucket_hash(part) + 0x9E3779B97F4A7800 + (found << 10) + (found >> 4)) & mask
    return found


# Handles. What a handle leads to is known while recording, for the tables that are written to:
# (value dtype, shape of a value, key dtype, shape of a key).


def _handle_data(operation: Any) -> list[Any]:
    attrs = operation._attrs
    shape = attrs["value_shape"].to_tuple() if "value_shape" in attrs else ()
    key_shape = operation._inputs[0]._shape if operation._inputs else ()
    return [(attrs["value_dtype"], shape, attrs["key_dtype"], key_shape)]


def _dense_shape(empty_key: Shape, deleted_key: Shape) -> Shape:
    shapes.merge(empty_key, deleted_key)
    return ()


for _kind, _handle in (("", (2,)), ("V2", ())):
    register(f"HashTable{_kind}", shape=lambda _handle=_handle: _handle, source=True, host=True)
    for _name in ("MutableHashTable", "MutableHashTableOfTensors"):
        register(
            f"{_name}{_kind}",
            shape=lambda _handle=_handle: _handle,
            handle_data=_handle_data if _kind else None,
            source=True,
            host=True,
        )
register(
    "MutableDenseHashTable",
    shape=lambda empty_key, deleted_key: (2,),
    source=True,
    host=True,
)
register(
    "MutableDenseHashTableV2",
    shape=lambda empty_key, deleted_key: (),
    handle_data=_handle_data,
    source=True,
    host=True,
)

_CLASSES: dict[str, type[_Table]] = {
    "HashTable": _FixedTable,
    "MutableHashTable": _Table,
    "MutableHashTableOfTensors": _TensorTable,
    "MutableDenseHashTable": _DenseTable,
}


def _make(source: Any) -> _Table:
    return _CLASSES[source.type.removesuffix("V2")](source)


def table_of(ctx: Any, handle: Any) -> _Table:
    """The table behind a handle, in `ctx.session`."""
    return resources.find(ctx, handle, _make)


def _check_handle(shape: Shape, operation: Any) -> None:
    if operation._inputs[0]._dtype is dtypes.resource:
        shapes.with_rank(shape, 0)
    elif shape is not None and shape != (2,):
        shapes.dim_with_value(shapes.with_rank(shape, 1)[0], 2)


def _check_dtypes(operation: Any, key_dtype: Any, value_dtype: Any) -> Any:
    """(shape of a value, shape of a key) of the table behind a handle; None if unknown."""
    data = operation._inputs[0]._handle_data
    if data is None or len(data) < 4:
        return None
    for expected, got in ((data[2], key_dtype), (data[0], value_dtype)):
        if expected != got:
            raise ShapeError(
                f"Trying to read value with wrong dtype. Expected {dtypes.cpp_name(expected)} got "
                f"{dtypes.cpp_name(got)}"
            )
    return data[1], data[3]


@op("LookupTableFind", "LookupTableFindV2", host=True, reads=(0,))
class LookupTableFind:
    def shape(
        table_handle: Any,
        keys: Shape,
        default_value: Shape,
        *,
        Tin: DType,
        Tout: DType,
        op: Operation,
    ) -> Shape:
        _check_handle(table_handle, op)
        shapes.with_rank_at_most(default_value, 1)
        data = _check_dtypes(op, Tin, Tout)
        if data is None or keys is None or data[1] is None or data[0] is None:
            return None
        value_shape, key_shape = data
        return (*keys[: len(keys) - len(key_shape)], *value_shape)

    def lower(
        table_handle: Any, keys: np.ndarray, default_value: np.ndarray, *, ctx: LoweringContext
    ) -> Any:
        return table_of(ctx, table_handle).find(keys, default_value)


@op("LookupTableInsert", "LookupTableInsertV2", host=True, reads=(0,), effect=True)
class LookupTableInsert:
    def shape(table_handle: Any, keys: Shape, values: Shape, *, op: Operation) -> None:
        _check_handle(table_handle, op)

    def lower(
        table_handle: Any, keys: np.ndarray, values: np.ndarray, *, ctx: LoweringContext
    ) -> None:
        table_of(ctx, table_handle).insert(keys, values)


@op("LookupTableRemoveV2", host=True, reads=(0,), effect=True)
class LookupTableRemove:
    def shape(table_handle: Any, keys: Shape, *, op: Operation) -> None:
        _check_handle(table_handle, op)
        shapes.with_rank_at_least(keys, 1)

    def lower(table_handle: Any, keys: np.ndarray, *, ctx: LoweringContext) -> None:
        table_of(ctx, table_handle).remove(keys)


@op("LookupTableSize", "LookupTableSizeV2", host=True, reads=(0,))
class LookupTableSize:
    def shape(table_handle: Any, *, op: Operation) -> Shape:
        _check_handle(table_handle, op)
        return ()

    def lower(table_handle: Any, *, ctx: LoweringContext) -> Any:
        return np.array(len(table_of(ctx, table_handle).rows), np.int64)


@op("LookupTableExport", "LookupTableExportV2", host=True, reads=(0,))
class LookupTableExport:
    def shape(table_handle: Any, *, Tkeys: DType, Tvalues: DType, op: Operation) -> Any:
        _check_handle(table_handle, op)
        data = _check_dtypes(op, Tkeys, Tvalues)
        return [(None,), None if data is None or data[0] is None else (None, *data[0])]

    def lower(table_handle: Any, *, ctx: LoweringContext) -> Any:
        return table_of(ctx, table_handle).export()


def _rows_shape(table_handle: Shape, keys: Shape, values: Shape, operation: Any) -> None:
    _check_handle(table_handle, operation)
    shapes.merge(shapes.with_rank(keys, 1), values)


@op("LookupTableImport", "LookupTableImportV2", host=True, reads=(0,), effect=True)
class LookupTableImport:
    def shape(table_handle: Any, keys: Shape, values: Shape, *, op: Operation) -> None:
        # Values that are vectors pass where their shape is not known, as when they are restored.
        _rows_shape(table_handle, keys, values, op)

    def lower(
        table_handle: Any, keys: np.ndarray, values: np.ndarray, *, ctx: LoweringContext
    ) -> None:
        table_of(ctx, table_handle).load(keys, values)


@op("InitializeTable", "InitializeTableV2", host=True, reads=(0,), effect=True)
class InitializeTable:
    def shape(table_handle: Any, keys: Shape, values: Shape, *, op: Operation) -> None:
        _rows_shape(table_handle, keys, values, op)

    def lower(
        table_handle: Any, keys: np.ndarray, values: np.ndarray, *, ctx: LoweringContext
    ) -> None:
        table_of(ctx, table_handle).load(keys, values)


# Files.


def _field(text: bytes, dtype: dtypes.DType, line: int) -> Any:
    """A column of a file as a value of a table."""
    if dtype is dtypes.string:
        return text
    found = (parse_float if dtype.is_floating else parse_int)(text, dtype.as_numpy_dtype)
    if found is None:
        kind = dtypes.cpp_name(dtype)
        raise invalid(f"Field {regex.decode(text)} in line {line} is not a valid {kind}.")
    return found.item()


def vocabulary(path: bytes, vocab_size: int) -> Iterator[bytes]:
    """The lines of a vocabulary, as many as it is to have.

    Raises:
      InvalidArgumentError: one is empty, or there are too few.
      OutOfRangeError: there are none, or none are wanted.
    """
    text = file_io.read_file_to_string(path, binary_mode=True)
    lines = file_io.lines_of(text)
    if not lines:
        raise errors.OutOfRangeError(None, None, "Read less bytes than requested")
    if vocab_size == 0:
        raise errors.OutOfRangeError(
            None, None, f"Finished reading 0 of lines from {regex.decode(path)}"
        )
    if len(lines) < vocab_size:
        raise invalid(
            f"Invalid vocab_size in {regex.decode(path)}: expected {vocab_size} but got "
            f"{len(lines)}"
        )
    count = len(lines) if vocab_size == -1 else vocab_size
    for number, line in enumerate(lines[:count]):
        if not line:
            read = sum(len(raw) + 1 for raw in text.split(b"\n")[: number + 1])
            raise invalid(
                f"Invalid content in {regex.decode(path)}: empty line found at position {read}."
            )
        yield line


def _file_rows(
    path: bytes, table: _Table, key_index: int, value_index: int, vocab_size: int, delimiter: bytes
) -> list[tuple[Any, Any]]:
    """The (key, value)s of a file."""
    last = max(key_index, value_index)
    rows = []
    for number, line in enumerate(vocabulary(path, vocab_size)):
        columns: list[bytes] = []
        if last >= 0:
            columns = line.split(delimiter)
            if len(columns) <= last:
                raise invalid(
                    f"Invalid number of columns in {regex.decode(path)} line {number} "
                    f"({regex.decode(line)}) : expected {last} got {len(columns)}"
                )

        def cell(index: int, dtype: Any) -> Any:
            if index == _LINE_NUMBER:
                return number  # noqa: B023
            text = line if index == _WHOLE_LINE else columns[index]  # noqa: B023
            return _field(text, dtype, number)  # noqa: B023

        rows.append((cell(key_index, table.key_dtype), cell(value_index, table.value_dtype)))
    return rows


@op(
    "InitializeTableFromTextFile",
    "InitializeTableFromTextFileV2",
    host=True,
    reads=(0,),
    effect=True,
)
class InitializeTableFromTextFile:
    def shape(table_handle: Any, filename: Shape, *, op: Operation) -> None:
        _check_handle(table_handle, op)
        shapes.with_rank(filename, 0)

    def lower(
        table_handle: Any,
        filename: Any,
        *,
        key_index: int,
        value_index: int,
        vocab_size: int,
        delimiter: str,
        ctx: LoweringContext,
    ) -> None:
        if len(delimiter) != 1:
            raise invalid("delimiter should be only 1 char")
        if filename.ndim:
            shape = shapes.to_string(filename.shape)
            raise invalid(f"filename should be a single string, but got {shape}")
        table = table_of(ctx, table_handle)
        if not isinstance(table, _FixedTable):
            raise invalid("Table is not initializable from a file")
        settings = key_index, value_index, vocab_size, regex.encode(delimiter)
        rows = _file_rows(filename[()], table, *settings)
        table.initialize(len(rows), rows)


not_differentiable(
    *[
        f"{name}{kind}"
        for kind in ("", "V2")
        for name in (
            "HashTable",
            "InitializeTable",
            "InitializeTableFromTextFile",
            "LookupTableFind",
            "LookupTableInsert",
            "LookupTableSize",
            "MutableDenseHashTable",
            "MutableHashTable",
            "MutableHashTableOfTensors",
        )
    ]
)
