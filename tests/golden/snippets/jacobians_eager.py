"""Jacobians of what a tape recorded, computed at once."""

import tensorflow as tf

tf.enable_eager_execution()
x, w = tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.Variable([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
for persistent in (True, False):
    for pfor in (True, False):
        with tf.GradientTape(persistent=persistent) as tape:
            tape.watch(x)
            y = tf.tanh(tf.matmul(x, w) / 10) * x[:, :1]
        try:
            for value in tape.jacobian(y, [x, w], experimental_use_pfor=pfor):
                print(value.shape, value.numpy().round(3).tolist())
            if persistent:
                print(tape.batch_jacobian(y, x, experimental_use_pfor=pfor).numpy().round(3))
        except RuntimeError as error:
            print(error)
