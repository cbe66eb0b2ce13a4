"""Prices of houses (`tensorflow.python.keras.datasets.boston_housing`)."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.keras.datasets.mnist import ORIGIN
from tf1compat.api.keras.utils.data_utils import get_file
from tf1compat.core.export import tf_export


@tf_export("keras.datasets.boston_housing.load_data")
def load_data(path: str = "boston_housing.npz", test_split: float = 0.2, seed: int = 113) -> Any:
    """13 numbers on each of 506 quarters, and the price of houses there.

    Args:
      path: the file in ~/.keras/datasets that they are kept in.
      test_split: the share that is to test with.
      seed: of the mixing.

    Returns:
      ((numbers, prices) to train with, (numbers, prices) to test with).

    Raises:
      Exception: they are not there yet and can't be downloaded.
    """
    assert 0 <= test_split < 1
    path = get_file(
        path,
        origin=f"{ORIGIN}boston_housing.npz",
        file_hash="f553886a1f8d56431e820c5b82552d9d95cfcb96d1e678153f8839538947dff5",
    )
    with np.load(path) as f:
        x, y = f["x"], f["y"]
    np.random.seed(seed)
    indices = np.arange(len(x))
    np.random.shuffle(indices)
    x, y = x[indices], y[indices]
    split = int(len(x) * (1 - test_split))
    return (x[:split], y[:split]), (x[split:], y[split:])
