"""A Keras network that learns digits from pictures which a generator moves and turns.

python -m tf1compat examples/keras_augmented_digits.py
"""

from __future__ import absolute_import, division, print_function

import os
import tempfile

import numpy as np
import tensorflow as tf
from tensorflow.keras import backend as K
from tensorflow.keras import layers
from tensorflow.keras.callbacks import LambdaCallback, ModelCheckpoint, ReduceLROnPlateau
from tensorflow.keras.models import Model, load_model
from tensorflow.keras.preprocessing.image import ImageDataGenerator
from tensorflow.keras.utils import to_categorical

tf.logging.set_verbosity(tf.logging.ERROR)
np.random.seed(0)
tf.set_random_seed(0)

epochs = int(os.environ.get("EPOCHS", 12))
folder = os.path.dirname(os.path.abspath(__file__))
data = np.load(os.path.join(folder, "data", "digits.npz"))
train, test = (data[name].reshape(-1, 8, 8, 1) / 16.0 for name in ("x_train", "x_test"))
labels, test_labels = (to_categorical(data[name], 10) for name in ("y_train", "y_test"))


def residual(x, filters):
    """Two convolutions around which the input goes."""
    inner = layers.Conv2D(filters, 3, padding="same", activation="relu")(x)
    inner = layers.SeparableConv2D(filters, 3, padding="same")(inner)
    return layers.add([x, inner])


image = layers.Input((8, 8, 1), name="image")
x = layers.Conv2D(12, 3, padding="same", activation="relu")(image)
x = layers.MaxPooling2D()(residual(x, 12))
x = layers.GlobalAveragePooling2D()(residual(x, 12))
x = layers.Dropout(0.1)(x)
x = layers.Lambda(lambda x: K.l2_normalize(x, axis=-1) * 8.0)(x)
digit = layers.Dense(10, activation="softmax", kernel_regularizer="l2", name="digit")(x)
even = layers.Dense(1, activation="sigmoid", name="even")(x)
model = Model(image, [digit, even])
model.compile(
    tf.keras.optimizers.Adam(3e-3),
    loss={"digit": "categorical_crossentropy", "even": "binary_crossentropy"},
    loss_weights={"digit": 1.0, "even": 0.3},
    metrics={"digit": "accuracy"},
)
print("%d layers, %d weights" % (len(model.layers), model.count_params()))


def targets(labels):
    """The digit, and whether it is even."""
    return {"digit": labels, "even": labels[:, ::2].sum(axis=1)}


class Moved(tf.keras.utils.Sequence):
    """Batches of pictures that are moved and turned a little."""

    def __init__(self):
        pictures = ImageDataGenerator(rotation_range=8, width_shift_range=0.1, shear_range=4.0)
        self.flow = pictures.flow(train, labels, batch_size=64, seed=1)

    def __len__(self):
        return len(self.flow)

    def __getitem__(self, index):
        pictures, found = self.flow[index]
        return pictures, targets(found)

    def on_epoch_end(self):
        self.flow.on_epoch_end()


def report(epoch, logs):
    print(
        "epoch %2d   loss %.4f   on the test set: loss %.4f, digits right %.4f   rate %.4f"
        % (epoch + 1, logs["loss"], logs["val_loss"], logs["val_digit_acc"], logs["lr"])
    )


path = os.path.join(tempfile.mkdtemp(), "best.h5")
model.fit_generator(
    Moved(),
    epochs=epochs,
    validation_data=(test, targets(test_labels)),
    callbacks=[
        ReduceLROnPlateau("loss", factor=0.5, patience=1, min_delta=0.1),
        ModelCheckpoint(path, "val_loss", save_best_only=True),
        LambdaCallback(on_epoch_end=report),
    ],
    shuffle=False,
    verbose=0,
)
best = load_model(path)
names = best.metrics_names
found = best.evaluate(test, targets(test_labels), verbose=0)
print("the best of them: " + ", ".join("%s %.4f" % pair for pair in zip(names, found)))
