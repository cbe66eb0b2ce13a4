"""Optimizers against TensorFlow 1.15: graphs, and the update rules one by one."""

from __future__ import annotations

import goldens
import numpy as np
import pytest
import update_rule_cases


@pytest.mark.parametrize("name", goldens.names("optimizers"))
def test_graph(tf, name):
    goldens.check_graph(tf, "optimizers", name)


RULES = goldens.GOLDEN["update_rules"]


@pytest.mark.parametrize("case", list(RULES["values"]))
def test_update_rule(tf, case):
    name, indices = case.rsplit(" ", 1)
    op_type, _, dtype, _ = update_rule_cases.CASES[name]
    found = update_rule_cases.run(tf, name, RULES["arguments"][op_type], indices)
    # A few roundings, of which Ftrl's division by the learning rate (0.1) makes ten times as much.
    tolerance = 32 * np.finfo(dtype).eps
    for i, (expected, actual) in enumerate(zip(RULES["values"][case], found, strict=True)):
        np.testing.assert_allclose(actual, expected, rtol=tolerance, atol=tolerance, err_msg=str(i))


def test_every_update_rule_is_recorded():
    recorded = {case.rsplit(" ", 1)[0] for case in RULES["values"]}
    assert recorded == set(update_rule_cases.CASES)


def test_sparse_indices_out_of_range(tf):
    v = tf.Variable(np.ones((3, 2), np.float32))
    accum = tf.Variable(np.ones((3, 2), np.float32))
    grad = np.ones((2, 2), np.float32)
    step = tf.raw_ops.SparseApplyAdagrad(
        var=v._ref(), accum=accum._ref(), lr=1.0, grad=grad, indices=[0, 8]
    )
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        text = "Index 8 at offset 1 in indices is out of range"
        with pytest.raises(tf.errors.InvalidArgumentError, match=text):
            sess.run(step)
        np.testing.assert_array_equal(sess.run(v), np.ones((3, 2)))
        np.testing.assert_array_equal(sess.run(accum), np.ones((3, 2)))


def test_settings_may_be_functions(tf):
    rates = [0.5]
    v = tf.Variable([1.0])
    train = tf.train.GradientDescentOptimizer(lambda: rates[0]).minimize(tf.reduce_sum(v))
    with tf.Session() as sess:
        sess.run(v.initializer)
        sess.run(train)
        np.testing.assert_array_equal(sess.run(v), [0.5])


def test_the_global_step_counts(tf):
    step = tf.train.get_or_create_global_step()
    v = tf.Variable([1.0])
    train = tf.train.AdamOptimizer(0.1).minimize(tf.reduce_sum(v * v), global_step=step)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(3):
            sess.run(train)
        assert tf.train.global_step(sess, step) == 3


def test_a_constraint_holds_after_each_step(tf):
    v = tf.get_variable("v", initializer=[0.5, 0.1], constraint=lambda x: tf.maximum(x, 0.0))
    train = tf.train.GradientDescentOptimizer(1.0).minimize(tf.reduce_sum(0.3 * v))
    with tf.Session() as sess:
        sess.run(v.initializer)
        sess.run(train)
        np.testing.assert_allclose(sess.run(v), [0.2, 0.0], rtol=1e-6)


def test_users_can_write_optimizers(tf):
    class SignDescent(tf.train.Optimizer):
        def __init__(self, rate):
            super().__init__(use_locking=False, name="SignDescent")
            self._rate = rate

        def _apply_dense(self, grad, var):
            return tf.assign_sub(var, self._rate * tf.sign(grad))

    v = tf.Variable([1.0, -2.0], name="v")
    optimizer = SignDescent(0.25)
    train = optimizer.minimize(tf.reduce_sum(v * v))
    assert optimizer.get_slot_names() == []
    with tf.Session() as sess:
        sess.run(v.initializer)
        sess.run(train)
        np.testing.assert_array_equal(sess.run(v), [0.75, -1.75])
