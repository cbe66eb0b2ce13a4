"""`tensorflow.python.data.experimental.kernel_tests.reader_dataset_ops_test_base`: files to read.

Each test case writes a few small files whose records tell where they are, and knows in which order
a dataset reads them.
"""

from __future__ import annotations

import gzip
import itertools
import os
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from tf1compat.api.data.experimental.ops import readers as experimental_readers
from tf1compat.api.data.kernel_tests import test_base
from tf1compat.api.data.ops import readers
from tf1compat.api.io import parsing_ops
from tf1compat.api.lib.io import python_io
from tf1compat.core import dtypes
from tf1compat.formats import example_pb2

_NEVER = -1  # an epoch that no dataset reaches


def _interleaved(iterators: Iterable[Iterator[Any]], cycle_length: int) -> Iterator[Any]:
    """One element of each of `cycle_length` iterators in turn; the next replaces one that ends."""
    waiting = iter(iterators)
    current: list[Iterator[Any] | None] = list(itertools.islice(waiting, cycle_length))
    while any(iterator is not None for iterator in current):
        for i, iterator in enumerate(current):
            if iterator is not None:
                try:
                    yield next(iterator)
                except StopIteration:
                    current[i] = next(waiting, None)


def _batched(records: Iterable[Any], size: int, drop_final: bool = False) -> Iterator[list[Any]]:
    """Lists of `size` records; the last one may be shorter."""
    records = iter(records)
    while batch := list(itertools.islice(records, size)):
        if len(batch) == size or not drop_final:
            yield batch


class _Files(test_base.DatasetTestBase):
    """Writes the files of a test case."""

    def _path(self, pattern: str, index: int) -> str:
        return os.path.join(self.get_temp_dir(), pattern % index)

    def _interleave(self, iterators: Iterable[Iterator[Any]], cycle_length: int) -> Iterator[Any]:
        return _interleaved(iterators, cycle_length)

    def _written(self, path: str, records: Iterable[bytes]) -> str:
        with python_io.TFRecordWriter(path) as writer:
            for record in records:
                writer.write(record)
        return path


class FixedLengthRecordDatasetTestBase(_Files):
    """Files of records of three bytes between a header of five and a footer of two."""

    def setUp(self) -> None:
        super().setUp()
        self._num_files, self._num_records = 2, 7
        self._header_bytes, self._record_bytes, self._footer_bytes = 5, 3, 2

    def _record(self, f: int, r: int) -> bytes:
        return str(f * 2 + r).encode() * self._record_bytes

    def _createFiles(self) -> list[str]:
        made = []
        for f in range(self._num_files):
            made.append(self._path("fixed_length_record.%d.txt", f))
            records = [self._record(f, r) for r in range(self._num_records)]
            around = b"H" * self._header_bytes, b"F" * self._footer_bytes
            with open(made[-1], "wb") as file:
                file.write(b"".join([around[0], *records, around[1]]))
        return made


class TextLineDatasetTestBase(_Files):
    """Files of lines."""

    def _lineText(self, f: int, l: int) -> bytes:  # noqa: E741
        return b"%d: %d" % (f, l)

    def _createFiles(
        self,
        num_files: int,
        num_lines: int,
        crlf: bool = False,
        compression_type: str | None = None,
    ) -> list[str]:
        """Writes the files: the last line of the first one ends like all others.

        Args:
          num_files, num_lines: how many.
          crlf: whether lines end by carriage return and line feed.
          compression_type: None, "GZIP" or "ZLIB".

        Returns:
          Their paths.

        Raises:
          ValueError: another compression type.
        """
        ways: dict[str | None, Callable[[bytes], bytes]] = {
            None: bytes, "GZIP": gzip.compress, "ZLIB": zlib.compress,
        }  # fmt: skip
        if compression_type not in ways:
            raise ValueError(f"Unsupported compression_type {compression_type!r}")
        end = b"\r\n" if crlf else b"\n"
        made = []
        for f in range(num_files):
            text = end.join(self._lineText(f, line) for line in range(num_lines))
            made.append(self._path("text_line.%d.txt", f))
            with open(made[-1], "wb") as file:
                file.write(ways[compression_type](text if f else text + end))
        return made


class TFRecordDatasetTestBase(_Files):
    """TFRecord files of records like "Record 2 of file 1"."""

    def setUp(self) -> None:
        super().setUp()
        self._num_files, self._num_records = 2, 7
        self.test_filenames = self._createFiles()

    def _record(self, f: int, r: int) -> bytes:
        return b"Record %d of file %d" % (r, f)

    def _createFiles(self) -> list[str]:
        return [
            self._written(
                self._path("tf_record.%d.txt", f),
                [self._record(f, r) for r in range(self._num_records)],
            )
            for f in range(self._num_files)
        ]

    def _next_expected_batch(
        self,
        file_indices: Sequence[int],
        batch_size: int,
        num_epochs: int,
        cycle_length: int,
        drop_final_batch: bool,
        use_parser_fn: bool,
    ) -> Iterator[list[bytes]]:
        skipped = 1 if use_parser_fn else 0  # the parser takes the first byte away
        epochs = itertools.count() if num_epochs == _NEVER else range(num_epochs)

        def records() -> Iterator[bytes]:
            for _ in epochs:
                files = [
                    iter([self._record(f, r)[skipped:] for r in range(self._num_records)])
                    for f in file_indices
                ]
                yield from _interleaved(files, cycle_length)

        return _batched(records(), batch_size, drop_final_batch)

    def _verify_records(
        self,
        outputs: Callable[[], Any],
        batch_size: int,
        file_index: int | None,
        num_epochs: int,
        interleave_cycle_length: int,
        drop_final_batch: bool,
        use_parser_fn: bool,
    ) -> None:
        files = range(self._num_files) if file_index is None else [file_index]
        for expected in self._next_expected_batch(
            files, batch_size, num_epochs, interleave_cycle_length, drop_final_batch, use_parser_fn
        ):
            self.assertAllEqual(expected, self.evaluate(outputs()))


