"""`tensorflow.contrib.memory_stats.python.ops.memory_stats_ops`."""

from __future__ import annotations

from tf1compat.core import raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor


@tf_export("contrib.memory_stats.BytesInUse")
def BytesInUse() -> Tensor:
    """How many bytes are in use: an int64 scalar."""
    return raw_ops.BytesInUse()


@tf_export("contrib.memory_stats.BytesLimit")
def BytesLimit() -> Tensor:
    """How many bytes the device has: an int64 scalar."""
    return raw_ops.BytesLimit()


@tf_export("contrib.memory_stats.MaxBytesInUse")
def MaxBytesInUse() -> Tensor:
    """How many bytes were in use at most: an int64 scalar."""
    return raw_ops.MaxBytesInUse()
