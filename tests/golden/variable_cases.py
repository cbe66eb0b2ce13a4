"""Small programs around variables, variable scopes and optimizers, and mistakes in using them.

Every function takes the `tensorflow` module. `GRAPHS` are compared node for node (what they return,
if anything, is compared as text), `ERRORS` by the exception they raise, `RUNS` by the values of the
runs they make.
"""

from __future__ import annotations

import numpy as np


def _collect(*groups):
    """Merges groups of functions into one dict by name."""
    return {f.__name__: f for group in groups for f in group}


# ---- variables: graphs ---------------------------------------------------------------------------


def values_and_names(tf):
    a = tf.Variable(1)
    b = tf.Variable([1.0, 2.0], name="b")
    c = tf.Variable(lambda: tf.zeros([2, 3]), name="c")
    d = tf.Variable(np.float64(3), trainable=False, name="b")
    e = tf.Variable("text", name="scope/e", collections=["mine"])
    return [repr(v) for v in (a, b, c, d, e)] + [str(b.value()), str(b.initial_value), b.op.name]


def resource(tf):
    a = tf.Variable([1.0, 2.0], use_resource=True)
    b = tf.Variable(lambda: [1, 2], use_resource=True, name="b", dtype=tf.float64)
    c = a + b.read_value()[0] if a.dtype == b.dtype else a * 2.0
    d = a.assign_add([1.0, 1.0])
    e = tf.identity(d) + a.assign([3.0, 4.0], read_value=True)
    f = a.assign_sub([1.0, 1.0], read_value=False)
    a.is_initialized(), a.sparse_read([0, 1]), a.gather_nd([[0]])
    return [repr(a), repr(b), str(c), repr(d), d.name, str(e), f.name, d.op.name, str(a.handle)]


def initialized_from_others(tf):
    a = tf.Variable(tf.random_normal([2], seed=1), name="a")
    tf.Variable(a.initialized_value() * 2.0, name="b")
    tf.Variable(tf.exp(a) + a, name="c")
    tf.Variable(lambda: a * 3.0, name="d")
    r = tf.Variable(a, use_resource=True, name="r")
    tf.Variable(r + 1.0, name="s")


def in_control_flow(tf):
    p = tf.placeholder(tf.bool, [])

    def make():
        return tf.Variable(lambda: tf.ones([2]), name="inside") * 2.0

    tf.cond(p, make, lambda: tf.zeros([2]))
    with tf.control_dependencies([p]):
        tf.Variable(3.0, name="under_control")
        tf.get_variable("got", [2])


def devices(tf):
    with tf.device("/cpu:0"):
        v = tf.Variable([1.0], name="v")
        w = tf.Variable(lambda: tf.ones([1]), name="w", caching_device="/device:CPU:1")
        r = tf.Variable([1.0], name="r", use_resource=True, caching_device="/device:CPU:1")
        s = tf.get_variable("s", [1])
    r.assign_add([1.0])
    with tf.device("/device:CPU:2"):
        out = v + w + r + s
        r.read_value()
    return [out.device, v.device, r.device, w.value().device]


def shapes(tf):
    p = tf.placeholder(tf.float32, [None, 2])
    a = tf.Variable(p, validate_shape=False, name="a")
    b = tf.Variable([1.0], shape=tf.TensorShape(None), name="b", validate_shape=False)
    c = tf.Variable([1.0], shape=tf.TensorShape([None]), name="c", use_resource=True)
    a.set_shape([3, 2])
    d = tf.assign(a, tf.zeros([5]), validate_shape=False)
    return [str(x.shape) for x in (a, b, c, a.value(), d, c.read_value())]


def assignment(tf):
    v = tf.Variable([1.0, 2.0, 3.0], name="v")
    n = tf.Variable(0, name="n")
    out = [
        v.assign([3.0, 2.0, 1.0]),
        v.assign_add([1.0] * 3, use_locking=True, name="plus"),
        v.assign_sub([1.0] * 3, read_value=False),
        tf.assign(v, [0.0] * 3, use_locking=False, name="again"),
        tf.assign_add(n, 1),
        tf.assign_sub(n, 1, name="minus"),
        v[1].assign(5.0),
        v[:2].assign([1.0, 1.0]),
        tf.count_up_to(n, 3),
        v.read_value(),
        tf.is_variable_initialized(v),
    ]
    return [str(x) for x in out]


