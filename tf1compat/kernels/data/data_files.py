"""Datasets of what files hold, and datasets that are kept in files or in memory."""

from __future__ import annotations

import contextlib
import itertools
import os
from collections.abc import Iterator
from typing import Any

import numpy as np

from tf1compat.api.lib.io import file_io, tf_record
from tf1compat.core import errors, shapes
from tf1compat.core.op_registry import op
from tf1compat.core.shapes import ShapeError
from tf1compat.core.typing import LoweringContext
from tf1compat.formats import bundle
from tf1compat.kernels.data.data_functions import named_errors
from tf1compat.kernels.data.data_values import (
    Dataset,
    Element,
    Elements,
    Place,
    Stage,
    byte_string,
    dataset,
    integer,
    invalid,
)
from tf1compat.kernels.io import lmdb_files, parsing, parsing_examples
from tf1compat.kernels.sparse.sparse_serialize import packed_variants

_BLOCK = 1 << 18


def _text(value: bytes) -> np.ndarray:
    array = np.empty((), object)
    array[()] = value
    return array


class _Files(Dataset):
    """The records of files, one after the other.

    Args:
      names: of the files.
      compression: "GZIP", "ZLIB" or "".
    """

    # Whether the next file comes after an error in one; else it is met again.
    leaves_damaged = False
    # What is said of another compression; nothing where TF takes it for none.
    unsupported = "Unsupported compression_type."
    # What is said of a buffer of less than no bytes.
    bad_buffer = "`buffer_size` must be >= 0"

    def __init__(self, names: Any, compression: Any, buffer_size: Any = 0):
        super().__init__()
        self._names = [bytes(name) for name in np.asarray(names, object).ravel()]
        self.compression = byte_string(compression).decode()
        if self.compression not in ("", "GZIP", "ZLIB"):
            if self.unsupported:
                raise invalid(self.unsupported.format(self.compression))
            self.compression = ""
        if integer(buffer_size) < 0:
            raise invalid(self.bad_buffer)

    def records(self, name: bytes) -> Iterator[Any]:
        """The records of a file."""
        raise NotImplementedError

    def elements(self, place: Place) -> Elements:
        return _Records(self, self._names)

    def blocks(self, name: bytes) -> Iterator[bytes]:
        """The bytes of a file, decompressed, in parts."""
        stream = tf_record._Stream(name, self.compression)
        try:
            while block := stream.read(_BLOCK):
                yield block
        finally:
            stream.close()


class _Records(Stage):
    def __init__(self, files: _Files, names: list[bytes]):
        self._files, self._names = files, names
        self._at = self._count = 0
        self._current: Iterator[Any] | None = None
        self._error: errors.OpError | None = None

    def __next__(self) -> Element:
        while True:
            if self._error is not None:
                raise self._error
            if self._current is None:
                if self._at == len(self._names):
                    raise StopIteration
                self._count = 0
                self._current = self._files.records(self._names[self._at])
            try:
                record = next(self._current, None)
            except errors.OpError as error:
                self._fail(error)
                raise
            if record is not None:
                self._count += 1
                return record if isinstance(record, tuple) else (_text(record),)
            self._current = None
            self._at += 1

    def _fail(self, error: errors.OpError) -> None:
        """Settles what comes after an error."""
        if isinstance(self._current, Stage):  # It goes on by itself.
            return
        self._current = None
        if self._files.leaves_damaged:
            self._at += isinstance(error, errors.DataLossError)
        elif self._count:
            self._error = error


@dataset("TextLineDataset", scalars=(1, 2))
class _Lines(_Files):
    bad_buffer = "`buffer_size` must be >= 0 (0 == default)"

    def records(self, name: bytes) -> Iterator[bytes]:
        rest = b""
        for block in self.blocks(name):
            *lines, rest = (rest + block).split(b"\n")
            # Nowhere in a line does TF keep a carriage return here.
            yield from (line.replace(b"\r", b"") for line in lines)
        if rest := rest.replace(b"\r", b""):
            yield rest


@dataset("TFRecordDataset", scalars=(1, 2))
class _TFRecords(_Files):
    leaves_damaged = True
    unsupported = ""
    bad_buffer = "`buffer_size` must be >= 0 (0 == no buffering)"

    def records(self, name: bytes) -> Iterator[bytes]:
        reader = tf_record.RecordReader(name, self.compression)
        try:
            while some := reader.read_some():
                yield from some
        finally:
            reader.close()


