"""Small programs with TensorArrays, and with tf.map_fn and the like, and mistakes in writing them.

Every function takes the `tensorflow` module. `GRAPHS` are compared node for node (what they return,
if anything, is compared as text), `MISTAKES` by the exception they raise.
"""

from __future__ import annotations

import numpy as np


def _collect(*group):
    """Functions in a dict by name."""
    return {f.__name__: f for f in group}


def _names(values):
    return [str(value) for value in values]


# ---- TensorArray ----------


def array_ops(tf):
    a = tf.TensorArray(tf.float32, 3)
    b = a.write(0, [1.0, 2.0]).write(1, [3.0, 4.0]).write(2, tf.ones([2]))
    said = [b.read(0), b.stack(), b.size(), b.gather([0, 2]), b.concat(), b.handle, b.flow]
    close = b.close()
    return _names(said), close.name, str(b.dtype), str(b.element_shape), str(a.element_shape)


def array_arguments(tf):
    n = tf.placeholder(tf.int32, [])
    a = tf.TensorArray(
        tf.int64, n, dynamic_size=True, clear_after_read=False, tensor_array_name="mine",
        infer_shape=False, name="named",
    )  # fmt: skip
    b = tf.TensorArray(tf.float32, size=2, element_shape=[None, 2])
    with tf.device("/cpu:0"):
        c = tf.TensorArray("float32", 2, colocate_with_first_write_call=False)
        d = tf.TensorArray("float32", 2)
        x = tf.ones([2])
    arrays = [a, b, c, d]
    arrays = [a.write(0, [1, 2]), b.write(1, [[1.0, 2.0]]), c.write(0, x), d.write(0, x)]
    arrays[3] = arrays[3].write(1, tf.zeros([2]), name="second")
    said = [(t.dynamic_size, str(t.element_shape)) for t in arrays]
    return said, _names([t.stack() for t in arrays] + [t.read(0) for t in arrays])


def array_unstack(tf):
    x = tf.placeholder(tf.float32, [None, 2])
    a = tf.TensorArray(tf.float32, tf.shape(x)[0]).unstack(x)
    b = tf.TensorArray(tf.float32, 5).scatter([3, 1], tf.ones([2, 4]), name="some")
    c = tf.TensorArray(tf.float32, 2).split(tf.ones([4, 3]), [2, 2])
    d = tf.TensorArray(tf.float32, 2, infer_shape=False).split(x, [1, 3])
    said = [str(t.element_shape) for t in (a, b, c, d)]
    return said, _names([a.read(1), b.gather([3]), c.concat(), d.concat(), d.read(0)])


def array_identity(tf):
    a = tf.TensorArray(tf.float32, 3).write(0, 1.0)
    with tf.control_dependencies([tf.no_op()]):
        b = a.identity()
    g = b.grad("gradients")
    return str(b.stack()), str(g.handle), str(g.flow), str(g.read(0))


def array_other_dtype(tf):
    a = tf.TensorArray(tf.float32, 3).write(0, tf.constant(1))
    return str(a.read(0))


def array_in_loop(tf):
    x = tf.placeholder(tf.float32, [None, 3])
    n = tf.shape(x)[0]
    source = tf.TensorArray(tf.float32, n).unstack(x)
    out = tf.TensorArray(tf.float32, n)

    def body(i, out):
        return i + 1, out.write(i, source.read(i) * 2.0)

    _, out = tf.while_loop(lambda i, _: i < n, body, [0, out])
    y = out.stack()
    return str(y), str(out.element_shape), _names(tf.gradients(y, x))


def array_gradients(tf):
    x = tf.placeholder(tf.float32, [4, 2])
    found = []
    read = tf.TensorArray(tf.float32, 4).unstack(x).read(2)
    found += tf.gradients(read, x)
    stacked = tf.TensorArray(tf.float32, 2).write(0, x).write(1, x * 2.0).stack()
    found += tf.gradients(stacked, x)
    gathered = tf.TensorArray(tf.float32, 4).scatter([3, 2, 1, 0], x).gather([0, 0])
    found += tf.gradients(gathered, x)
    split = tf.TensorArray(tf.float32, 2).split(x, [1, 3]).concat()
    found += tf.gradients(split, x)
    twice = tf.TensorArray(tf.float32, 4, clear_after_read=False).unstack(x)
    found += tf.gradients([twice.read(0), twice.read(1)], x)
    found += tf.gradients([twice.read(0)], x, name="gradients_of_one")
    return _names(found)


