"""Bytes and text as tensors: raw numbers, CSV, compressed data and serialized tensors."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from tf1compat.api.lib.io import tf_record
from tf1compat.core import dtypes, protos, shapes, tensor_proto
from tf1compat.core.deferred import Deferred
from tf1compat.core.dtypes import DType
from tf1compat.core.op_registry import not_differentiable, op
from tf1compat.core.operation import Operation
from tf1compat.core.shapes import Shape, ShapeError
from tf1compat.kernels.framework.common import scalar_dim
from tf1compat.kernels.text import regex
from tf1compat.kernels.text.string import each, invalid, parse_number

messages = Deferred("google.protobuf.message")

# Raw numbers.


def _numbers(data: bytes, dtype: dtypes.DType, little_endian: bool) -> np.ndarray:
    kind = np.dtype(dtype.as_numpy_dtype)
    if not little_endian:
        # All bytes of an element change places, so that of complex numbers the parts do too.
        data = np.frombuffer(data, np.uint8).reshape(-1, kind.itemsize)[:, ::-1].tobytes()
    return np.frombuffer(data, kind.newbyteorder("<")).astype(kind)


@op("DecodeRaw", host=True)
class DecodeRaw:
    def shape(bytes: Any) -> Shape:
        return None if bytes is None else (*bytes, None)

    def lower(bytes: Any, *, out_type: DType, little_endian: bool) -> Any:
        size = np.dtype(out_type.as_numpy_dtype).itemsize
        texts = bytes.ravel().tolist()
        length = len(texts[0]) if texts else 0
        for i, text in enumerate(texts):
            if len(text) != length:
                raise invalid(
                    "DecodeRaw requires input strings to all be the same size, but element "
                    f"{i} has size {length} != {len(text)}"
                )
        if length % size:
            raise invalid(
                f"Input to DecodeRaw has length {length} that is not a multiple of {size}, the "
                f"size of {dtypes.cpp_name(out_type)}"
            )
        numbers = _numbers(b"".join(texts), out_type, little_endian)
        return numbers.reshape(*bytes.shape, length // size)

    stacked = fold = lower


@op("DecodePaddedRaw", host=True)
class DecodePaddedRaw:
    def shape(input_bytes: Any, fixed_length: Shape, *, out_type: Any, op: Operation) -> Shape:
        shapes.with_rank(fixed_length, 0)
        count = scalar_dim(op, 1)
        size = np.dtype(out_type.as_numpy_dtype).itemsize
        width = shapes.divide_dims(count, size)
        return None if input_bytes is None else (*input_bytes, width)

    def lower(
        input_bytes: Any, fixed_length: np.ndarray, *, out_type: DType, little_endian: bool
    ) -> Any:
        length = int(fixed_length)
        size = np.dtype(out_type.as_numpy_dtype).itemsize
        if length <= 0:
            raise invalid(f"fixed_length ({length}) must be greater than zero.")
        if length % size:
            raise invalid(
                f"fixed_length ({length}) must be a multiple of the size of out_type ({size})"
            )
        # TF 1.15 puts numbers of several bytes in wrong places, from the second row on.
        texts = [text[:length].ljust(length, b"\0") for text in input_bytes.ravel()]
        numbers = _numbers(b"".join(texts), out_type, little_endian)
        return numbers.reshape(*input_bytes.shape, length // size)

    fold = lower


@op("DecodeCompressed", host=True)
class DecodeCompressed:
    def shape(bytes: Any) -> Shape:
        return bytes

    def lower(bytes: Any, *, compression_type: str) -> Any:
        if compression_type not in ("", "ZLIB", "GZIP"):
            raise invalid("Only ZLIB, GZIP or NONE are supported compressions")
        if not compression_type:
            return bytes
        return each(lambda text: tf_record.decompressed(text, compression_type), bytes)

    fold = lower


# CSV.


def _quoted(record: str, start: int, delimiter: str) -> tuple[str, int]:
    """A field in quotes that starts at `start`, and where its delimiter is."""
    found, at = [], start + 1
    while True:
        end = record.find('"', at)
        if end < 0:
            raise invalid("Quoted field has to end with quote followed by delim or end")
        found.append(record[at:end])
        following = record[end + 1 : end + 2]
        if following in ("", delimiter):
            return "".join(found), end + 1
        if following != '"':
            raise invalid("Quote inside a string has to be escaped by another quote")
        found.append('"')
        at = end + 2


def _fields(record: str, delimiter: str, use_quotes: bool, last: int | None) -> list[str]:
    """The fields of a line, up to number `last`; all if it is None.

    Raises:
      InvalidArgumentError: its quotes make no sense.
    """
    if not record:
        return []
    found, at = [], 0
    while at <= len(record) and (last is None or len(found) <= last):
        if use_quotes and record.startswith('"', at):
            field, end = _quoted(record, at, delimiter)
        else:
            end = record.find(delimiter, at)
            end = len(record) if end < 0 else end
            field = record[at:end]
            if any(char in field for char in ('"\n\r' if use_quotes else "\n\r")):
                raise invalid("Unquoted fields cannot have quotes/CRLFs inside")
        found.append(field)
        at = end + 1
    return found


@op("DecodeCSV", host=True)
class DecodeCSV:
    def shape(records: Any, record_defaults: list[Shape]) -> Any:
        for shape in record_defaults:
            shapes.with_rank_at_most(shape, 1)
            if shape and shape[0] is not None and shape[0] > 1:
                raise ShapeError(
                    "Shape of a default must be a length-0 or length-1 vector, or a scalar."
                )
        return [records] * len(record_defaults)

    def lower(
        records: Any,
        record_defaults: Sequence[np.ndarray],
        *,
        OUT_TYPE: Sequence[DType],
        field_delim: str,
        use_quote_delim: bool,
        na_value: str,
        select_cols: Sequence[int],
    ) -> Any:
        if len(field_delim) != 1:
            raise invalid("field_delim should be only 1 char")
        for i, default in enumerate(record_defaults):
            if default.ndim > 1:
                raise invalid("Each record default should be at most rank 1")
            if default.size > 1:
                raise invalid(
                    f"There should only be 1 default per field but field {i} has {default.size}"
                )
        columns: list[list[Any]] = [[] for _ in OUT_TYPE]
        for number, record in enumerate(records.ravel().tolist()):
            fields = _chosen_fields(record, field_delim, use_quote_delim, select_cols)
            if len(fields) != len(columns):
                raise invalid(
                    f"Expect {len(columns)} fields but have {len(fields)} in record {number}"
                )
            for i, field in enumerate(fields):
                if field and field != na_value:
                    columns[i].append(_csv_value(field, OUT_TYPE[i], i, number))
                elif record_defaults[i].size == 1:
                    columns[i].append(record_defaults[i].item())
                else:
                    raise invalid(f"Field {i} is required but missing in record {number}!")
        return [column(values, t, records.shape) for values, t in zip(columns, OUT_TYPE)]

    stacked = fold = lower


def _chosen_fields(
    record: bytes, delimiter: str, use_quotes: bool, chosen: Sequence[int]
) -> list[str]:
    last = max(chosen, default=None)
    fields = _fields(regex.decode(record), delimiter, use_quotes, last)
    return [fields[i] for i in chosen if i < len(fields)] if chosen else fields


class CsvRow(NamedTuple):
    """A record of a CSV file.

    Attributes:
      fields: its fields, as far as they could be read.
      problem: what is wrong with it, after these fields; None if nothing is.
      end: where the next record begins.
    """

    fields: list[bytes]
    problem: str | None
    end: int


def read_csv_row(data: bytes, start: int, whole: bool, delimiter: bytes, quotes: bool) -> Any:
    """The record of a CSV file that begins somewhere in its data.

    Args:
      data: what was read of the file.
      start: where the record begins, before the end of the data.
      whole: whether the data go on to the end of the file.
      delimiter: what is between fields.
      quotes: whether fields may be quoted; then they may hold ends of lines.

    Returns:
      A `CsvRow`; None if the data end before the record does.
    """
    ends = re.compile(b"[\n\r" + re.escape(delimiter) + b"]")
    fields: list[bytes] = []
    problem, at = None, start
    while True:
        if quotes and data.startswith(b'"', at):
            field, at, wrong = _quoted_bytes(data, at + 1, whole, delimiter)
            if field is None:
                return CsvRow(fields, _UNCLOSED, len(data)) if whole else None
            problem = problem or wrong
        else:
            found = ends.search(data, at)
            end = len(data) if found is None else found.start()
            field, at = data[at:end], end
            if quotes and b'"' in field:
                problem = problem or "Unquoted fields cannot have quotes inside"
        if problem is None:
            fields.append(field)
        if at == len(data) and not whole:
            return None
        if data.startswith(delimiter, at):
            at += 1
            continue
        if data.startswith(b"\r", at):
            if at + 1 == len(data) and not whole:
                return None
            at += data.startswith(b"\n", at + 1)
        return CsvRow(fields, problem, min(at + 1, len(data)))


_UNCLOSED = "Reached end of file without closing quoted field in record"


def _quoted_bytes(
    data: bytes, start: int, whole: bool, delimiter: bytes
) -> tuple[bytes | None, int, str | None]:
    """A quoted field from after its quote on: it (None if the data end before), where it ends, and
    what is wrong with it."""
    found, wrong = [], None
    while True:
        end = data.find(b'"', start)
        following = data[end + 1 : end + 2]
        if end < 0 or not (following or whole):
            return None, len(data), None
        if following in (b"", delimiter, b"\n", b"\r"):
            found.append(data[start:end])
            return b"".join(found), end + 1, wrong
        found.append(data[start : end + 1])
        start = end + 1
        if following == b'"':
            start += 1
        else:
            wrong = wrong or "Quote inside a string has to be escaped by another quote"


def csv_values(
    row: CsvRow,
    defaults: Sequence[np.ndarray],
    types: Sequence[dtypes.DType],
    missing: bytes,
    chosen: Sequence[int],
) -> list[np.ndarray]:
    """The fields of a row of a CSV file, as scalars.

    Args:
      row: the row.
      defaults: for each field, a vector with the value that stands for nothing, or none.
      types: the dtypes of the fields.
      missing: what stands for nothing, besides nothing.
      chosen: which fields to take; all, if there are none.

    Raises:
      InvalidArgumentError: there are more or fewer fields, one is not of its dtype, or the row is
        no row.
    """
    found: list[np.ndarray] = []
    wanted = [row.fields[i] for i in chosen if i < len(row.fields)] if chosen else row.fields
    for i, field in enumerate(wanted):
        if i == len(types):
            raise invalid(f"Expect {len(types)} fields but have more in record")
        if field and field != missing:
            value = _csv_value(regex.decode(field), types[i], i)
        elif defaults[i].size == 1:
            value = defaults[i].item()
        else:
            raise invalid(f"Field {i} is required but missing in record!")
        found.append(column([value], types[i], ()))
    if row.problem is not None:
        raise invalid(row.problem)
    if len(found) != len(types):
        raise invalid(f"Expect {len(types)} fields but have {len(found)} in record")
    return found


def _csv_value(field: str, dtype: dtypes.DType, index: int, record: int | None = None) -> Any:
    if dtype is dtypes.string:
        return regex.encode(field)
    found = parse_number(regex.encode(field), dtype)
    if found is None:
        raise invalid(
            f"Field {index} in record{'' if record is None else f' {record}'} is not a valid "
            f"{dtypes.cpp_name(dtype)}: {field}"
        )
    return found


def column(values: list[Any], dtype: dtypes.DType, shape: Any = None) -> np.ndarray:
    """Values as an array of the dtype; a vector unless `shape` says otherwise."""
    array = np.empty(len(values), dtype.as_numpy_dtype)
    array[:] = values
    return array if shape is None else array.reshape(shape)


# Serialized tensors.


@op("SerializeTensor", host=True)
class SerializeTensor:
    def shape(tensor: Any) -> Shape:
        return ()

    def lower(tensor: Any, *, T: DType) -> Any:
        proto = protos.TensorProto(dtype=T.as_datatype_enum)
        proto.tensor_shape.SetInParent()
        for size in tensor.shape:
            proto.tensor_shape.dim.add(size=size)
        if T is dtypes.string:
            proto.string_val.extend(tensor.ravel().tolist())
        else:
            proto.tensor_content = np.ascontiguousarray(tensor).tobytes()
        return np.array(proto.SerializeToString(), object)

    fold = lower


@op("ParseTensor", host=True)
class ParseTensor:
    def shape(serialized: Any) -> Shape:
        return None

    def lower(serialized: Any, *, out_type: DType) -> Any:
        if serialized.ndim:
            shape = shapes.to_string(serialized.shape)
            raise invalid(f"Expected `serialized` to be a scalar, got shape: {shape}")
        try:
            proto = protos.TensorProto.FromString(serialized[()])
        except messages.DecodeError:
            text = regex.decode(serialized[()])
            raise invalid(f"Could not parse `serialized` as TensorProto: '{text}'") from None
        found = dtypes.as_dtype(proto.dtype) if proto.dtype else None
        if found is None:
            raise invalid(f"Cannot parse tensor from proto: {proto}")
        if found is not out_type:
            raise invalid(
                f"Type mismatch between parsed tensor ({dtypes.cpp_name(found)}) and dtype "
                f"({dtypes.cpp_name(out_type)})"
            )
        return np.array(tensor_proto.make_ndarray(proto))

    fold = lower


not_differentiable("DecodeRaw", "DecodePaddedRaw", "ParseTensor", "SerializeTensor")
