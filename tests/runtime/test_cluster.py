"""Clusters: tasks of this process, and of another one, against TensorFlow 1.15."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import threading
from pathlib import Path

import cluster_cases
import numpy as np
import pytest

pytest.importorskip("grpc")

HERE = Path(__file__).parent
GOLDEN = json.loads((HERE.parent / "golden/data/clusters.json").read_text("utf-8"))
ROOT = HERE.parents[1]


def started(spec, *tasks):
    """A process with these tasks, once they are up."""
    command = [sys.executable, str(HERE / "cluster_task.py"), json.dumps(spec), *tasks]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    assert process.stdout is not None
    assert process.stdout.readline() == "up\n"
    return process


def ended(process):
    process.kill()
    process.wait()
    process.stdout.close()


@pytest.fixture(scope="module")
def here(tensorflow):
    """The targets of the workers of a cluster in this process."""
    workers, _ = tensorflow.test.create_local_cluster(2, 2)
    return [worker.target for worker in workers]


@pytest.fixture(scope="module")
def apart(tensorflow):
    """The targets of two workers: this process, and one that has the parameter servers, too."""
    spec = cluster_cases.addresses()
    process = started(spec, "ps:0", "ps:1", "worker:1")
    own = tensorflow.train.Server(spec, "worker", 0)
    yield [own.target, f"grpc://{spec['worker'][1]}"]
    ended(process)


@pytest.fixture(params=["here", "apart"])
def targets(request):
    return request.getfixturevalue(request.param)


@pytest.mark.parametrize("name", sorted(GOLDEN))
def test_as_in_tf(tf, targets, name):
    found, wanted = cluster_cases.result(tf, targets, name), GOLDEN[name]
    assert _texts(found) == _texts(wanted)
    np.testing.assert_allclose(_numbers(found), _numbers(wanted), rtol=2e-5, atol=2e-5)


def _flat(value):
    return [leaf for item in value for leaf in _flat(item)] if type(value) is list else [value]


def _texts(value):
    return [leaf for leaf in _flat(value) if isinstance(leaf, str)]


def _numbers(value):
    return [leaf for leaf in _flat(value) if not isinstance(leaf, str)]


def test_every_case_is_recorded():
    assert set(cluster_cases.CASES) == set(GOLDEN)
