"""Loops, branches and TensorArrays compute what TF 1.15 computes."""

from pathlib import Path

import flow_cases
import numpy as np
import pytest
import record_flow
import recording

GOLDEN = recording.read_json(str(Path(recording.DATA) / "flow.json.gz"))


def _same(actual, expected):
    if expected and isinstance(expected[0], str):
        dtype, value = expected
        assert str(actual[0]) == dtype
        np.testing.assert_allclose(actual[1], value, rtol=2e-5, atol=1e-6)
    else:
        assert len(actual) == len(expected)
        for one, other in zip(actual, expected, strict=True):
            _same(one, other)


@pytest.mark.filterwarnings("ignore:Converting sparse IndexedSlices to a dense Tensor of unknown")
@pytest.mark.parametrize(
    ("group", "name", "case"),
    [
        pytest.param(group, name, case, id=f"{group}-{name}")
        for group, cases in flow_cases.CASES.items()
        for name, case in cases.items()
    ],
)
def test_case(tf, group, name, case):
    found = record_flow.runs(tf, case)
    for i, (actual, expected) in enumerate(zip(found, GOLDEN[group][name], strict=True)):
        assert actual.get("error") == expected.get("error"), f"run {i}: {actual} {expected}"
        if "values" in expected:
            _same(actual["values"], expected["values"])
