"""tf.custom_gradient: one input, two inputs, two outputs, and a variable used inside."""

import numpy as np


def build(tf):
    tf.set_random_seed(8)

    @tf.custom_gradient
    def log1pexp(x):
        e = tf.exp(x)

        def grad(dy):
            return dy * (1 - 1 / (1 + e))

        return tf.log(1 + e), grad

    @tf.custom_gradient
    def clip_gradient(x, low, high):
        def grad(dy):
            return tf.clip_by_value(dy, low, high), None, None

        return tf.identity(x), grad

    @tf.custom_gradient
    def rotate(x, y):
        def grad(dx, dy):
            return dy * 2.0, dx * 3.0

        return (x - y, x + y), grad

    x = tf.placeholder(tf.float32, [None, 3], name="x")
    w = tf.Variable(tf.random_normal([3, 2], stddev=0.5), name="w")
    h = clip_gradient(tf.matmul(x, w), tf.constant(-0.05), tf.constant(0.05))
    a, b = rotate(h[:, 0], h[:, 1])
    loss = tf.reduce_sum(log1pexp(a)) + tf.reduce_mean(b * b)
    gradient = tf.gradients(loss, [x, w])
    second = tf.gradients(tf.gradients(log1pexp(x), x)[0], x)[0]
    train = tf.train.GradientDescentOptimizer(0.2).minimize(loss)

    def feeds(step):
        return {x: np.random.RandomState(step).randn(4, 3)}

    return {
        "init": tf.global_variables_initializer(),
        "train": train,
        "loss": loss,
        "feeds": feeds,
        "fetch": {"gradient": gradient, "second": second},
    }
