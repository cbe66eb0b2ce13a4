"""`tensorflow.python.kernel_tests.random.util`: how well numbers follow a distribution."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

# The variance of a standard normal distribution that is cut off at two deviations.
_CUT_VARIANCE = 0.7737413


def test_moment_matching(
    samples: np.ndarray[Any, Any], number_moments: int, dist: Any, stride: int = 0
) -> list[float]:
    """How many deviations the moments of samples are off those of their distribution.

    Args:
      samples: numbers, of any shape.
      number_moments: how many moments are looked at, from the first one on.
      dist: a distribution of `scipy.stats`.
      stride: 0 for all samples; otherwise moment i is that of every (stride * (i - 1) + 1)th
        sample, which tells of a dependence between samples that are so far apart.

    Returns:
      A score for each moment.
    """
    flat = np.ravel(samples)
    scores = []
    for order in range(1, number_moments + 1):
        chosen = flat[:: stride * (order - 1) + 1]
        expected = dist.moment(order)
        variance = (dist.moment(2 * order) - expected**2) / len(chosen)
        off = abs(np.mean(chosen**order) - expected)
        scores.append(off / math.sqrt(variance + order * np.finfo(chosen.dtype).eps))
    return scores


test_moment_matching.__test__ = False  # pyright: ignore[reportFunctionMemberAccess]


def chi_squared(x: np.ndarray[Any, Any], bins: int) -> float:
    """Pearson's statistic of numbers that are uniform from 0 to 1, counted in `bins` bins."""
    counts, _ = np.histogram(np.ravel(x), bins=bins, range=(0, 1))
    expected = np.size(x) / bins
    return float(np.sum((counts - expected) ** 2) / expected)


def normal_cdf(x: Any) -> Any:
    """The cumulative distribution function of the standard normal distribution."""
    return 0.5 * np.vectorize(math.erfc, otypes=[float])(-np.asarray(x) / math.sqrt(2))


def anderson_darling(x: np.ndarray[Any, Any]) -> float:
    """The statistic of Anderson and Darling of numbers from a standard normal distribution."""
    below = normal_cdf(np.sort(np.ravel(x)))
    count = len(below)
    weights = 2 * np.arange(1, count + 1) - 1
    return float(-count - np.mean(weights * (np.log(below) + np.log(1 - below[::-1]))))


def test_truncated_normal(
    assert_equal: Callable[..., None],
    assert_all_close: Callable[..., None],
    n: int,
    y: np.ndarray[Any, Any],
    mean_atol: float = 5e-4,
    median_atol: float = 8e-4,
    variance_rtol: float = 1e-3,
) -> None:
    """Numbers are from a standard normal distribution that is cut off at two deviations.

    Args:
      assert_equal, assert_all_close: of the test case.
      n: how many numbers there should be.
      y: the numbers.
      mean_atol, median_atol, variance_rtol: how far the three may be off.
    """
    assert_equal(np.isfinite(y).sum(), n)
    assert_equal((np.abs(y) <= 2).sum(), n)
    assert_all_close(np.mean(y), 0.0, atol=mean_atol)
    assert_all_close(np.median(y), 0.0, atol=median_atol)
    assert_all_close(np.var(y), _CUT_VARIANCE, rtol=variance_rtol)


test_truncated_normal.__test__ = False  # pyright: ignore[reportFunctionMemberAccess]
