"""A physics-informed net that solves Burgers' equation (Raissi et al., 2017).

u_t + u u_x = (0.01 / pi) u_xx, u(0, x) = -sin(pi x), u(t, -1) = u(t, 1) = 0: the net u(t, x) is
trained on the residual of the equation, a function of `tf.gradients` of `tf.gradients`; first with
Adam, then with SciPy's L-BFGS-B.

    python -m tf1compat examples/physics_informed.py
"""

from __future__ import absolute_import, division, print_function

import os
import time

import numpy as np
import tensorflow as tf

steps = int(os.environ.get("STEPS", 500))
quasi_newton_steps = int(os.environ.get("LBFGS_STEPS", 400))
viscosity = 0.01 / np.pi
layers = [2, 20, 20, 20, 20, 1]

rng = np.random.RandomState(1234)


def sample(n):
    """Points inside, and points on the edges with the values that the solution has there."""
    inside = np.stack([rng.uniform(0, 1, n), rng.uniform(-1, 1, n)], axis=1)
    start = np.stack([np.zeros(100), np.linspace(-1, 1, 100)], axis=1)
    sides = np.stack([rng.uniform(0, 1, 100), rng.choice([-1.0, 1.0], 100)], axis=1)
    values = np.concatenate([-np.sin(np.pi * start[:, 1:]), np.zeros((100, 1))])
    return inside, np.concatenate([start, sides]), values


def xavier(size):
    deviation = np.sqrt(2.0 / (size[0] + size[1]))
    return tf.Variable(tf.truncated_normal(size, stddev=deviation), dtype=tf.float32)


class BurgersNet(object):
    def __init__(self):
        self.weights = [xavier(pair) for pair in zip(layers[:-1], layers[1:])]
        self.biases = [tf.Variable(tf.zeros([1, n]), dtype=tf.float32) for n in layers[1:]]

    def solution(self, t, x):
        h = 2.0 * tf.concat([t, (x + 1.0) / 2.0], 1) - 1.0
        for w, b in zip(self.weights[:-1], self.biases[:-1]):
            h = tf.tanh(tf.add(tf.matmul(h, w), b))
        return tf.add(tf.matmul(h, self.weights[-1]), self.biases[-1])

    def residual(self, t, x):
        u = self.solution(t, x)
        u_t = tf.gradients(u, t)[0]
        u_x = tf.gradients(u, x)[0]
        u_xx = tf.gradients(u_x, x)[0]
        return u_t + u * u_x - viscosity * u_xx


tf.set_random_seed(1234)
net = BurgersNet()
inside, edge, edge_values = sample(1000)
t_in, x_in, t_edge, x_edge, u_edge = [tf.placeholder(tf.float32, [None, 1]) for _ in range(5)]
equation_loss = tf.reduce_mean(tf.square(net.residual(t_in, x_in)))
edge_loss = tf.reduce_mean(tf.square(u_edge - net.solution(t_edge, x_edge)))
loss = equation_loss + edge_loss

train_op = tf.train.AdamOptimizer(2e-3).minimize(loss)
quasi_newton = tf.contrib.opt.ScipyOptimizerInterface(
    loss,
    method="L-BFGS-B",
    options={
        "maxiter": quasi_newton_steps,
        "maxfun": 2 * quasi_newton_steps,
        "maxcor": 50,
        "maxls": 50,
        "ftol": 1.0 * np.finfo(float).eps,
    },
)

feed = {
    t_in: inside[:, :1],
    x_in: inside[:, 1:],
    t_edge: edge[:, :1],
    x_edge: edge[:, 1:],
    u_edge: edge_values,
}
evaluations = []
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    clock = None
    for step in range(1, steps + 1):
        _, value, parts = sess.run([train_op, loss, [equation_loss, edge_loss]], feed)
        if step == 2:
            clock = time.time()  # the first steps compile
        if step in (1, 2, 5) or step % max(steps // 5, 1) == 0:
            print(
                "Adam step %4d  loss %.5f  equation %.5f  edge %.5f"
                % ((step, value) + tuple(parts))
            )
    seconds = time.time() - clock
    quasi_newton.minimize(
        sess, feed_dict=feed, fetches=[loss], loss_callback=lambda v: evaluations.append(float(v))
    )
    print("L-BFGS-B  loss %.5f -> below %.5f" % (evaluations[0], 2 * min(evaluations)))
    u = sess.run(
        net.solution(t_in, x_in), {t_in: np.full([9, 1], 0.5), x_in: np.linspace(-1, 1, 9)[:, None]}
    )
print("u(0.5, x): " + " ".join("%.1f" % abs(v) for v in u[:, 0]))
print("%.1f steps/s" % ((steps - 2) / seconds))
