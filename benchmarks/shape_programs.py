"""TF1 programs no two runs of which are alike: shapes, lengths, entries or branches change.

Each function builds a graph and returns `(fetches, feed)`: what a run fetches, the last of which is
the number that the back ends have to agree on, and `feed(rng)`, the next run's feed dict.
"""

from __future__ import annotations

import numpy as np

PROGRAMS = {}
WORDS = 200


def program(function):
    """Enters a program under its function's name."""
    PROGRAMS[function.__name__] = function
    return function


def floats(rng, *shape):
    return rng.normal(size=shape).astype(np.float32)


def sentences(rng, batch, longest):
    """Padded word ids [batch, time] and the lengths [batch], the longest of which is `time`."""
    lengths = rng.randint(1, longest + 1, size=batch)
    words = rng.randint(1, WORDS, size=[batch, lengths.max()])
    words[np.arange(lengths.max()) >= lengths[:, None]] = 0
    return words, lengths


def sparse_rows(rng, rows, columns, most):
    """The indices [n, 2] of a matrix with 1 to `most` entries in each row, in order."""
    return [
        [row, column]
        for row in range(rows)
        for column in sorted(rng.choice(columns, rng.randint(1, most + 1), replace=False))
    ]


@program
def any_batch_size(tf):
    """A classifier whose batches are of any size."""
    x = tf.placeholder(tf.float32, [None, 20])
    y = tf.placeholder(tf.int32, [None])
    net = tf.layers.dense(x, 64, activation=tf.nn.relu)
    net = tf.layers.dense(net, 64, activation=tf.nn.relu)
    loss = tf.losses.sparse_softmax_cross_entropy(y, tf.layers.dense(net, 5))
    train = tf.train.AdamOptimizer(1e-3).minimize(loss)

    def feed(rng):
        size = rng.randint(1, 500)
        return {x: floats(rng, size, 20), y: rng.randint(5, size=size)}

    return [train, loss], feed


@program
def padded_sentences(tf):
    """A GRU over sentences of any length, in batches of any size."""
    words = tf.placeholder(tf.int32, [None, None])
    lengths = tf.placeholder(tf.int32, [None])
    y = tf.placeholder(tf.int32, [None])
    table = tf.get_variable("embedding", [WORDS, 16])
    _, state = tf.nn.dynamic_rnn(
        tf.nn.rnn_cell.GRUCell(32),
        tf.nn.embedding_lookup(table, words),
        sequence_length=lengths,
        dtype=tf.float32,
    )
    loss = tf.losses.sparse_softmax_cross_entropy(y, tf.layers.dense(state, 2))
    train = tf.train.AdamOptimizer(1e-3).minimize(loss)

    def feed(rng):
        size = rng.randint(1, 33)
        padded, long = sentences(rng, size, 40)
        return {words: padded, lengths: long, y: rng.randint(2, size=size)}

    return [train, loss], feed


@program
def fed_mask(tf):
    """Regression on the rows that a fed mask keeps."""
    x = tf.placeholder(tf.float32, [None, 10])
    y = tf.placeholder(tf.float32, [None])
    mask = tf.placeholder(tf.bool, [None])
    net = tf.layers.dense(x, 32, activation=tf.nn.tanh)
    prediction = tf.squeeze(tf.layers.dense(net, 1), axis=1)
    loss = tf.losses.mean_squared_error(tf.boolean_mask(y, mask), tf.boolean_mask(prediction, mask))
    train = tf.train.MomentumOptimizer(1e-2, 0.9).minimize(loss)

    def feed(rng):
        kept = rng.uniform(size=64) < rng.uniform(0.2, 1)
        return {x: floats(rng, 64, 10), y: floats(rng, 64), mask: kept}

    return [train, loss], feed


