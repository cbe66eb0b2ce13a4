"""How a session reaches its tasks: in this process, or through gRPC."""

from __future__ import annotations

import functools
import sys
import threading
from collections.abc import Callable, Collection, Sequence
from typing import Any, Protocol

import numpy as np

from tf1compat.core import errors, protos, waiting
from tf1compat.core.operation import Operation
from tf1compat.runtime.cluster import part_def, service, wire
from tf1compat.runtime.cluster import worker as worker_lib
from tf1compat.runtime.cluster.parts import Part
from tf1compat.runtime.cluster.worker import Step
from tf1compat.runtime.devices import described_device, device_attributes
from tf1compat.runtime.program import Program

# Runs a part: the values that it is given -> those of its results.
Runner = Callable[[Sequence[Any], "Call"], list[Any]]

# How often it is said that a task is waited for, in seconds.
_STILL_WAITING = 10.0
# How long a session that is closed waits for a task that may be away, in seconds.
_CLOSING = 5.0


class Call:
    """A part that is being run, which another thread may cancel.

    Args:
      seconds: how long it may take; None for ever.
      is_alone: whether its thread is the only one that could cancel it.
    """

    def __init__(self, seconds: float | None, is_alone: bool):
        self.seconds = seconds
        self.is_alone = is_alone
        self.is_cancelled = False
        self._cancel: Callable[[], Any] | None = None
        self._lock = threading.Lock()

    def on_cancel(self, cancel: Callable[[], Any]) -> None:
        """Says how it is cancelled."""
        with self._lock:
            self._cancel = cancel
            cancelled = self.is_cancelled
        if cancelled:
            cancel()

    def cancel(self) -> None:
        """Ends it, if it waits."""
        with self._lock:
            self.is_cancelled = True
            cancel = self._cancel
        if cancel is not None:
            cancel()


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
            return program.run(session._variables, values, session._lock, session)

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


class _Failed(errors.OpError):
    """An error of another process, before its operation is known by name."""

    def __init__(self, message: str, code: int, node: str):
        super().__init__(None, None, message, code)
        self.node = node


def _in_words_of(graph: Any, error: errors.OpError) -> errors.OpError:
    """The error of an operation elsewhere, as one of the operation here."""
    if not isinstance(error, _Failed):
        return error
    op = graph._nodes_by_name.get(error.node)
    text = error.message
    if op is not None:
        text = text.replace(f"\n\t {part_def.placed(op.name)}", graph.error_text(op, ""))
    node_def = None if op is None else op.node_def
    return errors.make_exception(node_def, op, text, error.error_code or errors.UNKNOWN)


class Channel:
    """The connection to an address.

    Nothing that is sent is sent again: of a call that failed nobody knows what it did.
    """

    def __init__(self, address: str):
        import grpc

        service.check_allowed([address])
        options = (
            *service.OPTIONS,
            ("grpc.initial_reconnect_backoff_ms", 100),
            ("grpc.min_reconnect_backoff_ms", 100),
            ("grpc.max_reconnect_backoff_ms", 1000),
        )
        self._channel = grpc.insecure_channel(address, options)
        self._methods: dict[str, Any] = {}
        self._metadata = (("authorization", wire.token()),)

    def _method(self, name: str) -> Any:
        found = self._methods.get(name)
        if found is None:
            found = self._methods[name] = self._channel.unary_unary(f"/{service.NAME}/{name}")
        return found

    def call(
        self,
        method: str,
        header: dict[str, Any],
        arrays: Sequence[Any] = (),
        call: Call | None = None,
        wait: float | None = None,
    ) -> Any:
        """Calls the task.

        Args:
          method: of the service.
          header, arrays: the message.
          call: what cancels it.
          wait: for so many seconds it waits until the task is up.

        Returns:
          The arrays of the answer; with `wait` its header.

        Raises:
          OpError: what the task answered, or DeadlineExceededError, or UnavailableError.
        """
        import grpc

        message = wire.pack(header, arrays)
        options: dict[str, Any] = {
            "timeout": wait if call is None else call.seconds,
            "metadata": self._metadata,
            "wait_for_ready": wait is not None,
        }
        try:
            if call is None or call.is_alone:
                answer, values = wire.unpack(self._method(method)(message, **options))
            else:
                future = self._method(method).future(message, **options)
                call.on_cancel(future.cancel)
                answer, values = wire.unpack(future.result())
        except grpc.FutureCancelledError:
            raise errors.CancelledError(None, None, "Step was cancelled") from None
        except grpc.RpcError as error:
            raise _failure(error) from None
        return values if wait is None else answer

    def wait_for(self, method: str, header: dict[str, Any], task: str) -> dict[str, Any]:
        """Calls a task as soon as it is up; says now and then that it waits.

        Raises:
          OpError: what the task answered.
        """
        while True:
            seconds = min(waiting.left(), _STILL_WAITING)
            try:
                return self.call(method, header, wait=seconds)
            except errors.DeadlineExceededError:
                waiting.left()
            sys.stderr.write(f"CreateSession still waiting for response from worker: {task}\n")


def _failure(error: Any) -> errors.OpError:
    """An error of gRPC as one of TF."""
    metadata = dict(error.trailing_metadata() or ())
    node = metadata.get("node-bin", b"")
    code = error.code().value[0]
    text = error.details() or ""
    if code == errors.UNIMPLEMENTED and "node-bin" in metadata:
        raise NotImplementedError(text) from None
    failed = _Failed(text, code, node.decode())
    if node:
        return failed
    return errors.make_exception(None, None, text, code)


_channels: dict[str, Channel] = {}
_lock = threading.Lock()


def channel(address: str) -> Channel:
    """The connection to an address; one for all sessions."""
    with _lock:
        if address not in _channels:
            _channels[address] = Channel(address)
        return _channels[address]


def cluster_at(address: str) -> tuple[str, Any, Any]:
    """The task behind an address, its cluster (a `ClusterDef`) and its `ConfigProto`."""
    answer = channel(address).wait_for("Hello", {}, address)
    cluster_def = protos.load("cluster_pb2", "ClusterDef")
    cluster = cluster_def.FromString(bytes.fromhex(answer["cluster"]))
    config = protos.load("config_pb2", "ConfigProto").FromString(bytes.fromhex(answer["config"]))
    return answer["task"], cluster, config
