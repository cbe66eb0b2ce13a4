"""Datasets of the records of files."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.data.ops import dataset_ops, dataset_types
from tf1compat.api.data.ops.structured_function import StructuredFunctionWrapper
from tf1compat.api.data.util import convert
from tf1compat.core import dtypes, ops, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.core.type_spec import TensorSpec

_DEFAULT_READER_BUFFER_SIZE_BYTES = 256 * 1024


class ParallelInterleaveDataset(dataset_types._FunctionDataset):
    """See `tf.data.experimental.parallel_interleave`."""

    def __init__(
        self,
        input_dataset: dataset_ops.DatasetV2,
        map_func: Callable[..., Any],
        cycle_length: Any,
        block_length: Any,
        sloppy: Any,
        buffer_output_elements: Any,
        prefetch_input_elements: Any,
    ):
        self._input_dataset = input_dataset
        self._map_func = StructuredFunctionWrapper(
            map_func, "tf.data.experimental.parallel_interleave()", dataset=input_dataset
        )
        self._element_spec = dataset_types.element_spec_of(
            self._map_func, "`map_func` must return a `Dataset` object."
        )
        variant = raw_ops.ParallelInterleaveDataset(
            *self._arguments(),
            dataset_types._int64(cycle_length, "cycle_length"),
            dataset_types._int64(block_length, "block_length"),
            dataset_types._bool(sloppy, "sloppy"),
            convert.optional_param_to_tensor(
                "buffer_output_elements", buffer_output_elements, 2 * block_length
            ),
            convert.optional_param_to_tensor(
                "prefetch_input_elements", prefetch_input_elements, 2 * cycle_length
            ),
            f=self._map_func.function,
            **self._flat_structure,
        )
        super().__init__(input_dataset, variant)

    @property
    def element_spec(self) -> Any:
        return self._element_spec


def _filenames_dataset(filenames: Any) -> Any:
    """A dataset of the names of files.

    Raises:
      TypeError: `filenames` is a dataset of something else.
    """
    if isinstance(filenames, dataset_ops.DatasetV2):
        if dataset_ops.get_legacy_output_types(filenames) != dtypes.string:
            raise TypeError("`filenames` must be a `tf.data.Dataset` of `tf.string` elements.")
        shapes = dataset_ops.get_legacy_output_shapes(filenames)
        if not shapes.is_compatible_with(TensorShape([])):
            raise TypeError(
                "`filenames` must be a `tf.data.Dataset` of scalar `tf.string` elements."
            )
        return filenames
    filenames = ops.convert_to_tensor(filenames, dtype=dtypes.string)
    filenames = array_ops.reshape(filenames, [-1], name="flat_filenames")
    return dataset_ops.DatasetV2.from_tensor_slices(filenames)


def _records(make: Callable[[Any], Any], filenames: Any, num_parallel_reads: Any) -> Any:
    """A dataset of the records of all files, given what makes that of one."""

    def read_one_file(filename: Any) -> Any:
        return make(ops.convert_to_tensor(filename, dtypes.string, name="filename"))

    if num_parallel_reads is None:
        return filenames.flat_map(read_one_file)
    if num_parallel_reads == dataset_ops.AUTOTUNE:
        return filenames.interleave(read_one_file, num_parallel_calls=num_parallel_reads)
    return ParallelInterleaveDataset(
        filenames, read_one_file, num_parallel_reads, 1, False, None, None
    )


class _Strings(dataset_types.DatasetSource):
    """A dataset of string scalars."""

    @property
    def element_spec(self) -> Any:
        return TensorSpec([], dtypes.string)


def _compression(compression_type: Any) -> Any:
    return convert.optional_param_to_tensor(
        "compression_type", compression_type, argument_default="", argument_dtype=dtypes.string
    )


def _buffer(buffer_size: Any) -> Any:
    return convert.optional_param_to_tensor(
        "buffer_size", buffer_size, argument_default=_DEFAULT_READER_BUFFER_SIZE_BYTES
    )


class _TextLineDataset(_Strings):
    """The lines of a file."""

    def __init__(self, filenames: Any, compression_type: Any = None, buffer_size: Any = None):
        arguments = _compression(compression_type), _buffer(buffer_size)
        super().__init__(raw_ops.TextLineDataset(filenames, *arguments))


class _TFRecordDataset(_Strings):
    """The records of a TFRecord file."""

    def __init__(self, filenames: Any, compression_type: Any = None, buffer_size: Any = None):
        arguments = _compression(compression_type), _buffer(buffer_size)
        super().__init__(raw_ops.TFRecordDataset(filenames, *arguments))


class _FixedLengthRecordDataset(_Strings):
    """The records of a file, that have all the same length."""

    def __init__(
        self,
        filenames: Any,
        record_bytes: Any,
        header_bytes: Any = None,
        footer_bytes: Any = None,
        buffer_size: Any = None,
        compression_type: Any = None,
    ):
        record = dataset_types._int64(record_bytes, "record_bytes")
        header = convert.optional_param_to_tensor("header_bytes", header_bytes)
        footer = convert.optional_param_to_tensor("footer_bytes", footer_bytes)
        buffer = _buffer(buffer_size)
        super().__init__(
            raw_ops.FixedLengthRecordDatasetV2(
                filenames, header, record, footer, buffer, _compression(compression_type)
            )
        )


@tf_export("compat.v2.data.TextLineDataset")
class TextLineDatasetV2(_Strings):
    """A dataset of the lines of text files, without their ends.

    Args:
      filenames: names of files, or a dataset of such.
      compression_type: "GZIP", "ZLIB", "" or None.
      buffer_size: how many bytes are read at a time.
      num_parallel_reads: how many files are read at a time; their lines are then mixed.
    """

    def __init__(
        self,
        filenames: Any,
        compression_type: Any = None,
        buffer_size: Any = None,
        num_parallel_reads: Any = None,
    ):
        self._filenames = _filenames_dataset(filenames)
        self._impl = _records(
            lambda filename: _TextLineDataset(filename, compression_type, buffer_size),
            self._filenames,
            num_parallel_reads,
        )
        super().__init__(self._impl._variant_tensor)


class _WithFilenames(dataset_ops.DatasetV1Adapter):
    @property
    def _filenames(self) -> Any:
        return self._dataset._filenames

    @_filenames.setter
    def _filenames(self, value: Any) -> None:
        self._dataset._filenames = value


@tf_export("data.TextLineDataset")
class TextLineDatasetV1(_WithFilenames):
    """A dataset of the lines of text files, without their ends.

    Args:
      filenames: names of files, or a dataset of such.
      compression_type: "GZIP", "ZLIB", "" or None.
      buffer_size: how many bytes are read at a time.
      num_parallel_reads: how many files are read at a time; their lines are then mixed.
    """

    def __init__(
        self,
        filenames: Any,
        compression_type: Any = None,
        buffer_size: Any = None,
        num_parallel_reads: Any = None,
    ):
        super().__init__(
            TextLineDatasetV2(filenames, compression_type, buffer_size, num_parallel_reads)
        )


@tf_export("compat.v2.data.TFRecordDataset")
class TFRecordDatasetV2(_Strings):
    """A dataset of the records of TFRecord files.

    Args:
      filenames: names of files, or a dataset of such.
      compression_type: "GZIP", "ZLIB", "" or None.
      buffer_size: how many bytes are read at a time.
      num_parallel_reads: how many files are read at a time; their records are then mixed.
    """

    def __init__(
        self,
        filenames: Any,
        compression_type: Any = None,
        buffer_size: Any = None,
        num_parallel_reads: Any = None,
    ):
        self._arguments = compression_type, buffer_size, num_parallel_reads
        self._filenames = _filenames_dataset(filenames)
        self._impl = _records(
            lambda filename: _TFRecordDataset(filename, compression_type, buffer_size),
            self._filenames,
            num_parallel_reads,
        )
        super().__init__(self._impl._variant_tensor)

    def _clone(self, filenames: Any = None, *arguments: Any) -> Any:
        given = [*arguments, *[None] * (3 - len(arguments))]
        merged = [new or old for new, old in zip(given, self._arguments)]
        return type(self)(filenames or self._filenames, *merged)

    def _inputs(self) -> list[Any]:
        return self._impl._inputs()


@tf_export("data.TFRecordDataset")
class TFRecordDatasetV1(_WithFilenames):
    """A dataset of the records of TFRecord files.

    Args:
      filenames: names of files, or a dataset of such.
      compression_type: "GZIP", "ZLIB", "" or None.
      buffer_size: how many bytes are read at a time.
      num_parallel_reads: how many files are read at a time; their records are then mixed.
    """

    def __init__(
        self,
        filenames: Any,
        compression_type: Any = None,
        buffer_size: Any = None,
        num_parallel_reads: Any = None,
    ):
        super().__init__(
            TFRecordDatasetV2(filenames, compression_type, buffer_size, num_parallel_reads)
        )


@tf_export("compat.v2.data.FixedLengthRecordDataset")
class FixedLengthRecordDatasetV2(_Strings):
    """A dataset of records of one length.

    Args:
      filenames: names of files, or a dataset of such.
      record_bytes: the length of a record.
      header_bytes: how many bytes are left out at the beginning of a file.
      footer_bytes: how many are left out at its end.
      buffer_size: how many bytes are read at a time.
      compression_type: "GZIP", "ZLIB", "" or None.
      num_parallel_reads: how many files are read at a time; their records are then mixed.
    """

    def __init__(
        self,
        filenames: Any,
        record_bytes: Any,
        header_bytes: Any = None,
        footer_bytes: Any = None,
        buffer_size: Any = None,
        compression_type: Any = None,
        num_parallel_reads: Any = None,
    ):
        arguments = record_bytes, header_bytes, footer_bytes, buffer_size, compression_type
        self._filenames = _filenames_dataset(filenames)
        self._impl = _records(
            lambda filename: _FixedLengthRecordDataset(filename, *arguments),
            self._filenames,
            num_parallel_reads,
        )
        super().__init__(self._impl._variant_tensor)


@tf_export("data.FixedLengthRecordDataset")
class FixedLengthRecordDatasetV1(_WithFilenames):
    """A dataset of records of one length.

    Args:
      filenames: names of files, or a dataset of such.
      record_bytes: the length of a record.
      header_bytes: how many bytes are left out at the beginning of a file.
      footer_bytes: how many are left out at its end.
      buffer_size: how many bytes are read at a time.
      compression_type: "GZIP", "ZLIB", "" or None.
      num_parallel_reads: how many files are read at a time; their records are then mixed.
    """

    def __init__(
        self,
        filenames: Any,
        record_bytes: Any,
        header_bytes: Any = None,
        footer_bytes: Any = None,
        buffer_size: Any = None,
        compression_type: Any = None,
        num_parallel_reads: Any = None,
    ):
        super().__init__(
            FixedLengthRecordDatasetV2(
                filenames,
                record_bytes,
                header_bytes,
                footer_bytes,
                buffer_size,
                compression_type,
                num_parallel_reads,
            )
        )


FixedLengthRecordDataset = FixedLengthRecordDatasetV1
TFRecordDataset = TFRecordDatasetV1
TextLineDataset = TextLineDatasetV1
