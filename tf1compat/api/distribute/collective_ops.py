"""`tensorflow.python.ops.collective_ops`: tensors that several devices exchange."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tf1compat.core import dtypes, raw_ops
from tf1compat.core.device import canonical_name
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_shape import as_shape
from tf1compat.core.typing import DTypeLike, ShapeLike


def _check_placed(tensor: Tensor) -> None:
    if not canonical_name(tensor.device):
        raise ValueError("Device assignment required for collective ops")


def _check_size(size: int, function: str) -> None:
    if size <= 1:
        raise ValueError(f"Parameter group_size to {function} must be at least 2.")


def all_reduce(
    t: Tensor,
    group_size: int,
    group_key: int,
    instance_key: int,
    merge_op: str,
    final_op: str,
    subdiv_offsets: Sequence[int] = (0,),
    communication_hint: str = "auto",
) -> Tensor:
    """Reduces the tensors of a group of devices, each of which gets the result.

    Args:
      t: this device's tensor; it says on which device it is.
      group_size: how many there are.
      group_key, instance_key: numbers of the group, and of this exchange.
      merge_op, final_op: what is done with two of them, and with the result ("Id": nothing).
      subdiv_offsets: where parts begin that go their own ways.
      communication_hint: "auto", "ring" or "nccl".

    Raises:
      ValueError: there is no device, or fewer than two of them.
    """
    _check_placed(t)
    _check_size(group_size, "all_reduce")
    return raw_ops.CollectiveReduce(
        input=t,
        group_size=group_size,
        group_key=group_key,
        instance_key=instance_key,
        merge_op=merge_op,
        final_op=final_op,
        subdiv_offsets=subdiv_offsets,
        communication_hint=communication_hint,
    )


def all_gather(
    t: Tensor,
    group_size: int,
    group_key: int,
    instance_key: int,
    communication_hint: str = "auto",
) -> Tensor:
    """Joins the tensors of a group of devices along the first dimension.

    Args:
      t: this device's tensor; it says on which device it is.
      group_size, group_key, instance_key, communication_hint: as in `all_reduce`.

    Raises:
      ValueError: there is no device, or fewer than two of them.
    """
    _check_placed(t)
    _check_size(group_size, "all_gather")
    return raw_ops.CollectiveGather(
        input=t,
        shape=[0],
        group_size=group_size,
        group_key=group_key,
        instance_key=instance_key,
        communication_hint=communication_hint,
    )


def broadcast_send(
    t: Tensor,
    shape: ShapeLike,
    dtype: DTypeLike,
    group_size: int,
    group_key: int,
    instance_key: int,
    communication_hint: str = "auto",
) -> Tensor:
    """Sends a tensor to the others of a group of devices.

    Args:
      t: the tensor; it says on which device it is.
      shape, dtype: what it is, as those that receive it are told.
      group_size, group_key, instance_key, communication_hint: as in `all_reduce`.

    Raises:
      ValueError: there is no device, or fewer than two, or the tensor is something else.
    """
    _check_placed(t)
    _check_size(group_size, "broadcast_send")
    if t.shape != as_shape(shape):
        raise ValueError("Shape of broadcast_send tensor not equal to delcared shape")
    if t.dtype != dtypes.as_dtype(dtype):
        raise ValueError("Type of broadcast_send tensor not equal to declared type")
    return raw_ops.CollectiveBcastSend(
        input=t,
        shape=shape,
        group_size=group_size,
        group_key=group_key,
        instance_key=instance_key,
        communication_hint=communication_hint,
    )


def broadcast_recv(
    shape: ShapeLike,
    dtype: DTypeLike,
    group_size: int,
    group_key: int,
    instance_key: int,
    communication_hint: str = "auto",
) -> Any:
    """The tensor that another device of the group sends.

    Args:
      shape, dtype: what it is.
      group_size, group_key, instance_key, communication_hint: as in `all_reduce`.

    Raises:
      ValueError: there are fewer than two devices.
    """
    _check_size(group_size, "broadcast_send")  # As TensorFlow's text has it.
    return raw_ops.CollectiveBcastRecv(
        shape=shape,
        T=dtype,
        group_size=group_size,
        group_key=group_key,
        instance_key=instance_key,
        communication_hint=communication_hint,
    )
