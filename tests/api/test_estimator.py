"""tf.estimator against TensorFlow 1.15."""

from __future__ import annotations

import os

import estimator_cases
import pytest
import recording

GOLDEN = recording.read_json(os.path.join(recording.DATA, "estimator.json.gz"))


pytestmark = pytest.mark.usefixtures("compiled_quickly")


@pytest.fixture(autouse=True)
def _apart(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TF_CONFIG", raising=False)


@pytest.mark.filterwarnings("ignore:Converting sparse IndexedSlices to a dense")
def test_training_evaluation_prediction_and_export(tf):
    found = estimator_cases.trained(tf)
    assert sorted(found["graphs"]) == sorted(GOLDEN["graphs"])
    for name, graph in found["graphs"].items():
        difference = recording.first_graph_difference(GOLDEN["graphs"][name], graph)
        assert difference is None, f"{name}: {difference}"
        shapes = GOLDEN["graphs"][name]["shapes"]
        assert not recording.shape_differences(shapes, graph["shapes"])
    for i, (want, value) in enumerate(zip(GOLDEN["values"], found["values"], strict=True)):
        difference = recording.value_difference(want, recording.describe_value(value), 1e-4)
        assert difference is None, f"value {i}: {difference}"
    assert found["files"] == GOLDEN["files"]
    assert found["log"] == GOLDEN["log"]


def test_clusters(tf):
    assert estimator_cases.cluster(tf) == GOLDEN["cluster"]


@pytest.mark.parametrize(
    ("group", "name"),
    [(group, name) for group, cases in estimator_cases.MISTAKES.items() for name in cases],
)
def test_mistake(tf, group, name):
    expected = GOLDEN["mistakes"][group][name]
    found = recording.raised(tf, estimator_cases.MISTAKES[group][name])
    assert found == expected, f"TensorFlow: {expected}\nhere: {found}"
