"""Loops, arrays and random numbers inside of parallel loops."""

import numpy as np
import tensorflow as tf
from tensorflow.python.ops.parallel_for import control_flow_ops as parallel

x = tf.constant(np.arange(24, dtype=np.float32).reshape(3, 2, 4))
steps = tf.constant(np.random.RandomState(0).rand(3, 2, 4, 5).astype(np.float32))
cell = tf.nn.rnn_cell.BasicLSTMCell(3)
tf.nn.dynamic_rnn(cell, steps[0], dtype=tf.float32)


def row(i):
    return tf.gather(x, i)


def written(i):
    array, value = tf.TensorArray(tf.float32, 3), row(i)
    loop = tf.while_loop(
        lambda j, _: j < 3, lambda j, made: (j + 1, made.write(j, value * 2)), [0, array]
    )
    return loop[1].stack()


def read(turns):
    def body(i):
        array = tf.TensorArray(tf.float32, 3, clear_after_read=False).unstack(row(i)[0, :3])
        return tf.while_loop(
            lambda j, _: j < turns(i), lambda j, total: (j + 1, total + array.read(j)), [0, 0.0]
        )[1]

    return body


def unrolled(lengths):
    def body(i):
        outputs, state = tf.nn.dynamic_rnn(
            cell, tf.gather(steps, i), dtype=tf.float32, sequence_length=lengths
        )
        return [tf.reduce_sum(outputs, 1), *state]

    return body


BODIES = {
    "written": written,
    "read as often": read(lambda i: 3),
    "read in turns of its own": read(lambda i: i),
    "map_fn": lambda i: tf.map_fn(lambda element: element * 2, row(i)),
    "scan": lambda i: tf.scan(lambda a, b: a + b, row(i)),
    "foldl": lambda i: tf.foldl(lambda a, b: a + b, row(i)),
    "recurrence": unrolled(None),
    "recurrence with lengths": unrolled([3, 4]),
    "gamma": lambda i: tf.shape(tf.random.gamma([2], row(i) + 1)),
}
for name, body in BODIES.items():
    made = parallel.pfor(body, 3)
    with tf.Session() as session:
        session.run([variable.initializer for variable in tf.global_variables()])
        for variable in tf.global_variables():
            session.run(variable.assign(tf.fill(variable.shape, 0.1)))
        values = session.run(made)
    for value in values if isinstance(values, list) else [values]:
        print(name, value.shape, np.round(np.ravel(value)[:6], 4).tolist())
