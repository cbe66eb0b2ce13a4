"""Every optimiser on dense and on sparse gradients, for both kinds of variables."""

import numpy as np

OPTIMIZERS = {
    "sgd": lambda tf: tf.train.GradientDescentOptimizer(0.1),
    "momentum": lambda tf: tf.train.MomentumOptimizer(0.05, 0.9),
    "nesterov": lambda tf: tf.train.MomentumOptimizer(0.05, 0.9, use_nesterov=True),
    "adam": lambda tf: tf.train.AdamOptimizer(0.05),
    "rmsprop": lambda tf: tf.train.RMSPropOptimizer(0.01, decay=0.95, momentum=0.5),
    "centered": lambda tf: tf.train.RMSPropOptimizer(0.01, centered=True),
    "adagrad": lambda tf: tf.train.AdagradOptimizer(0.1),
    "adadelta": lambda tf: tf.train.AdadeltaOptimizer(1.0),
    "ftrl": lambda tf: tf.train.FtrlOptimizer(
        0.1, l1_regularization_strength=0.01, l2_regularization_strength=0.01
    ),
    "proximal_sgd": lambda tf: tf.train.ProximalGradientDescentOptimizer(
        0.1, l1_regularization_strength=0.01
    ),
    "proximal_adagrad": lambda tf: tf.train.ProximalAdagradOptimizer(
        0.1, l2_regularization_strength=0.01
    ),
    "adagrad_da": lambda tf: tf.train.AdagradDAOptimizer(0.1, tf.train.get_global_step()),
}
_EVERYDAY = ("sgd", "momentum", "adam", "rmsprop", "adagrad")

CASES = {}
for _model in ("dense", "sparse"):
    for _name in OPTIMIZERS:
        CASES[_model + "-" + _name] = {"model": _model, "optimizer": _name, "resource": False}
    for _name in _EVERYDAY:
        CASES[_model + "-resource-" + _name] = {
            "model": _model,
            "optimizer": _name,
            "resource": True,
        }


def dense(tf):
    """A two-layer regression."""
    x = tf.placeholder(tf.float32, [None, 4], name="x")
    w1 = tf.get_variable("w1", [4, 5], initializer=tf.random_normal_initializer(stddev=0.5))
    w2 = tf.get_variable("w2", [5, 1], initializer=tf.random_normal_initializer(stddev=0.5))
    b = tf.get_variable("b", [1], initializer=tf.zeros_initializer())
    y = tf.matmul(tf.tanh(tf.matmul(x, w1)), w2) + b
    loss = tf.reduce_mean(tf.square(y - x[:, :1]))
    return loss, lambda step: {x: np.random.RandomState(step).randn(6, 4)}


def sparse(tf):
    """A bag of words: rows gathered, with repeated indices, twice from one table and once more."""
    ids = tf.placeholder(tf.int32, [None], name="ids")
    table = tf.get_variable("table", [9, 3], initializer=tf.random_uniform_initializer(-1, 1))
    bias = tf.get_variable("bias", [9], initializer=tf.constant_initializer(0.5))
    rows = tf.nn.embedding_lookup(table, ids)
    shifted = tf.gather(table, (ids + 1) % 9)
    offsets = tf.gather(bias, ids)
    loss = tf.reduce_mean(tf.square(tf.reduce_sum(rows * shifted, 1) + offsets - 1.0))
    return loss, lambda step: {ids: np.random.RandomState(step).choice([0, 1, 1, 3, 4, 7], 6)}


def build(tf, model, optimizer, resource):
    tf.set_random_seed(17)
    with tf.variable_scope("model", use_resource=resource):
        loss, feeds = {"dense": dense, "sparse": sparse}[model](tf)
    step = tf.train.get_or_create_global_step()
    optimizer = OPTIMIZERS[optimizer](tf)
    train = optimizer.minimize(loss, global_step=step)
    slots = [
        optimizer.get_slot(v, name)
        for v in tf.trainable_variables()
        for name in optimizer.get_slot_names()
    ]
    fetch = {"step": step, "variables": tf.trainable_variables()}
    if slots:
        fetch["slots"] = [slot for slot in slots if slot is not None]
    return {
        "init": tf.global_variables_initializer(),
        "train": train,
        "loss": loss,
        "feeds": feeds,
        "fetch": fetch,
    }
