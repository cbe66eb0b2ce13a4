"""Small programs with functional control flow: If, While and Case operations, lists of tensors.

Every function of `PROGRAMS` takes the `tensorflow` module and builds a graph with
`tf.enable_control_flow_v2()` on; it returns (fetches, feeds): what is fetched, and a list of feed
dicts, one for each run. `EAGER` are compared by what they return, `MISTAKES` by the exception that
they raise.
"""

from __future__ import annotations

import contextlib
import json
import re

import numpy as np
import recording
from flow_v2_failing_cases import FAILING as FAILING
from flow_v2_failing_cases import _functional, _of_lists

ONCE = [{}]


def _collect(*group):
    """Functions in a dict by name."""
    return {f.__name__: f for f in group}


@contextlib.contextmanager
def switched_on(tf):
    """Functional control flow, as long as the `with` block lasts."""
    tf.enable_control_flow_v2()
    try:
        yield
    finally:
        tf.disable_control_flow_v2()


_FUNCTION = re.compile(
    r"\b(\w*?(?:true|false|cond|body|branch\d+))((?:_rewritten|_grad)*_\d+"
    r"(?:_rewritten|_grad_\d+)*)(?=\W)"
)
_NUMBER = re.compile(r"\d+$|\d+(?=_)")


def describe(graph):
    """As `recording.describe_graph`, with the functions of branches and loops numbered anew, in the
    order in which they were made."""
    text = json.dumps(recording.describe_graph(graph))
    if not any(part in text for part in ("_true_", "_body_", "_branch")):
        return json.loads(text)
    found = {n for _, parts in _FUNCTION.findall(text) for n in _NUMBER.findall(parts)}
    order = {n: "n" + str(i) for i, n in enumerate(sorted(found, key=int))}
    return json.loads(
        _FUNCTION.sub(
            lambda match: match[1] + _NUMBER.sub(lambda m: order[m.group()], match[2]), text
        )
    )


def _vector(tf, name=None):
    return tf.placeholder(tf.float32, [2], name=name)


def _feeds(x, *values):
    return [{x: np.array(value, np.float32)} for value in values]


def _both(x, p, value=(0.5, 2.0)):
    return [{x: np.array(value, np.float32), p: p_value} for p_value in (True, False)]


def _variable(tf, value, name="v"):
    return tf.get_variable(name, initializer=tf.constant(value), use_resource=True)


# ---- conditionals ----------


def cond(tf):
    x, p, w = _vector(tf), tf.placeholder(tf.bool, []), _variable(tf, [1.0, 2.0])
    y = tf.cond(p, lambda: x * w, lambda: tf.sin(x) + 1.0)
    g = tf.gradients(y, [x, w])
    return [y, g, tf.gradients(g[0], [x, w])], _both(x, p)


def cond_nested(tf):
    x, p = _vector(tf), tf.placeholder(tf.bool, [])
    q = tf.reduce_sum(x) > 0.0

    def inner():
        return tf.cond(q, lambda: tf.exp(x) * x, lambda: tf.cos(x))

    y = tf.cond(p, inner, lambda: x * x * x, name="outer")
    g = tf.gradients(y, x)[0]
    return [y, g], _both(x, p) + _both(x, p, (-1.0, 0.25))


def cond_structures(tf):
    x, p = _vector(tf), tf.placeholder(tf.bool, [])
    one = tf.cond(p, lambda: {"a": x, "b": [x + 1.0, x]}, lambda: {"a": -x, "b": [x, x]})
    two = tf.cond(p, lambda: [x * 2.0], lambda: [x], strict=True)
    three = tf.cond(p, lambda: (tf.no_op(), 1), lambda: (x.op, 2))
    four = tf.cond(tf.reshape(p, [1]), lambda: 1.0, lambda: 2.0)
    return [one["a"], one["b"][0], two, three, four], _both(x, p)


