"""A variational autoencoder of handwritten digits (Kingma and Welling, 2014).

The latent vector is sampled inside the graph: the reparametrisation lets the gradient through.

    python -m tf1compat examples/variational_autoencoder.py
"""

from __future__ import absolute_import, division, print_function

import os
import time

import numpy as np
import tensorflow as tf

steps = int(os.environ.get("STEPS", 1000))
batch_size = 64
latent_size = 4

data = np.load(os.path.join(os.path.dirname(os.path.abspath(__file__)), "data", "digits.npz"))
images = data["x_train"].reshape(-1, 64).astype(np.float32) / 16.0


def encoder(x):
    with tf.variable_scope("encoder"):
        net = tf.layers.dense(x, 64, tf.nn.elu, name="fc1")
        net = tf.layers.dense(net, 64, tf.nn.elu, name="fc2")
        return tf.split(tf.layers.dense(net, 2 * latent_size, name="moments"), 2, axis=1)


def decoder(z):
    with tf.variable_scope("decoder", reuse=tf.AUTO_REUSE):
        net = tf.layers.dense(z, 64, tf.nn.elu, name="fc1")
        net = tf.layers.dense(net, 64, tf.nn.elu, name="fc2")
        return tf.layers.dense(net, 64, name="pixels")


tf.set_random_seed(5)
x = tf.placeholder(tf.float32, [None, 64], name="x")
mean, log_variance = encoder(x)
z = mean + tf.exp(0.5 * log_variance) * tf.random_normal(tf.shape(mean))
logits = decoder(z)

cross_entropy = tf.nn.sigmoid_cross_entropy_with_logits(labels=x, logits=logits)
reconstruction = tf.reduce_mean(tf.reduce_sum(cross_entropy, axis=1))
divergence = -0.5 * tf.reduce_sum(1 + log_variance - tf.square(mean) - tf.exp(log_variance), axis=1)
divergence = tf.reduce_mean(divergence)
loss = reconstruction + divergence

optimizer = tf.train.AdamOptimizer(2e-3)
gradients, variables = zip(*optimizer.compute_gradients(loss))
gradients, norm = tf.clip_by_global_norm(gradients, 100.0)
train_op = optimizer.apply_gradients(list(zip(gradients, variables)))
drawn = tf.sigmoid(decoder(tf.random_normal([8, latent_size], seed=11)))

rng = np.random.RandomState(5)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    clock = None
    for step in range(1, steps + 1):
        batch = images[rng.randint(len(images), size=batch_size)]
        _, value, parts = sess.run([train_op, loss, [reconstruction, divergence, norm]], {x: batch})
        if step == 2:
            clock = time.time()  # the first steps compile
        if step in (1, 2, 5) or step % max(steps // 10, 1) == 0:
            print(
                "step %4d  loss %.3f  reconstruction %.3f  divergence %.3f  gradient norm %.2f"
                % ((step, value) + tuple(parts))
            )
    seconds = time.time() - clock
    samples = sess.run(drawn).reshape(8, 8, 8)

print("\nDigits that it makes up:")
for row in np.concatenate(list(samples[:6]), axis=1):
    print("".join(" .:+*#"[min(int(v * 6), 5)] for v in np.repeat(row, 2)))
print("%.1f steps/s" % ((steps - 2) / seconds))
