"""What Matplotlib removed, as it was in 1.5 to 3.0 (see legacy_names.py)."""

# pyright: reportMissingImports=false, reportAttributeAccessIssue=false

from __future__ import annotations

import numbers
from typing import Any

import matplotlib
import numpy as np

spectral = matplotlib.colormaps["nipy_spectral"]
spectral_r = matplotlib.colormaps["nipy_spectral_r"]


def hold(*args: Any, **kwargs: Any) -> None:
    """`hold`: plots are always added."""


def is_held(*args: Any) -> bool:
    """`ishold`."""
    return True


def over(func: Any, *args: Any, **kwargs: Any) -> Any:
    """`pyplot.over`: a plot that is added."""
    return func(*args, **kwargs)


def set_spectral() -> None:
    """`pyplot.spectral`."""
    from matplotlib import pyplot

    pyplot.set_cmap("nipy_spectral")


def set_color_cycle(self: Any, clist: Any) -> None:
    """`Axes.set_color_cycle`."""
    self.set_prop_cycle(None if clist is None else matplotlib.cycler(color=list(clist)))


def set_window_title(self: Any, title: str) -> None:
    """`FigureCanvasBase.set_window_title`."""
    if self.manager is not None:
        self.manager.set_window_title(title)


def plot_date(
    self: Any, x: Any, y: Any, fmt: str = "o", tz: Any = None, xdate: bool = True,
    ydate: bool = False, **kwargs: Any,
) -> Any:  # fmt: skip
    """`Axes.plot_date`."""
    for axis, is_date in ((self.xaxis, xdate), (self.yaxis, ydate)):
        if is_date:
            axis.axis_date(tz)
    return self.plot(x, y, fmt, **kwargs)


def plot_date_here(*args: Any, **kwargs: Any) -> Any:
    """`pyplot.plot_date`."""
    from matplotlib import pyplot

    return plot_date(pyplot.gca(), *args, **kwargs)


w_xaxis = property(lambda self: self.xaxis, doc="`Axes3D.w_xaxis`.")
w_yaxis = property(lambda self: self.yaxis, doc="`Axes3D.w_yaxis`.")
w_zaxis = property(lambda self: self.zaxis, doc="`Axes3D.w_zaxis`.")


def is_string_like(obj: Any) -> bool:
    """`cbook.is_string_like`."""
    return isinstance(obj, (str, np.str_))


def is_numlike(obj: Any) -> bool:
    """`cbook.is_numlike`."""
    return isinstance(obj, (numbers.Number, np.number))


def register_cmap(name: Any = None, cmap: Any = None, **kwargs: Any) -> None:
    """`cm.register_cmap`."""
    matplotlib.colormaps.register(cmap, name=name, force=True)


def normpdf(x: Any, *args: float) -> Any:
    """`mlab.normpdf`: the normal density; args are the mean and the standard deviation."""
    mu, sigma = args
    return np.exp(-0.5 * ((np.asarray(x) - mu) / sigma) ** 2) / (np.sqrt(2 * np.pi) * sigma)


def bivariate_normal(
    X: Any, Y: Any, sigmax: float = 1.0, sigmay: float = 1.0, mux: float = 0.0, muy: float = 0.0,
    sigmaxy: float = 0.0,
) -> Any:  # fmt: skip
    """`mlab.bivariate_normal`: the density; sigmaxy is the covariance."""
    x, y = (X - mux) / sigmax, (Y - muy) / sigmay
    rho = sigmaxy / (sigmax * sigmay)
    rest = 1 - rho**2
    exponent = (x**2 + y**2 - 2 * rho * x * y) / (2 * rest)
    return np.exp(-exponent) / (2 * np.pi * sigmax * sigmay * np.sqrt(rest))


def find(condition: Any) -> np.ndarray:
    """`mlab.find`: the indices where it holds."""
    return np.nonzero(np.ravel(condition))[0]


def frange(*args: float) -> np.ndarray:
    """`mlab.frange`: `arange` with the end."""
    start, stop, step = (0.0, args[0], 1.0) if len(args) == 1 else (*args, 1.0)[:3]
    return np.arange(int(np.round((stop - start) / step)) + 1) * step + start


def rms_flat(a: Any) -> Any:
    """`mlab.rms_flat`: the root mean square."""
    return np.sqrt(np.mean(np.abs(a) ** 2))
