"""A Transformer encoder of two layers (Vaswani et al., 2017) that learns to sort.

Scaled dot-product attention with several heads, layer normalisation, sinusoidal positions, label
smoothing and the paper's learning rate with its warm-up, as TF1 code wrote them.

    python -m tf1compat examples/transformer.py
"""

from __future__ import absolute_import, division, print_function

import os
import time

import numpy as np
import tensorflow as tf

steps = int(os.environ.get("STEPS", 400))
batch_size, length, vocabulary = 32, 8, 16
width, heads, inner, depth = 64, 4, 128, 2


def positions():
    angles = np.arange(length)[:, None] / np.power(10000.0, np.arange(0, width, 2) / width)
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=1).astype(np.float32)


def layer_norm(x, scope="layer_norm", epsilon=1e-6):
    with tf.variable_scope(scope):
        scale = tf.get_variable("scale", [width], initializer=tf.ones_initializer())
        bias = tf.get_variable("bias", [width], initializer=tf.zeros_initializer())
        mean, variance = tf.nn.moments(x, axes=[-1], keep_dims=True)
        return (x - mean) * tf.rsqrt(variance + epsilon) * scale + bias


def split_heads(x):
    return tf.transpose(tf.reshape(x, [-1, length, heads, width // heads]), [0, 2, 1, 3])


def attention(x, keep_prob):
    with tf.variable_scope("attention"):
        query, key, value = [
            split_heads(tf.layers.dense(x, width, use_bias=False, name=name))
            for name in ("query", "key", "value")
        ]
        scores = tf.matmul(query * (width // heads) ** -0.5, key, transpose_b=True)
        weights = tf.nn.dropout(tf.nn.softmax(scores), keep_prob)
        mixed = tf.transpose(tf.matmul(weights, value), [0, 2, 1, 3])
        return tf.layers.dense(
            tf.reshape(mixed, [-1, length, width]), width, use_bias=False, name="output"
        )


def feed_forward(x):
    hidden = tf.layers.dense(x, inner, activation=tf.nn.relu, name="inner")
    return tf.layers.dense(hidden, width, name="outer")


def encoder(tokens, keep_prob):
    table = tf.get_variable(
        "embedding", [vocabulary, width], initializer=tf.random_normal_initializer(0, width**-0.5)
    )
    x = tf.nn.embedding_lookup(table, tokens) * width**0.5 + tf.constant(positions())
    for i in range(depth):
        with tf.variable_scope("layer_%d" % i):
            x += tf.nn.dropout(attention(layer_norm(x), keep_prob), keep_prob)
            x += tf.nn.dropout(feed_forward(layer_norm(x, "inner_norm")), keep_prob)
    return tf.tensordot(layer_norm(x), table, axes=[[2], [1]])


tf.set_random_seed(12)
tokens = tf.placeholder(tf.int32, [None, length], name="tokens")
targets = tf.placeholder(tf.int32, [None, length], name="targets")
keep_prob = tf.placeholder_with_default(1.0, [], name="keep_prob")

logits = encoder(tokens, keep_prob)
smoothed = tf.one_hot(targets, vocabulary) * 0.9 + 0.1 / vocabulary
loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(labels=smoothed, logits=logits))
hits = tf.equal(tf.argmax(logits, axis=-1, output_type=tf.int32), targets)
accuracy = tf.reduce_mean(tf.cast(hits, tf.float32))

global_step = tf.train.get_or_create_global_step()
step_float = tf.cast(global_step + 1, tf.float32)
learning_rate = 0.5 * width**-0.5 * tf.minimum(step_float**-0.5, step_float * 100**-1.5)
optimizer = tf.train.AdamOptimizer(learning_rate, beta1=0.9, beta2=0.98, epsilon=1e-9)
train_op = optimizer.minimize(loss, global_step=global_step)

rng = np.random.RandomState(12)


def batch():
    drawn = rng.randint(vocabulary, size=[batch_size, length])
    return {tokens: drawn, targets: np.sort(drawn, axis=1)}


with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    clock = None
    for step in range(1, steps + 1):
        feed = batch()
        feed[keep_prob] = 0.9
        _, value, rate = sess.run([train_op, loss, learning_rate], feed)
        if step == 2:
            clock = time.time()  # the first steps compile
        if step in (1, 2, 5) or step % max(steps // 10, 1) == 0:
            print("step %4d  loss %.4f  learning rate %.5f" % (step, value, rate))
    seconds = time.time() - clock
    print("sorted right: %.1f %% of the signs" % (100 * sess.run(accuracy, batch())))
print("%.1f steps/s" % ((steps - 2) / seconds))
