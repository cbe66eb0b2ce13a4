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
        _check_run(want, have)


def _check_run(expected, found):
    assert found.get("error") == expected.get("error")
    if "values" in expected:
        difference = recording.value_difference(expected["values"], found["values"], 2e-5)
        assert difference is None, difference


@pytest.mark.parametrize("name", cases.MISTAKES)
def test_mistake(tf, name):
    assert record_flow_v2.mistake(tf, cases.MISTAKES[name]) == GOLDEN["mistakes"][name]


@pytest.mark.parametrize("name", cases.FAILING)
def test_failure(tf, name):
    _check_run(GOLDEN["failing"][name], record_flow_v2.failure(tf, cases.FAILING[name]))


def test_eager(tf):
    from tensorflow.python.eager import context

    with tf.Graph().as_default(), context.eager_mode():
        found = record_flow_v2.eager(tf)
    expected = GOLDEN["eager"]
    assert found["mistakes"] == expected["mistakes"]
    for name, want in expected["values"].items():
        difference = recording.value_difference(want, found["values"][name], 2e-5)
        assert difference is None, f"{name}: {difference}"