@program
def wide_and_deep(tf):
    """Sparse features with any number of entries, and bags of any number of words."""
    wide = tf.sparse_placeholder(tf.float32, [None, 1000])
    bags = tf.sparse_placeholder(tf.int64)
    y = tf.placeholder(tf.float32, [None])
    with tf.variable_scope("wide"):
        weights = tf.get_variable("weights", [1000, 1], initializer=tf.zeros_initializer())
        linear = tf.sparse_tensor_dense_matmul(wide, weights)
    with tf.variable_scope("deep"):
        table = tf.get_variable("embedding", [WORDS, 16])
        net = tf.nn.embedding_lookup_sparse(table, bags, None, combiner="mean")
        net = tf.layers.dense(net, 32, activation=tf.nn.relu)
        deep = tf.layers.dense(net, 1)
    logits = tf.squeeze(linear + deep, axis=1)
    loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=logits))
    train = tf.group(
        tf.train.FtrlOptimizer(0.05).minimize(loss, var_list=tf.trainable_variables("wide")),
        tf.train.AdagradOptimizer(0.05).minimize(loss, var_list=tf.trainable_variables("deep")),
    )

    def feed(rng):
        features, entries = (sparse_rows(rng, 16, size, 12) for size in (1000, 20))
        return {
            wide: tf.SparseTensorValue(features, np.ones(len(features), np.float32), [16, 1000]),
            bags: tf.SparseTensorValue(entries, rng.randint(WORDS, size=len(entries)), [16, 20]),
            y: rng.randint(2, size=16),
        }

    return [train, loss], feed


@program
def hard_examples(tf):
    """Trains on the examples whose loss is above the batch's mean: another number every time."""
    x = tf.placeholder(tf.float32, [64, 20])
    y = tf.placeholder(tf.int32, [64])
    net = tf.layers.dense(x, 64, activation=tf.nn.relu)
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(
        labels=y, logits=tf.layers.dense(net, 5)
    )
    hard = tf.squeeze(tf.where(losses > tf.reduce_mean(losses)), axis=1)
    loss = tf.reduce_mean(tf.gather(losses, hard))
    train = tf.train.AdamOptimizer(1e-3).minimize(loss)

    def feed(rng):
        return {x: floats(rng, 64, 20), y: rng.randint(5, size=64)}

    return [train, tf.size(hard), loss], feed


@program
def words_to_rows(tf):
    """Strings -> hash table -> unique ids -> only their embeddings are updated."""
    vocabulary = ["word%d" % i for i in range(WORDS)]
    words = tf.placeholder(tf.string, [None])
    target = tf.placeholder(tf.float32, [8])
    table = tf.contrib.lookup.index_table_from_tensor(vocabulary, num_oov_buckets=1)
    embedding = tf.get_variable("embedding", [WORDS + 1, 8])
    ids, places, counts = tf.unique_with_counts(table.lookup(words))
    rows = tf.gather(embedding, ids)
    weights = tf.to_float(counts) / tf.to_float(tf.size(places))
    bag = tf.reduce_sum(rows * weights[:, tf.newaxis], axis=0)
    loss = tf.reduce_sum(tf.square(bag - target))
    (gradient,) = tf.gradients(loss, [rows])
    with tf.control_dependencies([loss]):
        train = tf.scatter_sub(embedding, ids, 0.5 * gradient)

    def feed(rng):
        numbers = rng.randint(int(WORDS * 1.1), size=rng.randint(5, 60))
        return {words: ["word%d" % i for i in numbers], target: floats(rng, 8)}

    return [train.op, loss], feed


@program
def any_image_size(tf):
    """A fully convolutional net that labels the pixels of images of any size."""
    image = tf.placeholder(tf.float32, [1, None, None, 3])
    labels = tf.placeholder(tf.float32, [1, None, None, 1])
    net = tf.layers.conv2d(image, 8, 3, padding="same", activation=tf.nn.relu)
    net = tf.layers.max_pooling2d(net, 2, 2)
    net = tf.layers.conv2d(net, 16, 3, padding="same", activation=tf.nn.relu)
    net = tf.image.resize_bilinear(net, tf.shape(image)[1:3])
    logits = tf.layers.conv2d(net, 1, 1)
    loss = tf.losses.sigmoid_cross_entropy(labels, logits)
    train = tf.train.MomentumOptimizer(1e-2, 0.9).minimize(loss)

    def feed(rng):
        high, wide = rng.randint(12, 40, size=2)
        picture = floats(rng, 1, high, wide, 3)
        return {image: picture, labels: picture[..., :1] > 0}

    return [train, loss], feed


