"""Graphs whose products take rounded inputs, and one step of such a graph."""

import numpy as np
import tensorflow as tf

rewrite = tf.train.do_quantize_training_on_graphdef


def net():
    x = tf.placeholder(tf.float32, [1, 4, 4, 3], name="x")
    w = tf.constant(np.linspace(-0.31, 0.43, 36), tf.float32, [2, 2, 3, 3], name="w")
    y = tf.nn.relu6(tf.nn.conv2d(x, w, 1, "SAME", name="first"))
    z = tf.nn.conv2d(tf.identity(y, name="known"), w, 1, "SAME", name="second")
    y = tf.nn.conv2d(tf.nn.max_pool(tf.nn.tanh(z), 4 * [1], 4 * [1], "SAME"), w, 1, "SAME")
    y = tf.reshape(tf.concat([tf.nn.relu(y), z], 0, name="joined"), [32, 3])
    v = tf.get_variable("v", [3, 2], initializer=tf.ones_initializer())
    y = tf.reduce_sum(tf.matmul(tf.nn.sigmoid(tf.matmul(y, v)), tf.ones([2, 2]), name="last"))
    tf.identity(tf.gradients(y, v)[0], name="grad")


def halves():
    a, b = tf.split(tf.placeholder(tf.float32, [4, 2], name="x"), 2)
    tf.matmul(a, tf.nn.relu(b))
    tf.matmul(b, tf.nn.relu(a))


def unknown():
    for _ in range(3):
        tf.matmul(tf.placeholder(tf.float32, [2, 2]), tf.ones([2, 2]))


def shown(build, bits):
    with tf.Graph().as_default() as graph:
        build()
        made = rewrite(graph.as_graph_def(), bits)
    known = {op.name for op in graph.get_operations()}
    for node in made.node:
        if node.name not in known or node.op in ("MatMul", "Conv2D"):
            attrs = ["{}={}".format(key, node.attr[key]) for key in sorted(node.attr)]
            if node.op == "Const":
                attrs = [str(tf.make_ndarray(node.attr["value"].tensor))]
            print(node.name, node.op, list(node.input), "".join(" ".join(attrs).split()))
    return made


shown(halves, 5)
made = shown(net, 4)
for build, bits in ((unknown, 8), (net, 0), (net, 64)):
    try:
        shown(build, bits)
    except (tf.errors.UnimplementedError, tf.errors.OutOfRangeError) as error:
        print(type(error).__name__, error)
with tf.Graph().as_default():
    tf.import_graph_def(made, name="")
    with tf.Session() as session:
        session.run("v/Assign")
        for scale in (1.0, 2.0):
            image = [[[[0.137 * scale * i, 0.211, -0.093 * i] for i in range(4)] for _ in range(4)]]
            for name in ("last:0", "grad:0"):
                value = session.run(name, {"x:0": image})
                print(name, [round(float(number), 4) for number in value.ravel()[:8]])
