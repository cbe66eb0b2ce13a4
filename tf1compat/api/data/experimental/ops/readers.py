"""`tf.data.experimental`: datasets of CSV files, of examples in files, and of databases."""

from __future__ import annotations

import collections
import csv
import functools
import gzip
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tf1compat.api.array import constant_op
from tf1compat.api.data.experimental.ops import interleave_ops, parsing_ops, transformations
from tf1compat.api.data.ops import dataset_ops, dataset_types, readers
from tf1compat.api.data.util import convert, nest
from tf1compat.api.io import io_ops
from tf1compat.api.lib.io import file_io
from tf1compat.core import dtypes, ops, raw_ops, tensor_util
from tf1compat.core.attribute import attribute
from tf1compat.core.export import tf_export
from tf1compat.core.type_spec import TensorSpec

_ACCEPTABLE_CSV_TYPES = (
    dtypes.float32,
    dtypes.float64,
    dtypes.int32,
    dtypes.int64,
    dtypes.string,
)
_BUFFER_BYTES = 4 * 1024 * 1024


# What a CSV file tells about its columns.


def _is_integer(text: str, bits: int) -> bool:
    try:
        return -(1 << bits - 1) <= int(text) < 1 << bits - 1
    except ValueError:
        return False


def _is_float(text: str, kind: Any) -> bool:
    try:
        with np.errstate(over="ignore"):
            return bool(kind(text) < np.inf)
    except ValueError:
        return False


# From the narrowest dtype to the widest.
_KINDS: list[tuple[Any, Callable[[str], bool]]] = [
    (dtypes.int32, lambda text: _is_integer(text, 32)),
    (dtypes.int64, lambda text: _is_integer(text, 64)),
    (dtypes.float32, lambda text: _is_float(text, np.float32)),
    (dtypes.float64, lambda text: _is_float(text, np.float64)),
    (dtypes.string, lambda text: True),
]


def _wider(text: str, na_value: str, before: Any) -> Any:
    """The narrowest dtype that has room for a field and for those before it."""
    if text in ("", na_value):
        return before
    order = [dtype for dtype, _ in _KINDS]
    start = 0 if before is None else order.index(before)
    return next(dtype for dtype, fits in _KINDS[start:] if fits(text))


class _Format:
    """How CSV files are written, and how to open them."""

    def __init__(self, field_delim: str, use_quote_delim: bool, compression_type: Any):
        quoting = csv.QUOTE_MINIMAL if use_quote_delim else csv.QUOTE_NONE
        self._keywords: dict[str, Any] = {"delimiter": field_delim, "quoting": quoting}
        self._open: Any = functools.partial(file_io.FileIO, mode="r")
        if compression_type is None:
            return
        kind = tensor_util.constant_value(ops.convert_to_tensor(compression_type))
        if kind is None:
            raise ValueError("Received unkown compression_type")
        text = kind.item().decode()
        if text == "GZIP":
            self._open = functools.partial(gzip.open, mode="rt")
        elif text == "ZLIB":
            raise ValueError(
                f"compression_type ({compression_type}) is not supported for probing columns"
            )
        elif text:
            raise ValueError(f"compression_type ({compression_type}) is not supported")

    def rows(self, name: str) -> Iterator[list[str]]:
        """The rows of a file."""
        with self._open(name) as file:
            yield from csv.reader(file, **self._keywords)

    def column_names(self, names: list[str]) -> list[str]:
        """The first row of all files.

        Raises:
          ValueError: they differ, or there is none.
        """
        found = None
        for name in names:
            row = next(self.rows(name), None)
            if row is None:
                raise ValueError(
                    "Received StopIteration when reading the header line of "
                    f"{names[0]}.  Empty file?"
                )
            if found is not None and row != found:
                raise ValueError("Files have different column names in the header row.")
            found = row
        assert found is not None
        return found

    def defaults(
        self, names: list[str], count: int, na_value: str, header: bool, most: Any, chosen: Any
    ) -> list[Any]:
        """Records a default of the right dtype for each column.

        Raises:
          ValueError: rows have different numbers of fields.
        """
        columns = list(range(count)) if chosen is None else chosen
        kinds: list[Any] = [None] * len(columns)
        for number, row in enumerate(self._all_rows(names, count, header)):
            if most is not None and number >= most:
                break
            kinds = [_wider(row[c], na_value, kind) for c, kind in zip(columns, kinds)]
        kinds = [kind or dtypes.string for kind in kinds]
        return [
            constant_op.constant([0 if kind is not dtypes.string else ""], dtype=kind)
            for kind in kinds
        ]

    def _all_rows(self, names: list[str], count: int, header: bool) -> Iterator[list[str]]:
        for name in names:
            rows = self.rows(name)
            if header:
                next(rows)
            for row in rows:
                if len(row) != count:
                    raise ValueError(
                        "Problem inferring types: CSV row has different number of fields than "
                        "expected."
                    )
                yield row


