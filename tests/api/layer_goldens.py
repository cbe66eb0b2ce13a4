"""Replays cases as of tests/golden/layer_cases.py against what TensorFlow 1.15 recorded."""

from __future__ import annotations

import os
from typing import Any

import layer_cases
import recording


class Goldens:
    """The cases of a module and what was recorded for them in a file of tests/golden/data."""

    def __init__(self, cases: Any, file: str):
        self.cases = cases
        self.golden = recording.read_json(os.path.join(recording.DATA, file))

    def check_case(self, tf: Any, group: str, name: str, rtol: float = 2e-5) -> None:
        """Builds a case, compares its graph, static shapes and what it says, then runs it."""
        expected = self.golden["graphs"][group][name]
        built = self.cases.GRAPHS[group][name](tf)
        self._check_graph(tf, expected)
        self._check_values(tf, expected, built, rtol)

    def check_values(self, tf: Any, group: str, name: str, rtol: float = 2e-5) -> None:
        """Builds a case, compares what it says and runs it."""
        built = self.cases.GRAPHS[group][name](tf)
        self._check_values(tf, self.golden["graphs"][group][name], built, rtol)

    def _check_graph(self, tf: Any, expected: Any) -> None:
        graph = recording.describe_graph(tf.get_default_graph())
        difference = recording.first_graph_difference(expected["graph"], graph)
        assert difference is None, difference
        differences = recording.shape_differences(expected["graph"]["shapes"], graph["shapes"])
        assert not differences, "\n".join(differences)

    def _check_values(self, tf: Any, expected: Any, built: Any, rtol: float) -> None:
        assert built[2] == expected["said"], f"TensorFlow: {expected['said']}\nhere: {built[2]}"
        found = layer_cases.run(tf, *built)
        for i, (want, (fetch, value)) in enumerate(zip(expected["values"], found, strict=True)):
            difference = recording.value_difference(want, recording.describe_value(value), rtol)
            assert difference is None, f"value {i}, {fetch.name}: {difference}"

    def check_mistake(self, tf: Any, group: str, name: str) -> None:
        """The case raises TensorFlow's exception with its text."""
        expected = self.golden["mistakes"][group][name]
        found = recording.raised(tf, self.cases.MISTAKES[group][name])
        assert found == expected, f"TensorFlow: {expected}\nhere: {found}"


_layers = Goldens(layer_cases, "layers.json.gz")
GOLDEN = _layers.golden
check_case = _layers.check_case
check_mistake = _layers.check_mistake
