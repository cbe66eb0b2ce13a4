"""What eager execution takes for an argument, and which of several mistakes it names."""

import numpy as np
import tensorflow as tf

tf.enable_eager_execution()


def tried(function):
    try:
        print(np.asarray(function()).tolist())
    except Exception as error:
        print(type(error).__name__, str(error).split("\n")[0])


square, ragged = tf.ones([2, 2]), [[1.0, 2.0], [3.0]]
tried(lambda: tf.reduce_sum(square, 1, keepdims=1))
tried(lambda: tf.reduce_sum(square, [1], keepdims=1))
tried(lambda: tf.reduce_sum([[1, 2]], 1, keepdims=1))
tried(lambda: tf.matmul(square, square, transpose_b="yes"))
tried(lambda: tf.cumsum(np.arange(3), reverse=1.5))
tried(lambda: tf.cumsum(np.arange(3), reverse=tf.zeros([])))
tried(lambda: tf.as_string(1.5, scientific=1, precision=3))
tried(lambda: tf.as_string(1.5, scientific=1, precision=3.5))
tried(lambda: tf.function(lambda x: tf.reduce_sum(x, 1, keepdims=1), autograph=False)(square))

tried(lambda: square + ragged)
tried(lambda: tf.matmul(ragged, square))
tried(lambda: tf.setdiff1d(np.ones(2), ragged))

tried(lambda: tf.assert_type(square[0], square[0]))
tried(lambda: tf.sort(square, direction=square[0]))
tried(lambda: tf.get_variable("v", [1], partitioner=square[0]))
print(type(square), tf.control_dependencies([]).__class__)

tried(lambda: tf.segment_sum(square, np.zeros([2, 2], np.float32)))
tried(lambda: tf.nn.in_top_k(tf.ones([2, 2, 2], tf.float64), np.ones(2), 1))
tried(lambda: tf.logical_or(tf.zeros([2, 3], tf.bool), tf.zeros([3, 2], tf.int32)))
for _ in range(2):  # by a kernel that is known, too
    tried(lambda: tf.reduce_any(tf.zeros([2, 2], tf.bool)))
    tried(lambda: tf.reduce_any(square))
tried(lambda: tf.scatter_nd(tf.zeros([2, 1], tf.int32), tf.ones([2]), [-1]))
tried(lambda: tf.split(tf.constant(3), [1, 4], num=3))
tried(lambda: tf.split(square, [3]))
cube = np.ones([3, 2, 2])
tried(lambda: tf.reverse_sequence(cube, [1, 2, 2], seq_axis=-1))
tried(lambda: tf.reverse_sequence(cube, [0, 0, 0], seq_axis=-1))
tried(lambda: tf.reverse_sequence(cube, [1, 2], seq_axis=0, batch_axis=-1))
tried(lambda: tf.string_to_number([" ", "\t\n"]))
tried(lambda: tf.string_to_number(["1", ""]))
tried(lambda: tf.string_to_number([" "], tf.int32))
