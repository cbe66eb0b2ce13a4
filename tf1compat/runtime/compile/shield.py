"""Running what a signal must not interrupt.

Python calls the handlers of signals between two instructions of the main thread. So nothing comes
in between in a function that is written in C, nor in another thread. JAX's own Python code, which
traces, copies and makes arrays, is shielded too: interrupted, it may leave its caches and what it
knows of the thread in a state in which later calls fail.
"""

from __future__ import annotations

import _thread
import threading
from collections.abc import Callable
from typing import Any

import jax

from tf1compat.core import interrupts


def without_python(executable: Any) -> Callable[..., Any] | None:
    """The C function behind an executable of JAX that has run once; None if there is none."""
    function = getattr(executable, "_call", None)
    return function if type(function).__name__ == "PjitFunction" else None


def shielded(run: Callable[[], Any]) -> Any:
    """`run()`, to its end in a thread of its own, whatever comes meanwhile; that is raised then."""
    if interrupts.are_deferred():
        return run()
    config: Any = jax.config
    device = config.jax_default_device
    returned: list[Any] = []
    failed: list[BaseException] = []
    done = threading.Lock()
    done.acquire()

    def work() -> None:
        try:
            with jax.default_device(device):
                returned.append(run())
        except BaseException as error:
            failed.append(error)
        done.release()

    begin = map(_thread.start_new_thread, (work,), ((),))  # does it once, however often drawn
    interruption: BaseException | None = None
    while not (returned or failed):
        try:
            next(begin, None)
            done.acquire()
        except BaseException as error:
            interruption = error
    if interruption is not None:
        raise interruption
    if failed:
        raise failed[0]
    return returned[0]
