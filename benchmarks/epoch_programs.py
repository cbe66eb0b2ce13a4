"""TF1 programs that see batches of many shapes, epoch after epoch.

Each function builds a graph and returns `(fetches, batches)`: what a step fetches, the last of
which is the loss, and `batches(rng)`, the feed dicts of an epoch.
"""

from __future__ import annotations

import numpy as np

PROGRAMS = {}
WORDS = 2000


def program(function):
    """Enters a program under its function's name."""
    PROGRAMS[function.__name__] = function
    return function


def padded(rng, batch, longest, shortest=5):
    """Word ids [batch, time] and the lengths [batch], the longest of which is `time`."""
    lengths = rng.randint(shortest, longest + 1, size=batch)
    words = rng.randint(1, WORDS, size=[batch, lengths.max()])
    words[np.arange(lengths.max()) >= lengths[:, None]] = 0
    return words, lengths


def clipped(tf, loss, rate=1e-3):
    """A step of Adam with clipped gradients."""
    variables = tf.trainable_variables()
    gradients, _ = tf.clip_by_global_norm(tf.gradients(loss, variables), 5.0)
    return tf.train.AdamOptimizer(rate).apply_gradients(zip(gradients, variables))


@program
def lstm(tf):
    """Sentences of like lengths in a batch, classified by an LSTM."""
    words = tf.placeholder(tf.int32, [None, None])
    lengths = tf.placeholder(tf.int32, [None])
    y = tf.placeholder(tf.int32, [None])
    table = tf.get_variable("embedding", [WORDS, 64])
    _, state = tf.nn.dynamic_rnn(
        tf.nn.rnn_cell.LSTMCell(128),
        tf.nn.embedding_lookup(table, words),
        sequence_length=lengths,
        dtype=tf.float32,
    )
    loss = tf.losses.sparse_softmax_cross_entropy(y, tf.layers.dense(state.h, 4))

    def batches(rng):
        for longest in rng.permutation(np.arange(10, 50)):
            ids, long = padded(rng, 32, longest, longest)
            yield {words: ids, lengths: long, y: rng.randint(4, size=32)}

    return [clipped(tf, loss), loss], batches


@program
def basic_rnn(tf):
    """A GRU of 64 units without lengths."""
    words = tf.placeholder(tf.int32, [None, None])
    y = tf.placeholder(tf.int32, [None])
    table = tf.get_variable("embedding", [WORDS, 32])
    _, state = tf.nn.dynamic_rnn(
        tf.nn.rnn_cell.GRUCell(64), tf.nn.embedding_lookup(table, words), dtype=tf.float32
    )
    loss = tf.losses.sparse_softmax_cross_entropy(y, tf.layers.dense(state, 4))
    train = tf.train.AdamOptimizer(1e-3).minimize(loss)

    def batches(rng):
        for longest in rng.permutation(np.arange(10, 50)):
            yield {words: padded(rng, 32, longest, longest)[0], y: rng.randint(4, size=32)}

    return [train, loss], batches


@program
def tagger(tf):
    """A bidirectional LSTM under a CRF."""
    words = tf.placeholder(tf.int32, [None, None])
    lengths = tf.placeholder(tf.int32, [None])
    tags = tf.placeholder(tf.int32, [None, None])
    table = tf.get_variable("embedding", [WORDS, 50])
    outputs, _ = tf.nn.bidirectional_dynamic_rnn(
        tf.nn.rnn_cell.LSTMCell(64),
        tf.nn.rnn_cell.LSTMCell(64),
        tf.nn.embedding_lookup(table, words),
        sequence_length=lengths,
        dtype=tf.float32,
    )
    net = tf.nn.dropout(tf.concat(outputs, axis=-1), keep_prob=0.8, seed=1)
    scores = tf.layers.dense(net, 9)
    likelihood, _ = tf.contrib.crf.crf_log_likelihood(scores, tags, lengths)
    loss = tf.reduce_mean(-likelihood)

    def batches(rng):
        for longest in rng.permutation(np.arange(10, 40)):
            ids, long = padded(rng, 16, longest)
            yield {words: ids, lengths: long, tags: rng.randint(9, size=ids.shape)}

    return [clipped(tf, loss), loss], batches


