"""Training programs of the kinds that people have, small.

Each function records one and returns (loss, inputs, batch): `batch(random)` makes values of the
inputs. They run under the real TF 1.15 as well. A `Maker` records what they have in common, with a
fault in it if it is told so.
"""

import numpy as np

# The programs whose gradient is registered, which can be done once a process.
_with_gradient = set()


class Maker:
    """Records the parts that a fault can be planted in.

    Args:
      tf: TensorFlow.
      fault: None, "epsilon" (the optimizer's), "axis" (of a sum) or "override" (of a gradient).
    """

    def __init__(self, tf, fault=None):
        self.tf = tf
        self.fault = fault

    def trained(self, program):
        """(training operation, loss, inputs, batch) of a program."""
        tf = self.tf
        tf.set_random_seed(11)
        if self.fault != "override" and program not in _with_gradient:
            _with_gradient.add(program)
            tf.RegisterGradient("Halved" + program.__name__)(lambda op, grad: 0.5 * grad)
        loss, inputs, batch = program(self, tf)
        epsilon = 1e-4 if self.fault == "epsilon" else 1e-8
        updates = tf.get_collection(tf.GraphKeys.UPDATE_OPS)
        with tf.control_dependencies(updates):
            train = tf.train.AdamOptimizer(1e-3, epsilon=epsilon).minimize(loss)
        return train, loss, inputs, batch

    def total(self, x):
        """The mean over the rows of the sums of squares."""
        tf = self.tf
        x = tf.reshape(x, [-1, x.shape.as_list()[-1]])
        sums = tf.reduce_sum(tf.square(x), axis=0 if self.fault == "axis" else 1, name="sums")
        return tf.reduce_mean(tf.sqrt(sums + 1e-6))

    def halved(self, x, program):
        """`x`, whose gradient is halved."""
        tf = self.tf
        name = "Halved" + program.__name__
        overrides = {} if self.fault == "override" else {"Identity": name}
        with tf.get_default_graph().gradient_override_map(overrides):
            return tf.identity(x, name="halved")


def resnet(maker, tf):
    images = tf.placeholder(tf.float32, [None, 8, 8, 3], name="images")
    labels = tf.placeholder(tf.int32, [None], name="labels")
    net = tf.layers.conv2d(images, 8, 3, padding="same", use_bias=False)
    for i in range(2):
        with tf.variable_scope("unit_{}".format(i)):
            short = net
            net = tf.nn.relu(tf.layers.batch_normalization(net, training=True))
            net = tf.layers.conv2d(net, 8, 3, padding="same", use_bias=False)
            net = tf.nn.relu(tf.layers.batch_normalization(net, training=True))
            net = maker.halved(tf.layers.conv2d(net, 8, 3, padding="same"), resnet) + short
    net = tf.reduce_mean(net, [1, 2])
    logits = tf.layers.dense(net, 4)
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits) + 0.01 * maker.total(net)
    return loss, [images, labels], lambda r: [r.rand(6, 8, 8, 3), r.randint(0, 4, 6)]


def seq2seq(maker, tf):
    source = tf.placeholder(tf.int32, [None, 5], name="source")
    target = tf.placeholder(tf.int32, [None, 4], name="target")
    table = tf.get_variable("table", [12, 8])
    embedded = tf.nn.embedding_lookup(table, source)
    states, state = tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(8), embedded, dtype=tf.float32)
    attention = tf.contrib.seq2seq.LuongAttention(8, maker.halved(states, seq2seq))
    cell = tf.contrib.seq2seq.AttentionWrapper(tf.nn.rnn_cell.GRUCell(8), attention, 8)
    first = cell.zero_state(tf.shape(target)[0], tf.float32).clone(cell_state=state)
    words = tf.nn.embedding_lookup(table, target)
    output = tf.nn.dynamic_rnn(cell, words, None, first, tf.float32, scope="decoder")[0]
    output = tf.layers.dense(output, 12)
    loss = tf.contrib.seq2seq.sequence_loss(output, target, tf.ones(tf.shape(target)))
    loss += 0.01 * maker.total(state)
    return loss, [source, target], lambda r: [r.randint(0, 12, (3, 5)), r.randint(0, 12, (3, 4))]