@program
def greedy_decoding(tf):
    """Translates word by word until every sentence has ended; what is said so far grows."""
    source = tf.placeholder(tf.int32, [None, None])
    limit = tf.placeholder(tf.int32, [])
    table = tf.get_variable("embedding", [50, 16])
    kernel = tf.get_variable("kernel", [32, 50])
    cell = tf.nn.rnn_cell.GRUCell(32)
    _, state = tf.nn.dynamic_rnn(cell, tf.nn.embedding_lookup(table, source), dtype=tf.float32)
    batch = tf.shape(source)[0]

    def goes_on(i, ids, state, score):
        return tf.logical_and(i < limit, tf.reduce_any(tf.not_equal(ids[:, -1], 0)))

    def say_a_word(i, ids, state, score):
        output, state = cell(tf.nn.embedding_lookup(table, ids[:, -1]), state)
        chances = tf.nn.log_softmax(tf.matmul(output, kernel))
        word = tf.argmax(chances, axis=1, output_type=tf.int32)
        ids = tf.concat([ids, word[:, tf.newaxis]], axis=1)
        return i + 1, ids, state, score + tf.reduce_max(chances, axis=1)

    start = [tf.constant(0), tf.ones([batch, 1], tf.int32), state, tf.zeros([batch])]
    shapes = [tf.TensorShape(s) for s in ([], [None, None], [None, 32], [None])]
    _, ids, _, score = tf.while_loop(goes_on, say_a_word, start, shape_invariants=shapes)

    def feed(rng):
        size = [rng.randint(1, 9), rng.randint(2, 15)]
        return {source: rng.randint(1, 50, size=size), limit: rng.randint(5, 25)}

    return [ids, tf.reduce_mean(score)], feed


@program
def static_lengths(tf):
    """`static_rnn` with lengths: 50 steps, each a conditional, and their gradients."""
    x = tf.placeholder(tf.float32, [8, 50, 4])
    lengths = tf.placeholder(tf.int32, [8])
    y = tf.placeholder(tf.float32, [8])
    _, state = tf.nn.static_rnn(
        tf.nn.rnn_cell.BasicRNNCell(16),
        tf.unstack(x, axis=1),
        sequence_length=lengths,
        dtype=tf.float32,
    )
    loss = tf.losses.mean_squared_error(y, tf.squeeze(tf.layers.dense(state, 1), axis=1))
    train = tf.train.GradientDescentOptimizer(1e-2).minimize(loss)

    def feed(rng):
        low, high = sorted(rng.randint(1, 51, size=2))
        long = rng.randint(low, high + 1, size=8)
        return {x: floats(rng, 8, 50, 4), lengths: long, y: floats(rng, 8)}

    return [train, loss], feed


@program
def trees(tf):
    """A recursive net: a turn of the loop makes one node, out of a word or of two earlier nodes."""
    leaf = tf.placeholder(tf.bool, [None])
    word, left, right = (tf.placeholder(tf.int32, [None]) for _ in range(3))
    labels = tf.placeholder(tf.int32, [None])
    table = tf.get_variable("embedding", [WORDS, 16])
    kernel = tf.get_variable("kernel", [32, 16])
    bias = tf.get_variable("bias", [16], initializer=tf.zeros_initializer())
    nodes = tf.TensorArray(
        tf.float32, size=0, dynamic_size=True, clear_after_read=False, infer_shape=False
    )

    def make_node(nodes, i):
        def combine():
            children = [nodes.read(tf.gather(side, i)) for side in (left, right)]
            return tf.nn.relu(tf.matmul(tf.concat(children, axis=1), kernel) + bias)

        node = tf.cond(
            tf.gather(leaf, i),
            lambda: tf.expand_dims(tf.gather(table, tf.gather(word, i)), 0),
            combine,
        )
        return nodes.write(i, node), i + 1

    nodes, _ = tf.while_loop(
        lambda nodes, i: i < tf.size(leaf), make_node, [nodes, 0], parallel_iterations=1
    )
    logits = tf.layers.dense(tf.reshape(nodes.concat(), [-1, 16]), 3)
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    train = tf.train.GradientDescentOptimizer(1e-2).minimize(loss)

    def feed(rng):
        tree = []  # (word or 0, left, right), children first

        def grow(leaves):
            if leaves == 1:
                tree.append((rng.randint(1, WORDS), 0, 0))
            else:
                split = rng.randint(1, leaves)
                children = grow(split), grow(leaves - split)
                tree.append((0,) + children)
            return len(tree) - 1

        grow(rng.randint(2, 15))
        words, lefts, rights = np.array(tree).T
        fed = {leaf: words > 0, word: words, left: lefts, right: rights}
        fed[labels] = rng.randint(3, size=len(tree))
        return fed

    return [train, loss], feed


