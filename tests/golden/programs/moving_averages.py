"""ExponentialMovingAverage, control dependencies, tf.group and local variables."""

import numpy as np


def build(tf):
    tf.set_random_seed(71)
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    w = tf.Variable(tf.random_normal([3, 1]), name="w")
    seen = tf.get_local_variable("seen", initializer=tf.constant(0.0))
    with tf.device("/cpu:0"), tf.name_scope("tower"):
        loss = tf.reduce_mean(tf.abs(tf.matmul(x, w) - 1.0))
    step = tf.train.get_or_create_global_step()
    descend = tf.train.GradientDescentOptimizer(0.05).minimize(loss, global_step=step)
    average = tf.train.ExponentialMovingAverage(0.9, num_updates=step)
    with tf.control_dependencies([descend]):
        shadow = average.apply([w])
    running = tf.train.ExponentialMovingAverage(0.5, zero_debias=True)
    tracked = running.apply([loss])
    train = tf.group(shadow, tracked, tf.assign_add(seen, tf.cast(tf.shape(x)[0], tf.float32)))
    accuracy, update = tf.metrics.mean(loss)

    def feeds(step):
        return {x: np.random.RandomState(step).randn(4, 3)}

    return {
        "init": tf.group(tf.global_variables_initializer(), tf.local_variables_initializer()),
        "train": [train, update],
        "loss": loss,
        "feeds": feeds,
        "fetch": {"shadow": average.average(w), "running": running.average(loss), "mean": accuracy},
    }
