"""Keras layers learn to add: sums are read as texts, "7+85", and the result is written, "92".

python -m tf1compat examples/keras_additions.py
"""

from __future__ import absolute_import, division, print_function

import os

import numpy as np
import tensorflow as tf
from tensorflow.keras import Sequential, layers

tf.logging.set_verbosity(tf.logging.ERROR)
tf.set_random_seed(2)
numbers = np.random.RandomState(2)

epochs = int(os.environ.get("EPOCHS", 48))
SIGNS = " +0123456789"  # the first one fills up; the layers skip it
LENGTH, DIGITS = 5, 3


def coded(texts, length):
    """Texts as rows of numbers."""
    return np.array([[SIGNS.index(sign) for sign in text.ljust(length)] for text in texts])


def text(row):
    return "".join(SIGNS[i] for i in row).strip()


pairs = numbers.permutation(10000)[:3000]
questions = ["%d+%d" % divmod(pair, 100) for pair in pairs]
answers = ["%d" % (pair // 100 + pair % 100) for pair in pairs]
x, y = coded(questions, LENGTH), coded(answers, DIGITS)[:, :, np.newaxis]

model = Sequential(
    [
        layers.Embedding(len(SIGNS), 8, mask_zero=True, input_length=LENGTH),
        layers.Bidirectional(layers.LSTM(48)),
        layers.RepeatVector(DIGITS),
        layers.GRU(48, return_sequences=True, reset_after=True),
        layers.TimeDistributed(layers.Dense(len(SIGNS), activation="softmax")),
    ]
)

model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.summary()

rate = tf.keras.callbacks.LearningRateScheduler(lambda epoch: 0.006 * 0.98**epoch)
for epoch in range(0, epochs, 2):
    history = model.fit(
        x[300:],
        y[300:],
        batch_size=100,
        initial_epoch=epoch,
        epochs=epoch + 2,
        callbacks=[rate],
        shuffle=False,
        verbose=0,
    ).history
    loss, share = model.evaluate(x[:300], y[:300], verbose=0)
    print(
        "epoch %3d   loss %.4f   of sums never seen: loss %.4f, digits right %.3f"
        % (epoch + 2, history["loss"][-1], loss, share)
    )
for row, answer in zip(x[:5], model.predict(x[:5]).argmax(axis=-1)):
    print("%5s = %s" % (text(row), text(answer)))
