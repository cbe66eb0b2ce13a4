"""`tensorflow.python.ops.collective_ops`: what members at several devices, or in several processes,
do together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tf1compat.core import ops, raw_ops
from tf1compat.core.device import canonical_name


def _check(what: str, group_size: int, tensor: ops.Tensor | None = None) -> None:
    """That a member has a device, and is not alone."""
    if tensor is not None and not canonical_name(tensor.device):
        raise ValueError("Device assignment required for collective ops")
    if group_size <= 1:
        raise ValueError(f"Parameter group_size to {what} must be at least 2.")


def all_reduce(
    t: ops.Tensor, group_size: int, group_key: int, instance_key: int, merge_op: str, final_op: str,
    subdiv_offsets: Sequence[int] = (0,), communication_hint: str = "auto",
) -> ops.Tensor:  # fmt: skip
    """Reduces the tensors of a group; each member gets the result.

    Args:
      t: this member's tensor, at a device.
      group_size, group_key: how many members there are, and the number of the group.
      instance_key: the number of what they do together.
      merge_op: joins two tensors: "Add", "Mul", "Min" or "Max".
      final_op: comes last: "Id" or "Div", by the size of the group.
      subdiv_offsets, communication_hint: have no meaning here.

    Raises:
      ValueError: the tensor has no device, or the group is too small.
    """
    _check("all_reduce", group_size, t)
    return raw_ops.CollectiveReduce(
        input=t, group_size=group_size, group_key=group_key, instance_key=instance_key,
        merge_op=merge_op, final_op=final_op, subdiv_offsets=list(subdiv_offsets),
        communication_hint=communication_hint,
    )  # fmt: skip


def all_gather(
    t: ops.Tensor, group_size: int, group_key: int, instance_key: int,
    communication_hint: str = "auto",
) -> ops.Tensor:  # fmt: skip
    """Joins the tensors of a group along the first axis. See `all_reduce`."""
    _check("all_gather", group_size, t)
    return raw_ops.CollectiveGather(
        input=t, shape=[0], group_size=group_size, group_key=group_key, instance_key=instance_key,
        communication_hint=communication_hint,
    )  # fmt: skip


def broadcast_send(
    t: ops.Tensor, shape: Any, dtype: Any, group_size: int, group_key: int, instance_key: int,
    communication_hint: str = "auto",
) -> ops.Tensor:  # fmt: skip
    """Sends a tensor to the others of a group.

    Args:
      t: the tensor, at a device.
      shape, dtype: its own, which the others are told, too.
      group_size, group_key, instance_key, communication_hint: see `all_reduce`.

    Raises:
      ValueError: the tensor has no device, another shape or dtype, or the group is too small.
    """
    _check("broadcast_send", group_size, t)
    if t.shape != shape:
        raise ValueError("Shape of broadcast_send tensor not equal to delcared shape")
    if t.dtype != dtype:
        raise ValueError("Type of broadcast_send tensor not equal to declared type")
    return raw_ops.CollectiveBcastSend(
        input=t, shape=shape, group_size=group_size, group_key=group_key,
        instance_key=instance_key, communication_hint=communication_hint,
    )  # fmt: skip


def broadcast_recv(
    shape: Any, dtype: Any, group_size: int, group_key: int, instance_key: int,
    communication_hint: str = "auto",
) -> ops.Tensor:  # fmt: skip
    """The tensor that a member of a group sends. See `broadcast_send`."""
    _check("broadcast_send", group_size)  # The name is TF's.
    return raw_ops.CollectiveBcastRecv(
        T=dtype, shape=shape, group_size=group_size, group_key=group_key,
        instance_key=instance_key, communication_hint=communication_hint,
    )  # fmt: skip
