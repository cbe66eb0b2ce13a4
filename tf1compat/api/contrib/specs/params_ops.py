"""The names that parameters of specs are written with
(`tensorflow.contrib.specs.python.params_ops`): Python's `math`, and random numbers of Python's
generator."""

from __future__ import annotations

import math
import random
from math import *  # noqa: F403


def Uf(lo: float = 0.0, hi: float = 1.0) -> float:
    """A number between two."""
    return random.uniform(lo, hi)


def Ui(lo: int, hi: int) -> int:
    """A whole number between two, both of which may come."""
    return random.randint(lo, hi)


def Lf(lo: float, hi: float) -> float:
    """A number between two, whose logarithm is spread evenly."""
    return math.exp(Uf(math.log(lo), math.log(hi)))


def Li(lo: int, hi: int) -> int:
    """A whole number between two, whose logarithm is spread evenly."""
    return math.floor(Lf(lo, hi + 1 - 1e-5))


def Nt(mu: float, sigma: float, limit: float = 3.0) -> float:
    """A normal number, moved to within `limit` standard deviations of the mean."""
    reach = limit * sigma
    return min(max(random.gauss(mu, sigma), mu - reach), mu + reach)