def _column_indices(select_columns: list[Any], column_names: list[str]) -> list[int]:
    found = []
    for column in select_columns:
        if isinstance(column, int):
            if not 0 <= column < len(column_names):
                raise ValueError(
                    f"Column index {column} specified in select_columns out of valid range."
                )
            found.append(column)
        elif column not in column_names:
            raise ValueError(
                f"Value '{column}' specified in select_columns not a valid column index or name."
            )
        else:
            found.append(column_names.index(column))
    if len(set(found)) != len(found):
        raise ValueError("select_columns contains duplicate columns")
    return sorted(found)


def _as_defaults(values: Any) -> list[Any]:
    """Defaults of columns, an empty one in place of a dtype."""
    return [
        constant_op.constant([], dtype=x)
        if not isinstance(x, ops.Tensor) and _is_csv_dtype(x)
        else x
        for x in values
    ]


def _is_csv_dtype(value: Any) -> bool:
    # A number is equal to the dtype whose number it is: 1.0 stands for tf.float32, as in TF.
    return not isinstance(value, np.ndarray) and value in _ACCEPTABLE_CSV_TYPES


def _file_names(file_pattern: Any) -> list[str]:
    if isinstance(file_pattern, list):
        if not file_pattern:
            raise ValueError("File pattern is empty.")
        names = [name for entry in file_pattern for name in file_io.get_matching_files(entry)]
    else:
        names = list(file_io.get_matching_files(file_pattern))
    if not names:
        raise ValueError(f"No files match {file_pattern}.")
    return sorted(names)


def _maybe_shuffle_and_repeat(
    dataset: Any, num_epochs: Any, shuffle: bool, shuffle_buffer_size: Any, shuffle_seed: Any
) -> Any:
    if num_epochs != 1 and shuffle:
        return dataset.apply(
            transformations.shuffle_and_repeat(shuffle_buffer_size, num_epochs, shuffle_seed)
        )
    if shuffle:
        return dataset.shuffle(shuffle_buffer_size, shuffle_seed)
    return dataset.repeat(num_epochs) if num_epochs != 1 else dataset


def _interleaved(dataset: Any, function: Callable[..., Any], threads: Any, sloppy: bool) -> Any:
    """The elements of the datasets that a function gives for the names of files."""
    if threads == dataset_ops.AUTOTUNE:
        dataset = dataset.interleave(function, num_parallel_calls=threads)
        options = dataset_ops.Options()
        options.experimental_deterministic = not sloppy
        return dataset.with_options(options)
    return dataset.apply(
        interleave_ops.parallel_interleave(function, cycle_length=threads, sloppy=sloppy)
    )


def make_tf_record_dataset(
    file_pattern: Any,
    batch_size: Any,
    parser_fn: Any = None,
    num_epochs: int | None = None,
    shuffle: bool = True,
    shuffle_buffer_size: Any = None,
    shuffle_seed: Any = None,
    prefetch_buffer_size: Any = None,
    num_parallel_reads: Any = None,
    num_parallel_parser_calls: Any = None,
    drop_final_batch: bool = False,
) -> Any:
    """A dataset of batches of records of TFRecord files, perhaps parsed."""
    reads = 24 if num_parallel_reads is None else num_parallel_reads
    files = dataset_ops.Dataset.list_files(file_pattern, shuffle=shuffle, seed=shuffle_seed)
    dataset = readers.TFRecordDataset(files, num_parallel_reads=reads)
    size = 10000 if shuffle_buffer_size is None else shuffle_buffer_size
    dataset = _maybe_shuffle_and_repeat(dataset, num_epochs, shuffle, size, shuffle_seed)
    if parser_fn is not None:
        calls = batch_size if num_parallel_parser_calls is None else num_parallel_parser_calls
        dataset = dataset.map(parser_fn, num_parallel_calls=calls)
    dataset = dataset.batch(batch_size, drop_remainder=drop_final_batch or num_epochs is None)
    if prefetch_buffer_size == 0:
        return dataset
    ahead = dataset_ops.AUTOTUNE if prefetch_buffer_size is None else prefetch_buffer_size
    return dataset.prefetch(buffer_size=ahead)


