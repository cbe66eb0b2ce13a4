"""`tensorflow.contrib.slim.python.slim.data.data_decoder`."""

from __future__ import annotations

import abc
from typing import Any


class DataDecoder(metaclass=abc.ABCMeta):
    """Makes items (images, labels, …) of a record."""

    @abc.abstractmethod
    def decode(self, data: Any, items: Any) -> Any:
        """The items of these names of a record: a list of tensors."""

    @abc.abstractmethod
    def list_items(self) -> Any:
        """The names of all items."""
