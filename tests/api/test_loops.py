"""Loops and TensorArrays compute, refuse and call what they do in TF 1.15."""

from pathlib import Path

import loop_cases
import numpy as np
import pytest
import record_loops
import recording

GOLDEN = recording.read_json(str(Path(recording.DATA) / "loops.json.gz"))


def _same(actual, expected):
    if expected and isinstance(expected[0], str):
        assert actual[0] == expected[0]
        if expected[0] == "string":
            assert actual[1] == expected[1]
        else:
            np.testing.assert_allclose(actual[1], expected[1], rtol=2e-5, atol=1e-6)
    else:
        assert len(actual) == len(expected)
        for one, other in zip(actual, expected, strict=True):
            _same(one, other)


@pytest.mark.parametrize(
    ("group", "name", "case"),
    [
        pytest.param(group, name, case, id=f"{group}-{name}")
        for group, cases in loop_cases.CASES.items()
        for name, case in cases.items()
    ],
)
def test_case(tf, group, name, case):
    found = record_loops.runs(tf, case)
    for i, (actual, expected) in enumerate(zip(found, GOLDEN[group][name], strict=True)):
        assert actual.get("error") == expected.get("error"), f"run {i}: {actual}"
        assert actual.get("log") == expected.get("log")
        if "values" in expected:
            _same(actual["values"], expected["values"])