def scatter(tf):
    v = tf.Variable(np.zeros((4, 2), np.float32), name="v")
    r = tf.Variable(np.zeros((4, 2), np.float32), name="r", use_resource=True)
    rows = tf.IndexedSlices(tf.ones([2, 2]), tf.constant([0, 3]))
    for x in (v, r):
        for op in ("add", "sub", "mul", "div", "min", "max", "update"):
            getattr(x, "scatter_" + op)(rows)
            getattr(tf, "scatter_" + op)(x, [1, 2], np.ones((2, 2), np.float32))
        for op in ("add", "sub", "update"):
            getattr(x, "scatter_nd_" + op)([[0], [1]], np.ones((2, 2), np.float32))
            getattr(tf, "scatter_nd_" + op)(x, [[0, 1]], [3.0])
        x[1:3, 0].assign([1.0, 2.0])
    tf.batch_scatter_update(v, [[0], [1], [0], [1]], np.ones((4, 1), np.float32))


def operators(tf):
    v = tf.Variable([1.0, 2.0], name="v")
    n = tf.Variable([3, 4], name="n")
    out = [
        v + 1.0,
        1.0 - v,
        v * v,
        v / 2.0,
        2.0 / v,
        -v,
        abs(v),
        v**2.0,
        2.0**v,
        v > 1.0,
        n % 2,
        n // 2,
    ]
    out += [
        np.ones(2, np.float32) * v,
        v[0],
        v[tf.newaxis],
        tf.matmul([v], [[1.0], [2.0]]),
        ~(v > 1.0),
    ]
    return [str(x) for x in out]


def initializers(tf):
    a = tf.Variable(1.0, name="a")
    b = tf.Variable(2.0, name="b", collections=[tf.GraphKeys.LOCAL_VARIABLES])
    c = tf.Variable(2.0, name="c", use_resource=True)
    out = [
        tf.global_variables_initializer(),
        tf.local_variables_initializer(),
        tf.variables_initializer([a, c], name="some"),
        tf.variables_initializer([]),
        tf.initialize_all_variables(),
        tf.report_uninitialized_variables(),
        tf.report_uninitialized_variables([c, b], name="report"),
        tf.assert_variables_initialized([a, b]),
    ]
    return [x.name for x in out]


def no_variables(tf):
    tf.report_uninitialized_variables()
    tf.global_variables_initializer()
    return [str(tf.assert_variables_initialized())]


def protos(tf):
    with tf.variable_scope("s"):
        a = tf.get_variable("a", [2], trainable=False)
        b = tf.get_variable("b", [2], use_resource=True, caching_device="/cpu:0")
    out = []
    for v in (a, b):
        proto = v.to_proto()
        out.append(str(proto))
        out.append(str(v.to_proto(export_scope="s")))
        out.append(str(v.to_proto(export_scope="other")))
        again = type(v).from_proto(proto)
        out += [repr(again), again.initializer.name, again.value().name, str(again.trainable)]
        out.append(str(again.to_proto() == proto))
    info = tf.Variable.SaveSliceInfo("whole", [10, 4], [0, 2], [10, 2])
    out += [info.spec, str(info.to_proto())]
    return out


def creators(tf):
    seen = []

    def creator(next_creator, **kwargs):
        seen.append(kwargs["name"])
        kwargs["name"] = (kwargs["name"] or "unnamed") + "_made"
        return next_creator(**kwargs)

    def outer(next_creator, **kwargs):
        seen.append("outer")
        return next_creator(**kwargs)

    with tf.variable_creator_scope(outer), tf.variable_creator_scope(creator):
        v = tf.get_variable("v", [1])
        w = tf.Variable(2.0)
    return [v.name, w.name, str(seen)]


