"""Small programs around tf.gradients and custom gradients, and mistakes in using them.

Every function takes the `tensorflow` module. `GRAPHS` are compared node for node (what they return,
if anything, is compared as text), `MISTAKES` by the exception they raise, `RUNS` by the values of
the tensors they return.
"""

from __future__ import annotations

import numpy as np


def _collect(*group):
    """Functions in a dict by name."""
    return {f.__name__: f for f in group}


def _names(values):
    return [str(value) for value in values]


# ---- the walk ----------


def chain(tf):
    x = tf.placeholder(tf.float32, [None, 3])
    y = tf.sin(x) * 2.0 + tf.exp(x)
    return _names(tf.gradients(y, x)), _names(tf.gradients([y, y * y], [x, y], name="again"))


def scalars(tf):
    x = tf.constant(2.0)
    y = x
    for i in range(4):
        y = y * float(i + 1)
    return _names(tf.gradients(y, [x]))


def several_uses(tf):
    x = tf.placeholder(tf.float32, [2])
    a, b, c = x * 2.0, tf.sin(x), tf.identity(x)
    return _names(tf.gradients([a, b, c, x], [x, a]))


def y_depends_on_y(tf):
    x = tf.placeholder(tf.float32, [2])
    a = tf.sin(x)
    b = tf.cos(a)
    return _names(tf.gradients([a, b, b], [x, a, b]))


def unknown_shapes(tf):
    x = tf.placeholder(tf.float32)
    w = tf.placeholder(tf.float32, [None, None])
    y = tf.matmul(w, w) + x
    return _names(tf.gradients(tf.reduce_sum(y), [x, w]))


def grad_ys(tf):
    x = tf.placeholder(tf.float32, [2])
    y, z = tf.sin(x), x * 3.0
    ones = tf.ones([2])
    one = _names(tf.gradients(y, x, grad_ys=ones))
    two = _names(tf.gradients([y, z], x, grad_ys=[None, [1.0, 2.0]]))
    return one, two, _names(tf.gradients([y], [x], np.array([1, 2], np.float32)))


def sparse_grad_ys(tf):
    x = tf.placeholder(tf.float32, [4, 2])
    y = tf.identity(x)
    g = tf.IndexedSlices(tf.ones([2, 2]), tf.constant([0, 1]), tf.constant([4, 2]))
    return _names(tf.gradients(y, x, grad_ys=g))


def complex_grad_ys(tf):
    x = tf.placeholder(tf.complex64, [2])
    y = x * tf.constant([1 + 2j, 3j], tf.complex64)
    return _names(tf.gradients(y, x, grad_ys=tf.ones([2], tf.complex64)))


def unconnected(tf):
    x, y = tf.placeholder(tf.float32, [2]), tf.placeholder(tf.float32)
    v = tf.get_variable("v", [3], use_resource=True)
    z = tf.sin(x)
    found = tf.gradients(z, [x, y, v])
    zeros = tf.gradients(z, [x, y, v], unconnected_gradients=tf.UnconnectedGradients.ZERO)
    return _names(found), _names(zeros), _names(tf.gradients(z, y, unconnected_gradients="zero"))


def integers(tf):
    n = tf.placeholder(tf.int32, [2])
    x = tf.placeholder(tf.float32, [2])
    y = tf.cast(n, tf.float32) * x
    z = tf.cast(tf.cast(x, tf.int32), tf.float32)
    return _names(tf.gradients(y, [n, x])), _names(tf.gradients(z, x)), _names(tf.gradients(n, n))


def stop_gradients(tf):
    a = tf.constant(0.0)
    b = 2 * a
    partial = tf.gradients(a + b, [a, b], stop_gradients=[a, b])
    total = tf.gradients(a + b, [a, b])
    stopped = tf.gradients(tf.stop_gradient(b) * a, [a, b])
    return (
        _names(partial),
        _names(total),
        _names(stopped),
        _names(tf.gradients(b * b, a, stop_gradients=b)),
    )


def not_differentiable(tf):
    x = tf.placeholder(tf.float32, [3])
    y = tf.floor(x) + tf.sign(x) + x
    index = tf.cast(tf.argmax(x, 0), tf.float32)
    return _names(tf.gradients([y, index], x)), _names(tf.gradients(index, x))


def gated(tf):
    x, y = tf.placeholder(tf.float32, [2, 2]), tf.placeholder(tf.float32, [2, 2])
    z = tf.matmul(x, y) * y
    return _names(tf.gradients(z, [x, y], gate_gradients=True))


