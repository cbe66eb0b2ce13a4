"""Resource variables: reads, assignments, scatter updates, and gradients through them."""

import numpy as np


def build(tf):
    tf.set_random_seed(23)
    tf.get_variable_scope().set_use_resource(True)
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    w = tf.get_variable("w", [3, 4], initializer=tf.glorot_uniform_initializer())
    table = tf.get_variable("table", initializer=tf.random_normal([5, 4]))
    mean = tf.Variable(tf.zeros([4]), trainable=False, name="mean", use_resource=True)
    count = tf.Variable(0, name="count", trainable=False, use_resource=True, dtype=tf.int64)
    hidden = tf.nn.relu(tf.matmul(x, w))
    rows = tf.nn.embedding_lookup(table, [1, 3, 3])
    loss = tf.reduce_sum(tf.square(tf.reduce_mean(hidden, 0) - tf.reduce_sum(rows, 0)))
    loss += tf.reduce_mean(tf.square(w.read_value()))
    moved = mean.assign(0.9 * mean + 0.1 * tf.reduce_mean(hidden, 0))
    with tf.control_dependencies([moved, count.assign_add(1)]):
        train = tf.train.GradientDescentOptimizer(0.02).minimize(loss)
    gradients = tf.gradients(loss, [w, table])
    with tf.control_dependencies([train]):
        scattered = tf.scatter_update(table, [0, 2], tf.ones([2, 4]))

    def feeds(step):
        return {x: np.random.RandomState(step).randn(6, 3)}

    return {
        "init": tf.global_variables_initializer(),
        "train": scattered,
        "loss": loss,
        "feeds": feeds,
        "fetch": {"gradients": gradients, "mean": mean, "count": count, "table": table},
    }
