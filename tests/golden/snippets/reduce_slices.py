"""tf.contrib.reduce_slice_ops: values, static shapes (TF 1.15's, right or not), refusals."""

import numpy as np
import tensorflow as tf
from tensorflow.contrib.reduce_slice_ops.python.ops import reduce_slice_ops


def shown(function):
    try:
        print(function())
    except Exception as error:
        print(type(error).__name__, str(error).split("\n")[0])


sess = tf.Session()
x = np.arange(1, 13).reshape(4, 3)
rows = np.array([[0, 2], [1, 1], [2, 9], [3, 2]], np.int32)
cases = (
    (x.astype(np.float32), rows, 0),
    (x.astype(np.float64), rows, 0),
    (x.astype(np.int32), rows, 0),
    (x.astype(np.int64), rows.astype(np.int64), 0),
    (x.astype(np.float32), np.array([[0, 2], [1, 3]], np.int64), 1),
    (x.astype(np.float32), np.array([1, 3, 4], np.int32), 0),
    (x.astype(np.float32), np.zeros((0, 2), np.int32), 0),
    (x.reshape(2, 2, 3).astype(np.float32), np.array([[0, 1], [1, 1], [0, 2]]), 1),
    (x.astype(np.float32), np.array([[0, 1, 2]], np.int32), 0),
    (x.astype(np.float32), np.array([[0, 1]], np.int32), 3),
    (np.float32(3), np.array([[0, 1]], np.int32), 0),
    (x.astype(np.float32), np.int32(3), 0),
)
for kind in ("sum", "prod", "max", "min"):
    function = getattr(reduce_slice_ops, "reduce_slice_" + kind)
    for arguments in cases:
        shown(lambda: sess.run(function(*arguments)).tolist())

function = reduce_slice_ops.reduce_slice_sum
for data in ([4, 3], [None, 3], None, [2, 3, 4]):
    for indices in ([5, 2], [3], [None], [None, 2], [5, None], None, [5, 3], [5, 2, 1]):
        for axis in (0, 1, tf.placeholder(tf.int64), tf.placeholder(tf.int64, [1])):
            both = tf.placeholder(tf.float32, data), tf.placeholder(tf.int32, indices)
            shown(lambda: function(both[0], both[1], axis, name="here").shape)
data = tf.placeholder(tf.float32, [4, 3])
shown(lambda: tf.gradients(function(data, rows, 0), [data]))