@program
def padded_batches(tf):
    """tf.data: sentences of any length, padded to the longest of their batch."""

    def examples():
        rng = np.random.RandomState(0)
        while True:
            (words,), _ = sentences(rng, 1, 30)
            yield words, rng.randint(2)

    dataset = tf.data.Dataset.from_generator(examples, (tf.int32, tf.int32), ([None], []))
    dataset = dataset.padded_batch(16, ([None], [])).prefetch(1)
    words, y = dataset.make_one_shot_iterator().get_next()
    table = tf.get_variable("embedding", [WORDS, 16])
    present = tf.to_float(tf.not_equal(words, 0))[:, :, tf.newaxis]
    total = tf.reduce_sum(tf.nn.embedding_lookup(table, words) * present, axis=1)
    mean = total / tf.reduce_sum(present, axis=1)
    loss = tf.losses.sparse_softmax_cross_entropy(y, tf.layers.dense(mean, 2))
    train = tf.train.AdamOptimizer(1e-3).minimize(loss)
    return [train, loss], lambda rng: {}


@program
def attention(tf):
    """An encoder and a decoder that attends to it: two lengths and a batch size that change."""
    source, target = (tf.placeholder(tf.int32, [None, None]) for _ in range(2))
    source_lengths, target_lengths = (tf.placeholder(tf.int32, [None]) for _ in range(2))
    table = tf.get_variable("embedding", [WORDS, 16])

    def recurrent(name, words, lengths, state=None):
        return tf.nn.dynamic_rnn(
            tf.nn.rnn_cell.GRUCell(24),
            tf.nn.embedding_lookup(table, words),
            sequence_length=lengths,
            initial_state=state,
            dtype=tf.float32,
            scope=name,
        )

    memory, state = recurrent("encoder", source, source_lengths)
    outputs, _ = recurrent("decoder", target[:, :-1], target_lengths - 1, state)
    scores = tf.matmul(outputs, memory, transpose_b=True)
    present = tf.sequence_mask(source_lengths, tf.shape(source)[1], dtype=tf.float32)
    weights = tf.nn.softmax(scores - 1e9 * (1 - present[:, tf.newaxis, :]))
    context = tf.matmul(weights, memory)
    logits = tf.layers.dense(tf.concat([outputs, context], axis=2), WORDS)
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=target[:, 1:], logits=logits)
    mask = tf.sequence_mask(target_lengths - 1, tf.shape(target)[1] - 1, dtype=tf.float32)
    loss = tf.reduce_sum(losses * mask) / tf.reduce_sum(mask)
    variables = tf.trainable_variables()
    gradients, _ = tf.clip_by_global_norm(tf.gradients(loss, variables), 5.0)
    train = tf.train.AdamOptimizer(1e-3).apply_gradients(zip(gradients, variables))

    def feed(rng):
        size = rng.randint(2, 13)
        (a, a_lengths), (b, b_lengths) = (sentences(rng, size, 15) for _ in range(2))
        begun = np.concatenate([np.ones([size, 1], int), b], axis=1)
        fed = {source: a, source_lengths: a_lengths}
        fed.update({target: begun, target_lengths: b_lengths + 1})
        return fed

    return [train, loss], feed


