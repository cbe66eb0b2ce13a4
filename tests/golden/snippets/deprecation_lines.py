"""Which calls say that they are deprecated, and which do not."""

import logging

import tensorflow as tf
from tensorflow.python.ops import math_ops

said = []


class Handler(logging.Handler):
    def emit(self, record):
        said.append(record.getMessage().split(": ", 1)[-1])


logger = logging.getLogger("tensorflow")
logger.handlers, logger.propagate = [Handler()], False


def show(call, *args, **kwargs):
    del said[:]
    call(*args, **kwargs)
    lines = [line for line in said if not line.startswith(("The name ", "\nThe TensorFlow"))]
    print(getattr(call, "__name__", "call"), lines)


image, square = tf.zeros([1, 4, 4, 3]), tf.zeros([2, 2])
for method in ("bilinear", "bicubic", "nearest_neighbor", "area"):
    show(getattr(tf.image, "resize_" + method), image, [2, 2])
show(tf.arg_max, square, 1)
show(tf.arg_min, square, 1)
show(tf.sparse_matmul, square, square)
show(math_ops.arg_max, square, 1)
show(math_ops.sparse_matmul, square, square)
for name in ("zeros", "ones", "constant", "random_uniform", "random_normal", "truncated_normal"):
    show(getattr(tf, name + "_initializer"))
    show(getattr(tf, name + "_initializer"), dtype=tf.float32)
    show(getattr(tf, name + "_initializer"), dtype=tf.float32)
for name in ("variance_scaling", "orthogonal", "glorot_uniform", "glorot_normal"):
    show(getattr(tf, name + "_initializer"), dtype=tf.float32)
show(tf.uniform_unit_scaling_initializer, 1.0, dtype=tf.float32)
show(tf.initializers.identity, 1.0, tf.float32)
show(tf.constant_initializer, 1.0, verify_shape=True)
show(tf.keras.initializers.RandomNormal)
show(tf.layers.dense, square, 2, kernel_initializer=tf.zeros_initializer)
signal, filters = tf.zeros([1, 4, 2]), tf.zeros([2, 2, 3])
show(tf.nn.conv1d, signal, filters, 1, "SAME")
show(tf.nn.conv1d, signal, filters, 1, "SAME", data_format="NWC")
show(tf.nn.conv1d, signal, filters, 1, "SAME", data_format="NHWC")
show(tf.nn.conv1d, tf.zeros([1, 2, 4]), filters, 1, "SAME", data_format="NCHW")
show(tf.quantize_v2, tf.zeros([2]), 0.0, 1.0, tf.quint8)
show(tf.colocate_with, image)


class Case(tf.test.TestCase):
    def runTest(self):
        with self.test_session() as session:
            print(session.run(tf.constant(1)))


del said[:]
Case().debug()
print([line for line in said if not line.startswith("The name ")])
iterator = tf.data.Dataset.range(3).make_initializable_iterator()
for name in ("output_classes", "output_shapes", "output_types"):
    show(getattr, iterator, name)
layer = tf.keras.layers.Dense(1)
layer(tf.zeros([2, 2]))
show(layer.add_update, tf.no_op(), inputs=True)
show(tf.variance_scaling_initializer, distribution="normal")
