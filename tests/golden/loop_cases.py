"""Small programs with loops and TensorArrays, whose values, errors and effects are compared.

Every function takes the `tensorflow` module and a function `note`, and builds a graph in the
default graph; it returns what is fetched, twice, in one session. `note(name)` gives a function of
tensors that calls Python when it runs, which is logged: the log is compared as well.
"""

from __future__ import annotations

import numpy as np


def _collect(*group):
    """Functions in a dict by name."""
    return {f.__name__: f for f in group}


def _unknown(tf, value, dtype=None):
    """A tensor of which only the run knows anything."""
    value = np.asarray(value, dtype)
    kinds = {"i": np.int32, "f": np.float32}
    value = value.astype(kinds.get(value.dtype.kind, value.dtype))
    return tf.placeholder_with_default(value, [None] * value.ndim)


def _text(tf):
    return tf.constant([b"a", b"bb", b"ccc"])


# ---- what runs how often ----------


def calls_in_condition(tf, note):
    test, step = note("test"), note("step")
    return tf.while_loop(lambda i: test(i) < 3, lambda i: step(i) + 1, [0])


def calls_in_condition_of_no_turn(tf, note):
    test, step = note("test"), note("step")
    return tf.while_loop(lambda i: test(i) < 0, lambda i: step(i) + 1, [0])


def calls_in_nested_loops(tf, note):
    step, inner = note("step"), note("inner")

    def body(i, x):
        _, y = tf.while_loop(lambda j, y: j < 2, lambda j, y: (j + 1, inner(y) + 1), [0, x])
        with tf.control_dependencies([y]):
            return step(tf.identity(i)) + 1, y

    return tf.while_loop(lambda i, x: i < 2, body, [0, 0], parallel_iterations=1)


def calls_in_branches(tf, note):
    true, false = note("true"), note("false")

    def body(i, x):
        branches = (lambda: true(x) + 1, lambda: false(x) + 10)
        return i + 1, tf.cond(tf.equal(i % 2, 0), *branches)

    return tf.while_loop(lambda i, x: i < 4, body, [0, 0])


def calls_in_a_loop_in_a_branch(tf, note):
    test, step = note("test"), note("step")

    def looped():
        return tf.while_loop(lambda i: test(i) < 2, lambda i: step(i) + 1, [0])

    taken = tf.placeholder_with_default(True, [])
    other = tf.placeholder_with_default(False, [])
    return [tf.cond(p, looped, lambda: tf.constant(7)) for p in (taken, other)]


def calls_that_nothing_needs(tf, note):
    unused, waited = note("unused"), note("waited")

    def body(i, x):
        with tf.control_dependencies([waited(i)]):
            return tf.identity(i) + 1, unused(x)

    return tf.while_loop(lambda i, x: i < 2, body, [0, 0])[0]


def updates_in_condition(tf, note):
    v = tf.get_variable("v", [], tf.int32, tf.zeros_initializer(), use_resource=True)
    seen = note("seen")

    def test(i):
        with tf.control_dependencies([v.assign_add(1)]):
            return v.read_value() < 4

    last = tf.while_loop(test, lambda i: i + 1, [0])
    called = tf.while_loop(test, lambda i: seen(i) + 1, [last])
    with tf.control_dependencies([called]):
        return [last, called, v.read_value()]


def draws_in_condition(tf, note):
    tf.set_random_seed(3)

    def draw(seed):
        return tf.random_uniform([], seed=seed)

    return tf.while_loop(
        lambda i, x: draw(1) < 0.8, lambda i, x: (i + 1, x + draw(2)), [0, 0.0],
        parallel_iterations=1,
    )  # fmt: skip


# ---- writers and loops that do not run ----------


