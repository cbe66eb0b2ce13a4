"""Batch normalisations of a frozen graph become a part of its convolutions."""

import numpy as np
import tensorflow as tf
from tensorflow.python.framework import tensor_util
from tensorflow.tools.graph_transforms import TransformGraph

random = np.random.RandomState(0)
images = random.rand(2, 8, 8, 2)


def constant(shape, name):
    return tf.constant((random.rand(*shape) + 0.5).astype(np.float32), name=name)


def norm(t, n, name="bn", form=tf.raw_ops.FusedBatchNorm, train=False):
    scale, offset, mean, variance = (constant([n], name + "/" + part) for part in "gbmv")
    return form(
        x=t,
        scale=scale,
        offset=offset,
        mean=mean,
        variance=variance,
        epsilon=0.01,
        is_training=train,
        name=name,
    )[0]


def conv(x, n=4, name="conv"):
    return tf.nn.conv2d(x, constant([3, 3, int(x.shape[-1]), n], name + "/w"), 1, "SAME", name=name)


def depthwise(x):
    weights = constant([3, 3, 2, 2], "dw/w")
    return tf.nn.depthwise_conv2d_native(x, weights, [1, 1, 1, 1], "SAME", name="dw")


def atrous(x):
    there = tf.space_to_batch_nd(x, [2, 2], [[0, 0], [0, 0]], name="s2b")
    return tf.batch_to_space_nd(conv(there), [2, 2], [[0, 0], [0, 0]], name="b2s")


def joined(x, axis, sizes):
    both = [conv(tf.square(x, name="a"), sizes[0], "c1"), conv(tf.abs(x, name="b"), sizes[1], "c2")]
    return tf.concat(both, axis, name="cat")


def shared(x):
    weights = constant([3, 3, 2, 4], "w")
    first, second = (tf.nn.conv2d(x, weights, 1, "SAME", name=n) for n in ("conv", "other"))
    return norm(first, 4) + second


def show(what, build, change=None, runs=True):
    print("==", what)
    with tf.Graph().as_default() as graph:
        tf.identity(build(tf.placeholder(tf.float32, [2, 8, 8, 2], name="x")), name="out")
    graph_def = graph.as_graph_def()
    if change:
        change({node.name: node for node in graph_def.node})
    try:
        folded = TransformGraph(graph_def, ["x"], ["out"], ["fold_old_batch_norms"])
    except Exception as error:
        print(type(error).__name__, str(error))
        return
    for node in folded.node:
        print(node.op, node.name, list(node.input), sorted(node.attr), end=" ")
        if node.op == "Const":
            value = tensor_util.MakeNdarray(node.attr["value"].tensor)
            print(value.dtype, value.shape, "%.3f" % value.sum(), end="")
        print()
    if runs:
        with tf.Graph().as_default(), tf.Session() as sess:
            tf.import_graph_def(folded, name="")
            print("%.2f" % sess.run("out:0", {"x:0": images}).sum())


def old_form(is_scaled):
    def change(nodes):
        node = nodes["bn"]
        for name in [name for name in node.attr if name != "T"]:
            del node.attr[name]
        node.op = "BatchNormWithGlobalNormalization"
        node.attr["variance_epsilon"].f = 0.01
        node.attr["scale_after_normalization"].b = is_scaled

    return change


def shorter(name):
    def change(nodes):
        value = tensor_util.make_tensor_proto(np.ones([3], np.float32))
        nodes["bn/" + name].attr["value"].tensor.CopyFrom(value)

    return change


show("fused", lambda x: norm(conv(x), 4))
show("scaled", lambda x: norm(conv(x), 4), old_form(True), runs=False)
show("not scaled", lambda x: norm(conv(x), 4), old_form(False), runs=False)
show("a later form", lambda x: norm(conv(x), 4, form=tf.raw_ops.FusedBatchNormV3))
show("training", lambda x: norm(conv(x), 4, train=True))
show("depthwise", lambda x: norm(depthwise(x), 4))
show("two", lambda x: norm(conv(norm(conv(x), 4), 3, "c2"), 3, "bn2"))
show("shared weights", shared)
show("atrous", lambda x: norm(atrous(x), 4))
show("joined", lambda x: norm(joined(x, 3, (2, 3)), 5))
show("joined along the batch", lambda x: norm(joined(x, 0, (2, 2)), 2))
show("a bias between", lambda x: norm(tf.nn.bias_add(conv(x), constant([4], "bias")), 4))
show("another control", lambda x: norm(conv(x), 4), lambda n: n["bn"].input.append("^x"))
show("controls", lambda x: norm(conv(x), 4), lambda n: n["bn/m"].input.append("^x"))
show("of the convolution", lambda x: norm(conv(x), 4), lambda n: n["conv"].input.append("^x"))
for name in "gvmb":
    show("short " + name, lambda x: norm(conv(x), 4), shorter(name))
