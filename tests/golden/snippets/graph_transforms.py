"""A frozen graph is rewritten by the transforms that TF's tool has."""

import re

import numpy as np
import tensorflow as tf
from tensorflow.tools.graph_transforms import TransformGraph

with tf.device("/cpu:0"):
    x = tf.placeholder(tf.float32, [None, 8, 8, 2], name="x")
    flag = tf.placeholder_with_default(True, [], name="flag")
    a, b, same = (tf.constant(v, name=n) for v, n in ((2.0, "a"), (3.0, "b"), (2.0, "same")))
    unused = tf.constant(7.0, name="unused")
    w = tf.constant(np.arange(72).reshape(3, 3, 2, 4) / 72, tf.float32, name="w")
    conv = tf.nn.conv2d(tf.identity(tf.identity(x, "id"), "id2"), w, [1, 1, 1, 1], "SAME")
    scaled = tf.multiply(conv, tf.constant([1.0, 2.0, 3.0, 4.0], name="m"), name="scaled")
    checked = tf.check_numerics(scaled, "x", name="checked")
    both = checked * tf.add(a, b, name="ab") + same * b
depth = tf.nn.depthwise_conv2d(both, tf.ones([1, 1, 4, 2]), [1, 1, 1, 1], "VALID") * np.arange(
    8, dtype=np.float32
)
with tf.control_dependencies([unused]):
    chosen = tf.cond(flag, lambda: tf.nn.relu(depth) + tf.constant(0.0), lambda: depth)
w2 = tf.constant(np.random.RandomState(0).randn(512, 3), tf.float32, name="w2")
out = tf.matmul(tf.reshape(chosen, [-1, 512]), w2, name="output")
extra = tf.nn.relu(out, name="extra")
graph_def = tf.get_default_graph().as_graph_def()
images = np.random.RandomState(1).rand(2, 8, 8, 2)


def shown(node):
    name = re.sub(r"__cf__\d+", "__cf__", node.name)
    inputs = [re.sub(r"__cf__\d+", "__cf__", name) for name in node.input]
    return node.op, name, inputs, node.device, sorted(node.attr)


def computed(transformed, inputs, outputs):
    inputs, outputs = ([re.sub(":0$", "", n) for n in names] for names in (inputs, outputs))
    feeds = {name + ":0": {"x": images, "flag": True}[name] for name in inputs}
    with tf.Graph().as_default(), tf.Session() as sess:
        tf.import_graph_def(transformed, name="")
        return [round(float(sess.run(n + ":0", feeds).sum()), 1) for n in outputs]


def show(transforms, inputs=("x",), outputs=("output",), order=True):
    print("==", transforms, inputs, outputs)
    try:
        transformed = TransformGraph(graph_def, inputs, outputs, transforms)
    except Exception as error:
        print(type(error).__name__, str(error))
        return
    lines = [shown(node) for node in transformed.node]
    for line in lines if order else sorted(lines):
        print(*line)
    if "x" in inputs and not re.search("rename|attribute|double", str(transforms)):
        print(computed(transformed, inputs, outputs))


show(["strip_unused_nodes"])
show(["strip_unused_nodes"], outputs=["checked", "ab"])
show(['strip_unused_nodes(type=float, shape="1,8,8,4")'], ["scaled"])
show(
    ['strip_unused_nodes(name=scaled, type_for_name=double, shape_for_name="2,8,8,4")'],
    ["scaled", "x"],
)
show(["remove_nodes(op=Identity)"])
show(["remove_nodes(op=Identity, op=CheckNumerics)"], outputs=["id", "output"])
show(["remove_nodes(op=Add)"])
show(["fold_constants"], outputs=["checked", "output"])
show(["fold_constants(ignore_errors=true)", "fold_batch_norms"], ["x", "flag"])
show(["fold_batch_norms"])
show(["merge_duplicate_nodes"], order=False)
show(["sort_by_execution_order"])
show(["remove_device strip_unused_nodes", "remove_nodes(op=Identity)fold_constants()"])
show(["set_device(device='/gpu:0')"])
show(['set_device(device="/cpu:1", if_default=true) remove_control_dependencies'], ["q"])
show(["quantize_weights"])
show(["quantize_weights(minimum_size=70)", "sort_by_execution_order"])
show(["remove_attribute(attribute_name=T, op_name=Mul)"])
show(["remove_attribute(attribute_name=_class)", "rename_op(old_op_name=Mul, new_op_name=Foo)"])
show(["rename_attribute(old_attribute_name=T, new_attribute_name=Q, op_name=MatMul)"])
for wrong in (
    ["nope"],
    ["remove_nodes"],
    ["rename_op(old_op_name=Mul)"],
    ["remove_attribute"],
    ["rename_attribute(new_attribute_name=a)"],
    ["remove_nodes(a b)"],
):
    show(wrong)
show(["strip_unused_nodes"], outputs=["missing"])
show(["fold_constants"], outputs=["missing"])
show(["fold_constants"], inputs=["missing"])
show(["fold_constants"], ["x:0", "flag"], ["checked:0", "output:0"])
show(["remove_nodes(op=Identity)"], outputs=["id:0", "output:0"])
show(["strip_unused_nodes"], ["scaled:0", "x:0"], ["output:0"])
show(["fold_constants"], ["x:7"])
show(["fold_constants"], ["x"], ["output:1"])
show(["fold_constants"], ["missing:0"])
