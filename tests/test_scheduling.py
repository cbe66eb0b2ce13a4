"""How the tests are dealt out: each once, groups whole, and again where a worker crashes."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("xdist")

from scheduling import Scheduling

NAMES = [f"test_a.py::test_{i}" for i in range(20)]
NAMES += [f"test_b.py::test_{i}@group" for i in range(5)]


class Worker:
    """Notes what it is sent."""

    shutting_down = False

    def __init__(self) -> None:
        self.sent: list[int] = []
        self.gateway = SimpleNamespace(id="gw")

    def send_runtest_some(self, places: list[int]) -> None:
        self.sent += places

    def shutdown(self) -> None:
        self.shutting_down = True


def _begun() -> tuple[Any, list[Worker]]:
    option = SimpleNamespace(loadscopereorder=True)
    config: Any = SimpleNamespace(option=option, getvalue=lambda name: ["2*popen"])
    scheduling, workers = Scheduling(config), [Worker(), Worker()]
    for worker in workers:
        scheduling.add_node(worker)
    for worker in workers:
        scheduling.add_node_collection(worker, NAMES)
    scheduling.schedule()
    return scheduling, workers


def _run(scheduling: Any, workers: list[Worker]) -> list[list[str]]:
    """What each worker ran, one test at a time in turn."""
    ran: list[list[str]] = [[] for _ in workers]
    while any(len(done) < len(worker.sent) for done, worker in zip(ran, workers)):
        for done, worker in zip(ran, workers):
            if len(done) < len(worker.sent):
                place = worker.sent[len(done)]
                done.append(NAMES[place])
                scheduling.mark_test_complete(worker, place)
    return ran


def test_each_test_runs_once_and_groups_stay_together():
    scheduling, workers = _begun()
    one, other = _run(scheduling, workers)
    assert sorted(one + other) == sorted(NAMES)
    group = set(NAMES[20:])
    assert group <= set(one) or group <= set(other)
    assert scheduling.tests_finished and not scheduling.has_pending
    assert all(worker.shutting_down for worker in workers)


def test_what_a_crashed_worker_had_yet_to_do_another_does():
    scheduling, (one, other) = _begun()
    scheduling.mark_test_complete(one, one.sent[0])
    crashed = scheduling.remove_node(one)
    assert crashed == NAMES[one.sent[1]]
    (ran,) = _run(scheduling, [other])
    assert set(ran) | {NAMES[one.sent[0]]} == set(NAMES)


@pytest.mark.xdist_group("a group")
def test_the_name_of_a_test_ends_in_its_group(request):
    worker = getattr(request.config, "workerinput", None)
    if worker and worker.get("by_group", True):
        assert request.node.nodeid.endswith("@a group")