def partitions(tf):
    with tf.variable_scope("p", partitioner=tf.fixed_size_partitioner(3)):
        v = tf.get_variable("v", [10, 4])
        w = tf.get_variable("w", initializer=tf.ones([4, 3]))
        tf.get_variable("scalar", [])
    out = [str(x.name) for x in v] + [v._get_save_slice_info().spec for v in w]
    out += [str(v.shape), str(v.dtype), str(len(v)), str(v.as_tensor()), v.name]
    v.assign(tf.zeros([10, 4]))
    with tf.variable_scope("p", reuse=True):
        again = tf.get_variable("v", [10, 4])
    single = tf.get_variable("one", [3], partitioner=tf.fixed_size_partitioner(1))
    tf.convert_to_tensor(single)
    u = tf.get_variable("u", [6, 9], partitioner=tf.variable_axis_size_partitioner(40, axis=1))
    x = tf.get_variable("x", [6, 9], partitioner=tf.min_max_variable_partitioner(4, 0, 64))
    y = tf.create_partitioned_variables([4, 2], [2, 1], tf.zeros_initializer(), name="y")
    tf.nn.embedding_lookup(v, [1, 5])
    return out + [str(again is v), str(len(u)), str(len(x)), str([z.name for z in y])]


# ---- variable scopes: graphs ---------------------------------------------------------------------


def get_variable(tf):
    with tf.variable_scope("net"):
        a = tf.get_variable("a", [3, 4])
        b = tf.get_variable("b", [2], tf.int32)
        c = tf.get_variable("c", initializer=tf.constant([1.0, 2.0]))
        d = tf.get_variable("d", initializer=[1, 2, 3])
        e = tf.get_variable("e", [2], initializer=tf.ones_initializer)
        f = tf.get_variable("f", initializer=lambda: tf.ones([2]))
        g = tf.get_local_variable("g", [2])
        h = tf.get_variable("h", [2], tf.float64, use_resource=True, trainable=False)
        i = tf.get_variable("i", [2], tf.bool)
    return [repr(x) for x in (a, b, c, d, e, f, g, h, i)]


def scope_names(tf):
    out = []

    def note(scope):
        out.append([scope.name, scope.original_name_scope, tf.no_op().name, str(scope.reuse)])

    with tf.variable_scope("a") as a:
        note(a)
        with tf.variable_scope("b") as b:
            note(b)
    with tf.variable_scope("a") as again:
        note(again)
    with tf.variable_scope(a, reuse=True) as reopened:
        note(reopened)
        with tf.variable_scope("inner") as inner:
            note(inner)
    with tf.variable_scope(b):
        note(tf.get_variable_scope())
    with tf.variable_scope("a/", auxiliary_name_scope=False) as odd:
        note(odd)
    with tf.variable_scope("") as empty:
        note(empty)
    with tf.variable_scope(tf.get_variable_scope(), reuse=tf.AUTO_REUSE) as root:
        note(root)
    with tf.name_scope("n"), tf.variable_scope("v") as v:
        note(v)
        out.append([tf.get_variable("w", [1]).name, tf.Variable(1.0, name="w").name])
        with tf.variable_scope(a, auxiliary_name_scope=False) as plain:
            note(plain)
    note(tf.get_variable_scope())
    return [str(x) for x in out]


def default_names(tf):
    out = []
    for _ in range(3):
        with tf.variable_scope(None, "layer") as scope:
            out.append([scope.name, tf.get_variable("w", [1]).name, tf.no_op().name])
            with tf.variable_scope(None, "layer") as inner:
                out.append([inner.name])
    with tf.variable_scope("layer_1"), tf.variable_scope(None, "layer") as scope:
        out.append([scope.name])
    with tf.variable_scope("layer"):
        with tf.variable_scope(None, default_name="layer") as scope:
            out.append([scope.name, scope.original_name_scope])
    for _ in range(2):
        with tf.variable_scope("x", default_name="unused", values=[tf.constant(1)]) as scope:
            out.append([scope.name, tf.no_op().name])
    with tf.variable_op_scope([tf.constant(1)], None, "old") as scope:
        out.append([scope.name])
    reentered = tf.variable_scope("twice")
    for _ in range(2):
        with reentered as scope:
            out.append([scope.name, scope.original_name_scope, tf.no_op().name])
    return [str(x) for x in out]


