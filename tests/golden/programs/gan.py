"""Two optimisers on two groups of variables, in one train step after the other."""

import numpy as np


def build(tf):
    tf.set_random_seed(73)
    real = tf.placeholder(tf.float32, [None, 2], name="real")
    z = tf.placeholder(tf.float32, [None, 3], name="z")
    with tf.variable_scope("generator"):
        hidden = tf.contrib.layers.fully_connected(z, 6)
        fake = tf.contrib.layers.fully_connected(hidden, 2, activation_fn=None)

    def discriminator(inputs):
        with tf.variable_scope("discriminator", reuse=tf.AUTO_REUSE):
            h = tf.maximum(
                0.2 * tf.layers.dense(inputs, 6, name="a"), tf.layers.dense(inputs, 6, name="b")
            )
            return tf.layers.dense(h, 1, name="c")

    on_real, on_fake = discriminator(real), discriminator(fake)
    entropy = tf.nn.sigmoid_cross_entropy_with_logits
    d_loss = tf.reduce_mean(entropy(logits=on_real, labels=tf.ones_like(on_real)))
    d_loss += tf.reduce_mean(entropy(logits=on_fake, labels=tf.zeros_like(on_fake)))
    g_loss = tf.reduce_mean(entropy(logits=on_fake, labels=tf.ones_like(on_fake)))
    variables = tf.trainable_variables()
    d_vars = [v for v in variables if v.name.startswith("discriminator")]
    g_vars = [v for v in variables if v.name.startswith("generator")]
    d_train = tf.train.AdamOptimizer(0.01, beta1=0.5).minimize(d_loss, var_list=d_vars)
    g_train = tf.train.AdamOptimizer(0.01, beta1=0.5).minimize(g_loss, var_list=g_vars)
    clip = [v.assign(tf.clip_by_value(v, -0.4, 0.4)) for v in d_vars]

    def feeds(step):
        rng = np.random.RandomState(step)
        return {real: rng.randn(5, 2) + 1, z: rng.uniform(-1, 1, (5, 3))}

    return {
        "init": tf.global_variables_initializer(),
        "train": [d_train, g_train] if clip else d_train,
        "loss": d_loss + g_loss,
        "feeds": feeds,
        "fetch": {"fake": fake, "clipped": clip},
    }
