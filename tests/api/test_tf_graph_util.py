"""tf.graph_util against TensorFlow 1.15."""

from __future__ import annotations

import os

import graph_util_cases
import pytest
import record_graph_util
import recording

GOLDEN = recording.read_json(os.path.join(recording.DATA, "graph_util.json.gz"))


@pytest.mark.parametrize("name", graph_util_cases.CASES)
def test_case(tf, name):
    assert record_graph_util.found(tf, graph_util_cases.CASES[name]) == GOLDEN["cases"][name]


@pytest.mark.parametrize("name", graph_util_cases.MISTAKES)
def test_mistake(tf, name):
    assert recording.raised(tf, graph_util_cases.MISTAKES[name]) == GOLDEN["mistakes"][name]


def test_a_frozen_graph_runs(tf):
    graph_def = graph_util_cases.frozen_resources(tf)
    with tf.Graph().as_default(), tf.Session() as session:
        (z,) = tf.import_graph_def(graph_def, return_elements=["z:0"], name="")
        assert session.run(z, {"x:0": [[1.0, 1.0]]}).tolist() == [[7.5, 9.5], [5.5, 7.5]]
