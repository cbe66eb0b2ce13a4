"""Sessions that send to servers (`tensorflow.python.debug.wrappers.grpc_wrapper`): refused."""

from __future__ import annotations

from typing import Any, NoReturn


def refuse(name: str, what: str = "tensors") -> NoReturn:
    """Says what to use instead of what sends something to a server.

    Args:
      name: what sends it.
      what: what it sends.

    Raises:
      NotImplementedError: always.
    """
    raise NotImplementedError(
        f"{name} sends {what} to a debug server, which is not supported by tf1compat: "
        "use tf_debug.DumpingDebugWrapperSession or DumpingDebugHook (files, read by "
        "tf_debug.DebugDumpDir), or tf_debug.LocalCLIDebugWrapperSession or LocalCLIDebugHook (a "
        "prompt)"
    )


class GrpcDebugWrapperSession:
    """Refused: it sends tensors to a server."""

    def __init__(self, *args: Any, **kwargs: Any):
        refuse(f"tf_debug.{type(self).__name__}")


class TensorBoardDebugWrapperSession(GrpcDebugWrapperSession):
    """Refused: it sends tensors to TensorBoard's debugger, which TensorBoard has no more."""


def publish_traceback(
    debug_server_urls: Any, graph: Any, feed_dict: Any, fetches: Any, old_graph_version: int
) -> int:
    """Refused: it sends where nodes were recorded to a server.

    Raises:
      NotImplementedError: always.
    """
    refuse("publish_traceback", "tracebacks")
