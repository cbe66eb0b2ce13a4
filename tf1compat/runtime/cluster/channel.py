"""The connection to another process, and calls on it."""

from __future__ import annotations

import atexit
import collections
import queue
import sys
import threading
from collections.abc import Callable, Sequence
from typing import Any

from tf1compat.core import errors, waiting
from tf1compat.runtime.cluster import endpoint, wire

# How often it is said that a task is waited for, in seconds.
_STILL_WAITING = 10.0


class Call:
    """A part that is being run, which another thread may cancel.

    Args:
      seconds: how long it may take; None for ever.
      is_alone: whether its thread is the only one that could cancel it.
      trace: notes what this process runs, if the run is traced.
    """

    def __init__(self, seconds: float | None, is_alone: bool, trace: Any = None):
        self.seconds = seconds
        self.trace = trace
        self.is_alone = is_alone
        self.is_cancelled = False
        self._cancel: Callable[[], Any] | None = None
        self._lock = threading.Lock()

    def on_cancel(self, cancel: Callable[[], Any] | None) -> None:
        """Says how it is cancelled; None: it can be no more."""
        with self._lock:
            self._cancel = cancel
            if self.is_cancelled and cancel is not None:
                cancel()

    def cancel(self) -> None:
        """Ends it, if it waits."""
        with self._lock:
            self.is_cancelled = True
            if self._cancel is not None:
                self._cancel()


class Failed(errors.OpError):
    """An error of another process, before its operation is known by name."""

    def __init__(self, message: str, code: int, node: str):
        super().__init__(None, None, message, code)
        self.node = node


class _Stream:
    """A stream of calls of one method, of which each is answered before the next one.

    Args:
      method: begins it, given the messages.
      metadata: goes with it.
    """

    def __init__(self, method: Any, metadata: Any):
        self._messages: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._answers = method(iter(self._messages.get, b""), metadata=metadata)
        self.cancel = self._answers.cancel

    @property
    def is_open(self) -> bool:
        """Whether it may take another message."""
        return self._answers.is_active()

    def exchange(self, message: bytes) -> bytes:
        """Sends a message; returns the answer.

        Raises:
          grpc.RpcError: there is none, and the stream is over.
        """
        self._messages.put(message)
        answer = next(self._answers, None)
        if answer is None:
            raise errors.UnavailableError(None, None, "The task ended its connection")
        return answer

    def end(self) -> None:
        """Lets the thread go that sends the messages."""
        self._messages.put(b"")
        self.cancel()


class Channel:
    """The connection to an address.

    Nothing that is sent is sent again: of a call that failed nobody knows what it did. What may
    take as long as it likes goes through a stream, which costs less than a call of gRPC's: each is
    for one call at a time, and then for the next one.
    """

    def __init__(self, address: str):
        self._channel = endpoint.channel(address)
        self._methods: dict[str, Any] = {}
        self._metadata = (("authorization", wire.token()),)
        self._idle: dict[str, collections.deque[_Stream]] = collections.defaultdict(
            collections.deque
        )

    def _method(self, name: str) -> Any:
        found = self._methods.get(name)
        if found is None:
            found = self._methods[name] = self._channel.unary_unary(f"/{endpoint.NAME}/{name}")
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
        try:
            if call is not None and call.seconds is None:
                answer, values = wire.unpack(self._through_stream(method, message, call))
            else:
                answer, values = wire.unpack(self._by_itself(method, message, call, wait))
        except grpc.FutureCancelledError:
            raise errors.CancelledError(None, None, "Step was cancelled") from None
        except grpc.RpcError as error:
            if call is not None and call.is_cancelled:
                raise errors.CancelledError(None, None, "Step was cancelled") from None
            raise _failure(error) from None
        return values if wait is None else answer

    def _by_itself(
        self, method: str, message: bytes, call: Call | None, wait: float | None
    ) -> bytes:
        options: dict[str, Any] = {
            "timeout": wait if call is None else call.seconds,
            "metadata": self._metadata,
            "wait_for_ready": wait is not None,
        }
        if call is None or call.is_alone:
            return self._method(method)(message, **options)
        future = self._method(method).future(message, **options)
        call.on_cancel(future.cancel)
        return future.result()

    def _through_stream(self, method: str, message: bytes, call: Call) -> bytes:
        stream = self._stream(method)
        is_kept = False
        try:
            call.on_cancel(stream.cancel)
            answer = stream.exchange(message)
            is_kept = True
            return answer
        finally:
            call.on_cancel(None)
            if is_kept and not call.is_cancelled:
                self._idle[method].append(stream)
            else:
                stream.end()

    def _stream(self, method: str) -> _Stream:
        """A stream that nobody uses."""
        idle = self._idle[method]
        while idle:
            try:
                stream = idle.pop()
            except IndexError:  # Another thread took the last one.
                break
            if stream.is_open:
                return stream
            stream.end()
        name = f"/{endpoint.NAME}/{method}{endpoint.STREAM}"
        return _Stream(self._channel.stream_stream(name), self._metadata)

    def end_streams(self) -> None:
        """Ends the streams that nobody uses."""
        for idle in list(self._idle.values()):
            while idle:
                idle.pop().end()

    def begin(self, method: str, header: dict[str, Any]) -> Any:
        """Calls the task, and does not wait: a future of gRPC's."""
        return self._method(method).future(wire.pack(header), metadata=self._metadata)

    def wait_for(
        self,
        method: str,
        header: dict[str, Any],
        task: str,
        said: str = "CreateSession still waiting for response from worker: ",
    ) -> dict[str, Any]:
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
            sys.stderr.write(f"{said}{task}\n")


def _failure(error: Any) -> errors.OpError:
    """An error of gRPC as one of TF."""
    metadata = dict(error.trailing_metadata() or ())
    node = metadata.get("node-bin", b"")
    code = error.code().value[0]
    text = error.details() or ""
    if code == errors.UNIMPLEMENTED and "node-bin" in metadata:
        raise NotImplementedError(text) from None
    failed = Failed(text, code, node.decode())
    if node:
        return failed
    return errors.make_exception(None, None, text, code)


_channels: dict[str, Channel] = {}
_lock = threading.Lock()


def channel(address: str) -> Channel:
    """The connection to an address; one for all sessions."""
    with _lock:
        if address not in _channels:
            found = _channels[address] = Channel(address)
            # gRPC's streams complain when they are found open after its modules are gone.
            atexit.register(found.end_streams)
        return _channels[address]
