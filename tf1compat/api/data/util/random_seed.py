"""The seeds of datasets, as tensors."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.math import math_ops
from tf1compat.api.random import random_seed
from tf1compat.core import dtypes, ops


def get_seed(seed: Any) -> tuple[ops.Tensor, ops.Tensor]:
    """The two seeds of a dataset, int64 scalars: zeros where the order is to differ every time.

    Args:
      seed: the seed given by the user, an integer or a tensor, or None.
    """
    first, second = random_seed.get_seed(seed)
    if first is None:
        seed = constant_op.constant(0, dtype=dtypes.int64, name="seed")
    else:
        seed = ops.convert_to_tensor(first, dtype=dtypes.int64, name="seed")
    if second is None:
        return seed, constant_op.constant(0, dtype=dtypes.int64, name="seed2")
    with ops.name_scope("seed2") as scope:
        seed2 = ops.convert_to_tensor(second, dtype=dtypes.int64)
        # Two zeros would mean that there is no seed.
        both = math_ops.logical_and(math_ops.equal(seed, 0), math_ops.equal(seed2, 0))
        other = constant_op.constant(2**31 - 1, dtype=dtypes.int64)
        return seed, array_ops.where(both, other, seed2, name=scope)
