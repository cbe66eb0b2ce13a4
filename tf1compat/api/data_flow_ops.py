"""`tensorflow.python.ops.data_flow_ops`: cutting and putting together by index."""

from __future__ import annotations

from typing import Any

from tf1compat.core import raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor


@tf_export("dynamic_partition")
def dynamic_partition(
    data: Any, partitions: Any, num_partitions: int, name: Any = None
) -> list[Tensor]:
    """The parts of `data`, as many as `num_partitions`: part i is where `partitions` is i.

    Args:
      data: a tensor whose shape starts with that of `partitions`.
      partitions: int32, each in [0, num_partitions).
      num_partitions: how many parts.
      name: the operation's name.
    """
    return raw_ops.DynamicPartition(data, partitions, num_partitions=num_partitions, name=name)


@tf_export("dynamic_stitch")
def dynamic_stitch(indices: Any, data: Any, name: Any = None) -> Tensor:
    """One tensor whose rows `indices[i]` are `data[i]`; later ones win."""
    return raw_ops.DynamicStitch(indices, data, name=name)


def parallel_dynamic_stitch(indices: Any, data: Any, name: Any = None) -> Tensor:
    """As `dynamic_stitch`; which of several rows wins is not said."""
    return raw_ops.ParallelDynamicStitch(indices, data, name=name)
