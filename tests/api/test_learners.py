"""Estimators of trees, of SDCA, of clusters and of kernels against TensorFlow 1.15."""

from __future__ import annotations

import os

import learner_cases
import pytest
import recording

GOLDEN = recording.read_json(os.path.join(recording.DATA, "learners.json.xz"))

pytestmark = pytest.mark.usefixtures("compiled_quickly")


@pytest.fixture(autouse=True)
def _apart(tf, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TF_CONFIG", raising=False)
    tf.disable_resource_variables()
    yield
    tf.disable_resource_variables()


@pytest.mark.parametrize("name", learner_cases.RUNS)
def test_run(tf, name):
    expected, found = GOLDEN["runs"][name], learner_cases.RUNS[name](tf)
    assert sorted(found["graphs"]) == sorted(expected["graphs"])
    for mode, graph in expected["graphs"].items():
        difference = recording.first_graph_difference(graph, found["graphs"][mode])
        assert difference is None, f"{mode}: {difference}"
        shapes = recording.shape_differences(graph["shapes"], found["graphs"][mode]["shapes"])
        assert not shapes, f"{mode}: {shapes}"
    assert found["said"] == expected["said"]
    values = recording.describe_value(found["values"])
    difference = recording.value_difference(expected["values"], values, 1e-4)
    assert difference is None, difference


@pytest.mark.parametrize(
    ("group", "name"),
    [(group, name) for group, cases in learner_cases.MISTAKES.items() for name in cases],
)
def test_mistake(tf, group, name):
    expected = GOLDEN["mistakes"][group][name]
    found = recording.raised(tf, learner_cases.MISTAKES[group][name])
    assert found == expected, f"TensorFlow: {expected}\nhere: {found}"
