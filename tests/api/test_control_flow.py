"""Loops, branches and TensorArrays compute what TF 1.15 computes."""

from pathlib import Path

import flow_cases
import jax
import numpy as np
import pytest
import record_flow
import recording

from tf1compat.migrate import to_jax

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


def test_an_exported_loop_with_branches_is_differentiated_alike(tf):
    x, twice = tf.placeholder(tf.float32, [2]), tf.placeholder(tf.bool, [])
    y = tf.cond(tf.reduce_sum(x) > 0, lambda: tf.sqrt(x), lambda: tf.exp(x))
    y = tf.cond(twice, lambda: y * 2.0, lambda: tf.abs(y))
    _, z = tf.while_loop(lambda i, z: i < 5, lambda i, z: (i + 1, tf.maximum(z * y, z)), [0, x])
    loss = tf.reduce_sum(z * z)
    (grad,) = tf.gradients(loss, x)
    function, params = to_jax(loss, [x, twice])
    of_grad, _ = to_jax(grad, [x, twice])
    with tf.Session() as session:
        for value in ([1.0, 2.0], [-1.0, -0.5]):
            for flag in (True, False):
                point = np.array(value, np.float32)
                expected = session.run(grad, {x: point, twice: flag})
                found = jax.grad(lambda v, flag=flag: function(params, v, flag))(point)
                np.testing.assert_allclose(found, expected, rtol=1e-5)
                np.testing.assert_allclose(of_grad({}, point, flag), expected, rtol=1e-5)


def test_a_repeated_run_looks_at_no_graph(tf, xla):
    """One program, and its fast path: also where the number of iterations was guessed."""
    x, limit = tf.placeholder(tf.float32, []), tf.placeholder(tf.float32, [])
    y = tf.while_loop(lambda y: y < limit, lambda y: y * x, [x])
    (grad,) = tf.gradients(tf.cond(y > 50.0, lambda: y, lambda: y * 2.0), x)
    with tf.Session() as session:
        assert session.run(grad, {x: 2.0, limit: 40.0}) == 6 * 2**5
        (run,) = session._runs.values()
        assert run.program._plan.only is not None
        assert run.program._repeat is not None
        for exponent in (6, 5, 6):
            assert session.run(grad, {x: 2.0, limit: 2.0**exponent - 1}) == exponent * 2.0 ** (
                exponent - 1
            ) * (1 if exponent == 6 else 2)
        small = np.float32(1.01)
        many = session.run(grad, {x: small, limit: 10.0})
        np.testing.assert_allclose(many, 2 * 232 * 1.01**231, rtol=1e-4)


def test_a_guess_that_was_too_small_changes_nothing(tf):
    v, x = tf.Variable(1.0), tf.placeholder(tf.float32, [])
    y = tf.while_loop(lambda y: y < 10.0, lambda y: y * x, [x * v])
    with tf.control_dependencies(tf.gradients(y, x)):
        step = v.assign_add(1.0)
    with tf.Session() as session:
        session.run(v.initializer)
        assert session.run(step, {x: 2.0}) == 2
        assert session.run(step, {x: 1.01}) == 3
        assert session.run(v) == 3
