"""A task for other processes: a gRPC service.

Who calls has the user's token. The service is on the loopback device, unless the cluster names
other hosts; what is sent beyond it is not encrypted, which has to be allowed.
"""

from __future__ import annotations

import hmac
import ipaddress
import os
from collections.abc import Callable, Iterable
from typing import Any

from tf1compat.core import errors, local_targets
from tf1compat.core.local_targets import Server
from tf1compat.runtime.cluster import wire
from tf1compat.runtime.cluster import worker as worker_lib
from tf1compat.runtime.cluster.tasks import tasks_of
from tf1compat.runtime.cluster.threads import Threads
from tf1compat.runtime.devices import device_attributes

NAME = "tf1compat.Task"
INSECURE = "TF1COMPAT_CLUSTER_INSECURE"
# A message of gRPC's may have any size: what a task sends fits into the memory of another.
OPTIONS = (
    ("grpc.max_send_message_length", -1),
    ("grpc.max_receive_message_length", -1),
    ("grpc.so_reuseport", 0),
    ("grpc.enable_retries", 0),
)
# gRPC gives the text of an error, with all else that comes at the end of a call, so much room.
_LONGEST_TEXT = 4000


def is_loopback(address: str) -> bool:
    """Whether "host:port" is of this machine and for nobody else."""
    host = address.rpartition(":")[0].strip("[]")
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host in ("localhost", "")


def check_allowed(addresses: Iterable[str]) -> None:
    """Refuses to send anything beyond this machine unless that was allowed.

    Raises:
      NotImplementedError: it was not, and nothing is encrypted.
    """
    beyond = [address for address in addresses if not is_loopback(address)]
    if beyond and os.environ.get(INSECURE, "0") in ("", "0"):
        raise NotImplementedError(
            f"The cluster has a task at '{beyond[0]}'. Encrypted connections between machines are "
            "not supported by tf1compat yet: the token and all values would be sent in the clear. "
            f"Set {INSECURE}=1 to allow that in a network that you trust"
        )


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
        import grpc

        addresses = tasks_of(server.cluster).values()
        check_allowed(addresses)
        self._worker = worker_lib.of(server)
        self._server = server
        self._token = wire.token()
        self._grpc = grpc.server(Threads("tf1compat service"), options=OPTIONS)  # pyright: ignore
        calls = {
            "Hello": self._hello,
            "Open": self._open,
            "Register": self._register,
            "Run": self._run,
            "Close": self._close,
            "Reset": self._reset,
        }
        handlers = {
            name: grpc.unary_unary_rpc_method_handler(self._guarded(call))
            for name, call in calls.items()
        }
        generic = grpc.method_handlers_generic_handler(NAME, handlers)
        self._grpc.add_generic_rpc_handlers((generic,))
        host, _, port = address.rpartition(":")
        bound = host or "localhost" if all(map(is_loopback, addresses)) else "0.0.0.0"
        try:
            self.port = self._grpc.add_insecure_port(f"{bound}:{port}")
        except RuntimeError:
            self.port = 0
        if not self.port:
            raise errors.UnknownError(None, None, "Could not start gRPC server")

    def start(self) -> None:
        """Begins to answer."""
        self._grpc.start()

    def _guarded(self, call: Callable[[dict[str, Any], Any, Any], bytes]) -> Any:
        """A call as gRPC makes it: who has no token is refused, and errors become status codes."""
        import grpc

        codes = {code.value[0]: code for code in grpc.StatusCode}

        def answer(message: bytes, context: Any) -> bytes:
            metadata = dict(context.invocation_metadata())
            given = str(metadata.get("authorization", ""))
            if not hmac.compare_digest(given.encode(), self._token.encode()):
                context.abort(grpc.StatusCode.UNAUTHENTICATED, "The token of the cluster is wrong")
            try:
                header, arrays = wire.unpack(message)
                return call(header, arrays, context)
            except errors.OpError as error:
                node = getattr(error.op, "name", "")
                code, text = error.error_code, error.message
            except NotImplementedError as error:
                node, code, text = "", errors.UNIMPLEMENTED, str(error)
            except Exception as error:
                node, code, text = "", errors.INTERNAL, f"{type(error).__name__}: {error}"
            context.set_trailing_metadata((("node-bin", node.encode()),))
            return context.abort(codes[code or errors.UNKNOWN], text[:_LONGEST_TEXT])

        return answer

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
        step = worker_lib.Step(self._worker.session(handle))

        def over() -> None:
            step.cancelled = True

        if not context.add_callback(over):
            step.cancelled = True
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
