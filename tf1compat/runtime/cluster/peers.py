"""How a session reaches its tasks: in this process, or through gRPC."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Collection, Sequence
from typing import Any, Protocol

import numpy as np

from tf1compat.core import errors, protos
from tf1compat.core.operation import Operation
from tf1compat.runtime.cluster import part_def
from tf1compat.runtime.cluster import worker as worker_lib
from tf1compat.runtime.cluster.channel import Call, Failed, channel
from tf1compat.runtime.cluster.parts import Part
from tf1compat.runtime.cluster.worker_step import Step
from tf1compat.runtime.devices import described_device, device_attributes
from tf1compat.runtime.program import Program

# Runs a part: the values that it is given -> those of its results.
Runner = Callable[[Sequence[Any], "Call"], list[Any]]

# How long a session that is closed waits for a task that may be away, in seconds.
_CLOSING = 5.0


class Peer(Protocol):
    """A task as a session sees it."""

    def open(self) -> list[Any]:
        """Begins the session there, as soon as the task is up; returns its devices."""
        ...

    def prepared(self, part: Part, done: Collection[Operation]) -> Runner:
        """What runs a part of the task.

        Args:
          part: the part.
          done: the operations of other parts.
        """
        ...

    def close(self) -> None:
        """Ends the session there."""
        ...


def _program(part: Part, done: Collection[Operation]) -> Program:
    return Program(list(part.results), list(part.ops), list(part.given), done=done)


class Own:
    """The task that the session itself is in.

    Args:
      session: the session.
    """

    def __init__(self, session: Any):
        self._session = session

    def open(self) -> list[Any]:
        session = self._session
        return device_attributes(session._device_config, session._server.task)

    def prepared(self, part: Part, done: Collection[Operation]) -> Runner:
        program, session = _program(part, done), self._session

        def run(values: Sequence[Any], call: Call) -> list[Any]:
            return program.run(session._variables, values, session._lock, session, call.trace)

        return run

    def close(self) -> None:
        pass


class Local:
    """Another task that is in this process.

    Args:
      worker: the task.
      handle: the session's name.
      isolated: whether the session shares nothing with others.
    """

    def __init__(self, worker: worker_lib.Worker, handle: str, isolated: bool):
        self._worker = worker
        self._handle = handle
        self._isolated = isolated

    def open(self) -> list[Any]:
        self._worker.open(self._handle, self._isolated, sent=False)
        return device_attributes(self._worker.server.config, self._worker.server.task)

    def prepared(self, part: Part, done: Collection[Operation]) -> Runner:
        program = _program(part, done)
        worker, handle = self._worker, self._handle

        def run(values: Sequence[Any], call: Call) -> list[Any]:
            session = worker.session(handle)
            step = Step(session)
            call.on_cancel(functools.partial(setattr, step, "cancelled", True))
            return program.run(session._variables, values, session._lock, step)

        return run

    def close(self) -> None:
        self._worker.close(self._handle)


class Remote:
    """A task of another process.

    Args:
      task: its name.
      address: "host:port".
      handle: the session's name.
      isolated: whether the session shares nothing with others.
    """

    def __init__(self, task: str, address: str, handle: str, isolated: bool):
        self._task = task
        self._channel = channel(address)
        self._handle = handle
        self._isolated = isolated
        self._is_open = False
        self._numbers = iter(range(sys.maxsize))

    def open(self) -> list[Any]:
        header = {"session": self._handle, "isolated": self._isolated}
        answer = self._channel.wait_for("Open", header, self._task)
        self._is_open = True
        return [described_device(*device) for device in answer["devices"]]

    def prepared(self, part: Part, done: Collection[Operation]) -> Runner:
        number = next(self._numbers)
        header = {"session": self._handle, "part": number}
        definition = part_def.graph_def(part).SerializeToString(deterministic=True)
        described = {
            "given": [f"{name}:0" for name in part_def.given_names(part)],
            "results": [tensor.name for tensor in part.results],
            "targets": [op._name for op in part.ops],
        }
        array = np.frombuffer(definition, np.uint8)
        graph = next(iter(part.ops))._graph
        try:
            self._channel.call("Register", header | described, [array])
        except errors.OpError as error:
            raise _in_words_of(graph, error) from None

        def run(values: Sequence[Any], call: Call) -> list[Any]:
            try:
                return self._channel.call("Run", header, values, call)
            except errors.OpError as error:
                raise _in_words_of(graph, error) from None

        return run

    def close(self) -> None:
        if self._is_open:
            call = Call(_CLOSING, is_alone=True)
            self._channel.call("Close", {"session": self._handle}, call=call)


def _in_words_of(graph: Any, error: errors.OpError) -> errors.OpError:
    """The error of an operation elsewhere, as one of the operation here."""
    if not isinstance(error, Failed):
        return error
    op = graph._nodes_by_name.get(error.node)
    text = error.message
    if op is not None:
        text = text.replace(f"\n\t {part_def.placed(op.name)}", graph.error_text(op, ""))
    node_def = None if op is None else op.node_def
    return errors.make_exception(node_def, op, text, error.error_code or errors.UNKNOWN)


def cluster_at(address: str) -> tuple[str, Any, Any]:
    """The task behind an address, its cluster (a `ClusterDef`) and its `ConfigProto`."""
    answer = channel(address).wait_for("Hello", {}, address)
    cluster_def = protos.load("cluster_pb2", "ClusterDef")
    cluster = cluster_def.FromString(bytes.fromhex(answer["cluster"]))
    config = protos.load("config_pb2", "ConfigProto").FromString(bytes.fromhex(answer["config"]))
    return answer["task"], cluster, config
