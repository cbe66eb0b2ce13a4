"""`tensorflow.python.tpu.ops.tpu_ops`: sums and exchanges among replicas; what goes in and out of
computations while they run."""

from __future__ import annotations

import re
from typing import Any

from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.tpu import tpu_function
from tf1compat.core import dtypes, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import DTypeLike, Name, ShapeLike, TensorLike

_FED_DTYPES = [
    dtypes.float32, dtypes.int32, dtypes.complex64, dtypes.int64, dtypes.bool, dtypes.bfloat16,
    dtypes.uint32,
]  # fmt: skip


def _all_replicas() -> list[list[int]]:
    shards = tpu_function.get_tpu_context().number_of_shards
    if shards is None:
        logging.warning(
            "cross_replica_sum should be used within a tpu_shard_context, but got unset "
            "number_of_shards. Assuming 1."
        )
        shards = 1
    return [list(range(shards))]


@tf_export("tpu.cross_replica_sum", "contrib.tpu.cross_replica_sum")
def cross_replica_sum(x: TensorLike, group_assignment: Any = None, name: Name = None) -> Tensor:
    """The sum of a tensor over replicas (as `tf.tpu.cross_replica_sum` in TF 1.15).

    Args:
      x: numbers of any shape.
      group_assignment: int32 [groups, replicas]; all replicas by default.
      name: the operation's name.

    Returns:
      A tensor of x's shape.
    """
    if group_assignment is None:
        group_assignment = _all_replicas()
    return raw_ops.CrossReplicaSum(input=x, group_assignment=group_assignment, name=name)


def all_to_all(
    x: Any, concat_dimension: int, split_dimension: int, split_count: int,
    group_assignment: Any = None, name: Name = None,
) -> Tensor:  # fmt: skip
    """Each replica's parts of a tensor from all replicas, joined.

    Args:
      x: what this replica has.
      concat_dimension: along which axis parts are joined.
      split_dimension, split_count: along which axis, and into how many parts, it is split.
      group_assignment: int32 [groups, replicas]; all replicas by default.
      name: the operation's name.
    """
    if group_assignment is None:
        group_assignment = _all_replicas()
    return raw_ops.AllToAll(
        x, group_assignment, concat_dimension=concat_dimension, split_dimension=split_dimension,
        split_count=split_count, name=name,
    )  # fmt: skip


def collective_permute(x: Any, source_target_pairs: Any, name: Name = None) -> Tensor:
    """What another replica has, zeros if none sends to this one.

    Args:
      x: what this replica has.
      source_target_pairs: int32 [pairs, 2]: who sends to whom.
      name: the operation's name.
    """
    return raw_ops.CollectivePermute(x, source_target_pairs, name=name)


def _check_fed(dtype: DTypeLike) -> None:
    if dtype not in _FED_DTYPES:
        raise TypeError(
            f"{dtype} is not a supported TPU infeed type. Supported types are: {_FED_DTYPES}"
        )


@tf_export("contrib.tpu.infeed_dequeue")
def infeed_dequeue(dtype: DTypeLike, shape: ShapeLike, name: Name = None) -> Tensor:
    """Records what takes a value that is fed to a running computation; no device here runs it.

    Args:
      dtype: the value's dtype.
      shape: its shape.
      name: the operation's name.

    Returns:
      A tensor.

    Raises:
      TypeError: values of that dtype are not fed.
    """
    _check_fed(dtype)
    return raw_ops.InfeedDequeue(dtype=dtype, shape=shape, name=name)


@tf_export("contrib.tpu.infeed_dequeue_tuple")
def infeed_dequeue_tuple(dtypes: Any, shapes: Any, name: Name = None) -> Any:
    """As `infeed_dequeue`, of several values.

    Args:
      dtypes: the values' dtypes.
      shapes: their shapes.
      name: the operation's name.

    Returns:
      Tensors.

    Raises:
      TypeError: values of such a dtype are not fed.
    """
    for dtype in dtypes:
        _check_fed(dtype)
    return raw_ops.InfeedDequeueTuple(dtypes=dtypes, shapes=shapes, name=name)


for _name in (
    "InfeedEnqueue", "InfeedEnqueueTuple", "OutfeedDequeue", "OutfeedDequeueTuple",
    "OutfeedEnqueue", "OutfeedEnqueueTuple",
):  # fmt: skip
    _snake = re.sub("(?<=[a-z])(?=[A-Z])", "_", _name).lower()
    globals()[_snake] = tf_export(f"contrib.tpu.{_snake}")(getattr(raw_ops, _name))
