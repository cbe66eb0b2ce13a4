"""`tensorflow.python.distribute.device_util`: full names of devices."""

from __future__ import annotations

from typing import Any

from tf1compat.core import ops
from tf1compat.core.device import DeviceSpec


def canonicalize(d: str | None, default: str | None = None) -> str:
    """A device's full name: what it leaves open is of `default`, else the first CPU of the task.

    Raises:
      AssertionError: the type is not in capitals.
    """
    spec = DeviceSpec.from_string(d or "")
    kind = spec.device_type
    assert kind is None or kind == kind.upper(), f"Device type '{kind}' must be all-caps."
    full = DeviceSpec(replica=0, task=0, device_type="CPU", device_index=0)
    if ops.executing_eagerly_outside_functions():
        full.job = "localhost"
    for part in (default, d):
        full.merge_from(DeviceSpec.from_string(part or ""))
    return full.to_string()


def resolve(d: str | None) -> str:
    """A device's full name: what it leaves open is of the current one."""
    return canonicalize(d, default=current())


def current() -> str:
    """The device that an operation recorded now would have; "" if none is said."""
    return ops.get_default_graph().current_device()


def get_host_for_device(device: str) -> str:
    """The CPU beside a device."""
    spec = DeviceSpec.from_string(device)
    spec.device_type, spec.device_index = "CPU", 0
    return spec.to_string()


def local_devices_from_num_gpus(num_gpus: int) -> tuple[str, ...]:
    """The GPUs, or the CPU if there are none."""
    return tuple(f"/device:GPU:{i}" for i in range(num_gpus)) or ("/device:CPU:0",)


def check_colocated(variable: Any, extended: Any, is_of_strategies: bool) -> None:
    """Refuses to place variables with one that another strategy made, or none.

    Args:
      variable: with which to place them.
      extended: the strategy's extended part.
      is_of_strategies: whether it is of the kind that strategies make.

    Raises:
      ValueError: it isn't, or another one made it.
    """
    wrong = (
        "`colocate_vars_with` must only be passed a variable created in this "
        "tf.distribute.Strategy.scope(), not"
    )
    if not is_of_strategies:
        raise ValueError(f"{wrong}: {variable!r}")
    owner = variable._distribute_strategy
    if owner is None or owner.extended is not extended:
        raise ValueError(f"{wrong} {variable} created in scope: {owner}")