def writers_not_taken(tf, note):
    """The last writer of a variable writes it not; a result has the variable's shape."""
    start = tf.constant([0.1, 0.2])
    v = tf.get_variable("v", initializer=start, use_resource=True)
    w = tf.get_variable("w", initializer=start)
    no = tf.placeholder_with_default(False, [])

    def added(n):
        def body(i):
            with tf.control_dependencies([v.assign_add([1.0, 2.0]), tf.assign_add(w, [2.0, 1.0])]):
                return tf.identity(i) + 1

        return tf.while_loop(lambda i: i < n, body, [0])

    with tf.control_dependencies([added(3)]):
        first = v.read_value()
    with tf.control_dependencies([first]):
        second = added(0)
    with tf.control_dependencies([second]):
        third = tf.cond(no, lambda: v.assign(start * 3.0), lambda: start * 2.0)
    with tf.control_dependencies([third]):
        return [first, third, v.read_value(), w.read_value()]


def never_written_at_all(tf, note):
    start = tf.constant([0.1, 0.2])
    v = tf.get_variable("v", initializer=start, use_resource=True)
    no = tf.placeholder_with_default(False, [])
    return tf.cond(no, lambda: v.assign(start * 3.0), lambda: start * 2.0), v.read_value()


def turns_that_can_not_be(tf, note):
    """A loop turns not, which nobody knows, and its gradient has nothing to take back."""
    x = _unknown(tf, [1.0, 2.0])
    rows = tf.boolean_mask(x, x > 5.0)
    _, y = tf.while_loop(lambda i, _: i < tf.size(rows), lambda i, y: (i + 1, y * x), [0, x])
    return [y, tf.gradients(y, x)]


def in_an_xla_context(tf, note):
    from tensorflow.python.ops import control_flow_ops

    x = tf.constant(2.0)
    context = control_flow_ops.XLAControlFlowContext()
    context.Enter()

    def body(y):
        return tf.while_loop(lambda z: z < 50.0, lambda z: z * x, [y], maximum_iterations=2)

    y = tf.while_loop(lambda y: y < 100.0, body, [x], maximum_iterations=_unknown(tf, 3))
    (slope,) = tf.gradients(y, x)
    context.Exit()
    return tf.identity(slope)


def imported_into_a_loop(tf, note):
    with tf.Graph().as_default() as graph:
        x = tf.placeholder(tf.float32, [2], name="x")
        y = tf.map_fn(lambda e: e * e, x)

    def body(i, x):
        (z,) = tf.import_graph_def(
            graph.as_graph_def(), input_map={"x:0": x}, return_elements=[y.name], name="square"
        )
        return i + 1, tf.reshape(z, [2])

    return tf.while_loop(lambda i, _: i < 2, body, [0, tf.constant([0.3, 0.4])])


# ---- arrays on the host ----------


def text_array(tf, note):
    a = tf.TensorArray(tf.string, 3, clear_after_read=False).unstack(_text(tf))
    b = tf.TensorArray(tf.string, 2, clear_after_read=False, infer_shape=False)
    b = b.split(_text(tf), [1, 2])
    none = tf.TensorArray(tf.string, 0, element_shape=[2]).stack()
    return [a.read(1), a.stack(), a.gather([2, 0]), a.size(), b.read(1), b.concat(), none]


def text_functions(tf, note):
    def joined(a, s):
        return tf.string_join([a, s])

    return [
        tf.map_fn(lambda s: joined(s, "x"), _text(tf)),
        tf.map_fn(tf.strings.length, _text(tf), dtype=tf.int32),
        tf.map_fn(tf.as_string, tf.range(4), dtype=tf.string),
        tf.scan(joined, _text(tf)),
        tf.foldl(joined, _text(tf)),
    ]


def text_in_branches(tf, note):
    a = tf.TensorArray(tf.string, 2, infer_shape=False)
    p = tf.placeholder_with_default(True, [])
    flow = tf.cond(p, lambda: a.write(0, "t").flow, lambda: a.write(0, "f").flow)

    def body(i, o):
        grown = tf.equal(i % 2, 0)
        flow = tf.cond(grown, lambda: o.write(o.size(), tf.as_string(i)).flow, lambda: o.flow)
        return i + 1, tf.TensorArray(tf.string, handle=o.handle, flow=flow)

    empty = tf.TensorArray(tf.string, 0, dynamic_size=True, infer_shape=False)
    _, b = tf.while_loop(lambda i, _: i < 5, body, [0, empty])
    return [tf.TensorArray(tf.string, handle=a.handle, flow=flow).read(0), b.stack()]


