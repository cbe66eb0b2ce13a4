"""Small programs with while loops, and with tf.case, and mistakes in writing them.

Every function takes the `tensorflow` module. `GRAPHS` are compared node for node (what they return,
if anything, is compared as text), `MISTAKES` by the exception they raise.
"""

from __future__ import annotations


def _collect(*group):
    """Functions in a dict by name."""
    return {f.__name__: f for f in group}


def _names(values):
    return [str(value) for value in values]


# ---- loops ----------


def counter(tf):
    return str(tf.while_loop(lambda i: i < 10, lambda i: i + 1, [tf.constant(0)]))


def python_numbers(tf):
    return _names(tf.while_loop(lambda i, x: i < 10, lambda i, x: (i + 1, x * 2.0), [0, 1.0]))


def captured(tf):
    a = tf.placeholder(tf.float32, [None, 2])
    n = tf.constant(5)
    b = tf.constant([1.0, 2.0])
    result = tf.while_loop(
        lambda i, x: tf.less(i, n), lambda i, x: [i + 1, tf.sin(x) * b + a + b], [0, a]
    )
    return _names(result)


def nothing_but_invariants(tf):
    a = tf.placeholder(tf.float32)
    b = tf.placeholder(tf.float32)
    return _names(tf.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, a * b), [0, a]))


def constants_inside(tf):
    def body(i, x):
        return i + 1, x + tf.constant([1.0, 2.0]) + tf.zeros([2]) + tf.random_uniform([2])

    tf.set_random_seed(3)
    return _names(tf.while_loop(lambda i, x: i < 3, body, [0, tf.ones([2])], name="named"))


def structures(tf):
    def body(i, pair, rest):
        return i + 1, (pair[1], pair[0]), {"a": rest["b"], "b": rest["a"] * 2.0}

    start = [tf.constant(0), (tf.ones([2]), tf.zeros([2])), {"a": tf.ones([]), "b": tf.zeros([])}]
    result = tf.while_loop(lambda i, p, r: i < 3, body, start)
    one = tf.while_loop(lambda i: i < 3, lambda i: i + 1, [0], return_same_structure=True)
    in_list = tf.while_loop(lambda p: p[0] < 3, lambda p: [(p[0] + 1, p[1])], [(1, 2.0)])
    return str(result), str(one), str(in_list)


def maximum_iterations(tf):
    n = tf.placeholder(tf.int32, [])
    one = tf.while_loop(lambda x: x < 9.0, lambda x: x * 2.0, [1.0], maximum_iterations=n)
    two = tf.while_loop(
        lambda i, x: i < 10, lambda i, x: (i + 1, x + 1.0), (0, tf.ones([2])),
        maximum_iterations=5,
    )  # fmt: skip
    three = tf.while_loop(
        lambda x: x < 9.0, lambda x: [x * 2.0], [1.0], maximum_iterations=tf.constant(7, tf.int64),
        return_same_structure=True, shape_invariants=[tf.TensorShape([])],
    )  # fmt: skip
    return str(one), str(two), str(three)


def shape_invariants(tf):
    def body(i, x):
        return i + 1, tf.concat([x, x], 0)

    shapes = [tf.TensorShape([]), tf.TensorShape([None, 2])]
    start = [tf.constant(0), tf.ones([1, 2])]
    one = tf.while_loop(lambda i, x: i < 3, body, start, shape_invariants=shapes)
    specs = [tf.TensorSpec([], tf.int32), tf.TensorSpec(None, tf.float32)]
    two = tf.while_loop(lambda i, x: i < 3, body, start, shape_invariants=specs)
    return _names(one), _names(two), _names(tf.gradients(one[1], start[1]))


def nested(tf):
    a = tf.placeholder(tf.float32, [2])

    def inner_body(j, y):
        return j + 1, y * a + 1.0

    def body(i, x):
        _, y = tf.while_loop(lambda j, y: j < i, inner_body, [0, x])
        return i + 1, y

    return _names(tf.while_loop(lambda i, x: i < 4, body, [0, a]))


def nested_thrice(tf):
    a = tf.constant([1.0, 2.0])

    def level(depth, x):
        def body(i, y):
            return i + 1, level(depth - 1, y) if depth else y * a

        return tf.while_loop(lambda i, y: i < 2, body, [0, x])[1]

    y = level(2, a)
    return str(y), _names(tf.gradients(y, a))


