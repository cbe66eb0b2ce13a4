"""`RecordInput`, which gives shuffled records of files (of TF's `data_flow_ops`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.lib.io import tf_record
from tf1compat.core import ops, raw_ops
from tf1compat.core.export import tf_export


@tf_export("contrib.framework.RecordInput")
class RecordInput:
    """Reads TFRecord files over and over and gives their records in random order.

    Args:
      file_pattern: the files, with wildcards.
      batch_size: how many records a run gives, in each batch.
      buffer_size: among how many records is chosen.
      parallelism: how many files are read at once.
      shift_ratio: by which part of the files each epoch begins later than the one before.
      seed: of the order.
      name: of the operation.
      batches: into how many batches the records are dealt; None for one vector.
      compression_type: a `tf.python_io.TFRecordCompressionType`.
    """

    def __init__(
        self, file_pattern: Any, batch_size: int = 1, buffer_size: int = 1, parallelism: int = 1,
        shift_ratio: float = 0, seed: int = 0, name: str | None = None,
        batches: int | None = None, compression_type: Any = None,
    ):  # fmt: skip
        if compression_type is None:
            compression_type = tf_record.TFRecordCompressionType.NONE
        self._batches, self._name = batches, name
        self._attrs = {
            "file_pattern": file_pattern,
            "file_buffer_size": buffer_size,
            "file_parallelism": parallelism,
            "file_shuffle_shift_ratio": shift_ratio,
            "batch_size": batch_size * (1 if batches is None else batches),
            "file_random_seed": seed,
        }
        self._compression_type = compression_type

    def get_yield_op(self) -> Any:
        """Records the operation.

        Returns:
          A string vector [batch_size], or a list of batches, each a list of string scalars.
        """
        compression = tf_record.TFRecordOptions.get_compression_type_string(
            tf_record.TFRecordOptions(self._compression_type)
        )
        records = raw_ops.RecordInput(**self._attrs, compression_type=compression, name=self._name)
        if self._batches is None:
            return records
        with ops.name_scope(self._name):
            single = array_ops.split(records, self._attrs["batch_size"], 0)
            scalars = [array_ops.reshape(record, []) for record in single]
        return [scalars[first :: self._batches] for first in range(self._batches)]