def scope_defaults(tf):
    def regularizer(v):
        return tf.reduce_sum(v, name="penalty")

    def constraint(v):
        return tf.abs(v)

    with tf.variable_scope(
        "s",
        initializer=tf.constant_initializer(0.5),
        regularizer=regularizer,
        dtype=tf.float64,
        use_resource=True,
        constraint=constraint,
        caching_device="/cpu:0",
    ) as scope:
        a = tf.get_variable("a", [2])
        with tf.variable_scope("t", regularizer=tf.no_regularizer, use_resource=False) as inner:
            b = tf.get_variable("b", [2])
            inner.set_initializer(tf.ones_initializer())
            inner.set_dtype(tf.float32)
            inner.set_regularizer(None)
            c = tf.get_variable("c", [2], caching_device="/cpu:1")
    out = [repr(x) for x in (a, b, c)] + [str(b.constraint), str(a.constraint is constraint)]
    out += [str([v.name for v in scope.trainable_variables()]), str(scope.local_variables())]
    return out + [str(tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES))]


def reuse(tf):
    out = []
    with tf.variable_scope("s"):
        a = tf.get_variable("a", [2])
        tf.get_variable_scope().reuse_variables()
        out.append(tf.get_variable("a", [2]) is a)
    with tf.variable_scope("s", reuse=True):
        out.append(tf.get_variable("a") is a)
        with tf.variable_scope("t", reuse=False):
            out.append(tf.get_variable_scope().reuse)
    with tf.variable_scope("s", reuse=tf.AUTO_REUSE):
        out.append(tf.get_variable("a", [2], initializer=tf.zeros_initializer()) is a)
        b = tf.get_variable("b", [3])
        out.append(tf.get_variable("b", [3]) is b)
        out.append(tf.get_variable("b", tf.TensorShape([None])) is b)
    return [str(x) for x in out]


def custom_getters(tf):
    calls = []

    def scaled(getter, name, *args, **kwargs):
        calls.append((name, sorted(kwargs)))
        return 2.0 * getter(name, *args, **kwargs)

    def renamed(getter, name, shape=None, **kwargs):
        return getter(name + "_renamed", shape, **kwargs)

    with tf.variable_scope("s", custom_getter=scaled):
        a = tf.get_variable("a", [2])
        with tf.variable_scope("t", custom_getter=renamed):
            b = tf.get_variable("b", [2])
        c = tf.get_variable("c", [2], custom_getter=renamed)
    return [str(a), str(b), str(c), str(calls)]


def templates(tf):
    def dense(x, size, bias=True):
        w = tf.get_variable("w", [x.shape[1], size])
        return tf.matmul(x, w) + (tf.get_variable("b", [size]) if bias else 0.0)

    layer = tf.make_template("layer", dense, size=3)
    other = tf.make_template("layer", dense, size=2, create_scope_now_=True)
    named = tf.make_template("unused", dense, unique_name_="named", bias=False)
    x = tf.placeholder(tf.float32, [None, 4])
    with tf.name_scope("here"):
        y = [layer(x), layer(x), other(x), named(x, size=2)]
    out = [layer.variable_scope_name, other.variable_scope_name, layer.name]
    out += [str(layer.trainable_variables), str(named.variables), str(other.local_variables)]
    return out + [str(t) for t in y]


# ---- optimizers: graphs --------------------------------------------------------------------------


def adam_names(tf):
    with tf.variable_scope("net"):
        w = tf.get_variable("w", [3, 2])
        b = tf.get_variable("b", [2], tf.float64)
    step = tf.train.get_or_create_global_step()
    loss = tf.reduce_sum(w) + tf.cast(tf.reduce_sum(b), tf.float32)
    optimizer = tf.train.AdamOptimizer(0.1)
    train = optimizer.minimize(loss, global_step=step)
    again = tf.train.AdamOptimizer(lambda: 0.2, name="Second").minimize(loss, var_list=[w])
    out = [train.name, again.name, str(optimizer.get_slot_names()), optimizer.get_name()]
    out += [str(v) for v in optimizer.variables()]
    return out + [str(optimizer.get_slot(w, "m")), str(optimizer.get_slot(w, "other"))]