def cond_of_slices(tf):
    v, p = _variable(tf, [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), tf.placeholder(tf.bool, [])
    x = _vector(tf)
    y = tf.cond(p, lambda: tf.reduce_sum(tf.gather(v, [0, 2]) * x), lambda: tf.reduce_sum(v * v))
    z = tf.cond(p, lambda: tf.gather(v, [1]) * x, lambda: tf.gather(v, [2]))
    grads = [tf.convert_to_tensor(tf.gradients(t, v)[0]) for t in (y, z)]
    return [y, z, grads, tf.gradients(y, x)], _both(x, p)


def cond_random(tf):
    tf.set_random_seed(3)
    x, p = _vector(tf), tf.placeholder(tf.bool, [])
    y = tf.cond(p, lambda: tf.random_uniform([2]) * x, lambda: tf.nn.dropout(x, rate=0.5))
    z = tf.cond(p, lambda: tf.random_normal([2], seed=1), lambda: x)
    return [y, z, tf.gradients(y, x)], _both(x, p) + _both(x, p)


def cond_effects(tf):
    x, p, v = _vector(tf), tf.placeholder(tf.bool, []), _variable(tf, [1.0, 2.0])
    with tf.control_dependencies([v.assign_add(x)]):
        y = tf.cond(p, lambda: v.assign_add(x * 10.0).op, lambda: tf.no_op())
    with tf.control_dependencies([y]):
        now = v.read_value()
    ok = tf.Assert(tf.reduce_all(x > 0.0), [x])
    return [y, now, ok], _both(x, p)


def cond_of_sums(tf):
    x, p = tf.placeholder(tf.float32, [None, 3]), tf.placeholder(tf.bool, [])
    y = tf.cond(
        p,
        lambda: tf.reduce_mean(tf.square(x), axis=0),
        lambda: tf.reduce_sum(tf.nn.softmax(x), axis=[0]),
    )
    value = np.arange(6).reshape(2, 3) / 4.0
    return [y, tf.gradients(y, x)], [{x: value, p: p_value} for p_value in (True, False)]


def case(tf):
    x = tf.placeholder(tf.float32, [])
    pairs = [(x < 0.0, lambda: x * x), (x > 1.0, lambda: tf.exp(x))]
    y = tf.case(pairs, default=lambda: x, exclusive=True)
    return [y, tf.gradients(y, x)], [{x: value} for value in (-2.0, 2.0, 0.5)]


def switch_case(tf):
    x, n, w = _vector(tf), tf.placeholder(tf.int32, []), _variable(tf, [1.0, 2.0])
    y = tf.switch_case(n, [lambda: x * w, lambda: tf.sin(x), lambda: w], default=lambda: x / w)
    z = tf.switch_case(n, {1: lambda: x, 0: lambda: tf.exp(x)}, name="two")
    feeds = [{x: np.array([0.5, 2.0], np.float32), n: i} for i in (0, 1, 2, 3, -1, 7)]
    return [y, z, tf.gradients(y, [x, w]), tf.gradients(z, x)], feeds


# ---- loops ----------


def loop(tf):
    x, w = _vector(tf), _variable(tf, [1.0, 2.0])
    i, y = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, tf.sin(y * w) + x), [0, x])
    g = tf.gradients(y, [x, w])
    return [i, y, g, tf.gradients(g[0], [x, w])], _feeds(x, [0.5, 2.0], [1.0, -1.0])


def loop_of_data(tf):
    x = tf.placeholder(tf.float32, [])
    i, y = tf.while_loop(lambda i, y: y < 100.0, lambda i, y: (i + 1, y * x), [0, x])
    return [i, y, tf.gradients(y, x)], [{x: value} for value in (2.0, 1.01, 200.0)]


def loop_in_loop(tf):
    x = _vector(tf)

    def body(i, y):
        def inner(j, z):
            return j + 1, tf.tanh(z * x)

        return i + 1, y + tf.while_loop(lambda j, z: j < 2, inner, [0, y])[1]

    _, y = tf.while_loop(lambda i, y: i < 3, body, [0, x])
    return [y, tf.gradients(y, x)], _feeds(x, [0.5, 2.0])


