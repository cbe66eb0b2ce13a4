import numpy as np
import tensorflow as tf

for dtype in (
    tf.float16,
    tf.bfloat16,
    tf.float32,
    tf.float64,
    tf.uint8,
    tf.int8,
    tf.int64,
    tf.uint16,
    tf.bool,
    tf.complex64,
    tf.complex128,
    tf.string,
    tf.qint8,
    tf.resource,
    tf.variant,
):
    print(tf.placeholder(dtype, [2, None]), dtype, repr(dtype))
print(tf.placeholder(tf.float32))
print(tf.placeholder(tf.float32, []))
print(tf.placeholder(tf.float32, shape=[None]))
print(tf.placeholder("float", (None, 28, 28, 1), "images"))
print(tf.constant("hello"), tf.constant(1j), tf.constant([True]), tf.constant(np.zeros((2, 3))))
print(tf.zeros([2, 3]), tf.range(5), tf.fill([2], 7.0), tf.shape([1, 2]), sep="\n")
print(tf.split(tf.ones([4, 6]), 2, axis=1))
print(tf.unique([1, 1, 2]))
print(tf.nn.top_k(tf.constant([1.0, 2.0, 3.0]), 2))
print(tf.nn.moments(tf.ones([3, 2]), [0]))
print(
    tf.TensorShape([None, 3]), repr(tf.TensorShape(None)), tf.Dimension(3), repr(tf.Dimension(None))
)
print(tf.ones([2, 3]).shape, tf.ones([2, 3]).shape[0], tf.placeholder(tf.int32).shape)
print(tf.ones([2, 3]).get_shape().as_list(), tf.TensorShape([2, None]).ndims)
