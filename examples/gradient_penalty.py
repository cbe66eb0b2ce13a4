"""A Wasserstein GAN with gradient penalty (Gulrajani et al., 2017) that learns a ring of points.

The penalty holds the critic's slope near 1: it is a function of `tf.gradients`, so training the
critic differentiates a gradient.

    python -m tf1compat examples/gradient_penalty.py
"""

from __future__ import absolute_import, division, print_function

import os
import time

import numpy as np
import tensorflow as tf

steps = int(os.environ.get("STEPS", 1000))
batch_size = 128
penalty_weight = 1.0
critic_steps = 5


def dense(x, units, name, activation=None):
    return tf.layers.dense(x, units, activation=activation, name=name)


def generator(z):
    with tf.variable_scope("generator", reuse=tf.AUTO_REUSE):
        net = dense(z, 64, "fc1", tf.nn.relu)
        net = dense(net, 64, "fc2", tf.nn.relu)
        return dense(net, 2, "out")


def critic(points):
    with tf.variable_scope("critic", reuse=tf.AUTO_REUSE):
        net = dense(points, 64, "fc1", tf.nn.leaky_relu)
        net = dense(net, 64, "fc2", tf.nn.leaky_relu)
        return dense(net, 1, "out")


def ring(rng, n):
    angle = rng.uniform(0, 2 * np.pi, n)
    radius = 2.0 + 0.05 * rng.randn(n)
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1).astype(np.float32)


tf.set_random_seed(7)
real = tf.placeholder(tf.float32, [batch_size, 2], name="real")
fake = generator(tf.random_normal([batch_size, 2]))
critic_loss = tf.reduce_mean(critic(fake)) - tf.reduce_mean(critic(real))
generator_loss = -tf.reduce_mean(critic(fake))

alpha = tf.random_uniform([batch_size, 1])
between = real + alpha * (fake - real)
slopes = tf.sqrt(tf.reduce_sum(tf.square(tf.gradients(critic(between), [between])[0]), axis=[1]))
penalty = tf.reduce_mean((slopes - 1.0) ** 2)

critic_vars = tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope="critic")
generator_vars = tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope="generator")
train_critic = tf.train.AdamOptimizer(1e-3, beta1=0.5, beta2=0.9).minimize(
    critic_loss + penalty_weight * penalty, var_list=critic_vars
)
train_generator = tf.train.AdamOptimizer(1e-3, beta1=0.5, beta2=0.9).minimize(
    generator_loss, var_list=generator_vars
)

rng = np.random.RandomState(7)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    clock = None
    for step in range(1, steps + 1):
        for _ in range(critic_steps):
            sess.run(train_critic, {real: ring(rng, batch_size)})
        sess.run(train_generator)
        if step == 2:
            clock = time.time()  # the first steps compile
        if step % max(steps // 5, 1) == 0:
            distance, slope, drawn = sess.run(
                [critic_loss, slopes, fake], {real: ring(rng, batch_size)}
            )
            radii = np.linalg.norm(drawn, axis=1)
            print(
                "step %4d  distance %6.3f  critic slope %.3f  generated radius %.3f +- %.3f"
                % (step, -distance, slope.mean(), radii.mean(), radii.std())
            )
    seconds = time.time() - clock
    points = np.concatenate([sess.run(fake) for _ in range(4)])

print("\nThe generated points (the ring has radius 2):")
counts = np.histogram2d(
    points[:, 1], points[:, 0], bins=(17, 35), range=[(-2.8, 2.8), (-2.8, 2.8)]
)[0]
for row in counts[::-1]:
    print("".join(" .+#"[min(int(c), 3)] for c in row))
print("%.1f steps/s" % ((steps - 2) / seconds))
