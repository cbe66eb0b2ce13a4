"""Small programs with loops, branches and TensorArrays, and what to run of them.

Every function takes the `tensorflow` module and builds a graph; it returns (fetches, feeds): what
is fetched, and a list of feed dicts, one for each run. All runs are of one session, whose variables
are initialized before.
"""

from __future__ import annotations

import flow_array_cases
import flow_mistake_cases
import flow_tree_cases
import flow_variable_cases
import numpy as np
from flow_array_cases import _feeds, _vector

ONCE = [{}]


def _collect(*group):
    """Functions in a dict by name."""
    return {f.__name__: f for f in group}


# ---- loops ----------


def counted(tf):
    x = _vector(tf)
    i, y = tf.while_loop(lambda i, y: i < 5, lambda i, y: (i + 1, y * x + 1.0), [0, x])
    return [i, y, tf.gradients(y, x)], _feeds(x, [1, 2], [0.5, -1])


def counted_down(tf):
    x = _vector(tf)
    i, y = tf.while_loop(lambda i, y: i > -3, lambda i, y: (i - 2, y * x), [7, x])
    return [i, y, tf.gradients(y, x)], _feeds(x, [1, 2])


def data_dependent(tf):
    x = tf.placeholder(tf.float32, [])
    i, y = tf.while_loop(lambda i, y: y < 100.0, lambda i, y: (i + 1, y * x), [0, x])
    return [i, y, tf.gradients(y, x)], _feeds(x, 2.0, 1.5, 1.01, 200.0, 3.0)


def many_turns(tf):
    x = tf.placeholder(tf.float32, [])
    n = tf.constant(3000)
    _, y = tf.while_loop(lambda i, y: i < n, lambda i, y: (i + 1, y * 0.999 + x), [0, x])
    return [y, tf.gradients(y, x)], _feeds(x, 0.5)


def fed_turns(tf):
    x, n = _vector(tf), tf.placeholder(tf.int32, [])
    _, y = tf.while_loop(lambda i, y: i < n, lambda i, y: (i + 1, tf.sin(y * x)), [0, x])
    value = np.array([1.0, 2.0], np.float32)
    return [y, tf.gradients(y, x)], [{x: value, n: count} for count in (3, 0, 5, 100)]


def no_turn(tf):
    x = _vector(tf)
    i, y = tf.while_loop(lambda i, y: i < 0, lambda i, y: (i + 1, y * x), [0, x * 2.0])
    return [i, y, tf.gradients(y, x)], _feeds(x, [1, 2])


def maximum_iterations(tf):
    x, n = tf.placeholder(tf.float32, []), tf.placeholder(tf.int32, [])
    y = tf.while_loop(lambda y: y < 100.0, lambda y: y * x, [x], maximum_iterations=n)
    z = tf.while_loop(lambda z: z < 100.0, lambda z: z * x, [x], maximum_iterations=4)
    feeds = [{x: 1.5, n: 3}, {x: 1.5, n: 100}, {x: 50.0, n: 100}]
    return [y, z, tf.gradients(y, x), tf.gradients(z, x)], feeds


def invariants(tf):
    x, w, b = _vector(tf), tf.Variable([[1.0, 0.5], [0.25, 2.0]]), tf.Variable([0.5, 0.25])

    def body(i, y):
        return i + 1, tf.tanh(tf.squeeze(tf.matmul(y[None], w), 0) + b)

    _, y = tf.while_loop(lambda i, y: i < 4, body, [0, x], swap_memory=True)
    return [y, tf.gradients(y, [x, w, b])], _feeds(x, [1, 2], [0.1, 0.2])


def several_exits(tf):
    x = _vector(tf)

    def body(i, y, z, u):
        return i + 1, y * tf.reduce_sum(z), z * 0.5, u + y

    _, y, z, u = tf.while_loop(lambda i, y, z, u: i < 3, body, [0, x, x * 2.0, tf.zeros([2])])
    found = [tf.gradients(value, x) for value in (y, z, u, y * z)]
    return [y, z, u, found], _feeds(x, [1, 2], [0.5, 0.25])


