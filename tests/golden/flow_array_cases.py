"""Loops and branches that read and write TensorArrays.

As in `flow_cases`: every function takes the `tensorflow` module and returns (fetches, feeds).
"""

from __future__ import annotations

import numpy as np


def _vector(tf):
    return tf.placeholder(tf.float32, [2])


def _feeds(x, *values):
    return [{x: np.array(value, np.float32)} for value in values]


def rows_and_states(tf):
    x = tf.placeholder(tf.float32, [4, None, 3])
    w = tf.Variable(np.linspace(-1, 1, 9, dtype=np.float32).reshape(3, 3))
    inputs = tf.TensorArray(tf.float32, 4).unstack(x)
    states = tf.TensorArray(tf.float32, 4)

    def body(t, h, states):
        h = tf.tanh(tf.matmul(h, w) + inputs.read(t))
        return t + 1, h, states.write(t, h)

    start = (0, tf.zeros_like(x[0]), states)
    _, h, states = tf.while_loop(lambda t, h, _: t < 4, body, start)
    y = tf.reduce_sum(states.stack() ** 2) + tf.reduce_sum(h)
    value = np.linspace(0, 1, 24, dtype=np.float32).reshape(4, 2, 3)
    return [y, tf.gradients(y, [x, w])], [{x: value}, {x: value[:, :1]}]


def map_scan_fold(tf):
    x, w = tf.placeholder(tf.float32, [None, 2]), tf.Variable([0.5, 0.75])
    y = tf.map_fn(lambda row: tf.sin(row) * w, x)
    z = tf.scan(lambda a, row: a * row + w, x)
    u = tf.foldl(lambda a, row: a * row + w, x)
    v = tf.foldr(lambda a, row: a * row + w, x, initializer=tf.zeros([2]))
    value = np.linspace(0, 1, 8, dtype=np.float32).reshape(4, 2)
    found = [tf.gradients(t, [x, w]) for t in (y, z, u, v)]
    return [y, z, u, v, found], [{x: value}, {x: value[:2]}]


def nested_maps(tf):
    x = tf.placeholder(tf.float32, [None, 3])
    y = tf.map_fn(lambda row: tf.map_fn(lambda t: t * t * row[0], row), x)
    value = np.linspace(0, 1, 6, dtype=np.float32).reshape(2, 3)
    return [y, tf.gradients(y, x)], [{x: value}]


def map_of_several(tf):
    x = tf.placeholder(tf.float32, [None, 2])
    n = tf.placeholder(tf.int32, [None])
    y = tf.map_fn(
        lambda pair: (pair[0] * tf.cast(pair[1], tf.float32), pair[1] > 1), (x, n),
        dtype=(tf.float32, tf.bool),
    )  # fmt: skip
    return [y, tf.gradients(y[0], x)], [{x: [[1, 2], [3, 4]], n: [1, 2]}]


def map_of_branches(tf):
    x = tf.placeholder(tf.float32, [None])
    y = tf.map_fn(lambda t: tf.cond(t > 0, lambda: tf.log(t), lambda: t * 2.0), x)
    return [y, tf.gradients(y, x)], _feeds(x, [1, -1, 2], [0, 3])


def array_grows(tf):
    x, n = tf.placeholder(tf.float32, []), tf.placeholder(tf.int32, [])
    rows = tf.TensorArray(tf.float32, 0, dynamic_size=True)

    def body(i, y, rows):
        return i + 1, y * x, rows.write(i, [y, y + 1.0])

    _, y, rows = tf.while_loop(lambda i, y, rows: i < n, body, [0, x, rows])
    z = rows.stack()
    feeds = [{x: 2.0, n: count} for count in (3, 1, 5, 70)]
    return [z, rows.size(), tf.gradients(tf.reduce_sum(z * 0.5), x)], feeds


