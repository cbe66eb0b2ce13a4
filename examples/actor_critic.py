"""Advantage actor-critic with an entropy bonus (Mnih et al., 2016) on a row of signs.

An episode shows ten signs, and the agent names the one that it saw two steps before: the policy and
the value share a body, the gradients are clipped together, and actions are drawn in the graph.

    python -m tf1compat examples/actor_critic.py
"""

from __future__ import absolute_import, division, print_function

import os
import time

import numpy as np
import tensorflow as tf

steps = int(os.environ.get("STEPS", 600))
environments, length, signs, discount = 16, 10, 3, 0.5
value_weight, entropy_weight, max_norm = 0.5, 0.02, 0.5


def episodes(rng):
    """Signs [environments, length + 2] and what the agent sees of them: the last three."""
    drawn = rng.randint(signs, size=[environments, length + 2])
    one_hot = np.eye(signs, dtype=np.float32)[drawn]
    seen = np.concatenate([one_hot[:, :-2], one_hot[:, 1:-1], one_hot[:, 2:]], axis=-1)
    return drawn[:, :-2], seen


def discounted(rewards):
    returns, last = np.zeros_like(rewards), np.zeros(environments, np.float32)
    for i in reversed(range(length)):
        last = rewards[:, i] + discount * last
        returns[:, i] = last
    return returns


tf.set_random_seed(33)
states = tf.placeholder(tf.float32, [None, 3 * signs], name="states")
taken = tf.placeholder(tf.int32, [None], name="taken")
returns = tf.placeholder(tf.float32, [None], name="returns")

body = tf.layers.dense(
    states, 32, tf.tanh, kernel_initializer=tf.orthogonal_initializer(np.sqrt(2)), name="body"
)
logits = tf.layers.dense(body, signs, kernel_initializer=tf.orthogonal_initializer(0.01), name="pi")
value = tf.layers.dense(body, 1, kernel_initializer=tf.orthogonal_initializer(), name="v")[:, 0]
sampled = tf.squeeze(tf.multinomial(logits, 1), axis=1)

probabilities = tf.nn.softmax(logits)
entropy = -tf.reduce_mean(tf.reduce_sum(probabilities * tf.nn.log_softmax(logits), axis=1))
advantages = returns - value
log_likelihood = -tf.nn.sparse_softmax_cross_entropy_with_logits(labels=taken, logits=logits)
policy_loss = -tf.reduce_mean(log_likelihood * tf.stop_gradient(advantages))
value_loss = tf.reduce_mean(tf.square(advantages))
loss = policy_loss + value_weight * value_loss - entropy_weight * entropy

global_step = tf.train.get_or_create_global_step()
rate = tf.train.polynomial_decay(7e-3, global_step, steps, 1e-3)
optimizer = tf.train.RMSPropOptimizer(rate, decay=0.99, epsilon=1e-5)
variables = tf.trainable_variables()
gradients, norm = tf.clip_by_global_norm(tf.gradients(loss, variables), max_norm)
train_op = optimizer.apply_gradients(zip(gradients, variables), global_step=global_step)

rng = np.random.RandomState(33)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    clock = None
    for step in range(1, steps + 1):
        wanted, seen = episodes(rng)
        flat = seen.reshape(-1, 3 * signs)
        acts = sess.run(sampled, {states: flat})
        rewards = (acts.reshape(environments, length) == wanted).astype(np.float32)
        feed = {states: flat, taken: acts, returns: discounted(rewards).ravel()}
        _, total, parts = sess.run([train_op, loss, [value_loss, entropy]], feed)
        if step == 2:
            clock = time.time()  # the first steps compile
        if step in (1, 2, 5) or step % max(steps // 10, 1) == 0:
            print(
                "step %4d  reward %.3f  loss %.4f  value loss %.4f  entropy %.4f"
                % ((step, rewards.mean(), total) + tuple(parts))
            )
    seconds = time.time() - clock
print("%.1f steps/s" % ((steps - 2) / seconds))
