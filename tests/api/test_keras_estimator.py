"""Keras models as Estimators, against TensorFlow 1.15."""

from __future__ import annotations

import os

import keras_estimator_cases
import pytest
import recording

pytest.importorskip("h5py")

GOLDEN = recording.read_json(os.path.join(recording.DATA, "keras_estimators.json.xz"))

pytestmark = pytest.mark.usefixtures("compiled_quickly")


@pytest.fixture(autouse=True)
def _apart(tf, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TF_CONFIG", raising=False)
    tf.keras.backend.clear_session()
    tf.summary.FileWriterCache.clear()
    yield
    tf.summary.FileWriterCache.clear()
    tf.keras.backend.clear_session()


@pytest.mark.parametrize("name", keras_estimator_cases.RUNS)
def test_run(tf, name):
    expected, found = GOLDEN["runs"][name], keras_estimator_cases.RUNS[name](tf)
    assert found["said"] == expected["said"]
    assert sorted(found["graphs"]) == sorted(expected["graphs"])
    for mode, graph in expected["graphs"].items():
        difference = recording.first_graph_difference(graph, found["graphs"][mode])
        assert difference is None, f"{mode}: {difference}"
        assert not recording.shape_differences(graph["shapes"], found["graphs"][mode]["shapes"])
    values = recording.describe_value(found["values"])
    difference = recording.value_difference(expected["values"], values, 1e-5)
    assert difference is None, difference


@pytest.mark.parametrize("name", keras_estimator_cases.MISTAKES)
def test_mistake(tf, name):
    assert recording.raised(tf, keras_estimator_cases.MISTAKES[name]) == GOLDEN["mistakes"][name]
