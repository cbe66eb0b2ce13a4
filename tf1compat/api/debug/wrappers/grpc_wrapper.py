"""Sessions that send to servers (`tensorflow.python.debug.wrappers.grpc_wrapper`): refused."""

from __future__ import annotations

from typing import Any, NoReturn


def refuse(name: str) -> NoReturn:
    """Says what to use instead of what sends tensors to a server.

    Raises:
      NotImplementedError: always.
    """
    raise NotImplementedError(
        f"tf_debug.{name} sends tensors to a debug server, which is not supported by tf1compat: "
        "use tf_debug.DumpingDebugWrapperSession or DumpingDebugHook (files, read by "
        "tf_debug.DebugDumpDir), or tf_debug.LocalCLIDebugWrapperSession or LocalCLIDebugHook (a "
        "prompt)"
    )


class GrpcDebugWrapperSession:
    """Refused: it sends tensors to a server."""

    def __init__(self, *args: Any, **kwargs: Any):
        refuse(type(self).__name__)


class TensorBoardDebugWrapperSession(GrpcDebugWrapperSession):
    """Refused: it sends tensors to TensorBoard's debugger, which TensorBoard has no more."""