def normalized(tf, x, name):
    with tf.variable_scope(name):
        scale = tf.get_variable("scale", [x.shape[-1]], initializer=tf.ones_initializer())
        bias = tf.get_variable("bias", [x.shape[-1]], initializer=tf.zeros_initializer())
        mean = tf.reduce_mean(x, axis=-1, keepdims=True)
        variance = tf.reduce_mean(tf.square(x - mean), axis=-1, keepdims=True)
        return (x - mean) * tf.rsqrt(variance + 1e-6) * scale + bias


@program
def transformer(tf):
    """Two layers of a language model of 4 heads, in batches of like lengths."""
    size, heads = 64, 4
    words = tf.placeholder(tf.int32, [None, None])
    table = tf.get_variable("embedding", [WORDS, size])
    positions = tf.get_variable("positions", [64, size])
    batch, time = tf.unstack(tf.shape(words))
    net = tf.nn.embedding_lookup(table, words) * size**0.5 + positions[:time]
    mask = tf.matrix_band_part(tf.ones([time, time]), -1, 0)

    def split(x):
        parts = tf.reshape(x, [batch, time, heads, size // heads])
        return tf.transpose(parts, [0, 2, 1, 3])

    for layer in range(2):
        with tf.variable_scope("layer%d" % layer):
            x = normalized(tf, net, "before")
            q, k, v = (split(tf.layers.dense(x, size, use_bias=False)) for _ in range(3))
            logits = tf.matmul(q * (size // heads) ** -0.5, k, transpose_b=True)
            weights = tf.nn.softmax(logits - 1e9 * (1 - mask))
            weights = tf.nn.dropout(weights, keep_prob=0.9, seed=2)
            heard = tf.transpose(tf.matmul(weights, v), [0, 2, 1, 3])
            net += tf.layers.dense(tf.reshape(heard, [batch, time, size]), size, use_bias=False)
            x = normalized(tf, net, "between")
            net += tf.layers.dense(tf.layers.dense(x, 4 * size, activation=tf.nn.relu), size)
    logits = tf.einsum("btd,wd->btw", normalized(tf, net, "end"), table)
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(
        labels=words[:, 1:], logits=logits[:, :-1]
    )
    weights = tf.to_float(tf.not_equal(words[:, 1:], 0))
    loss = tf.reduce_sum(losses * weights) / tf.reduce_sum(weights)
    train = tf.train.AdamOptimizer(1e-3, 0.9, 0.98, 1e-9).minimize(loss)

    def batches(rng):
        for longest in rng.permutation(np.arange(10, 50)):
            yield {words: padded(rng, 16, longest, longest - 3)[0]}

    return [train, loss], batches


@program
def text_cnn(tf):
    """Convolutions over texts of any length."""
    words = tf.placeholder(tf.int32, [None, None])
    y = tf.placeholder(tf.int32, [None])
    table = tf.get_variable("embedding", [WORDS, 64])
    net = tf.nn.embedding_lookup(table, words)
    pooled = [
        tf.reduce_max(tf.layers.conv1d(net, 64, width, activation=tf.nn.relu), axis=1)
        for width in (3, 4, 5)
    ]
    net = tf.layers.dropout(tf.concat(pooled, axis=1), 0.5, training=True, seed=3)
    loss = tf.losses.sparse_softmax_cross_entropy(y, tf.layers.dense(net, 4))
    train = tf.train.AdamOptimizer(1e-3).minimize(loss)

    def batches(rng):
        for longest in rng.permutation(np.arange(10, 60)):
            yield {words: padded(rng, 32, longest)[0], y: rng.randint(4, size=32)}

    return [train, loss], batches


@program
def translation(tf):
    """An encoder and a decoder that attends to it, both of LSTMs; two lengths that change."""
    seq2seq = tf.contrib.seq2seq
    source, target = (tf.placeholder(tf.int32, [None, None]) for _ in range(2))
    lengths, lengths_out = (tf.placeholder(tf.int32, [None]) for _ in range(2))
    table = tf.get_variable("embedding", [WORDS, 48])
    heard, state = tf.nn.dynamic_rnn(
        tf.nn.rnn_cell.LSTMCell(64),
        tf.nn.embedding_lookup(table, source),
        sequence_length=lengths,
        dtype=tf.float32,
    )
    attention = seq2seq.LuongAttention(64, heard, memory_sequence_length=lengths)
    cell = seq2seq.AttentionWrapper(tf.nn.rnn_cell.LSTMCell(64), attention, 64)
    start = cell.zero_state(tf.shape(source)[0], tf.float32).clone(cell_state=state)
    helper = seq2seq.TrainingHelper(tf.nn.embedding_lookup(table, target), lengths_out)
    decoder = seq2seq.BasicDecoder(cell, helper, start, tf.layers.Dense(WORDS // 4))
    said, _, _ = seq2seq.dynamic_decode(decoder)
    weights = tf.sequence_mask(lengths_out, dtype=tf.float32)
    loss = seq2seq.sequence_loss(said.rnn_output, target % (WORDS // 4), weights)

    def batches(rng):
        for longest in rng.permutation(np.arange(8, 32)):
            ids, long = padded(rng, 16, longest)
            out, long_out = padded(rng, 16, rng.randint(8, 24))
            yield {source: ids, lengths: long, target: out, lengths_out: long_out}

    return [clipped(tf, loss), loss], batches


@program
def episodes(tf):
    """Policy gradients of episodes that end when they end."""
    seen = tf.placeholder(tf.float32, [None, 8])
    done = tf.placeholder(tf.int32, [None])
    gained = tf.placeholder(tf.float32, [None])
    net = tf.layers.dense(seen, 64, activation=tf.nn.tanh)
    net = tf.layers.dense(net, 64, activation=tf.nn.tanh)
    chances = tf.nn.log_softmax(tf.layers.dense(net, 4))
    chosen = tf.reduce_sum(chances * tf.one_hot(done, 4), axis=1)
    loss = -tf.reduce_mean(chosen * gained)
    train = tf.train.AdamOptimizer(1e-3).minimize(loss)

    def batches(rng):
        for _ in range(60):
            count = rng.randint(10, 300)
            yield {
                seen: rng.normal(size=[count, 8]),
                done: rng.randint(4, size=count),
                gained: rng.normal(size=count),
            }

    return [train, loss], batches


@program
def images(tf):
    """A fully convolutional net over images of several sizes."""
    image = tf.placeholder(tf.float32, [None, None, None, 3])
    y = tf.placeholder(tf.int32, [None])
    net = tf.layers.conv2d(image, 16, 3, padding="same", activation=tf.nn.relu)
    net = tf.layers.max_pooling2d(net, 2, 2)
    net = tf.layers.conv2d(net, 32, 3, padding="same", activation=tf.nn.relu)
    net = tf.reduce_mean(net, axis=[1, 2])
    loss = tf.losses.sparse_softmax_cross_entropy(y, tf.layers.dense(net, 5))
    train = tf.train.MomentumOptimizer(1e-2, 0.9).minimize(loss)

    def batches(rng):
        for side in rng.permutation(np.arange(16, 48, 2)):
            yield {image: rng.normal(size=[4, side, side + 4, 3]), y: rng.randint(5, size=4)}

    return [train, loss], batches


@program
def last_batch(tf):
    """Nine batches of an epoch are whole, the tenth is what is left."""
    x = tf.placeholder(tf.float32, [None, 784])
    y = tf.placeholder(tf.int32, [None])
    net = tf.layers.dense(x, 128, activation=tf.nn.relu)
    loss = tf.losses.sparse_softmax_cross_entropy(y, tf.layers.dense(net, 10))
    train = tf.train.AdamOptimizer(1e-3).minimize(loss)

    def batches(rng):
        for size in [128] * 9 + [48]:
            yield {x: rng.uniform(size=[size, 784]), y: rng.randint(10, size=size)}

    return [train, loss], batches
