"""Trains a classifier of handwritten digits with eager execution: a Keras model, a tape, a loop.

python -m tf1compat examples/eager_digits.py
"""

from __future__ import absolute_import, division, print_function

import os

import numpy as np
import tensorflow as tf

tf.enable_eager_execution()
tf.set_random_seed(1)

epochs = int(os.environ.get("EPOCHS", 8))
folder = os.path.dirname(os.path.abspath(__file__))
data = np.load(os.path.join(folder, "data", "digits.npz"))


def images_and_labels(part):
    images = data["x_" + part].reshape(-1, 64) / 16.0
    return images.astype(np.float32), data["y_" + part].astype(np.int64)


train = tf.data.Dataset.from_tensor_slices(images_and_labels("train")).batch(96)


class Classifier(tf.keras.Model):
    def __init__(self):
        super(Classifier, self).__init__()
        self.hidden = tf.keras.layers.Dense(48, activation="relu")
        self.norm = tf.keras.layers.BatchNormalization()
        self.logits = tf.keras.layers.Dense(10)

    def call(self, inputs, training=False):
        return self.logits(self.norm(self.hidden(inputs), training=training))


model = Classifier()
optimizer = tf.train.AdamOptimizer(0.01)
global_step = tf.train.get_or_create_global_step()
mean_loss = tf.keras.metrics.Mean()
accuracy = tf.keras.metrics.SparseCategoricalAccuracy()


def loss_of(x, y):
    logits = model(x, training=True)
    accuracy(y, logits)
    return tf.losses.sparse_softmax_cross_entropy(y, logits)


for epoch in range(epochs):
    for x, y in train:
        with tf.GradientTape() as tape:
            loss = loss_of(x, y)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables), global_step)
        mean_loss(loss)
    print(
        "epoch %d  step %3d  loss %.5f  accuracy %.4f"
        % (epoch + 1, global_step.numpy(), mean_loss.result().numpy(), accuracy.result().numpy())
    )
    mean_loss.reset_states()
    accuracy.reset_states()

images, labels = images_and_labels("test")
predicted = tf.argmax(model(images), axis=1).numpy()
print("test accuracy %.4f" % np.mean(predicted == labels))
