"""Regularisers of variable scopes and layers, gathered from the collection of losses."""

import numpy as np

CASES = {"scope": {"style": "scope"}, "layers": {"style": "layers"}, "manual": {"style": "manual"}}


def scoped(tf, x):
    regularizer = tf.contrib.layers.l2_regularizer(0.01)
    with tf.variable_scope("net", regularizer=regularizer):
        w1 = tf.get_variable("w1", [5, 7], initializer=tf.glorot_normal_initializer())
        b1 = tf.get_variable("b1", [7], initializer=tf.zeros_initializer(), regularizer=None)
        with tf.variable_scope("top", regularizer=tf.contrib.layers.l1_regularizer(0.02)):
            w2 = tf.get_variable("w2", [7, 1])
    return tf.matmul(tf.nn.relu(tf.matmul(x, w1) + b1), w2)


def layered(tf, x):
    l2 = tf.contrib.layers.l2_regularizer(scale=0.01)
    both = tf.contrib.layers.l1_l2_regularizer(0.01, 0.02)
    h = tf.layers.dense(x, 7, tf.nn.relu, kernel_regularizer=l2, bias_regularizer=both)
    return tf.layers.dense(h, 1, kernel_regularizer=both, activity_regularizer=tf.nn.l2_loss)


def manual(tf, x):
    w1 = tf.Variable(tf.random_normal([5, 7], stddev=0.3, seed=11), name="w1")
    w2 = tf.Variable(tf.random_normal([7, 1], stddev=0.3), name="w2")
    for w in (w1, w2):
        tf.add_to_collection("losses", tf.multiply(tf.nn.l2_loss(w), 0.004, name="decay"))
    tf.add_to_collection(tf.GraphKeys.REGULARIZATION_LOSSES, tf.add_n(tf.get_collection("losses")))
    return tf.matmul(tf.nn.relu(tf.matmul(x, w1)), w2)


def build(tf, style):
    tf.set_random_seed(21)
    x = tf.placeholder(tf.float32, [None, 5], name="x")
    y = tf.placeholder(tf.float32, [None, 1], name="y")
    outputs = {"scope": scoped, "layers": layered, "manual": manual}[style](tf, x)
    error = tf.reduce_mean(tf.square(outputs - y))
    penalties = tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)
    loss = tf.add_n([error] + penalties, name="total")
    train = tf.train.GradientDescentOptimizer(0.05).minimize(loss)

    def feeds(step):
        rng = np.random.RandomState(step)
        xs = rng.randn(8, 5)
        return {x: xs, y: xs[:, :1] - xs[:, 1:2]}

    return {
        "init": tf.global_variables_initializer(),
        "train": train,
        "loss": loss,
        "feeds": feeds,
        "fetch": {"penalties": penalties, "sum": tf.losses.get_regularization_loss()},
    }
