"""tf.keras against TensorFlow 1.15."""

from __future__ import annotations

import os

import keras_cases
import pytest
import recording

GOLDEN = recording.read_json(os.path.join(recording.DATA, "keras.json.xz"))


def _check(tf, expected, case):
    report = keras_cases.run(tf, case)
    for i, (want, found) in enumerate(zip(expected["said"], report.said, strict=False)):
        assert found == want, f"text {i}"
    assert len(report.said) == len(expected["said"])
    assert set(report.values) == set(expected["values"])
    for name, want in expected["values"].items():
        found = recording.describe_value(report.values[name])
        difference = recording.value_difference(want, found, 2e-4, name)
        assert difference is None, difference


@pytest.mark.parametrize("name", keras_cases.NETS)
def test_net(tf, name):
    expected = GOLDEN["nets"][name]
    _check(tf, expected, keras_cases.NETS[name])
    graph = keras_cases.described_graph(tf)
    difference = recording.first_graph_difference(expected["graph"], graph)
    assert difference is None, difference
    differences = recording.shape_differences(expected["graph"]["shapes"], graph["shapes"])
    assert not differences, "\n".join(differences)


@pytest.mark.parametrize("name", keras_cases.CALLS)
def test_call(tf, name):
    _check(tf, GOLDEN["calls"][name], keras_cases.CALLS[name])


@pytest.mark.parametrize("name", keras_cases.MISTAKES)
def test_mistake(tf, name):
    assert recording.raised(tf, keras_cases.MISTAKES[name]) == GOLDEN["mistakes"][name]
