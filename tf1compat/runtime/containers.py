"""What the sessions on a server share: its variables, tables and queues, as in TF.

The generators of random operations, and what has no `shared_name`, are each session's own.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Collection, Iterator
from typing import Any

from tf1compat.core.local_targets import Server
from tf1compat.runtime.compile.shield import shielded
from tf1compat.runtime.compile.state import State, Versioned, x64

_lock = threading.Lock()
_numbers = itertools.count()


class Containers:
    """The variables and other resources that live in a server."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.variables = State()
        self.resources: dict[Any, Any] = {}

    def clear(self, names: Collection[str]) -> None:
        """Drops what is in the containers of these names; if there are none, in the default one."""
        chosen = {name.encode() for name in names} or {b""}
        with self.lock:
            for pair in [pair for pair in self.variables if pair[0][0] in chosen]:
                del self.variables[pair]
            for key in [key for key in self.resources if key[0] in chosen]:
                del self.resources[key]


def of(server: Server) -> Containers:
    """The containers of a server."""
    with _lock:
        if server.containers is None:
            server.containers = Containers()
        return server.containers


class SessionState(State):
    """The variables of a server as one of its sessions sees them.

    All is kept in the server's state; the session's generators under keys of their own.
    """

    def __init__(self, shared: State):
        self._shared = shared
        self._number = next(_numbers)
        super().__init__()
        self.pins = shared.pins
        self.on_host = shared.on_host

    def _own(self, pair: Versioned) -> Versioned:
        key = pair[0]
        return ((*key, self._number), pair[1]) if _is_generator(key) else pair

    @property
    def container_exists(self) -> bool:
        """See `State`."""
        return self._shared.container_exists

    @container_exists.setter
    def container_exists(self, exists: bool) -> None:
        if exists:
            self._shared.container_exists = True

    def __getitem__(self, pair: Versioned) -> Any:
        return self._shared[self._own(pair)]

    def __setitem__(self, pair: Versioned, value: Any) -> None:
        self._shared[self._own(pair)] = value

    def __delitem__(self, pair: Versioned) -> None:
        del self._shared[self._own(pair)]

    def __contains__(self, pair: Any) -> bool:
        return self._own(pair) in self._shared

    def get(self, pair: Versioned, default: Any = None) -> Any:
        return self._shared.get(self._own(pair), default)

    def __iter__(self) -> Iterator[Versioned]:
        for key, version in self._shared:
            if not _is_generator(key):
                yield key, version
            elif key[-1] == self._number:
                yield key[:-1], version

    def keys(self) -> Any:
        return list(self)

    def update(self, changes: Any) -> None:
        """Takes over several values: all or, if a signal comes, none."""
        items = changes.items() if hasattr(changes, "items") else changes

        def run() -> None:
            with x64(True):  # Drawing a value may mean to run a program.
                self._shared.update((self._own(pair), value) for pair, value in items)

        shielded(run)

    def commit(self, changes: dict[Versioned, Any]) -> None:
        self._shared.commit({self._own(pair): value for pair, value in changes.items()})

    def to_device(self) -> None:
        self._shared.to_device()


def _is_generator(key: Any) -> bool:
    return key[0] == "random"