@tf_export("compat.v2.data.experimental.make_csv_dataset")
def make_csv_dataset_v2(
    file_pattern: Any,
    batch_size: Any,
    column_names: Any = None,
    column_defaults: Any = None,
    label_name: str | None = None,
    select_columns: Any = None,
    field_delim: str = ",",
    use_quote_delim: bool = True,
    na_value: str = "",
    header: bool = True,
    num_epochs: int | None = None,
    shuffle: bool = True,
    shuffle_buffer_size: Any = 10000,
    shuffle_seed: Any = None,
    prefetch_buffer_size: Any = None,
    num_parallel_reads: Any = None,
    sloppy: bool = False,
    num_rows_for_inference: Any = 100,
    compression_type: Any = None,
    ignore_errors: bool = False,
) -> Any:
    """As `tf.data.experimental.make_csv_dataset`.

    Args:
      file_pattern, batch_size, column_names, column_defaults, label_name, select_columns,
        field_delim, use_quote_delim, na_value, header, num_epochs, shuffle, shuffle_buffer_size,
        shuffle_seed, prefetch_buffer_size, num_parallel_reads, sloppy, num_rows_for_inference,
        compression_type, ignore_errors: as in `make_csv_dataset`.

    Returns:
      As `make_csv_dataset`.
    """
    if num_parallel_reads is None:
        num_parallel_reads = 1
    if prefetch_buffer_size is None:
        prefetch_buffer_size = dataset_ops.AUTOTUNE
    names = _file_names(file_pattern)
    dataset = dataset_ops.Dataset.from_tensor_slices(names)
    if shuffle:
        dataset = dataset.shuffle(len(names), shuffle_seed)
    form = None
    if column_names is None or column_defaults is None:
        form = _Format(field_delim, use_quote_delim, compression_type)
    if column_names is None:
        assert form is not None
        if not header:
            raise ValueError("Cannot infer column names without a header line.")
        column_names = form.column_names(names)
    if len(column_names) != len(set(column_names)):
        raise ValueError("Cannot have duplicate column names.")
    if select_columns is not None:
        select_columns = _column_indices(select_columns, column_names)
    if column_defaults is not None:
        column_defaults = _as_defaults(column_defaults)
    else:
        assert form is not None
        column_defaults = form.defaults(
            names, len(column_names), na_value, header, num_rows_for_inference, select_columns
        )
    if select_columns is not None:
        if len(column_defaults) != len(select_columns):
            raise ValueError(
                "If specified, column_defaults and select_columns must have same length."
            )
        if len(column_names) > len(select_columns):
            column_names = [column_names[i] for i in select_columns]
    if label_name is not None and label_name not in column_names:
        raise ValueError("`label_name` provided must be one of the columns.")

    def filename_to_dataset(filename: Any) -> Any:
        found = CsvDataset(
            filename,
            record_defaults=column_defaults,
            field_delim=field_delim,
            use_quote_delim=use_quote_delim,
            na_value=na_value,
            select_cols=select_columns,
            header=header,
            compression_type=compression_type,
        )
        return found.apply(transformations.ignore_errors()) if ignore_errors else found

    def map_fn(*columns: Any) -> Any:
        features = collections.OrderedDict(zip(column_names, columns))
        if label_name is None:
            return features
        label = features.pop(label_name)
        return features, label

    dataset = _interleaved(dataset, filename_to_dataset, num_parallel_reads, sloppy)
    dataset = _maybe_shuffle_and_repeat(
        dataset, num_epochs, shuffle, shuffle_buffer_size, shuffle_seed
    )
    dataset = dataset.batch(batch_size=batch_size, drop_remainder=num_epochs is None)
    dataset = dataset_types.MapDataset(dataset, map_fn, use_inter_op_parallelism=False)
    return dataset.prefetch(prefetch_buffer_size)


