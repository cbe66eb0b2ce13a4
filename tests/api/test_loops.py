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


def test_two_loops_of_one_frame(tf):
    """A graph that is imported has the frames of the first."""
    y = tf.while_loop(lambda y: y < 9.0, lambda y: y * 2.0, [1.0], name="one")
    graph_def = tf.get_default_graph().as_graph_def()
    (z,) = tf.import_graph_def(graph_def, return_elements=[y.name], name="other")
    with tf.Session() as session:
        assert session.run(y) == session.run(z) == 16
        with pytest.raises(tf.errors.InvalidArgumentError) as raised:
            session.run([y, z])
    assert str(raised.value).startswith(
        'Invalid loop structure: Loop "one/while_context" has more than one LoopCond node: node '
        "other/one/LoopCond (defined at "
    )


def test_double_precision_on_the_host(tf):
    """What is the device's kind has its numbers, where a step of the host calls for it."""
    x = tf.constant([1.0 / 3.0, 2.0 / 3.0], tf.float64)
    n = tf.placeholder_with_default(3, [])

    def body(i, y):
        step = tf.py_func(lambda i: i + 1, [i], tf.int32)
        step.set_shape([])
        _, z = tf.while_loop(lambda j, _: j < 2, lambda j, z: (j + 1, tf.sin(z * x)), [0, y])
        return step, z

    _, y = tf.while_loop(lambda i, _: i < n, body, [0, x])
    point = np.array([1.0, 2.0]) / 3.0

    def in_numpy(x):
        y = x
        for _ in range(6):
            y = np.sin(y * x)
        return y

    with tf.Session() as session:
        value, slope = session.run([y, tf.gradients(y, x)[0]])
    np.testing.assert_allclose(value, in_numpy(point), rtol=1e-14)
    ends = [in_numpy(point + step) for step in (1e-6, -1e-6)]
    np.testing.assert_allclose(slope, (ends[0] - ends[1]) / 2e-6, rtol=1e-8)