def swapped(tf):
    x, y = _vector(tf), _vector(tf)
    _, a, b = tf.while_loop(lambda i, a, b: i < 3, lambda i, a, b: (i + 1, b * 2.0, a), [0, x, y])
    return [a, b, tf.gradients(a, [x, y]), tf.gradients(b, [x, y])], [{x: [1, 2], y: [3, 4]}]


def nested(tf):
    x, w = _vector(tf), tf.Variable([0.5, 0.25])

    def inner(j, y):
        return j + 1, tf.sin(y * w)

    def body(i, y):
        return i + 1, tf.while_loop(lambda j, y: j < i, inner, [0, y])[1] * y

    _, y = tf.while_loop(lambda i, y: i < 4, body, [0, x])
    return [y, tf.gradients(y, [x, w])], _feeds(x, [1, 2])


def nested_by_data(tf):
    x, n = _vector(tf), tf.placeholder(tf.int32, [])

    def inner(j, y):
        return j + 1, y * x

    def body(i, y):
        _, z = tf.while_loop(
            lambda j, y: tf.reduce_max(y) < 3.0 * tf.cast(i + 1, tf.float32), inner, [0, y]
        )
        return i + 1, z * 0.5

    _, y = tf.while_loop(lambda i, y: i < n, body, [0, x])
    value = np.array([1.25, 1.5], np.float32)
    return [y, tf.gradients(y, x)], [{x: value, n: count} for count in (1, 3, 0, 40)]


def nested_thrice(tf):
    x = _vector(tf)

    def level(depth, y):
        def body(i, y):
            return i + 1, level(depth - 1, y) if depth else y * x

        return tf.while_loop(lambda i, y: i < 2, body, [0, y])[1]

    y = level(2, x)
    return [y, tf.gradients(y, x)], _feeds(x, [1, 1.25])


def one_after_the_other(tf):
    x = _vector(tf)
    _, y = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * x), [0, x])
    _, z = tf.while_loop(lambda i, z: i < 2, lambda i, z: (i + 1, tf.sin(z) * y), [0, y])
    return [z, tf.gradients(z, x)], _feeds(x, [1, 1.25])


def grows(tf):
    x = tf.placeholder(tf.float32, [None, 2])
    shapes = [tf.TensorShape([]), tf.TensorShape([None, 2])]
    _, y = tf.while_loop(
        lambda i, y: i < 3, lambda i, y: (i + 1, tf.concat([y, y * 2.0], 0)), [0, x],
        shape_invariants=shapes,
    )  # fmt: skip
    return [y, tf.gradients(y * y, x)], _feeds(x, [[1, 2]], [[1, 2], [3, 4]])


def grows_by_data(tf):
    x = tf.placeholder(tf.float32, [None])
    y = tf.while_loop(
        lambda y: tf.reduce_sum(y) < 20.0, lambda y: tf.concat([y, y[-1:] + 1.0], 0), [x],
        shape_invariants=[tf.TensorShape([None])],
    )  # fmt: skip
    return [y], _feeds(x, [1], [1, 2], [30])


def slices_by_counter(tf):
    x = tf.placeholder(tf.float32, [5])

    def body(i, y):
        return i + 1, y + tf.reduce_sum(x[:i]) + tf.reduce_sum(tf.cast(tf.range(i), tf.float32))

    _, y = tf.while_loop(lambda i, y: i < 5, body, [0, 0.0])
    return [y, tf.gradients(y, x)], _feeds(x, [1, 2, 3, 4, 5])


