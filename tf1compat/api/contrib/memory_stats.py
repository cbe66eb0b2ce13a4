"""`tf.contrib.memory_stats`: how much of a device's memory is taken."""

from __future__ import annotations

from typing import Any

from tf1compat.core import raw_ops
from tf1compat.core.export import tf_export


@tf_export("contrib.memory_stats.BytesInUse")
def BytesInUse() -> Any:
    """How many bytes of the device's memory are taken, an int64 scalar."""
    return raw_ops.BytesInUse()


@tf_export("contrib.memory_stats.BytesLimit")
def BytesLimit() -> Any:
    """How many bytes of the device's memory may be taken, an int64 scalar."""
    return raw_ops.BytesLimit()


@tf_export("contrib.memory_stats.MaxBytesInUse")
def MaxBytesInUse() -> Any:
    """How many bytes were taken when it was most, an int64 scalar."""
    return raw_ops.MaxBytesInUse()
