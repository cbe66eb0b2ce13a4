"""tf.losses, with weights and reductions, and the learning-rate schedules."""

import numpy as np


def build(tf):
    tf.set_random_seed(31)
    x = tf.placeholder(tf.float32, [6, 4], name="x")
    ids = tf.placeholder(tf.int32, [6], name="ids")
    logits = tf.layers.dense(x, 3, name="logits")
    weights = tf.constant([1.0, 0.5, 0.0, 2.0, 1.0, 1.0])
    onehot = tf.one_hot(ids, 3)
    tf.losses.sparse_softmax_cross_entropy(ids, logits)
    tf.losses.softmax_cross_entropy(onehot, logits, weights=weights, label_smoothing=0.1)
    tf.losses.sigmoid_cross_entropy(onehot, logits, weights=0.5)
    tf.losses.mean_squared_error(onehot, tf.nn.softmax(logits), weights=weights[:, None])
    tf.losses.absolute_difference(onehot, logits, reduction=tf.losses.Reduction.MEAN)
    tf.losses.huber_loss(onehot, logits, delta=0.5)
    tf.losses.log_loss(onehot, tf.nn.sigmoid(logits))
    tf.losses.hinge_loss(onehot, logits)
    tf.losses.cosine_distance(
        tf.nn.l2_normalize(x[:, :3], 1), tf.nn.l2_normalize(logits, 1), axis=1
    )
    tf.losses.mean_pairwise_squared_error(onehot, logits)
    each = tf.losses.absolute_difference(onehot, logits, reduction="none", loss_collection=None)
    tf.losses.add_loss(tf.reduce_mean(each, name="extra"))
    loss = tf.losses.get_total_loss()
    step = tf.train.create_global_step()
    rates = {
        "polynomial": tf.train.polynomial_decay(0.1, step, 10, 0.01, power=2.0, cycle=True),
        "piecewise": tf.train.piecewise_constant(step, [5, 15], [0.1, 0.05, 0.01]),
        "inverse": tf.train.inverse_time_decay(0.1, step, 5, 0.5),
        "cosine": tf.train.cosine_decay(0.1, step, 25),
        "natural": tf.train.natural_exp_decay(0.1, step, 10, 0.96),
    }
    train = tf.train.AdamOptimizer(rates["piecewise"]).minimize(loss, step)

    def feeds(step):
        rng = np.random.RandomState(step)
        return {x: rng.randn(6, 4), ids: rng.randint(3, size=6)}

    return {
        "init": tf.global_variables_initializer(),
        "train": train,
        "loss": loss,
        "feeds": feeds,
        "fetch": dict(rates, losses=tf.losses.get_losses(), logits=logits),
    }
