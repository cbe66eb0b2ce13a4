"""Handwritten digits (`tensorflow.python.keras.datasets.mnist`)."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.keras.utils.data_utils import get_file
from tf1compat.core.export import tf_export

ORIGIN = "https://storage.googleapis.com/tensorflow/tf-keras-datasets/"


@tf_export("keras.datasets.mnist.load_data")
def load_data(path: str = "mnist.npz") -> Any:
    """70000 images of digits, of 28 by 28 pixels.

    Args:
      path: the file in ~/.keras/datasets that they are kept in.

    Returns:
      ((images, digits) to train with, (images, digits) to test with).

    Raises:
      Exception: they are not there yet and can't be downloaded.
    """
    path = get_file(
        path,
        origin=f"{ORIGIN}mnist.npz",
        file_hash="731c5ac602752760c8e48fbffcf8c3b850d9dc2a2aedcf2cc48468fc17b673d1",
    )
    with np.load(path) as f:
        return (f["x_train"], f["y_train"]), (f["x_test"], f["y_test"])