def text_in_nested_loops(tf, note):
    def body(i, o):
        parts = tf.TensorArray(tf.string, 0, dynamic_size=True)
        _, parts = tf.while_loop(
            lambda j, _: j <= i, lambda j, b: (j + 1, b.write(j, tf.as_string(j))), [0, parts]
        )
        return i + 1, o.write(i, tf.strings.reduce_join(parts.stack()))

    return tf.while_loop(lambda i, _: i < 3, body, [0, tf.TensorArray(tf.string, 3)])[1].stack()


# ---- elements of different shapes, and arrays that grow ----------


def joined_after_growing(tf, note):
    x = _unknown(tf, [1.0, 2.0, 3.0])
    n = _unknown(tf, 4)

    def grown(element):
        empty = tf.TensorArray(tf.float32, 0, dynamic_size=True, infer_shape=False)
        body = lambda i, o: (i + 1, o.write(i, element(i)))  # noqa: E731
        return tf.while_loop(lambda i, _: i < n, body, [0, empty])[1]

    same = grown(lambda i: x * tf.cast(i, tf.float32))
    other = grown(lambda i: tf.cast(tf.range(i), tf.float32))
    y = same.concat()
    return [y, same.size(), tf.gradients(y * y, x), other.concat()]


def joined_of_different_lengths(tf, note):
    x = _unknown(tf, [1.0, 2.0, 3.0])
    n = _unknown(tf, 4)
    a = tf.TensorArray(tf.float32, n, infer_shape=False)
    _, a = tf.while_loop(lambda i, _: i < n, lambda i, o: (i + 1, o.write(i, x[:i] * 2.0)), [0, a])
    y = a.concat()
    return [y, tf.gradients(y * y, x)]


def read_of_different_lengths(tf, note):
    x = _unknown(tf, [1.0, 2, 3, 4, 5, 6])
    n = _unknown(tf, 3)
    a = tf.TensorArray(tf.float32, n, infer_shape=False).split(x, _unknown(tf, [1, 2, 3]))
    _, y = tf.while_loop(
        lambda i, t: i < n, lambda i, t: (i + 1, t + tf.reduce_sum(a.read(i) ** 2)), [0, 0.0]
    )
    return [y, tf.gradients(y, x)]


def lengths_from_python(tf, note):
    def body(i, o):
        row = tf.py_func(lambda i: np.arange(i, dtype=np.float32), [i], tf.float32)
        return i + 1, o.write(i, row)

    empty = tf.TensorArray(tf.float32, 0, dynamic_size=True, infer_shape=False)
    return tf.while_loop(lambda i, _: i < 4, body, [0, empty])[1].concat()


def grown_in_branches(tf, note):
    def body(i, o):
        grown = tf.equal(i % 2, 0)
        value = tf.cast(i, tf.float32)
        flow = tf.cond(grown, lambda: o.write(o.size(), value).flow, lambda: o.flow)
        return i + 1, tf.TensorArray(tf.float32, handle=o.handle, flow=flow)

    found = []
    for n in (5, _unknown(tf, 5)):
        empty = tf.TensorArray(tf.float32, 0, dynamic_size=True, infer_shape=False)
        _, a = tf.while_loop(lambda i, _, n=n: i < n, body, [0, empty])
        found += [a.size(), a.stack()]
    return found


def grown_with_gaps(tf, note):
    one = tf.TensorArray(tf.float32, 0, dynamic_size=True).write(_unknown(tf, 3), 1.0)
    empty = tf.TensorArray(tf.float32, 0, dynamic_size=True)
    n = _unknown(tf, 3)
    _, other = tf.while_loop(
        lambda i, _: i < n, lambda i, o: (i + 1, o.write(i * 2, tf.cast(i, tf.float32))), [0, empty]
    )
    never = tf.while_loop(
        lambda i, _: i < n - 3,
        lambda i, o: (i + 1, o.write(i, 1.0)),
        [0, tf.TensorArray(tf.float32, 0, dynamic_size=True)],
    )[1]
    return [one.size(), one.stack(), other.size(), other.stack(), never.stack()]


# ---- TensorFlow's refusals ----------


