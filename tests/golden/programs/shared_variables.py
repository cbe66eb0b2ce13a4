"""Tied weights: an auto-encoder whose decoder is its encoder transposed."""

import numpy as np


def build(tf):
    tf.set_random_seed(13)
    x = tf.placeholder(tf.float32, [None, 10], name="x")
    w = tf.get_variable("w", [10, 4], initializer=tf.truncated_normal_initializer(stddev=0.3))
    b = tf.Variable(tf.zeros([4]), name="b")
    c = tf.Variable(tf.zeros(10), name="c")
    scale = tf.Variable(1.0, name="scale")
    code = tf.sigmoid(scale * tf.matmul(x, w) + b)
    decoded = tf.matmul(code, w, transpose_b=True) * scale + c
    again = tf.matmul(tf.transpose(w), tf.transpose(x)) / scale
    loss = tf.losses.mean_squared_error(x, decoded) + 0.001 * tf.reduce_sum(again**2)
    optimizer = tf.train.AdagradOptimizer(0.1)
    pairs = optimizer.compute_gradients(loss)
    train = optimizer.apply_gradients(pairs)

    def feeds(step):
        return {x: np.random.RandomState(step).rand(7, 10)}

    return {
        "init": tf.global_variables_initializer(),
        "train": train,
        "loss": loss,
        "feeds": feeds,
        "fetch": {"gradients": [g for g, _ in pairs], "decoded": decoded},
    }