def shapes_from_outside(tf):
    x, n = tf.placeholder(tf.float32, [None]), tf.placeholder(tf.int32, [])

    def body(i, y):
        return i + 1, y + tf.reduce_sum(tf.reshape(x, [n, -1]) * tf.ones([n, 1]), 0)

    shapes = [tf.TensorShape([]), tf.TensorShape([None])]
    _, y = tf.while_loop(lambda i, y: i < 3, body, [0, tf.zeros([tf.size(x) // n])], shapes)
    value = np.arange(6, dtype=np.float32)
    return [y, tf.gradients(y, x)], [{x: value, n: 2}, {x: value, n: 3}]


def finds(tf):
    x = tf.placeholder(tf.float32, [4])

    def body(i, total):
        return i + 1, total + tf.reduce_sum(tf.boolean_mask(x, x > tf.cast(i, tf.float32)))

    _, y = tf.while_loop(lambda i, y: i < 3, body, [0, 0.0])
    return [y, tf.gradients(y, x)], _feeds(x, [0, 1, 2, 3])


def rows_of_a_table(tf):
    table = tf.Variable(np.arange(12, dtype=np.float32).reshape(4, 3))
    ids = tf.placeholder(tf.int32, [None])

    def body(i, y):
        rows = tf.nn.embedding_lookup(table, tf.minimum(ids + i, 3))
        return i + 1, y + tf.reduce_sum(rows * rows)

    _, y = tf.while_loop(lambda i, y: i < 3, body, [0, 0.0])
    (slices,) = tf.gradients(y, table)
    step = tf.train.GradientDescentOptimizer(0.01).minimize(y)
    with tf.control_dependencies([step]):
        after = table.read_value()
    return [y, slices.values, slices.indices, after], [{ids: [0, 1]}, {ids: [2]}]


def rows_by_data(tf):
    table = tf.Variable(np.arange(8, dtype=np.float32).reshape(4, 2))
    x = tf.placeholder(tf.float32, [])

    def body(i, y):
        return i + 1, y + tf.reduce_sum(tf.gather(table, [i % 4, 1])) * 0.5

    i, y = tf.while_loop(lambda i, y: y < x, body, [0, 0.0])
    (slices,) = tf.gradients(y, table)
    return [i, y, tf.convert_to_tensor(slices)], _feeds(x, 1, 30, 10)


def gradient_inside(tf):
    x, w = _vector(tf), tf.Variable([0.5, 0.25])

    def body(i, y):
        z = tf.sin(y * w)
        g, h = tf.gradients(z, [y, w])
        return i + 1, y - 0.1 * g + h

    _, y = tf.while_loop(lambda i, y: i < 3, body, [0, x])
    return [y, tf.gradients(y, [x, w])], _feeds(x, [1, 2])


def loop_gradient_inside(tf):
    x = _vector(tf)

    def body(i, y):
        _, z = tf.while_loop(lambda j, z: j < 2, lambda j, z: (j + 1, z * z), [0, y])
        return i + 1, y - 0.1 * tf.gradients(z, y)[0]

    _, y = tf.while_loop(lambda i, y: i < 3, body, [0, x])
    return [y], _feeds(x, [0.5, 0.25])


def integers_and_bools(tf):
    x = tf.placeholder(tf.int64, [3])

    def body(i, y, seen):
        return i + 1, y * x, tf.logical_or(seen, y > 50)

    start = [0, x, tf.zeros([3], tf.bool)]
    _, y, seen = tf.while_loop(lambda i, y, seen: i < 3, body, start)
    return [y, seen], [{x: [1, 2, 5]}]


def printed_counter(tf):
    i = tf.while_loop(lambda i: i < 10, lambda i: i + 3, [tf.constant(1)])
    return [i], ONCE


# ---- effects in loops ----------


def variables_updated(tf):
    v, r = tf.Variable(1.0), tf.Variable(2.0, use_resource=True)
    n = tf.placeholder(tf.int32, [])

    def body(i, y):
        with tf.control_dependencies([tf.assign_add(v, 1.0)]):
            with tf.control_dependencies([r.assign(r * v)]):
                value = r.read_value()
        with tf.control_dependencies([value]):
            return i + 1, y + value

    _, y = tf.while_loop(lambda i, y: i < n, body, [0, 0.0])
    with tf.control_dependencies([y]):
        after = [v.read_value(), r.read_value()]
    return [y, after], [{n: 3}, {n: 0}, {n: 1}]


def random_in_body(tf):
    def body(i, y):
        return i + 1, y + tf.random_uniform([2], seed=i.graph.version * 0 + 3)

    tf.set_random_seed(7)
    _, y = tf.while_loop(lambda i, y: i < 3, body, [0, tf.zeros([2])])
    return [y], [{}, {}]


def python_in_body(tf):
    seen = []
    x = _vector(tf)

    def twice(value):
        seen.append(1)
        return value * 2

    def body(i, y):
        z = tf.py_func(twice, [y], tf.float32)
        z.set_shape([2])
        return i + 1, z * x

    _, y = tf.while_loop(lambda i, y: i < 3, body, [0, x])
    count = tf.py_func(lambda _: np.int64(len(seen)), [y], tf.int64)
    return [y, count], _feeds(x, [1, 2], [0.5, 1])


def python_and_state_in_body(tf):
    v = tf.Variable(0.0)
    x = _vector(tf)
    rows = tf.TensorArray(tf.float32, 3)

    def body(i, y, rows):
        z = tf.reshape(tf.py_func(lambda t: t + 1, [y], tf.float32), [2])
        with tf.control_dependencies([tf.assign_add(v, tf.reduce_sum(z))]):
            z = z + tf.random_uniform([2], seed=5) * 0.0
        return i + 1, z, rows.write(i, z)

    _, y, rows = tf.while_loop(lambda i, y, rows: i < 3, body, [0, x, rows])
    with tf.control_dependencies([y]):
        return [y, rows.stack(), v.read_value()], _feeds(x, [1, 2], [3, 4])


def assert_in_body(tf):
    x = _vector(tf)

    def body(i, y):
        with tf.control_dependencies([tf.assert_less(y, 100.0, message="too large")]):
            return i + 1, y * x

    _, y = tf.while_loop(lambda i, y: i < 4, body, [0, x])
    return [y], _feeds(x, [1, 2], [1, 20])


def effects_of_the_condition_on_the_host(tf):
    return effects_of_the_condition(
        tf, lambda y: tf.py_func(lambda t: t + np.float32(3), [y], tf.float32)
    )


def effects_of_the_condition(tf, body=lambda y: y + 3.0):
    v = tf.Variable(0.0)
    n = tf.placeholder(tf.float32, [])

    def holds(y):
        checked = tf.Assert(y < 20.0, ["too large", n])
        with tf.control_dependencies([checked, tf.assign_add(v, 1.0)]):
            return y + tf.random_uniform([], seed=4) < n

    shapes = [tf.TensorShape(None)]
    y = tf.while_loop(holds, body, [0.0], shapes, parallel_iterations=1)
    with tf.control_dependencies([y]):
        return [y, v.read_value()], [{n: 7.0}, {n: 0.0}, {n: 7.0}, {n: 30.0}]


# ---- branches ----------


def branch(tf):
    x, w = _vector(tf), tf.Variable([0.5, 2.0])
    y = tf.cond(tf.reduce_sum(x) > 0, lambda: tf.log(x) * w, lambda: tf.exp(x) * x)
    return [y, tf.gradients(y, [x, w])], _feeds(x, [1, 2], [-1, -2])


def second_derivative(tf):
    x, w = _vector(tf), tf.Variable([0.5, 2.0])
    y = tf.cond(tf.reduce_sum(x) > 0, lambda: tf.log(x) * w, lambda: tf.exp(x) * x * w)
    (g,) = tf.gradients(y, x)
    return [tf.gradients(g, [x, w])], _feeds(x, [1, 2], [-1, -2])


def nan_in_the_dead_branch(tf):
    x = tf.placeholder(tf.float32, [])
    y = tf.cond(x > 0, lambda: tf.sqrt(x), lambda: tf.zeros([]))
    z = tf.cond(x > 0, lambda: 1.0 / x, lambda: x * 2.0)
    return [y, z, tf.gradients(y + z, x)], _feeds(x, 4.0, 0.0, -1.0)


def nested_branches(tf):
    x, w = _vector(tf), tf.Variable([0.5, 2.0])

    def positive():
        return tf.cond(x[0] > 2, lambda: tf.log(x) * w, lambda: tf.sin(x * w))

    y = tf.cond(tf.reduce_sum(x) > 0, positive, lambda: tf.exp(x))
    return [y, tf.gradients(y, [x, w])], _feeds(x, [1, 2], [3, 2], [-1, -2])


def branch_after_branch(tf):
    x, w = _vector(tf), tf.Variable([0.5, 2.0])
    p = tf.reduce_sum(x) > 0
    y = tf.cond(p, lambda: x * w, lambda: x + w)
    y = tf.layers.flatten(y[None])[0] + 1.0
    z = tf.cond(p, lambda: tf.exp(y), lambda: tf.sin(y))
    u = tf.cond(tf.reduce_sum(z) > 3, lambda: z * y, lambda: y - z)
    return [y, z, u, tf.gradients(u, [x, w])], _feeds(x, [1, 2], [-1, -2], [0.1, 0.1])


def case(tf):
    x = tf.placeholder(tf.float32, [])
    y = tf.case(
        [(x < 0, lambda: x * 2.0), (x < 1, lambda: tf.sqrt(x)), (x < 2, lambda: x * x)],
        default=lambda: tf.log(x),
    )
    return [y, tf.gradients(y, x)], _feeds(x, -1, 0.25, 1.5, 4)


def different_shapes(tf):
    x = _vector(tf)
    y = tf.cond(x[0] > 0, lambda: tf.range(3.0), lambda: tf.range(4.0))
    return [y], _feeds(x, [1, 2], [-1, 2])


def shape_in_a_branch(tf):
    x, n = tf.placeholder(tf.float32, [6]), tf.placeholder(tf.int32, [])
    shape = tf.cond(n > 2, lambda: tf.constant([2, 3]), lambda: tf.constant([3, 2]))
    y = tf.reshape(x, shape)
    value = np.arange(6, dtype=np.float32)
    return [y, tf.gradients(y * y, x)], [{x: value, n: 1}, {x: value, n: 3}]


def effects_in_branches(tf):
    v, r = tf.Variable(1.0), tf.Variable(2.0, use_resource=True)
    x = _vector(tf)

    def one():
        with tf.control_dependencies([tf.assign_add(v, 1.0)]):
            return tf.identity(v) + 0.0

    def other():
        with tf.control_dependencies([r.assign_add(10.0)]):
            return r.read_value() * 1.0

    y = tf.cond(x[0] > 0, one, other)
    with tf.control_dependencies([y]):
        z = tf.cond(x[1] > 0, lambda: v.assign(v * 2.0) + 0.0, lambda: r + v)
    with tf.control_dependencies([z]):
        after = [v.read_value(), r.read_value()]
    return [y, z, after], _feeds(x, [1, 1], [1, -1], [-1, 1], [-1, -1])


def update_if(tf):
    v = tf.Variable([1.0, 2.0])
    x = _vector(tf)
    y = tf.reduce_sum((v - x) ** 2)
    optimizer = tf.train.MomentumOptimizer(0.1, 0.9)
    step = tf.cond(y > 1.0, lambda: optimizer.minimize(tf.reduce_sum((v - x) ** 2)), tf.no_op)
    with tf.control_dependencies([step]):
        return [y, v.read_value()], _feeds(x, [1, 1], [1.1, 2.1], [5, 5], [5, 5])


def random_in_branches(tf):
    x = _vector(tf)
    y = tf.cond(
        x[0] > 0, lambda: tf.random_uniform([2], seed=1), lambda: tf.random_uniform([2], seed=2) * 5
    )
    return [y], _feeds(x, [1, 2], [1, 2], [-1, 2], [1, 2], [-1, 2])


def assert_in_a_branch(tf):
    x = _vector(tf)

    def checked():
        with tf.control_dependencies([tf.assert_less(x, 100.0, message="too large")]):
            return tf.identity(x)

    y = tf.cond(x[0] > 0, checked, lambda: x * 2.0)
    return [y], _feeds(x, [1, 2], [-1, 200], [1, 200])


def plain_assert(tf):
    x = _vector(tf)
    with tf.control_dependencies([tf.Assert(x[0] > 0, [x, x[1], "is what it is"], summarize=1)]):
        y = x * 2.0
    return [y], _feeds(x, [1, 2], [-1, 200])


def python_in_a_branch(tf):
    x = _vector(tf)

    def called():
        y = tf.py_func(lambda value: value * 2, [x], tf.float32)
        y.set_shape([2])
        return y

    y = tf.cond(x[0] > 0, called, lambda: x * 3.0)
    return [y], _feeds(x, [1, 2], [-1, 2])


def switch_known_when_fed(tf):
    x, training = _vector(tf), tf.placeholder_with_default(False, [])
    w = tf.Variable([0.5, 2.0])
    y = tf.layers.batch_normalization(x[None] * w, training=training)
    updates = tf.get_collection(tf.GraphKeys.UPDATE_OPS)
    with tf.control_dependencies(updates):
        after = [tf.identity(v) for v in tf.global_variables()]
    value = np.array([1.0, 2.0], np.float32)
    feeds = [{x: value}, {x: value, training: True}, {x: value, training: False}]
    return [y, tf.gradients(y, w)], feeds if after else feeds


def merged_index(tf):
    x = _vector(tf)
    p = x[0] > 0
    off, on = tf.raw_ops.Switch(data=x, pred=p)
    y, index = tf.raw_ops.Merge(inputs=[off * 2.0, on * 3.0])
    return [y, index], _feeds(x, [1, 2], [-1, 2])


# ---- loops and branches ----------


def branch_in_loop(tf):
    x, w = _vector(tf), tf.Variable([0.5, 0.75])

    def body(i, y):
        return i + 1, tf.cond(tf.equal(i % 2, 0), lambda: y * w, lambda: tf.exp(y))

    _, y = tf.while_loop(lambda i, y: i < 5, body, [0, x])
    return [y, tf.gradients(y, [x, w])], _feeds(x, [1, 2])


def branch_by_data_in_loop(tf):
    x, w = _vector(tf), tf.Variable([0.5, 0.75])

    def body(i, y):
        z = tf.cond(tf.reduce_sum(y) > 1.0, lambda: tf.log(y) * w, lambda: tf.exp(y) * y)
        return i + 1, z

    _, y = tf.while_loop(lambda i, y: i < 6, body, [0, x])
    return [y, tf.gradients(y, [x, w])], _feeds(x, [1, 2], [0.1, 0.2])


def nested_branches_in_loop(tf):
    x, w = _vector(tf), tf.Variable([0.5, 0.75])

    def body(i, y):
        def inner():
            return tf.cond(y[0] > 0.5, lambda: y * w * y, lambda: tf.cos(y))

        return i + 1, tf.cond(tf.equal(i % 2, 0), inner, lambda: tf.exp(y) * w)

    _, y = tf.while_loop(lambda i, y: i < 5, body, [0, x])
    return [y, tf.gradients(y, [x, w])], _feeds(x, [1, 2], [0.1, 0.2])


def early_exit(tf):
    x = _vector(tf)

    def body(i, y, done):
        z = tf.cond(done, lambda: y, lambda: y * x)
        return i + 1, z, tf.logical_or(done, tf.reduce_max(z) > 10.0)

    start = [0, x, False]
    i, y, _ = tf.while_loop(lambda i, y, done: tf.logical_and(i < 8, ~done), body, start)
    return [i, y, tf.gradients(y, x)], _feeds(x, [1, 2], [1, 1], [11, 1])


def loop_in_branch(tf):
    x, w = _vector(tf), tf.Variable([0.5, 0.75])

    def looped():
        return tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, tf.sin(y * w)), [0, x])[1]

    y = tf.cond(x[0] > 0, looped, lambda: x * 2.0)
    return [y, tf.gradients(y, [x, w])], _feeds(x, [1, 2], [-1, 2])


def loop_in_branch_in_loop(tf):
    x, w = _vector(tf), tf.Variable([0.5, 0.75])

    def body(i, y):
        def looped():
            return tf.while_loop(lambda j, z: j < i, lambda j, z: (j + 1, z * w), [0, y])[1]

        return i + 1, tf.cond(tf.reduce_sum(y) > 1.0, looped, lambda: tf.sin(y) + 1.0)

    _, y = tf.while_loop(lambda i, y: i < 4, body, [0, x])
    return [y, tf.gradients(y, [x, w])], _feeds(x, [1, 2], [0.1, 0.2])


def effects_in_branch_in_loop(tf):
    v = tf.Variable(0.0)
    n = tf.placeholder(tf.int32, [])

    def body(i, y):
        def update():
            with tf.control_dependencies([tf.assign_add(v, tf.cast(i, tf.float32))]):
                return y + tf.random_uniform([], seed=3)

        return i + 1, tf.cond(tf.equal(i % 2, 1), update, lambda: y * 2.0)

    _, y = tf.while_loop(lambda i, y: i < n, body, [0, 1.0], parallel_iterations=1)
    with tf.control_dependencies([y]):
        return [y, v.read_value()], [{n: 4}, {n: 5}, {n: 0}]


def python_in_branch_in_loop(tf):
    x = _vector(tf)

    def body(i, y):
        def called():
            return tf.reshape(tf.py_func(lambda t: t * 3, [y], tf.float32), [2])

        return i + 1, tf.cond(tf.equal(i, 1), called, lambda: y + x)

    _, y = tf.while_loop(lambda i, y: i < 3, body, [0, x])
    return [y], _feeds(x, [1, 2])


def different_shapes_in_loop(tf):
    x = tf.placeholder(tf.float32, [None])

    def body(i, y):
        return i + 1, tf.cond(tf.reduce_sum(y) > 4.0, lambda: y[1:], lambda: tf.concat([y, y], 0))

    shapes = [tf.TensorShape([]), tf.TensorShape([None])]
    _, y = tf.while_loop(lambda i, y: i < 4, body, [0, x], shapes)
    return [y, tf.gradients(y, x)], _feeds(x, [1, 2])


# ---- programs ----------


def trained_loop(tf):
    x = tf.placeholder(tf.float32, [5, 2, 3])
    w = tf.get_variable("w", [3, 3], initializer=tf.constant_initializer(0.25))
    step = tf.Variable(0, trainable=False)
    inputs = tf.TensorArray(tf.float32, 5).unstack(x)
    outputs = tf.TensorArray(tf.float32, 5)
    lengths = tf.placeholder(tf.int32, [2])

    def body(t, h, outputs):
        new = tf.tanh(tf.matmul(h, w) + inputs.read(t))
        new = tf.where(t < lengths, new, h)
        return t + 1, new, outputs.write(t, new)

    start = (0, tf.zeros([2, 3]), outputs)
    limit = tf.minimum(5, tf.maximum(1, tf.reduce_max(lengths)))
    _, h, outputs = tf.while_loop(lambda t, *_: t < limit, body, start, maximum_iterations=5)
    loss = tf.reduce_mean(h**2)
    train = tf.train.AdamOptimizer(0.1).minimize(loss, global_step=step)
    value = np.linspace(-1, 1, 30, dtype=np.float32).reshape(5, 2, 3)
    feeds = [{x: value, lengths: sizes} for sizes in ([5, 3], [2, 1], [4, 5])]
    with tf.control_dependencies([train]):
        return [loss, w.read_value(), step.read_value()], feeds


def newton(tf):
    a = tf.placeholder(tf.float64, [])
    root = tf.while_loop(lambda y: tf.abs(y * y - a) > 1e-9, lambda y: 0.5 * (y + a / y), [a])
    return [root, tf.gradients(root, a)], [{a: 2.0}, {a: 9.0}]


def function_with_loop(tf):
    from tensorflow.python.framework import function

    @function.Defun(tf.float32)
    def power(x):
        return tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * x), [0, x])[1]

    x = _vector(tf)
    return [power(x), power(x * 2.0)], _feeds(x, [1, 2])


