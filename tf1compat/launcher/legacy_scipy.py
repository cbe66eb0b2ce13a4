"""SciPy's names and modules since 1.2: where they went, and functions that went nowhere.

Modules went by rule: `scipy.optimize.optimize` is `scipy.optimize._optimize`; only others are in
tables (legacy_names.py).  The functions are as SciPy 1.2 documents them.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Sequence
from importlib.machinery import PathFinder
from typing import Any

import numpy as np


def moved_to(fullname: str, path: Sequence[str] | None) -> tuple[str, ...]:
    """The private modules that a public module of SciPy became, nearest first.

    Args:
      fullname: e.g. "scipy.optimize.optimize".
      path: the folders of its package.
    """
    package, _, name = fullname.rpartition(".")
    if name.startswith("_") or not path:
        return ()
    found = []
    name = name.rstrip("_")
    for private in (f"_{name}", f"_{name}_py", f"_{name}_impl"):
        if any(os.path.exists(os.path.join(folder, private + ".py")) for folder in path) or (
            PathFinder.find_spec(f"{package}.{private}", path) is not None
        ):
            found.append(f"{package}.{private}")
    return tuple(found)


def numpy_name(name: str) -> Any:
    """What `scipy.name` was when `scipy` had NumPy's names: functions that give complex results.

    Raises:
      AttributeError: NumPy has no such name.
    """
    for module in (np.emath, np.random if name in ("rand", "randn") else np):
        if hasattr(module, name) and not name.startswith("_"):
            return getattr(module, name)
    raise AttributeError(f"module 'scipy' has no attribute '{name}'")


# scipy.sparse

dense = property(lambda matrix: matrix.toarray(), doc="`A` of a sparse matrix.")
adjoint = property(lambda matrix: matrix.conj().transpose(), doc="`H` of a sparse matrix.")


# scipy.integrate


def simps(y: Any, x: Any = None, dx: float = 1.0, axis: int = -1, even: str = "avg") -> Any:
    """`scipy.integrate.simps`: Simpson's rule.

    Args:
      y, x, dx, axis: as those of `scipy.integrate.simpson`.
      even: what is done with an even number of points: "first" takes the trapezoidal rule for the
        last interval, "last" for the first one, "avg" the mean of both.
    """
    from scipy.integrate import simpson, trapezoid

    y = np.moveaxis(np.asarray(y), axis, -1)
    x = None if x is None else np.moveaxis(np.asarray(x), axis if np.ndim(x) > 1 else -1, -1)
    if y.shape[-1] % 2 == 1 or y.shape[-1] < 3:
        return simpson(y, x=x, dx=dx)

    def over(rule: Any, part: slice) -> Any:
        return rule(y[..., part], x=None if x is None else x[..., part], dx=dx)

    first = over(simpson, slice(None, -1)) + over(trapezoid, slice(-2, None))
    last = over(trapezoid, slice(None, 2)) + over(simpson, slice(1, None))
    return {"first": first, "last": last, "avg": (first + last) / 2}[even]


def cumtrapz(y: Any, x: Any = None, dx: float = 1.0, axis: int = -1, initial: Any = None) -> Any:
    """`scipy.integrate.cumtrapz`."""
    from scipy.integrate import cumulative_trapezoid

    return cumulative_trapezoid(y, x=x, dx=dx, axis=axis, initial=initial)


def trapz(y: Any, x: Any = None, dx: float = 1.0, axis: int = -1) -> Any:
    """`scipy.integrate.trapz`."""
    from scipy.integrate import trapezoid

    return trapezoid(y, x=x, dx=dx, axis=axis)


def romberg(
    function: Callable[..., Any], a: float, b: float, args: Any = (), tol: float = 1.48e-8,
    rtol: float = 1.48e-8, show: bool = False, divmax: int = 10, vec_func: bool = False,
) -> Any:  # fmt: skip
    """`scipy.integrate.romberg`: Richardson's extrapolation of the trapezoidal rule."""
    row = [(b - a) * (function(a, *args) + function(b, *args)) / 2]
    for level in range(1, divmax + 1):
        step = (b - a) / 2**level
        points = a + step * np.arange(1, 2**level, 2)
        values = function(points, *args) if vec_func else [function(x, *args) for x in points]
        new = [row[0] / 2 + step * np.sum(values, axis=0)]
        for order, old in enumerate(row, 1):
            new.append(new[-1] + (new[-1] - old) / (4**order - 1))
        error, row = abs(new[-1] - row[-1]), new
        if error < tol or error < rtol * abs(row[-1]):
            break
    else:
        warnings.warn(f"divmax ({divmax}) exceeded. Latest difference = {error:e}", stacklevel=2)
    return row[-1]