def cond_in_loop(tf):
    a = tf.placeholder(tf.float32, [2])

    def body(i, x):
        y = tf.cond(tf.equal(i % 2, 0), lambda: x * a, lambda: tf.sin(x) + 1.0)
        return i + 1, y

    return _names(tf.while_loop(lambda i, x: i < 4, body, [0, a]))


def loop_in_cond(tf):
    p = tf.placeholder(tf.bool, [])
    a = tf.placeholder(tf.float32, [2])

    def looped():
        return tf.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, x * a), [0, a])[1]

    return str(tf.cond(p, looped, lambda: a))


def control_dependencies(tf):
    a = tf.placeholder(tf.float32, [2])
    outside = tf.no_op(name="outside")
    sin = tf.sin(a)

    def body(i, x):
        step = tf.assert_less(i, 10)
        with tf.control_dependencies([step, outside, sin]):
            x = x + 1.0
            c = tf.constant(2.0)
        with tf.control_dependencies(None):
            free = tf.constant(3.0)
        return i + 1, x * c * free

    with tf.control_dependencies([outside, sin]):
        return _names(tf.while_loop(lambda i, x: i < 3, body, [0, a]))


def variables(tf):
    v = tf.get_variable("v", [2])
    r = tf.get_variable("r", [2], use_resource=True)

    def body(i, x):
        w = tf.get_variable("w", [2], use_resource=True, initializer=tf.zeros_initializer())
        return i + 1, x * v + r + w

    i, x = tf.while_loop(lambda i, x: i < 3, body, [0, v])
    return _names([i, x, *tf.gradients(x, tf.global_variables())])


def assignments(tf):
    v = tf.Variable(0.0)
    r = tf.Variable(0.0, use_resource=True)

    def body(i):
        with tf.control_dependencies([tf.assign_add(v, 1.0), r.assign_add(2.0)]):
            return i + 1

    return str(tf.while_loop(lambda i: i < 3, body, [0]))


def devices(tf):
    with tf.device("/cpu:0"):
        a = tf.constant([1.0, 2.0])

    def body(i, x):
        with tf.device("/cpu:1"):
            y = x * 2.0
        with tf.colocate_with(a):
            return i + 1, y * a

    with tf.device("/device:CPU:2"):
        _, y = tf.while_loop(lambda i, x: i < 3, body, [0, a])
    return _names(tf.gradients(y, a, colocate_gradients_with_ops=True))


def collections(tf):
    tf.while_loop(lambda i: i < 3, lambda i: i + 1, [0])
    found = tf.get_collection(tf.GraphKeys.WHILE_CONTEXT)
    loop = found[0]
    said = [loop.name, loop.parallel_iterations, loop.back_prop, loop.swap_memory]
    pivots = [loop.pivot.name, loop.GetControlPivot().name, str(loop.maximum_iterations)]
    return said, pivots, _names(loop.loop_enters), _names(loop.loop_exits), len(found)


def summaries(tf):
    def body(i):
        tf.add_to_collection("_SUMMARY_V2", tf.identity(i, name="inside"))
        return i + 1

    tf.add_to_collection("_SUMMARY_V2", tf.no_op(name="before"))
    last = tf.while_loop(lambda i: i < 3, body, [0])
    return str(last), [op.name for op in tf.get_collection("_SUMMARY_V2")]


def in_function(tf):
    from tensorflow.python.framework import function

    @function.Defun(tf.float32)
    def power(x):
        return tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * x), [0, x])[1]

    return str(power(tf.placeholder(tf.float32, [2])))


def feeding_and_fetching(tf):
    a = tf.placeholder(tf.float32, [])
    inside = []

    def body(i):
        inside.append(tf.sin(i))
        return inside[0] + a

    out = tf.while_loop(lambda i: i < 3.0, body, [a])
    graph = tf.get_default_graph()
    tensors = [inside[0], out, *inside[0].op.inputs]
    return [(t.name, graph.is_feedable(t), graph.is_fetchable(t)) for t in tensors]


def slices_as_variable(tf):
    def body(i, s):
        return i + 1, tf.IndexedSlices(s.values * 2.0, s.indices, s.dense_shape)

    s = tf.IndexedSlices(tf.ones([2, 3]), tf.constant([0, 1]), tf.constant([4, 3]))
    i, t = tf.while_loop(lambda i, s: i < 3, body, [0, s])
    return str(i), str(t.values), str(t.indices), str(t.dense_shape)