def apply_gradients(tf):
    a = tf.Variable([1.0, 2.0], name="a")
    b = tf.Variable([1.0, 2.0], name="b", use_resource=True)
    c = tf.Variable([3.0], name="c")
    optimizer = tf.train.MomentumOptimizer(tf.constant(0.1), 0.9, use_nesterov=True)
    pairs = optimizer.compute_gradients(tf.reduce_sum(a * b), [a, b, c])
    out = [str(x) for x in pairs]
    clipped = [(tf.clip_by_norm(g, 1.0), v) for g, v in pairs if g is not None]
    out.append(optimizer.apply_gradients(clipped, name="train").name)
    grads = tf.train.GradientDescentOptimizer(0.1).compute_gradients(
        tf.reduce_sum(a * a), gate_gradients=tf.train.Optimizer.GATE_GRAPH
    )
    out.append(str(grads))
    step = tf.Variable(0, trainable=False, use_resource=True, name="step")
    train = tf.train.RMSPropOptimizer(0.1, centered=True).minimize(
        tf.reduce_sum(a * b), step, colocate_gradients_with_ops=True
    )
    return out + [train.name, str(tf.get_collection(tf.GraphKeys.TRAIN_OP))]


def constraints(tf):
    a = tf.get_variable("a", [2], constraint=lambda v: tf.clip_by_value(v, 0.0, 1.0))
    b = tf.get_variable("b", [2], constraint=tf.abs, use_resource=True)
    tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(a * b))


def partitioned_slots(tf):
    v = tf.get_variable("v", [4, 2], partitioner=tf.fixed_size_partitioner(2))
    w = tf.get_variable("w", [2, 1], use_resource=True)
    loss = tf.reduce_sum(tf.matmul(v, w))
    with tf.variable_scope("opt"):
        optimizer = tf.train.AdagradOptimizer(0.1)
        optimizer.minimize(loss)
    slots = [optimizer.get_slot(part, "accumulator") for part in v]
    return [s.name for s in slots] + [s._get_save_slice_info().full_name for s in slots]


def unknown_shapes(tf):
    start = tf.placeholder_with_default(np.ones(2, np.float32), [None])
    v = tf.Variable(start, validate_shape=False, name="v")
    loss = tf.reduce_sum(v * v)
    for optimizer in (
        tf.train.AdamOptimizer(0.1),
        tf.train.MomentumOptimizer(0.1, 0.9),
    ):
        optimizer.minimize(loss)


def global_steps(tf):
    out = [str(tf.train.get_global_step())]
    with tf.name_scope("inside"):
        step = tf.train.create_global_step()
    out += [repr(step), str(tf.train.get_global_step() is step), str(step.aggregation)]
    out.append(str(tf.train.get_or_create_global_step() is step))
    return out + [str(tf.train.assert_global_step(step))]


def sparse_gradients(tf):
    for resource in (False, True):
        with tf.variable_scope("resource" if resource else "ref", use_resource=resource):
            table = tf.get_variable("table", [5, 3])
            rows = tf.nn.embedding_lookup(table, [0, 2, 2])
            loss = tf.reduce_sum(rows * rows)
            tf.train.AdamOptimizer(0.1).minimize(loss, var_list=[table])
            tf.train.GradientDescentOptimizer(0.1).minimize(loss, var_list=[table])
            tf.train.FtrlOptimizer(0.1).minimize(loss, var_list=[table])


# ---- mistakes ------------------------------------------------------------------------------------


def _exists(tf):
    tf.get_variable("v", [1])
    tf.get_variable("v", [1])


def _exists_resource(tf):
    tf.get_variable("v", [1], use_resource=True)
    tf.get_variable("v", [1], use_resource=True)


def _missing(tf):
    with tf.variable_scope("s", reuse=True):
        tf.get_variable("v", [1])


def _other_shape(tf):
    tf.get_variable("v", [1])
    with tf.variable_scope("", reuse=True):
        tf.get_variable("v", [2])


def _other_dtype(tf):
    tf.get_variable("v", [1])
    with tf.variable_scope("", reuse=True):
        tf.get_variable("v", [1], tf.int32)


def _partitioned_twice(tf):
    tf.get_variable("v", [4], partitioner=tf.fixed_size_partitioner(2))
    tf.get_variable("v", [4], partitioner=tf.fixed_size_partitioner(2))


