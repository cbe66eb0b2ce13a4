"""Points on curves (`tensorflow.contrib.learn.python.learn.datasets.synthetic`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.api.contrib.learn.datasets.examples_mnist import Dataset
from tf1compat.api.util.deprecation import deprecated

_INSTRUCTIONS = "Consider using synthetic datasets from scikits.learn."


def _labels(n_classes: int, each: int, extras: int) -> np.ndarray:
    """As many points of each class, and what is over of the first."""
    return np.append(np.repeat(np.arange(n_classes, dtype=np.int32), each), np.zeros(extras, "i"))


def _shuffled(x: np.ndarray, y: np.ndarray, noise: Any) -> Dataset:
    """Points in random order, moved a little."""
    order = np.random.permutation(len(y))
    if noise is not None:
        x = x + np.random.normal(scale=noise, size=x.shape)
    return Dataset(data=x[order], target=y[order])


@deprecated(None, _INSTRUCTIONS)
def circles(
    n_samples: int = 100, noise: Any = None, seed: int | None = None, factor: float = 0.8,
    n_classes: int = 2, *args: Any, **kwargs: Any,
) -> Dataset:  # fmt: skip
    """Points on circles around 0, one for each class.

    Args:
      n_samples: how many points.
      noise: the standard deviation of what is added.
      seed: of NumPy's generator.
      factor: how much smaller each circle is than the one before.
      n_classes: how many circles.
      *args, **kwargs: ignored.

    Returns:
      A `Dataset`: [n_samples, 2] and the classes.
    """
    if seed is not None:
        np.random.seed(seed)
    each, extras = divmod(n_samples, n_classes)
    angles = np.linspace(0, 2 * np.pi, each)
    circle = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    points = []
    for _ in range(n_classes):
        points.append(circle)
        circle = circle * factor
    # What is over lies anywhere on the first circle, its two coordinates drawn apart.
    more = [f(np.random.rand(extras) * 2 * np.pi) for f in (np.cos, np.sin)]
    points.append(np.stack(more, axis=1))
    labels = _labels(n_classes, each, extras)
    return _shuffled(np.concatenate(points), labels, noise)


def _archimedes(theta: np.ndarray, offset: float = 0.0, *_: Any, **__: Any) -> Any:
    x, y = theta * np.cos(theta + offset), theta * np.sin(theta + offset)
    return x / np.max(np.abs(x)), y / np.max(np.abs(y))


def _bernoulli(theta: np.ndarray, offset: float = 0.0, *_: Any, **kwargs: Any) -> Any:
    radius = np.exp(kwargs.pop("exp_scale", 0.1) * theta)
    x, y = radius * np.cos(theta + offset), radius * np.sin(theta + offset)
    return x / np.max(np.abs(x)), y / np.max(np.abs(y))


def _fermat(theta: np.ndarray, offset: float = 0.0, *_: Any, **__: Any) -> Any:
    x, y = np.sqrt(theta) * np.cos(theta + offset), np.sqrt(theta) * np.sin(theta + offset)
    return x / np.max(np.abs(x)), y / np.max(np.abs(y))


_SPIRALS: dict[Any, Callable[..., Any]] = {
    "archimedes": _archimedes,
    "bernoulli": _bernoulli,
    "fermat": _fermat,
}


@deprecated(None, _INSTRUCTIONS)
def spirals(
    n_samples: int = 100, noise: Any = None, seed: int | None = None, mode: Any = "archimedes",
    n_loops: int = 2, *args: Any, **kwargs: Any,
) -> Dataset:  # fmt: skip
    """Points on two spirals, one for each class.

    Args:
      n_samples: how many points.
      noise: the standard deviation of what is added.
      seed: of NumPy's generator.
      mode: "archimedes", "bernoulli" or "fermat".
      n_loops: how often they go around.
      *args, **kwargs: of the spiral; "exp_scale" of Bernoulli's.

    Returns:
      A `Dataset`: [n_samples, 2] and the classes.

    Raises:
      ValueError: there is no such spiral.
    """
    if mode is None or mode not in _SPIRALS:
        raise ValueError(f"Cannot generate spiral with mode {mode}")
    spiral = _SPIRALS[mode]
    if seed is not None:
        np.random.seed(seed)
    each, extras = divmod(n_samples, 2)
    angles = np.linspace(0, 2 * n_loops * np.pi, each)
    parts = [spiral(angles, label * np.pi, *args, **kwargs) for label in range(2)]
    if extras:
        parts.append(spiral(np.random.rand(extras) * 2 * np.pi, *args, **kwargs))
    points = np.concatenate([np.stack(part, axis=1) for part in parts])
    labels = _labels(2, each, extras)
    return _shuffled(points, labels, noise)