def quadrature(
    func: Callable[..., Any], a: float, b: float, args: Any = (), tol: float = 1.49e-8,
    rtol: float = 1.49e-8, maxiter: int = 50, vec_func: bool = True, miniter: int = 1,
) -> tuple[Any, Any]:  # fmt: skip
    """`scipy.integrate.quadrature`: Gaussian quadrature of growing order."""
    from scipy.integrate import fixed_quad

    def values(x: Any) -> Any:
        return func(x, *args) if vec_func else np.array([func(p, *args) for p in x])

    old = error = np.inf
    maxiter = max(miniter + 1, maxiter)
    for order in range(miniter, maxiter + 1):
        new = fixed_quad(values, a, b, n=order)[0]
        error, old = abs(new - old), new
        if error < tol or error < rtol * abs(new):
            break
    else:
        warnings.warn(f"maxiter ({maxiter}) exceeded. Latest difference = {error:e}", stacklevel=2)
    return old, error


# scipy.interpolate


class interp2d:
    """`scipy.interpolate.interp2d`: a spline through values on a grid, or scattered ones.

    Args:
      x, y: the coordinates of the grid's columns and rows, or of each value.
      z: the values.
      kind: "linear", "cubic" or "quintic".
      copy: is ignored.
      bounds_error: whether points outside raise ValueError.
      fill_value: the value outside; None for the nearest one inside.
    """

    def __init__(
        self, x: Any, y: Any, z: Any, kind: str = "linear", copy: bool = True,
        bounds_error: bool = False, fill_value: Any = None,
    ):  # fmt: skip
        from scipy import interpolate

        degrees = {"linear": 1, "cubic": 3, "quintic": 5}
        if kind not in degrees:
            raise ValueError(f"Unsupported interpolation type {kind!r}. Received: {kind!r}")
        k = degrees[kind]
        x, y, z = np.ravel(x), np.ravel(y), np.asarray(z)
        self._bounds = (x.min(), x.max()), (y.min(), y.max())
        self._raises, self.fill_value = bounds_error, fill_value
        if z.size == len(x) * len(y):
            columns, rows = np.argsort(x), np.argsort(y)
            table = z.reshape(len(y), len(x))[np.ix_(rows, columns)]
            self._spline: Any = interpolate.RectBivariateSpline(
                x[columns], y[rows], table.T, kx=k, ky=k
            )
        elif z.size == len(x) == len(y):
            tck = interpolate.bisplrep(x, y, z.ravel(), kx=k, ky=k, s=0.0)
            self._spline = lambda at_x, at_y: np.atleast_2d(interpolate.bisplev(at_x, at_y, tck))
        else:
            raise ValueError("x and y should have the size of z, or be its columns and rows")

    def __call__(
        self, x: Any, y: Any, dx: int = 0, dy: int = 0, assume_sorted: bool = False
    ) -> np.ndarray:
        """The values at a grid: an array of [len(y), len(x)]; of [len(x)] for a single y."""
        if dx or dy:
            raise NotImplementedError("interp2d's derivatives are not supported by tf1compat")
        axes = [np.atleast_1d(axis).astype(float) for axis in (x, y)]
        if not assume_sorted:
            axes = [np.sort(axis) for axis in axes]
        outside = [(axis < low) | (axis > high) for axis, (low, high) in zip(axes, self._bounds)]
        if self._raises and any(mask.any() for mask in outside):
            raise ValueError("Values out of range")
        inside = [np.clip(axis, low, high) for axis, (low, high) in zip(axes, self._bounds)]
        z = np.array(self._spline(*inside)).reshape(len(axes[0]), len(axes[1])).T
        if self.fill_value is not None:
            z[:, outside[0]] = z[outside[1], :] = self.fill_value
        return z[0] if len(z) == 1 else z


# scipy.misc


