"""What is known of tensors while a graph is recorded, and of devices and specs."""

import tensorflow as tf
from tensorflow.python.framework import tensor_util

q = tf.placeholder(tf.int32, [2])
p = tf.placeholder(tf.float32, [2, 3])


def show(function, *args, **kwargs):
    try:
        print(function(*args, **kwargs))
    except Exception as error:
        print(type(error).__name__, error)


for values in ([[1], [2]], [q[0], q[1]], [1, q[0], 3], [[1, q[0]], [2, 3]]):
    show(tensor_util.constant_value, tf.stack(values), partial=True)
    show(tensor_util.constant_value, tf.stack(values))
show(tensor_util.constant_value, tf.stack([[1], [2]], 1))
show(tensor_util.constant_value_as_shape, tf.constant([1.5]))
show(tensor_util.constant_value_as_shape, tf.constant([3, -1]))
show(lambda: tf.pad(p, [[1, q[0]], [2, 3]]).shape)
show(lambda: tf.pad(p, [[q[1], q[0]], [2, q[0]]]).shape)
show(tf.TensorSpec([1])._from_tensor_list, [tf.zeros([2])])
print(tf.DeviceSpec.__name__)