@tf_export("data.experimental.make_csv_dataset")
def make_csv_dataset_v1(
    file_pattern: Any,
    batch_size: Any,
    column_names: Any = None,
    column_defaults: Any = None,
    label_name: str | None = None,
    select_columns: Any = None,
    field_delim: str = ",",
    use_quote_delim: bool = True,
    na_value: str = "",
    header: bool = True,
    num_epochs: int | None = None,
    shuffle: bool = True,
    shuffle_buffer_size: Any = 10000,
    shuffle_seed: Any = None,
    prefetch_buffer_size: Any = None,
    num_parallel_reads: Any = None,
    sloppy: bool = False,
    num_rows_for_inference: Any = 100,
    compression_type: Any = None,
    ignore_errors: bool = False,
) -> Any:
    """A dataset of batches of the rows of CSV files (as in TF 1.15).

    Args:
      file_pattern: patterns of the names of the files.
      batch_size: how many rows make a batch.
      column_names: the names of the columns; those in the first row by default.
      column_defaults: for each column what stands for a missing field, or a dtype if none may be
        missing; by default found out from the first rows.
      label_name: the column that is the label; elements are then (features, label).
      select_columns: names or numbers of the columns to take.
      field_delim: what is between fields.
      use_quote_delim: whether fields may be quoted.
      na_value: what stands for a missing field, besides nothing.
      header: whether the first row of a file holds names.
      num_epochs: how often the files are gone through; for ever by default.
      shuffle: whether the order is random.
      shuffle_buffer_size, shuffle_seed: see `Dataset.shuffle`.
      prefetch_buffer_size: how many batches are made ahead of time.
      num_parallel_reads: how many files are read at a time.
      sloppy: whether the order may vary.
      num_rows_for_inference: how many rows are looked at for `column_defaults`.
      compression_type: "GZIP", "ZLIB", "" or None.
      ignore_errors: whether to leave out rows that are wrong.

    Returns:
      A dataset of dicts from names of columns to vectors.

    Raises:
      ValueError: the arguments or the files don't fit each other.
    """
    return dataset_ops.DatasetV1Adapter(
        make_csv_dataset_v2(
            file_pattern,
            batch_size,
            column_names,
            column_defaults,
            label_name,
            select_columns,
            field_delim,
            use_quote_delim,
            na_value,
            header,
            num_epochs,
            shuffle,
            shuffle_buffer_size,
            shuffle_seed,
            prefetch_buffer_size,
            num_parallel_reads,
            sloppy,
            num_rows_for_inference,
            compression_type,
            ignore_errors,
        )
    )


@tf_export("compat.v2.data.experimental.CsvDataset")
class CsvDatasetV2(dataset_types.DatasetSource):
    """As `tf.data.experimental.CsvDataset`.

    Args:
      filenames: a string vector of paths.
      record_defaults: a dtype or a default, a tensor, for each column read.
      compression_type: "", "ZLIB" or "GZIP".
      buffer_size: bytes that are read ahead.
      header: whether the first line of a file is left out.
      field_delim: the character between fields.
      use_quote_delim: whether quotes enclose fields.
      na_value: what stands for a missing value, beside nothing.
      select_cols: the numbers of the columns to read, in order; all by default.
    """

    def __init__(
        self,
        filenames: Any,
        record_defaults: Any,
        compression_type: Any = None,
        buffer_size: Any = None,
        header: Any = False,
        field_delim: Any = ",",
        use_quote_delim: Any = True,
        na_value: Any = "",
        select_cols: Any = None,
    ):
        string = dtypes.string
        self._filenames = ops.convert_to_tensor(filenames, dtype=string, name="filenames")
        compression = readers._compression(compression_type)
        defaults = ops.convert_n_to_tensor(_as_defaults(record_defaults), name="record_defaults")
        buffer = convert.optional_param_to_tensor("buffer_size", buffer_size, _BUFFER_BYTES)
        header = dataset_types._bool(header, "header")
        delimiter = ops.convert_to_tensor(field_delim, dtype=string, name="field_delim")
        quotes = dataset_types._bool(use_quote_delim, "use_quote_delim")
        missing = ops.convert_to_tensor(na_value, dtype=string, name="na_value")
        chosen = convert.optional_param_to_tensor(
            "select_cols", select_cols, argument_default=[], argument_dtype=dtypes.int64
        )
        self._element_spec = tuple(TensorSpec([], default.dtype) for default in defaults)
        variant = raw_ops.CSVDataset(
            filenames=self._filenames,
            record_defaults=defaults,
            buffer_size=buffer,
            header=header,
            output_shapes=self._flat_shapes,
            field_delim=delimiter,
            use_quote_delim=quotes,
            na_value=missing,
            select_cols=chosen,
            compression_type=compression,
        )
        super().__init__(variant)

    element_spec = attribute("_element_spec")


