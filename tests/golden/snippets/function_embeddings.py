"""Gradients of functions that look rows of a variable up: the handle of the variable comes out of
the function and goes into its gradient."""

import numpy as np
import tensorflow as tf

tf.enable_eager_execution()
table = tf.Variable(np.arange(12, dtype=np.float32).reshape(4, 3))
other = tf.Variable(np.ones([4, 3], np.float32))
ids = tf.constant([0, 2, 2])


@tf.function
def captured(ids):
    return tf.reduce_sum(tf.nn.embedding_lookup(table, ids) ** 2)


@tf.function
def given(table, ids):
    return tf.reduce_sum(tf.gather(table, ids) * tf.nn.embedding_lookup(other, ids))


@tf.function
def called(ids):
    return captured(ids) + given(other, ids)


@tf.function
def looked_up_in_loops(ids):
    total = tf.zeros([3])
    for row in ids:
        total += tf.nn.embedding_lookup(table, row) * tf.nn.embedding_lookup(other, row)
    return tf.reduce_sum(total)


def dense(gradient):
    return (
        None if gradient is None else np.round(tf.convert_to_tensor(gradient).numpy(), 3).tolist()
    )


optimizer = tf.train.GradientDescentOptimizer(0.01)
for function in (captured, lambda ids: given(table, ids), called, looked_up_in_loops):
    for _ in range(2):
        with tf.GradientTape() as tape:
            value = function(ids)
        gradients = tape.gradient(value, [table, other])
        print("%.3f" % value.numpy(), *map(dense, gradients))
        pairs = [(g, v) for g, v in zip(gradients, [table, other]) if g is not None]
        optimizer.apply_gradients(pairs)
print(dense(table), dense(other))
