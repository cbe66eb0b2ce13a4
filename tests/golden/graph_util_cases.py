"""tf.graph_util: graphs cut and frozen.

Read by `record_cases.py` under TensorFlow 1.15 and replayed by `tests/api/test_graph_util.py`.
"""

from __future__ import annotations

import numpy as np
from case_runs import collect
from session_runs import Done, Log


def _nodes(graph_def):
    """A graph as text, without static shapes."""
    said = []
    for node in graph_def.node:
        attrs = []
        for key in sorted(node.attr):
            attrs.append("%s: %s" % (key, " ".join(str(node.attr[key]).split())))
        said.append("%s = %s(%s) {%s}" % (node.name, node.op, ", ".join(node.input), attrs))
    return said


def _ref_model(tf):
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    w = tf.Variable([[1.0], [2.0]], name="w")
    with tf.variable_scope("scope"):
        b = tf.get_variable("b", [1], initializer=tf.ones_initializer())
    y = tf.identity(tf.matmul(x, w) + b, name="y")
    tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(y))
    return x, y


def _freeze(tf, outputs, **kwargs):
    with Log(tf) as log, tf.Session() as session:
        session.run(tf.global_variables_initializer())
        graph_def = tf.get_default_graph().as_graph_def()
        return tf.graph_util.convert_variables_to_constants(
            session, graph_def, outputs, **kwargs
        ), log.lines


def freezing(tf):
    _ref_model(tf)
    said = []
    for kwargs in (
        {},
        {"variable_names_whitelist": ["w"]},
        {"variable_names_blacklist": ["w", "scope/b"]},
    ):
        frozen, lines = _freeze(tf, ["y"], **kwargs)
        said += _nodes(frozen) + lines
    frozen, _ = _freeze(tf, ["y"])
    with tf.Graph().as_default():
        y = tf.import_graph_def(frozen, {}, ["y:0"])[0]
        with tf.Session() as session:
            value = session.run(y, {"import/x:0": np.ones([2, 2])})
    return Done(said, [value])


def freezing_resources(tf):
    w = tf.get_variable("w", [3, 2], initializer=tf.ones_initializer(), use_resource=True)
    b = tf.get_variable("b", [2], initializer=tf.zeros_initializer(), use_resource=True)
    y = tf.add(tf.nn.embedding_lookup(w, [0, 2]), b, name="y")
    frozen, lines = _freeze(tf, [y.op.name])
    return Done(_nodes(frozen) + lines)


def parts(tf):
    _ref_model(tf)
    graph_def = tf.get_default_graph().as_graph_def()
    util = tf.graph_util
    said = _nodes(util.extract_sub_graph(graph_def, ["y", "gradients/Shape"]))
    said.append(util.tensor_shape_from_node_def_name(tf.get_default_graph(), "x"))
    said.append(util.tensor_shape_from_node_def_name(tf.get_default_graph(), "w:0"))
    tf.constant(1), tf.constant("a"), tf.constant(1.0), tf.cast(tf.constant(1), tf.float32)
    tf.dynamic_stitch([[0]], [[1]]), tf.dynamic_stitch([[0]], [[1.0]])
    for op in tf.get_default_graph().get_operations():
        said.append((op.name, util.must_run_on_cpu(op), util.must_run_on_cpu(op.node_def, True)))
    return Done(said)


def removing(tf):
    x = tf.constant(1.0, name="x")
    y = tf.identity(tf.identity(x, "i"), name="j")
    with tf.control_dependencies([tf.identity(y, "control")]):
        z = tf.add(tf.identity(y, "k"), y, name="z")
    # A check is taken away, and nothing put in its place.
    tf.negative(tf.check_numerics(z, "no", name="checked"), "negative")
    tf.identity(tf.identity(z, "l"), "m")
    graph_def = tf.get_default_graph().as_graph_def()
    said = _nodes(tf.graph_util.remove_training_nodes(graph_def))
    return Done(said + _nodes(tf.graph_util.remove_training_nodes(graph_def, ["m", "checked"])))


CASES = {"graph_util": collect(freezing, freezing_resources, parts, removing)}


def _batched(tf):
    w = tf.get_variable("w", [2, 3], use_resource=True, initializer=tf.ones_initializer())
    y = tf.raw_ops.ResourceGather(
        resource=w.handle, indices=[[0], [1]], dtype=tf.float32, batch_dims=1
    )
    _freeze(tf, [y.op.name])


def _sub_graph(graph_def, nodes):
    return lambda tf: tf.graph_util.extract_sub_graph(graph_def(tf), nodes)


MISTAKES = {
    "graph_util": {
        "batched": _batched,
        "no_graph_def": _sub_graph(lambda tf: 1, ["a"]),
        "no_list": _sub_graph(lambda tf: tf.GraphDef(), "a"),
        "no_node": _sub_graph(lambda tf: tf.GraphDef(), ["a"]),
    }
}
