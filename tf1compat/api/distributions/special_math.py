"""Functions of the normal and Laplace distributions, made of ops as in TF 1.15."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.math import math_ops
from tf1compat.core import ops
from tf1compat.core.typing import TensorLike

# `log_ndtr` takes a series below the first number, and `-ndtr(-x)` above the second.
LOGNDTR_FLOAT64_LOWER, LOGNDTR_FLOAT64_UPPER = np.array([-20, 8], np.float64)
LOGNDTR_FLOAT32_LOWER, LOGNDTR_FLOAT32_UPPER = np.array([-10, 5], np.float32)
_LOG_NDTR_SEGMENTS = {
    np.float64: (LOGNDTR_FLOAT64_LOWER, LOGNDTR_FLOAT64_UPPER),
    np.float32: (LOGNDTR_FLOAT32_LOWER, LOGNDTR_FLOAT32_UPPER),
}

# The rational approximations of Cephes' ndtri, highest power first: P0/Q0 in the middle, P1/Q1 for
# z = sqrt(-2 log p) between 2 and 8, P2/Q2 beyond.
_P0 = (-59.9633501014107895267, 98.0010754185999661536, -56.6762857469070293439,
       13.9312609387279679503, -1.23916583867381258016)  # fmt: skip
_Q0 = (1.0, 1.95448858338141759834, 4.67627912898881538453, 86.3602421390890590575,
       -225.462687854119370527, 200.260212380060660359, -82.0372256168333339912,
       15.9056225126211695515, -1.18331621121330003142)  # fmt: skip
_P1 = (4.05544892305962419923, 31.5251094599893866154, 57.1628192246421288162,
       44.0805073893200834700, 14.6849561928858024014, 2.18663306850790267539,
       -1.40256079171354495875e-1, -3.50424626827848203418e-2,
       -8.57456785154685413611e-4)  # fmt: skip
_Q1 = (1.0, 15.7799883256466749731, 45.3907635128879210584, 41.3172038254672030440,
       15.0425385692907503408, 2.50464946208309415979, -1.42182922854787788574e-1,
       -3.80806407691578277194e-2, -9.33259480895457427372e-4)  # fmt: skip
_P2 = (3.23774891776946035970, 6.91522889068984211695, 3.93881025292474443415,
       1.33303460815807542389, 2.01485389549179081538e-1, 1.23716634817820021358e-2,
       3.01581553508235416007e-4, 2.65806974686737550832e-6, 6.23974539184983293730e-9)  # fmt: skip
_Q2 = (1.0, 6.02427039364742014255, 3.67983563856160859403, 1.37702099489081330271,
       2.16236993594496635890e-1, 1.34204006088543189037e-2, 3.28014464682127739104e-4,
       2.89247864745380683936e-6, 6.79019408009981274425e-9)  # fmt: skip


def _require_float(x: Any) -> None:
    if x.dtype.as_numpy_dtype not in _LOG_NDTR_SEGMENTS:
        raise TypeError(f"x.dtype={x.dtype} is not handled, see docstring for supported types.")


def ndtr(x: TensorLike, name: str = "ndtr") -> Any:
    """The probability that a standard normal draw is at most `x`, a float32 or float64 tensor.

    Raises:
      TypeError: another dtype.
    """
    with ops.name_scope(name, values=[x]):
        x = ops.convert_to_tensor(x, name="x")
        _require_float(x)
        return _ndtr(x)


def _ndtr(x: Any) -> Any:
    half_sqrt_2 = constant_op.constant(0.5 * np.sqrt(2.0), dtype=x.dtype, name="half_sqrt_2")
    w = x * half_sqrt_2
    z = math_ops.abs(w)
    in_middle = math_ops.less(z, half_sqrt_2)
    middle = 1.0 + math_ops.erf(w)
    above = math_ops.greater(w, 0.0)
    tails = array_ops.where_v2(above, 2.0 - math_ops.erfc(z), math_ops.erfc(z))
    return 0.5 * array_ops.where_v2(in_middle, middle, tails)


def ndtri(p: Any, name: str = "ndtri") -> Any:
    """The inverse of `ndtr`: infinite at 0 and 1.

    Raises:
      TypeError: `p` is neither float32 nor float64.
    """
    with ops.name_scope(name, values=[p]):
        p = ops.convert_to_tensor(p, name="p")
        if p.dtype.as_numpy_dtype not in _LOG_NDTR_SEGMENTS:
            raise TypeError(f"p.dtype={p.dtype} is not handled, see docstring for supported types.")
        return _ndtri(p)


def _polynomial(x: Any, coefficients: Sequence[float]) -> Any:
    """By Horner's rule, from the highest power on."""
    value = array_ops.zeros_like(x)
    for coefficient in np.array(coefficients, x.dtype.as_numpy_dtype):
        value = coefficient + value * x
    return value