def colocated(tf):
    with tf.device("/cpu:0"):
        x = tf.placeholder(tf.float32, [2, 2])
    y = tf.matmul(x, x) * x
    return _names(tf.gradients(y, x, colocate_gradients_with_ops=True))


def devices(tf):
    x = tf.placeholder(tf.float32, [2])
    parts = []
    for i in range(4):
        with tf.device("/gpu:%d" % (i % 2)):
            parts.append(tf.sin(x) * float(i))
    return _names(tf.gradients(parts, x, colocate_gradients_with_ops=True))


def aggregation_tree(tf):
    x = tf.placeholder(tf.float32, [2])
    y = [tf.sin(x), tf.cos(x), x * x]
    method = tf.AggregationMethod
    tree = tf.gradients(y, x, aggregation_method=method.EXPERIMENTAL_TREE)
    two = tf.gradients(y[:2], x, aggregation_method=method.EXPERIMENTAL_ACCUMULATE_N)
    return _names(tree), _names(two)


def aggregation_accumulate(tf):
    x = tf.placeholder(tf.float32, [2])
    y = [tf.sin(x), tf.cos(x), tf.exp(x)]
    method = tf.AggregationMethod.EXPERIMENTAL_ACCUMULATE_N
    return _names(tf.gradients(y, x, aggregation_method=method))


def variables(tf):
    v = tf.Variable([1.0, 2.0], name="v")
    r = tf.Variable([1.0, 2.0], name="r", use_resource=True)
    y = tf.reduce_sum(v * r + r)
    return _names(tf.gradients(y, [v, r])), _names(tf.gradients(y, [v.value(), r.handle]))


def arrays_as_xs(tf):
    x = tf.placeholder(tf.float32, [2])
    return _names(tf.gradients(x * 2.0, [np.ones(2, np.float32), x, 3.0]))


def names_and_scopes(tf):
    with tf.name_scope("outer"):
        x = tf.placeholder(tf.float32, [2], name="x")
        y = tf.square(x, name="deep/er")
        first = tf.gradients(y, x)
    second = tf.gradients(y, x, name="mine")
    third = tf.gradients(y, x, name=None)
    return _names(first + second + third)


def another_graph(tf):
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [2])
        y = tf.sin(x)
    found = tf.gradients(y, x)
    return _names(found), found[0].graph is y.graph


def second_derivative(tf):
    x = tf.placeholder(tf.float32, [2])
    y = tf.reduce_sum(tf.sin(x) * x * x)
    g = tf.gradients(y, x)[0]
    return _names(tf.gradients(g, x))


def penalty(tf):
    x = tf.placeholder(tf.float32, [None, 3])
    w = tf.get_variable("w", [3, 2])
    y = tf.nn.relu(tf.matmul(x, w))
    g = tf.gradients(y, [x])[0]
    slopes = tf.sqrt(tf.reduce_sum(tf.square(g), axis=1))
    return _names(tf.gradients(tf.reduce_mean((slopes - 1.0) ** 2), w))


def many_outputs(tf):
    x = tf.placeholder(tf.float32, [4, 6])
    a, b, c = tf.split(x, 3, axis=1)
    d, e = tf.unstack(tf.reshape(a, [2, 4]))
    return _names(tf.gradients([b * 2.0, d], x)), _names(tf.gradients(tf.nn.moments(x, [0]), x))


# ---- rows ----------


def gathered(tf):
    v = tf.Variable(np.ones([5, 2], np.float32), name="table")
    y = tf.gather(v, [0, 2])
    return _names(tf.gradients(y, v))


def gathered_twice(tf):
    v = tf.Variable(np.ones([5, 2], np.float32), name="table")
    y = tf.reduce_sum(tf.gather(v, [0, 2])) + tf.reduce_sum(
        tf.gather(v, tf.constant([1], tf.int64))
    )
    return _names(tf.gradients(y, v))


def gathered_and_dense(tf):
    v = tf.Variable(np.ones([5, 2], np.float32), name="table")
    return _names(tf.gradients([tf.gather(v, [0, 2]), v * 2.0], v))


def gathered_from_expression(tf):
    v = tf.Variable(np.ones([5, 2], np.float32), name="table")
    y = tf.gather(v * 2.0, [0, 2])
    return _names(tf.gradients(y, v))


def gathered_from_resource(tf):
    v = tf.Variable(np.ones([5, 2], np.float32), name="table", use_resource=True)
    return _names(tf.gradients(tf.gather(v, [0, 2]), v))


