"""Photographs of a hundred kinds of things (`tensorflow.python.keras.datasets.cifar100`)."""

from __future__ import annotations

import os
from typing import Any

from tf1compat.api.keras.datasets.cifar import formatted, load_batch
from tf1compat.api.keras.utils.data_utils import get_file
from tf1compat.core.export import tf_export


@tf_export("keras.datasets.cifar100.load_data")
def load_data(label_mode: str = "fine") -> Any:
    """60000 coloured images of a hundred kinds of things, of 32 by 32 pixels.

    Args:
      label_mode: "fine", or "coarse" for twenty kinds.

    Returns:
      ((images, kinds) to train with, (images, kinds) to test with).

    Raises:
      ValueError: unknown `label_mode`.
      Exception: they are not there yet and can't be downloaded.
    """
    if label_mode not in ("fine", "coarse"):
        raise ValueError('`label_mode` must be one of `"fine"`, `"coarse"`.')
    path = get_file(
        "cifar-100-python",
        origin="https://www.cs.toronto.edu/~kriz/cifar-100-python.tar.gz",
        untar=True,
        file_hash="85cd44d02ba6437773c5bbd22e183051d648de2e7d6b014e1ef29b855ba677a7",
    )
    key = f"{label_mode}_labels"
    return tuple(
        formatted(*load_batch(os.path.join(path, name), key)) for name in ("train", "test")
    )