def central_diff_weights(Np: int, ndiv: int = 1) -> np.ndarray:
    """`scipy.misc.central_diff_weights`: of a derivative over Np points, one apart."""
    if Np < ndiv + 1 or Np % 2 == 0:
        raise ValueError("The number of points must be odd and at least the derivative order + 1.")
    offsets = np.arange(-(Np // 2), Np // 2 + 1.0)
    target = np.zeros(Np)
    target[ndiv] = float(np.prod(np.arange(1, ndiv + 1)))
    return np.linalg.solve(np.vander(offsets, increasing=True).T, target)


# scipy.signal


def ricker(points: int, a: float) -> np.ndarray:
    """`scipy.signal.ricker`: the Mexican hat wavelet of width `a`."""
    t = (np.arange(points) - (points - 1) / 2) / a
    return 2 / (np.sqrt(3 * a) * np.pi**0.25) * (1 - t**2) * np.exp(-(t**2) / 2)


def morlet(M: int, w: float = 5.0, s: float = 1.0, complete: bool = True) -> np.ndarray:
    """`scipy.signal.morlet`: the complex Morlet wavelet."""
    x = np.linspace(-s * 2 * np.pi, s * 2 * np.pi, M)
    wave = np.exp(1j * w * x)
    if complete:
        wave -= np.exp(-0.5 * w**2)
    return wave * np.exp(-0.5 * x**2) * np.pi**-0.25


def cwt(
    data: Any, wavelet: Callable[..., Any], widths: Any, dtype: Any = None, **kwargs: Any
) -> np.ndarray:
    """`scipy.signal.cwt`: the wavelet transform, [len(widths), len(data)]."""
    rows = []
    for width in widths:
        kernel = wavelet(min(10 * width, len(data)), width, **kwargs)
        rows.append(np.convolve(data, np.conj(kernel[::-1]), mode="same"))
    return np.array(rows, dtype)


def qmf(hk: Any) -> np.ndarray:
    """`scipy.signal.qmf`: the high-pass filter of a low-pass one."""
    hk = np.asarray(hk)
    return hk[::-1] * np.where(np.arange(len(hk)) % 2, -1, 1)


def bspline(x: Any, n: int) -> np.ndarray:
    """`scipy.signal.bspline`: the B-spline of order n around 0."""
    from scipy.interpolate import BSpline

    knots = np.arange(n + 2) - (n + 1) / 2
    return np.nan_to_num(BSpline.basis_element(knots, extrapolate=False)(np.asarray(x, float)))


def cubic(x: Any) -> np.ndarray:
    """`scipy.signal.cubic`."""
    return bspline(x, 3)


def quadratic(x: Any) -> np.ndarray:
    """`scipy.signal.quadratic`."""
    return bspline(x, 2)


def cmplx_sort(p: Any) -> tuple[np.ndarray, np.ndarray]:
    """`scipy.signal.cmplx_sort`: roots by magnitude (complex) or value, and their order."""
    p = np.asarray(p)
    order = np.argsort(abs(p) if np.iscomplexobj(p) else p)
    return np.take(p, order, 0), order


def lsim2(system: Any, U: Any = None, T: Any = None, X0: Any = None, **kwargs: Any) -> Any:
    """`scipy.signal.lsim2`, by `lsim`."""
    from scipy.signal import lsim

    return lsim(system, 0.0 if U is None else U, np.linspace(0, 10, 101) if T is None else T, X0)


# scipy.special


def sph_harm(m: Any, n: Any, theta: Any, phi: Any) -> Any:
    """`scipy.special.sph_harm`: theta is the azimuth, phi the polar angle."""
    from scipy.special import sph_harm_y

    return sph_harm_y(n, m, phi, theta)


# scipy.stats


def binom_test(x: Any, n: Any = None, p: float = 0.5, alternative: str = "two-sided") -> float:
    """`scipy.stats.binom_test`: the p-value."""
    from scipy.stats import binomtest

    if np.size(x) == 2:
        (x, failures) = np.ravel(x)
        n = x + failures
    found: Any = binomtest(int(np.squeeze(x)), int(n), p, alternative)
    return float(found.pvalue)


def itemfreq(a: Any) -> np.ndarray:
    """`scipy.stats.itemfreq`: a row of value and count for each value."""
    return np.column_stack(np.unique(a, return_counts=True))


def median_absolute_deviation(
    x: Any, axis: Any = 0, center: Any = np.median, scale: float = 1.4826,
    nan_policy: str = "propagate",
) -> Any:  # fmt: skip
    """`scipy.stats.median_absolute_deviation`."""
    from scipy.stats import median_abs_deviation

    return median_abs_deviation(x, axis, center, 1 / scale, nan_policy)


def chisqprob(chisq: Any, df: Any) -> Any:
    """`scipy.stats.chisqprob`."""
    from scipy.stats import chi2

    return chi2.sf(chisq, df)


def find_repeats(arr: Any) -> tuple[np.ndarray, np.ndarray]:
    """`scipy.stats.find_repeats`: values that occur more than once, and how often."""
    values, counts = np.unique(np.asarray(arr, float), return_counts=True)
    return values[counts > 1], counts[counts > 1]


# scipy.spatial


def wminkowski(u: Any, v: Any, p: float, w: Any) -> Any:
    """`scipy.spatial.distance.wminkowski`: weights multiply the differences."""
    from scipy.spatial.distance import minkowski

    return minkowski(u, v, p, np.asarray(w) ** p)


def kulsinski(u: Any, v: Any, w: Any = None) -> Any:
    """`scipy.spatial.distance.kulsinski`, of boolean vectors."""
    u, v = np.asarray(u, bool), np.asarray(v, bool)
    weights = np.ones(len(u)) if w is None else np.asarray(w)
    both, different = np.sum(weights * (u & v)), np.sum(weights * (u != v))
    total = np.sum(weights)
    return (different - both + total) / (different + total)