def slices_printed(tf):
    values = tf.placeholder(tf.float32, [None, 2])
    indices = tf.placeholder(tf.int32, [None])
    a = tf.IndexedSlices(values, indices)
    b = tf.IndexedSlices(values, indices, tf.constant([5, 2]))
    dense = tf.convert_to_tensor(b)
    return str(a), str(b), str(-b), repr(a.dtype), a.name, str(dense), str(tf.add_n([b, dense]))


# ---- overrides and registered gradients ----------


def override(tf):
    if not hasattr(override, "done"):
        override.done = True
        tf.RegisterGradient("TestTwice")(lambda op, grad: [grad * 2.0, None][: len(op.inputs)])
    x = tf.placeholder(tf.float32, [2])
    with tf.get_default_graph().gradient_override_map({"Relu": "TestTwice", "Sign": "Identity"}):
        y = tf.nn.relu(x) + tf.sign(x)
    z = tf.nn.relu(y)
    return _names(tf.gradients(z, x))


def conditional(tf):
    x = tf.placeholder(tf.float32, [2])
    p = tf.placeholder(tf.bool, [])
    y = tf.cond(p, lambda: tf.sin(x) * 2.0, lambda: x)
    return _names(tf.gradients(y, x))


def conditional_one_branch(tf):
    x, w = tf.placeholder(tf.float32, [2]), tf.placeholder(tf.float32, [2])
    p = tf.placeholder(tf.bool, [])
    a, b = tf.cond(p, lambda: (x * w, w), lambda: (x, x + 1.0))
    return _names(tf.gradients(a, [x, w])), _names(tf.gradients(b, [x, w]))


def switched(tf):
    from tensorflow.python.ops import control_flow_ops

    x = tf.placeholder(tf.float32, [2])
    p = tf.placeholder(tf.bool, [])
    f, t = control_flow_ops.switch(x, p)
    y = control_flow_ops.merge([tf.sin(f), t * 2.0])[0]
    return _names(tf.gradients(y, x)), _names(tf.gradients(t, x))


# ---- tf.custom_gradient ----------


def custom(tf):
    @tf.custom_gradient
    def log1pexp(x):
        e = tf.exp(x)

        def grad(dy):
            return dy * (1 - 1 / (1 + e))

        return tf.log(1 + e), grad

    x = tf.constant(100.0)
    y = log1pexp(x)
    return str(y), _names(tf.gradients(y, x)), log1pexp.__name__


def custom_structure(tf):
    @tf.custom_gradient
    def f(x, y):
        def grad(da, db):
            return da * 2.0, None

        return {"b": x * y, "a": (x - y)}, grad

    x = tf.placeholder(tf.float32, [2])
    out = f(x, [1.0, 2.0])
    return sorted(out), str(out["a"]), _names(tf.gradients([out["a"], out["b"]], x))


def custom_resource_variable(tf):
    @tf.custom_gradient
    def f(x):
        w = tf.get_variable("w", [2], use_resource=True)

        def grad(dy, variables=None):
            return dy * 3.0, [dy * 5.0 for _ in variables]

        return x * w, grad

    x = tf.placeholder(tf.float32, [2])
    with tf.variable_scope("s", use_resource=True):
        y = f(x)
    return _names(tf.gradients(y, [x] + tf.trainable_variables()))


def custom_ref_variable(tf):
    w = tf.Variable([1.0, 2.0], name="w")

    @tf.custom_gradient
    def f(x):
        def grad(dy, variables):
            return dy * 3.0, [dy * 5.0 for _ in variables]

        return x * w, grad

    x = tf.placeholder(tf.float32, [2])
    y = f(x)
    return _names(tf.gradients(y, [x, w]))


def custom_of_custom(tf):
    @tf.custom_gradient
    def inner(x):
        return tf.sin(x), lambda dy: dy * 7.0

    @tf.custom_gradient
    def outer(x):
        return inner(x) * 2.0, lambda dy: inner(dy)

    x = tf.placeholder(tf.float32, [2])
    g = tf.gradients(outer(x), x)[0]
    return _names(tf.gradients(g, x))


def pass_through(tf):
    x = tf.placeholder(tf.float32, [2])
    with tf.variable_scope("s", use_resource=True):
        y = tf.grad_pass_through(tf.round)(x * 2.0)
    return _names(tf.gradients(y, x))


