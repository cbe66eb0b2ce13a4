"""Horovod's operations: `horovod.tensorflow.mpi_ops`."""

from __future__ import annotations

import re
from typing import Any

from tf1compat.api.horovod import basics
from tf1compat.core import context, raw_ops
from tf1compat.core.tensor import Tensor


def _named(kind: str, tensor: Any, name: str | None) -> str | None:
    """The name of an operation: that of its tensor, so that it is the same in all processes."""
    if name is not None or context.executing_eagerly():
        return name
    return f"Horovod{kind}_" + re.sub("[^a-zA-Z0-9_]", "_", tensor.name)


def _check(process_set: Any) -> int:
    if process_set.process_set_id != 0:
        raise NotImplementedError("Some of the processes only: not supported by tf1compat")
    return 0


def _allreduce(
    tensor: Any, name: str | None = None, op: int = basics.Sum, prescale_factor: float = 1.0,
    postscale_factor: float = 1.0, ignore_name_scope: bool = False,
    process_set: Any = basics.global_process_set,
) -> Tensor:  # fmt: skip
    """A reduction of a tensor over all processes; see `horovod.tensorflow.allreduce`."""
    return raw_ops.HorovodAllreduce(
        tensor=tensor, reduce_op=op, prescale_factor=prescale_factor,
        postscale_factor=postscale_factor, ignore_name_scope=ignore_name_scope,
        process_set_id=_check(process_set), name=_named("Allreduce", tensor, name),
    )  # fmt: skip


def allgather(
    tensor: Any, name: str | None = None, ignore_name_scope: bool = False,
    process_set: Any = basics.global_process_set,
) -> Tensor:  # fmt: skip
    """The tensors of all processes, joined along their first dimension, in the order of ranks.

    Args:
      tensor: of rank 1 or more; the first dimension may be another one in each process.
      name: of the operation, by which it finds that of the other processes.
      ignore_name_scope: whether it is found without the name scope.
      process_set: all processes.
    """
    return raw_ops.HorovodAllgather(
        tensor=tensor, ignore_name_scope=ignore_name_scope, process_set_id=_check(process_set),
        name=_named("Allgather", tensor, name),
    )  # fmt: skip


def broadcast(
    tensor: Any, root_rank: int, name: str | None = None, ignore_name_scope: bool = False,
    process_set: Any = basics.global_process_set,
) -> Tensor:  # fmt: skip
    """The tensor of one process, in all of them.

    Args:
      tensor: of the same dtype and shape in all.
      root_rank: the process whose tensor it is.
      name, ignore_name_scope, process_set: see `allgather`.
    """
    return raw_ops.HorovodBroadcast(
        tensor=tensor, root_rank=root_rank, ignore_name_scope=ignore_name_scope,
        process_set_id=_check(process_set), name=_named("Broadcast", tensor, name),
    )  # fmt: skip


def size_op(process_set_id: int = 0, name: str | None = None) -> Tensor:
    """How many processes there are when it is run, an int32 scalar."""
    return raw_ops.HorovodSize(process_set_id=process_set_id, name=name)


def local_size_op(name: str | None = None) -> Tensor:
    """How many processes are on this machine when it is run."""
    return raw_ops.HorovodLocalSize(name=name)


def rank_op(name: str | None = None) -> Tensor:
    """The number of the process that runs it."""
    return raw_ops.HorovodRank(name=name)


def local_rank_op(name: str | None = None) -> Tensor:
    """The number of the process that runs it, on its machine."""
    return raw_ops.HorovodLocalRank(name=name)
