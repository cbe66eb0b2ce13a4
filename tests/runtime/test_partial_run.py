"""`Session.partial_run`: every operation runs once over all steps.  Texts are TensorFlow 1.15's."""

from __future__ import annotations

import numpy as np
import pytest


@pytest.fixture
def sess(tf):
    with tf.Session() as session:
        yield session


@pytest.fixture
def graph(tf):
    """a, b, c; r1 = a + b; r2 = r1 * c."""
    a, b, c = (tf.placeholder(tf.float32, [], name=name) for name in "abc")
    r1 = tf.add(a, b, name="r1")
    return a, b, c, r1, tf.multiply(r1, c, name="r2")


def test_steps(sess, graph):
    a, b, c, r1, r2 = graph
    for _ in range(2):
        handle = sess.partial_run_setup([r1, r2], [a, b, c])
        assert sess.partial_run(handle, r1, {a: 1, b: 2}) == 3
        assert sess.partial_run(handle, {"product": r2}, {c: 17}) == {"product": 51}


def test_feeds_one_by_one(sess, graph):
    a, b, c, r1, r2 = graph
    handle = sess.partial_run_setup([r1, "r2:0"], ["a:0", b, c])
    assert sess.partial_run(handle, [], {a: 1}) == []
    assert sess.partial_run(handle, [], {c: 3}) == []
    assert sess.partial_run(handle, [r2, r1], {b: 1}) == [6, 2]


def test_everything_in_one_step(sess, graph):
    a, b, c, r1, r2 = graph
    handle = sess.partial_run_setup([r1, r2], [a, b, c])
    assert sess.partial_run(handle, [r1, r2], {a: 1, b: 2, c: 3}) == [3, 9]


def test_the_handle_says_what_it_is_for(tf, sess, graph):
    a, b, _, r1, r2 = graph
    first = sess.partial_run_setup([r2, r1, tf.no_op(name="n")], [b, a])
    assert first.startswith("a:0,b:0->r1:0,r2:0/n/1/;")
    assert sess.partial_run_setup([r2, r1], [b, a]) != first


def test_an_operation_runs_once(tf, sess):
    calls = []

    def called(value):
        calls.append(value)
        return value

    b, c = tf.placeholder(tf.float32, []), tf.placeholder(tf.float32, [])
    number = tf.random_uniform([], seed=1) + tf.py_func(called, [tf.constant(0.0)], tf.float32)
    first, second = number + b, number + c
    handle = sess.partial_run_setup([first, second], [b, c])
    one = sess.partial_run(handle, first, {b: 0.0})
    assert sess.partial_run(handle, second, {c: 0.0}) == one
    assert len(calls) == 1


def test_a_step_runs_all_that_it_can(tf, sess):
    calls = []
    b, c = tf.placeholder(tf.float32, []), tf.placeholder(tf.float32, [])
    called = tf.py_func(lambda value: calls.append(value) or value, [b], tf.float32)
    last = called + c
    handle = sess.partial_run_setup([last], [b, c])
    sess.partial_run(handle, [], {b: 5.0})
    assert calls == [5.0]
    assert sess.partial_run(handle, last, {c: 1.0}) == 6.0


def test_updates_happen_once_and_are_seen(tf, sess):
    v = tf.Variable([1.0, 2.0])
    b, c = tf.placeholder(tf.float32, []), tf.placeholder(tf.float32, [])
    updated = tf.assign_add(v, [1.0, 1.0]) + b
    with tf.control_dependencies([updated]):
        after = v + c
    sess.run(v.initializer)
    handle = sess.partial_run_setup([updated, after], [b, c])
    np.testing.assert_array_equal(sess.partial_run(handle, updated, {b: 0.0}), [2, 3])
    np.testing.assert_array_equal(sess.partial_run(handle, after, {c: 0.5}), [2.5, 3.5])
    np.testing.assert_array_equal(sess.run(v), [2, 3])


def test_targets_run(tf, sess):
    v = tf.Variable(1.0)
    x = tf.placeholder(tf.float32, [])
    sess.run(v.initializer)
    handle = sess.partial_run_setup([tf.assign(v, x).op, x + 1], [x])
    sess.partial_run(handle, [], {x: 4.0})
    assert sess.run(v) == 4.0


def invalid(tf, text):
    return pytest.raises(tf.errors.InvalidArgumentError, match=text)


