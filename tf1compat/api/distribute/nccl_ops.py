"""`tensorflow.python.ops.nccl_ops`: reductions over the devices that one graph names."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

from tf1compat.core import ops, raw_ops
from tf1compat.core.device import canonical_name
from tf1compat.core.export import find

_numbers = itertools.count()


def _check_device(tensor: ops.Tensor) -> None:
    if not canonical_name(tensor.device):
        raise ValueError("Device assignment required for nccl collective ops")


def _all_reduced(reduction: str, tensors: Sequence[ops.Tensor]) -> list[ops.Tensor]:
    if not tensors:
        raise ValueError("Must pass >0 tensors to all reduce operations")
    keys = {
        "reduction": reduction, "num_devices": len(tensors), "shared_name": f"c{next(_numbers)}",
    }  # fmt: skip

    def record() -> list[ops.Tensor]:
        made = []
        for tensor in tensors:
            _check_device(tensor)
            with ops.device(tensor.device):
                made.append(raw_ops.NcclAllReduce(input=tensor, **keys))
        return made

    # One by one they would wait for each other.
    return find("function")(record)() if ops.executing_eagerly() else record()


def _all_reducer(reduction: str) -> Callable[[Any], list[ops.Tensor]]:
    def all_reduce(tensors: Any) -> list[ops.Tensor]:
        return _all_reduced(reduction, tensors)

    all_reduce.__name__ = all_reduce.__qualname__ = f"all_{reduction}"
    all_reduce.__doc__ = f"""The {reduction} of tensors of several devices, at each of them.

    Args:
      tensors: one of each device.

    Returns:
      A tensor for each device. All of them have to be run.

    Raises:
      ValueError: there are none, or one has no device.
    """
    return all_reduce


all_sum, all_prod, all_min, all_max = map(_all_reducer, ("sum", "prod", "min", "max"))


def reduce_sum(tensors: Any) -> ops.Tensor:
    """The sum of tensors of several devices, at the present one.

    Args:
      tensors: one of each device.

    Raises:
      ValueError: there are none, one has no device, or none is at the present device.
    """
    if not tensors:
        raise ValueError("Must pass >0 tensors to reduce operations")
    for tensor in tensors:
        _check_device(tensor)
    total = raw_ops.NcclReduce(input=tensors, reduction="sum")
    if all(tensor.device != total.device for tensor in tensors):
        raise ValueError("One input tensor must be assigned to current device")
    return total


def broadcast(tensor: ops.Tensor) -> ops.Tensor:
    """A tensor's value, for operations of other devices.

    Raises:
      ValueError: the tensor has no device.
    """
    _check_device(tensor)
    with ops.device(tensor.device):
        return raw_ops.NcclBroadcast(input=tensor, shape=tensor.shape)