@tf_export("data.experimental.CsvDataset")
class CsvDatasetV1(dataset_ops.DatasetV1Adapter):
    """A dataset of the rows of CSV files, tuples of scalars (as in TF 1.15).

    Args:
      filenames: names of files.
      record_defaults: for each column what stands for a missing field, or a dtype if none may be
        missing.
      compression_type: "GZIP", "ZLIB", "" or None.
      buffer_size: how many bytes are read at a time.
      header: whether to leave out the first row of a file.
      field_delim: what is between fields.
      use_quote_delim: whether fields may be quoted.
      na_value: what stands for a missing field, besides nothing.
      select_cols: numbers of the columns to take, in order.
    """

    def __init__(
        self,
        filenames: Any,
        record_defaults: Any,
        compression_type: Any = None,
        buffer_size: Any = None,
        header: Any = False,
        field_delim: Any = ",",
        use_quote_delim: Any = True,
        na_value: Any = "",
        select_cols: Any = None,
    ):
        super().__init__(
            CsvDatasetV2(
                filenames,
                record_defaults,
                compression_type,
                buffer_size,
                header,
                field_delim,
                use_quote_delim,
                na_value,
                select_cols,
            )
        )


@tf_export("compat.v2.data.experimental.make_batched_features_dataset")
def make_batched_features_dataset_v2(
    file_pattern: Any,
    batch_size: Any,
    features: Any,
    reader: Any = readers.TFRecordDataset,
    label_key: Any = None,
    reader_args: Any = None,
    num_epochs: int | None = None,
    shuffle: bool = True,
    shuffle_buffer_size: Any = 10000,
    shuffle_seed: Any = None,
    prefetch_buffer_size: Any = None,
    reader_num_threads: Any = None,
    parser_num_threads: Any = None,
    sloppy_ordering: bool = False,
    drop_final_batch: bool = False,
) -> Any:
    """As `tf.data.experimental.make_batched_features_dataset`.

    Args:
      file_pattern, batch_size, features, reader, label_key, reader_args, num_epochs, shuffle,
        shuffle_buffer_size, shuffle_seed, prefetch_buffer_size, reader_num_threads,
        parser_num_threads, sloppy_ordering, drop_final_batch: as in
        `make_batched_features_dataset`.

    Returns:
      As `make_batched_features_dataset`.
    """
    threads = 1 if reader_num_threads is None else reader_num_threads
    parsers = 2 if parser_num_threads is None else parser_num_threads
    ahead = dataset_ops.AUTOTUNE if prefetch_buffer_size is None else prefetch_buffer_size
    dataset = dataset_ops.Dataset.list_files(file_pattern, shuffle=shuffle, seed=shuffle_seed)
    if isinstance(reader, type) and issubclass(reader, io_ops.ReaderBase):
        raise TypeError(
            "The `reader` argument must return a `Dataset` object. `tf.ReaderBase` subclasses are "
            "not supported. For example, pass `tf.data.TFRecordDataset` instead of "
            "`tf.TFRecordReader`."
        )
    arguments = reader_args or []
    dataset = _interleaved(
        dataset, lambda filename: reader(filename, *arguments), threads, sloppy_ordering
    )
    if dataset_ops.get_legacy_output_types(dataset) == (dtypes.string, dtypes.string):
        dataset = dataset_types.MapDataset(dataset, lambda _, v: v, use_inter_op_parallelism=False)
    dataset = _maybe_shuffle_and_repeat(
        dataset, num_epochs, shuffle, shuffle_buffer_size, shuffle_seed
    )
    dataset = dataset.batch(batch_size, drop_remainder=drop_final_batch or num_epochs is None)
    dataset = dataset.apply(parsing_ops.parse_example_dataset(features, num_parallel_calls=parsers))
    if label_key:
        if label_key not in features:
            raise ValueError(
                f"The `label_key` provided ({label_key!r}) must be one of the `features` keys."
            )
        dataset = dataset.map(lambda x: (x, x.pop(label_key)))
    return dataset.prefetch(ahead)


