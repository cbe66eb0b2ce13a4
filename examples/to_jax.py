"""The way out of TensorFlow 1: a trained graph as a pure JAX function.

This one needs tf1compat itself (there is no JAX in TensorFlow 1):

    python -m tf1compat examples/to_jax.py
"""

import os

import jax
import jax.numpy as jnp
import numpy as np
import tensorflow as tf

from tf1compat.migrate import to_jax

steps = int(os.environ.get("STEPS", 300))

# A TensorFlow 1 program, trained by TensorFlow 1 code: learn y = sin(3 x).
tf.set_random_seed(0)
x = tf.placeholder(tf.float32, [None, 1], name="x")
y = tf.placeholder(tf.float32, [None, 1], name="y")
hidden = tf.layers.dense(x, 32, activation=tf.nn.tanh, name="hidden")
prediction = tf.layers.dense(hidden, 1, name="prediction")
loss = tf.reduce_mean(tf.square(prediction - y))
slope = tf.gradients(prediction, x)[0]
train_op = tf.train.AdamOptimizer(0.02).minimize(loss)

xs = np.linspace(-1, 1, 64, dtype=np.float32)[:, np.newaxis]
ys = np.sin(3 * xs)
sess = tf.Session()
sess.run(tf.global_variables_initializer())
for _ in range(steps):
    sess.run(train_op, {x: xs, y: ys})
tf_prediction, tf_slope, tf_loss = sess.run([prediction, slope, loss], {x: xs, y: ys})
print(f"trained by TensorFlow 1 code: loss {tf_loss:.6f}")

# The same graph as JAX functions: fn(params, *inputs), params a dict of arrays by variable name.
predict, params = to_jax(prediction, [x], session=sess)
for name, value in sorted(params.items()):
    print(f"  {name:20} {value.dtype} {value.shape}")

difference = np.abs(jax.jit(predict)(params, xs) - tf_prediction).max()
print(f"largest difference, prediction: {difference:.1e}")

point_slope = jax.grad(lambda point: predict(params, point[None, None])[0, 0])
difference = np.abs(jax.vmap(point_slope)(jnp.asarray(xs[:, 0])) - tf_slope[:, 0]).max()
print(f"largest difference, jax.vmap(jax.grad(...)) and tf.gradients: {difference:.1e}")

# Training goes on in JAX, from the weights that TensorFlow 1 code left.
loss_fn, params = to_jax(loss, [x, y], session=sess)


@jax.jit
def step(params):
    value, grads = jax.value_and_grad(loss_fn)(params, xs, ys)
    return value, jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)


for _ in range(steps):
    value, params = step(params)
print(f"trained further by jax.grad:  loss {value:.6f}")
