"""A deep auto-encoder with another initialiser for every weight."""

import numpy as np


def initializers(tf):
    init = tf.initializers
    return [
        tf.glorot_normal_initializer(),
        tf.glorot_uniform_initializer(seed=3),
        tf.truncated_normal_initializer(stddev=0.2),
        tf.random_uniform_initializer(-0.3, 0.3),
        tf.random_normal_initializer(0.0, 0.2),
        tf.variance_scaling_initializer(scale=2.0, mode="fan_out", distribution="uniform"),
        tf.variance_scaling_initializer(0.5, "fan_avg", "untruncated_normal", seed=9),
        tf.orthogonal_initializer(gain=0.7),
        tf.uniform_unit_scaling_initializer(),
        init.he_normal(),
        init.he_uniform(),
        init.lecun_normal(seed=2),
        init.lecun_uniform(),
        init.identity(gain=0.5),
        tf.contrib.layers.xavier_initializer(),
        tf.contrib.layers.variance_scaling_initializer(),
        tf.constant_initializer(np.linspace(-0.5, 0.5, 36)),
    ]


def build(tf):
    tf.set_random_seed(37)
    x = tf.placeholder(tf.float32, [None, 6], name="x")
    net = x
    for i, initializer in enumerate(initializers(tf)):
        with tf.variable_scope("layer{}".format(i)):
            w = tf.get_variable("w", [6, 6], initializer=initializer)
            net = tf.nn.tanh(tf.matmul(net, w) + net)
    kernels = [
        tf.get_variable("conv", [3, 3, 2, 4], initializer=tf.glorot_uniform_initializer()),
        tf.get_variable("he", [2, 2, 3, 2], initializer=tf.keras.initializers.he_normal()),
        tf.get_variable("ones", [2], tf.float64, tf.ones_initializer()),
        tf.get_variable("ints", [3], tf.int32, tf.zeros_initializer(), trainable=False),
        tf.get_variable("value", initializer=tf.constant([1.0, 2.0])),
        tf.get_variable("call", initializer=lambda: tf.random_uniform([3], seed=4)),
    ]
    loss = tf.reduce_mean(tf.square(net - x))
    train = tf.train.GradientDescentOptimizer(0.05).minimize(loss)

    def feeds(step):
        return {x: np.random.RandomState(step).uniform(-1, 1, (5, 6))}

    return {
        "init": tf.global_variables_initializer(),
        "train": train,
        "loss": loss,
        "feeds": feeds,
        "fetch": {"net": net, "kernels": kernels},
    }