def array_grows_by_data(tf):
    x = tf.placeholder(tf.float32, [])
    rows = tf.TensorArray(tf.float32, 1, dynamic_size=True)

    def body(i, y, rows):
        return i + 1, y * x, rows.write(i, y)

    _, y, rows = tf.while_loop(lambda i, y, rows: y < 50.0, body, [0, x, rows])
    z = rows.stack()
    return [z, tf.gradients(z, x)], _feeds(x, 2, 1.5, 1.02)


def array_in_branch_in_loop(tf):
    x = _vector(tf)
    rows = tf.TensorArray(tf.float32, 4)

    def body(i, rows):
        def write(value):
            return lambda: rows.write(i, value()).flow

        flow = tf.cond(
            x[0] + tf.cast(i, tf.float32) > 1.5, write(lambda: x), write(lambda: x * 2.0)
        )
        return i + 1, tf.TensorArray(tf.float32, handle=rows.handle, flow=flow)

    _, rows = tf.while_loop(lambda i, _: i < 4, body, [0, rows])
    y = rows.stack()
    return [y, tf.gradients(y, x)], _feeds(x, [1, 2], [-1, 2])


def array_made_in_loop(tf):
    x = _vector(tf)

    def body(i, y):
        rows = tf.TensorArray(tf.float32, 2).write(0, y).write(1, y * x)
        return i + 1, tf.reduce_sum(rows.stack(), 0)

    _, y = tf.while_loop(lambda i, y: i < 3, body, [0, x])
    return [y, tf.gradients(y, x)], _feeds(x, [1, 2])


def scatter_gather(tf):
    x = tf.placeholder(tf.float32, [None, 2])
    rows = tf.TensorArray(tf.float32, 4, clear_after_read=False).scatter([3, 0, 2], x)
    y = rows.gather([0, 3, 3]) * [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]
    return [y, tf.gradients(y * y, x)], [{x: [[1, 2], [3, 4], [5, 6]]}]


def concat_split(tf):
    x = tf.placeholder(tf.float32, [None, 2])
    parts = tf.TensorArray(tf.float32, 3, infer_shape=False).split(x, [1, 3, 0])
    y = parts.concat() * 2.0
    z = tf.TensorArray(tf.float32, 2, infer_shape=False)
    z = z.write(0, x[:1]).write(1, x * 3.0)
    u = z.concat()
    value = np.arange(8, dtype=np.float32).reshape(4, 2)
    return [y, u, tf.gradients(y * y, x), tf.gradients(u * u, x)], [{x: value}]


def parts_of_a_split(tf):
    x = tf.placeholder(tf.float32, [None])
    parts = tf.TensorArray(tf.float32, 2, infer_shape=False).split(x, [1, 3])
    y = parts.read(0) * 2.0 + tf.reduce_sum(parts.read(1))
    return [y, tf.gradients(y, x)], _feeds(x, [1, 2, 3, 4])


def read_many_times(tf):
    x = tf.placeholder(tf.float32, [4])
    rows = tf.TensorArray(tf.float32, 4, clear_after_read=False).unstack(x)

    def body(i, y):
        return i + 1, y * rows.read(i % 4) + rows.read((i + 1) % 4)

    _, y = tf.while_loop(lambda i, y: i < 7, body, [0, 1.0])
    return [y, tf.gradients(y, x)], _feeds(x, [1, 0.5, 2, 0.25])


def writes_out_of_range(tf):
    n = tf.placeholder(tf.int32, [])
    rows = tf.TensorArray(tf.float32, 3)
    _, rows = tf.while_loop(
        lambda i, _: i < n, lambda i, rows: (i + 1, rows.write(i, 1.0)), [0, rows]
    )
    return [rows.stack()], [{n: 3}, {n: 4}]


CASES = {
    case.__name__: case
    for case in (
        rows_and_states, map_scan_fold, nested_maps, map_of_several, map_of_branches, array_grows,
        array_grows_by_data, array_in_branch_in_loop, array_made_in_loop, scatter_gather,
        concat_split, parts_of_a_split, read_many_times,
        writes_out_of_range,
    )
}  # fmt: skip