def dcgan(maker, tf):
    images = tf.placeholder(tf.float32, [4, 8, 8, 1], name="images")
    noise = tf.random_uniform([4, 6], -1.0, 1.0)
    with tf.variable_scope("generator"):
        net = tf.reshape(tf.layers.dense(noise, 4 * 4 * 8), [4, 4, 4, 8])
        net = tf.nn.relu(tf.layers.batch_normalization(net, training=True))
        made = tf.tanh(tf.layers.conv2d_transpose(net, 1, 5, 2, padding="same"))

    def discriminator(images):
        with tf.variable_scope("discriminator", reuse=tf.AUTO_REUSE):
            net = tf.nn.leaky_relu(tf.layers.conv2d(images, 8, 5, 2, padding="same"))
            return tf.layers.dense(tf.layers.flatten(net), 1)

    real, fake = discriminator(images), discriminator(maker.halved(made, dcgan))
    cross = tf.nn.sigmoid_cross_entropy_with_logits
    loss = tf.reduce_mean(cross(labels=tf.ones_like(real), logits=real))
    loss += tf.reduce_mean(cross(labels=tf.zeros_like(fake), logits=fake))
    return (
        loss + 0.01 * maker.total(real + fake + tf.layers.flatten(made)),
        [images],
        lambda r: [r.rand(4, 8, 8, 1)],
    )


def dqn(maker, tf):
    state = tf.placeholder(tf.float32, [None, 4], name="state")
    after = tf.placeholder(tf.float32, [None, 4], name="after")
    action = tf.placeholder(tf.int32, [None], name="action")
    reward = tf.placeholder(tf.float32, [None], name="reward")

    def values(x, name, trainable=True):
        with tf.variable_scope(name):
            x = tf.layers.dense(x, 16, tf.nn.relu, trainable=trainable)
            return tf.layers.dense(x, 3, trainable=trainable)

    online, target = values(maker.halved(state, dqn), "online"), values(after, "target", False)
    online = maker.halved(online, dqn)
    wanted = tf.stop_gradient(reward + 0.9 * tf.reduce_max(target, 1))
    taken = tf.gather_nd(online, tf.stack([tf.range(tf.size(action)), action], 1))
    loss = tf.losses.huber_loss(wanted, taken) + 0.01 * maker.total(online)
    return (
        loss,
        [state, after, action, reward],
        lambda r: [r.randn(5, 4), r.randn(5, 4), r.randint(0, 3, 5), r.rand(5)],
    )


def pinn(maker, tf):
    x = tf.placeholder(tf.float32, [None, 1], name="x")
    t = tf.placeholder(tf.float32, [None, 1], name="t")
    net = tf.layers.dense(tf.concat([x, t], 1), 16, tf.nn.tanh)
    u = maker.halved(tf.layers.dense(net, 1), pinn)
    u_x, u_t = tf.gradients(u, [x, t])
    u_xx = tf.gradients(u_x, x)[0]
    residual = u_t + u * u_x - 0.01 * u_xx
    loss = tf.reduce_mean(tf.square(residual)) + tf.reduce_mean(tf.square(u + tf.sin(3.0 * x)))
    return loss + 0.01 * maker.total(net), [x, t], lambda r: [r.rand(9, 1), r.rand(9, 1)]


def vae(maker, tf):
    images = tf.placeholder(tf.float32, [None, 12], name="images")
    hidden = tf.layers.dense(images, 16, tf.nn.relu)
    mean, log_var = tf.split(maker.halved(tf.layers.dense(hidden, 6), vae), 2, axis=1)
    code = mean + tf.exp(0.5 * log_var) * tf.random_normal(tf.shape(mean))
    logits = tf.layers.dense(tf.layers.dense(code, 16, tf.nn.relu), 12)
    cross = tf.nn.sigmoid_cross_entropy_with_logits(labels=images, logits=logits)
    loss = tf.reduce_mean(tf.reduce_sum(cross, 1)) + maker.total(mean)
    loss -= 0.5 * tf.reduce_mean(1.0 + log_var - tf.square(mean) - tf.exp(log_var))
    return loss, [images], lambda r: [r.rand(5, 12)]