# ---- gradients of loops ----------


def gradient_of_variable(tf):
    x = tf.placeholder(tf.float32, [2])
    _, y = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * y), [0, x])
    return _names(tf.gradients(y, x))


def gradient_of_invariant(tf):
    x = tf.placeholder(tf.float32, [2])
    w = tf.placeholder(tf.float32, [2])
    _, y = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, tf.tanh(y * w)), [0, x])
    return _names(tf.gradients(tf.reduce_sum(y), [x, w]))


def gradient_of_unknown_shapes(tf):
    x = tf.placeholder(tf.float32)
    w = tf.placeholder(tf.float32, [None, None])

    def body(i, y):
        return i + 1, tf.matmul(y, w)

    shapes = [tf.TensorShape([]), tf.TensorShape(None)]
    _, y = tf.while_loop(lambda i, y: i < 3, body, [0, x], shape_invariants=shapes)
    return _names(tf.gradients(y, [x, w]))


def gradient_of_unused_exits(tf):
    x = tf.placeholder(tf.float32, [2])
    z = tf.placeholder(tf.float32, [None])
    u = tf.placeholder(tf.float32, [3])
    _, y, _, _ = tf.while_loop(
        lambda i, y, z, u: i < 3,
        lambda i, y, z, u: (i + 1, y * tf.reduce_sum(z), z * 2.0, u + 1.0),
        [0, x, z, u],
    )
    return _names(tf.gradients(y, [x, z, u]))


def gradient_of_independent_variable(tf):
    x = tf.placeholder(tf.float32, [2])
    z = tf.placeholder(tf.float32, [None])
    w = tf.placeholder(tf.float32, [2])
    _, y, v = tf.while_loop(
        lambda i, y, v: i < 3, lambda i, y, v: (i + 1, w * 2.0, tf.identity(z)), [0, x, z]
    )
    return _names(tf.gradients([y, v], [x, z, w]))


def gradient_of_float_counter(tf):
    x = tf.constant(2.0)
    y = tf.while_loop(lambda y: y < 100.0, lambda y: y * x, [x])
    return _names(tf.gradients(y, x))


def gradient_without_back_prop(tf):
    x = tf.placeholder(tf.float32, [2])
    _, y = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * y), [0, x], back_prop=False)
    return _names(tf.gradients(y + x, x))


def gradient_one_at_a_time(tf):
    x = tf.placeholder(tf.float32, [2])
    _, y = tf.while_loop(
        lambda i, y: i < 3, lambda i, y: (i + 1, tf.exp(y)), [0, x], parallel_iterations=1,
        swap_memory=True,
    )  # fmt: skip
    return _names(tf.gradients(y, x))


def gradient_of_nested(tf):
    x = tf.placeholder(tf.float32, [2])
    w = tf.placeholder(tf.float32, [2])

    def inner(j, y):
        return j + 1, tf.sin(y * w)

    def body(i, y):
        _, z = tf.while_loop(lambda j, y: j < i, inner, [0, y])
        return i + 1, z * y

    _, y = tf.while_loop(lambda i, y: i < 3, body, [0, x])
    return _names(tf.gradients(y, [x, w]))


def gradient_of_nested_unknown(tf):
    x = tf.placeholder(tf.float32, [None])
    w = tf.placeholder(tf.float32, [])

    def inner(j, y, u):
        return j + 1, y * w, u + 1.0

    def body(i, y):
        _, z, _ = tf.while_loop(lambda j, y, u: j < 2, inner, [0, y, y])
        return i + 1, tf.reshape(z, tf.shape(x))

    _, y = tf.while_loop(lambda i, y: i < 3, body, [0, x])
    return _names(tf.gradients(y, [x, w]))


def gradient_of_cond_in_loop(tf):
    x = tf.placeholder(tf.float32, [2])
    w = tf.placeholder(tf.float32, [2])

    def body(i, y):
        z = tf.cond(tf.equal(i % 2, 0), lambda: y * w, lambda: tf.exp(y))
        return i + 1, z

    _, y = tf.while_loop(lambda i, y: i < 3, body, [0, x])
    return _names(tf.gradients(y, [x, w]))


