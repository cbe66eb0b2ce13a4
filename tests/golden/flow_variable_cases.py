"""Programs whose form hangs on a variable: it is a predicate, a shape, an axis, a size.

As in `flow_cases`: every function takes the `tensorflow` module and returns (fetches, feeds).
"""

from __future__ import annotations

import numpy as np


def _flag(tf, value=True, **kwargs):
    return tf.Variable(value, trainable=False, name="flag", **kwargs)


def _feeds(x, *values):
    return [{x: np.float32(value)} for value in values]


def _flipped(tf, flag, after):
    with tf.control_dependencies(after):
        return tf.assign(flag, tf.logical_not(flag))


def predicate(tf, **kwargs):
    """As `is_training` of TFLearn."""
    flag, x, w = _flag(tf, **kwargs), tf.placeholder(tf.float32, []), tf.Variable(3.0)
    y = tf.cond(flag, lambda: x * w, lambda: x + w)
    grad = tf.gradients(y * y, [x, w])
    return [y, grad, _flipped(tf, flag, [y, *grad])], _feeds(x, 2, 3, 4)


def predicate_of_a_resource(tf):
    return predicate(tf, use_resource=True)


def predicate_with_a_write_between(tf):
    flag, x = _flag(tf), tf.placeholder(tf.float32, [])
    a = tf.cond(flag, lambda: x * 2.0, lambda: x + 10.0)
    with tf.control_dependencies([_flipped(tf, flag, [a])]):
        b = tf.cond(flag, lambda: x * 3.0, lambda: x + 20.0)
    return [a, b], _feeds(x, 1, 2, 3)


def written_by_its_branch(tf):
    """Initialized when it is used for the first time."""
    done, count = _flag(tf, False), tf.Variable(0)

    def begin():
        with tf.control_dependencies([count.assign_add(5), tf.assign(done, True)]):
            return count.read_value()

    return tf.cond(done, lambda: count.assign_add(1), begin), [{}, {}, {}]


def nested(tf):
    outer, inner = _flag(tf), tf.Variable(False, trainable=False)
    x = tf.placeholder(tf.float32, [])
    y = tf.cond(outer, lambda: tf.cond(inner, lambda: x * 2.0, lambda: x * 3.0), lambda: x + 1.0)
    z = tf.cond(inner, lambda: x - 1.0, lambda: x - 2.0)
    grad = tf.gradients(y, x)
    return [y, z, grad, _flipped(tf, inner, [y, z, *grad])], _feeds(x, 2, 3)


def python_in_a_branch(tf):
    flag, x = _flag(tf), tf.placeholder(tf.float32, [])
    y = tf.cond(flag, lambda: tf.py_func(lambda a: a + np.float32(100), [x], tf.float32), lambda: x)
    return [y, _flipped(tf, flag, [y])], _feeds(x, 1, 2, 3)


def asserted(tf):
    flag = _flag(tf)
    with tf.control_dependencies([tf.Assert(flag, ["off"])]):
        y = tf.constant(1.0) * 2.0
    return [y, _flipped(tf, flag, [y])], [{}]


def plain_switch(tf):
    flag, x = _flag(tf), tf.placeholder(tf.float32, [])
    taken = tf.raw_ops.Switch(data=x, pred=flag).output_true
    return taken, _feeds(x, 2)


def branch_in_a_loop(tf):
    flag, x = _flag(tf), tf.placeholder(tf.float32, [])
    _, y = tf.while_loop(
        lambda i, y: i < 4,
        lambda i, y: (i + 1, tf.cond(flag, lambda: y * x, lambda: y + x)),
        [0, x],
    )
    grad = tf.gradients(y, x)
    return [y, grad, _flipped(tf, flag, [y, *grad])], _feeds(x, 2, 3)


def condition_of_a_loop(tf):
    flag = _flag(tf)

    def body(i):
        with tf.control_dependencies([tf.assign(flag, i < 3)]):
            return i + 1

    return tf.while_loop(lambda i: flag, body, [0]), [{}]


def handed_on_by_a_loop(tf):
    flag, table = _flag(tf), tf.Variable([1.0, 2.0])
    zeros = tf.zeros([2])
    body = tf.while_loop(
        lambda i, *_: i < 3, lambda i, a, b: (i + 1, flag, table), [0, False, zeros]
    )
    start = tf.while_loop(lambda i, *_: i < 3, lambda i, a: (i + 1, a), [0, flag])
    return [body, start], [{}]


def length_of_a_loop(tf):
    n, x = tf.Variable(3), tf.placeholder(tf.float32, [])
    _, y = tf.while_loop(lambda i, y: i < n, lambda i, y: (i + 1, y * x), [0, x])
    with tf.control_dependencies([y]):
        more = n.assign_add(1)
    return [y, more], _feeds(x, 2, 2)


def size_of_a_range(tf):
    n = tf.Variable(3)
    y = tf.range(n)
    with tf.control_dependencies([y]):
        more = n.assign_add(1)
    return [y, more], [{}, {}, {}]


def size_after_a_write(tf):
    n = tf.Variable(3)
    with tf.control_dependencies([n.assign_add(1)]):
        return [tf.range(n.read_value()), tf.range(n + 0)], [{}, {}]


def range_in_a_loop(tf):
    n = tf.Variable(3)
    _, y = tf.while_loop(
        lambda i, y: i < 4, lambda i, y: (i + 1, y + tf.reduce_sum(tf.range(n))), [0, 0]
    )
    return y, [{}]


def shapes_and_axes(tf):
    shape, axis, x = tf.Variable([2, 3]), tf.Variable(1), tf.placeholder(tf.float32, [])
    table = tf.fill(shape, x)
    parts = [
        tf.reduce_sum(table, axis), tf.concat([table, table], axis), tf.zeros(shape),
        tf.reshape(tf.range(6), shape), tf.slice(tf.range(7), shape[:1], shape[1:]),
        tf.transpose(table, tf.Variable([1, 0])), tf.tile(table, shape), tf.one_hot(1, shape[1]),
    ]  # fmt: skip
    return parts, _feeds(x, 1, 2)


CASES = {
    case.__name__: case
    for case in (
        predicate, predicate_of_a_resource, predicate_with_a_write_between, written_by_its_branch,
        nested, python_in_a_branch, asserted, plain_switch, branch_in_a_loop, condition_of_a_loop,
        handed_on_by_a_loop, length_of_a_loop, size_of_a_range, size_after_a_write,
        range_in_a_loop, shapes_and_axes,
    )
}  # fmt: skip