def array_second_gradients(tf):
    x = tf.placeholder(tf.float32, [4, 2])
    y = tf.TensorArray(tf.float32, 4).unstack(x * x * x).stack()
    (g,) = tf.gradients(y, x)
    return _names(tf.gradients(g, x))


def array_of_states(tf):
    x = tf.placeholder(tf.float32, [5, None, 3])
    w = tf.get_variable("w", [3, 3])
    inputs = tf.TensorArray(tf.float32, 5).unstack(x)
    states = tf.TensorArray(tf.float32, 5)

    def body(t, h, states):
        h = tf.tanh(tf.matmul(h, w) + inputs.read(t))
        return t + 1, h, states.write(t, h)

    start = tf.zeros_like(x[0])
    _, h, states = tf.while_loop(lambda t, h, _: t < 5, body, (0, start, states))
    y = tf.reduce_sum(states.stack()) + tf.reduce_sum(h)
    return _names(tf.gradients(y, [x, w]))


def array_made_in_loop(tf):
    x = tf.placeholder(tf.float32, [3])

    def body(i, y):
        a = tf.TensorArray(tf.float32, 2).write(0, y).write(1, y * x)
        return i + 1, tf.reduce_sum(a.stack(), 0)

    _, y = tf.while_loop(lambda i, y: i < 3, body, [0, x])
    return _names(tf.gradients(y, x))


def array_in_cond_in_loop(tf):
    x = tf.placeholder(tf.float32, [3])
    out = tf.TensorArray(tf.float32, 3, infer_shape=False)

    def body(i, out):
        def write(value):
            return lambda: out.write(i, value()).flow

        flow = tf.cond(tf.less(i, 1), write(lambda: x), write(lambda: x * 2.0))
        handle = out.handle
        return i + 1, tf.TensorArray(tf.float32, handle=handle, flow=flow, infer_shape=False)

    _, out = tf.while_loop(lambda i, _: i < 3, body, [0, out])
    return str(out.stack())


def array_dynamic(tf):
    x = tf.placeholder(tf.float32, [2])
    out = tf.TensorArray(tf.float32, 0, dynamic_size=True)

    def body(y, out):
        return y * 2.0, out.write(out.size(), y)

    _, out = tf.while_loop(lambda y, _: tf.reduce_sum(y) < 9.0, body, [x, out])
    return str(out.concat()), _names(tf.gradients(out.stack(), x))


def array_nested(tf):
    x = tf.placeholder(tf.float32, [2, 3])
    rows = tf.TensorArray(tf.float32, 2).unstack(x)
    out = tf.TensorArray(tf.float32, 2)

    def body(i, out):
        row = tf.TensorArray(tf.float32, 3).unstack(rows.read(i))

        def inner(j, total):
            return j + 1, total * row.read(j)

        _, total = tf.while_loop(lambda j, _: j < 3, inner, [0, 1.0])
        return i + 1, out.write(i, total)

    _, out = tf.while_loop(lambda i, _: i < 2, body, [0, out])
    return _names(tf.gradients(out.stack(), x))


def array_spec(tf):
    a = tf.TensorArray(tf.float32, 3, element_shape=[2])
    spec = tf.TensorArraySpec.from_value(a)
    other = tf.TensorArraySpec([None], tf.float32, False, False)
    wide = spec.most_specific_compatible_type(other)
    return repr(spec), spec.is_compatible_with(a), spec.is_compatible_with(other), repr(wide)


# ---- functions over arrays ----------


def map_simple(tf):
    x = tf.placeholder(tf.float32, [4, 3])
    y = tf.map_fn(lambda row: row * 2.0, x)
    return str(y), _names(tf.gradients(y, x))


def map_unknown(tf):
    x = tf.placeholder(tf.float32, [None, None])
    y = tf.map_fn(lambda row: tf.reduce_sum(row), x, name="sums", parallel_iterations=3)
    return str(y), _names(tf.gradients(y, x))


def map_structure(tf):
    a = tf.placeholder(tf.float32, [4, 3])
    b = tf.placeholder(tf.int32, [4])
    one = tf.map_fn(lambda t: t[0] * tf.cast(t[1], tf.float32), (a, b), dtype=tf.float32)
    two = tf.map_fn(lambda t: (t, tf.reduce_sum(t)), a, dtype=(tf.float32, tf.float32))
    three = tf.map_fn(lambda n: n + 1, np.arange(3))
    four = tf.map_fn(lambda t: t[: tf.cast(t[0], tf.int32)], a, infer_shape=False, back_prop=False)
    return str(one), str(two), str(three), str(four)


