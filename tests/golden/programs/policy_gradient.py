"""A policy gradient: sampled actions, gathered log probabilities, entropy, a target network."""

import numpy as np


def build(tf):
    tf.set_random_seed(97)
    states = tf.placeholder(tf.float32, [None, 4], "states")
    actions = tf.placeholder(tf.int32, (None,), "actions")
    returns = tf.placeholder(tf.float32, [None], name="returns")

    def value(scope, trainable=True):
        with tf.variable_scope(scope):
            hidden = tf.layers.dense(states, 8, tf.nn.relu, trainable=trainable)
            return tf.squeeze(tf.layers.dense(hidden, 1, trainable=trainable), axis=1)

    with tf.variable_scope("policy"):
        hidden = tf.layers.dense(states, 8, activation=tf.tanh)
        logits = tf.layers.dense(hidden, 3, kernel_initializer=tf.random_normal_initializer(0, 0.1))
    baseline, target = value("value"), value("target", trainable=False)
    sampled = tf.squeeze(tf.multinomial(logits, 1), 1)
    log_probs = tf.nn.log_softmax(logits)
    chosen = tf.reduce_sum(tf.one_hot(actions, 3) * log_probs, 1)
    rows = tf.stack([tf.range(tf.shape(actions)[0]), actions], axis=1)
    picked = tf.gather_nd(log_probs, rows)
    advantage = tf.stop_gradient(returns - baseline)
    entropy = -tf.reduce_mean(tf.reduce_sum(tf.exp(log_probs) * log_probs, axis=1))
    policy_loss = -tf.reduce_mean(0.5 * (chosen + picked) * advantage) - 0.01 * entropy
    value_loss = tf.reduce_mean(tf.square(returns + 0.9 * target - baseline))
    loss = policy_loss + 0.5 * value_loss
    train = tf.train.RMSPropOptimizer(0.005, decay=0.99).minimize(loss)
    pairs = zip(tf.global_variables("target"), tf.trainable_variables("value"))
    with tf.control_dependencies([train]):
        sync = tf.group(*[a.assign(0.95 * a + 0.05 * b) for a, b in pairs])

    def feeds(step):
        rng = np.random.RandomState(step)
        return {states: rng.randn(6, 4), actions: rng.randint(3, size=6), returns: rng.randn(6)}

    return {
        "init": tf.global_variables_initializer(),
        "train": sync,
        "loss": loss,
        "feeds": feeds,
        "fetch": {"sampled": sampled, "entropy": entropy},
    }
