"""A task of a cluster: what lives there, and the sessions that work on it."""

from __future__ import annotations

import dataclasses
import random
import threading
from collections.abc import Callable, Collection, Sequence
from typing import Any

import numpy as np

from tf1compat.core import errors, protos
from tf1compat.core.local_targets import Server
from tf1compat.runtime import containers as containers_lib
from tf1compat.runtime.cluster import part_def
from tf1compat.runtime.cluster.hub import Hub
from tf1compat.runtime.cluster.worker_step import Step
from tf1compat.runtime.compile.state import State, Versioned
from tf1compat.runtime.program import Program


class _GivenState(containers_lib.SessionState):
    """A session's variables in a task to which graphs are sent: one operation has one generator,
    in whichever of them it is."""

    def _own(self, pair: Versioned) -> Versioned:
        key, version = pair
        if key[0] == "random":
            kind, scope, name = key
            key = (kind, scope[1] if isinstance(scope, tuple) else "", name)
        return super()._own((key, version))


class TaskSession:
    """What a session has in one of its tasks.

    It has what operations and programs ask a session for.

    Args:
      shared: what lives in the task.
      isolated: whether the session shares none of it.
    """

    _tier: str | None = None

    def __init__(self, shared: containers_lib.Containers, isolated: bool, sent: bool):
        if isolated:
            shared = containers_lib.Containers()
        state = _GivenState if sent else containers_lib.SessionState
        self._lock = shared.lock
        self._variables: State = state(shared.variables)
        self.shared_resources = shared.resources
        self.resources: dict[Any, Any] = {}
        self.parts: dict[int, Callable[[Sequence[Any], Step], list[Any]]] = {}
        self._closed = False

    def close(self) -> None:
        """What waits in it, ends."""
        self._closed = True
        self.parts = {}

    def program(self, program: Program) -> Callable[[Sequence[Any], Step], list[Any]]:
        """A function that runs a program here."""

        def run(values: Sequence[Any], step: Step) -> list[Any]:
            return program.run(self._variables, values, self._lock, step)

        return run


class Worker:
    """A task, and the sessions that work in it.

    Args:
      server: of this process.
    """

    def __init__(self, server: Server):
        self.server = server
        self.incarnation = random.SystemRandom().getrandbits(63)
        self.hub = Hub()
        self._containers = containers_lib.of(server)
        self._sessions: dict[str, TaskSession] = {}
        self._lock = threading.Lock()

    def open(self, handle: str, isolated: bool, sent: bool) -> TaskSession:
        """Begins a session.

        Args:
          handle: its name.
          isolated: whether it shares nothing with others.
          sent: whether its graphs are sent here.
        """
        with self._lock:
            found = self._sessions[handle] = TaskSession(self._containers, isolated, sent)
        return found

    def session(self, handle: str) -> TaskSession:
        """The session of a name.

        Raises:
          AbortedError: there is none; it may have been of a process before this one.
        """
        with self._lock:
            found = self._sessions.get(handle)
        if found is None:
            raise errors.AbortedError(
                None,
                None,
                f"Session handle is not found: {handle}. Possibly this worker "
                f'("{self.server.task}") just restarted.',
            )
        return found

    def close(self, handle: str) -> None:
        """Ends a session."""
        with self._lock:
            found = self._sessions.pop(handle, None)
        if found is not None:
            found.close()

    def reset(self, containers: Collection[str]) -> None:
        """Ends all sessions, and drops what is in containers of these names."""
        with self._lock:
            sessions, self._sessions = self._sessions, {}
        for session in sessions.values():
            session.close()
        self._containers.clear(containers)

    def register(self, handle: str, sent: SentPart) -> None:
        """Takes a part of a session's runs.

        Raises:
          AbortedError: there is no such session.
          InvalidArgumentError: the part is not well-formed.
        """
        session = self.session(handle)
        try:
            graph = part_def.graph_of(protos.GraphDef.FromString(sent.graph_def))
            given = part_def.tensors_of(graph, sent.given)
            results = part_def.tensors_of(graph, sent.results)
            targets = [graph._nodes_by_name[name] for name in sent.targets]
        except (errors.OpError, NotImplementedError):
            raise
        except Exception as error:
            raise errors.InvalidArgumentError(None, None, f"Malformed part: {error}") from None
        wanted = [tensor._dtype.as_numpy_dtype for tensor in given]
        run = session.program(Program(results, targets, given))

        def checked(values: Sequence[Any], step: Step) -> list[Any]:
            if [value.dtype for value in values] != wanted:
                raise errors.InvalidArgumentError(None, None, "A part was given other arrays")
            return run(values, step)

        session.parts[sent.number] = checked

    def run(self, handle: str, number: int, values: Sequence[np.ndarray], step: Step) -> list[Any]:
        """Runs a part once.

        Raises:
          AbortedError: there is no such session.
          InvalidArgumentError: it has no such part.
          OpError: the part failed.
        """
        part = self.session(handle).parts.get(number)
        if part is None:
            raise errors.InvalidArgumentError(None, None, f"No part {number} was registered")
        return part(values, step)


@dataclasses.dataclass(frozen=True)
class SentPart:
    """A part as it is sent to a task.

    Attributes:
      number: the session's name for it.
      graph_def: its operations.
      given, results: the names of the tensors that it is given, and whose values it gives.
      targets: the names of the operations that must run.
    """

    number: int
    graph_def: bytes
    given: list[str]
    results: list[str]
    targets: list[str]


_lock = threading.Lock()


def of(server: Server) -> Worker:
    """The worker of a server of this process."""
    with _lock:
        if server.worker is None:
            server.worker = Worker(server)
        return server.worker