def gradient_of_cond_in_loop_unknown(tf):
    x = tf.placeholder(tf.float32, [None])
    w = tf.placeholder(tf.float32)

    def body(i, y):
        p = tf.reduce_sum(y) > 0.0
        return i + 1, tf.cond(p, lambda: y * w, lambda: tf.sin(y))

    _, y = tf.while_loop(
        lambda i, y: i < 3,
        body,
        [0, x],
        shape_invariants=[tf.TensorShape([]), tf.TensorShape(None)],
    )
    return _names(tf.gradients(y, [x, w]))


def gradient_of_nested_conds_in_loop(tf):
    x = tf.placeholder(tf.float32, [2])
    w = tf.placeholder(tf.float32, [2])

    def body(i, y):
        def inner():
            return tf.cond(tf.less(i, 1), lambda: y * w * y, lambda: tf.cos(y))

        return i + 1, tf.cond(tf.equal(i % 2, 0), inner, lambda: tf.exp(y))

    _, y = tf.while_loop(lambda i, y: i < 3, body, [0, x])
    return _names(tf.gradients(y, [x, w]))


def gradient_of_loop_in_cond(tf):
    p = tf.placeholder(tf.bool, [])
    x = tf.placeholder(tf.float32, [2])
    w = tf.placeholder(tf.float32, [2])

    def looped():
        return tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, tf.sin(y * w)), [0, x])[1]

    y = tf.cond(p, looped, lambda: x * 2.0)
    return _names(tf.gradients(y, [x, w]))


def gradient_of_loop_in_cond_in_loop(tf):
    x = tf.placeholder(tf.float32, [2])
    w = tf.placeholder(tf.float32, [2])

    def body(i, y):
        def looped():
            return tf.while_loop(lambda j, z: j < i, lambda j, z: (j + 1, z * w), [0, y])[1]

        return i + 1, tf.cond(tf.less(i, 2), looped, lambda: tf.sin(y))

    _, y = tf.while_loop(lambda i, y: i < 3, body, [0, x])
    return _names(tf.gradients(y, [x, w]))


def gradient_of_gather(tf):
    table = tf.placeholder(tf.float32, [10, 3])
    ids = tf.placeholder(tf.int32, [None])

    def body(i, y):
        return i + 1, y + tf.reduce_sum(tf.gather(table, ids + i))

    _, y = tf.while_loop(lambda i, y: i < 3, body, [0, 0.0])
    return _names(tf.gradients(y, table))


def gradient_of_gathers(tf):
    table = tf.get_variable("t", [10, 3])
    resource = tf.get_variable("r", [10, 3], use_resource=True)
    free = tf.placeholder(tf.float32)

    def body(i, y):
        rows = [tf.gather(t, [i, 2]) for t in (table, resource, free)]
        return i + 1, y + tf.add_n([tf.reduce_sum(r * r) for r in rows])

    _, y = tf.while_loop(lambda i, y: i < 3, body, [0, 0.0])
    found = tf.gradients(y, [table, resource, free])
    return _names(found)


def gradient_of_gather_in_nested(tf):
    table = tf.placeholder(tf.float32, [10, 3])

    def inner(j, y):
        return j + 1, y + tf.reduce_sum(tf.gather(table, [j, 1]))

    def body(i, y):
        return i + 1, tf.while_loop(lambda j, y: j < i, inner, [0, y])[1]

    _, y = tf.while_loop(lambda i, y: i < 3, body, [0, 0.0])
    return _names(tf.gradients(y, table))


def gradient_of_gather_after(tf):
    x = tf.placeholder(tf.float32, [None, 2])

    def after(body, name):
        shapes = [tf.TensorShape([]), tf.TensorShape(None)]
        _, y = tf.while_loop(
            lambda i, y: i < 3, lambda i, y: (i + 1, body(y)), [0, x], shape_invariants=shapes
        )
        rows = tf.gather(y, tf.placeholder(tf.int32))
        return tf.gradients(rows, x, name="gradients_" + name)

    dense = after(lambda y: y * y, "dense")
    slices = after(tf.identity, "slices")
    return _names(dense + slices)


def gradient_inside_loop(tf):
    w = tf.placeholder(tf.float32, [2])

    def body(i, x):
        y = tf.sin(x * w)
        g, h = tf.gradients(y, [x, w])
        return i + 1, g + h

    _, y = tf.while_loop(lambda i, x: i < 3, body, [0, tf.ones([2])])
    return str(y), _names(tf.gradients(y, w))


