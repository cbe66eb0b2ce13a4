"""Deep Q-learning with a target network and a replay memory (Mnih et al., 2015).

The agent learns to leave a maze of 5 x 5 cells. The environment is played with a policy that does
not depend on the net, so that the curve of the loss can be compared.

    python -m tf1compat examples/dqn.py
"""

from __future__ import absolute_import, division, print_function

import os
import time

import numpy as np
import tensorflow as tf

steps = int(os.environ.get("STEPS", 2000))
batch_size, discount, copy_every = 32, 0.9, 25
size, goal, walls = 5, (4, 4), {(1, 1), (1, 2), (1, 3), (3, 1), (3, 3), (3, 4)}
moves = [(-1, 0), (1, 0), (0, -1), (0, 1)]


def play(cell, action):
    """(next cell, reward, whether the maze is left)."""
    row, column = cell[0] + moves[action][0], cell[1] + moves[action][1]
    if not (0 <= row < size and 0 <= column < size) or (row, column) in walls:
        return cell, -0.1, False
    return (row, column), 1.0 if (row, column) == goal else 0.0, (row, column) == goal


def observed(cells):
    return np.eye(size * size, dtype=np.float32)[[row * size + column for row, column in cells]]


def q_network(observations, scope):
    with tf.variable_scope(scope):
        net = tf.layers.dense(observations, 64, activation=tf.nn.relu)
        value = tf.layers.dense(tf.layers.dense(net, 32, tf.nn.relu), 1)
        advantage = tf.layers.dense(tf.layers.dense(net, 32, tf.nn.relu), len(moves))
        return value + advantage - tf.reduce_mean(advantage, axis=1, keepdims=True)


tf.set_random_seed(21)
before = tf.placeholder(tf.float32, [None, size * size], name="before")
after = tf.placeholder(tf.float32, [None, size * size], name="after")
actions = tf.placeholder(tf.int32, [None], name="actions")
rewards = tf.placeholder(tf.float32, [None], name="rewards")
done = tf.placeholder(tf.float32, [None], name="done")

q = q_network(before, "online")
with tf.variable_scope("", reuse=True):
    q_choice = q_network(after, "online")
q_target = q_network(after, "target")
best = tf.one_hot(tf.argmax(q_choice, axis=1), len(moves))  # double Q-learning
bootstrap = tf.reduce_sum(q_target * best, axis=1)
targets = tf.stop_gradient(rewards + discount * (1.0 - done) * bootstrap)
chosen = tf.reduce_sum(q * tf.one_hot(actions, len(moves)), axis=1)
errors = targets - chosen
loss = tf.reduce_mean(tf.where(tf.abs(errors) < 1, 0.5 * tf.square(errors), tf.abs(errors) - 0.5))

online = tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope="online")
target = tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES, scope="target")
copy_op = tf.group(*[tf.assign(t, o) for t, o in zip(target, online)])
optimizer = tf.train.RMSPropOptimizer(1e-3, decay=0.95, epsilon=1e-5)
gradients = optimizer.compute_gradients(loss, var_list=online)
clipped = [
    (tf.clip_by_norm(gradient, 10.0), v) for gradient, v in gradients if gradient is not None
]
train_op = optimizer.apply_gradients(clipped)

rng = np.random.RandomState(21)
memory, cell = [], (0, 0)
free = [cell for cell in np.ndindex(size, size) if cell not in walls]
while len(memory) < 2000:
    action = rng.randint(len(moves))
    following, reward, left = play(cell, action)
    memory.append((cell, action, reward, following, left))
    cell = free[rng.randint(len(free))] if left or rng.rand() < 0.1 else following

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(copy_op)
    clock = None
    for step in range(1, steps + 1):
        cells, acts, gains, nexts, ends = zip(*[memory[i] for i in rng.randint(2000, size=32)])
        feed = {before: observed(cells), after: observed(nexts)}
        feed.update({actions: acts, rewards: gains, done: np.float32(ends)})
        _, value = sess.run([train_op, loss], feed)
        if step % copy_every == 0:
            sess.run(copy_op)
        if step == 2:
            clock = time.time()  # the first steps compile
        if step in (1, 2, 5) or step % max(steps // 10, 1) == 0:
            mean_q = sess.run(q, {before: observed([(0, 0), (4, 2)])}).max(axis=1)
            print(
                "step %4d  loss %.5f  Q at the start %.3f, near the goal %.3f"
                % ((step, value) + tuple(mean_q))
            )
    seconds = time.time() - clock
    policy = dict(zip(free, sess.run(tf.argmax(q, axis=1), {before: observed(free)})))

cell, path = (0, 0), [(0, 0)]
while cell != goal and len(path) < 20:
    cell = play(cell, policy[cell])[0]
    path.append(cell)
print("from the start to the goal in %d moves" % (len(path) - 1))
print("%.1f steps/s" % ((steps - 2) / seconds))