def map_with_variables(tf):
    x = tf.placeholder(tf.float32, [4, 3])

    def fn(row):
        w = tf.get_variable("w", [3], initializer=tf.ones_initializer())
        r = tf.get_variable("r", [3], initializer=tf.ones_initializer(), use_resource=True)
        return row * w + r

    y = tf.map_fn(fn, x)
    return str(tf.get_variable_scope().caching_device), _names(
        tf.gradients(y, tf.trainable_variables())
    )


def map_in_map(tf):
    x = tf.placeholder(tf.float32, [2, 3])
    y = tf.map_fn(lambda row: tf.map_fn(lambda e: e * e, row), x)
    return str(y), _names(tf.gradients(y, x))


def fold_left(tf):
    x = tf.placeholder(tf.float32, [4, 3])
    one = tf.foldl(lambda a, e: a + e, x)
    two = tf.foldl(lambda a, e: a * tf.reduce_sum(e), x, initializer=tf.constant(1.0), name="mine")
    three = tf.foldl(
        lambda a, e: (a[0] + e[1], a[1] * e[0]), (x, x * 2.0), (tf.zeros([3]), tf.ones([3]))
    )
    four = tf.foldl(lambda a, e: a + e, np.array([1, 2, 3]))
    return str(one), str(two), str(three), str(four), _names(tf.gradients([one, two], x))


def fold_right(tf):
    x = tf.placeholder(tf.float32, [None, 3])
    one = tf.foldr(lambda a, e: a + e, x)
    two = tf.foldr(lambda a, e: a * tf.reduce_sum(e), tf.ones([4, 2]), initializer=1.0)
    return str(one), str(two), _names(tf.gradients(one, x))


def scan_simple(tf):
    x = tf.placeholder(tf.float32, [4, 3])
    one = tf.scan(lambda a, e: a + e, x)
    two = tf.scan(lambda a, e: a * tf.reduce_sum(e), x, initializer=tf.constant(1.0))
    return str(one), str(two), _names(tf.gradients([one, two], x))


def scan_reverse(tf):
    x = tf.placeholder(tf.float32, [None, 3])
    one = tf.scan(lambda a, e: a + e, x, reverse=True)
    two = tf.scan(lambda a, e: a + e, x, initializer=tf.zeros([3]), reverse=True, name="back")
    three = tf.scan(lambda a, e: a + 1.0, x, initializer=0.0, infer_shape=False)
    return str(one), str(two), str(three), _names(tf.gradients([one, two], x))


def scan_structure(tf):
    n = np.array([1, 0, 0, 0, 0, 0])
    one = tf.scan(lambda a, _: (a[1], a[0] + a[1]), n, (np.array(0), np.array(1)))
    x = tf.placeholder(tf.float32, [4])
    two = tf.scan(lambda a, e: a + e[0] - e[1], (x + 1.0, x), 0.0)
    three = tf.scan(lambda a, e: {"p": e["q"] + a["p"], "q": e["p"]}, {"p": x, "q": x * 2.0})
    return str(one), str(two), str(three)


def hessian(tf):
    x = tf.placeholder(tf.float32, [3])
    w = tf.placeholder(tf.float32, [2, 2])
    y = tf.reduce_sum(x * x * x) + tf.reduce_sum(tf.matmul(w, w)) * tf.reduce_sum(x)
    return _names(tf.hessians(y, [x, w]))


def hessian_unknown(tf):
    x = tf.placeholder(tf.float32, [None])
    v = tf.get_variable("v", [3])
    return _names(tf.hessians(tf.reduce_sum(tf.sin(x)) * tf.reduce_prod(v), [x, v]))


# ---- mistakes ----------


def array_without_size(tf):
    tf.TensorArray(tf.float32)


def array_with_handle_and_size(tf):
    a = tf.TensorArray(tf.float32, 2)
    tf.TensorArray(tf.float32, 2, handle=a.handle, flow=a.flow)


def array_with_handle_and_name(tf):
    a = tf.TensorArray(tf.float32, 2)
    tf.TensorArray(tf.float32, tensor_array_name="x", handle=a.handle, flow=a.flow)


def array_with_handle_and_shape(tf):
    a = tf.TensorArray(tf.float32, 2)
    tf.TensorArray(tf.float32, handle=a.handle, flow=a.flow, element_shape=[2])


