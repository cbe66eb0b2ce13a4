"""Targets of sessions that are this process: those of the servers started in it."""

from __future__ import annotations

import dataclasses
from typing import Any


@dataclasses.dataclass
class Server:
    """A server of this process, as long as the process lasts.

    Attributes:
      task: what its devices' names begin with, e.g. "/job:local/replica:0/task:0".
      config: the `ConfigProto` of the server: its sessions see these devices.
      cluster: the `ClusterDef`.
      containers: what its sessions share; made by the runtime.
      worker: what it does for sessions of other tasks; made by the runtime.
    """

    task: str
    config: Any
    cluster: Any
    containers: Any = None
    worker: Any = None


_servers: dict[bytes, Server] = {}


def add(target: bytes, server: Server) -> None:
    """Lets sessions on `target` run here."""
    _servers[target] = server


def find(target: bytes | None) -> Server | None:
    """The server behind a target; None if there is none in this process."""
    return None if target is None else _servers.get(target)


# Makes the service by which other processes reach a server: (server, "host:port") -> an object with
# its `port`, and `start()`. Set by the runtime.
make_service: Any = None