def gradient_of_shapes(tf):
    x = tf.placeholder(tf.float32, [None, 2])

    def body(i, y):
        z = tf.reshape(y, [-1]) * tf.cast(tf.size(y), tf.float32)
        return i + 1, tf.reshape(z, tf.shape(y)) / tf.cast(tf.rank(y), tf.float32)

    _, y = tf.while_loop(lambda i, y: i < 3, body, [0, x])
    return _names(tf.gradients(y, x))


def gradient_of_two_loops(tf):
    x = tf.placeholder(tf.float32, [2])
    _, y = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * x), [0, x])
    _, z = tf.while_loop(lambda i, z: i < 2, lambda i, z: (i + 1, z * y), [0, y])
    return _names(tf.gradients([y, z], x)), _names(tf.gradients(z, [x, y], name="again"))


def gradient_with_stop(tf):
    x = tf.placeholder(tf.float32, [2])
    w = tf.placeholder(tf.float32, [2])

    def body(i, y):
        return i + 1, tf.stop_gradient(y * 2.0) * w + tf.gather(y, [1, 0])

    _, y = tf.while_loop(lambda i, y: i < 3, body, [0, x])
    return _names(tf.gradients(y, [x, w], stop_gradients=[x]))


def gradient_of_matmuls(tf):
    x = tf.placeholder(tf.float32, [None, 4])
    w = tf.get_variable("w", [4, 4])
    b = tf.get_variable("b", [4])

    def body(i, h):
        return i + 1, tf.nn.relu(tf.nn.bias_add(tf.matmul(h, w), b))

    _, h = tf.while_loop(lambda i, h: i < 5, body, [0, x])
    loss = tf.reduce_mean(tf.square(h))
    return str(tf.train.GradientDescentOptimizer(0.1).minimize(loss).name)


def gradient_of_integers(tf):
    x = tf.placeholder(tf.float32, [3])

    def body(i, n, y):
        return i + 1, n * 2, y * tf.cast(n, tf.float32)

    _, _, y = tf.while_loop(lambda i, n, y: i < 3, body, [0, tf.constant([1, 2, 3]), x])
    return _names(tf.gradients(y, x))


# ---- case ----------


def case_default(tf):
    x = tf.placeholder(tf.float32, [])
    pairs = [(x < 1.0, lambda: x * 2.0), (x < 2.0, lambda: x * 3.0)]
    return str(tf.case(pairs, default=lambda: x)), str(tf.case(pairs, lambda: x, strict=True))


def case_exclusive(tf):
    x = tf.placeholder(tf.float32, [])
    pairs = {x < 1.0: lambda: tf.constant(1), x > 2.0: lambda: tf.constant(2)}
    y = tf.case(pairs, default=lambda: tf.constant(-1), exclusive=True, name="mine")
    return str(y), str(tf.case(pairs, exclusive=True))


def case_without_default(tf):
    x = tf.placeholder(tf.float32, [])
    pairs = [(x < 1.0, lambda: x * 2.0), (x < 2.0, lambda: x * 3.0), (x < 3.0, lambda: x)]
    y = tf.case(pairs)
    return str(y), _names(tf.gradients(y, x)), str(tf.case(pairs[:1]))


# ---- mistakes ----------


def cond_not_callable(tf):
    tf.while_loop(1, lambda i: i, [0])


def body_not_callable(tf):
    tf.while_loop(lambda i: i < 1, 1, [0])


def no_parallel_iterations(tf):
    tf.while_loop(lambda i: i < 1, lambda i: i, [0], parallel_iterations=0)


def half_a_parallel_iteration(tf):
    tf.while_loop(lambda i: i < 1, lambda i: i, [0], parallel_iterations=1.5)


def no_variables(tf):
    tf.while_loop(lambda: True, lambda: 1, [])


def many_maximum_iterations(tf):
    tf.while_loop(lambda i: i < 1, lambda i: i, [0], maximum_iterations=[3])


def tuple_for_list(tf):
    tf.while_loop(lambda i, x: i < 1, lambda i, x: (i, x), [0, 1], maximum_iterations=3)


def two_for_one(tf):
    tf.while_loop(lambda i: i < 3, lambda i: (i, i), [1])


def one_for_two(tf):
    tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1,), [1, tf.ones([2])])


def shape_changes(tf):
    tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, tf.concat([a, a], 0)), [1, tf.ones([2])])


def invariant_not_met(tf):
    shapes = [tf.TensorShape([]), tf.TensorShape([3])]
    tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a), [1, tf.ones([2])], shapes)


