"""Queues between the steps of a program: they live in the session, on the host.

Who waits at a queue holds no lock of the session, so that other threads' runs go on. A failed run
does not take back what it did to a queue, as in TF.
"""

from __future__ import annotations

import itertools
import threading
import weakref
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import numpy as np

from tf1compat.core import dtypes, errors, shapes
from tf1compat.core.dtypes import DType
from tf1compat.core.op_registry import not_differentiable, op, register
from tf1compat.core.operation import Operation
from tf1compat.core.shapes import Shape, ShapeError
from tf1compat.core.typing import LoweringContext
from tf1compat.core.waiting import in_line, wait
from tf1compat.kernels.text.string import invalid
from tf1compat.kernels.variables import resources

Element = tuple[np.ndarray, ...]

numbers = itertools.count()


class _Queue:
    """A queue of tuples of arrays.

    Args:
      source: the operation that owns it.
    """

    kind = "FIFOQueue"

    @property
    def single(self) -> str:
        """What errors call it where elements are added, or one is taken."""
        return self.kind

    def __init__(self, source: Any):
        attrs = source._attrs
        self.source_type = source.type
        # Those that own it under one shared name, and were found to be alike.
        self.sources = weakref.WeakSet([source])
        self.shared_name = attrs["shared_name"].decode()
        self.name = self.shared_name or f"_{next(numbers)}_{source._name}"
        self.dtypes: list[dtypes.DType] = list(attrs["component_types"])
        self.shapes: list[Shape] = [shape.to_tuple() for shape in attrs["shapes"]]
        self.capacity = attrs["capacity"] if attrs["capacity"] >= 0 else float("inf")
        self.is_closed = False
        self._cancels = False
        self._changed = threading.Condition()
        # Those who take several elements wait in line, as do those who add several.
        self._takers, self._givers = threading.Lock(), threading.Lock()
        self._elements: list[Any] = []

    def differs(self, wanted: Any) -> str | None:
        """How this queue differs from what another source of the same shared name wants."""
        of_queue = f"Shared queue '{wanted.shared_name}' has"
        if wanted.kind != self.kind:
            return f"Expected {self.kind}, found {wanted.source_type}"
        if wanted.capacity != self.capacity:
            return (
                f"{of_queue} capacity {self.capacity} but requested capacity was {wanted.capacity}"
            )
        if wanted.dtypes != self.dtypes:
            found, asked = (", ".join(map(dtypes.cpp_name, q.dtypes)) for q in (self, wanted))
            return f"{of_queue} component types {found} but requested component types were {asked}"
        if not self._has_shapes(wanted.shapes):
            found, asked = (_shapes_text(q.shapes) for q in (self, wanted))
            return (
                f"{of_queue} component shapes {found} but requested component shapes were {asked}"
            )
        return None

    def _has_shapes(self, wanted: list[Shape]) -> bool:
        return self.shapes == wanted

    # What is in the queue; the order is the subclasses'.

    def put(self, element: Element) -> None:
        """Adds an element."""
        self._elements.append(element)

    def take(self) -> Element:
        """Removes an element."""
        return self._elements.pop(0)

    def put_back(self, elements: list[Element]) -> None:
        """Restores what was taken in vain."""
        self._elements[:0] = elements

    def __len__(self) -> int:
        return len(self._elements)

    def ready(self) -> int:
        """How many elements may be taken now."""
        return len(self)

    # What operations do.

    def enqueue(self, elements: Sequence[Element], session: Any) -> None:
        """Adds elements, as soon as there is room.

        Raises:
          CancelledError: the queue is closed, or the session.
        """
        cancelled = "Enqueue operation was cancelled"
        with in_line(self._givers, session, cancelled), self._changed:
            if self.is_closed:
                raise errors.CancelledError(None, None, f"{self.single} '{self.name}' is closed.")
            for element in elements:
                wait(
                    self._changed,
                    session,
                    lambda: self._cancels or len(self) < self.capacity,
                    cancelled,
                )
                if self._cancels:
                    raise errors.CancelledError(None, None, cancelled)
                self.put(element)
                self._changed.notify_all()

    def dequeue(self, count: int, session: Any, at_least: int | None = None) -> list[Element]:
        """Removes elements, as soon as there are enough.

        Args:
          count: how many.
          session: that runs.
          at_least: how many are enough once the queue is closed; None for all.

        Raises:
          OutOfRangeError: the queue is closed, and there are not enough.
          CancelledError: the session is closed.
        """
        found: list[Element] = []
        enough = count if at_least is None else at_least
        cancelled = "Dequeue operation was cancelled"
        with in_line(self._takers, session, cancelled), self._changed:
            while len(found) < count:
                try:
                    wait(
                        self._changed,
                        session,
                        lambda: self.ready() > 0 or self._is_over(),
                        cancelled,
                    )
                except BaseException:
                    self.put_back(found)
                    raise
                if self.ready() <= 0:
                    if len(found) < enough or not found:
                        self.put_back(found)
                        self._lack(count)
                    break
                found.append(self.take())
                self._changed.notify_all()
        return found

    def _is_over(self) -> bool:
        """Whether no more elements can come."""
        return self.is_closed and not self._givers.locked()

    def _lack(self, count: int) -> NoReturn:
        kind = self.single if count == 1 else self.kind
        raise errors.OutOfRangeError(
            None,
            None,
            f"{kind} '{self.name}' is closed and has insufficient elements "
            f"(requested {count}, current size {len(self)})",
        )

    def close(self, cancels: bool) -> None:
        """Lets no more elements in.

        Args:
          cancels: whether those who wait to add one fail.

        Raises:
          CancelledError: the queue is closed already.
        """
        with self._changed:
            if self.is_closed and (self._cancels or not cancels):
                raise errors.CancelledError(None, None, f"Queue '{self.name}' is already closed.")
            self.is_closed = True
            self._cancels |= cancels
            self._changed.notify_all()

    # Shapes.

    def check(self, values: Sequence[np.ndarray], many: bool) -> None:
        """Fails where values do not have the shapes of the components, or not one batch size."""
        sizes = [value.shape[0] if value.ndim else 0 for value in values] if many else []
        if not self.shapes:
            for i, size in enumerate(sizes):
                if size != sizes[0]:
                    raise invalid(
                        "All input tensors must have the same size in the 0th dimension. Component "
                        f"{i} has {size}, and should have {sizes[0]}"
                    )
        for i, (value, shape) in enumerate(zip(values, self.shapes)):
            found = value.shape
            if shape is None:
                continue
            wanted = (sizes[0], *shape) if many else shape
            if not shapes.compatible(wanted, found):
                raise invalid(
                    f"Shape mismatch in tuple component {i}. Expected {shapes.to_string(wanted)}, "
                    f"got {shapes.to_string(found)}"
                )

    def check_batches(self) -> None:
        """Fails where elements can't be stacked."""
        if not self.shapes and self.dtypes:
            raise invalid(
                f"{self.kind}'s DequeueMany and DequeueUpTo require the components to have "
                "specified shapes."
            )

    def batch(self, elements: Sequence[Element]) -> list[np.ndarray]:
        """Elements stacked, component by component."""
        found = []
        for i, dtype in enumerate(self.dtypes):
            column = [element[i] for element in elements]
            shape = column[0].shape if column else tuple(d or 0 for d in self.shapes[i] or ())
            array = np.empty((len(column), *shape), dtype.as_numpy_dtype)
            for row, value in enumerate(column):
                array[row] = value[()]
            found.append(array)
        return found


