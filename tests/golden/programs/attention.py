"""A small self-attention block: einsum, tensordot, layer norm, masks, one-hot targets, gelu."""

import math

import numpy as np


def layer_norm(tf, x, scope):
    with tf.variable_scope(scope):
        gamma = tf.get_variable("gamma", [x.shape[-1]], initializer=tf.ones_initializer())
        beta = tf.get_variable("beta", [x.shape[-1]], initializer=tf.zeros_initializer())
        mean, variance = tf.nn.moments(x, axes=[-1], keep_dims=True)
        return tf.nn.batch_normalization(x, mean, variance, beta, gamma, 1e-6)


def gelu(tf, x):
    return x * 0.5 * (1.0 + tf.erf(x / tf.sqrt(2.0)))


def build(tf):
    tf.set_random_seed(83)
    ids = tf.placeholder(tf.int32, [None, 5], name="ids")
    table = tf.get_variable(
        "table", [11, 8], initializer=tf.truncated_normal_initializer(stddev=0.5)
    )
    positions = tf.get_variable(
        "positions", [5, 8], initializer=tf.random_normal_initializer(0, 0.1)
    )
    x = tf.nn.embedding_lookup(table, ids) * math.sqrt(8) + tf.expand_dims(positions, 0)
    shape = tf.shape(x)
    heads = []
    for name in ("query", "key", "value"):
        projected = tf.layers.dense(x, 8, use_bias=False, name=name)
        split = tf.reshape(projected, [shape[0], shape[1], 2, 4])
        heads.append(tf.transpose(split, [0, 2, 1, 3]))
    query, key, value = heads
    scores = tf.matmul(query, key, transpose_b=True) / math.sqrt(4.0)
    mask = tf.cast(tf.not_equal(ids, 0), tf.float32)[:, tf.newaxis, tf.newaxis, :]
    weights = tf.nn.softmax(scores + (1.0 - mask) * -10000.0, axis=-1)
    mixed = tf.einsum("bhqk,bhkd->bqhd", weights, value)
    mixed = tf.reshape(mixed, tf.concat([shape[:2], [8]], 0))
    mixed.set_shape([None, 5, 8])
    x = layer_norm(tf, x + mixed, "norm1")
    x = layer_norm(tf, x + tf.layers.dense(gelu(tf, tf.layers.dense(x, 16)), 8), "norm2")
    logits = tf.tensordot(x, table, axes=[[2], [1]])
    targets = tf.one_hot(tf.roll(ids, shift=-1, axis=1), 11, on_value=0.9, off_value=0.01)
    loss = -tf.reduce_mean(tf.reduce_sum(targets * tf.nn.log_softmax(logits), axis=-1))
    train = tf.train.AdamOptimizer(0.005).minimize(loss)

    def feeds(step):
        return {ids: np.random.RandomState(step).randint(0, 11, (3, 5))}

    return {
        "init": tf.global_variables_initializer(),
        "train": train,
        "loss": loss,
        "feeds": feeds,
        "fetch": {"weights": weights, "top": tf.nn.top_k(logits, 2)},
    }