def too_few_invariants(tf):
    shapes = [tf.TensorShape([])]
    tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a), [1, tf.ones([2])], shapes)


def invariant_of_other_dtype(tf):
    shapes = [tf.TensorSpec([], tf.float32)]
    tf.while_loop(lambda i: i < 3, lambda i: i + 1, [tf.constant(1)], shapes)


def vector_condition(tf):
    tf.while_loop(lambda i: tf.constant([True]), lambda i: i, [1])


def integer_condition(tf):
    tf.while_loop(lambda i: 3, lambda i: i, [1])


def body_returns_none(tf):
    tf.while_loop(lambda i: i < 3, lambda i: None, [1])


def used_outside(tf):
    inside = []

    def body(i):
        inside.append(i + 1)
        return inside[0]

    tf.while_loop(lambda i: i < 3, body, [0])
    return inside[0] + 1


def used_in_another_loop(tf):
    inside = []

    def body(i):
        inside.append(i + 1)
        return inside[0]

    tf.while_loop(lambda i: i < 3, body, [0])
    return tf.while_loop(lambda i: i < 3, lambda i: i + inside[0], [0])


def gradient_of_gather_of_gather(tf):
    x = tf.placeholder(tf.float32, [3, 2])
    _, y = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, tf.gather(y, [0, 1, 2])), [0, x])
    tf.gradients(tf.gather(y, [0, 1]), x)


def gradient_of_nodes_without_context(tf):
    x = tf.constant(1.0)
    y = tf.raw_ops.Exit(data=tf.raw_ops.Enter(data=x, frame_name="frame"))
    tf.gradients(y, x)


def second_gradient_of_loop(tf):
    x = tf.constant(1.0)
    y = tf.while_loop(lambda i: i < 3.0, lambda i: i * x, [x])
    tf.gradients(tf.gradients(y, x)[0], x)


def gradient_of_start_inside(tf):
    x = tf.constant(1.0)
    tf.while_loop(lambda i: i < 3.0, lambda i: tf.gradients(i * i, x)[0], [x])


def case_no_pairs(tf):
    tf.case(3)


def case_no_pair(tf):
    tf.case([tf.constant(True)])


def case_number_as_predicate(tf):
    tf.case([(tf.constant(1), lambda: 1)])


def case_python_predicate(tf):
    tf.case([(True, lambda: 1)])


def case_no_function(tf):
    tf.case([(tf.constant(True), 1)])


GRAPHS = {
    "loops": _collect(
        counter, python_numbers, captured, nothing_but_invariants, constants_inside, structures,
        maximum_iterations, shape_invariants, nested, nested_thrice, cond_in_loop, loop_in_cond,
        control_dependencies, variables, assignments, devices, collections, feeding_and_fetching,
        slices_as_variable, summaries, in_function,
    ),
    "gradients": _collect(
        gradient_of_variable, gradient_of_invariant, gradient_of_unknown_shapes,
        gradient_of_unused_exits, gradient_of_independent_variable, gradient_of_float_counter,
        gradient_without_back_prop, gradient_one_at_a_time, gradient_of_nested,
        gradient_of_nested_unknown, gradient_of_cond_in_loop, gradient_of_cond_in_loop_unknown,
        gradient_of_nested_conds_in_loop, gradient_of_loop_in_cond,
        gradient_of_loop_in_cond_in_loop, gradient_of_gather, gradient_of_gathers,
        gradient_of_gather_in_nested, gradient_of_gather_after, gradient_inside_loop,
        gradient_of_shapes, gradient_of_two_loops, gradient_with_stop, gradient_of_matmuls,
        gradient_of_integers,
    ),
    "case": _collect(
        case_default, case_exclusive, case_without_default,
    ),
}  # fmt: skip

MISTAKES = {
    "loops": _collect(
        cond_not_callable, body_not_callable, no_parallel_iterations, half_a_parallel_iteration,
        no_variables, many_maximum_iterations, tuple_for_list, two_for_one, one_for_two,
        shape_changes, invariant_not_met, too_few_invariants, invariant_of_other_dtype,
        vector_condition, integer_condition, body_returns_none, used_outside, used_in_another_loop,
        gradient_of_gather_of_gather, gradient_of_nodes_without_context,
        second_gradient_of_loop, gradient_of_start_inside,
    ),
    "case": _collect(
        case_no_pairs, case_no_pair, case_number_as_predicate, case_python_predicate,
        case_no_function,
    ),
}  # fmt: skip
