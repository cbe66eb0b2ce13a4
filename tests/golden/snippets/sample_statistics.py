"""How well numbers follow a distribution, by what TensorFlow's package holds for tests."""

import numpy as np
from scipy import stats
from tensorflow.python.kernel_tests.random import util

RANDOM = np.random.RandomState(0)
NORMAL = RANDOM.randn(1000)
MATRIX = RANDOM.randn(50, 20)


def show(value):
    print(np.asarray(value, np.float64).round(9).tolist())


show(util.test_moment_matching(NORMAL, 5, stats.norm()))
show(util.test_moment_matching(NORMAL, 4, stats.norm(), stride=3))
show(util.test_moment_matching(MATRIX, 3, stats.norm(), stride=2))
show(util.test_moment_matching(np.zeros(4), 2, stats.uniform()))
show(util.test_moment_matching(NORMAL.astype(np.float32), 2, stats.norm()))
for bins in (2, 10):
    show(util.chi_squared(RANDOM.rand(10, 10), bins))
show(util.normal_cdf(np.array([-3.0, 0.0, 0.5])))
show(util.normal_cdf(0.2))
show(util.anderson_darling(NORMAL))
show(util.anderson_darling(MATRIX))


def equal(a, b):
    print("equal", a, b)


def close(a, b, **tolerance):
    print("close", round(float(a), 7), sorted(tolerance.items()))


numbers = np.array([0.1, -1.9, 1.0, -0.2, 2.5] * 20)
util.test_truncated_normal(equal, close, 100, numbers)
util.test_truncated_normal(equal, close, 9, numbers, mean_atol=1.0, variance_rtol=2.0)