# ---- functions ----------


def _functions(tf):
    """Functions of a vector, and of an int and a vector, in the library of the graph."""
    from tensorflow.python.framework import function

    @function.Defun(tf.float32)
    def double(x):
        return x * 2.0

    @function.Defun(tf.float32)
    def increase(x):
        return tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y + 1.0), [0, x])[1]

    @function.Defun(tf.int32, tf.float32)
    def below(i, x):
        return tf.reduce_sum(x) < tf.cast(i, tf.float32) + 20.0

    @function.Defun(tf.int32, tf.float32)
    def step(i, x):
        return i + 1, tf.cond(tf.equal(i % 2, 0), lambda: x * 2.0, lambda: x + 1.0)

    @function.Defun(tf.int32, tf.float32)
    def weigh(i, x):
        return x * tf.cast(i, tf.float32)

    x, n = _vector(tf), tf.placeholder(tf.int32, [])
    for unary in (double, increase):
        unary(x)
    for binary in (below, step, weigh):
        binary(n, x)
    feeds = [{x: [1, 2], n: count} for count in (2, 0, 4, -1)]
    return (double, increase, below, step, weigh), x, n, feeds


def if_ops(tf):
    (double, increase, *_), x, n, feeds = _functions(tf)
    branches = {"then_branch": double, "else_branch": increase}
    y = tf.raw_ops.If(cond=n > 1, input=[x], Tout=[tf.float32], **branches)
    z = tf.raw_ops.StatelessIf(cond=n, input=[x], Tout=[tf.float32], **branches)
    return [y, z], feeds