def array_with_handle_and_dynamic_size(tf):
    a = tf.TensorArray(tf.float32, 2)
    tf.TensorArray(tf.float32, handle=a.handle, flow=a.flow, dynamic_size=False)


def array_with_handle_and_clearing(tf):
    a = tf.TensorArray(tf.float32, 2)
    tf.TensorArray(tf.float32, handle=a.handle, flow=a.flow, clear_after_read=False)


def array_handle_no_tensor(tf):
    tf.TensorArray(tf.float32, handle=3, flow=4)


def array_handle_without_flow(tf):
    tf.TensorArray(tf.float32, handle=tf.TensorArray(tf.float32, 2).handle)


def array_size_no_scalar(tf):
    tf.TensorArray(tf.float32, [2])


def array_write_other_shape(tf):
    tf.TensorArray(tf.float32, 2).write(0, [1.0]).write(1, [1.0, 2.0])


def array_write_not_element_shape(tf):
    tf.TensorArray(tf.float32, 2, element_shape=[3]).write(0, [1.0])


def array_scatter_other_shape(tf):
    tf.TensorArray(tf.float32, 2, element_shape=[3]).scatter([0, 1], tf.ones([2, 2]))


def array_scatter_too_many(tf):
    tf.TensorArray(tf.float32, 2).scatter([0, 1], tf.ones([3, 2]))


def array_split_other_shape(tf):
    tf.TensorArray(tf.float32, 2, element_shape=[3]).split(tf.ones([4, 2]), [2, 2])


def array_split_other_dtype(tf):
    tf.TensorArray(tf.float32, 2).split(tf.constant([1, 2]), [1, 1])


def array_read_vector_index(tf):
    tf.TensorArray(tf.float32, 2).write(0, 1.0).read([0])


def array_gather_scalar(tf):
    tf.TensorArray(tf.float32, 2).write(0, 1.0).gather(0)


def array_gradient_other_name(tf):
    x = tf.ones([2])
    tf.gradients(tf.TensorArray(tf.float32, 2).unstack(x).stack(), x, name="mine")


def spec_of_number(tf):
    tf.TensorArraySpec.from_value(3)


def map_not_callable(tf):
    tf.map_fn(1, [1, 2])


def map_scalar(tf):
    tf.map_fn(lambda x: x, tf.constant(1))


def map_scalars(tf):
    tf.map_fn(lambda x: x, (tf.constant(1), tf.constant(2)))


def map_other_structure(tf):
    tf.map_fn(lambda x: (x, x), tf.constant([1, 2]))


def map_other_sizes(tf):
    tf.map_fn(lambda x: x, (tf.constant([1, 2]), tf.constant([1, 2, 3])))


def fold_not_callable(tf):
    tf.foldl(1, [1, 2])


def foldr_not_callable(tf):
    tf.foldr(1, [1, 2])


def scan_not_callable(tf):
    tf.scan(1, [1, 2])


def scan_other_structure(tf):
    tf.scan(lambda a, x: (a, x), tf.constant([1, 2]))


GRAPHS = {
    "arrays": _collect(
        array_ops, array_arguments, array_unstack, array_identity, array_other_dtype, array_in_loop,
        array_gradients, array_second_gradients, array_of_states, array_made_in_loop,
        array_in_cond_in_loop, array_dynamic, array_nested, array_spec,
    ),
    "functions": _collect(
        map_simple, map_unknown, map_structure, map_with_variables, map_in_map, fold_left,
        fold_right, scan_simple, scan_reverse, scan_structure, hessian, hessian_unknown,
    ),
}  # fmt: skip

MISTAKES = {
    "arrays": _collect(
        array_without_size, array_with_handle_and_size, array_with_handle_and_name,
        array_with_handle_and_shape, array_with_handle_and_dynamic_size,
        array_with_handle_and_clearing, array_handle_no_tensor, array_handle_without_flow,
        array_size_no_scalar, array_write_other_shape, array_write_not_element_shape,
        array_scatter_other_shape, array_scatter_too_many, array_split_other_shape,
        array_split_other_dtype, array_read_vector_index, array_gather_scalar,
        array_gradient_other_name, spec_of_number,
    ),
    "functions": _collect(
        map_not_callable, map_scalar, map_scalars, map_other_structure, map_other_sizes,
        fold_not_callable, foldr_not_callable, scan_not_callable, scan_other_structure,
    ),
}  # fmt: skip
