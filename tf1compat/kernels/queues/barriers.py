"""Barriers: elements whose components come one by one, under a key. They live in the session, on
the host, as queues do."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np

from tf1compat.core import dtypes, errors, shapes
from tf1compat.core.dtypes import DType
from tf1compat.core.op_registry import op
from tf1compat.core.shapes import Shape
from tf1compat.core.typing import LoweringContext
from tf1compat.core.waiting import in_line, wait
from tf1compat.kernels.queues import queues
from tf1compat.kernels.text.string import invalid
from tf1compat.kernels.variables import resources

# The index of the first elements.
_FIRST = np.iinfo(np.int64).min


class _Barrier:
    """Elements that are complete, and those that are not.

    Args:
      source: the operation that owns it.
    """

    def __init__(self, source: Any):
        attrs = source._attrs
        self.name = f"_{next(queues.numbers)}_{source._name}"
        self.dtypes: list[dtypes.DType] = list(attrs["component_types"])
        self.shapes: list[Shape] = [shape.to_tuple() for shape in attrs["shapes"]]
        if len(self.shapes) != len(self.dtypes):
            raise invalid("All of the component shapes must be specified")
        for shape in self.shapes:
            if shape is not None and None in shape:
                raise invalid(f"Shape {shapes.to_string(shape)} is not fully defined")
        self._changed = threading.Condition()
        # Those who take wait in line.
        self._takers = threading.Lock()
        # (index, key, components).
        self._ready = queues.Heap()
        # key -> (index, components, None where they lack).
        self._incomplete: dict[Any, tuple[int, list[Any]]] = {}
        self._index = _FIRST
        self._is_closed = False
        self._cancels = False

    def sizes(self) -> tuple[int, int]:
        """How many elements are complete, and how many are not."""
        return len(self._ready), len(self._incomplete)

    def insert(self, component: int, keys: np.ndarray, values: np.ndarray) -> None:
        """Gives elements a component; those that are complete then can be taken.

        What went before a mistake stays.

        Raises:
          CancelledError: the barrier is closed, and a key is new.
          InvalidArgumentError: an element has the component already, or it has another shape.
        """
        with self._changed:
            new = sum(key not in self._incomplete for key in keys)
            if self._cancels or (self._is_closed and new and not self._incomplete):
                raise self._closed(
                    f"Number of new insertions: {new}.  Number of incomplete keys: "
                    f"{len(self._incomplete)}."
                )
            brought_new = False
            for i, (key, value) in enumerate(zip(keys, values)):
                if key not in self._incomplete:
                    if self._is_closed:
                        raise self._closed(
                            f"Insertion index: {i}.  Number of incomplete keys: "
                            f"{len(self._incomplete)}.",
                            f", but attempted to insert a brand new key: {_text(key)}.",
                        )
                    self._incomplete[key] = self._index, [None] * len(self.dtypes)
                    brought_new = True
                self._set(key, component, np.array(value, values.dtype))
            if brought_new:
                self._index += 1

    def _closed(self, numbers: str, why: str = ".") -> errors.CancelledError:
        text = f"Barrier {self.name} is closed{why}  Pending enqueues cancelled: "
        return errors.CancelledError(None, None, f"{text}{int(self._cancels)}.  {numbers}")

    def _set(self, key: Any, component: int, value: np.ndarray) -> None:
        index, components = self._incomplete[key]
        if components[component] is not None:
            raise invalid(
                f"Key {_text(key)} already has a value for component {component} in barrier "
                f"{self.name}"
            )
        components[component] = value
        if any(part is None for part in components):
            return
        del self._incomplete[key]
        self._changed.notify_all()
        for i, (part, shape) in enumerate(zip(components, self.shapes)):
            if shape is not None and part.shape != shape:
                # TF counts the index and the key as components.
                raise invalid(
                    f"Shape mismatch in tuple component {i + 2}. Expected "
                    f"{shapes.to_string(shape)}, got {shapes.to_string(part.shape)}"
                )
        self._ready.push(index, (index, key, components))

    def take(self, count: int, small: bool, session: Any) -> list[Any]:
        """Takes elements, as soon as there are enough.

        Args:
          count: how many.
          small: whether fewer are enough once the barrier is closed, and none is incomplete.
          session: that runs.

        Returns:
          The indices, the keys and the components.

        Raises:
          OutOfRangeError: the barrier is closed, and there are not enough.
          CancelledError: the session is closed.
        """
        cancelled = "Take operation was cancelled"
        with in_line(self._takers, session, cancelled), self._changed:
            if self._is_closed:
                # Who comes that late gets what is there, if fewer are enough.
                given = min(count, len(self._ready)) if small else count
                total = len(self._ready) + (0 if small else len(self._incomplete))
                if total < max(given, 1):
                    raise self._lack(f"Barrier '{self.name}'", given, "total", total)
                count = given
            wait(
                self._changed,
                session,
                lambda: len(self._ready) >= count or self._is_over(),
                cancelled,
            )
            if len(self._ready) < count and not (small and len(self._ready)):
                # TF's complete elements lie in a queue.
                raise self._lack(
                    f"PriorityQueue '{self.name}_queue'", count, "current", len(self._ready)
                )
            taken = [self._ready.pop() for _ in range(min(count, len(self._ready)))]
        indices = np.array([element[0] for element in taken], np.int64)
        keys = np.array([element[1] for element in taken], object)
        return [indices, keys, *self._stacked([element[2] for element in taken])]

    def _stacked(self, elements: list[list[np.ndarray]]) -> list[np.ndarray]:
        """Elements as one array for each component."""
        found = []
        for i, (dtype, shape) in enumerate(zip(self.dtypes, self.shapes)):
            sizes = elements[0][i].shape if elements else tuple(n or 0 for n in shape or ())
            array = np.empty((len(elements), *sizes), dtype.as_numpy_dtype)
            for row, element in enumerate(elements):
                array[row] = element[i][()]
            found.append(array)
        return found

    def _is_over(self) -> bool:
        """Whether no more elements can become complete."""
        return self._is_closed and not self._incomplete

    def _lack(self, what: str, count: int, which: str, size: int) -> errors.OutOfRangeError:
        return errors.OutOfRangeError(
            None,
            None,
            f"{what} is closed and has insufficient elements (requested {count}, "
            f"{which} size {size})",
        )

    def close(self, cancels: bool) -> None:
        """Lets no new elements in.

        Args:
          cancels: whether those that are not complete go, and nothing more comes in at all.

        Raises:
          CancelledError: the barrier is closed already.
        """
        with self._changed:
            if self._is_closed and (self._cancels or not cancels):
                raise errors.CancelledError(None, None, f"Barrier '{self.name}' is already closed.")
            self._is_closed = True
            if cancels:
                self._cancels = True
                self._incomplete.clear()
            self._changed.notify_all()


def _text(key: Any) -> str:
    return key.decode(errors="replace") if isinstance(key, bytes) else str(key)


def _find(ctx: LoweringContext, handle: Any) -> _Barrier:
    return resources.find(ctx, handle, _Barrier)


def _check_handle(handle: Shape) -> None:
    shapes.dim_with_value(shapes.with_rank(handle, 1)[0], 2)


def _check_signature(found: list[Any], expected: list[Any], form: str) -> None:
    """Fails where an operation has other components than the barrier."""
    if found == expected:
        return
    have, wanted = (
        form.format(", ".join(dtypes.cpp_name(kind) for kind in kinds))
        for kinds in (found, expected)
    )
    raise invalid(f"Signature mismatch, have: {have} expected: {wanted}")


@op("Barrier", source=True, host=True)
class Barrier:
    def shape() -> Shape:
        return (2,)


@op("BarrierInsertMany", host=True, reads=(0,), effect=True)
class BarrierInsertMany:
    def shape(handle: Any, keys: Shape, values: Shape) -> None:
        _check_handle(handle)
        rows = shapes.with_rank_at_least(values, 1)
        shapes.merge(shapes.with_rank(keys, 1), None if rows is None else rows[:1])

    def lower(
        handle: Any,
        keys: np.ndarray,
        values: np.ndarray,
        *,
        T: DType,
        component_index: int,
        ctx: LoweringContext,
    ) -> None:
        barrier = _find(ctx, handle)
        count = len(barrier.dtypes)
        if component_index >= count:
            raise invalid(
                f"The component ID is out of range {component_index} > num_components (= {count})"
            )
        expected = [barrier.dtypes[component_index]]
        _check_signature([T], expected, "string_ref, string, {}->")
        keys = np.ravel(keys)
        if np.ndim(values) == 0 or len(values) != len(keys):
            raise invalid(
                f"There must be a value for each key: {len(keys)} keys, values of shape "
                f"{shapes.to_string(np.shape(values))}"
            )
        barrier.insert(component_index, keys, np.asarray(values))


@op("BarrierTakeMany", host=True, reads=(0,), effect=True)
class BarrierTakeMany:
    def shape(handle: Any, num_elements: Shape, *, component_types: Sequence[DType]) -> Any:
        return [None] * (2 + len(component_types))

    def lower(
        handle: Any, num_elements: np.ndarray, *, component_types: Sequence[DType],
        allow_small_batch: bool,
        timeout_ms: int, ctx: LoweringContext,
    ) -> Any:  # fmt: skip
        # TF 1.15 does not look at `wait_for_incomplete`.
        barrier = _find(ctx, handle)
        _check_signature(
            list(component_types), barrier.dtypes, "string_ref, int32->int64, string, {}"
        )
        if timeout_ms != -1:
            raise invalid("Timeout not supported yet.")
        if num_elements < 0:
            raise invalid(f"DequeueManyOp requested {num_elements} < 0 elements")
        return barrier.take(int(num_elements), allow_small_batch, ctx.session)


@op("BarrierClose", host=True, reads=(0,), effect=True)
class BarrierClose:
    def shape(handle: Any) -> None:
        _check_handle(handle)

    def lower(handle: Any, *, cancel_pending_enqueues: bool, ctx: LoweringContext) -> None:
        _find(ctx, handle).close(cancel_pending_enqueues)


@op("BarrierReadySize", host=True, reads=(0,), effect=True)
class BarrierReadySize:
    def shape(handle: Any) -> Shape:
        _check_handle(handle)
        return ()

    def lower(handle: Any, *, ctx: LoweringContext) -> Any:
        return np.array(_find(ctx, handle).sizes()[0], np.int32)


@op("BarrierIncompleteSize", host=True, reads=(0,), effect=True)
class BarrierIncompleteSize:
    def shape(handle: Any) -> Shape:
        _check_handle(handle)
        return ()

    def lower(handle: Any, *, ctx: LoweringContext) -> Any:
        return np.array(_find(ctx, handle).sizes()[1], np.int32)