def _other_partitions(tf):
    with tf.variable_scope("", reuse=tf.AUTO_REUSE):
        tf.get_variable("v", [4], partitioner=tf.fixed_size_partitioner(2))
        tf.get_variable("v", [4], partitioner=tf.fixed_size_partitioner(4))


def _unpartitioned(tf):
    tf.get_variable("v", [4], partitioner=tf.fixed_size_partitioner(2))
    tf.get_variable("v", [4])


def _partitioned_late(tf):
    tf.get_variable("v", [4])
    tf.get_variable("v", [4], partitioner=tf.fixed_size_partitioner(2))


def _value_in_loop(tf):
    def body(i):
        return i + tf.Variable(i + 1)

    tf.while_loop(lambda i: i < 3, body, [tf.constant(0)])


def _other_optimizer_input(tf):
    v = tf.Variable([1.0], name="v")
    tf.train.GradientDescentOptimizer(0.1).minimize(tf.constant(1.0), var_list=[v])


def _no_gradients(tf):
    v = tf.Variable([1.0], name="v")
    tf.train.GradientDescentOptimizer(0.1).apply_gradients([(None, v)])


def _sparse_constraint(tf):
    v = tf.get_variable("v", [3, 2], constraint=tf.abs)
    tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(tf.gather(v, [0])))


def _second_step(tf):
    tf.train.create_global_step()
    tf.train.create_global_step()


def _float_step(tf):
    tf.train.assert_global_step(tf.Variable(1.0, name="v"))


def _vector_step(tf):
    tf.train.assert_global_step(tf.Variable([1], name="v"))


def _template_makes_more(tf):
    names = ["a", "b"]
    template = tf.make_template("t", lambda: tf.Variable(1.0, name=names.pop()))
    template()
    template()


def _in_place(tf):
    v = tf.Variable(1.0, use_resource=True)
    v += 1.0


def _in_place_power(tf):
    v = tf.Variable(1.0, use_resource=True)
    v **= 2.0


