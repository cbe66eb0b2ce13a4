"""`tensorflow.python.keras.distribute.multi_worker_testing_utils`: a model of digits, and data."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.data.ops import dataset_ops
from tf1compat.api.keras import initializers, losses
from tf1compat.api.keras.engine import sequential
from tf1compat.api.keras.layers import convolutional, core, normalization
from tf1compat.api.keras.optimizer_v2 import gradient_descent
from tf1compat.api.random import random_ops
from tf1compat.core import dtypes

_BATCH = 64
_TESTED = 10000
_IMAGE = (28, 28, 1)


def mnist_synthetic_dataset(batch_size: int, steps_per_epoch: int) -> tuple[Any, Any]:
    """Images of the size of MNIST's, in batches of 64, for ever.

    Args:
      batch_size, steps_per_epoch: their product is how many there are to train on: all ones.

    Returns:
      (a dataset to train on, a random one to evaluate on).
    """
    count = batch_size * steps_per_epoch
    trained = (
        array_ops.ones([count, *_IMAGE], dtype=dtypes.float32),
        array_ops.ones([count, 1], dtype=dtypes.int32),
    )
    train = _for_ever(trained)
    tested = (
        random_ops.random_uniform([_TESTED, *_IMAGE], dtype=dtypes.float32),
        random_ops.random_uniform([_TESTED, 1], minval=0, maxval=9, dtype=dtypes.int32),
    )
    return train, _for_ever(tested)


def _for_ever(tensors: Any) -> Any:
    dataset = dataset_ops.Dataset.from_tensor_slices(tensors).repeat()
    return dataset.batch(_BATCH, drop_remainder=True)


def get_mnist_model(input_shape: tuple[int, ...]) -> Any:
    """A small convolutional model, compiled, whose initial weights are always the same.

    Args:
      input_shape: the shape of an image.
    """

    def weights() -> Any:
        return initializers.TruncatedNormal(seed=99)

    layers = [
        convolutional.Conv2D(
            32, kernel_size=(3, 3), activation="relu", input_shape=input_shape,
            kernel_initializer=weights(),
        ),
        normalization.BatchNormalization(),
        core.Flatten(),
        core.Dense(10, activation="softmax", kernel_initializer=weights()),
    ]  # fmt: skip
    model = sequential.Sequential(layers)
    model.compile(
        optimizer=gradient_descent.SGD(learning_rate=0.001),
        loss=losses.sparse_categorical_crossentropy,
        metrics=["accuracy"],
    )
    return model
