"""Iterators that several devices share: the elements go to them in turn."""

from __future__ import annotations

import collections
import threading
from collections.abc import Sequence
from typing import Any

import numpy as np

from tf1compat.core import errors
from tf1compat.core.op_registry import op, register
from tf1compat.core.shapes import Shape
from tf1compat.core.typing import LoweringContext
from tf1compat.kernels.data.data_functions import named_errors
from tf1compat.kernels.data.data_values import Dataset, byte_string, integer, invalid
from tf1compat.kernels.variables import resources


class _MultiDeviceIterator:
    """The elements of a dataset, dealt out.

    Args:
      key: what its string handle tells.
      attrs: of the operation that owns it.
    """

    shape = ()
    dtype = np.dtype(object)

    def __init__(self, key: Any, attrs: dict[str, Any]):
        self.key = key
        self.count = len(attrs["devices"])
        self.incarnation = 0
        self._lock = threading.Lock()
        self._elements: Any = None
        self._dealt: list[collections.deque[Any]] = []
        self._next = 0

    def initialize(self, dataset: Dataset, session: Any) -> int:
        """Begins to go through a dataset; returns the number of this pass."""
        with self._lock:
            self._elements = dataset.new_iterator(session)
            self._dealt = [collections.deque() for _ in range(self.count)]
            self._next = 0
            self.incarnation += 1
            return self.incarnation

    def next(self, shard: int, incarnation: int, ctx: LoweringContext) -> Any:
        """The next element of a device; None at the end.

        Raises:
          InvalidArgumentError: another pass has begun.
        """
        with self._lock, named_errors(ctx):
            if incarnation != self.incarnation:
                raise invalid(
                    f"Invalid incarnation id. Provided: {incarnation}; Expected: {self.incarnation}"
                )
            if not 0 <= shard < self.count:
                raise invalid(f"Shard {shard} is not one of {self.count}")
            mine = self._dealt[shard]
            while not mine:
                element = next(self._elements, None)
                if element is None:
                    return None
                self._dealt[self._next].append(element)
                self._next = (self._next + 1) % self.count
            return mine.popleft()


def _scalar(*_: Any) -> Shape:
    return ()


register("MultiDeviceIterator", shape=_scalar, source=True, host=True)


@op("AnonymousMultiDeviceIterator", host=True, effect=True)
class AnonymousMultiDeviceIterator:
    def shape() -> Any:
        return [(), ()]

    def lower(*, ctx: LoweringContext) -> Any:
        name = b"AnonymousMultiDeviceIterator%d" % len(ctx.session.resources)
        found = _MultiDeviceIterator((b"localhost", name), ctx.op._attrs)
        ctx.session.resources[found.key] = found
        return [found, found]


def _find(ctx: LoweringContext, handle: Any) -> _MultiDeviceIterator:
    if isinstance(handle, _MultiDeviceIterator):
        return handle
    return resources.find(
        ctx, handle, lambda source: _MultiDeviceIterator(handle.key, source._attrs)
    )


@op("MultiDeviceIteratorInit", host=True, reads=(1,), effect=True)
class MultiDeviceIteratorInit:
    shape = _scalar

    def lower(
        dataset: Any,
        multi_device_iterator: Any,
        max_buffer_size: np.ndarray,
        *,
        ctx: LoweringContext,
    ) -> Any:
        found = _find(ctx, multi_device_iterator).initialize(dataset, ctx.session)
        return np.array(found, np.int64)


@op("MultiDeviceIteratorGetNextFromShard", host=True, reads=(0,), effect=True)
class MultiDeviceIteratorGetNextFromShard:
    def shape(
        multi_device_iterator: Any,
        shard_num: Shape,
        incarnation_id: Shape,
        *,
        output_shapes: Sequence[Shape],
    ) -> Any:
        return output_shapes

    def lower(
        multi_device_iterator: Any,
        shard_num: np.ndarray,
        incarnation_id: np.ndarray,
        *,
        ctx: LoweringContext,
    ) -> Any:
        iterator = _find(ctx, multi_device_iterator)
        element = iterator.next(integer(shard_num), integer(incarnation_id), ctx)
        if element is None:
            raise errors.OutOfRangeError(None, None, "End of sequence")
        return list(element)


@op("MultiDeviceIteratorToStringHandle", host=True, reads=(0,), effect=True)
class MultiDeviceIteratorToStringHandle:
    shape = _scalar

    def lower(multi_device_iterator: Any, *, ctx: LoweringContext) -> Any:
        container, name = _find(ctx, multi_device_iterator).key
        found = np.empty((), object)
        found[()] = b"multi_device_iterator\n%s\n%s" % (container, name)
        return found


@op("MultiDeviceIteratorFromStringHandle", host=True, effect=True)
class MultiDeviceIteratorFromStringHandle:
    shape = _scalar

    def lower(string_handle: Any, *, ctx: LoweringContext) -> Any:
        parts = byte_string(string_handle).split(b"\n", 2)
        if len(parts) < 3 or parts[0] != b"multi_device_iterator":
            raise invalid("Could not parse string_handle as a valid ResourceHandle")
        key = parts[1], parts[2]
        found = ctx.session.resources.get(key) or resources.shared(ctx.session).get(key)
        if not isinstance(found, _MultiDeviceIterator):
            raise errors.NotFoundError(None, None, f"Resource {parts[2].decode()} does not exist.")
        return found


@op("DeleteMultiDeviceIterator", host=True, reads=(0,), effect=True)
class DeleteMultiDeviceIterator:
    def shape(multi_device_iterator: Any, iterators: Sequence[Shape], deleter: Shape) -> None:
        pass

    def lower(
        multi_device_iterator: Any, iterators: Any, deleter: Any, *, ctx: LoweringContext
    ) -> None:
        ctx.session.resources.pop(_find(ctx, multi_device_iterator).key, None)