MISTAKES = {
    "no value": lambda tf: tf.Variable(),
    "collections": lambda tf: tf.Variable(1.0, collections="mine"),
    "constraint": lambda tf: tf.Variable(1.0, constraint=1),
    "aggregation": lambda tf: tf.Variable(1.0, aggregation=9, name="v"),
    "synchronization": lambda tf: tf.Variable(1.0, synchronization=9, use_resource=True),
    "unknown shape": lambda tf: tf.Variable(tf.placeholder(tf.float32, name="p")),
    "shape argument": lambda tf: tf.Variable([1.0, 2.0], shape=[3], use_resource=True),
    "none value": lambda tf: tf.Variable(lambda: None),
    "assign shape": lambda tf: tf.Variable([1.0, 2.0], name="v").assign([1.0]),
    "assign shape, resource": lambda tf: tf.Variable([1.0], name="v", use_resource=True).assign(
        1.0
    ),
    "assign type": lambda tf: tf.Variable([1.0, 2.0], name="v").assign(["a", "b"]),
    "assign type, resource": lambda tf: tf.Variable(1, use_resource=True).assign_add("a"),
    "add types": lambda tf: tf.Variable([1.0], name="v") + tf.Variable([1], name="w"),
    "convert": lambda tf: tf.convert_to_tensor(tf.Variable([1.0], name="v"), tf.int32),
    "convert resource": lambda tf: tf.convert_to_tensor(
        tf.Variable(1.0, use_resource=True), tf.int32
    ),
    "iterate": lambda tf: list(tf.Variable([1.0])),
    "scatter": lambda tf: tf.Variable([1.0], name="v").scatter_add([1.0]),
    "sparse_read": lambda tf: tf.Variable([1.0], name="v").sparse_read([0]),
    "set_shape": lambda tf: tf.Variable([1.0], use_resource=True).set_shape([1]),
    "load": lambda tf: tf.Variable([1.0]).load([2.0]),
    "load at name": lambda tf: tf.get_variable("bad name", [1]),
    "constant and shape": lambda tf: tf.get_variable("v", [1], initializer=tf.constant([1.0])),
    "constant and dtype": lambda tf: tf.get_variable("v", dtype=tf.int32, initializer=[1.0]),
    "no shape": lambda tf: tf.get_variable("v"),
    "unknown dimension": lambda tf: tf.get_variable("v", [None, 2]),
    "no initializer": lambda tf: tf.get_variable("v", [2], tf.complex64),
    "custom getter": lambda tf: tf.get_variable("v", [2], custom_getter=3),
    "partitioner": lambda tf: tf.get_variable("v", [2], partitioner=3),
    "partitioner list": lambda tf: tf.get_variable("v", [2], partitioner=lambda **_: 3),
    "partitioner rank": lambda tf: tf.get_variable("v", [2], partitioner=lambda **_: [1, 1]),
    "partitioner zero": lambda tf: tf.get_variable("v", [2], partitioner=lambda **_: [0]),
    "partitioner two": lambda tf: tf.get_variable("v", [4, 4], partitioner=lambda **_: [2, 2]),
    "partitioner shape": lambda tf: tf.get_variable(
        "v", [None], partitioner=tf.fixed_size_partitioner(2)
    ),
    "slicing": lambda tf: tf.create_partitioned_variables([4], [2, 1], tf.zeros_initializer()),
    "shard bytes": lambda tf: tf.variable_axis_size_partitioner(0),
    "scope without name": lambda tf: tf.variable_scope(None),
    "scope reuse": lambda tf: tf.variable_scope("a", reuse=3),
    "scope of number": lambda tf: tf.variable_scope(3).__enter__(),
    "scope auxiliary": lambda tf: tf.variable_scope("a", auxiliary_name_scope=1),
    "default and reuse": lambda tf: tf.variable_scope(None, "a", reuse=True).__enter__(),
    "exists": _exists,
    "exists, resource": _exists_resource,
    "missing": _missing,
    "other shape": _other_shape,
    "other dtype": _other_dtype,
    "partitioned twice": _partitioned_twice,
    "other partitions": _other_partitions,
    "unpartitioned": _unpartitioned,
    "partitioned late": _partitioned_late,
    "value in loop": _value_in_loop,
    "template": lambda tf: tf.make_template(None, lambda: 1),
    "template makes more": _template_makes_more,
    "in place": _in_place,
    "in place power": _in_place_power,
    "optimizer name": lambda tf: tf.train.AdamOptimizer(name=""),
    "gate": lambda tf: tf.train.AdamOptimizer().compute_gradients(
        tf.constant(1.0), gate_gradients=7
    ),
    "integer loss": lambda tf: tf.train.AdamOptimizer().minimize(tf.constant(1, name="loss")),
    "no variables": lambda tf: tf.train.AdamOptimizer().minimize(tf.constant(1.0)),
    "no pairs": lambda tf: tf.train.AdamOptimizer().apply_gradients([]),
    "not connected": _other_optimizer_input,
    "no gradients": _no_gradients,
    "odd gradient": lambda tf: tf.train.AdamOptimizer().apply_gradients(
        [(object, tf.Variable(1.0))]
    ),
    "update tensor": lambda tf: tf.train.GradientDescentOptimizer(0.1).apply_gradients(
        [(tf.constant(1.0), tf.constant(1.0, name="c"))]
    ),
    "sparse constraint": _sparse_constraint,
    "adagrad": lambda tf: tf.train.AdagradOptimizer(0.1, initial_accumulator_value=0.0),
    "ftrl": lambda tf: tf.train.FtrlOptimizer(0.1, l1_regularization_strength=-1.0),
    "second step": _second_step,
    "float step": _float_step,
    "vector step": _vector_step,
}

GRAPHS = {
    "variables": _collect(
        [values_and_names, resource, initialized_from_others, in_control_flow, devices, shapes],
        [assignment, scatter, operators, initializers, no_variables, protos, creators, partitions],
    ),
    "variable_scope": _collect(
        [get_variable, scope_names, default_names, scope_defaults, reuse, custom_getters],
        [templates],
    ),
    "optimizers": _collect(
        [adam_names, apply_gradients, constraints, partitioned_slots, unknown_shapes],
        [global_steps, sparse_gradients],
    ),
}