def scripts(tf):
    x = tf.placeholder(tf.float32, [2])
    a = tf.py_func(lambda v: np.sin(v), [x], tf.float32)
    b, c = tf.py_func(lambda v: (v, v), [x], [tf.float32, tf.int64], stateful=False, name="pair")
    d = tf.numpy_function(lambda v, w: np.cos(v), [x, [1.0]], [tf.float64])
    e = tf.py_function(lambda v: v, [x], tf.float32)
    return _names([a, b, c, e] + d), _names(tf.gradients([a, b], x))


# ---- mistakes ----------


def too_few_grad_ys(tf):
    x = tf.placeholder(tf.float32)
    tf.gradients([x, x], x, grad_ys=[None])


def complex_without_grad_ys(tf):
    x = tf.placeholder(tf.complex64)
    tf.gradients(x, x)


def wrong_grad_ys_type(tf):
    x = tf.placeholder(tf.float32, [2], name="x")
    tf.gradients(x, x, grad_ys=tf.ones([2], tf.complex64))


def real_grad_ys_for_complex(tf):
    x = tf.placeholder(tf.complex64, [2], name="x")
    tf.gradients(x, x, grad_ys=tf.ones([2]))


def string_y(tf):
    x = tf.placeholder(tf.string, [2], name="x")
    tf.gradients(x, x)


def string_grad_ys(tf):
    x = tf.placeholder(tf.string, [2], name="x")
    tf.gradients(x, x, grad_ys=tf.constant(["a", "b"]))


def wrong_grad_ys_shape(tf):
    x = tf.placeholder(tf.float32, [2], name="x")
    tf.gradients(tf.sin(x), x, grad_ys=tf.ones([3]))


def unknown_unconnected(tf):
    x = tf.placeholder(tf.float32)
    tf.gradients(x, x, unconnected_gradients="one")


def unknown_aggregation(tf):
    x = tf.placeholder(tf.float32)
    tf.gradients(x * 2.0, x, aggregation_method=7)


def two_graphs(tf):
    x = tf.placeholder(tf.float32, name="x")
    with tf.Graph().as_default():
        y = tf.placeholder(tf.float32, name="y")
    tf.gradients(y, x)


def no_gradient_defined(tf):
    x = tf.placeholder(tf.float32, [2, 2], name="x")
    y = tf.unique(tf.reshape(x, [4]), name="distinct")[0]
    tf.gradients(y, x)


def unknown_override(tf):
    x = tf.placeholder(tf.float32, [2])
    with tf.get_default_graph().gradient_override_map({"Sin": "Nowhere"}):
        y = tf.sin(x, name="sine")
    tf.gradients(y, x)


def too_many_gradients(tf):
    if not hasattr(too_many_gradients, "done"):
        too_many_gradients.done = True
        tf.RegisterGradient("TestTooMany")(lambda op, grad: [grad, grad])
    x = tf.placeholder(tf.float32, [2], name="x")
    with tf.get_default_graph().gradient_override_map({"Sin": "TestTooMany"}):
        y = tf.sin(x, name="sine")
    tf.gradients(y, x)


def wrong_gradient_shape(tf):
    if not hasattr(wrong_gradient_shape, "done"):
        wrong_gradient_shape.done = True
        tf.RegisterGradient("TestWrongShape")(lambda op, grad: [tf.ones([5])])
    x = tf.placeholder(tf.float32, [2], name="x")
    with tf.get_default_graph().gradient_override_map({"Sin": "TestWrongShape"}):
        y = tf.sin(x, name="sine")
    tf.gradients(y, x)


def not_a_gradient(tf):
    if not hasattr(not_a_gradient, "done"):
        not_a_gradient.done = True
        tf.RegisterGradient("TestNotAGradient")(lambda op, grad: ["text"])
    x = tf.placeholder(tf.float32, [2], name="x")
    with tf.get_default_graph().gradient_override_map({"Sin": "TestNotAGradient"}):
        y = tf.sin(tf.cos(x), name="sine")
    tf.gradients(y, x)


def register_number(tf):
    tf.RegisterGradient(3)


def not_differentiable_number(tf):
    tf.NotDifferentiable(3)


def slices_without_shape(tf):
    values, indices = (
        tf.placeholder(tf.float32, [None], name="v"),
        tf.placeholder(tf.int32, name="i"),
    )
    tf.convert_to_tensor(tf.IndexedSlices(values, indices))


def slices_of_two_graphs(tf):
    values = tf.placeholder(tf.float32, [None], name="v")
    with tf.Graph().as_default():
        tf.IndexedSlices(values, tf.placeholder(tf.int32, name="i"))


def slices_of_other_dtype(tf):
    slices = tf.IndexedSlices(tf.ones([2]), tf.constant([0, 1]), tf.constant([4]))
    tf.convert_to_tensor(slices, tf.float64)


