"""Photographs of ten kinds of things (`tensorflow.python.keras.datasets.cifar10`)."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from tf1compat.api.keras.datasets.cifar import formatted, load_batch
from tf1compat.api.keras.utils.data_utils import get_file
from tf1compat.core.export import tf_export


@tf_export("keras.datasets.cifar10.load_data")
def load_data() -> Any:
    """60000 coloured images of ten kinds of things, of 32 by 32 pixels.

    Returns:
      ((images, kinds) to train with, (images, kinds) to test with).

    Raises:
      Exception: they are not there yet and can't be downloaded.
    """
    path = get_file(
        "cifar-10-batches-py",
        origin="https://www.cs.toronto.edu/~kriz/cifar-10-python.tar.gz",
        untar=True,
        file_hash="6d958be074577803d12ecdefd02955f39262c83c16fe9348329d7fe0b5c001ce",
    )
    batches = [load_batch(os.path.join(path, f"data_batch_{i}")) for i in range(1, 6)]
    images = np.concatenate([x for x, _ in batches])
    labels = np.concatenate([y for _, y in batches]).astype(np.uint8)
    tested, kinds = load_batch(os.path.join(path, "test_batch"))
    return formatted(images, labels), formatted(tested, np.array(kinds, np.uint8))
