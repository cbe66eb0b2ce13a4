"""Functional control flow records and computes what TF 1.15 records and computes."""

from pathlib import Path

import flow_v2_cases as cases
import pytest
import record_flow_v2
import recording

GOLDEN = recording.read_json(str(Path(recording.DATA) / "flow_v2.json.xz"))


@pytest.mark.filterwarnings("ignore:Converting sparse IndexedSlices to a dense Tensor of unknown")
@pytest.mark.parametrize("name", cases.PROGRAMS)
def test_program(tf, name):
    expected = GOLDEN["programs"][name]
    found = record_flow_v2.program(tf, cases.PROGRAMS[name])
    difference = recording.first_graph_difference(expected["graph"], found["graph"])
    assert difference is None, difference
    shapes = recording.shape_differences(expected["graph"]["shapes"], found["graph"]["shapes"])
    assert not shapes, "\n".join(shapes)
    for want, have in zip(expected["runs"], found["runs"], strict=True):
        assert want.get("error") == have.get("error")
        if "values" in want:
            difference = recording.value_difference(want["values"], have["values"], 2e-5)
            assert difference is None, difference
