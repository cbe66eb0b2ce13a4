"""Recurrent nets against TensorFlow 1.15."""

from __future__ import annotations

import os

import pytest
import recording
import rnn_cases
import rnn_contrib_cases

GOLDEN = recording.read_json(os.path.join(recording.DATA, "rnn.json.xz"))

GRAPHS = {**rnn_cases.GRAPHS, **rnn_contrib_cases.GRAPHS}
MISTAKES = {**rnn_cases.MISTAKES, **rnn_contrib_cases.MISTAKES}
all_graphs = pytest.mark.parametrize(
    ("group", "name"), [(group, name) for group, cases in GRAPHS.items() for name in cases]
)
all_that_run = pytest.mark.parametrize(
    ("group", "name"),
    [
        (group, name)
        for group, cases in GRAPHS.items()
        for name in cases
        if name in rnn_cases.RUN | rnn_contrib_cases.RUN
    ],
)
all_mistakes = pytest.mark.parametrize(
    ("group", "name"), [(group, name) for group, cases in MISTAKES.items() for name in cases]
)


@all_graphs
def test_graph(tf, group, name):
    """Nodes, static shapes and what is said."""
    expected = GOLDEN["graphs"][group][name]
    built = GRAPHS[group][name](tf)
    graph = recording.describe_graph(tf.get_default_graph())
    difference = recording.first_graph_difference(expected["graph"], graph)
    assert difference is None, difference
    differences = recording.shape_differences(expected["graph"]["shapes"], graph["shapes"])
    assert not differences, "\n".join(differences)
    assert built[2] == expected["said"], f"TensorFlow: {expected['said']}\nhere: {built[2]}"


@all_that_run
def test_values(tf, group, name):
    """Three steps of training."""
    expected = GOLDEN["graphs"][group][name]
    built = GRAPHS[group][name](tf)
    found = rnn_cases.run(tf, *built)
    for i, (want, (fetch, value)) in enumerate(zip(expected["values"], found, strict=True)):
        difference = recording.value_difference(want, recording.describe_value(value), rtol=2e-5)
        assert difference is None, f"value {i}, {fetch.name}: {difference}"


@all_mistakes
def test_mistake(tf, group, name):
    """The case raises TensorFlow's exception with its text.

    Where TensorFlow has rewritten a layer's `call`, it puts a traceback around the text.
    """
    expected = GOLDEN["mistakes"][group][name]
    if expected["text"].startswith("in converted code:"):
        expected["text"] = expected["text"].rpartition(f"    {expected['class']}: ")[2].rstrip()
    found = recording.raised(tf, MISTAKES[group][name])
    assert found == expected, f"TensorFlow: {expected}\nhere: {found}"
