"""Graph transforms that fuse convolutions, and that change names, types, attributes, constants."""

import numpy as np
import tensorflow as tf
from tensorflow.tools.graph_transforms import TransformGraph

random = np.random.RandomState(0)


def text(key, value):
    if key != "value":
        return key + "=" + " ".join(str(value).split())
    array = tf.make_ndarray(value.tensor)
    sums = np.round(array.astype(float).ravel()[:9], 4).tolist()
    return "%s%s%s" % (array.dtype, array.shape, sums)


def show(make, outputs, *transforms, **feeds):
    print("##", outputs, transforms)
    with tf.Graph().as_default() as graph:
        make()
        graph_def = graph.as_graph_def()
    try:
        changed = TransformGraph(graph_def, ["x"], outputs, list(transforms))
    except Exception as error:
        print(type(error).__name__, error)
        return
    for node in changed.node:
        attrs = [text(key, node.attr[key]) for key in sorted(node.attr)]
        print(node.name, node.op, list(node.input), node.device, *attrs, sep="|")
    if feeds:
        with tf.Graph().as_default(), tf.Session() as session:
            tf.import_graph_def(changed, name="")
            value = session.run(outputs[0] + ":0", {k + ":0": v for k, v in feeds.items()})
            print(value.shape, np.round(value.ravel()[:8].astype(float), 3).tolist())


def images():
    x = tf.placeholder(tf.float32, [1, 9, 9, 2], name="x")
    w = tf.constant(np.linspace(-2, 1, 36).reshape([3, 3, 2, 2]), tf.float32, name="w")
    dw = tf.constant(np.linspace(1, 4, 18).reshape([3, 3, 2, 1]), tf.float32, name="dw")
    a = tf.nn.convolution(x, w, "SAME", dilation_rate=[2, 2], name="a")
    tf.identity(tf.nn.convolution(x, w, "VALID", dilation_rate=[2, 3], name="b"), name="valid")
    d = tf.nn.depthwise_conv2d(x, dw, [1, 1, 1, 1], "SAME", rate=[2, 2], name="d")
    tf.add(a, d, name="both")
    sides = [[0, 0], [1, 2], [2, 1], [0, 0]]
    tf.nn.conv2d(tf.pad(x, sides, name="p"), w, [1, 2, 2, 1], "VALID", name="padded")
    mirrored = tf.pad(x, sides, mode="SYMMETRIC", name="m")
    tf.nn.conv2d(mirrored, w, [1, 2, 2, 1], "SAME", name="mirrored")
    large = tf.image.resize_bilinear(x, [12, 12], name="r")
    tf.nn.conv2d(large, w, [1, 1, 1, 1], "VALID", name="resized")
    large = tf.image.resize_bilinear(x, [12, 12], align_corners=True, name="r2")
    large = tf.pad(large, [[0, 0], [1, 1], [1, 1], [0, 0]], mode="REFLECT", name="rp")
    tf.nn.conv2d(large, w, [1, 1, 1, 1], "VALID", name="resized_padded")


image = random.rand(1, 9, 9, 2)
only = 'strip_unused_nodes(type=float, shape="1,9,9,2")'
for output in ("both", "valid"):
    show(images, [output], only, "flatten_atrous_conv", x=image)
for transform in ("fuse_pad_and_conv", "fuse_resize_and_conv", "fuse_resize_pad_and_conv"):
    for output in ("padded", "mirrored", "resized", "resized_padded"):
        show(images, [output], only, transform, x=image)


def constants():
    x = tf.placeholder(tf.float32, [2, 4], name="x")
    for i, values in enumerate(
        (np.linspace(-1, 2, 15), np.linspace(-1, 2, 16), np.linspace(5, 7, 33))
        + tuple(np.full(20, value) for value in (-3.0, -0.5, 0.0, 1e-7, 0.25, 7.0))
    ):
        tf.constant(values, tf.float32, name="c%d" % i)
    tf.constant(np.full(20, 3.0), tf.float64, name="d")
    tf.identity(x, name="y")


for steps in ("256", "4", "many"):
    show(constants, ["y"], "round_weights(num_steps=%s)" % steps)


def nodes():
    x = tf.placeholder(tf.float32, [2, 4], name="x")
    with tf.device("/cpu:0"):
        a, b = tf.split(x, 2, 1, name="sp")
    c = tf.add(a, b, name="ya")
    with tf.control_dependencies([x]):
        d = tf.concat([c, b], tf.constant(1), name="joined")
    tf.concat([d, d, tf.add(d, d, name="yb")], -1, name="out")
    tf.matmul(c, c, transpose_b=True, name="product")
    tf.nn.top_k(d, 2, name="top")


batch = random.rand(2, 4)
show(nodes, ["out", "product"], "backport_concatv2", x=batch)
show(nodes, ["out", "yb"], "obfuscate_names", x=batch)
show(
    nodes,
    ["product"],
    "remove_attribute(op_name=MatMul, attribute_name=transpose_a)",
    "remove_attribute(op_name=TopKV2, attribute_name=sorted) add_default_attributes",
)
show(nodes, ["out"], "insert_logging")
several = 'op=Add, op=Split, show_name=true, show_op=true, message="hi", first_n=2, summarize=4'
show(nodes, ["out"], "insert_logging(" + several + ")")
show(nodes, ["out"], 'insert_logging(prefix=y, prefix=sp, show_name=1, message="hi:")')
show(nodes, ["out"], "insert_logging(prefix=y, op=Add, show_op=1)")


def arrays():
    x = tf.placeholder(tf.float32, [2], name="x")
    array = tf.TensorArray(tf.float32, 1, name="array").write(0, x)
    tf.add(array.stack(name="all")[0], array.read(0, name="one"), name="out")
    tf.identity(array.size(name="size"))
    array.gather([0])


show(arrays, ["out"], "backport_tensor_array_v3")


def chain():
    x = tf.placeholder(tf.float32, [2], name="x")
    for i in range(66):
        x = tf.identity(x, name="n%d" % i)
    tf.identity(x, name="3")


show(chain, ["3"], "obfuscate_names")