@dataset("LMDBDataset", "ExperimentalLMDBDataset")
class _Lmdb(_Files):
    def __init__(self, filenames: Any):
        super().__init__(filenames, b"")

    def records(self, name: bytes) -> Iterator[Element]:
        return ((_text(key), _text(value)) for key, value in lmdb_files.records(name))


class _FixedLength(_Files):
    def __init__(
        self, names: Any, header: Any, record: Any, footer: Any, buffer: Any, compression: Any
    ):
        super().__init__(names, compression, buffer)
        self._header, self._record, self._footer = map(integer, (header, record, footer))
        if self._header < 0:
            raise invalid("`header_bytes` must be >= 0")
        if self._record <= 0:
            raise invalid("`record_bytes` must be > 0")
        if self._footer < 0:
            raise invalid("`footer_bytes` must be >= 0")

    def records(self, name: bytes) -> Iterator[bytes]:
        size = self._record
        if not self.compression:
            self._check(name)
        rest, skipped, total = b"", 0, 0
        for block in self._intact(name):
            rest += block
            total += len(block)
            if skipped < self._header:
                left_out = min(self._header - skipped, len(rest))
                rest, skipped = rest[left_out:], skipped + left_out
            count = max(0, (len(rest) - self._footer) // size)
            for i in range(count):
                yield rest[i * size : (i + 1) * size]
            rest = rest[count * size :]
        body = total - self._header - self._footer
        if body % size and body >= 0:
            raise errors.DataLossError(None, None, self._uneven(name, body))

    def _intact(self, name: bytes) -> Iterator[bytes]:
        """What a file gives; a compressed one ends where it is damaged, without an error."""
        try:
            yield from self.blocks(name)
        except errors.DataLossError:
            if not self.compression:
                raise

    def _check(self, name: bytes) -> None:
        try:
            total = os.path.getsize(os.fsdecode(name))
        except OSError as error:
            raise file_io.tf_error(name, error) from None
        body = total - self._header - self._footer
        if body % self._record:
            raise invalid(self._uneven(name, body))

    def _uneven(self, name: bytes, body: int) -> str:
        return (
            f"Excluding the header ({self._header} bytes) and footer ({self._footer} bytes), "
            f'input file "{name.decode()}" has body length {body} bytes, which is not an '
            f"exact multiple of the record length ({self._record} bytes)."
        )


@dataset("FixedLengthRecordDataset", scalars=(1, 2, 3, 4))
def fixed_length_record_dataset(
    filenames: Any, header_bytes: Any, record_bytes: Any, footer_bytes: Any, buffer_size: Any
) -> Dataset:
    """Records of one length."""
    return _FixedLength(filenames, header_bytes, record_bytes, footer_bytes, buffer_size, b"")


@dataset("FixedLengthRecordDatasetV2", scalars=(1, 2, 3, 4, 5))
def fixed_length_record_dataset_v2(
    filenames: Any,
    header_bytes: Any,
    record_bytes: Any,
    footer_bytes: Any,
    buffer_size: Any,
    compression_type: Any,
) -> Dataset:
    """Records of one length."""
    return _FixedLength(
        filenames, header_bytes, record_bytes, footer_bytes, buffer_size, compression_type
    )


class _Csv(_Files):
    unsupported = "Unsupported compression_type: {}."

    def __init__(self, names: Any, compression: Any, header: bool, read: Any, decode: Any):
        super().__init__(names, compression)
        self._has_header, self._read, self._decode = header, read, decode

    def records(self, name: bytes) -> Iterator[Any]:
        return _Decoded(self._rows(name), self._decode, self._has_header)

    def _rows(self, name: bytes) -> Iterator[parsing.CsvRow]:
        data, at = b"", 0
        for block in self.blocks(name):
            data, at = data[at:] + block, 0
            while at < len(data) and (row := self._read(data, at, False)) is not None:
                yield row
                at = row.end
        while at < len(data):
            row = self._read(data, at, True)
            yield row
            at = row.end


class _Decoded(Stage):
    def __init__(self, rows: Iterator[Any], decode: Any, has_header: bool = False):
        self._rows, self._decode, self._header = rows, decode, has_header

    def __next__(self) -> Any:
        if self._header:
            self._header = False
            row = next(self._rows, None)
            if row is None or row.problem is not None:
                raise invalid("Can't read header of file")
        return self._decode(next(self._rows))


def _check_defaults(*inputs: Any) -> None:
    for shape in inputs[8]:
        shapes.with_rank_at_most(shape, 1)
        if shape and (shape[0] or 0) > 1:
            text = "Shape of a default must be a length-0 or length-1 vector, or a scalar."
            raise ShapeError(text)


@dataset(
    "CSVDataset",
    "ExperimentalCSVDataset",
    scalars=(1, 2, 3, 4, 5, 6),
    check=_check_defaults,
)
def csv_dataset(
    filenames: Any,
    compression_type: Any,
    buffer_size: Any,
    header: Any,
    field_delim: Any,
    use_quote_delim: Any,
    na_value: Any,
    select_cols: Any,
    record_defaults: Any,
    *,
    output_types: Any,
) -> Dataset:
    """The rows of CSV files."""
    delimiter = byte_string(field_delim).decode()
    if len(delimiter) != 1:
        raise invalid("field_delim should be only 1 char")
    missing = byte_string(na_value)
    chosen = [int(i) for i in select_cols]
    if any(i >= j for i, j in itertools.pairwise(chosen)):
        raise invalid("select_cols should be strictly increasing indices")
    if any(i < 0 for i in chosen):
        raise invalid("select_cols should be non-negative indices")
    quotes = bool(use_quote_delim)
    if integer(buffer_size) <= 0:
        raise invalid("buffer_size should be positive")
    for i, value in enumerate(record_defaults):
        if np.size(value) > 1:
            count = np.size(value)
            raise invalid(f"There should only be 1 default per field but field {i} has {count}")
    defaults = [np.atleast_1d(value) for value in record_defaults]

    def read(data: bytes, start: int, whole: bool) -> Any:
        return parsing.read_csv_row(data, start, whole, delimiter.encode(), quotes)

    def decode(row: parsing.CsvRow) -> Element:
        return tuple(parsing.csv_values(row, defaults, output_types, missing, chosen))

    return _Csv(filenames, compression_type, bool(header), read, decode)


class _MatchingFiles(Dataset):
    def __init__(self, patterns: Any):
        super().__init__()
        self._patterns = [bytes(p) for p in np.asarray(patterns, object).ravel()]

    def elements(self, place: Place) -> Elements:
        return _Matches(self._patterns)


class _Matches(Stage):
    """Files, pattern by pattern."""

    def __init__(self, patterns: list[bytes]):
        self._names = itertools.chain.from_iterable(map(_matching_files, patterns))
        self._any = False

    def __next__(self) -> Element:
        name = next(self._names, None)
        if name is not None:
            self._any = True
            return (_text(os.fsencode(name)),)
        if self._any:
            raise StopIteration
        raise errors.NotFoundError(None, None, "Don't find any matched files")


def _matching_files(pattern: bytes) -> list[str]:
    """The files that match a pattern, sorted; folders are none."""
    with contextlib.suppress(errors.NotFoundError):
        names = file_io.get_matching_files(os.fsdecode(pattern))
        return sorted(name for name in names if not file_io.is_directory(name))
    return []


dataset("MatchingFilesDataset", "ExperimentalMatchingFilesDataset")(_MatchingFiles)


# Caches.


class _Cache(Dataset):
    """A dataset that is kept, in memory or in a file.

    Args:
      input_dataset: what is kept.
      filename: of the file; empty for memory.
      kept: what is kept in memory, if it outlasts an iterator.
    """

    def __init__(self, input_dataset: Dataset, filename: bytes, kept: Any = None):
        super().__init__(input_dataset)
        self._filename, self._kept = filename, kept

    def elements(self, place: Place) -> Elements:
        if self._filename:
            return self._from_file(place)
        kept = place.own(self, dict) if self._kept is None else self._kept
        if "elements" in kept:
            return iter(kept["elements"])
        return _Keeping(self.below(place), lambda found: kept.update(elements=found))

    def outside_state(self) -> str | None:
        if self._kept is None or self._filename:
            return super().outside_state()
        return "CacheDatasetOp::MemoryDataset depends on memory cache resource."

    def _from_file(self, place: Place) -> Elements:
        prefix = os.fsdecode(self._filename)
        if os.path.exists(bundle.index_name(prefix)):
            return _read_bundle(prefix)
        return _Keeping(self.below(place), lambda found: _write_bundle(prefix, found))

    def cardinality(self) -> int:
        return self.input.cardinality()


class _Keeping(Stage):
    """Gives elements, and keeps them once it was gone through."""

    def __init__(self, elements: Elements, keep: Any):
        self._elements, self._keep = elements, keep
        self._found: list[Element] | None = []

    def __next__(self) -> Element:
        element = next(self._elements, None)
        found = self._found
        if element is not None:
            if found is not None:
                found.append(element)
            return element
        if found is not None:
            self._found = None
            self._keep(found)
        raise StopIteration


# As TF writes it: the numbers of element and component, padded with blanks.
_KEY = "%7d_%{}d"


def _write_bundle(prefix: str, elements: list[Element]) -> None:
    with bundle.Writer(prefix) as writer:
        for number, element in enumerate(elements):
            key = _KEY.format(len(str(len(element) - 1)))
            for i, value in enumerate(element):
                if not isinstance(value, np.ndarray):
                    raise errors.UnimplementedError(
                        None, None, "A dataset of datasets can't be cached in a file"
                    )
                writer.add(key % (number, i), value)
        writer.finish()


def _read_bundle(prefix: str) -> Elements:
    reader = bundle.Reader(prefix)
    keys: dict[str, list[str]] = {}
    for name in sorted(reader.names()):
        keys.setdefault(name.partition("_")[0], []).append(name)
    return (tuple([reader.get(name) for name in names]) for names in keys.values())


@dataset("CacheDataset", scalars=(1,))
def cache_dataset(input_dataset: Dataset, filename: Any) -> Dataset:
    """A dataset that is kept once it was gone through."""
    return _Cache(input_dataset, byte_string(filename))


@dataset("CacheDatasetV2", scalars=(1,))
def cache_dataset_v2(input_dataset: Dataset, filename: Any, cache: Any) -> Dataset:
    """A dataset that is kept once it was gone through, for later iterators, too."""
    return _Cache(input_dataset, byte_string(filename), cache.kept)


# Examples.


class _ParsedExamples(Dataset):
    def __init__(self, input_dataset: Dataset, parse: Any):
        super().__init__(input_dataset)
        self._parse = parse

    def elements(self, place: Place) -> Elements:
        return _Decoded(self.below(place), lambda element: self._parse(element[0]))

    def cardinality(self) -> int:
        return self.input.cardinality()


@dataset("ParseExampleDataset", "ExperimentalParseExampleDataset", scalars=(1,))
def parse_example_dataset(
    input_dataset: Dataset,
    num_parallel_calls: Any,
    dense_defaults: Any,
    *,
    sparse_keys: Any,
    dense_keys: Any,
    sparse_types: Any,
    Tdense: Any,
    dense_shapes: Any,
) -> Dataset:
    """The features of batches of serialized examples."""
    names = [*dense_keys, *sparse_keys]
    order = sorted(range(len(names)), key=names.__getitem__)
    encoded = [[_text(key.encode()) for key in keys] for keys in (sparse_keys, dense_keys)]

    def parse(serialized: Any) -> Element:
        found = parsing_examples.ParseExample.lower(
            serialized,
            np.empty(0, object),
            *encoded,
            dense_defaults,
            sparse_types=sparse_types,
            Tdense=Tdense,
            dense_shapes=dense_shapes,
        )
        count = len(sparse_keys)
        sparse = [
            packed_variants((indices, values, shape), dtype)
            for indices, values, shape, dtype in zip(
                found[:count], found[count : 2 * count], found[2 * count : 3 * count], sparse_types
            )
        ]
        columns = [*found[3 * count :], *sparse]
        return tuple([columns[i] for i in order])

    return _ParsedExamples(input_dataset, parse)


# Writing.


@op("DatasetToTFRecord", "ExperimentalDatasetToTFRecord", host=True, effect=True)
class DatasetToTFRecord:
    def shape(input_dataset: Any, filename: Any, compression_type: Any) -> None:
        pass

    def lower(
        input_dataset: Any, filename: Any, compression_type: Any, *, ctx: LoweringContext
    ) -> None:
        kind = byte_string(compression_type).decode()
        name = byte_string(filename)
        with named_errors(ctx), tf_record.TFRecordWriter(name, kind) as writer:
            for (record,) in input_dataset.new_iterator(ctx.session):
                writer.write(byte_string(record))
