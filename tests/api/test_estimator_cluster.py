"""`tf.estimator.train_and_evaluate` in a cluster, against TensorFlow 1.15."""

from __future__ import annotations

import json
import os
import sys
import threading
from pathlib import Path

import estimator_cluster_cases
import numpy as np
import pytest

pytest.importorskip("grpc")

ROOT = Path(__file__).parents[2]
GOLDEN = json.loads((ROOT / "tests/golden/data/estimator_cluster.json").read_text("utf-8"))


def _flat(value):
    return [leaf for item in value for leaf in _flat(item)] if type(value) is list else [value]


@pytest.fixture(scope="module")
def found(tensorflow):
    tensorflow.reset_default_graph()
    command = [sys.executable, "-m", "tf1compat"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    results = []

    def run():
        results.append(estimator_cluster_cases.result(tensorflow, command, environment))

    thread = threading.Thread(
        target=run, daemon=True
    )  # It may wait for ever if something is wrong.
    thread.start()
    thread.join(480)
    assert results, "the cluster is not done yet"
    return results[0]


@pytest.mark.parametrize("task", sorted(GOLDEN))
def test_as_in_tf(found, task):
    one, other = _flat(found[task]), _flat(GOLDEN[task])
    assert [v for v in one if isinstance(v, str)] == [v for v in other if isinstance(v, str)]
    np.testing.assert_allclose(
        [v for v in one if not isinstance(v, str)],
        [v for v in other if not isinstance(v, str)],
        rtol=1e-5, atol=1e-4,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("cluster", "task", "error", "text"),
    [
        ({"chief": ["a:1"], "x": ["b:1"]}, "x", ValueError, r"Task type x is not supported. Supp"),
        ({"chief": ["a:1"], "local": ["b:1"]}, "local", ValueError, "cannot be `local`"),
        ({"chief": ["a:1"], "evaluator": ["b:1", "c:1"]}, "evaluator", ValueError, "one `eval"),
    ],
)
def test_tasks_that_are_wrong(tf, monkeypatch, tmp_path, cluster, task, error, text):
    index = len(cluster.get("evaluator", "1")) - 1
    config = {"cluster": cluster, "task": {"type": task, "index": index}}
    monkeypatch.setenv("TF_CONFIG", json.dumps(config))
    estimator = tf.estimator.Estimator(
        lambda features, mode: None, config=tf.estimator.RunConfig(str(tmp_path))
    )
    with pytest.raises(error, match=text):
        tf.estimator.train_and_evaluate(
            estimator, tf.estimator.TrainSpec(lambda: 1), tf.estimator.EvalSpec(lambda: 1)
        )
