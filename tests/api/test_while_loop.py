"""while_loop, TensorArray, map_fn, scan, foldl, case and their gradients record what TF 1.15 does,
and refuse what it refuses.
"""

import json
from pathlib import Path

import pytest
import recording
import tensor_array_cases
import while_cases

GOLDEN = recording.read_json(str(Path(recording.DATA) / "while.json.gz"))


def _parameters(kind):
    modules = (while_cases, tensor_array_cases)
    return [
        pytest.param(group, name, case, id=f"{group}-{name}")
        for module in modules
        for group, cases in getattr(module, kind).items()
        for name, case in cases.items()
    ]


@pytest.mark.filterwarnings("ignore:Converting sparse IndexedSlices to a dense Tensor of unknown")
@pytest.mark.parametrize(("group", "name", "case"), _parameters("GRAPHS"))
def test_graph(tf, group, name, case):
    expected = GOLDEN["graphs"][group][name]
    with tf.Graph().as_default() as graph:
        said = case(tf)
    actual = recording.describe_graph(graph)
    difference = recording.first_graph_difference(expected["graph"], actual)
    assert difference is None, difference
    shapes = recording.shape_differences(expected["graph"]["shapes"], actual["shapes"])
    assert not shapes, "\n".join(shapes)
    assert json.loads(json.dumps(said)) == expected["said"]


@pytest.mark.parametrize(("group", "name", "case"), _parameters("MISTAKES"))
def test_mistake(tf, group, name, case):
    assert recording.raised(tf, case) == GOLDEN["mistakes"][group][name]


def test_every_golden_has_a_case():
    for kind in ("graphs", "mistakes"):
        recorded = {(g, name) for g, cases in GOLDEN[kind].items() for name in cases}
        assert recorded == {parameter.values[:2] for parameter in _parameters(kind.upper())}


def test_writing_another_dtype_is_logged(tf, caplog):
    tf.TensorArray(tf.float32, 3).write(0, tf.constant(1))
    assert "but expected dtype <dtype: 'float32'>.  This leads to undefined" in caplog.text


def test_summaries_of_a_loop_run_with_it(tf):
    """What the body adds to the collection of summaries leaves it: it can't be fetched."""

    def body(i):
        tf.add_to_collection("_SUMMARY_V2", tf.identity(i, name="inside"))
        return i + 1

    with tf.Graph().as_default() as graph:
        tf.while_loop(lambda i: i < 3, body, [0])
        assert not tf.get_collection("_SUMMARY_V2")
        waiting = graph.get_operation_by_name("while/inside")._control_outputs
        assert [op.name for op in waiting] == ["while/Identity_1"]


def test_unused_loop_state_is_not_shared(tf):
    """Two calls of tf.gradients through one loop build a gradient loop each."""
    with tf.Graph().as_default() as graph:
        x = tf.constant([1.0, 2.0])
        _, y = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * y), [0, x])
        tf.gradients(y, x)
        tf.gradients(y, x)
    frames = {op.get_attr("frame_name") for op in graph.get_operations() if op.type == "Enter"}
    assert frames == {
        b"while/while_context",
        b"gradients/while/while_context",
        b"gradients_1/while/while_context",
    }