def custom_keywords(tf):
    tf.custom_gradient(lambda x: (x, lambda dy: dy))(x=tf.constant(1.0))


def custom_ignores_variables(tf):
    w = tf.Variable([1.0, 2.0], name="w")
    tf.custom_gradient(lambda x: (x * w, lambda dy: dy))(tf.ones([2]))


def custom_wants_variables(tf):
    tf.custom_gradient(lambda x: (x, lambda dy, variables: dy))(tf.ones([2]))


def custom_new_ref_variable(tf):
    def f(x):
        return x * tf.get_variable("w", [2]), lambda dy, variables: (dy, variables)

    tf.custom_gradient(f)(tf.ones([2]))


def custom_too_few_variables(tf):
    w = tf.Variable([1.0, 2.0], name="w")
    y = tf.custom_gradient(lambda x: (x * w, lambda dy, variables: (dy, [])))(tf.ones([2]))
    tf.gradients(y, w)


def pass_through_without_resources(tf):
    tf.grad_pass_through(tf.round)(tf.ones([2]))


def script_not_callable(tf):
    tf.numpy_function(3, [1.0], tf.float32)


# ---- values ----------


def run_scripts(tf):
    x = tf.constant([0.5, 2.0])
    a = tf.py_func(lambda v: np.sin(v).astype(np.float32), [x], tf.float32)
    b, c = tf.py_func(lambda v, n: (v[::-1], np.int32(n + 1)), [x, 3], [tf.float32, tf.int32])
    d = tf.py_func(lambda s: [b"<" + s + b">"], [tf.constant("text")], [tf.string])
    return [a * 2.0, b, c] + d


def run_custom(tf):
    @tf.custom_gradient
    def f(x, y):
        return x * y, lambda dz: (dz * 10.0, tf.sin(dz))

    x, y = tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0])
    z = f(x, y)
    return [z] + tf.gradients(z * z, [x, y])


def run_rows(tf):
    v = tf.constant(np.arange(10, dtype=np.float32).reshape(5, 2))
    y = tf.reduce_sum(tf.gather(v, [0, 2, 0]) ** 2) + tf.reduce_sum(tf.gather(v, [2]))
    (g,) = tf.gradients(y, v)
    return [tf.convert_to_tensor(g), g.values, g.indices] + tf.gradients([y, v], v)


def run_conditional(tf):
    x = tf.constant([1.0, 2.0])
    found = []
    for flag in (True, False):
        p = tf.placeholder_with_default(flag, [])
        y = tf.cond(p, lambda: tf.sin(x) * 2.0, lambda: x * x)
        found += [y, tf.gradients(y, x)[0]]
    return found


GRAPHS = {
    "gradients": _collect(
        chain, scalars, several_uses, y_depends_on_y, unknown_shapes, grad_ys,
        sparse_grad_ys, complex_grad_ys, unconnected, integers, stop_gradients,
        not_differentiable, gated, colocated, devices, aggregation_tree,
        aggregation_accumulate, variables, arrays_as_xs, names_and_scopes, another_graph,
        second_derivative, penalty, many_outputs, gathered, gathered_twice,
        gathered_and_dense, gathered_from_expression, gathered_from_resource,
        slices_printed, override, conditional, conditional_one_branch, switched,
    ),
    "custom_gradient": _collect(
        custom, custom_structure, custom_resource_variable, custom_ref_variable,
        custom_of_custom, pass_through, scripts,
    ),
}  # fmt: skip

MISTAKES = {
    "gradients": _collect(
        too_few_grad_ys, complex_without_grad_ys, wrong_grad_ys_type,
        real_grad_ys_for_complex, string_y, string_grad_ys, wrong_grad_ys_shape,
        unknown_unconnected, unknown_aggregation, two_graphs, no_gradient_defined,
        unknown_override, too_many_gradients, wrong_gradient_shape, not_a_gradient,
        register_number, not_differentiable_number, slices_without_shape,
        slices_of_two_graphs, slices_of_other_dtype,
    ),
    "custom_gradient": _collect(
        custom_keywords, custom_ignores_variables, custom_wants_variables,
        custom_new_ref_variable, custom_too_few_variables, pass_through_without_resources,
        script_not_callable,
    ),
}  # fmt: skip

RUNS = {
    "gradients": _collect(
        run_rows, run_conditional,
    ),
    "custom_gradient": _collect(
        run_scripts, run_custom,
    ),
}  # fmt: skip
