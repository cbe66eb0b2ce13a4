"""`tensorflow.contrib.slim.python.slim.data.dataset`."""

from __future__ import annotations

from typing import Any

from tf1compat.core.typing import TensorLike


class Dataset:
    """Where a data set lies and how it is read; a record of its arguments.

    Args:
      data_sources: file names, or patterns of them.
      reader: the class of a reader.
      decoder: a `DataDecoder`.
      num_samples: how many samples there are.
      items_to_descriptions: a dict that says what each item is.
      **kwargs: whatever else is to be kept.
    """

    def __init__(
        self, data_sources: Any, reader: Any, decoder: Any, num_samples: TensorLike,
        items_to_descriptions: Any, **kwargs: Any,
    ):  # fmt: skip
        self.__dict__.update(
            kwargs,
            data_sources=data_sources,
            reader=reader,
            decoder=decoder,
            num_samples=num_samples,
            items_to_descriptions=items_to_descriptions,
        )
