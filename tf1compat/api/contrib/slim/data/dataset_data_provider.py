"""`tensorflow.contrib.slim.python.slim.data.dataset_data_provider`."""

from __future__ import annotations

from typing import Any

from tf1compat.api.contrib.slim.data import data_provider, parallel_reader


class DatasetDataProvider(data_provider.DataProvider):
    """Reads a data set by several readers at once.

    Args:
      dataset: a `Dataset`.
      num_readers: how many readers.
      reader_kwargs: arguments of the readers.
      shuffle: whether files and records are shuffled.
      num_epochs: how often all is read; None for ever.
      common_queue_capacity: how many records may wait.
      common_queue_min: how many stay behind, to be shuffled with others.
      record_key: the name of the item that is the record's key.
      seed: a seed.
      scope: a name scope.

    Raises:
      ValueError: the data set has an item named as `record_key`.
    """

    def __init__(
        self, dataset: Any, num_readers: Any = 1, reader_kwargs: Any = None, shuffle: Any = True,
        num_epochs: int | None = None, common_queue_capacity: Any = 256,
        common_queue_min: Any = 128,
        record_key: Any = "record_key", seed: Any = None, scope: Any = None,
    ):  # fmt: skip
        key, data = parallel_reader.parallel_read(
            dataset.data_sources,
            reader_class=dataset.reader,
            num_epochs=num_epochs,
            num_readers=num_readers,
            reader_kwargs=reader_kwargs,
            shuffle=shuffle,
            capacity=common_queue_capacity,
            min_after_dequeue=common_queue_min,
            seed=seed,
            scope=scope,
        )
        items = dataset.decoder.list_items()
        items_to_tensors = dict(zip(items, dataset.decoder.decode(data, items)))
        if record_key in items_to_tensors:
            raise ValueError(
                "The item name used for `record_key` cannot also be used for a dataset item: %s",
                record_key,
            )
        items_to_tensors[record_key] = key
        super().__init__(items_to_tensors=items_to_tensors, num_samples=dataset.num_samples)
