"""Clipped gradients, a decayed or fed learning rate, and a global step."""

import numpy as np

CASES = {
    "global_norm": {"clip": "global_norm"},
    "norm": {"clip": "norm"},
    "value": {"clip": "value"},
}


def clipped(tf, clip, gradients):
    if clip == "global_norm":
        return tf.clip_by_global_norm(gradients, 0.5)
    if clip == "norm":
        return [tf.clip_by_norm(g, 0.2) for g in gradients], tf.global_norm(gradients)
    return [tf.clip_by_value(g, -0.05, 0.05) for g in gradients], tf.constant(0.0)


def build(tf, clip):
    tf.set_random_seed(29)
    x = tf.placeholder(tf.float32, [None, 4], name="x")
    rate = tf.placeholder(tf.float32, shape=[], name="learning_rate")
    w = tf.get_variable("w", [4, 4])
    v = tf.get_variable("v", [4, 1], initializer=tf.uniform_unit_scaling_initializer(1.5))
    table = tf.get_variable("table", [6, 4], initializer=tf.random_normal_initializer())
    hidden = tf.nn.relu6(tf.matmul(x, w) + tf.gather(table, [0, 0, 5, 2]))
    loss = tf.reduce_mean(tf.squared_difference(tf.matmul(hidden, v), x[:, 1:2])) * 3.0
    global_step = tf.Variable(0, name="global_step", trainable=False)
    decayed = tf.train.exponential_decay(rate, global_step, 5, 0.8, staircase=True)
    optimizer = tf.train.MomentumOptimizer(decayed, 0.5)
    variables = tf.trainable_variables()
    if clip == "global_norm":
        gradients = tf.gradients(loss, variables)
    else:  # each update may run as soon as its own gradient is there: only gated ones do not race
        gradients = [g for g, _ in optimizer.compute_gradients(loss)]
    gradients, norm = clipped(tf, clip, gradients)
    train = optimizer.apply_gradients(zip(gradients, variables), global_step=global_step)

    def feeds(step):
        return {x: np.random.RandomState(step).randn(4, 4), rate: 0.1 if step < 10 else 0.05}

    return {
        "init": tf.global_variables_initializer(),
        "train": train,
        "loss": loss,
        "feeds": feeds,
        "fetch": {"norm": norm, "rate": decayed, "step": global_step},
    }
