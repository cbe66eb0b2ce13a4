"""The devices of a session: `tf.Session.list_devices`."""

from __future__ import annotations

import functools
import random
from collections.abc import Sequence
from typing import Any

from tf1compat.core.device import canonical_name
from tf1compat.runtime.device_lib import devices_of

LOCALHOST = "/job:localhost/replica:0/task:0"


class _DeviceAttributes:
    """A device: its full name, type, memory, and a number that tells it from a later one of its
    name.
    """

    def __init__(self, name: str, device_type: str, memory_limit_bytes: int, incarnation: int):
        self.name = canonical_name(name)
        self.device_type = device_type
        self.memory_limit_bytes = memory_limit_bytes
        self.incarnation = incarnation

    def __repr__(self) -> str:
        return (
            f"_DeviceAttributes({self.name}, {self.device_type}, {self.memory_limit_bytes}, "
            f"{self.incarnation})"
        )


@functools.cache
def _incarnation(name: str) -> int:
    return random.Random().getrandbits(63)


def device_attributes(config: Any = None, task: str = LOCALHOST) -> list[_DeviceAttributes]:
    """The devices that there are, under their full names.

    Args:
      config: a `ConfigProto`, or None; see `devices_of`.
      task: the job and the task that they are of.
    """
    return [
        _DeviceAttributes(
            task + device.name,
            device.device_type,
            device.memory_limit,
            _incarnation(task + device.name),
        )
        for device in devices_of(config)
    ]


def described_device(
    name: str, device_type: str, memory_limit_bytes: int, incarnation: int
) -> _DeviceAttributes:
    """A device of another process."""
    return _DeviceAttributes(name, device_type, memory_limit_bytes, incarnation)


@functools.cache
def of_programs() -> str:
    """The device that compiled programs run on, e.g. "/device:GPU:0"."""
    import jax

    kind = jax.local_devices()[0].platform.upper()
    return f"/device:{kind}:0"


def kind_of_several() -> str | None:
    """The type of the devices of programs, if there is more than one of them: "GPU", "CPU"."""
    import jax

    devices = jax.local_devices()
    config: Any = jax.config
    chosen = config.jax_default_device
    if len(devices) < 2 or chosen not in (None, devices[0]):
        return None
    return devices[0].platform.upper()


def of_towers(numbers: Sequence[int]) -> list[Any] | None:
    """JAX's devices of these numbers. None if one is missing, or they lack the first, on which all
    other programs run."""
    import jax

    devices = jax.local_devices()
    if numbers[0] != 0 or numbers[-1] >= len(devices):
        return None
    return [devices[number] for number in numbers]