def loop_with_cond(tf):
    x = _vector(tf)

    def body(i, y):
        z = tf.cond(tf.equal(i % 2, 0), lambda: tf.sin(y) * x, lambda: y * y)
        return i + 1, z

    _, y = tf.while_loop(lambda i, y: i < 3, body, [0, x])
    return [y, tf.gradients(y, x)], _feeds(x, [0.5, 2.0])


def loops_twice_differentiated(tf):
    x = _vector(tf)

    def with_cond(i, y):
        z = tf.cond(tf.equal(i % 2, 0), lambda: tf.sin(y) * x, lambda: y * y)
        return i + 1, z

    def with_loop(i, y):
        def inner(j, z):
            return j + 1, tf.tanh(z * x)

        return i + 1, tf.while_loop(lambda j, z: j < 2, inner, [0, y])[1]

    found = []
    for body in (with_cond, with_loop):
        _, y = tf.while_loop(lambda i, y: i < 2, body, [0, x])
        g = tf.gradients(y, x)[0]
        found += [y, g, tf.gradients(g, x)[0]]
    return found, _feeds(x, [0.5, 2.0])


def loop_limits(tf):
    x, n = tf.placeholder(tf.float32, [None]), tf.placeholder(tf.int32, [])
    y = tf.while_loop(
        lambda y: tf.reduce_sum(y) < 100.0, lambda y: y * x, [x], maximum_iterations=n
    )
    z = tf.while_loop(
        lambda z: tf.shape(z)[0] < 7,
        lambda z: tf.concat([z, z[:1]], 0),
        [x],
        shape_invariants=[tf.TensorShape([None])],
        maximum_iterations=4,
        back_prop=False,
    )
    value = np.array([1.5, 2.0], np.float32)
    return [y, z, tf.gradients(y, x)], [{x: value, n: 3}, {x: value, n: 50}]


