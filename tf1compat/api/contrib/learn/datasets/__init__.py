"""tf.contrib.learn.datasets: small tables, and points on circles and spirals."""

from __future__ import annotations

from typing import Any

from tf1compat.api.contrib.learn.datasets import base, examples_mnist, synthetic, text_datasets
from tf1compat.api.util.deprecation import deprecated

load_iris = base.load_iris
load_boston = base.load_boston

DATASETS = {
    "iris": load_iris,
    "boston": load_boston,
    "mnist": examples_mnist.load_mnist,
    "dbpedia": text_datasets.load_dbpedia,
}
SYNTHETIC = {"circles": synthetic.circles, "spirals": synthetic.spirals}


@deprecated(None, "Please use tf.data.")
def load_dataset(name: str, size: str = "small", test_with_fake_data: bool = False) -> Any:
    """A data set by name: "iris", "boston", "mnist" or "dbpedia".

    Args:
      name: which.
      size: of dbpedia, "small" for a thousandth.
      test_with_fake_data: of dbpedia; not supported.

    Raises:
      ValueError: there is no such data set.
    """
    if name not in DATASETS:
        raise ValueError(f"Name of dataset is not found: {name}")
    if name == "dbpedia":
        return DATASETS[name](size, test_with_fake_data)
    return DATASETS[name]()


@deprecated(None, "Please use tf.data.")
def make_dataset(
    name: str, n_samples: int = 100, noise: Any = None, seed: int = 42, *args: Any, **kwargs: Any
) -> Any:
    """Points by the name of a curve: "circles" or "spirals".

    Args:
      name: which.
      n_samples, noise, seed, *args, **kwargs: see `synthetic`.

    Raises:
      ValueError: there is no such curve.
    """
    if name not in SYNTHETIC:
        raise ValueError(f"Synthetic dataset not found or not implemeted: {name}")
    return SYNTHETIC[name](*args, n_samples=n_samples, noise=noise, seed=seed, **kwargs)