def _ndtri(p: Any) -> Any:
    as_numpy = p.dtype.as_numpy_dtype
    folded = array_ops.where_v2(p > -np.expm1(-2.0), 1.0 - p, p)
    # Any number in place of what is not positive: its result is not used, but must not be NaN.
    safe = array_ops.where_v2(
        folded <= 0.0, array_ops.fill(array_ops.shape(p), np.array(0.5, as_numpy)), folded
    )
    w = safe - 0.5
    ww = w**2
    middle = w + w * ww * (_polynomial(ww, _P0) / _polynomial(ww, _Q0))
    middle *= -np.sqrt(2.0 * np.pi)

    z = math_ops.sqrt(-2.0 * math_ops.log(safe))
    first = z - math_ops.log(z) / z
    far_term = _polynomial(1.0 / z, _P2) / _polynomial(1.0 / z, _Q2) / z
    near_term = _polynomial(1.0 / z, _P1) / _polynomial(1.0 / z, _Q1) / z
    far = first - far_term
    near = first - near_term
    x = array_ops.where_v2(safe > np.exp(-2.0), middle, array_ops.where_v2(z >= 8.0, far, near))
    x = array_ops.where_v2(p > 1.0 - np.exp(-2.0), x, -x)
    infinity = constant_op.constant(np.inf, dtype=p.dtype)
    infinities = array_ops.fill(array_ops.shape(p), infinity)
    return array_ops.where_v2(p <= 0.0, -infinities, array_ops.where_v2(p >= 1.0, infinities, x))


def log_ndtr(x: TensorLike, series_order: int = 3, name: str = "log_ndtr") -> Any:
    """The logarithm of `ndtr`, exact far out in both tails.

    Args:
      x: a float32 or float64 tensor.
      series_order: how many terms of the asymptotic series are used for very negative `x`.
      name: scope of the ops.

    Returns:
      A tensor like `x`.

    Raises:
      TypeError: of another dtype, or `series_order` is not an int.
      ValueError: `series_order` is not in [0, 30].
    """
    if not isinstance(series_order, int):
        raise TypeError("series_order must be a Python integer.")
    if series_order < 0:
        raise ValueError("series_order must be non-negative.")
    if series_order > 30:
        raise ValueError("series_order must be <= 30.")
    with ops.name_scope(name, values=[x]):
        x = ops.convert_to_tensor(x, name="x")
        if x.dtype.as_numpy_dtype not in _LOG_NDTR_SEGMENTS:
            raise TypeError(f"x.dtype={x.dtype} is not supported.")
        lower, upper = _LOG_NDTR_SEGMENTS[x.dtype.as_numpy_dtype]
        is_high = math_ops.greater(x, upper)
        high = -_ndtr(-x)
        is_middle = math_ops.greater(x, lower)
        middle = math_ops.log(_ndtr(math_ops.maximum(x, lower)))
        low = _log_ndtr_lower(math_ops.minimum(x, lower), series_order)
        return array_ops.where_v2(is_high, high, array_ops.where_v2(is_middle, middle, low))


def _log_ndtr_lower(x: Any, series_order: int) -> Any:
    squared = math_ops.square(x)
    scale = -0.5 * squared - math_ops.log(-x) - 0.5 * np.log(2.0 * np.pi)
    return scale + math_ops.log(_log_ndtr_asymptotic_series(x, series_order))


def _log_ndtr_asymptotic_series(x: Any, series_order: int) -> Any:
    """`1 + sum over n of (-1)^n (2n-1)!! / x^(2n)`."""
    as_numpy = x.dtype.as_numpy_dtype
    if series_order <= 0:
        return np.array(1, as_numpy)
    squared = math_ops.square(x)
    sums = [array_ops.zeros_like(x), array_ops.zeros_like(x)]  # of even and of odd n
    power = squared
    for n in range(1, series_order + 1):
        term = np.array(np.prod(np.arange(2 * n - 1, 1, -2)), as_numpy) / power
        sums[n % 2] += term
        power *= squared
    return 1.0 + sums[0] - sums[1]


def erfinv(x: TensorLike, name: str = "erfinv") -> Any:
    """The inverse of the error function.

    Raises:
      TypeError: `x` is neither float32 nor float64.
    """
    with ops.name_scope(name, values=[x]):
        x = ops.convert_to_tensor(x, name="x")
        _require_float(x)
        return ndtri((x + 1.0) / 2.0) / np.sqrt(2)


def log_cdf_laplace(x: TensorLike, name: str = "log_cdf_laplace") -> Any:
    """The logarithm of the probability that a standard Laplace draw is at most `x`."""
    with ops.name_scope(name, values=[x]):
        x = ops.convert_to_tensor(x, name="x")
        below = -np.log(2.0) + x
        decay = math_ops.exp(-math_ops.abs(x))
        above = math_ops.log1p(-0.5 * decay)
        return array_ops.where_v2(x < 0.0, below, above)