class _PaddingQueue(_Queue):
    """A queue that pads elements to one shape when it stacks them."""

    kind = "PaddingFIFOQueue"

    @property
    def single(self) -> str:  # As TF's does that by its base class.
        return _Queue.kind

    def _has_shapes(self, wanted: list[Shape]) -> bool:
        return len(wanted) == len(self.shapes) and all(map(shapes.compatible, self.shapes, wanted))

    def batch(self, elements: Sequence[Element]) -> list[np.ndarray]:
        padded = []
        for i, dtype in enumerate(self.dtypes):
            column = [element[i] for element in elements]
            if not column:
                return super().batch(elements)
            sizes = np.max([value.shape for value in column], axis=0).astype(int).tolist()
            fill = b"" if dtype is dtypes.string else 0
            array = np.full((len(column), *sizes), fill, dtype.as_numpy_dtype)
            for row, value in enumerate(column):
                array[(row, *map(slice, value.shape))] = value[()]
            padded.append(array)
        return padded


class _ShuffleQueue(_Queue):
    """A queue that gives its elements in random order: TF's, for one seed and one thread."""

    kind = "RandomShuffleQueue"

    def __init__(self, source: Any):
        super().__init__(source)
        self._kept, most = source._attrs["min_after_dequeue"], source._attrs["capacity"]
        if self._kept < 0 or self._kept >= most >= 0:
            wanted = ">= 0" if self._kept < 0 else f"< capacity {most}"
            text = f"min_after_dequeue {self._kept} must be {wanted}"
            text = source._graph.error_text(source, text)
            raise errors.InvalidArgumentError(source.node_def, source, text)
        self._seeds = source._attrs["seed"], source._attrs["seed2"]
        self._random = _draws(source._attrs["seed"], source._attrs["seed2"])

    def differs(self, wanted: Any) -> str | None:
        text = super().differs(wanted)
        of_queue = f"Shared queue '{wanted.shared_name}' has"
        if text is None and wanted._kept != self._kept:
            text = (
                f"{of_queue} min_after_dequeue {self._kept} but requested min_after_dequeue was "
                f"{wanted._kept}."
            )
        if text is None and wanted._seeds != self._seeds and any(wanted._seeds):
            text = f"{of_queue} random seeds {self._seeds} but requested seeds are {wanted._seeds}."
        return text

    def ready(self) -> int:
        return len(self) - (0 if self._is_over() else self._kept)

    def take(self) -> Element:
        at = next(self._random) % len(self._elements)
        found, self._elements[at] = self._elements[at], self._elements[-1]
        self._elements.pop()
        return found

    def put_back(self, elements: list[Element]) -> None:
        self._elements += elements


