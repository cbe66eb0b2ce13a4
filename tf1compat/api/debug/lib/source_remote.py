"""What sends sources to servers (`tensorflow.python.debug.lib.source_remote`): refused."""

from __future__ import annotations

from typing import Any

from tf1compat.api.debug.wrappers.grpc_wrapper import refuse


def send_graph_tracebacks(
    destinations: Any, run_key: str, origin_stack: Any, graph: Any, send_source: bool = True
) -> None:
    """Refused: it sends where a graph was recorded to a server.

    Raises:
      NotImplementedError: always.
    """
    refuse("send_graph_tracebacks", "tracebacks and sources")


def send_eager_tracebacks(
    destinations: Any, origin_stack: Any, send_source: bool = True
) -> None:  # fmt: skip
    """Refused: it sends where an operation was run to a server.

    Raises:
      NotImplementedError: always.
    """
    refuse("send_eager_tracebacks", "tracebacks and sources")
