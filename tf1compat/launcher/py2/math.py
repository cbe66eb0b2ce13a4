"""Python 2's `math`, whose `floor` and `ceil` give floats."""

# pyright: reportWildcardImportFromLibrary=false, reportAssignmentType=false

from __future__ import annotations

import math
from math import *  # noqa: F403
from typing import Any

import numpy as np

# What the other functions of later Pythons take as integers may be floats here.
__all__ = [name for name in vars(math) if not name.startswith("_")]


def floor(x: Any) -> float:
    """The largest integer up to `x`, as a float."""
    return float(np.floor(float(x)))


def ceil(x: Any) -> float:
    """The smallest integer from `x` on, as a float."""
    return float(np.ceil(float(x)))
