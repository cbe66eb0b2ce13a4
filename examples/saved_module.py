"""Trains a tf.Module with a loop of one's own, saves it, and goes on with what was loaded.

python -m tf1compat examples/saved_module.py
"""

from __future__ import absolute_import, division, print_function

import os
import tempfile

import numpy as np
import tensorflow as tf

tf.enable_eager_execution()
tf.set_random_seed(3)

epochs = int(os.environ.get("EPOCHS", 6))
here = os.path.dirname(os.path.abspath(__file__))
data = np.load(os.path.join(here, "data", "digits.npz"))


def images_and_labels(part):
    images = data["x_" + part].reshape(-1, 64) / 16.0
    return images.astype(np.float32), data["y_" + part].astype(np.int64)


class Dense(tf.Module):
    def __init__(self, inputs, outputs, seed):
        super(Dense, self).__init__()
        deviation = np.sqrt(2.0 / inputs)
        initial = tf.random_normal([inputs, outputs], stddev=deviation, seed=seed)
        self.w = tf.Variable(initial, name="w")
        self.b = tf.Variable(tf.zeros([outputs]), name="b")

    def __call__(self, x):
        return tf.matmul(x, self.w) + self.b


class Classifier(tf.Module):
    def __init__(self):
        super(Classifier, self).__init__()
        self.layers = [Dense(64, 32, 1), Dense(32, 10, 2)]
        self.rate = tf.Variable(0.5, trainable=False, name="rate")

    def logits(self, x):
        return self.layers[1](tf.nn.relu(self.layers[0](x)))

    @tf.function(input_signature=[tf.TensorSpec([None, 64], tf.float32, name="images")])
    def classify(self, images):
        logits = self.logits(images)
        return {"digit": tf.argmax(logits, axis=1), "probability": tf.nn.softmax(logits)}

    @tf.function(
        input_signature=[tf.TensorSpec([None, 64], tf.float32), tf.TensorSpec([None], tf.int64)]
    )
    def train(self, images, labels):
        with tf.GradientTape() as tape:
            loss = tf.losses.sparse_softmax_cross_entropy(labels, self.logits(images))
        variables = self.trainable_variables
        for variable, gradient in zip(variables, tape.gradient(loss, variables)):
            variable.assign_sub(self.rate * gradient)
        return loss


def train(model, first, last):
    batches = tf.data.Dataset.from_tensor_slices(images_and_labels("train")).batch(96)
    for epoch in range(first, last):
        losses = [model.train(images, labels).numpy() for images, labels in batches]
        print("epoch %d  loss %.5f" % (epoch + 1, np.mean(losses)))


def accuracy(digits):
    return np.mean(digits == images_and_labels("test")[1])


images, _ = images_and_labels("test")
model = Classifier()
train(model, 0, epochs // 2)
print("test accuracy %.4f" % accuracy(model.classify(images)["digit"].numpy()))

folder = os.path.join(tempfile.mkdtemp(), "digits")
tf.saved_model.save(model, folder, signatures=model.classify)

# What was loaded has the functions and the variables, and trains on.
loaded = tf.compat.v2.saved_model.load(folder)
loaded.rate.assign(0.2)
train(loaded, epochs // 2, epochs)
print("test accuracy %.4f" % accuracy(loaded.classify(images)["digit"].numpy()))
tf.saved_model.save(loaded, folder + "_trained", signatures=loaded.signatures)

# A session serves it.
with tf.Graph().as_default(), tf.Session() as session:
    signature = tf.saved_model.load(session, ["serve"], folder + "_trained").signature_def[
        "serving_default"
    ]
    served = session.run(
        {name: output.name for name, output in signature.outputs.items()},
        {signature.inputs["images"].name: images},
    )
print("served accuracy %.4f" % accuracy(served["digit"]))
print("first image %s" % np.round(served["probability"][0, :4], 3))
