"""`MultiWorkerMirroredStrategy` in a cluster of two workers, against TensorFlow 1.15."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import worker_strategy_cases

pytest.importorskip("grpc")

DATA = Path(__file__).parents[1] / "golden/data/worker_strategy.json"
GOLDEN = json.loads(DATA.read_text("utf-8"))


@pytest.fixture(scope="module")
def found(tensorflow):
    return worker_strategy_cases.result(tensorflow)


@pytest.mark.parametrize("index", [0, 1])
def test_what_a_worker_records(found, index):
    about, nodes, _ = json.loads(json.dumps(found[index]))
    assert about == GOLDEN[index][0]
    assert nodes == GOLDEN[index][1]


@pytest.mark.parametrize("index", [0, 1])
def test_workers_train_together(found, index):
    losses, variables = found[index][2]
    np.testing.assert_allclose(losses, GOLDEN[index][2][0], rtol=1e-5)
    for one, other in zip(variables, GOLDEN[index][2][1], strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(
    ("cluster", "task", "text"),
    [
        ({"worker": ["a:1"]}, {"type": "worker", "index": 1}, "exceeds the maximum id"),
        ({"worker": ["a:1"]}, {"type": "chief", "index": 0}, "'chief' not found"),
        ({"w": ["a:1"]}, {"type": "w", "index": 0}, "Unrecognized task_type: 'w'"),
        ({"worker": ["a:1"]}, {}, "you must also specify `task_type`"),
    ],
)
def test_tasks_that_are_none(tf, monkeypatch, cluster, task, text):
    monkeypatch.setenv("TF_CONFIG", json.dumps({"cluster": cluster, "task": task}))
    with pytest.raises(ValueError, match=text):
        tf.distribute.experimental.MultiWorkerMirroredStrategy()
