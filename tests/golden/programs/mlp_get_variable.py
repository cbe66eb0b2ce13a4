"""One network in two towers: tf.get_variable, nested variable scopes and reuse."""

import numpy as np


def dense(tf, inputs, units, name, activation=None):
    with tf.variable_scope(name):
        w = tf.get_variable("w", [inputs.get_shape()[-1].value, units])
        b = tf.get_variable("b", [units], initializer=tf.constant_initializer(0.05))
        outputs = tf.nn.xw_plus_b(inputs, w, b)
        return outputs if activation is None else activation(outputs)


def network(tf, inputs, scope="net", reuse=None):
    initializer = tf.random_normal_initializer(stddev=0.4)
    with tf.variable_scope(scope, reuse=reuse, initializer=initializer):
        hidden = dense(tf, inputs, 10, "fc1", tf.nn.relu)
        hidden = dense(tf, hidden, 6, "fc2", tf.nn.elu)
        return dense(tf, hidden, 1, "out")


def build(tf):
    tf.set_random_seed(7)
    left = tf.placeholder(tf.float32, [None, 5], name="left")
    right = tf.placeholder(tf.float32, [None, 5], name="right")
    a = network(tf, left)
    b = network(tf, right, reuse=True)
    with tf.variable_scope("net") as scope:
        scope.reuse_variables()
        again = tf.get_variable("fc1/w")
    with tf.variable_scope("counts", reuse=tf.AUTO_REUSE):
        shared = [tf.get_variable("n", (), tf.float32, tf.zeros_initializer()) for _ in range(2)]
    with tf.name_scope("loss"):
        loss = tf.reduce_mean(tf.square(a - b - 1.0)) + 0.01 * tf.reduce_sum(tf.abs(again))
    optimizer = tf.train.MomentumOptimizer(0.02, momentum=0.9)
    with tf.control_dependencies([tf.assign_add(shared[0], 1.0)]):
        train = optimizer.minimize(loss, var_list=tf.trainable_variables("net"))

    def feeds(step):
        rng = np.random.RandomState(step)
        return {left: rng.randn(6, 5), right: rng.randn(6, 5)}

    return {
        "init": tf.global_variables_initializer(),
        "train": train,
        "loss": loss,
        "feeds": feeds,
        "fetch": {"a": a, "n": shared[1]},
    }
