"""`tensorflow.contrib.memory_stats.python.ops.memory_stats_ops`."""

from __future__ import annotations

from typing import Any

from tf1compat.core import raw_ops
from tf1compat.core.export import tf_export


@tf_export("contrib.memory_stats.BytesInUse")
def BytesInUse() -> Any:
    """How many bytes are in use: an int64 scalar."""
    return raw_ops.BytesInUse()


@tf_export("contrib.memory_stats.BytesLimit")
def BytesLimit() -> Any:
    """How many bytes the device has: an int64 scalar."""
    return raw_ops.BytesLimit()


@tf_export("contrib.memory_stats.MaxBytesInUse")
def MaxBytesInUse() -> Any:
    """How many bytes were in use at most: an int64 scalar."""
    return raw_ops.MaxBytesInUse()
