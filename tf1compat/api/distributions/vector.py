"""Distributions over vectors."""

from __future__ import annotations

from typing import Any, ClassVar

from tf1compat.api.array import array_ops
from tf1compat.api.distributions.distribution import Distribution
from tf1compat.api.math import math_ops
from tf1compat.core import dtypes, ops


class VectorEvent(Distribution):
    """One of which batch and event together have the shape of a tensor that it keeps."""

    _shaped_as: ClassVar[str]  # where it keeps that

    def _batch_shape_tensor(self) -> Any:
        return array_ops.shape(getattr(self, self._shaped_as))[:-1]

    def _batch_shape(self) -> Any:
        return getattr(self, self._shaped_as).get_shape().with_rank_at_least(1)[:-1]

    def _event_shape_tensor(self) -> Any:
        return array_ops.shape(getattr(self, self._shaped_as))[-1:]

    def _event_shape(self) -> Any:
        return getattr(self, self._shaped_as).get_shape().with_rank_at_least(1)[-1:]


def batch_rank_of(vectors: Any) -> Any:
    """The rank of a batch of vectors without the last dimension, an int32 scalar."""
    rank = vectors.get_shape().with_rank_at_least(1).ndims
    if rank is not None:
        return ops.convert_to_tensor(rank - 1, dtype=dtypes.int32, name="batch_rank")
    with ops.name_scope(name="batch_rank"):
        return array_ops.rank(vectors) - 1


def outer(x: Any, y: Any) -> Any:
    """The products of all elements of `x` with all of `y`: a batch of matrices."""
    return math_ops.matmul(x[..., array_ops.newaxis], y[..., array_ops.newaxis, :])
