"""Densities and the state of a batch (`…timeseries.python.timeseries.math_utils`)."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.math import math_ops
from tf1compat.core import dtypes, nest


def normal_log_prob(loc: Any, scale: Any, x: Any) -> Any:
    """The logarithm of a normal density, of which TF takes the scale's logarithm half."""
    z = (x - loc) / scale
    return -0.5 * (math_ops.square(z) + np.log(2.0 * np.pi) + math_ops.log(scale))


def cauchy_log_prob(loc: Any, scale: Any, x: Any) -> Any:
    """The logarithm of a Cauchy density."""
    z = (x - loc) / scale
    return -np.log(np.pi) - math_ops.log(scale) - math_ops.log1p(math_ops.square(z))


def replicate_state(start_state: Any, batch_size: Any) -> Any:
    """A structure of tensors, each repeated along a new first dimension."""

    def repeated(x: Any) -> Any:
        row = array_ops.expand_dims(x, 0)
        ones = array_ops.ones([array_ops.rank(x)], dtype=dtypes.int32)
        return array_ops.tile(row, array_ops.concat([[batch_size], ones], 0))

    return nest.map_structure(repeated, start_state)