class Heap:
    """Elements by priority, the smallest first; those of one priority come in the order that C++'s
    standard library gives them, which is TF's."""

    def __init__(self) -> None:
        self._items: list[tuple[int, Any]] = []

    def __len__(self) -> int:
        return len(self._items)

    def push(self, priority: int, element: Any) -> None:
        """Adds an element."""
        self._items.append((priority, element))
        self._rise(len(self._items) - 1)

    def pop(self) -> Any:
        """Removes the first element."""
        items = self._items
        first, last = items[0], items.pop()
        if items:
            # The hole at the top sinks to the bottom, where the last item fills it and rises.
            hole, size = 0, len(items)
            while (child := 2 * hole + 1) < size:
                if child + 1 < size and items[child + 1][0] <= items[child][0]:
                    child += 1
                items[hole], hole = items[child], child
            items[hole] = last
            self._rise(hole)
        return first[1]

    def _rise(self, place: int) -> None:
        items, item = self._items, self._items[place]
        while place > 0 and items[(place - 1) // 2][0] > item[0]:
            items[place] = items[(place - 1) // 2]
            place = (place - 1) // 2
        items[place] = item


class _PriorityQueue(_Queue):
    """A queue that gives the element with the smallest first component first."""

    kind = "PriorityQueue"

    def __init__(self, source: Any):
        super().__init__(source)
        self.dtypes = [dtypes.int64, *self.dtypes]
        self.shapes = [(), *self.shapes]
        self._elements: Any = Heap()

    def put(self, element: Element) -> None:
        self._elements.push(int(element[0]), element)

    def take(self) -> Element:
        return self._elements.pop()

    def put_back(self, elements: list[Element]) -> None:
        for element in elements:
            self.put(element)


def _draws(seed: int, seed2: int) -> Any:
    """The numbers of 32 bits that Philox 4x32-10 draws for a pair of seeds, one by one."""
    if not seed and not seed2:
        seed, seed2 = (int(v) for v in np.random.SeedSequence().generate_state(2, np.uint64))
    mask = 0xFFFFFFFF
    seed, seed2 = seed & (1 << 64) - 1, seed2 & (1 << 64) - 1
    for count in itertools.count():
        words = [count & mask, count >> 32 & mask, seed2 & mask, seed2 >> 32]
        k0, k1 = seed & mask, seed >> 32
        for _ in range(10):
            a, b = words[0] * 0xD2511F53, words[2] * 0xCD9E8D57
            words = [b >> 32 ^ words[1] ^ k0, b & mask, a >> 32 ^ words[3] ^ k1, a & mask]
            k0, k1 = (k0 + 0x9E3779B9) & mask, (k1 + 0xBB67AE85) & mask
        yield from words


_CLASSES: dict[str, type[_Queue]] = {
    "FIFOQueue": _Queue,
    "PaddingFIFOQueue": _PaddingQueue,
    "RandomShuffleQueue": _ShuffleQueue,
    "PriorityQueue": _PriorityQueue,
}


def _handle_shape_v1() -> Shape:
    return (2,)


def _handle_shape() -> Shape:
    return ()


for _name in _CLASSES:
    register(_name, shape=_handle_shape_v1, source=True, host=True)
    register(f"{_name}V2", shape=_handle_shape, source=True, host=True)


register(
    "FakeQueue",
    shape=lambda resource: _handle_shape_v1(),
    lower=lambda resource: resource,
    passes_refs=True,
    host=True,
)


def find(ctx: LoweringContext, handle: Any) -> _Queue:
    """The queue behind a handle.

    Raises:
      InvalidArgumentError: it goes by the name of another queue, which is not like it.
    """
    queue = resources.find(ctx, handle, _made)
    source = handle.source
    if source not in queue.sources:
        text = queue.differs(_made(source))
        if text is not None:
            text = source._graph.error_text(source, text)
            raise errors.InvalidArgumentError(source.node_def, source, text)
        queue.sources.add(source)
    return queue


def _made(source: Any) -> _Queue:
    return _CLASSES[source.type.removesuffix("V2")](source)


def _shapes_text(found: list[Shape]) -> str:
    return f"[{', '.join(shapes.to_string(shape) for shape in found)}]"


def _check_signature(queue: _Queue, operation: Any, given: Any, outputs: bool) -> None:
    """Fails where an operation has other components than the queue, or a timeout of its own."""
    if operation._attrs["timeout_ms"] != -1:
        raise invalid("Timeout not supported yet.")
    if list(given) == queue.dtypes:
        return

    def signature(kinds: Any) -> str:
        names = ", ".join(dtypes.cpp_name(kind) for kind in kinds)
        return f"resource->{names}" if outputs else f"resource, {names}->"

    raise invalid(
        f"Signature mismatch, have: {signature(given)} expected: {signature(queue.dtypes)}"
    )


def _enqueue(many: bool) -> Callable[..., None]:
    """The rule that adds one element, or those that the first dimension counts."""

    def lower(
        handle: Any,
        components: Sequence[np.ndarray],
        *,
        Tcomponents: Sequence[DType],
        ctx: LoweringContext,
    ) -> None:
        queue = find(ctx, handle)
        _check_signature(queue, ctx.op, Tcomponents, False)
        queue.check(components, many=many)
        if many:
            rows = zip(*[[np.array(row, value.dtype) for row in value] for value in components])
        else:
            rows = [tuple(np.array(value) for value in components)]
        queue.enqueue(list(rows), ctx.session)

    return lower


def _no_output(handle: Any, components: Sequence[Shape]) -> None:
    pass


@op("QueueEnqueue", "QueueEnqueueV2", host=True, reads=(0,), effect=True)
class QueueEnqueue:
    shape = _no_output
    lower = _enqueue(many=False)


@op("QueueEnqueueMany", "QueueEnqueueManyV2", host=True, reads=(0,), effect=True)
class QueueEnqueueMany:
    shape = _no_output
    lower = _enqueue(many=True)


@op("QueueDequeue", "QueueDequeueV2", host=True, reads=(0,), effect=True)
class QueueDequeue:
    def shape(handle: Any, *, component_types: Sequence[DType]) -> Any:
        return [None] * len(component_types)

    def lower(handle: Any, *, component_types: Sequence[DType], ctx: LoweringContext) -> Any:
        queue = find(ctx, handle)
        _check_signature(queue, ctx.op, component_types, True)
        return list(queue.dequeue(1, ctx.session)[0])


def _many_shape(operation: Any) -> list[Shape]:
    count = operation.const_input(1)
    if count is not None and not count.ndim and count < 0:
        raise ShapeError(f"Input 'n' must be >= 0, but is {count}")
    return [None] * len(operation._attrs["component_types"])


def _dequeue_many(
    handle: Any, n: Any, component_types: Any, ctx: LoweringContext, at_least: int | None, name: str
) -> list[Any]:
    queue = find(ctx, handle)
    _check_signature(queue, ctx.op, component_types, True)
    if n < 0:
        raise invalid(f"{name} requested {n} < 0 elements")
    queue.check_batches()
    return queue.batch(queue.dequeue(int(n), ctx.session, at_least) if n else [])


@op("QueueDequeueMany", "QueueDequeueManyV2", host=True, reads=(0,), effect=True)
class QueueDequeueMany:
    def shape(handle: Any, n: Shape, *, op: Operation) -> Any:
        return _many_shape(op)

    def lower(
        handle: Any, n: np.ndarray, *, component_types: Sequence[DType], ctx: LoweringContext
    ) -> Any:
        return _dequeue_many(handle, n, component_types, ctx, None, "DequeueManyOp")


@op("QueueDequeueUpTo", "QueueDequeueUpToV2", host=True, reads=(0,), effect=True)
class QueueDequeueUpTo:
    def shape(handle: Any, n: Shape, *, component_types: Sequence[DType]) -> Any:
        return [None] * len(component_types)

    def lower(
        handle: Any, n: np.ndarray, *, component_types: Sequence[DType], ctx: LoweringContext
    ) -> Any:
        return _dequeue_many(handle, n, component_types, ctx, 1, "DequeueUpToOp")


@op("QueueClose", "QueueCloseV2", host=True, reads=(0,), effect=True)
class QueueClose:
    def shape(handle: Any) -> None:
        pass

    def lower(handle: Any, *, cancel_pending_enqueues: bool, ctx: LoweringContext) -> None:
        find(ctx, handle).close(cancel_pending_enqueues)


@op("QueueSize", "QueueSizeV2", host=True, reads=(0,), effect=True)
class QueueSize:
    def shape(handle: Any) -> Shape:
        return ()

    def lower(handle: Any, *, ctx: LoweringContext) -> Any:
        return np.array(len(find(ctx, handle)), np.int32)


@op("QueueIsClosed", "QueueIsClosedV2", host=True, reads=(0,), effect=True)
class QueueIsClosed:
    def shape(handle: Any) -> Shape:
        return ()

    def lower(handle: Any, *, ctx: LoweringContext) -> Any:
        return np.array(find(ctx, handle).is_closed)


not_differentiable(
    "QueueClose",
    "QueueDequeue",
    "QueueDequeueMany",
    "QueueDequeueUpTo",
    "QueueEnqueue",
    "QueueEnqueueMany",
    "QueueSize",
)
