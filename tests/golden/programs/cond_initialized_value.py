"""tf.cond on a fed predicate, its gradient, tf.case, and variables initialised from one another."""

import numpy as np


def build(tf):
    tf.set_random_seed(53)
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    training = tf.placeholder(tf.bool, [], name="training")
    mode = tf.placeholder_with_default(1, [], name="mode")
    w = tf.Variable(tf.random_normal([3, 2]), name="w")
    copy = tf.Variable(w.initialized_value() * 2.0, name="copy")
    counter = tf.Variable(0.0, trainable=False, name="counter")

    def train_branch():
        with tf.control_dependencies([tf.assign_add(counter, 1.0)]):
            return tf.matmul(x, w) * 0.5

    hidden = tf.cond(training, train_branch, lambda: tf.matmul(x, copy), name="branch")
    pair = tf.cond(tf.reduce_sum(hidden) > 0, lambda: (hidden, w), lambda: (-hidden, copy + 1.0))
    choice = tf.case(
        [(tf.equal(mode, 0), lambda: pair[0]), (tf.equal(mode, 1), lambda: tf.square(pair[0]))],
        default=lambda: tf.zeros_like(pair[0]),
        exclusive=True,
    )
    loss = tf.reduce_mean(choice) + 0.01 * tf.reduce_sum(tf.square(pair[1]))
    gradients = tf.gradients(loss, [w, copy, x])
    train = tf.train.GradientDescentOptimizer(0.05).minimize(loss)

    def feeds(step):
        xs = np.random.RandomState(step).randn(4, 3)
        return {x: xs, training: step % 3 > 0, mode: 1 if step % 5 else 0}

    return {
        "init": tf.global_variables_initializer(),
        "train": train,
        "loss": loss,
        "feeds": feeds,
        "fetch": {"gradients": gradients, "counter": counter, "hidden": hidden},
        "random": True,
    }