def case_op(tf):
    (double, increase, *_), x, n, feeds = _functions(tf)
    y = tf.raw_ops.Case(
        branch_index=n, input=[x], Tout=[tf.float32], branches=[double, increase, double]
    )
    return [y], feeds


def while_ops(tf):
    (_, _, below, step, _), x, n, feeds = _functions(tf)
    y = tf.raw_ops.While(input=[n, x], cond=below, body=step)
    z = tf.raw_ops.StatelessWhile(input=[n, x], cond=below, body=step)
    return [y, z], feeds


def for_op(tf):
    (*_, weigh), x, n, feeds = _functions(tf)
    y = tf.raw_ops.For(start=n, limit=n + 4, delta=2, input=[x], body=weigh)
    z = tf.raw_ops.For(start=n, limit=n - 4, delta=-1, input=[x], body=weigh)
    return [y, z], feeds


CASES = {
    "loops": _collect(
        counted, counted_down, data_dependent, many_turns, fed_turns, no_turn, maximum_iterations,
        invariants, several_exits, swapped, nested, nested_by_data, nested_thrice,
        one_after_the_other, grows, grows_by_data, slices_by_counter, shapes_from_outside, finds,
        rows_of_a_table, rows_by_data, gradient_inside, loop_gradient_inside, integers_and_bools,
        printed_counter,
    ),
    "effects": _collect(
        effects_of_the_condition, effects_of_the_condition_on_the_host, variables_updated,
        random_in_body, python_in_body, python_and_state_in_body, assert_in_body,
    ),
    "branches": _collect(
        branch, second_derivative, nan_in_the_dead_branch, nested_branches, branch_after_branch,
        case, different_shapes, shape_in_a_branch, effects_in_branches, update_if,
        random_in_branches, assert_in_a_branch, plain_assert, python_in_a_branch,
        switch_known_when_fed, merged_index,
    ),
    "both": _collect(
        branch_in_loop, branch_by_data_in_loop, nested_branches_in_loop, early_exit, loop_in_branch,
        loop_in_branch_in_loop, effects_in_branch_in_loop, python_in_branch_in_loop,
        different_shapes_in_loop,
    ),
    "arrays": flow_array_cases.CASES,
    "mistakes": flow_mistake_cases.CASES,
    "trees": flow_tree_cases.CASES,
    "variables": flow_variable_cases.CASES,
    "functions": _collect(if_ops, case_op, while_ops, for_op),
    "programs": _collect(trained_loop, newton, function_with_loop),
}  # fmt: skip
