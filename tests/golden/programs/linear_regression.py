"""A straight line fitted by gradient descent, with two raw variables."""

import numpy as np


def build(tf):
    tf.set_random_seed(1)
    x = tf.placeholder(tf.float32, shape=[None], name="x")
    y = tf.placeholder(tf.float32, shape=[None], name="y")
    w = tf.Variable(tf.random_normal([1]), name="weight")
    b = tf.Variable(tf.zeros([1]), name="bias")
    prediction = w * x + b
    loss = tf.reduce_mean(tf.square(prediction - y))
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)

    def feeds(step):
        rng = np.random.RandomState(step)
        xs = rng.uniform(-1, 1, 16).astype(np.float32)
        return {x: xs, y: 3 * xs + 2}

    return {
        "init": tf.global_variables_initializer(),
        "train": train,
        "loss": loss,
        "feeds": feeds,
        "fetch": {"w": w, "b": b, "prediction": prediction},
    }
