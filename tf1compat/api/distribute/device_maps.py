"""Which devices the parts of a distributed value are at (of `tensorflow.python.distribute.values`).

A map gives the devices of replicas, of workers, or one device that is no replica's.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from tf1compat.api.distribute import device_util
from tf1compat.core import tensor_util
from tf1compat.core.attribute import attribute


class DeviceMap:
    """The devices of values.

    Args:
      devices: their names; what they leave open is filled in.
    """

    def __init__(self, devices: Any):
        self._devices = tuple(device_util.canonicalize(d) for d in devices)

    def _refuse(self) -> Any:
        raise ValueError(f"{type(self).__name__} not indexed by replicas")

    all_devices: tuple[str, ...] = attribute("_devices", "All devices.")

    @property
    def devices_by_replica(self) -> Iterator[tuple[str]]:
        """The devices of each replica."""
        return self._refuse()

    @property
    def num_logical_devices(self) -> int:
        """How many devices a replica has."""
        return 1

    @property
    def num_replicas_in_graph(self) -> int:
        """How many values there are."""
        return len(self._devices)

    def logical_device_from_values(self, values: Any) -> int:
        """Which of a replica's devices values are at."""
        return 0

    def logical_to_actual_devices(self, logical_device_id: int) -> tuple[str, ...]:
        """The devices at a place in each replica."""
        assert logical_device_id == 0
        return self._devices

    def select_for_current_replica(self, values: Any, replica_context: Any) -> Any:
        """The value for the replica that runs."""
        raise NotImplementedError("Required for DeviceMap implementations.")

    def replica_for_device(self, device: str) -> int | None:
        """The replica at a device, or None."""
        return self._refuse()

    def select_for_device(self, values: Any, device: str) -> Any:
        """The value at a device.

        Raises:
          ValueError: there is none.
        """
        assert len(values) == len(self._devices)
        if device not in self._devices:
            raise ValueError(
                f"Device {device} not found in {self._devices} (current device "
                f"{device_util.current()})"
            )
        return values[self._devices.index(device)]

    def is_device_in_replica(self, device: str, replica_id: int) -> bool:
        """Whether a device is a replica's."""
        return self._refuse()


class SingleDeviceMap(DeviceMap):
    """One device, which is no replica's.

    Args:
      device: its name.
    """

    def __init__(self, device: str):
        assert isinstance(device, str)
        super().__init__((device,))

    def select_for_current_replica(self, values: Any, replica_context: Any) -> Any:
        assert len(values) == 1
        return values[0]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._devices[0]!r})"


class ReplicaDeviceMap(DeviceMap):
    """A device for each replica.

    Args:
      devices: their names.

    Raises:
      ValueError: two are the same.
    """

    def __init__(self, devices: Any):
        super().__init__(devices)
        _check_distinct(devices, self._devices)

    @property
    def devices_by_replica(self) -> Iterator[tuple[str]]:
        return ((device,) for device in self._devices)

    def select_for_current_replica(self, values: Any, replica_context: Any) -> Any:
        assert len(values) == len(self._devices)
        number = replica_context.replica_id_in_sync_group
        if not isinstance(number, int):
            number = tensor_util.constant_value(number)
        return values[0 if number is None else number]

    def replica_for_device(self, device: str) -> int | None:
        return self._devices.index(device) if device in self._devices else None

    def is_device_in_replica(self, device: str, replica_id: int) -> bool:
        mine = device_util.canonicalize(self._devices[replica_id])
        return device_util.canonicalize(device) == mine

    def __str__(self) -> str:
        return f"[{', '.join(self._devices)}]"

    def __repr__(self) -> str:
        return f"{type(self).__name__}([{', '.join(map(repr, self._devices))}])"


class WorkerDeviceMap(DeviceMap):
    """A device for each worker.

    Args:
      devices: their names.
      num_replicas_per_worker: how many replicas each worker has.

    Raises:
      ValueError: two are the same.
    """

    def __init__(self, devices: Any, num_replicas_per_worker: int):
        super().__init__(devices)
        _check_distinct(devices, self._devices)
        self._num_replicas_per_worker = num_replicas_per_worker

    def _refuse(self) -> Any:
        raise ValueError("`WorkerDeviceMap` is not indexed by replicas")

    num_replicas_per_worker: int = attribute(
        "_num_replicas_per_worker", "How many replicas each worker has."
    )

    def select_for_current_replica(self, values: Any, replica_context: Any) -> Any:
        return values[replica_context.replica_id_in_sync_group // self._num_replicas_per_worker]

    def select_for_device(self, values: Any, device: str) -> Any:
        return values[self._devices.index(device_util.canonicalize(device))]

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}({self._devices!r}, "
            f"num_replicas_per_worker={self._num_replicas_per_worker})"
        )


class LogicalDeviceSpec(NamedTuple):
    """A place in the replicas of a device map."""

    device_map: DeviceMap
    logical_device: int


def _check_distinct(given: Any, devices: tuple[str, ...]) -> None:
    if len(set(devices)) != len(devices):
        raise ValueError(f"Duplicate devices in {given}, after canonicalization: {devices}")


def serialized(device_map: DeviceMap) -> tuple[Any, ...]:
    """What tells a map of devices from another.

    Raises:
      ValueError: it is of an unknown kind.
    """
    if isinstance(device_map, SingleDeviceMap):
        return "single", device_map.all_devices[0]
    if isinstance(device_map, ReplicaDeviceMap):
        return "replica", device_map.all_devices
    if isinstance(device_map, WorkerDeviceMap):
        return "worker", device_map.all_devices, device_map.num_replicas_per_worker
    raise ValueError(f"PerReplicaSpec does not support device_map type {type(device_map).__name__}")


def deserialized(parts: tuple[Any, ...]) -> DeviceMap:
    """The map that `serialized` gave the parts of.

    Raises:
      ValueError: they are of none.
    """
    kinds = {"single": SingleDeviceMap, "replica": ReplicaDeviceMap, "worker": WorkerDeviceMap}
    kind, *args = parts
    if kind not in kinds:
        raise ValueError("Unexpected value in state tuple")
    return kinds[kind](*args)
