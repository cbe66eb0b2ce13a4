"""What is current in this thread: the default graphs and sessions, and whether ops run at once
(eager)."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import Any


class ThreadState(threading.local):
    """Attributes that each thread has for itself; it may begin with those of another."""

    def copy(self) -> dict[str, Any]:
        """What holds in the calling thread, for another one to begin with (`become`)."""
        return {
            name: list(value) if isinstance(value, list) else value
            for name, value in vars(self).items()
        }

    def become(self, other: dict[str, Any]) -> None:
        """Makes what another thread's `copy` gave hold in the calling one."""
        vars(self).update(other)


class _Thread(ThreadState):
    def __init__(self) -> None:
        self.graphs: list[Any] = []
        self.sessions: list[Any] = []
        # Changes of graph or mode, innermost last: (building_function, re-enter, device stack).
        self.switches: list[tuple[bool, Callable[[], Any], Any]] = []
        self.eager: bool | None = None  # None: the process-wide mode
        self.eager_scope = ""
        self.eager_device = ""
        self.autograph: list[Any] = []  # what AutoGraph was told, innermost last (`ag_ctx`)


thread = _Thread()
# Whether eager execution has made something: which devices it has is settled then, as in TF.
eager_began = False
# How many CPUs eager execution and sessions without a `ConfigProto` have
# (`tf.config.experimental.set_virtual_device_configuration`).
cpus = 1
_eager_by_default = False
_global_graph: Any = None
_new_graph: Callable[[], Any] | None = None
_global_lock = threading.RLock()


def executing_eagerly() -> bool:
    """Whether ops created now run at once."""
    mode = thread.eager
    return _eager_by_default if mode is None else mode


def set_eager_by_default(eager: bool) -> None:
    """Switches the whole process to eager execution (or back)."""
    global _eager_by_default
    _eager_by_default = eager


def eager_by_default() -> bool:
    return _eager_by_default


class LeftWhenDropped:
    """A context that is left when nobody holds it any more, as TF's are, which are generators:
    `graph.as_default().__enter__()` alone changes nothing.

    Subclasses say in `_entered` whether they are inside.
    """

    _entered = False

    def __exit__(self, *exc_info: Any) -> None:
        raise NotImplementedError

    def __del__(self, ends: Callable[[], bool] = sys.is_finalizing) -> None:
        # When Python ends, a module's names are gone.
        if self._entered and not ends():
            self.__exit__(None, None, None)


class mode(LeftWhenDropped):
    """Context manager: eager (True) or graph (False) mode in this thread."""

    def __init__(self, eager: bool):
        self._eager = eager

    def __enter__(self) -> None:
        self._before = thread.eager
        thread.eager = self._eager
        if self._eager:
            thread.switches.append((False, enter_eager, None))
        self._entered = True

    def __exit__(self, *exc_info: Any) -> None:
        self._entered = False
        if self._eager:
            thread.switches.pop()
        thread.eager = self._before


def enter_eager() -> mode:
    """Context manager: ops run at once."""
    return mode(True)


def use_graph_class(factory: Callable[[], Any]) -> None:
    """Says how the global default graph is made (core/graph.py calls this once)."""
    global _new_graph
    _new_graph = factory


def global_graph() -> Any:
    """The graph that is the default outside any `with graph.as_default()`."""
    global _global_graph
    if _global_graph is None:
        with _global_lock:
            if _global_graph is None:
                assert _new_graph is not None
                _global_graph = _new_graph()
    return _global_graph


def reset_global_graph() -> None:
    global _global_graph
    _global_graph = None


def default_graph() -> Any:
    """The graph that new ops join."""
    graphs = thread.graphs
    return graphs[-1] if graphs else global_graph()


def default_session() -> Any:
    """The innermost session entered with `with`, or None."""
    sessions = thread.sessions
    return sessions[-1] if sessions else None
