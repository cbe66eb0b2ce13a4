"""`tf.keras.utils.to_categorical` and `normalize`
(`tensorflow.python.keras.utils.np_utils`)."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.core.export import tf_export


@tf_export("keras.utils.to_categorical")
def to_categorical(y: Any, num_classes: Any = None, dtype: Any = "float32") -> np.ndarray:
    """Classes as one-hot vectors.

    Args:
      y: integers from 0; a last dimension of 1 is dropped.
      num_classes: the size of the vectors; one more than the largest class by default.
      dtype: of the result.

    Returns:
      An array with one more dimension, of size `num_classes`.
    """
    y = np.array(y, dtype="int")
    shape = y.shape
    if len(shape) > 1 and shape[-1] == 1:
        shape = shape[:-1]
    y = y.ravel()
    if not num_classes:
        num_classes = np.max(y) + 1
    categorical = np.zeros((y.shape[0], num_classes), dtype=dtype)
    categorical[np.arange(y.shape[0]), y] = 1
    return np.reshape(categorical, (*shape, num_classes))


@tf_export("keras.utils.normalize")
def normalize(x: Any, axis: int = -1, order: int = 2) -> np.ndarray:
    """An array scaled to norm 1 along an axis; what is all 0 stays so.

    Args:
      x: an array.
      axis: the axis of the vectors.
      order: the order of the norm.

    Returns:
      An array of the shape of `x`.
    """
    norm = np.atleast_1d(np.linalg.norm(x, order, axis))
    norm[norm == 0] = 1
    return x / np.expand_dims(norm, axis)
