"""The input of the strategies of one device (`tensorflow.python.distribute.input_lib`).

TF 1.15 records a MultiDeviceIterator and its functions; with one device an ordinary iterator on the
host beside it gives the same elements, and that is what is recorded here.
"""

from __future__ import annotations

from typing import Any

from tf1compat.api.distribute.distribute_lib import InputContext
from tf1compat.core import errors, ops
from tf1compat.core.export import find


class DistributedIterator:
    """An iterator of one worker.

    Args:
      iterator: of a dataset, or a function that records an element.
      device: the host.
    """

    def __init__(self, iterator: Any, device: str):
        self._iterator = iterator
        self._device = device

    def get_next(self, name: Any = None) -> Any:
        """The next element; the operation's name is `name` and the replica's number."""
        with ops.device(self._device):
            if callable(self._iterator):
                return self._iterator()
            return self._iterator.get_next(None if name is None else f"{name}_0")

    def __next__(self) -> Any:
        try:
            return self.get_next()
        except errors.OutOfRangeError:
            raise StopIteration from None

    next = __next__

    @property
    def initializer(self) -> Any:
        """See `initialize`."""
        return self.initialize()

    def initialize(self) -> Any:
        """The operation that starts the iterator; what needs none gives one that does nothing."""
        group = find("group")
        return group([] if callable(self._iterator) else [self._iterator.initializer])

    @property
    def output_classes(self) -> Any:
        """The classes of an element's components."""
        return find("data.get_output_classes")(self._iterator)

    @property
    def output_shapes(self) -> Any:
        """The shapes of an element's components."""
        return find("data.get_output_shapes")(self._iterator)

    @property
    def output_types(self) -> Any:
        """The types of an element's components."""
        return find("data.get_output_types")(self._iterator)


class DatasetIterator(DistributedIterator):
    """An iterator of a dataset."""

    def __init__(self, dataset: Any, device: str):
        self._dataset = dataset
        self._device = device
        self._iterator = self._made()

    def _made(self) -> Any:
        with ops.device(self._device):
            if ops.executing_eagerly():
                return iter(self._dataset)
            return self._dataset.make_initializable_iterator()

    def initialize(self) -> Any:
        if not ops.executing_eagerly():
            return super().initialize()
        self._iterator = self._made()
        return []


class DistributedDataset:
    """A dataset, read on a host.

    Args:
      dataset: the dataset.
      device: the host.
    """

    def __init__(self, dataset: Any, device: str):
        self._dataset = dataset
        self._device = device
        self.element_spec = dataset.element_spec

    def __iter__(self) -> DatasetIterator:
        if not (ops.executing_eagerly() or ops.get_default_graph().building_function):
            raise RuntimeError(
                "__iter__() is only supported inside of tf.function or when eager execution is "
                "enabled."
            )
        if not ops.executing_eagerly():
            raise NotImplementedError(
                "Iterating over a distributed dataset inside of a tf.function is not supported by "
                "tf1compat yet"
            )
        return DatasetIterator(self._dataset, self._device)

    def _make_one_shot_iterator(self) -> DatasetIterator:
        if not ops.executing_eagerly():
            raise ValueError(
                "Cannot create a one shot iterator. Please use `make_initializable_iterator()` "
                "instead."
            )
        return DatasetIterator(self._dataset, self._device)

    def _make_initializable_iterator(self, shared_name: Any = None) -> DatasetIterator:
        if ops.executing_eagerly():
            raise ValueError(
                "Cannot create initializable iterator in Eager mode. Please use `iter()` instead."
            )
        return DatasetIterator(self._dataset, self._device)

    def make_one_shot_iterator(self) -> DatasetIterator:
        """An iterator, in eager execution.

        Raises:
          ValueError: ops are recorded.
        """
        return self._make_one_shot_iterator()

    def make_initializable_iterator(self) -> DatasetIterator:
        """An iterator to be started by its `initializer`.

        Raises:
          ValueError: in eager execution.
        """
        return self._make_initializable_iterator()


def of_dataset_fn(dataset_fn: Any, device: str) -> DistributedDataset:
    """The dataset that a function makes, given an `InputContext`."""
    with ops.device(device):
        return DistributedDataset(dataset_fn(InputContext()), device)


def of_input_fn(input_fn: Any, device: str) -> DistributedIterator:
    """An iterator over what a function of an `InputContext` returns.

    Raises:
      ValueError: it is neither a dataset nor a function.
    """
    with ops.device(device):
        made = input_fn(InputContext())
    if hasattr(made, "make_initializable_iterator") or hasattr(made, "_variant_tensor"):
        return DatasetIterator(made, device)
    if callable(made):
        return DistributedIterator(made, device)
    raise ValueError("input_fn must return a tf.data.Dataset or a callable.")