@program
def policy_gradient(tf):
    """REINFORCE: an update after an episode of any length."""
    observations = tf.placeholder(tf.float32, [None, 4])
    actions = tf.placeholder(tf.int32, [None])
    returns = tf.placeholder(tf.float32, [None])
    net = tf.layers.dense(observations, 32, activation=tf.nn.relu)
    chances = tf.nn.log_softmax(tf.layers.dense(net, 3))
    taken = tf.stack([tf.range(tf.shape(actions)[0]), actions], axis=1)
    loss = -tf.reduce_mean(tf.gather_nd(chances, taken) * returns)
    train = tf.train.RMSPropOptimizer(1e-3).minimize(loss)

    def feed(rng):
        steps = rng.randint(5, 200)
        discounted = np.cumsum(0.99 ** np.arange(steps))[::-1]
        scaled = (discounted - discounted.mean()) / discounted.std() + 0.5
        return {
            observations: floats(rng, steps, 4),
            actions: rng.randint(3, size=steps),
            returns: scaled,
        }

    return [train, loss], feed


@program
def chosen_updates(tf):
    """A fed predicate switches dropout; a computed one chooses between two updates."""
    x = tf.placeholder(tf.float32, [32, 20])
    y = tf.placeholder(tf.float32, [32])
    training = tf.placeholder(tf.bool, [])
    net = tf.layers.dense(x, 32, activation=tf.nn.relu)
    net = tf.cond(training, lambda: tf.nn.dropout(net, keep_prob=0.8), lambda: net)
    loss = tf.losses.mean_squared_error(y, tf.squeeze(tf.layers.dense(net, 1), axis=1))
    optimizer = tf.train.GradientDescentOptimizer(1e-2)
    gradients, variables = zip(*optimizer.compute_gradients(loss))
    norm = tf.global_norm(gradients)

    def clipped():
        small, _ = tf.clip_by_global_norm(gradients, 1.0, use_norm=norm)
        return optimizer.apply_gradients(zip(small, variables))

    train = tf.cond(
        norm > 2.0, clipped, lambda: optimizer.apply_gradients(zip(gradients, variables))
    )

    def feed(rng):
        scale = rng.uniform(0.2, 2)
        return {x: scale * floats(rng, 32, 20), y: floats(rng, 32), training: rng.rand() < 0.5}

    return [train, loss], feed


@program
def python_in_the_net(tf):
    """A py_func picks the rows to learn from, as detectors sample their boxes."""
    x = tf.placeholder(tf.float32, [None, 12])
    overlaps = tf.placeholder(tf.float32, [None])

    def sample(scores, overlaps):
        (positive,) = np.nonzero(overlaps > 0.7)
        (negative,) = np.nonzero(overlaps < 0.3)
        hardest = negative[np.argsort(-scores[negative])][: max(1, len(positive))]
        kept = np.concatenate([positive, hardest])
        return kept.astype(np.int32), (overlaps[kept] > 0.7).astype(np.float32)

    net = tf.layers.dense(x, 32, activation=tf.nn.relu)
    logits = tf.squeeze(tf.layers.dense(net, 1), axis=1)
    kept, labels = tf.py_func(sample, [logits, overlaps], [tf.int32, tf.float32])
    kept.set_shape([None])
    labels.set_shape([None])
    loss = tf.losses.sigmoid_cross_entropy(labels, tf.gather(logits, kept))
    train = tf.train.MomentumOptimizer(1e-2, 0.9).minimize(loss)

    def feed(rng):
        boxes = rng.randint(20, 120)
        return {x: floats(rng, boxes, 12), overlaps: rng.uniform(size=boxes)}

    return [train, loss], feed