def bert(maker, tf):
    ids = tf.placeholder(tf.int32, [2, 6], name="ids")
    mask = tf.placeholder(tf.float32, [2, 6], name="mask")
    x = tf.nn.embedding_lookup(tf.get_variable("words", [20, 8]), ids)
    x = tf.contrib.layers.layer_norm(x + tf.get_variable("places", [6, 8]), begin_norm_axis=-1)
    q, k, v = [
        tf.transpose(tf.reshape(tf.layers.dense(x, 8, name=n), [2, 6, 2, 4]), [0, 2, 1, 3])
        for n in ("query", "key", "value")
    ]
    scores = tf.matmul(q, k, transpose_b=True) / 2.0 + (mask[:, None, None, :] - 1.0) * 1e4
    weights = tf.nn.dropout(tf.nn.softmax(scores), 0.9)
    x += tf.layers.dense(
        tf.reshape(tf.transpose(tf.matmul(weights, v), [0, 2, 1, 3]), [2, 6, 8]), 8
    )
    x = tf.contrib.layers.layer_norm(maker.halved(x, bert), begin_norm_axis=-1)
    inner = tf.layers.dense(x, 16)
    inner *= 0.5 * (1.0 + tf.erf(inner / np.sqrt(2.0).astype(np.float32)))
    pooled = tf.layers.dense((x + tf.layers.dense(inner, 8))[:, 0], 2)
    loss = tf.reduce_mean(
        tf.nn.softmax_cross_entropy_with_logits_v2(
            labels=tf.one_hot(ids[:, 0] % 2, 2), logits=pooled
        )
    )
    return (
        loss + 0.01 * maker.total(pooled),
        [ids, mask],
        lambda r: [r.randint(0, 20, (2, 6)), (r.rand(2, 6) < 0.8)],
    )


def word2vec(maker, tf):
    words = tf.placeholder(tf.int32, [None], name="words")
    context = tf.placeholder(tf.int64, [None, 1], name="context")
    table = tf.Variable(tf.random_uniform([30, 8], -1.0, 1.0))
    embedded = maker.halved(tf.nn.embedding_lookup(table, words), word2vec)
    weights, biases = tf.Variable(tf.truncated_normal([30, 8])), tf.Variable(tf.zeros([30]))
    loss = tf.reduce_mean(tf.nn.nce_loss(weights, biases, context, embedded, 4, 30))
    return (
        loss + 0.01 * maker.total(embedded),
        [words, context],
        lambda r: [r.randint(0, 30, 6), r.randint(0, 30, (6, 1))],
    )


def unet(maker, tf):
    images = tf.placeholder(tf.float32, [None, 8, 8, 1], name="images")
    masks = tf.placeholder(tf.float32, [None, 8, 8, 1], name="masks")
    first = tf.layers.conv2d(images, 4, 3, padding="same", activation=tf.nn.relu)
    low = tf.layers.conv2d(tf.layers.max_pooling2d(first, 2, 2), 8, 3, padding="same")
    low = maker.halved(tf.nn.elu(low), unet)
    high = tf.image.resize_nearest_neighbor(low, [8, 8])
    logits = tf.layers.conv2d(tf.concat([first, high], 3), 1, 3, padding="same")
    share = tf.sigmoid(logits)
    dice = 2.0 * tf.reduce_sum(share * masks) / (tf.reduce_sum(share + masks) + 1.0)
    return (
        1.0 - dice + 0.01 * maker.total(low),
        [images, masks],
        lambda r: [r.rand(2, 8, 8, 1), r.rand(2, 8, 8, 1) < 0.5],
    )


def policy_gradient(maker, tf):
    state = tf.placeholder(tf.float32, [None, 4], name="state")
    action = tf.placeholder(tf.int32, [None], name="action")
    advantage = tf.placeholder(tf.float32, [None], name="advantage")
    hidden = maker.halved(tf.layers.dense(state, 16, tf.nn.tanh), policy_gradient)
    logits = tf.layers.dense(hidden, 3)
    cost = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=action, logits=logits)
    entropy = -tf.reduce_mean(tf.reduce_sum(tf.nn.softmax(logits) * tf.nn.log_softmax(logits), 1))
    loss = tf.reduce_mean(cost * advantage) - 0.01 * entropy + 0.01 * maker.total(hidden)
    return (
        loss,
        [state, action, advantage],
        lambda r: [r.randn(6, 4), r.randint(0, 3, 6), r.randn(6)],
    )


PROGRAMS = [resnet, seq2seq, dcgan, dqn, pinn, vae, bert, word2vec, unet, policy_gradient]
