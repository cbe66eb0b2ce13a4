"""Models under heads of TF 2's generation against TensorFlow 1.15."""

from __future__ import annotations

import os

import head_model_cases
import pytest
import recording

GOLDEN = recording.read_json(os.path.join(recording.DATA, "head_models.json.xz"))

pytestmark = pytest.mark.usefixtures("compiled_quickly")


@pytest.fixture(autouse=True)
def _apart(tf, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TF_CONFIG", raising=False)
    tf.keras.backend.clear_session()
    tf.summary.FileWriterCache.clear()
    yield
    tf.keras.backend.clear_session()
    tf.summary.FileWriterCache.clear()


def check_graph(expected, found):
    difference = recording.first_graph_difference(expected, found)
    assert difference is None, difference
    assert not recording.shape_differences(expected["shapes"], found["shapes"])


def check_values(expected, values, tolerance=1e-5):
    difference = recording.value_difference(expected, values, tolerance)
    assert difference is None, difference


@pytest.mark.parametrize("name", head_model_cases.MODELS)
def test_model(tf, name):
    check_run(GOLDEN[name], head_model_cases.observed(tf, head_model_cases.MODELS[name]))


@pytest.mark.parametrize("name", head_model_cases.CANNED)
def test_canned(tf, name):
    # As in test_canned.py: after some steps of a net.
    found = head_model_cases.canned(tf, head_model_cases.CANNED[name])
    check_run(GOLDEN[name], found, 1e-4)


def check_run(expected, found, tolerance=1e-5):
    assert sorted(found["graphs"]) == sorted(expected["graphs"])
    for mode, graph in expected["graphs"].items():
        check_graph(graph, found["graphs"][mode])
    assert found["said"] == expected["said"]
    check_values(expected["values"], recording.describe_value(found["values"]), tolerance)
