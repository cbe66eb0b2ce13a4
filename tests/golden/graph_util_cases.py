"""tf.graph_util: each function of `CASES` takes the `tensorflow` module and gives a GraphDef or a
list of what it finds."""

from __future__ import annotations

import numpy as np


def _net(tf, use_resource):
    tf.set_random_seed(1)
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    with tf.variable_scope("net", use_resource=use_resource):
        w = tf.get_variable("w", initializer=np.float32([[1.0, 2.0], [3.0, 4.0]]))
        b = tf.get_variable("b", initializer=np.float32([0.5, -0.5]))
    table = tf.gather(w, [1, 0], name="rows")
    y = tf.identity(tf.check_numerics(tf.matmul(x, w) + b, "bad"), name="y")
    with tf.control_dependencies([y]):
        z = tf.identity(tf.identity(y) + table, name="z")
    tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(z))
    return z


def _frozen(tf, use_resource, *args, **kwargs):
    _net(tf, use_resource)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        graph_def = session.graph_def
        return tf.graph_util.convert_variables_to_constants(session, graph_def, *args, **kwargs)


def frozen(tf):
    return _frozen(tf, False, ["z"])


def frozen_resources(tf):
    return _frozen(tf, True, ["z", "y"])


def frozen_in_part(tf):
    return _frozen(tf, False, ["z"], variable_names_whitelist=["net/w"])


def frozen_but_one(tf):
    return _frozen(tf, True, ["y"], variable_names_blacklist=["net/w"])


def frozen_in_a_branch(tf):
    w = tf.get_variable("w", initializer=3.0, use_resource=True)
    flag = tf.placeholder_with_default(True, [])
    y = tf.cond(flag, lambda: w * 2.0, lambda: w + 1.0)
    with tf.Session() as session:
        session.run(w.initializer)
        graph_def = tf.get_default_graph().as_graph_def()
        convert = tf.graph_util.convert_variables_to_constants
        return convert(session, graph_def, [y.op.name])


def part(tf):
    _net(tf, False)
    graph_def = tf.get_default_graph().as_graph_def()
    return tf.graph_util.extract_sub_graph(graph_def, ["y", "net/b/Assign"])


def for_inference(tf):
    return tf.graph_util.remove_training_nodes(_frozen(tf, False, ["z"]), ["CheckNumerics"])


def for_inference_but_some(tf):
    return tf.graph_util.remove_training_nodes(_frozen(tf, True, ["z"]), ["y", "CheckNumerics"])


def on_cpu(tf):
    _net(tf, False)
    found = []
    for op in tf.get_default_graph().get_operations():
        must = tf.graph_util.must_run_on_cpu
        found.append([op.name, must(op), must(op.node_def, pin_variables_on_cpu=True)])
    shape = tf.graph_util.tensor_shape_from_node_def_name
    return [
        *found,
        str(shape(tf.get_default_graph(), "x")),
        str(shape(tf.get_default_graph(), "z:0")),
    ]


CASES = {
    f.__name__: f
    for f in (
        frozen,
        frozen_resources,
        frozen_in_part,
        frozen_but_one,
        frozen_in_a_branch,
        part,
        for_inference,
        for_inference_but_some,
        on_cpu,
    )
}


def a_string(tf):
    tf.graph_util.extract_sub_graph(tf.get_default_graph().as_graph_def(), "y")


def no_graph(tf):
    tf.graph_util.extract_sub_graph(3, ["y"])


def no_node(tf):
    tf.graph_util.extract_sub_graph(tf.get_default_graph().as_graph_def(), ["y"])


MISTAKES = {f.__name__: f for f in (a_string, no_graph, no_node)}
