"""`tensorflow.python.ops.ragged.ragged_config`: settings."""

from __future__ import annotations


def auto_cast_partition_dtype() -> bool:
    """Whether row splits of different dtypes are converted to one: they aren't."""
    return False
