"""Where other processes call this one: an address of gRPC's, the token, and encryption.

Who calls has the user's token. An endpoint is on the loopback device, unless the others are on
other hosts; what is sent beyond it is encrypted if there are certificates, and else has to be
allowed.
"""

from __future__ import annotations

import functools
import hmac
import ipaddress
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from tf1compat.core import errors
from tf1compat.runtime.cluster import wire
from tf1compat.runtime.cluster.threads import Threads

NAME = "tf1compat.Task"
# Each call has a method, and with this behind its name one that takes many, one after the other.
STREAM = "Stream"
INSECURE = "TF1COMPAT_CLUSTER_INSECURE"
CERTIFICATES = "TF1COMPAT_CLUSTER_CERTIFICATES"
# What the folder of certificates has: of the authority that both sides trust, and this process's.
_AUTHORITY, _CERTIFICATE, _KEY = "ca.pem", "cert.pem", "key.pem"
# A message of gRPC's may have any size: what a task sends fits into the memory of another.
OPTIONS = (
    ("grpc.max_send_message_length", -1),
    ("grpc.max_receive_message_length", -1),
    ("grpc.so_reuseport", 0),
    ("grpc.enable_retries", 0),
    # A machine that vanished says nothing: so both sides ask, and may.
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 20_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.http2.min_ping_interval_without_data_ms", 10_000),
)
# gRPC gives the text of an error, with all else that comes at the end of a call, so much room.
_LONGEST_TEXT = 4000

# (header, arrays, gRPC's context) -> the answer.
Answer = Callable[[dict[str, Any], list[Any], Any], bytes]


def is_loopback(address: str) -> bool:
    """Whether "host:port" is of this machine and for nobody else."""
    host = address.rpartition(":")[0].strip("[]")
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host in ("localhost", "")


def check_allowed(addresses: Iterable[str]) -> None:
    """Refuses to send anything beyond this machine in the clear unless that was allowed.

    Raises:
      NotImplementedError: it was not, and there are no certificates.
    """
    beyond = [address for address in addresses if not is_loopback(address)]
    if beyond and not _folder() and os.environ.get(INSECURE, "0") in ("", "0"):
        raise NotImplementedError(
            f"There is a process at '{beyond[0]}', beyond this machine, and nothing is encrypted: "
            f"the token and all values would be sent in the clear. Set {CERTIFICATES} to a folder "
            f"with {_AUTHORITY}, {_CERTIFICATE} and {_KEY}, or {INSECURE}=1 in a network that you "
            "trust"
        )


def _folder() -> str:
    return os.environ.get(CERTIFICATES, "")


@functools.cache
def _pem(folder: str) -> tuple[bytes, bytes, bytes]:
    """The authority's certificate, this process's, and its key."""
    authority, certificate, key = (
        (Path(folder) / name).read_bytes() for name in (_AUTHORITY, _CERTIFICATE, _KEY)
    )
    return authority, certificate, key


def channel(address: str) -> Any:
    """A channel of gRPC's to an endpoint.

    Raises:
      NotImplementedError: see `check_allowed`.
      FileNotFoundError: a certificate is missing.
    """
    import grpc

    check_allowed([address])
    options = (
        *OPTIONS,
        ("grpc.initial_reconnect_backoff_ms", 100),
        ("grpc.min_reconnect_backoff_ms", 100),
        ("grpc.max_reconnect_backoff_ms", 1000),
    )
    if not _folder():
        return grpc.insecure_channel(address, options)
    authority, certificate, key = _pem(_folder())
    credentials = grpc.ssl_channel_credentials(authority, key, certificate)
    return grpc.secure_channel(address, credentials, options)


