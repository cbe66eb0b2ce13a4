"""A graph is frozen, inspected, stripped and optimized with the tools that TF ships."""

import os
import tempfile

import numpy as np
import tensorflow as tf
from tensorflow.python.ops import gen_nn_ops
from tensorflow.python.tools import (
    freeze_graph,
    inspect_checkpoint,
    optimize_for_inference_lib,
    strip_unused_lib,
)

folder = tempfile.mkdtemp()
prefix = os.path.join(folder, "model")
x = tf.placeholder(tf.float32, [None, 4, 4, 1], name="x")
kernel = tf.get_variable(
    "kernel", initializer=np.arange(18.0, dtype=np.float32).reshape(3, 3, 1, 2)
)
conv = tf.nn.conv2d(x, kernel, [1, 1, 1, 1], "VALID", name="conv")
norm = tf.nn.batch_norm_with_global_normalization(
    conv,
    tf.constant([0.1, 0.2]),
    tf.constant([1.0, 2.0]),
    tf.constant([0.5, 0.5]),
    tf.constant([1.0, 3.0]),
    1e-3,
    True,
    name="norm",
)
old = gen_nn_ops._fused_batch_norm(
    tf.nn.conv2d(x, kernel, [1, 1, 1, 1], "VALID", name="old_conv"),
    tf.constant([1.0, 3.0]),
    tf.constant([0.5, 0.25]),
    tf.constant([0.1, 0.2]),
    tf.constant([1.0, 2.0]),
    is_training=False,
    name="old_norm",
)
bigger = tf.nn.conv2d(
    tf.image.resize_bilinear(x, [6, 6]),
    np.ones([3, 3, 1, 2], np.float32),
    [1, 1, 1, 1],
    "VALID",
    name="resized_conv",
)
total = tf.reduce_sum(tf.nn.relu(norm)) + tf.reduce_sum(old.y)
tf.add(total, tf.reduce_sum(bigger), name="y")
image = np.arange(16.0).reshape(1, 4, 4, 1) / 16
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    print("%.3f" % session.run("y:0", {"x:0": image}))
    tf.train.Saver().save(session, prefix)
    tf.train.write_graph(session.graph, folder, "graph.pbtxt")
tf.reset_default_graph()


def freeze(graph="graph.pbtxt", checkpoint="model", output="y"):
    return freeze_graph.freeze_graph(
        os.path.join(folder, graph),
        "",
        False,
        os.path.join(folder, checkpoint),
        output,
        "save/restore_all",
        "save/Const:0",
        os.path.join(folder, "frozen.pb"),
        True,
        "",
    )


def show(graph_def):
    for node in graph_def.node:
        print(node.name, node.op, list(node.input))


frozen = freeze()
show(frozen)
inspect_checkpoint.print_tensors_in_checkpoint_file(prefix, "", False)
inspect_checkpoint.print_tensors_in_checkpoint_file(prefix, "kernel", False)
inspect_checkpoint.print_tensors_in_checkpoint_file(prefix, "", True)
smaller = optimize_for_inference_lib.optimize_for_inference(
    frozen, ["x"], ["y"], tf.float32.as_datatype_enum, toco_compatible=True
)
show(smaller)
show(optimize_for_inference_lib.fuse_resize_and_conv(smaller, ["y"]))
with tf.Graph().as_default():
    tf.import_graph_def(smaller, name="")
    print("%.3f" % tf.Session().run("y:0", {"x:0": image}))
show(strip_unused_lib.strip_unused(frozen, ["conv"], ["y"], tf.float32.as_datatype_enum))
for mistake in (
    lambda: freeze(graph="none"),
    lambda: freeze(checkpoint="none"),
    lambda: freeze(output=""),
    lambda: strip_unused_lib.strip_unused(frozen, ["none"], ["y"], 1),
    lambda: strip_unused_lib.strip_unused(frozen, ["x:0"], ["y"], 1),
):
    try:
        mistake()
    except (IOError, KeyError, ValueError) as error:
        print(type(error).__name__, str(error).replace(folder, "folder"))
