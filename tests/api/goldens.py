"""What the tests of variables, scopes and optimizers share: TensorFlow 1.15's graphs and errors."""

from __future__ import annotations

import os

import recording
import variable_cases

GOLDEN = recording.read_json(os.path.join(recording.DATA, "variables.json.gz"))


def names(group: str) -> list[str]:
    """The names of a group's cases."""
    return list(variable_cases.GRAPHS[group])


def check_graph(tf, group: str, name: str) -> None:
    """Builds a case and compares its graph, static shapes and what it says with TensorFlow's."""
    said = variable_cases.GRAPHS[group][name](tf)
    graph = recording.describe_graph(tf.get_default_graph())
    expected = GOLDEN["graphs"][group][name]
    difference = recording.first_graph_difference(expected["graph"], graph)
    assert difference is None, difference
    differences = recording.shape_differences(expected["graph"]["shapes"], graph["shapes"])
    assert not differences, "\n".join(differences)
    assert said == expected["said"]
