"""The gradient penalty of a Wasserstein critic: gradients of gradients through a small network."""

import numpy as np


def critic(tf, x):
    with tf.variable_scope("critic", reuse=tf.AUTO_REUSE):
        h = tf.layers.dense(x, 8, activation=tf.nn.tanh, name="h1")
        h = tf.layers.dense(h, 8, activation=tf.nn.softplus, name="h2")
        return tf.layers.dense(h, 1, name="out")


def build(tf):
    tf.set_random_seed(3)
    real = tf.placeholder(tf.float32, [None, 4], name="real")
    noise = tf.random_normal([6, 4])
    fake = noise * 0.5 + 1.0
    epsilon = tf.random_uniform([6, 1], minval=0.0, maxval=1.0)
    mixed = epsilon * real + (1 - epsilon) * fake
    critic_loss = tf.reduce_mean(critic(tf, fake)) - tf.reduce_mean(critic(tf, real))
    slopes = tf.gradients(critic(tf, mixed), [mixed])[0]
    norm = tf.sqrt(tf.reduce_sum(tf.square(slopes), axis=1))
    penalty = tf.reduce_mean((norm - 1.0) ** 2)
    loss = critic_loss + 10.0 * penalty
    variables = tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope="critic")
    with tf.control_dependencies([loss]):  # it is linear in the last bias: no gradient needs it
        optimizer = tf.train.AdamOptimizer(1e-3, beta1=0.5, beta2=0.9)
        train = optimizer.minimize(loss, var_list=variables)

    def feeds(step):
        return {real: np.random.RandomState(step).randn(6, 4)}

    return {
        "init": tf.global_variables_initializer(),
        "train": train,
        "loss": loss,
        "feeds": feeds,
        "fetch": {"slopes": slopes, "penalty": penalty},
        "random": True,
    }
