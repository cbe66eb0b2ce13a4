"""A task for other processes: what it answers."""

from __future__ import annotations

from typing import Any

from tf1compat.core import errors, local_targets
from tf1compat.core.local_targets import Server
from tf1compat.runtime.cluster import collect, wire
from tf1compat.runtime.cluster import worker as worker_lib
from tf1compat.runtime.cluster.endpoint import Endpoint
from tf1compat.runtime.cluster.tasks import tasks_of
from tf1compat.runtime.cluster.worker_step import Step
from tf1compat.runtime.devices import device_attributes


class Service:
    """The service of a server's task. It is bound at once, and answers when it is started.

    Args:
      server: the server.
      address: "host:port"; port 0 is any that is free.

    Attributes:
      port: that it is bound to.

    Raises:
      NotImplementedError: see `check_allowed`.
      UnknownError: it can't be bound.
      ImportError: there is no grpcio.
    """

    def __init__(self, server: Server, address: str):
        self._worker = worker_lib.of(server)
        self._server = server
        calls = {
            "Hello": self._hello,
            "Open": self._open,
            "Register": self._register,
            "Run": self._run,
            "Close": self._close,
            "Reset": self._reset,
            **collect.calls(self._worker.hub),
        }
        self._endpoint = Endpoint(calls, address, tasks_of(server.cluster).values())
        self.port = self._endpoint.port

    def start(self) -> None:
        """Begins to answer."""
        self._endpoint.start()

    def _hello(self, header: dict[str, Any], arrays: Any, context: Any) -> bytes:
        server = self._server
        devices = [
            [device.name, device.device_type, device.memory_limit_bytes, device.incarnation]
            for device in device_attributes(server.config, server.task)
        ]
        answer = {
            "task": server.task,
            "cluster": server.cluster.SerializeToString().hex(),
            "config": server.config.SerializeToString().hex(),
            "devices": devices,
        }
        return wire.pack(answer)

    def _open(self, header: dict[str, Any], arrays: Any, context: Any) -> bytes:
        self._worker.open(_text(header, "session"), bool(header.get("isolated")), sent=True)
        return self._hello(header, arrays, context)

    def _register(self, header: dict[str, Any], arrays: Any, context: Any) -> bytes:
        if len(arrays) != 1 or arrays[0].dtype != "uint8":
            raise errors.InvalidArgumentError(None, None, "Malformed message: no graph")
        names = [[str(name) for name in header.get(kind, ())] for kind in _KINDS]
        part = worker_lib.SentPart(_number(header), arrays[0].tobytes(), *names)
        self._worker.register(_text(header, "session"), part)
        return wire.pack({})

    def _run(self, header: dict[str, Any], arrays: Any, context: Any) -> bytes:
        handle = _text(header, "session")
        step = Step(self._worker.session(handle))
        step.end_with(context)
        return wire.pack({}, self._worker.run(handle, _number(header), arrays, step))

    def _close(self, header: dict[str, Any], arrays: Any, context: Any) -> bytes:
        self._worker.close(_text(header, "session"))
        return wire.pack({})

    def _reset(self, header: dict[str, Any], arrays: Any, context: Any) -> bytes:
        self._worker.reset([str(name) for name in header.get("containers", ())])
        return wire.pack({})


_KINDS = ("given", "results", "targets")


def _text(header: dict[str, Any], key: str) -> str:
    value = header.get(key)
    if not isinstance(value, str):
        raise errors.InvalidArgumentError(None, None, f"Malformed message: no {key}")
    return value


def _number(header: dict[str, Any]) -> int:
    value = header.get("part")
    if not isinstance(value, int):
        raise errors.InvalidArgumentError(None, None, "Malformed message: no part")
    return value


local_targets.make_service = Service
