"""Recurrent nets against TensorFlow 1.15."""

from __future__ import annotations

import os

import pytest
import recording
import rnn_cases

GOLDEN = recording.read_json(os.path.join(recording.DATA, "rnn.json.gz"))

CASES = [(group, name) for group, cases in rnn_cases.GRAPHS.items() for name in cases]
MISTAKES = [(group, name) for group, cases in rnn_cases.MISTAKES.items() for name in cases]


@pytest.mark.parametrize(("group", "name"), CASES)
def test_graph(tf, group, name):
    """Nodes, static shapes and what is said."""
    expected = GOLDEN["graphs"][group][name]
    built = rnn_cases.GRAPHS[group][name](tf)
    graph = recording.describe_graph(tf.get_default_graph())
    difference = recording.first_graph_difference(expected["graph"], graph)
    assert difference is None, difference
    differences = recording.shape_differences(expected["graph"]["shapes"], graph["shapes"])
    assert not differences, "\n".join(differences)
    assert built[2] == expected["said"], f"TensorFlow: {expected['said']}\nhere: {built[2]}"


@pytest.mark.parametrize(("group", "name"), CASES)
def test_values(tf, group, name):
    """Three steps of training."""
    expected = GOLDEN["graphs"][group][name]
    built = rnn_cases.GRAPHS[group][name](tf)
    found = rnn_cases.run(tf, *built)
    for i, (want, (fetch, value)) in enumerate(zip(expected["values"], found, strict=True)):
        difference = recording.value_difference(want, recording.describe_value(value), rtol=2e-5)
        assert difference is None, f"value {i}, {fetch.name}: {difference}"


@pytest.mark.parametrize(("group", "name"), MISTAKES)
def test_mistake(tf, group, name):
    """The case raises TensorFlow's exception with its text.

    Where TensorFlow has rewritten a layer's `call`, it puts a traceback around the text.
    """
    expected = GOLDEN["mistakes"][group][name]
    if expected["text"].startswith("in converted code:"):
        expected["text"] = expected["text"].rpartition(f"    {expected['class']}: ")[2].rstrip()
    found = recording.raised(tf, rnn_cases.MISTAKES[group][name])
    assert found == expected, f"TensorFlow: {expected}\nhere: {found}"
