"""A parameter server and two workers, each a process, of which each is killed and begins again."""

from __future__ import annotations

import itertools
import json
import os
import queue
import subprocess
import sys
import threading
from pathlib import Path

import cluster_cases
import pytest

pytest.importorskip("grpc")

HERE = Path(__file__).parent
_PATIENCE = 120.0


class _Process:
    """One that says something line by line."""

    def __init__(self, script, *arguments):
        command = [sys.executable, str(HERE / script), *arguments]
        environment = os.environ | {"PYTHONPATH": str(HERE.parents[1])}
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        self._process = subprocess.Popen(command, env=environment, **pipes)
        self._lines = queue.SimpleQueue()
        self._errors = []
        self._threads = [
            threading.Thread(target=self._read, daemon=True),
            threading.Thread(
                target=lambda: self._errors.append(self._process.stderr.read()), daemon=True
            ),
        ]
        for thread in self._threads:
            thread.start()

    def _read(self):
        for line in self._process.stdout:
            self._lines.put(line.strip())
        self._lines.put(None)

    def line(self):
        """What it says next; None if it has ended."""
        return self._lines.get(timeout=_PATIENCE)

    def until(self, line):
        while (said := self.line()) != line:
            assert said is not None, self.ended()

    def steps(self, count):
        """The next `count` numbers that it says."""
        found = []
        while len(found) < count:
            said = self.line()
            assert said is not None, self.ended()
            if said.isdigit():
                found.append(int(said))
        return found

    def rest(self):
        """The numbers that it says until it ends."""
        lines = iter(self.line, None)
        return [int(line) for line in lines if line.isdigit()]

    def kill(self):
        self._process.kill()
        return self.rest()

    def ended(self):
        """Its exit status, and what it complained of."""
        status = self._process.wait(_PATIENCE)
        for thread in self._threads:
            thread.join(_PATIENCE)
        self._process.stdout.close()
        self._process.stderr.close()
        return status, "".join(self._errors)


@pytest.fixture
def begun(tmp_path):
    """Begins tasks of one cluster."""
    spec = cluster_cases.addresses()
    spec = json.dumps({"ps": spec["ps"][:1], "worker": spec["worker"]})
    processes = []

    def begin(task):
        job, _, index = task.partition(":")
        if job == "ps":
            process = _Process("cluster_task.py", spec, task)
        else:
            process = _Process("cluster_worker.py", spec, index, str(tmp_path))
        processes.append(process)
        return process

    yield begin
    for process in processes:
        process._process.kill()
        process.ended()


def _follows(numbers, last):
    """One by one, from what was acknowledged; the step that nobody heard of may have been made."""
    first = numbers[0]
    assert first in (last + 1, last + 2)
    assert numbers == list(range(first, first + len(numbers)))


def test_each_is_killed_and_begins_again(begun, tmp_path):
    """Nothing is applied twice, nothing is lost that was acknowledged."""
    server, chief, other = begun("ps:0"), begun("worker:0"), begun("worker:1")
    chief.until("begins")
    assert other.steps(3) == [1, 2, 3]
    last = ([3] + other.kill())[-1]
    other = begun("worker:1")
    _follows(other.steps(3), last)

    found = chief.steps(3)
    last = (found + chief.kill())[-1]
    assert last > 3
    chief = begun("worker:0")
    _follows(found := chief.steps(3), last)

    server.kill()
    begun("ps:0")
    other.until("begins")
    assert other.steps(2)
    (tmp_path / "stop").touch()
    found += chief.rest()
    apart = {after - before for before, after in itertools.pairwise(found)}
    assert apart <= {1, 2}
    assert found[-1] - found[0] <= len(found)  # 2 but once: where the server was killed
    for process in (chief, other):
        status, said = process.ended()
        assert status == 0
        lines = [line for line in said.splitlines() if line and "The name tf." not in line]
        assert all(line.startswith("CreateSession still waiting") for line in lines)
