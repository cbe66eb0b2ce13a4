"""Skip-gram word vectors with noise-contrastive estimation (Mikolov et al., 2013).

The noise words are drawn inside the graph by a candidate sampler, and only the rows that a batch
uses are updated. The text is made up: sentences of words that come in topics.

    python -m tf1compat examples/word2vec.py
"""

from __future__ import absolute_import, division, print_function

import math
import os
import time

import numpy as np
import tensorflow as tf

steps = int(os.environ.get("STEPS", 2000))
vocabulary_size, topics, embedding_size = 1000, 20, 32
batch_size, window, num_sampled = 128, 2, 32

rng = np.random.RandomState(8)


def make_text(sentences):
    """Words, the frequent ones first; a sentence keeps to one topic (a word's number mod 20)."""
    ranks = np.arange(1, vocabulary_size // topics + 1)
    frequency = (1.0 / ranks) / np.sum(1.0 / ranks)
    words = []
    for _ in range(sentences):
        words.extend(rng.choice(len(ranks), 8, p=frequency) * topics + rng.randint(topics))
    return np.array(words)


text = make_text(3000)


def next_batch():
    centres = rng.randint(window, len(text) - window, size=batch_size)
    shifts = rng.choice([-2, -1, 1, 2], size=batch_size)
    return text[centres], text[centres + shifts][:, np.newaxis]


tf.set_random_seed(8)
inputs = tf.placeholder(tf.int32, shape=[batch_size])
labels = tf.placeholder(tf.int32, shape=[batch_size, 1])

embeddings = tf.Variable(tf.random_uniform([vocabulary_size, embedding_size], -1.0, 1.0))
embed = tf.nn.embedding_lookup(embeddings, inputs)
nce_weights = tf.Variable(
    tf.truncated_normal([vocabulary_size, embedding_size], stddev=1.0 / math.sqrt(embedding_size))
)
nce_biases = tf.Variable(tf.zeros([vocabulary_size]))
loss = tf.reduce_mean(
    tf.nn.nce_loss(
        weights=nce_weights,
        biases=nce_biases,
        labels=labels,
        inputs=embed,
        num_sampled=num_sampled,
        num_classes=vocabulary_size,
    )
)
train_op = tf.train.GradientDescentOptimizer(1.0).minimize(loss)

norm = tf.sqrt(tf.reduce_sum(tf.square(embeddings), 1, keep_dims=True))
normalized = embeddings / norm
similarity = tf.matmul(normalized[:topics], normalized, transpose_b=True)
nearest = tf.nn.top_k(similarity, k=6).indices[:, 1:]

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    clock, average = None, 0.0
    for step in range(1, steps + 1):
        batch, context = next_batch()
        _, value = sess.run([train_op, loss], {inputs: batch, labels: context})
        average += value
        if step == 2:
            clock = time.time()  # the first steps compile
        if step in (1, 2, 5):
            print("step %4d  loss %.4f" % (step, value))
        if step % max(steps // 10, 1) == 0:
            print("step %4d  average loss %.4f" % (step, average / max(steps // 10, 1)))
            average = 0.0
    seconds = time.time() - clock
    neighbours = sess.run(nearest)

same_topic = np.mean(neighbours % topics == np.arange(topics)[:, np.newaxis])
print("nearest words of the same topic: %.0f %%" % (100 * same_topic))
print("%.1f steps/s" % ((steps - 2) / seconds))
