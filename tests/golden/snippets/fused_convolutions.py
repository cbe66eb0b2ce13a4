"""Convolutions with bias and activation that only GPUs have a kernel for."""

import numpy as np
import tensorflow as tf
from tensorflow.contrib.fused_conv.python.ops import fused_conv2d_bias_activation_op

fused = fused_conv2d_bias_activation_op.fused_conv2d_bias_activation


def case(shape, filter_shape, bias=4, dtype=tf.float32, **arguments):
    with tf.Graph().as_default() as graph:
        image = tf.placeholder(dtype, shape)
        kernel = tf.placeholder(dtype, filter_shape)
        try:
            out = fused(
                image,
                kernel,
                tf.placeholder(tf.float32, None if bias is None else [bias]),
                **arguments,
            )
        except (ValueError, TypeError) as e:
            print(type(e).__name__, e)
            return
        print(out.dtype.name, out.shape)
        print([(op.name, op.type, [t.name for t in op.inputs]) for op in graph.get_operations()])
        print([out.op.get_attr(key) for key in ("padding", "data_format", "filter_format")])
        try:
            print(tf.gradients(tf.cast(out, tf.float32), image))
        except (LookupError, TypeError) as e:
            print(type(e).__name__, e)


one = [1, 1, 1, 1]
case([1, 4, 4, 3], [2, 2, 3, 4], strides=one, padding="SAME")
case([None, 5, 6, 3], [2, 3, 3, 4], strides=[1, 2, 3, 1], padding="VALID", name="conv")
case(
    [1, 3, 4, 4], [2, 2, 3, 4], strides=one, padding="VALID", data_format="NCHW",
    activation_mode="None", conv_input_scale=2.0, side_input_scale=0.5,
    side_input=np.ones([1, 4, 3, 3], np.float32),
)  # fmt: skip
case(
    [1, 3, 4, 4],
    [4, 3, 2, 2],
    strides=one,
    padding="SAME",
    data_format="NCHW",
    filter_format="OIHW",
)
vectors = {"data_format": "NCHW_VECT_C", "filter_format": "OIHW_VECT_I"}
case([1, 2, 4, 4, 4], [4, 2, 2, 2, 4], dtype=tf.qint8, strides=one, padding="VALID", **vectors)
case([1, 2, 4, 4, 4], [8, 2, 2, 2, 4], 8, tf.qint8, strides=[1, 1, 2, 2], padding="SAME", **vectors)
case(None, None, None, strides=one, padding="SAME")
case([None, None, None, 3], None, None, strides=one, padding="SAME")
case([1, 4, 4, 3], [2, 2, 3, 4])
case([1, 4, 4, 3], [2, 2, 3, 4], strides=one, padding="FULL")
case([1, 4, 4, 3], [2, 2, 3, 4], strides=one, padding="SAME", activation_mode="Tanh")
case([1, 4, 4, 3], [2, 2, 3, 4], strides=one, padding="SAME", data_format="NWHC")
case([1, 4, 4], [2, 2, 3, 4], strides=one, padding="SAME")
case([1, 4, 4, 3], [2, 2, 3], strides=one, padding="SAME")
case([1, 4, 4, 3], [2, 2, 5, 4], strides=one, padding="SAME")
case([1, 4, 4, 3], [2, 2, 3, 4], 7, strides=one, padding="SAME")
case([1, 1, 1, 3], [2, 2, 3, 4], strides=one, padding="VALID")
case([1, 4, 4, 3], [2, 2, 3, 4], strides=[1, 1], padding="VALID")
case([1, 4, 4, 3], [2, 2, 3, 4], strides=[2, 1, 1, 1], padding="VALID")
case([1, 4, 4, 3], [2, 2, 3, 4], strides=[1, -1, 1, 1], padding="VALID")
case([1, 4, 4, 3], [2, 2, 3, 4], strides=one, padding="VALID", side_input=[1.0, 2.0])
out = fused(tf.ones([1, 4, 4, 3]), tf.ones([2, 2, 3, 4]), tf.ones([4]), strides=one, padding="SAME")
with tf.Session() as session:
    try:
        session.run(out)
    except tf.errors.InvalidArgumentError as e:
        print(e.message.partition(" used by")[0])