def loop_of_slices(tf):
    v, x = _variable(tf, [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), _vector(tf)

    def body(i, y):
        return i + 1, y + tf.nn.embedding_lookup(v, i) * x

    _, y = tf.while_loop(lambda i, y: i < 3, body, [0, x])
    grad = tf.gradients(y, v)[0]
    return [y, tf.convert_to_tensor(grad)], _feeds(x, [0.5, 2.0])


def loop_effects(tf):
    x, v = _vector(tf), _variable(tf, [0.0, 0.0])
    tf.set_random_seed(5)

    def body(i, y):
        with tf.control_dependencies([v.assign_add(y)]):
            return i + 1, tf.random_uniform([2]) + v

    i, y = tf.while_loop(lambda i, y: i < 3, body, [0, x], parallel_iterations=1, name="effects")
    with tf.control_dependencies([y]):
        now = v.read_value()
    return [i, y, now], _feeds(x, [0.5, 2.0])


def loop_structures(tf):
    x = _vector(tf)
    state = {"a": x, "b": (tf.constant(0), x * 2.0)}

    def body(s):
        return {"a": s["a"] + s["b"][1], "b": (s["b"][0] + 1, s["b"][1] * 0.5)}

    (y,) = tf.while_loop(lambda s: s["b"][0] < 3, lambda s: [body(s)], [state])
    one = tf.while_loop(lambda y: tf.reduce_sum(y) < 9.0, lambda y: y * 2.0, [x])
    return [y["a"], y["b"], one, tf.gradients(y["a"], x)], _feeds(x, [0.5, 2.0])


# ---- arrays ----------


def arrays(tf):
    x = tf.placeholder(tf.float32, [3, 2])
    array = tf.TensorArray(tf.float32, 3).unstack(x)
    other = tf.TensorArray(tf.float32, 3, element_shape=[2])

    def body(i, other):
        return i + 1, other.write(i, array.read(i) * tf.cast(i + 1, tf.float32))

    _, other = tf.while_loop(lambda i, _: i < 3, body, [0, other])
    y = [other.stack(), other.gather([2, 0]), other.concat(), other.read(1), other.size()]
    split = tf.TensorArray(tf.float32, 2, infer_shape=False).split(x, [1, 2])
    put = tf.TensorArray(tf.float32, 4, element_shape=[2]).scatter([3, 0, 1], x)
    y += [split.read(1), split.concat(), put.stack()]
    grads = [tf.gradients(t, x) for t in (y[0], y[1], y[2], y[3], y[5], y[6], y[7])]
    return [y, grads], [{x: np.arange(6).reshape(3, 2) / 2.0}]


def arrays_growing(tf):
    x, n = _vector(tf), tf.placeholder(tf.int32, [])
    array = tf.TensorArray(tf.float32, 0, dynamic_size=True, element_shape=[2])
    _, array, y = tf.while_loop(
        lambda i, a, y: i < n, lambda i, a, y: (i + 1, a.write(i, y), y * x), [0, array, x]
    )
    z = array.stack()
    value = np.array([0.5, 2.0], np.float32)
    return [z, array.size(), tf.gradients(z, x)], [{x: value, n: 3}, {x: value, n: 5}]


def mapped(tf):
    x, w = tf.placeholder(tf.float32, [3, 2]), _variable(tf, [1.0, 2.0])
    one = tf.map_fn(lambda row: tf.tanh(row * w), x)
    two = tf.map_fn(lambda pair: pair[0] * pair[1], (x, x + 1.0), dtype=tf.float32)
    return [one, two, tf.gradients([one, two], [x, w])], [{x: np.arange(6).reshape(3, 2) / 4.0}]


def folded(tf):
    x = tf.placeholder(tf.float32, [None, 2])
    y = [
        tf.scan(lambda a, row: a * 0.5 + row, x),
        tf.scan(lambda a, row: a + row, x, initializer=tf.zeros([2]), reverse=True),
        tf.foldl(lambda a, row: a * row + 1.0, x),
        tf.foldr(lambda a, row: a + row * row, x, initializer=tf.zeros([2])),
    ]
    value = np.arange(6).reshape(3, 2) / 4.0
    return [y, [tf.gradients(t, x) for t in y]], [{x: value}, {x: value[:2]}]


def lists(tf):
    from tensorflow.python.ops import list_ops

    x = _vector(tf)
    one = list_ops.empty_tensor_list(element_shape=[2], element_dtype=tf.float32)
    one = tf.raw_ops.TensorListPushBack(input_handle=one, tensor=x)
    one = tf.raw_ops.TensorListPushBack(input_handle=one, tensor=x * x)
    two = list_ops.tensor_list_set_item(one, 0, tf.sin(x))
    three, last = list_ops.tensor_list_pop_back(two, element_dtype=tf.float32)
    y = [
        list_ops.tensor_list_stack(two, tf.float32),
        list_ops.tensor_list_get_item(three, 0, tf.float32) * last,
        list_ops.tensor_list_stack(
            tf.raw_ops.TensorListResize(input_handle=two, size=3), tf.float32
        ),
    ]
    return [y, [tf.gradients(t, x) for t in y]], _feeds(x, [0.5, 2.0])


# ---- nets ----------


def recurrent(tf):
    tf.set_random_seed(1)
    x = tf.placeholder(tf.float32, [2, 4, 3])
    cell = tf.nn.rnn_cell.BasicLSTMCell(3)
    y, state = tf.nn.dynamic_rnn(cell, x, sequence_length=[4, 2], dtype=tf.float32)
    loss = tf.reduce_mean(tf.square(y)) + tf.reduce_mean(state.h)
    train = tf.train.GradientDescentOptimizer(0.5).minimize(loss)
    value = np.sin(np.arange(24)).reshape(2, 4, 3)
    return [loss, train], [{x: value}] * 4


def dropped(tf):
    x, training = tf.placeholder(tf.float32, [3, 2]), tf.placeholder(tf.bool, [])
    y = tf.layers.dense(x, 2, kernel_initializer=tf.ones_initializer(), use_bias=False)
    z = tf.layers.dropout(y, rate=0.5, training=training, seed=1)
    grads = tf.gradients(z, [x, *tf.trainable_variables()])
    value = np.sin(np.arange(6)).reshape(3, 2)
    return [y, z, grads], [{x: value, training: t} for t in (True, False)]


# ---- functions ----------


def function_of_loops(tf):
    x, w = _vector(tf), _variable(tf, [1.0, 2.0])

    @tf.function
    def f(a, n):
        _, y = tf.while_loop(lambda i, y: i < n, lambda i, y: (i + 1, tf.sin(y * w)), [0, a])
        return tf.cond(tf.reduce_sum(y) > 1.0, lambda: y * a, lambda: y - w), tf.scan(
            lambda s, row: s + row, tf.stack([a, y])
        )

    y, z = f(x, 3)
    g = tf.gradients(y, [x, w])
    return [y, z, g, tf.gradients(z, x)], _feeds(x, [0.5, 2.0], [3.0, 2.0])


def function_with_effects(tf):
    x, v = _vector(tf), _variable(tf, [1.0, 2.0])

    @tf.function
    def f(a):
        v.assign_add(a)

        def body(i, y):
            v.assign_add(y)
            return i + 1, y * 2.0

        tf.while_loop(lambda i, y: i < 2, body, [0, a])
        return tf.cond(a[0] > 0.0, lambda: v.assign_sub(a), lambda: v.read_value())

    return [f(x)], _feeds(x, [0.5, 2.0], [-0.5, 1.0])


def function_differentiating(tf):
    x = _vector(tf)

    @tf.function
    def f(a):
        array = tf.TensorArray(tf.float32, 3)
        _, array = tf.while_loop(
            lambda i, _: i < 3, lambda i, t: (i + 1, t.write(i, a**3)), [0, array]
        )
        y = tf.reduce_sum(array.stack())
        return tf.gradients(y, a)[0]

    y = f(x)
    return [y, tf.gradients(y, x)], _feeds(x, [0.5, 2.0])


def function_in_branches(tf):
    x, p = _vector(tf), tf.placeholder(tf.bool, [])

    @tf.function
    def f(a):
        return tf.sin(a) * a

    y = tf.cond(p, lambda: f(x), lambda: f(x * 2.0) + 1.0)
    _, z = tf.while_loop(lambda i, z: i < 2, lambda i, z: (i + 1, f(z)), [0, x])
    return [y, z, tf.gradients(y, x), tf.gradients(z, x)], _both(x, p)


def function_of_function_loops(tf):
    x, p = _vector(tf), tf.placeholder(tf.bool, [])

    @tf.function
    def inner(a):
        return tf.while_loop(lambda i, y: i < 2, lambda i, y: (i + 1, y * a), [0, a])[1]

    @tf.function
    def outer(a, p):
        return tf.switch_case(tf.cast(p, tf.int32), [lambda: inner(a), lambda: tf.exp(a)])

    y = outer(x, p)
    return [y, tf.gradients(y, x)], _both(x, p)


def library_functions(tf):
    from tensorflow.python.framework import function
    from tensorflow.python.ops import functional_ops

    x, n = _vector(tf), tf.placeholder(tf.int32, [])
    captured = tf.constant([2.0, 3.0])

    @function.Defun(tf.float32)
    def double(a):
        return a * captured

    @function.Defun(tf.float32)
    def negate(a):
        return -a * captured

    @function.Defun(tf.int32, tf.float32)
    def below(i, a):
        return i < 3

    @function.Defun(tf.int32, tf.float32)
    def turn(i, a):
        return i + 1, a * 2.0

    @function.Defun(tf.int32, tf.float32)
    def turn_capturing(i, a):
        return i + 1, a * captured

    @function.Defun(tf.int32, tf.float32)
    def add(i, a):
        return a + tf.cast(i, tf.float32)

    @function.Defun(tf.int32, tf.float32)
    def add_capturing(i, a):
        return a + tf.cast(i, tf.float32) * captured

    y = [
        functional_ops.If(n > 0, [x, captured], double, negate)[0],
        functional_ops.While([n, x], below, turn)[1],
        functional_ops.While([n, x], below, turn_capturing, hostmem=[0])[1],
        functional_ops.For(0, n, 2, [x], add)[0],
        functional_ops.For(n, 0, -1, [x], add_capturing, hostmem=[0])[0],
        functional_ops.For(0, n, 1, [x], add, rewrite_with_while=True)[0],
        functional_ops.partitioned_call([x, captured], double)[0],
        functional_ops.Gradient([x, captured, x], negate)[0],
    ]
    return [y], [{x: np.array([0.5, 2.0]), n: i} for i in (2, 0)]


PROGRAMS = _collect(
    cond, cond_nested, cond_structures, cond_of_slices, cond_random, cond_effects, cond_of_sums,
    case, switch_case, loop, loop_of_data, loop_in_loop, loop_with_cond,
    loops_twice_differentiated, loop_limits,
    loop_of_slices, loop_effects, loop_structures, arrays, arrays_growing, mapped, folded, lists,
    recurrent, dropped, function_of_loops, function_with_effects, function_differentiating,
    function_in_branches, function_of_function_loops, library_functions,
)  # fmt: skip


# ---- mistakes: recorded with functional control flow on ----------


def _loop(tf, cond, body, variables, **kwargs):
    return tf.while_loop(cond, body, variables, **kwargs)


def _defuns(tf, dtype=None):
    from tensorflow.python.framework import function

    captured = tf.constant(2)

    @function.Defun(tf.int32)
    def cond(a):
        return a < captured

    @function.Defun(dtype or tf.int32)
    def body(a):
        return a

    return cond, body


MISTAKES = {
    "cond_bool": lambda tf: tf.cond(True, lambda: 1, lambda: 2),
    "cond_structures": lambda tf: tf.cond(tf.constant(True), lambda: [1.0, 2.0], lambda: 1.0),
    "cond_lengths": lambda tf: tf.cond(tf.constant(True), lambda: (1.0, 2.0), lambda: (1.0,)),
    "cond_dtypes": lambda tf: tf.cond(tf.constant(True), lambda: 1.0, lambda: 2),
    "cond_nothing": lambda tf: tf.cond(tf.constant(True), lambda: None, lambda: None),
    "cond_one_nothing": lambda tf: tf.cond(tf.constant(True), lambda: None, lambda: 1),
    "cond_object": lambda tf: tf.cond(tf.constant(True), lambda: object(), lambda: 1),
    "cond_none_fn": lambda tf: tf.cond(tf.constant(True), None, lambda: 1),
    "cond_capture": lambda tf: _captures(tf),
    "case_index": lambda tf: tf.switch_case(1, [lambda: 1]),
    "case_float": lambda tf: tf.switch_case(tf.constant(1.0), [lambda: 1]),
    "case_none": lambda tf: tf.switch_case(tf.constant(1), []),
    "case_type": lambda tf: tf.switch_case(tf.constant(1), lambda: 1),
    "case_pair": lambda tf: tf.switch_case(tf.constant(1), [(0, lambda: 1, 2)]),
    "case_key": lambda tf: tf.switch_case(tf.constant(1), {"a": lambda: 1}),
    "case_fn": lambda tf: tf.switch_case(tf.constant(1), {0: 1}),
    "case_gap": lambda tf: tf.switch_case(tf.constant(1), {0: lambda: 1, 2: lambda: 2}),
    "case_dtypes": lambda tf: tf.switch_case(tf.constant(1), [lambda: 1, lambda: 2.0]),
    "loop_cond": lambda tf: _loop(tf, 1, lambda x: x, [0]),
    "loop_body": lambda tf: _loop(tf, lambda x: x < 1, 1, [0]),
    "loop_parallel": lambda tf: _loop(tf, lambda x: x < 1, lambda x: x, [0], parallel_iterations=0),
    "loop_structure": lambda tf: _loop(tf, lambda x: x < 1, lambda x: [x, x], [0]),
    "loop_dtype": lambda tf: _loop(
        tf, lambda x: x < 1, lambda x: tf.cast(x, tf.float32), [tf.constant(0, name="zero")]
    ),
    "loop_shape": lambda tf: _loop(
        tf, lambda x: True, lambda x: tf.concat([x, x], 0), [tf.constant([1.0], name="one")]
    ),
    "loop_invariant": lambda tf: _loop(
        tf, lambda x: True, lambda x: x, [tf.constant([1.0])], shape_invariants=[[None]]
    ),
    "loop_invariants": lambda tf: _loop(
        tf, lambda x: True, lambda x: x, [1], shape_invariants=[tf.TensorShape([])] * 2
    ),
    "loop_limit": lambda tf: _loop(tf, lambda x: True, lambda x: x, [1], maximum_iterations="many"),
    "array_flow": lambda tf: tf.TensorArray(tf.float32, flow=tf.constant(1.0)),
    "array_size": lambda tf: tf.TensorArray(tf.float32),
    "array_shape": lambda tf: tf.TensorArray(tf.float32, 2, element_shape=[2]).write(0, [1.0]),
    "array_grad": lambda tf: tf.TensorArray(tf.float32, 2).grad("source"),
    "list_shape": lambda tf: _of_lists(tf).empty_tensor_list(tf.zeros([], tf.int32), tf.float32),
    "list_dtype": lambda tf: tf.raw_ops.TensorListPushBack(
        input_handle=_of_lists(tf).empty_tensor_list(None, tf.int32), tensor=1.0
    ),
    "while_captures": lambda tf: _functional(tf).While([1], *_defuns(tf)),
    "while_signatures": lambda tf: _functional(tf).While(
        [1], _defuns(tf, tf.float32)[1], _defuns(tf)[1]
    ),
    "array_of_v1": lambda tf: _array_of_v1(tf),
}


def _captures(tf):
    kept = []

    def true_fn():
        kept.append(tf.constant(1.0, name="inside"))
        return kept[0]

    return tf.cond(tf.constant(True), true_fn, lambda: kept[0] + 1.0)


def _array_of_v1(tf):
    tf.disable_control_flow_v2()
    array = tf.TensorArray(tf.float32, 2)
    tf.enable_control_flow_v2()
    return array.write(0, 1.0)


# ---- eager execution: in a process of its own under TensorFlow ----------


def eager_loops(tf):
    two = tf.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, x * 2.0), [0, tf.constant(1.0)])
    one = tf.while_loop(lambda x: x < 9.0, lambda x: x * 2.0, [tf.constant(1.0)])
    kept = tf.while_loop(
        lambda x: x < 9.0, lambda x: [x * 2.0], [tf.constant(1.0)], return_same_structure=True
    )
    limited = tf.while_loop(
        lambda x: x < 9.0, lambda x: x * 2.0, [tf.constant(1.0)], maximum_iterations=2
    )
    both = tf.while_loop(
        lambda i, x: x < 9.0,
        lambda i, x: (i + 1, x * 2.0),
        (0, 1.0),
        maximum_iterations=tf.constant(2),
    )
    return [two, one, kept, limited, both]


