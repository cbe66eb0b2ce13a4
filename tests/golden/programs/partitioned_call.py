"""tf.function inside a graph: PartitionedCall, its gradient, captures, an outer variable."""

import numpy as np


def build(tf):
    tf.set_random_seed(47)
    w = tf.Variable([[0.5, -0.3], [0.2, 0.8]], use_resource=True, name="w")
    bias = tf.constant([0.1, -0.1], name="bias")

    @tf.function
    def layer(x):
        return tf.nn.tanh(tf.matmul(x, w) + bias)

    @tf.function(autograph=False)
    def energy(x, scale=2.0):
        total = tf.reduce_sum(tf.square(x), axis=1)
        return total * scale, tf.reduce_max(x)

    x = tf.placeholder(tf.float32, [None, 2], name="x")
    h = layer(layer(x))
    value, top = energy(h)
    loss = tf.reduce_mean(value) + 0.1 * top
    gradients = tf.gradients(loss, [w, x])
    train = tf.train.GradientDescentOptimizer(0.05).minimize(loss)

    def feeds(step):
        return {x: np.random.RandomState(step).randn(3, 2)}

    return {
        "init": tf.global_variables_initializer(),
        "train": train,
        "loss": loss,
        "feeds": feeds,
        "fetch": {"gradients": gradients, "h": h},
    }
