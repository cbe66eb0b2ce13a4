"""Which of several wrong numbers an error names, and which of several checks fails first."""

import numpy as np
import tensorflow as tf

session = tf.Session()
ids = tf.placeholder(tf.int32, [None])
rows = tf.placeholder(tf.float32, [None, 2])
indices = tf.placeholder(tf.int32, [None])
unshaped = tf.placeholder_with_default(np.ones([4, 4, 4], np.float32), None)


def tried(function, feeds=None):
    try:
        print(session.run(function(), feeds).tolist())
    except (tf.errors.OpError, ValueError) as error:
        print(type(error).__name__, str(error).split("\n")[0].split(" (defined")[0])


for wrong in (
    [0, 1, 2, 0], [0, 2, 1], [1, 0], [-1, 0], [0, -1], [0, 1, -1], [2, 1, 3], [0, 1, 0, 5],
    [3, 2, 1, 4], [0, 1, 1, 0, 2], [-2, -1, 0],
):  # fmt: skip
    feeds = {ids: wrong, rows: np.ones([len(wrong), 2]), indices: range(len(wrong))}
    tried(lambda: tf.segment_sum(rows, ids), feeds)
    tried(lambda: tf.sparse_segment_mean(rows, indices, ids), feeds)
for wrong in ([0, 5, 7], [-1, 5], [9, -3, 2], [0, 1], [7, 5]):
    tried(
        lambda: tf.nn.sparse_softmax_cross_entropy_with_logits(
            labels=ids, logits=tf.zeros([len(wrong), 3])
        ),
        {ids: wrong},
    )
tried(lambda: tf.unravel_index(3, []))
tried(lambda: tf.space_to_batch_nd(unshaped, [2, -1], [[0, 0]] * 2))
tried(lambda: tf.batch_to_space_nd(unshaped, [2, 2], [[0, -1]] * 2))
image = tf.zeros([4, 4, 3, 3])
tried(lambda: tf.nn.conv2d_backprop_filter(image, [1], image, [2], "VALID"))
