"""Validation on datasets, also on those whose size nobody knows."""

import numpy as np
import tensorflow as tf

tf.compat.v1.enable_v2_behavior()
tf.compat.v2.random.set_seed(2)

x, y = np.ones([6, 4], "f"), np.arange(6, dtype="f")[:, None]
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(4,))])
model.compile("sgd", "mse")
known = tf.data.Dataset.from_tensor_slices((x, y)).batch(4)
unknown = tf.data.Dataset.from_generator(
    lambda: iter(zip(x, y)), (tf.float32, tf.float32), ([4], [1])
).batch(4)
for name, train, validation in [
    ("known", (known,), known),
    ("unknown validation", (known,), unknown),
    ("unknown", (unknown,), unknown),
    ("unknown training", (unknown,), known),
    ("arrays", (x, y), unknown),
]:
    history = model.fit(*train, epochs=2, validation_data=validation, verbose=0).history
    print(name, {key: [round(float(v), 4) for v in history[key]] for key in sorted(history)})
