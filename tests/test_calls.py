"""Calls with unusual arguments, against what TensorFlow 1.15 recorded, gave and refused."""

from __future__ import annotations

from pathlib import Path

import call_cases
import pytest
import recording

GOLDENS = recording.read_json(str(Path(recording.DATA) / "calls.json"))


@pytest.mark.parametrize("name", call_cases.CASES)
def test_call(tf, name):
    found, golden = call_cases.outcome(tf, *call_cases.CASES[name]), GOLDENS[name]
    assert found.get("raised") == golden.get("raised")
    assert found.keys() == golden.keys()
    if "graph" in golden:
        difference = recording.first_graph_difference(golden["graph"], found["graph"])
        assert difference is None, difference
    if "values" in golden:
        difference = recording.value_difference(golden["values"], found["values"], rtol=1e-5)
        assert difference is None, difference


def test_every_case_is_recorded():
    assert set(GOLDENS) == set(call_cases.CASES)