class Endpoint:
    """A server of gRPC's. It is bound at once, and answers when it is started.

    Args:
      calls: what is answered, by method.
      address: "host:port"; port 0 is any that is free.
      others: the addresses of those who will call.

    Attributes:
      port: that it is bound to.

    Raises:
      NotImplementedError: see `check_allowed`.
      UnknownError: it can't be bound.
      ImportError: there is no grpcio.
    """

    def __init__(self, calls: Mapping[str, Answer], address: str, others: Iterable[str]):
        import grpc

        others = list(others)
        check_allowed(others)
        self._token = wire.token()
        self._streams: set[_Turns] = set()
        self._is_started = self._is_stopping = False
        self._grpc = grpc.server(Threads("tf1compat service"), options=OPTIONS)  # pyright: ignore
        handlers = {
            name: grpc.unary_unary_rpc_method_handler(self._guarded(call))
            for name, call in calls.items()
        }
        for name, call in calls.items():
            stream = grpc.stream_stream_rpc_method_handler(self._guarded_stream(call))
            handlers[name + STREAM] = stream
        generic = grpc.method_handlers_generic_handler(NAME, handlers)
        self._grpc.add_generic_rpc_handlers((generic,))
        host, _, port = address.rpartition(":")
        bound = host or "localhost" if all(map(is_loopback, others)) else "0.0.0.0"
        try:
            self.port = self._bind(f"{bound}:{port}")
        except RuntimeError:
            self.port = 0
        if not self.port:
            raise errors.UnknownError(None, None, "Could not start gRPC server")

    def _bind(self, address: str) -> int:
        import grpc

        if not _folder():
            return self._grpc.add_insecure_port(address)
        authority, certificate, key = _pem(_folder())
        credentials = grpc.ssl_server_credentials(
            [(key, certificate)], authority, require_client_auth=True
        )
        return self._grpc.add_secure_port(address, credentials)

    def start(self) -> None:
        """Begins to answer; what has begun goes on."""
        if not self._is_started:
            self._is_started = True
            self._grpc.start()

    def stop(self, seconds: float | None = None) -> None:
        """Takes no more calls, and ends once those that there are have been answered.

        Args:
          seconds: how long it waits for that; None: it ends them at once.
        """
        self._is_stopping = True
        stopped = self._grpc.stop(seconds)
        for turns in list(self._streams):
            if not turns.is_busy:
                turns.cancel()
        stopped.wait()

    def _check_token(self, context: Any) -> None:
        """Ends a call of somebody who has no token."""
        import grpc

        metadata = dict(context.invocation_metadata())
        given = str(metadata.get("authorization", ""))
        if not hmac.compare_digest(given.encode(), self._token.encode()):
            context.abort(grpc.StatusCode.UNAUTHENTICATED, "The token of the cluster is wrong")

    def _guarded(self, call: Answer) -> Any:
        """A call as gRPC makes it."""

        def answer(message: bytes, context: Any) -> bytes:
            self._check_token(context)
            return _answered(call, message, context, context)

        return answer

    def _guarded_stream(self, call: Answer) -> Any:
        """Calls that come one after the other, as a stream of gRPC's."""

        def answers(messages: Iterable[bytes], context: Any) -> Iterator[bytes]:
            self._check_token(context)
            turns = _Turns(context)
            self._streams.add(turns)
            try:
                for message in messages:
                    turns.is_busy = True
                    yield _answered(call, message, turns, context)
                    turns.end_turn()
                    if self._is_stopping:
                        break
            finally:
                self._streams.discard(turns)

        return answers


class _Turns:
    """The context of calls that come through a stream: what is to be done at the end is that of the
    call which is there then."""

    def __init__(self, stream: Any):
        self.is_busy = False
        self.cancel = stream.cancel
        self._callback: Callable[[], None] | None = None
        self._is_over = False
        if not stream.add_callback(self._end):
            self._end()

    def add_callback(self, callback: Callable[[], None]) -> bool:
        """Notes what is to be done if the stream ends; returns whether it goes on."""
        self._callback = callback
        return not self._is_over

    def end_turn(self) -> None:
        """Its call is answered: it keeps nothing of it."""
        self.is_busy = False
        self._callback = None

    def _end(self) -> None:
        self._is_over = True
        callback = self._callback
        if callback is not None:
            callback()


def _answered(call: Answer, message: bytes, turn: Any, context: Any) -> bytes:
    """The answer to one message; errors become status codes, by which the call or stream ends.

    Args:
      call: what answers.
      message: as it came.
      turn: the context for `call`.
      context: gRPC's.
    """
    try:
        header, arrays = wire.unpack(message)
        return call(header, arrays, turn)
    except errors.OpError as error:
        node = getattr(error.op, "name", "")
        code, text = error.error_code, error.message
    except NotImplementedError as error:
        node, code, text = "", errors.UNIMPLEMENTED, str(error)
    except Exception as error:
        node, code, text = "", errors.INTERNAL, f"{type(error).__name__}: {error}"
    context.set_trailing_metadata((("node-bin", node.encode()),))
    return context.abort(_status_codes()[code or errors.UNKNOWN], text[:_LONGEST_TEXT])


@functools.cache
def _status_codes() -> dict[int, Any]:
    import grpc

    return {code.value[0]: code for code in grpc.StatusCode}
