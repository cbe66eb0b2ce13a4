"""Eager variables of one name have slots of their own."""

import numpy as np
import tensorflow as tf

tf.enable_eager_execution()

for cls in (tf.keras.optimizers.RMSprop, tf.keras.optimizers.Adam, tf.keras.optimizers.Adagrad):
    first = tf.Variable(np.ones([2, 3], "float32"), name="w")
    second = tf.Variable(np.ones([3, 4], "float32"), name="w")
    alike = tf.Variable(np.ones([2, 3], "float32"), name="w")
    optimizer = cls(0.1)
    for scale in (1.0, 3.0):
        optimizer.apply_gradients(
            [(scale * tf.ones(v.shape), v) for v in (first, second)]
            + [(-5.0 * tf.ones([2, 3]), alike)]
        )
    print([(slot.name, slot.shape.as_list()) for slot in optimizer.weights])
    print([np.round(v.numpy()[0, 0], 5) for v in (first, second, alike)])
    print([optimizer.get_slot_names()])