class MakeBatchedFeaturesDatasetTestBase(_Files):
    """TFRecord files of examples with the features file, record, keywords and label.

    Attributes:
      outputs: gives the next batch of a dataset; the test sets it.
    """

    outputs: Callable[[], Any]

    def setUp(self) -> None:
        super().setUp()
        self._num_files, self._num_records = 2, 7
        self.test_filenames = self._createFiles()

    def make_batch_feature(
        self,
        filenames: Any,
        num_epochs: int | None,
        batch_size: int,
        label_key: str | None = None,
        reader_num_threads: int = 1,
        parser_num_threads: int = 1,
        shuffle: bool = False,
        shuffle_seed: int | None = None,
        drop_final_batch: bool = False,
    ) -> Any:
        """The dataset of parsed batches that `make_batched_features_dataset` makes of files."""
        self.filenames, self.num_epochs, self.batch_size = filenames, num_epochs, batch_size
        return experimental_readers.make_batched_features_dataset(
            file_pattern=filenames,
            batch_size=batch_size,
            features={
                "file": parsing_ops.FixedLenFeature([], dtypes.int64),
                "record": parsing_ops.FixedLenFeature([], dtypes.int64),
                "keywords": parsing_ops.VarLenFeature(dtypes.string),
                "label": parsing_ops.FixedLenFeature([], dtypes.string),
            },
            label_key=label_key,
            reader=readers.TFRecordDataset,
            num_epochs=num_epochs,
            shuffle=shuffle,
            shuffle_seed=shuffle_seed,
            reader_num_threads=reader_num_threads,
            parser_num_threads=parser_num_threads,
            drop_final_batch=drop_final_batch,
        )

    def _record(self, f: int, r: int, l: Any) -> bytes:  # noqa: E741
        example: Any = example_pb2.Example()
        feature = example.features.feature
        feature["file"].int64_list.value.append(f)
        feature["record"].int64_list.value.append(r)
        feature["keywords"].bytes_list.value.extend(self._get_keywords(f, r))
        feature["label"].bytes_list.value.append(l if isinstance(l, bytes) else l.encode())
        return example.SerializeToString()

    def _get_keywords(self, f: int, r: int) -> list[bytes]:
        return [b"keyword%d" % i for i in range(1 + (f + r) % 2)]

    def _sum_keywords(self, num_files: int) -> int:
        return sum(
            len(self._get_keywords(f, r))
            for f in range(num_files)
            for r in range(self._num_records)
        )

    def _createFiles(self) -> list[str]:
        return [
            self._written(
                self._path("tf_record.%d.txt", f),
                [self._record(f, r, "fake-label") for r in range(self._num_records)],
            )
            for f in range(self._num_files)
        ]

    def _run_actual_batch(
        self, outputs: Callable[[], Any], label_key_provided: bool = False
    ) -> list[Any]:
        found = self.evaluate(outputs())
        features, label = found if label_key_provided else (found, found["label"])
        keywords = features["keywords"]
        sparse = [keywords.indices, keywords.values, keywords.dense_shape]
        return [features["file"], *sparse, features["record"], label]

    def _next_actual_batch(self, label_key_provided: bool = False) -> list[Any]:
        return self._run_actual_batch(self.outputs, label_key_provided)

    def _next_expected_batch(
        self,
        file_indices: Sequence[int],
        batch_size: int,
        num_epochs: int,
        cycle_length: int = 1,
    ) -> Iterator[list[Any]]:
        def places() -> Iterator[tuple[int, int]]:
            for _ in range(num_epochs):
                files = [iter([(f, r) for r in range(self._num_records)]) for f in file_indices]
                yield from _interleaved(files, cycle_length)

        for batch in _batched(places(), batch_size):
            keywords = [self._get_keywords(f, r) for f, r in batch]
            indices = [[i, j] for i, words in enumerate(keywords) for j in range(len(words))]
            yield [
                [f for f, _ in batch],
                indices,
                [word for words in keywords for word in words],
                [len(batch), max(len(words) for words in keywords)],
                [r for _, r in batch],
                [b"fake-label"] * len(batch),
            ]

    def verify_records(
        self,
        batch_size: int,
        file_index: int | None = None,
        num_epochs: int = 1,
        label_key_provided: bool = False,
        interleave_cycle_length: int = 1,
    ) -> None:
        """What `self.outputs` gives is what is in the files.

        Args:
          batch_size: how many examples come at a time.
          file_index: the only file that is read; None: all are.
          num_epochs: how often.
          label_key_provided: whether elements are pairs of features and label.
          interleave_cycle_length: how many files are read at a time.
        """
        files = range(self._num_files) if file_index is None else [file_index]
        for expected in self._next_expected_batch(
            files, batch_size, num_epochs, interleave_cycle_length
        ):
            actual = self._next_actual_batch(label_key_provided)
            for wanted, found in zip(expected, actual, strict=True):
                self.assertAllEqual(np.asarray(wanted), found)
