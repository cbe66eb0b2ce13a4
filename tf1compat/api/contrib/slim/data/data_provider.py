"""`tensorflow.contrib.slim.python.slim.data.data_provider`."""

from __future__ import annotations

import abc
from typing import Any

from tf1compat.core.typing import TensorLike


class DataProvider(metaclass=abc.ABCMeta):  # noqa: B024
    """Gives the items (images, labels, …) of a data set by name.

    Args:
      items_to_tensors: a dict of them.
      num_samples: how many samples the data set has.
    """

    def __init__(self, items_to_tensors: Any, num_samples: TensorLike):
        self._items_to_tensors = items_to_tensors
        self._num_samples = num_samples

    def get(self, items: Any) -> list[Any]:
        """The items of these names.

        Raises:
          ValueError: `items` is not a list, or names something that isn't there.
        """
        if not isinstance(items, (list, tuple)):
            raise ValueError("items must be a list or tuple")
        valid = self.list_items()
        for item in items:
            if item not in valid:
                raise ValueError(f"Item [{item}] is invalid. Valid entries include: {valid}")
        return [self._items_to_tensors[item] for item in items]

    def list_items(self) -> Any:
        """The names of all items."""
        return self._items_to_tensors.keys()

    def num_samples(self) -> Any:
        """How many samples the data set has."""
        return self._num_samples
