"""`tf.config` (`tensorflow.python.framework.config`): the devices there are, and settings.

What a setting would change in TF is XLA's to decide here: it is only remembered.
"""

from __future__ import annotations

import collections
from typing import Any

from tf1compat.core.export import tf_export
from tf1compat.runtime.device_lib import list_local_devices

_settings: dict[str, Any] = {"soft_placement": False, "inter_op": 0, "intra_op": 0}
_memory_growth: dict[Any, bool] = {}


class PhysicalDevice(
    collections.namedtuple("PhysicalDevice", ["name", "device_type"])  # noqa: PYI024
):
    """A device of this machine."""


class LogicalDevice(
    collections.namedtuple("LogicalDevice", ["name", "device_type"])  # noqa: PYI024
):
    """A device that operations can be placed on."""


def _devices(make: Any, prefix: str, device_type: str | None) -> list[Any]:
    return [
        make(device.name.replace("/device:", prefix), device.device_type)
        for device in list_local_devices()
        if device_type is None or device.device_type == device_type
    ]


@tf_export("config.experimental.list_physical_devices")
def list_physical_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    """The devices of this machine: those that JAX sees.

    Args:
      device_type: only those of this type, e.g. "GPU".
    """
    return _devices(PhysicalDevice, "/physical_device:", device_type)


@tf_export("config.experimental.get_visible_devices")
def get_visible_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    """The devices that programs may use: all.

    Args:
      device_type: only those of this type, e.g. "GPU".
    """
    return list_physical_devices(device_type)


@tf_export("config.experimental.list_logical_devices")
def list_logical_devices(device_type: str | None = None) -> list[LogicalDevice]:
    """The devices that operations can be placed on.

    Args:
      device_type: only those of this type, e.g. "GPU".
    """
    return _devices(LogicalDevice, "/job:localhost/replica:0/task:0/device:", device_type)


def _check_device(device: Any) -> None:
    if device not in list_physical_devices():
        raise ValueError(f"Unrecognized device: {device!r}")


@tf_export("config.experimental.get_memory_growth")
def get_memory_growth(device: Any) -> bool:
    """Whether a device's memory is to be taken as it is needed.

    Raises:
      ValueError: there is no such device.
    """
    _check_device(device)
    return _memory_growth.get(device, False)


@tf_export("config.experimental.set_memory_growth")
def set_memory_growth(device: Any, enable: bool) -> None:
    """Says whether a GPU's memory is to be taken as it is needed: JAX decides, when it starts.

    Raises:
      ValueError: there is no such device, or it is no GPU.
    """
    _check_device(device)
    if device.device_type != "GPU":
        raise ValueError("Cannot set memory growth on non-GPU devices")
    _memory_growth[device] = enable


@tf_export("config.get_soft_device_placement")
def get_soft_device_placement() -> bool:
    """Whether operations may go to another device than they ask for."""
    return _settings["soft_placement"]


@tf_export("config.set_soft_device_placement")
def set_soft_device_placement(enabled: bool) -> None:
    """Says whether operations may go to another device than they ask for."""
    _settings["soft_placement"] = enabled


@tf_export("config.threading.get_inter_op_parallelism_threads")
def get_inter_op_parallelism_threads() -> int:
    """How many operations may run at once; 0 lets the system decide."""
    return _settings["inter_op"]


@tf_export("config.threading.set_inter_op_parallelism_threads")
def set_inter_op_parallelism_threads(num_threads: int) -> None:
    """Says how many operations may run at once."""
    _settings["inter_op"] = num_threads


@tf_export("config.threading.get_intra_op_parallelism_threads")
def get_intra_op_parallelism_threads() -> int:
    """How many threads an operation may use; 0 lets the system decide."""
    return _settings["intra_op"]


@tf_export("config.threading.set_intra_op_parallelism_threads")
def set_intra_op_parallelism_threads(num_threads: int) -> None:
    """Says how many threads an operation may use."""
    _settings["intra_op"] = num_threads