def eager_branches(tf):
    x = tf.constant(2.0)
    return [
        tf.cond(x > 1.0, lambda: [x], lambda: [-x]),
        tf.cond(x > 1.0, lambda: [x], lambda: [-x], strict=True),
        tf.case([(x < 0.0, lambda: 1), (x > 1.0, lambda: 2)], default=lambda: 3),
        tf.switch_case(tf.constant(5), [lambda: x, lambda: x * 3.0]),
    ]


def eager_arrays(tf):
    array = tf.TensorArray(tf.float32, 2, dynamic_size=True, clear_after_read=False)
    for i in range(3):
        array = array.write(i, tf.constant([float(i), 1.0]))
    mapped = tf.map_fn(lambda row: row * 2.0, tf.ones([2, 2]))
    scanned = tf.scan(lambda a, row: a + row, tf.ones([3, 2]))
    folded = tf.foldl(lambda a, row: a + row, tf.ones([3, 2]))
    split = tf.TensorArray(tf.float32, 2).split(tf.constant([1.0, 2.0, 3.0]), [1, 2])
    return [
        array.stack(), array.size(), array.read(1), array.concat(), array.gather([2, 0]),
        mapped, scanned, folded, split.read(1), tf.TensorArray(tf.int32, 2).unstack([4, 5]).stack(),
        tf.TensorArray(tf.int32, 3, element_shape=[]).scatter([2, 0], [4, 5]).stack(),
    ]  # fmt: skip


