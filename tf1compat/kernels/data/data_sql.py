"""Datasets of what queries of databases give."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from tf1compat.core import dtypes, errors
from tf1compat.core.deferred import Deferred
from tf1compat.kernels.data.data_values import (
    Dataset,
    Elements,
    Place,
    byte_string,
    dataset,
    invalid,
)

sqlite3 = Deferred("sqlite3")

_TYPES = {
    dtypes.string,
    dtypes.int8,
    dtypes.int16,
    dtypes.int32,
    dtypes.int64,
    dtypes.uint8,
    dtypes.uint16,
    dtypes.bool,
    dtypes.double,
}
_ALLOWED = (
    "DT_STRING, DT_INT8, DT_INT16, DT_INT32, DT_INT64, DT_UINT8, DT_UINT16, DT_BOOL, DT_DOUBLE"
)
# What SQLite reads of a text where a number is wanted.
_NUMBER = re.compile(r"\s*([-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?)")
_INTEGER = re.compile(r"\s*([-+]?\d+)")


class _Sql(Dataset):
    def __init__(self, driver: Any, source: Any, query: Any, types: Any):
        super().__init__()
        if not _TYPES.issuperset(types):
            raise invalid(f"Each element of `output_types_` must be one of: {_ALLOWED} ")
        if byte_string(driver) != b"sqlite":
            raise invalid(
                f"The database type, {byte_string(driver).decode()}, is not supported by "
                "SqlDataset. The set of supported databases is: {'sqlite'}."
            )
        self._source, self._query = byte_string(source).decode(), byte_string(query).decode()
        self._types = types

    def elements(self, place: Place) -> Elements:
        try:
            connection = sqlite3.connect(self._source, isolation_level=None)  # It may be a new one.
            # What changes tables gives no columns, and is taken back.
            connection.execute("BEGIN")
        except sqlite3.Error as error:
            raise invalid(f"Sqlite::Open({self._source}) failed: {error}") from None
        try:
            cursor = connection.execute(_first_statement(self._query))
            columns, rows = len(cursor.description or ()), cursor.fetchall()
        except sqlite3.Error as error:
            code = getattr(error, "sqlite_errorcode", 1)
            text = f"Prepare() failed: [{code}] {error}: {self._query}"
            raise errors.UnknownError(None, None, text) from None
        finally:
            connection.close()
        if columns != len(self._types):
            raise invalid(
                f"The number of columns in query ({columns}) must match the number of elements in "
                f"output_types ({len(self._types)})."
            )
        return (tuple(map(_value, row, self._types)) for row in rows)


def _first_statement(query: str) -> str:
    """The first of the statements in a query, which is all that TF runs."""
    end = query.find(";")
    while end >= 0:
        if sqlite3.complete_statement(query[: end + 1]):
            return query[: end + 1]
        end = query.find(";", end + 1)
    return query


def _value(value: Any, dtype: Any) -> np.ndarray:
    """What a database gives, as SQLite makes it a value of another kind."""
    if dtype is dtypes.string:
        text = b"" if value is None else value if isinstance(value, bytes) else str(value).encode()
        array = np.empty((), object)
        array[()] = text
        return array
    if isinstance(value, bytes):
        value = value.decode(errors="replace")
    if isinstance(value, str):
        is_float = dtype is dtypes.double
        found = (_NUMBER if is_float else _INTEGER).match(value)
        value = 0 if found is None else float(found[1]) if is_float else int(found[1])
    return np.array(0 if value is None else value).astype(dtype.as_numpy_dtype)


@dataset("SqlDataset", "ExperimentalSqlDataset", scalars=(0, 1, 2))
def sql_dataset(
    driver_name: Any, data_source_name: Any, query: Any, *, output_types: Any
) -> Dataset:
    """The rows that a query of a database gives."""
    return _Sql(driver_name, data_source_name, query, output_types)
