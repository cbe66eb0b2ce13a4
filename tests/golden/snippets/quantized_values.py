"""What programs give of quantized numbers: integers, whatever they are computed from."""

import numpy as np
import tensorflow as tf

session = tf.Session()
x = tf.placeholder(tf.float32, [3])
records = np.array([(1,), (2,)], tf.qint8.as_numpy_dtype)
given = tf.placeholder(tf.qint8, [2])


def show(value):
    print(type(value).__name__, value.dtype, value.tolist())


for dtype in (tf.qint8, tf.quint8, tf.qint32):
    show(session.run(tf.cast(x, dtype), {x: [1, 2, 0]}))
    show(session.run(tf.cast([1.0, 2.0], dtype)))
show(session.run(tf.cast(3.0, tf.quint8)))
constant = tf.constant(records)
show(session.run(constant))
show(session.run(tf.concat([constant, constant], 0)))
print(session.run([tf.dequantize(constant, -1.0, 1.0), tf.cast(constant, tf.float32)]))
variable = tf.Variable(constant)
session.run(variable.initializer)
show(session.run(variable))
for fed in (records, [1, 2], np.array([1, 2], np.int8)):
    show(session.run(tf.identity(given), {given: fed}))
    print(session.run(tf.dequantize(given, -1.0, 1.0), {given: fed}))
show(session.run(tf.data.Dataset.from_tensor_slices(constant).make_one_shot_iterator().get_next()))


def seen(values):
    print(values.dtype)
    return values.astype(np.float32)


print(session.run(tf.py_func(seen, [constant], tf.float32)))
