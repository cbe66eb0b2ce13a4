"""Mutexes of critical sections."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

from tf1compat.core.op_registry import op
from tf1compat.core.shapes import Shape
from tf1compat.core.typing import LoweringContext
from tf1compat.core.waiting import wait
from tf1compat.kernels.variables import resources


class _Mutex:
    """A mutex that is held as long as somebody has its lock."""

    def __init__(self, source: Any):
        self._changed = threading.Condition()
        self._is_held = False

    def lock(self, session: Any) -> _Lock:
        """Waits until nobody holds it, and holds it.

        Raises:
          CancelledError: the session is closed.
        """
        with self._changed:
            wait(
                self._changed,
                session,
                lambda: not self._is_held,
                "Lock acquisition cancelled.",
            )
            self._is_held = True
        return _Lock(self)

    def release(self) -> None:
        """Lets the next one have it."""
        with self._changed:
            self._is_held = False
            self._changed.notify_all()


class _Lock:
    """A held mutex; free again once this is consumed or, where a run fails before that, gone."""

    shape = ()
    dtype = np.dtype(object)

    def __init__(self, mutex: _Mutex):
        self._mutex: _Mutex | None = mutex

    def release(self) -> None:
        """Frees the mutex."""
        mutex, self._mutex = self._mutex, None
        if mutex is not None:
            mutex.release()

    __del__ = release


@op("MutexV2", source=True, host=True)
class MutexV2:
    def shape() -> Shape:
        return ()


@op("MutexLock", host=True, reads=(0,), effect=True, sees_all=True)
class MutexLock:
    def shape(mutex: Any) -> Shape:
        return ()

    def lower(mutex: Any, *, ctx: LoweringContext) -> Any:
        return resources.find(ctx, mutex, _Mutex).lock(ctx.session)


@op("ConsumeMutexLock", host=True, effect=True)
class ConsumeMutexLock:
    def shape(mutex_lock: Any) -> None:
        pass

    def lower(mutex_lock: Any) -> None:
        mutex_lock.release()
