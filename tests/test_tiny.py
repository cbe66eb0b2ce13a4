"""A second's worth of everything: run it after each edit."""

from __future__ import annotations

import numpy as np
import pytest


def test_a_graph_is_recorded(tf):
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    y = tf.matmul(x, tf.constant([[1.0], [2.0]]), name="y")
    assert [op.name for op in tf.get_default_graph().get_operations()] == ["x", "Const", "y"]
    assert y.shape.as_list() == [None, 1]
    with pytest.raises(ValueError, match="Dimensions must be equal, but are 2 and 3 for 'MatMul'"):
        tf.matmul(x, tf.ones([3, 1]))


def test_a_session_runs_it(tf):
    x = tf.placeholder(tf.float32, [None])
    with tf.Session() as session:
        total, doubled = session.run([tf.reduce_sum(x), x * 2.0], {x: [1, 2, 3]})
    assert total == 6.0
    np.testing.assert_array_equal(doubled, np.array([2, 4, 6], np.float32))


def test_a_variable_is_trained(tf):
    w = tf.get_variable("w", initializer=3.0)
    step = tf.train.GradientDescentOptimizer(0.25).minimize(tf.square(w))
    with tf.Session() as session:
        with pytest.raises(tf.errors.FailedPreconditionError, match="uninitialized value w"):
            session.run(w)
        session.run(tf.global_variables_initializer())
        values = [session.run([step, w])[1] for _ in range(2)]
    assert values == [1.5, 0.75]


def test_gradients(tf):
    x = tf.constant(2.0)
    first = tf.gradients(x**3, x)[0]
    second = tf.gradients(first, x)[0]
    with tf.Session() as session:
        assert session.run([first, second]) == [12.0, 12.0]


def test_a_gradient_is_overridden(tf):
    graph = tf.get_default_graph()

    @tf.RegisterGradient("Tenfold")
    def _tenfold(op, grad):
        return 10.0 * grad

    x = tf.constant(2.0)
    with graph.gradient_override_map({"Identity": "Tenfold"}):
        y = tf.identity(x)
    with tf.Session() as session:
        assert session.run(tf.gradients(y, x)[0]) == 10.0


def test_control_flow(tf):
    n = tf.placeholder(tf.int32, [])
    _, product = tf.while_loop(lambda i, _: i <= n, lambda i, p: (i + 1, p * i), [1, 1])
    sign = tf.cond(n > 3, lambda: tf.constant(1), lambda: tf.constant(-1))
    with tf.Session() as session:
        assert session.run([product, sign], {n: 5}) == [120, 1]


def test_seeded_numbers_are_those_of_tensorflow(tf):
    tf.set_random_seed(0)
    x = tf.random_uniform([3], seed=9)
    with tf.Session() as session:
        np.testing.assert_array_equal(
            session.run(x), np.array([0.70880806, 0.3939954, 0.67383504], np.float32)
        )
