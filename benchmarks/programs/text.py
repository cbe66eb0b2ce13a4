"""Recurrent nets and attention."""

from programs.table import adam, program


def sentences(words, *shape):
    """Batches of texts, and of the words that follow."""

    def batch(rng):
        text = rng.randint(words, size=(shape[0], shape[1] + 1)).astype("int32")
        return text[:, :-1], text[:, 1:]

    return batch


def clipped_adam(tf, loss):
    variables = tf.trainable_variables()
    gradients, _ = tf.clip_by_global_norm(tf.gradients(loss, variables), 5.0)
    return [tf.train.AdamOptimizer(1e-3).apply_gradients(zip(gradients, variables)), loss]


@program("LSTM", sentences(1000, 32, 30))
def lstm(tf):
    """A language model of 1,000 words: 32 sentences of 30 words, 128 units."""
    words, following = (tf.placeholder(tf.int32, [32, 30]) for _ in range(2))
    table = tf.get_variable("embedding", [1000, 128])
    rows = tf.nn.embedding_lookup(table, words)
    cell = tf.nn.rnn_cell.BasicLSTMCell(128)
    outputs, _ = tf.nn.dynamic_rnn(cell, rows, dtype=tf.float32)
    loss = tf.losses.sparse_softmax_cross_entropy(following, tf.layers.dense(outputs, 1000))
    return (words, following), clipped_adam(tf, loss)


def layer_norm(tf, x, name):
    with tf.variable_scope(name):
        gain = tf.get_variable("gain", x.shape[-1:], initializer=tf.ones_initializer())
        shift = tf.get_variable("shift", x.shape[-1:], initializer=tf.zeros_initializer())
    mean, variance = tf.nn.moments(x, [-1], keep_dims=True)
    return (x - mean) * tf.rsqrt(variance + 1e-6) * gain + shift


def attention(tf, x, heads, causal):
    batch, length, width = [int(n) for n in x.shape]

    def split(name):
        parts = tf.reshape(tf.layers.dense(x, width, name=name), [batch, length, heads, -1])
        return tf.transpose(parts, [0, 2, 1, 3])

    q, k, v = split("query"), split("key"), split("value")
    scores = tf.matmul(q, k, transpose_b=True) * (width // heads) ** -0.5
    if causal:
        scores += -1e9 * (1 - tf.linalg.band_part(tf.ones([length, length]), -1, 0))
    seen = tf.transpose(tf.matmul(tf.nn.softmax(scores), v), [0, 2, 1, 3])
    return tf.layers.dense(tf.reshape(seen, [batch, length, width]), width, name="mixed")


def gelu(tf, x):
    return 0.5 * x * (1 + tf.erf(x * 0.5**0.5))


@program("transformer", sentences(1000, 16, 64))
def transformer(tf):
    """A language model: 2 layers of 128, 4 heads, normalised first."""
    words, following = (tf.placeholder(tf.int32, [16, 64]) for _ in range(2))
    x = tf.nn.embedding_lookup(tf.get_variable("embedding", [1000, 128]), words)
    x += tf.get_variable("places", [64, 128])
    for i in range(2):
        with tf.variable_scope("layer%d" % i):
            x += attention(tf, layer_norm(tf, x, "norm1"), 4, causal=True)
            inner = tf.layers.dense(layer_norm(tf, x, "norm2"), 512, activation=tf.nn.relu)
            x += tf.layers.dense(inner, 128)
    logits = tf.layers.dense(layer_norm(tf, x, "norm"), 1000)
    loss = tf.losses.sparse_softmax_cross_entropy(following, logits)
    return (words, following), adam(tf, loss)


@program("BERT-small", sentences(8000, 4, 64))
def bert_small(tf):
    """4 layers of 512, 8 heads, dropout, and the masked words' loss on all places."""
    words, meant = (tf.placeholder(tf.int32, [4, 64]) for _ in range(2))
    table = tf.get_variable(
        "embedding", [8000, 512], initializer=tf.truncated_normal_initializer(0, 0.02)
    )
    x = tf.nn.embedding_lookup(table, words)
    x = layer_norm(tf, x + tf.get_variable("places", [64, 512]), "norm")
    x = tf.nn.dropout(x, 0.9)
    for i in range(4):
        with tf.variable_scope("layer%d" % i):
            seen = tf.nn.dropout(attention(tf, x, 8, causal=False), 0.9)
            x = layer_norm(tf, x + seen, "norm1")
            inner = gelu(tf, tf.layers.dense(x, 2048))
            x = layer_norm(tf, x + tf.nn.dropout(tf.layers.dense(inner, 512), 0.9), "norm2")
    logits = tf.matmul(tf.reshape(x, [-1, 512]), table, transpose_b=True)
    loss = tf.losses.sparse_softmax_cross_entropy(tf.reshape(meant, [-1]), logits)
    return (words, meant), clipped_adam(tf, loss)


@program("seq2seq", sentences(1000, 32, 20))
def seq2seq(tf):
    """GRUs of 128 units, the decoder's with Bahdanau's attention to 20 encoded words."""
    source, target = (tf.placeholder(tf.int32, [32, 20]) for _ in range(2))
    table = tf.get_variable("embedding", [1000, 128])
    rows = tf.nn.embedding_lookup(table, source)
    with tf.variable_scope("encoder"):
        memory, state = tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(128), rows, dtype=tf.float32)
    keys = tf.layers.dense(memory, 128, use_bias=False)
    query = tf.get_variable("query", [128, 128])
    score = tf.get_variable("score", [128])

    class Attending(tf.nn.rnn_cell.GRUCell):
        def __call__(self, inputs, state, scope=None):
            energy = tf.tanh(keys + tf.expand_dims(tf.matmul(state, query), 1))
            weights = tf.nn.softmax(tf.reduce_sum(energy * score, 2))
            context = tf.reduce_sum(tf.expand_dims(weights, 2) * memory, 1)
            return super(Attending, self).__call__(tf.concat([inputs, context], 1), state)

    fed = tf.pad(target[:, :-1], [[0, 0], [1, 0]])
    with tf.variable_scope("decoder"):
        outputs, _ = tf.nn.dynamic_rnn(
            Attending(128), tf.nn.embedding_lookup(table, fed), initial_state=state
        )
    loss = tf.losses.sparse_softmax_cross_entropy(target, tf.layers.dense(outputs, 1000))
    return (source, target), clipped_adam(tf, loss)
