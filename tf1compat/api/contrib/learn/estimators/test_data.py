"""`tensorflow.contrib.learn.python.learn.estimators.test_data`: the iris data as inputs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tf1compat.api.array import constant_op
from tf1compat.api.contrib.learn.datasets import base
from tf1compat.core import dtypes


def get_quantile_based_buckets(feature_values: Sequence[float], num_buckets: int) -> list[Any]:
    """Bounds between which there are about as many of the values each."""
    shares = [100 * (i + 1.0) / (num_buckets + 1.0) for i in range(num_buckets)]
    return list(np.percentile(np.array(feature_values), shares))


def prepare_iris_data_for_logistic_regression() -> Any:
    """The irises of the first two classes."""
    iris = base.load_iris()
    chosen = np.nonzero(iris.target <= 1)
    return base.Dataset(data=iris.data[chosen], target=iris.target[chosen])


def _inputs(iris: Any) -> tuple[dict[str, Any], Any]:
    features = {"feature": constant_op.constant(iris.data, dtype=dtypes.float32)}
    shape = (len(iris.target), 1)
    return features, constant_op.constant(iris.target, shape=shape, dtype=dtypes.int32)


def iris_input_multiclass_fn() -> tuple[dict[str, Any], Any]:
    """Features and labels of all irises."""
    return _inputs(base.load_iris())


def iris_input_logistic_fn() -> tuple[dict[str, Any], Any]:
    """Features and labels of the irises of two classes."""
    return _inputs(prepare_iris_data_for_logistic_regression())
