"""Replays the cases of tests/golden/layer_cases.py against what TensorFlow 1.15 recorded."""

from __future__ import annotations

import os

import layer_cases
import recording

GOLDEN = recording.read_json(os.path.join(recording.DATA, "layers.json.gz"))


def check_case(tf, group: str, name: str, rtol: float = 2e-5) -> None:
    """Builds a case, compares its graph, static shapes and what it says, then runs it."""
    expected = GOLDEN["graphs"][group][name]
    built = layer_cases.GRAPHS[group][name](tf)
    graph = recording.describe_graph(tf.get_default_graph())
    difference = recording.first_graph_difference(expected["graph"], graph)
    assert difference is None, difference
    differences = recording.shape_differences(expected["graph"]["shapes"], graph["shapes"])
    assert not differences, "\n".join(differences)
    assert built[2] == expected["said"], f"TensorFlow: {expected['said']}\nhere: {built[2]}"
    found = layer_cases.run(tf, *built)
    for i, (want, (fetch, value)) in enumerate(zip(expected["values"], found, strict=True)):
        difference = recording.value_difference(want, recording.describe_value(value), rtol)
        assert difference is None, f"value {i}, {fetch.name}: {difference}"


def check_mistake(tf, group: str, name: str) -> None:
    """The case raises TensorFlow's exception with its text."""
    expected = GOLDEN["mistakes"][group][name]
    found = recording.raised(tf, layer_cases.MISTAKES[group][name])
    assert found == expected, f"TensorFlow: {expected}\nhere: {found}"
