"""The devices of a session: `tf.Session.list_devices`."""

from __future__ import annotations

import functools
import random
from typing import Any

from tf1compat.core.device import canonical_name
from tf1compat.runtime.device_lib import list_local_devices

_PREFIX = "/job:localhost/replica:0/task:0"


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


def device_attributes(config: Any = None) -> list[_DeviceAttributes]:
    """The CPU and the accelerators that JAX sees, under their full names.

    Args:
      config: a `ConfigProto`, whose `device_count` says how many CPUs there are to be, or None.
    """
    found = []
    for device in list_local_devices():
        names = [device.name]
        if device.device_type == "CPU" and config is not None:
            count = config.device_count.get("CPU", 1)
            names = [f"/device:CPU:{i}" for i in range(max(count, 1))]
        for name in names:
            full = _PREFIX + name
            found.append(
                _DeviceAttributes(full, device.device_type, device.memory_limit, _incarnation(full))
            )
    return found
