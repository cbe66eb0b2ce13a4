"""Staging areas: tuples of tensors that wait between two steps of a program, on the host.

Like queues they live in the session; who waits at one holds no lock of the session. Operations of
one `shared_name` share an area.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.core import errors
from tf1compat.core.op_registry import register
from tf1compat.core.typing import LoweringContext
from tf1compat.core.waiting import wait
from tf1compat.kernels.text.string import invalid
from tf1compat.kernels.variables import resources

_lock = threading.Lock()


def _size(values: Any) -> int:
    return sum(int(value.nbytes) for value in values if value is not None)


class _Area:
    """What both kinds share: who waits for room, or for an element.

    Args:
      op: an operation of the area.
    """

    def __init__(self, op: Any):
        attrs = op._attrs
        self.capacity, self.memory = attrs["capacity"], attrs["memory_limit"]
        self.count = len(attrs["dtypes"])
        self.changed = threading.Condition()

    def elements(self) -> list[Any]:
        """All that is in the area."""
        raise NotImplementedError

    def wait(self, holds: Callable[[], bool], session: Any) -> None:
        """Waits until a condition holds.

        Raises:
          CancelledError: the session is closed.
        """
        wait(self.changed, session, holds, "Session was closed.")

    def wait_for_room(self, values: list[Any], session: Any) -> None:
        """Waits until the area takes the values.

        Raises:
          ResourceExhaustedError: it never will.
        """
        size = _size(values)
        if self.memory > 0 and size > self.memory:
            raise errors.ResourceExhaustedError(
                None,
                None,
                f"Attempted to insert tensors with combined size of '{size}' bytes into Staging "
                f"Area with a memory limit of '{self.memory}'.",
            )

        def has_room() -> bool:
            found = self.elements()
            if self.capacity > 0 and len(found) >= self.capacity:
                return False
            return self.memory <= 0 or sum(map(_size, found)) + size <= self.memory

        self.wait(has_room, session)


def _area(ctx: LoweringContext, kind: type) -> Any:
    op, found = ctx.op, resources.shared(ctx.session)
    key = (op._attrs["container"], op._attrs["shared_name"] or op._name.encode(), kind.__name__)
    with _lock:
        if key not in found:
            found[key] = kind(op)
        return found[key]


class _Buffer(_Area):
    """Tuples in the order they came in."""

    def __init__(self, op: Any):
        super().__init__(op)
        self.tuples: list[list[Any]] = []

    def elements(self) -> list[Any]:
        return self.tuples


def _unknown(*_: Any, dtypes: Any) -> Any:
    return [None] * len(dtypes)


def _scalar(*_: Any) -> Any:
    return ()


def _nothing(*_: Any) -> None:
    return None


def _stage(values: Any, *, ctx: LoweringContext) -> None:
    area = _area(ctx, _Buffer)
    values = [np.asarray(value) for value in values]
    with area.changed:
        area.wait_for_room(values, ctx.session)
        area.tuples.append(values)
        area.changed.notify_all()


def _unstage(*, ctx: LoweringContext) -> Any:
    area = _area(ctx, _Buffer)
    with area.changed:
        area.wait(lambda: len(area.tuples) > 0, ctx.session)
        found = area.tuples.pop(0)
        area.changed.notify_all()
        return found


def _stage_peek(index: Any, *, ctx: LoweringContext) -> Any:
    area, at = _area(ctx, _Buffer), int(np.ravel(index)[0])
    with area.changed:
        area.wait(lambda: len(area.tuples) > at, ctx.session)
        return area.tuples[at]


def _clear(kind: type, parts: tuple[str, ...]) -> Callable[..., None]:
    def clear(*, ctx: LoweringContext) -> None:
        area = _area(ctx, kind)
        with area.changed:
            for part in parts:
                getattr(area, part).clear()
            area.changed.notify_all()

    return clear


def _count(kind: type, part: str) -> Callable[..., Any]:
    def count(*, ctx: LoweringContext) -> Any:
        return np.array(len(getattr(_area(ctx, kind), part)), np.int32)

    return count


_FACTS: dict[str, Any] = {"host": True, "effect": True}
register("Stage", shape=_nothing, lower=_stage, **_FACTS)
register("Unstage", shape=_unknown, lower=_unstage, **_FACTS)
register("StagePeek", shape=_unknown, lower=_stage_peek, **_FACTS)
register("StageSize", shape=_scalar, lower=_count(_Buffer, "tuples"), **_FACTS)
register("StageClear", shape=_nothing, lower=_clear(_Buffer, ("tuples",)), **_FACTS)


class _Map(_Area):
    """Tuples by key; some perhaps not complete yet."""

    def __init__(self, op: Any):
        super().__init__(op)
        self.complete: dict[int, list[Any]] = {}
        self.incomplete: dict[int, list[Any]] = {}

    def elements(self) -> list[Any]:
        return [*self.complete.values(), *self.incomplete.values()]

    def check(self, key: int, indices: list[int]) -> None:
        """Refuses indices that are out of range, or not in order."""
        if any(a >= b for a, b in zip(indices, indices[1:])):
            raise invalid("Indices are not strictly ordered")
        for index in indices:
            if not 0 <= index < self.count:
                raise invalid(f"Index '{index}' for key '{key}' was out of bounds '{self.count}'.")

    def put(self, key: int, indices: list[int], values: list[Any]) -> None:
        """Adds (a part of) a tuple."""
        found = self.incomplete.setdefault(key, [None] * self.count)
        for index, value in zip(indices, values):
            if found[index] is not None:
                raise invalid(
                    f"The tensor for index '{index}' for key '{key}' was already initialized "
                    f"'{self.count}'."
                )
            found[index] = value
        if all(value is not None for value in found):
            self.complete.setdefault(key, self.incomplete.pop(key))

    def get(self, key: int, indices: list[int], removes: bool) -> list[Any]:
        """(A part of) a tuple; once all its parts are removed, there is none any more."""
        self.check(key, indices)
        found = self.complete[key]
        for index in indices:
            if found[index] is None:
                raise invalid(
                    f"Tensor at index '{index}' for key '{key}' has already been removed."
                )
        values = [found[index] for index in indices]
        if removes:
            for index in indices:
                found[index] = None
            if all(value is None for value in found):
                del self.complete[key]
        return values


class _OrderedMap(_Map):
    """A map whose smallest key comes first."""


def _map_family(prefix: str, kind: type) -> None:
    def stage(key: Any, indices: Any, values: Any, *, ctx: LoweringContext) -> None:
        area, at = _area(ctx, kind), int(key)
        values = [np.asarray(value) for value in values]
        with area.changed:
            area.check(at, indices.tolist())
            if at not in area.incomplete:
                area.wait_for_room(values, ctx.session)
            area.put(at, indices.tolist(), values)
            area.changed.notify_all()

    def of_key(removes: bool) -> Callable[..., Any]:
        def take(key: Any, indices: Any, *, ctx: LoweringContext) -> Any:
            area, at = _area(ctx, kind), int(key)
            with area.changed:
                area.wait(lambda: at in area.complete, ctx.session)
                found = area.get(at, indices.tolist(), removes)
                area.changed.notify_all()
                return found

        return take

    def any_key(indices: Any, *, ctx: LoweringContext) -> Any:
        area = _area(ctx, kind)
        with area.changed:
            area.wait(lambda: len(area.complete) > 0, ctx.session)
            key = min(area.complete) if kind is _OrderedMap else next(iter(area.complete))
            found = area.get(key, indices.tolist(), True)
            area.changed.notify_all()
            return [np.array(key, np.int64), *found]

    def any_key_shape(indices: Any, *, dtypes: Any) -> Any:
        return [None] * (len(dtypes) + 1)

    parts = ("complete", "incomplete")
    register(f"{prefix}Stage", shape=_nothing, lower=stage, **_FACTS)
    register(f"{prefix}Peek", shape=_unknown, lower=of_key(False), **_FACTS)
    register(f"{prefix}Unstage", shape=_unknown, lower=of_key(True), **_FACTS)
    register(f"{prefix}UnstageNoKey", shape=any_key_shape, lower=any_key, **_FACTS)
    register(f"{prefix}Size", shape=_scalar, lower=_count(kind, "complete"), **_FACTS)
    register(f"{prefix}IncompleteSize", shape=_scalar, lower=_count(kind, "incomplete"), **_FACTS)
    register(f"{prefix}Clear", shape=_nothing, lower=_clear(kind, parts), **_FACTS)


_map_family("Map", _Map)
_map_family("OrderedMap", _OrderedMap)