def _array(tf, *args, **kwargs):
    return tf.TensorArray(tf.float32, *args, **kwargs)


def _after(tf, first, then):
    with tf.control_dependencies([first]):
        return then()


def _read_again(tf, read, **kwargs):
    a = _array(tf, 2, **kwargs).unstack([1.0, 2.0])
    return _after(tf, a.read(0), lambda: read(a))


def _turns(tf, n, step, start):
    return tf.while_loop(lambda i, _: i < n, lambda i, x: (i + 1, step(i, x)), [0, start])[1]


def _summed(tf, a, index=lambda i: i, n=3):
    return _turns(tf, n, lambda i, x: x + tf.reduce_sum(a.read(index(i))), 0.0)


def _two(tf, first, second):
    return _array(tf, 2, infer_shape=False).write(0, first).write(1, second)


def _raw(tf, name, array, **inputs):
    make = getattr(tf.raw_ops, "TensorArray" + name)
    return make(handle=array.handle, flow_in=array.flow, **inputs)


_REFUSED = {
    "read twice": lambda tf: _read_again(tf, lambda a: a.read(0)),
    "read, then stacked": lambda tf: _read_again(tf, lambda a: a.stack()),
    "gathered twice": lambda tf: _array(tf, 2).unstack([1.0, 2.0]).gather([0, 0]),
    "written after it was read": lambda tf: _read_again(
        tf, lambda a: a.write(0, 3.0).read(0), clear_after_read=False
    ),
    "read in every turn": lambda tf: _summed(
        tf, _array(tf, 2).unstack([1.0, 2.0]), index=lambda i: 0
    ),
    "written in every turn": lambda tf: _turns(
        tf, 3, lambda i, a: a.write(0, 1.0), _array(tf, 2)
    ).stack(),
    "written beyond the end": lambda tf: _turns(
        tf, 3, lambda i, a: a.write(i, 1.0), _array(tf, 2)
    ).stack(),
    "read beyond the end": lambda tf: _summed(tf, _array(tf, 2).unstack([1.0, 2.0])),
    "read before the start": lambda tf: _summed(
        tf, _array(tf, 2).unstack([1.0, 2.0]), index=lambda i: i - 1, n=1
    ),
    "other shape than said": lambda tf: _turns(
        tf, 3, lambda i, a: a.write(i, _unknown(tf, [1.0, 2.0])[: i + 1]),
        _array(tf, 3, element_shape=[2]),
    ).stack(),
    "other shape than before": lambda tf: _turns(
        tf, 2, lambda i, a: a.write(i, _unknown(tf, [1.0, 2.0])[: i + 1]), _array(tf, 3)
    ).stack(),
    "never written": lambda tf: _summed(tf, _array(tf, 2), n=1),
    "one of them never written": lambda tf: (
        _array(tf, 2, infer_shape=False).write(0, [1.0]).concat()
    ),
    "scattered to one place": lambda tf: _array(tf, 3).scatter(
        _unknown(tf, [0, 0]), [1.0, 2.0]
    ).stack(),
    "scattered before the start": lambda tf: _array(tf, 3).scatter(
        _unknown(tf, [0, -1]), [1.0, 2.0]
    ).stack(),
    "gathered of two shapes": lambda tf: _two(tf, [1.0], [1.0, 2.0]).gather([0, 1]),
    "joined of two shapes": lambda tf: _two(tf, [1.0], [[1.0, 2.0]]).concat(),
    "gathered of other shape": lambda tf: _raw(
        tf, "GatherV3", _two(tf, [1.0], [2.0]), indices=[0, 1], dtype=tf.float32, element_shape=[2]
    ),
    "joined of other shape": lambda tf: _raw(
        tf, "ConcatV3", _two(tf, [[1.0]], [[2.0]]), dtype=tf.float32, element_shape_except0=[2]
    )[0],
    "split of other dtype": lambda tf: _raw(
        tf, "SplitV3", _array(tf, 1), value=[3], lengths=[1]
    ),
    "text never written": lambda tf: tf.TensorArray(tf.string, 2).read(0),
    "text to be zero": lambda tf: tf.TensorArray(tf.string, 2).write(0, ["a"]).stack(),
    "text of other shape": lambda tf: tf.TensorArray(tf.string, 2, element_shape=[2]).write(
        0, _unknown(tf, ["a"])
    ).stack(),
    "text written twice": lambda tf: tf.TensorArray(tf.string, 2).write(0, "a").write(
        _unknown(tf, 0), "b"
    ).read(0),
    "text beyond the end": lambda tf: tf.TensorArray(tf.string, 2).write(0, "a").read(
        _unknown(tf, 3)
    ),
}  # fmt: skip


