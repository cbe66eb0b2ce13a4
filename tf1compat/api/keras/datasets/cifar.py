"""Files of the CIFAR data sets (`tensorflow.python.keras.datasets.cifar`)."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np

from tf1compat.api.keras import backend


def load_batch(fpath: str, label_key: str = "labels") -> tuple[np.ndarray, Any]:
    """Images, [n, 3, 32, 32], and labels of a file.

    Args:
      fpath: the file.
      label_key: which labels.
    """
    with open(fpath, "rb") as f:
        found = {
            key.decode("utf8"): value for key, value in pickle.load(f, encoding="bytes").items()
        }
    return found["data"].reshape(-1, 3, 32, 32), found[label_key]


def formatted(images: Any, labels: Any) -> tuple[np.ndarray, np.ndarray]:
    """Images in the format that `image_data_format` says, and labels as a column."""
    if backend.image_data_format() == "channels_last":
        images = images.transpose(0, 2, 3, 1)
    return images, np.reshape(labels, (len(labels), 1))
