"""`python -m tf1compat --np N script.py`: a script in several processes that work together."""

from __future__ import annotations

import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence

from tf1compat.core import collectives

_TOKEN = "TF1COMPAT_CLUSTER_TOKEN"
# How often it looks whether one has ended, and how long others may take to end by themselves after
# one failed, in seconds.
_PATIENCE = 0.05
_LEFT = 5.0


def run(count: int, arguments: Sequence[str]) -> int:
    """Runs the command line in `count` processes of this machine, and waits for them.

    Where one fails the others are ended.

    Args:
      count: how many.
      arguments: of each of them, without the program's name.

    Returns:
      The exit status: of the first one that failed, or 0.
    """
    common = os.environ | {
        collectives.ADDRESS: f"localhost:{_free_port()}",
        _TOKEN: os.environ.get(_TOKEN) or secrets.token_hex(32),
        "HOROVOD_SIZE": str(count),
        "HOROVOD_LOCAL_SIZE": str(count),
    }
    command = [sys.executable, "-m", "tf1compat", *arguments]
    processes = []
    for rank in map(str, range(count)):
        own = {"HOROVOD_RANK": rank, "HOROVOD_LOCAL_RANK": rank}
        processes.append(subprocess.Popen(command, env=common | own))
    try:
        return _status(processes)
    finally:
        _end(processes)


def _free_port() -> int:
    with socket.socket() as held:
        held.bind(("localhost", 0))
        return held.getsockname()[1]


def _status(processes: list[subprocess.Popen[bytes]]) -> int:
    """Waits until all have ended, or one has failed."""
    while True:
        found = [process.poll() for process in processes]
        for status in found:
            if status:
                return status if status > 0 else 128 - status
        if None not in found:
            return 0
        time.sleep(_PATIENCE)


def _end(processes: list[subprocess.Popen[bytes]]) -> None:
    """Ends those that are left: they may want to say what they miss, and be asked, first."""
    until = time.monotonic() + _LEFT
    for stop in (None, signal.SIGTERM, signal.SIGKILL):
        left = [process for process in processes if process.poll() is None]
        for process in left:
            if stop is not None:
                process.send_signal(stop)
        while time.monotonic() < until and any(process.poll() is None for process in left):
            time.sleep(_PATIENCE)
        until = time.monotonic() + _LEFT