def _refused(build):
    def case(tf, note):
        return build(tf)

    return case


# ---- op types of old GraphDefs ----------


def _old(tf, build, version, imported):
    """Imports what `build` records, with the TensorArrays of an older version.

    Args:
        build: returns tensors.
        version: 1 or 2.
        imported: what is fetched of the graph, given those tensors.
    """
    with tf.Graph().as_default() as graph:
        names = [tensor.name for tensor in build()]
    graph_def = graph.as_graph_def()
    graph_def.versions.producer = {1: 10, 2: 20}[version]
    makers = {n.name for n in graph_def.node if n.op in ("TensorArrayV3", "TensorArrayGradV3")}
    for node in graph_def.node:
        node.attr.pop("_class", None)
        # They had no flow to begin with.
        for i, name in enumerate(node.input):
            if name[:-2] in makers and name.endswith(":1"):
                node.input[i] = "begin"
        is_handle = any(a.type == tf.resource.as_datatype_enum for a in node.attr.values())
        if node.op.startswith("TensorArray"):
            node.op = node.op[:-2] + ("V2" if version == 2 else "")
            node.attr.pop("identical_element_shapes", None)
        elif is_handle:
            node.op = ("Ref" if version == 1 else "") + node.op
            node.attr["T"].type = tf.string.as_datatype_enum
    begin = graph_def.node.add(name="begin", op="Const")
    begin.attr["dtype"].type = tf.float32.as_datatype_enum
    begin.attr["value"].tensor.CopyFrom(tf.make_tensor_proto(0.0, tf.float32))
    tensors = tf.import_graph_def(graph_def, return_elements=names, name="")
    return imported(tensors)


def _old_case(build, version, imported=lambda tensors: tensors):
    return lambda tf, note: _old(tf, lambda: build(tf), version, imported)


def _rows(tf):
    return tf.constant([[1.0, 2.0], [3.0, 4.0]], name="x")


def _used(tf):
    a = _array(tf, 2, clear_after_read=False).unstack(_rows(tf))
    b = _array(tf, 2, clear_after_read=False, infer_shape=False).split(_rows(tf), [1, 1])
    return [a.read(1), a.stack(), a.size(), a.concat(), a.gather([1]), b.concat()]


def _looped(tf):
    x = _rows(tf)
    a = _array(tf, 2).unstack(x)
    out = _turns(tf, 2, lambda i, out: out.write(i, a.read(i) * 2.0), _array(tf, 2))
    return [out.stack()]


def _differentiated(tf):
    x = _rows(tf)
    return tf.gradients(_array(tf, 2).unstack(x).read(1) ** 2, x)


CASES = {
    "calls": _collect(
        calls_in_condition, calls_in_condition_of_no_turn, calls_in_nested_loops,
        calls_in_branches, calls_in_a_loop_in_a_branch, calls_that_nothing_needs,
        updates_in_condition, draws_in_condition,
    ),
    "turns": _collect(
        writers_not_taken, never_written_at_all, turns_that_can_not_be, in_an_xla_context,
        imported_into_a_loop,
    ),
    "arrays": _collect(
        text_array, text_functions, text_in_branches, text_in_nested_loops,
        joined_after_growing, joined_of_different_lengths, read_of_different_lengths,
        lengths_from_python, grown_in_branches, grown_with_gaps,
    ),
    "refused": {name: _refused(build) for name, build in _REFUSED.items()},
    "old": {
        name + str(version): _old_case(build, version)
        for name, build in (("used", _used), ("looped", _looped), ("slopes", _differentiated))
        for version in (1, 2)
    },
}  # fmt: skip