@tf_export("data.experimental.make_batched_features_dataset")
def make_batched_features_dataset_v1(
    file_pattern: Any,
    batch_size: Any,
    features: Any,
    reader: Any = readers.TFRecordDataset,
    label_key: Any = None,
    reader_args: Any = None,
    num_epochs: int | None = None,
    shuffle: bool = True,
    shuffle_buffer_size: Any = 10000,
    shuffle_seed: Any = None,
    prefetch_buffer_size: Any = None,
    reader_num_threads: Any = None,
    parser_num_threads: Any = None,
    sloppy_ordering: bool = False,
    drop_final_batch: bool = False,
) -> Any:
    """A dataset of batches of features of `tf.train.Example`s in files (as in TF 1.15).

    Args:
      file_pattern: patterns of the names of the files.
      batch_size: how many examples make a batch.
      features: see `tf.parse_example`.
      reader: makes a dataset of serialized examples of the name of a file.
      label_key: the feature that is the label; elements are then (features, label).
      reader_args: more arguments of `reader`.
      num_epochs: how often the files are gone through; for ever by default.
      shuffle: whether the order is random.
      shuffle_buffer_size, shuffle_seed: see `Dataset.shuffle`.
      prefetch_buffer_size: how many batches are made ahead of time.
      reader_num_threads: how many files are read at a time.
      parser_num_threads: how many batches are parsed at a time.
      sloppy_ordering: whether the order may vary.
      drop_final_batch: whether to leave out a last batch of fewer.

    Returns:
      A dataset of dicts from keys to tensors and SparseTensors.

    Raises:
      TypeError: `reader` is a reader of the kind of before datasets.
      ValueError: `label_key` is no feature.
    """
    return dataset_ops.DatasetV1Adapter(
        make_batched_features_dataset_v2(
            file_pattern,
            batch_size,
            features,
            reader,
            label_key,
            reader_args,
            num_epochs,
            shuffle,
            shuffle_buffer_size,
            shuffle_seed,
            prefetch_buffer_size,
            reader_num_threads,
            parser_num_threads,
            sloppy_ordering,
            drop_final_batch,
        )
    )


@tf_export("compat.v2.data.experimental.SqlDataset")
class SqlDatasetV2(dataset_types.DatasetSource):
    """As `tf.data.experimental.SqlDataset`.

    Args:
      driver_name: "sqlite".
      data_source_name: the database's path.
      query: the query, in SQL.
      output_types: the dtypes of the columns.
    """

    def __init__(self, driver_name: Any, data_source_name: Any, query: Any, output_types: Any):
        string = dtypes.string
        driver = ops.convert_to_tensor(driver_name, dtype=string, name="driver_name")
        source = ops.convert_to_tensor(data_source_name, dtype=string, name="data_source_name")
        query = ops.convert_to_tensor(query, dtype=string, name="query")
        self._element_spec = nest.map_structure(lambda t: TensorSpec([], t), output_types)
        super().__init__(raw_ops.SqlDataset(driver, source, query, **self._flat_structure))

    element_spec = attribute("_element_spec")


@tf_export("data.experimental.SqlDataset")
class SqlDatasetV1(dataset_ops.DatasetV1Adapter):
    """A dataset of the rows that a query of a database gives (as in TF 1.15).

    Args:
      driver_name: "sqlite".
      data_source_name: the file of the database.
      query: in SQL.
      output_types: the dtypes of the columns.
    """

    def __init__(self, driver_name: Any, data_source_name: Any, query: Any, output_types: Any):
        super().__init__(SqlDatasetV2(driver_name, data_source_name, query, output_types))


CsvDataset = CsvDatasetV1
SqlDataset = SqlDatasetV1
make_batched_features_dataset = make_batched_features_dataset_v1
make_csv_dataset = make_csv_dataset_v1
