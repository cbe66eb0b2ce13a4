"""`tensorflow.contrib.learn.python.learn.estimators.estimator_test_utils`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_METHODS = (
    "config evaluate export fit get_variable_names get_variable_value model_dir predict".split()
)


def assert_estimator_contract(tester: Any, estimator_class: type) -> None:
    """Fails a test unless a class has what estimators have.

    Args:
      tester: the test case.
      estimator_class: the class.
    """
    for name in _METHODS:
        tester.assertTrue(hasattr(estimator_class, name))


def assert_in_range(
    min_value: float, max_value: float, key: str, metrics: Mapping[str, float]
) -> None:
    """Checks a metric.

    Args:
      min_value, max_value: what it has to be between.
      key: its name.
      metrics: all of them.

    Raises:
      ValueError: it is outside.
    """
    value = metrics[key]
    if value < min_value:
        raise ValueError(f"{key}: {value} < {min_value}.")
    if value > max_value:
        raise ValueError(f"{key}: {value} > {max_value}.")
