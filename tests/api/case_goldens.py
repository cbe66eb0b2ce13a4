"""Replays the case modules of tests/golden against what TensorFlow 1.15 recorded."""

from __future__ import annotations

import importlib
import os
from typing import Any

import pytest
import recording


class CaseGoldens:
    """The cases of one module, and what TensorFlow made of them.

    Args:
      name: the module's name without `_cases`.
    """

    def __init__(self, name: str):
        self.module = importlib.import_module(f"{name}_cases")
        self._golden = recording.read_json(os.path.join(recording.DATA, f"{name}_cases.json.gz"))

    def cases(self) -> Any:
        """Parametrizes a test by (group, name) of all cases."""
        return self._parametrize(self.module.CASES)

    def mistakes(self) -> Any:
        """Parametrizes a test by (group, name) of all mistakes."""
        return self._parametrize(self.module.MISTAKES)

    def _parametrize(self, groups: dict[str, dict[str, Any]]) -> Any:
        rows = [
            pytest.param(group, name, id=f"{group}-{name}")
            for group, cases in groups.items()
            for name in cases
        ]
        return pytest.mark.parametrize(("group", "name"), rows)

    def check_graph(self, tf: Any, group: str, name: str) -> Any:
        """Builds a case, compares its graph, static shapes and what it says; returns it."""
        expected = self._golden["cases"][group][name]
        built = self.module.CASES[group][name](tf)
        graph = recording.describe_graph(tf.get_default_graph())
        difference = recording.first_graph_difference(expected["graph"], graph)
        assert difference is None, difference
        differences = recording.shape_differences(expected["graph"]["shapes"], graph["shapes"])
        assert not differences, "\n".join(differences)
        assert built.said == expected["said"]
        return built

    def check_case(self, tf: Any, group: str, name: str, rtol: float = 2e-5) -> None:
        """As `check_graph`, and compares the values of runs."""
        built = self.check_graph(tf, group, name)
        expected = self._golden["cases"][group][name]
        for i, (want, (fetch, value)) in enumerate(
            zip(expected["values"], built.run(tf), strict=True)
        ):
            difference = recording.value_difference(want, recording.describe_value(value), rtol)
            assert difference is None, f"value {i}, {getattr(fetch, 'name', fetch)}: {difference}"

    def check_mistake(self, tf: Any, group: str, name: str) -> None:
        """The case raises TensorFlow's exception with its text.

        Where TensorFlow has rewritten a layer's `call`, it puts a traceback around the text.
        """
        expected = self._golden["mistakes"][group][name]
        if expected["text"].startswith("in converted code:"):
            text = expected["text"].rpartition(f"    {expected['class']}: ")[2].rstrip()
            expected = expected | {"text": text}
        found = recording.raised(tf, self.module.MISTAKES[group][name])
        assert found == expected, f"TensorFlow: {expected}\nhere: {found}"
