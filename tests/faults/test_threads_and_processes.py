"""Many threads and processes: no deadlock, no lost update, nothing said that frightens."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import workers

HERE = Path(__file__).parent
ROOT = HERE.parent.parent

# Programs of threads: how often each thread does it, and with --faults-long.
THREADS = {
    "counters": (100, 10_000),
    "fetches": (30, 2000),
    "recording": (30, 500),
    "closing": (5, 200),
    "runners": (1, 50),
    "nested": (10, 500),
}
# Programs of processes, in this order in one process; the last only with --faults-long.
PROCESSES = ("forked_before", "forked_after", "forked_session", "keras_workers", "spawned")


@pytest.mark.parametrize("tier", ["host", "auto"])
@pytest.mark.parametrize("name", THREADS)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_threads(tf: Any, long: bool, name: str, tier: str) -> None:
    from tf1compat.runtime import tiers

    with tiers.tier(tier):
        found, expected = getattr(workers, name)(tf, THREADS[name][long])
    assert found == expected


def test_processes(long: bool) -> None:
    """Nothing is said on stderr that frightens."""
    names = PROCESSES if long else PROCESSES[:-1]
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    process = subprocess.run(
        [sys.executable, HERE / "workers.py", ",".join(names), "10" if long else "2"],
        capture_output=True, text=True, env={**os.environ, "PYTHONPATH": path}, timeout=600,
    )  # fmt: skip
    assert process.returncode == 0, process.stderr
    for name, line in zip(names, process.stdout.splitlines(), strict=True):
        found, expected = json.loads(line)
        assert found == expected, name
    for word in ("fork", "Traceback", "Error"):
        assert word not in process.stderr