def eager_functions(tf):
    @tf.function
    def f(x, n):
        _, y = tf.while_loop(lambda i, y: i < n, lambda i, y: (i + 1, tf.sin(y) * x), [0, x])
        return tf.cond(tf.reduce_sum(y) > 0.0, lambda: y, lambda: -y)

    x = tf.constant([0.5, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x, tf.constant(3))
    return [y, tape.gradient(y, x), f(x, tf.constant(1))]


def _written_twice(tf, *indices):
    array = tf.TensorArray(tf.float32, 2)
    for index in indices:
        array = array.write(index, 1.0)
    return array


EAGER = _collect(eager_loops, eager_branches, eager_arrays, eager_functions)
EAGER_MISTAKES = {
    "read_outside": lambda tf: tf.TensorArray(tf.float32, 2).read(2),
    "read_negative": lambda tf: tf.TensorArray(tf.float32, 2).read(-1),
    "read_twice": lambda tf: _read_twice(tf),
    "write_outside": lambda tf: _written_twice(tf, 2),
    "write_negative": lambda tf: _written_twice(tf, -1),
    "write_dtype": lambda tf: tf.TensorArray(tf.float32, 2).write(0, tf.constant(1)),
    "write_shape": lambda tf: tf.TensorArray(tf.float32, 2, element_shape=[2]).write(0, [1.0]),
    "no_size": lambda tf: tf.TensorArray(tf.float32),
    "handle": lambda tf: tf.TensorArray(tf.float32, 2, handle=tf.constant(1.0)),
    "unstack_more": lambda tf: tf.TensorArray(tf.float32, 2).unstack([1.0, 2.0, 3.0]),
    "split_sum": lambda tf: tf.TensorArray(tf.float32, 2).split([1.0, 2.0], [1, 2]),
    "split_scalar": lambda tf: tf.TensorArray(tf.float32, 2).split(1.0, [1]),
    "split_lengths": lambda tf: tf.TensorArray(tf.float32, 2).split([1.0], 1),
    "split_count": lambda tf: tf.TensorArray(tf.float32, 3).split([1.0, 2.0], [1, 1]),
    "grad": lambda tf: tf.TensorArray(tf.float32, 3).grad("source"),
    "loop_structure": lambda tf: tf.while_loop(lambda x: x < 1, lambda x: (x, x), [0]),
    "loop_no_variables": lambda tf: tf.while_loop(lambda: False, lambda: None, []),
    "cond_none": lambda tf: tf.cond(tf.constant(True), None, lambda: 1),
}


def _read_twice(tf):
    array = _written_twice(tf, 0)
    array.read(0)
    return array.read(0)
