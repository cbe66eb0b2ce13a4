"""Loops that are TensorFlow's own: Keras's, an Estimator's. Recorded under TensorFlow 1.15.5.

The recording is made by

    python tf1compat/migrate/recorder.py -o tests/migrate/recorded_loops.tfrec \
        tests/migrate/recorded_loops.py
"""

import tempfile

import numpy as np
import tensorflow as tf

tf.logging.set_verbosity(tf.logging.ERROR)
random = np.random.RandomState(0)
x, y = random.rand(32, 6).astype("float32"), random.randint(0, 3, 32)

tf.set_random_seed(4)
model = tf.keras.Sequential(
    [
        tf.keras.layers.Dense(8, activation="relu", input_shape=(6,)),
        tf.keras.layers.Dropout(0.2),
        tf.keras.layers.Dense(3, activation="softmax"),
    ]
)
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(x, y, batch_size=8, epochs=2, shuffle=False, verbose=0)
model.train_on_batch(x[:8], y[:8])
model.evaluate(x, y, verbose=0)


def model_fn(features, labels, mode):
    logits = tf.layers.dense(tf.layers.dense(features, 8, tf.nn.relu), 3)
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    train = tf.train.AdamOptimizer(0.01).minimize(loss, tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train)


def input_fn():
    return tf.data.Dataset.from_tensor_slices((x, y)).repeat().batch(8)


config = tf.estimator.RunConfig(tempfile.mkdtemp(), tf_random_seed=3)
estimator = tf.estimator.Estimator(model_fn, config=config)
estimator.train(input_fn, steps=5)
estimator.evaluate(input_fn, steps=2)