def test_mistakes(tf, sess, graph):
    a, b, c, r1, r2 = graph
    with invalid(tf, "^Must run 'setup' before performing partial runs!$"):
        sess.partial_run("no such handle", r1)
    with invalid(tf, r"^Must specify at least one target to fetch or execute\.$"):
        sess.partial_run_setup([], [])
    handle = sess.partial_run_setup([r1, r2], [a, b, c])
    with invalid(tf, r"^Fetch b:0 can't be computed from the feeds that have been fed so far\.$"):
        sess.partial_run(handle, r1, {a: 1})
    with invalid(tf, r"^The fetch Identity:0 was not specified in partial_run_setup\.$"):
        sess.partial_run(handle, tf.identity(r1), {a: 1, b: 2})
    with invalid(tf, r"^The feed r1:0 was not specified in partial_run_setup\.$"):
        sess.partial_run(handle, r2, {r1: 1})
    with pytest.raises(RuntimeError, match=r"^partial_run\(\) requires empty target_list\.$"):
        sess.partial_run(handle, [r1.op], {a: 1, b: 2})
    with pytest.raises(ValueError, match=r"Cannot feed value of shape \(1,\) for Tensor 'a:0'"):
        sess.partial_run(handle, r1, {a: [1], b: 2})
    # None of this used anything up.
    assert sess.partial_run(handle, r1, {a: 1, b: 2}) == 3
    with invalid(tf, r"^The feed a:0 has already been fed\.$"):
        sess.partial_run(handle, r2, {a: 1, c: 1})
    with invalid(tf, r"^The fetch r1:0 has already been fetched\.$"):
        sess.partial_run(handle, r1, {c: 1})
    assert sess.partial_run(handle, r2, {c: 2}) == 6
    with invalid(tf, "^Must run 'setup' before performing partial runs!$"):
        sess.partial_run(handle, r2)


def test_a_step_that_fails_ends_the_run(tf, sess):
    x, y = tf.placeholder(tf.float32, []), tf.placeholder(tf.float32, [])
    v = tf.Variable(1.0)
    sess.run(v.initializer)
    update = tf.assign_add(v, x)
    with tf.control_dependencies([update]):
        checked = tf.Assert(x > 0, [x])
    handle = sess.partial_run_setup([checked, update, x + y], [x, y])
    with invalid(tf, "assertion failed"):
        sess.partial_run(handle, update, {x: -1.0})
    assert sess.run(v) == 1.0
    with invalid(tf, "^Must run 'setup' before performing partial runs!$"):
        sess.partial_run(handle, [], {y: 1.0})


def test_a_closed_session(tf, graph):
    sess = tf.Session()
    handle = sess.partial_run_setup([graph[3]], list(graph[:2]))
    sess.close()
    with pytest.raises(RuntimeError, match=r"Attempted to use a closed Session\."):
        sess.partial_run(handle, graph[3], {graph[0]: 1, graph[1]: 2})
    with pytest.raises(RuntimeError, match=r"Attempted to use a closed Session\."):
        sess.partial_run_setup([graph[3]])


def test_loops_run_as_a_whole(tf, sess):
    """A loop runs in the step that has all it needs."""
    a, b = tf.placeholder(tf.float32, []), tf.placeholder(tf.float32, [])
    x = tf.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, x * 2 + a), [0, a])[1]
    y = tf.while_loop(lambda i, y: i < 2, lambda i, y: (i + 1, y * b + a), [0, x])[1]
    z = tf.cond(b > 0, lambda: y + a, lambda: x)
    w = tf.map_fn(lambda e: e * b, tf.stack([x, y]))
    for _ in range(2):
        handle = sess.partial_run_setup([x, y, z, w], [a, b])
        assert sess.partial_run(handle, x, {a: 1.0}) == 15
        assert sess.partial_run(handle, [y, z], {b: 2.0}) == [63, 64]
        np.testing.assert_array_equal(sess.partial_run(handle, w), [30, 126])
    handle = sess.partial_run_setup([x, y], [a, b])
    with pytest.raises(tf.errors.InvalidArgumentError, match="Fetch Placeholder_1:0 can't be"):
        sess.partial_run(handle, y, {a: 1.0})


def test_gradients_of_loops_of_earlier_steps_are_refused(tf, sess):
    a, b = tf.placeholder(tf.float32, []), tf.placeholder(tf.float32, [])
    x = tf.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, x * a), [0, a])[1]
    (gradient,) = tf.gradients(x * b, a)
    handle = sess.partial_run_setup([x, gradient], [a, b])
    assert sess.partial_run(handle, x, {a: 2.0}) == 16
    with pytest.raises(NotImplementedError, match="an earlier step saved in .*f_acc"):
        sess.partial_run(handle, gradient, {b: 1.0})