@program
def graph_net(tf):
    """Two rounds of messages over the edges of graphs of any size, summed up per graph."""
    nodes = tf.placeholder(tf.float32, [None, 8])
    sender, receiver, graph = (tf.placeholder(tf.int32, [None]) for _ in range(3))
    y = tf.placeholder(tf.float32, [None])
    net = tf.layers.dense(nodes, 16, activation=tf.nn.relu)
    for _ in range(2):
        messages = tf.layers.dense(tf.gather(net, sender), 16, activation=tf.nn.relu)
        heard = tf.unsorted_segment_sum(messages, receiver, tf.shape(nodes)[0])
        net = tf.layers.dense(tf.concat([net, heard], axis=1), 16, activation=tf.nn.tanh)
    pooled = tf.segment_sum(net, graph)
    loss = tf.losses.mean_squared_error(y, tf.squeeze(tf.layers.dense(pooled, 1), axis=1))
    train = tf.train.AdamOptimizer(1e-3).minimize(loss)

    def feed(rng):
        sizes = rng.randint(3, 12, size=8)
        starts = np.repeat(np.cumsum(sizes) - sizes, 2 * sizes)  # twice as many edges as nodes
        ends = [starts + (rng.rand(len(starts)) * np.repeat(sizes, 2 * sizes)) for _ in range(2)]
        fed = {nodes: floats(rng, sizes.sum(), 8), graph: np.repeat(np.arange(8), sizes)}
        fed.update({sender: ends[0].astype(int), receiver: ends[1].astype(int)})
        fed[y] = floats(rng, 8)
        return fed

    return [train, loss], feed


@program
def experts(tf):
    """Rows go to one of three nets by a fed id (dynamic_partition) and back (dynamic_stitch)."""
    x = tf.placeholder(tf.float32, [64, 12])
    chosen = tf.placeholder(tf.int32, [64])
    y = tf.placeholder(tf.float32, [64])
    places = tf.dynamic_partition(tf.range(64), chosen, 3)
    outputs = [
        tf.layers.dense(tf.layers.dense(rows, 16, activation=tf.nn.relu), 1)
        for rows in tf.dynamic_partition(x, chosen, 3)
    ]
    joined = tf.reshape(tf.dynamic_stitch(places, outputs), [64])
    loss = tf.losses.mean_squared_error(y, joined)
    train = tf.train.AdamOptimizer(1e-3).minimize(loss)

    def feed(rng):
        return {x: floats(rng, 64, 12), chosen: rng.randint(3, size=64), y: floats(rng, 64)}

    return [train, loss], feed


@program
def row_by_row(tf):
    """`tf.map_fn` over any number of rows, each cut to its own length."""
    words = tf.placeholder(tf.int32, [None, None])
    lengths = tf.placeholder(tf.int32, [None])
    y = tf.placeholder(tf.int32, [None])
    table = tf.get_variable("embedding", [WORDS, 16])
    means = tf.map_fn(
        lambda row: tf.reduce_mean(row[0][: row[1]], axis=0),
        (tf.nn.embedding_lookup(table, words), lengths),
        dtype=tf.float32,
    )
    logits = tf.layers.dense(tf.reshape(means, [-1, 16]), 2)
    loss = tf.losses.sparse_softmax_cross_entropy(y, logits)
    train = tf.train.AdamOptimizer(1e-3).minimize(loss)

    def feed(rng):
        size = rng.randint(1, 20)
        padded, long = sentences(rng, size, 12)
        return {words: padded, lengths: long, y: rng.randint(2, size=size)}

    return [train, loss], feed


@program
def speech(tf):
    """CTC: recordings of any length, transcribed by any number of letters."""
    sound = tf.placeholder(tf.float32, [None, None, 12])
    lengths = tf.placeholder(tf.int32, [None])
    letters = tf.sparse_placeholder(tf.int32)
    net, _ = tf.nn.dynamic_rnn(
        tf.nn.rnn_cell.LSTMCell(24), sound, sequence_length=lengths, dtype=tf.float32
    )
    logits = tf.transpose(tf.layers.dense(net, 20), [1, 0, 2])
    loss = tf.reduce_mean(tf.nn.ctc_loss(letters, logits, lengths))
    train = tf.train.AdamOptimizer(1e-3).minimize(loss)

    def feed(rng):
        size = rng.randint(1, 6)
        frames = rng.randint(20, 50, size=size)
        counts = rng.randint(2, 9, size=size)
        places = [[row, i] for row, count in enumerate(counts) for i in range(count)]
        said = rng.randint(19, size=len(places))
        return {
            sound: floats(rng, size, frames.max(), 12),
            lengths: frames,
            letters: tf.SparseTensorValue(places, said, [size, counts.max()]),
        }

    return [train, loss], feed
