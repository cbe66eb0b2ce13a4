"""Pieces of clothing (`tensorflow.python.keras.datasets.fashion_mnist`)."""

from __future__ import annotations

import gzip
import os
from typing import Any

import numpy as np

from tf1compat.api.keras.datasets.mnist import ORIGIN
from tf1compat.api.keras.utils.data_utils import get_file
from tf1compat.core.export import tf_export


@tf_export("keras.datasets.fashion_mnist.load_data")
def load_data() -> Any:
    """70000 images of clothing of ten kinds, of 28 by 28 pixels.

    Returns:
      ((images, kinds) to train with, (images, kinds) to test with).

    Raises:
      Exception: they are not there yet and can't be downloaded.
    """
    folder = os.path.join("datasets", "fashion-mnist")

    def contents(name: str, offset: int) -> np.ndarray:
        path = get_file(name, origin=ORIGIN + name, cache_subdir=folder)
        with gzip.open(path, "rb") as file:
            return np.frombuffer(file.read(), np.uint8, offset=offset)

    def part(name: str) -> tuple[np.ndarray, np.ndarray]:
        labels = contents(f"{name}-labels-idx1-ubyte.gz", 8)
        return contents(f"{name}-images-idx3-ubyte.gz", 16).reshape(-1, 28, 28), labels

    return part("train"), part("t10k")
