"""Jacobians in graphs and at once, recorded as loops."""

import tensorflow as tf
from tensorflow.python.ops.parallel_for import gradients


def net(x, w):
    return tf.tanh(tf.matmul(x, w) / 10) * x[:, :1]


rows, weights = [[1.0, 2.0], [3.0, 4.0]], [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
x, w = tf.constant(rows), tf.constant(weights)
y = net(x, w)
found = gradients.jacobian(y, [x, w], use_pfor=False)
found.append(gradients.batch_jacobian(y, x, use_pfor=False))
fed = tf.placeholder(tf.float32, [None, 2])
found.append(gradients.batch_jacobian(fed * fed, fed, use_pfor=False))
for op in tf.get_default_graph().get_operations()[::7]:
    print(op.name, op.type, [str(t.shape) for t in op.outputs])
found += gradients.jacobian(y, [x, w])
found.append(tf.vectorized_map(lambda row: tf.reduce_sum(row * 2), x))
with tf.GradientTape(persistent=True) as tape:
    tape.watch([x, w])
    y = net(x, w)
found += tape.jacobian(y, [x, w], experimental_use_pfor=False)
found.append(tape.batch_jacobian(y, x))
with tf.Session() as session:
    for tensor, value in zip(found, session.run(found, {fed: rows})):
        print(tensor.shape, value.round(3).tolist())
for mistake in (
    lambda: gradients.batch_jacobian(tf.ones([3, 2]), x),
    lambda: tape.batch_jacobian(tf.ones([3, 2]), x),
):
    try:
        mistake()
    except ValueError as error:
        print(error)
