"""`clear_session` forgets the learning phase of eager execution."""

import numpy as np
import tensorflow as tf

tf.enable_eager_execution()
backend = tf.keras.backend
ones = tf.ones((4, 50))
dropout = tf.keras.layers.Dropout(0.5)
call = tf.function(lambda x: dropout(x))


def drops():
    return not np.allclose(dropout(ones), ones), not np.allclose(call(ones), ones)


for phase in (1, 0):
    print(backend.learning_phase(), drops())
    backend.set_learning_phase(phase)
    print(backend.learning_phase(), drops())
    backend.clear_session()
print(backend.learning_phase(), drops())

inputs = tf.keras.Input((3,))
model = tf.keras.Model(inputs, tf.keras.layers.Dense(2)(inputs))
try:
    model.add_metric(tf.constant(0.0), name="metric", aggregation="mean")
except ValueError as error:
    print(error)
