"""`tf.contrib.tpu.Topology` (`tensorflow.python.tpu.topology`)."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.core import own_protos
from tf1compat.core.attribute import attribute
from tf1compat.core.export import tf_export


def _device(job: str | None, task: int, device: str) -> str:
    return f"{'' if job is None else f'/job:{job}'}/task:{task}/device:{device}"


@tf_export("contrib.tpu.Topology")
class Topology:
    """Where the TPUs of a system lie (as `tf.contrib.tpu.Topology` in TF 1.15).

    Args:
      serialized: a serialized `TopologyProto`, in place of the other arguments.
      mesh_shape: the numbers of cores along x, y, and on a chip.
      device_coordinates: int32 [tasks, devices, 3]: where each lies.

    Raises:
      ValueError: these describe no topology.
    """

    def __init__(
        self, serialized: bytes | None = None, mesh_shape: Any = None,
        device_coordinates: Any = None,
    ):  # fmt: skip
        self._serialized = serialized
        if serialized:
            self._parse(serialized)
        else:
            self._mesh_shape = np.asarray(mesh_shape, np.int32)
            self._device_coordinates = np.asarray(device_coordinates, np.int32)
            if len(self._mesh_shape) != 3 or np.any(self._mesh_shape < 1):
                raise ValueError(
                    f"`mesh_shape` must be a sequence of 3 positive entries; got {self._mesh_shape}"
                )
            sizes = self._device_coordinates.shape
            if len(sizes) != 3 or sizes[2] != len(self._mesh_shape):
                raise ValueError(
                    "`device_coordinates` must be a rank 3 int32 array with minor dimension equal "
                    "to the mesh shape rank"
                )
        places = tuple(np.moveaxis(self._device_coordinates, -1, 0))
        counts = self._device_coordinates.shape[:2]
        self._tasks, self._devices = (np.full(self._mesh_shape, -1, np.int32) for _ in range(2))
        self._tasks[places], self._devices[places] = np.indices(counts, np.int32)

    def _parse(self, serialized: bytes) -> None:
        proto = own_protos.message("TopologyProto").FromString(serialized)
        self._mesh_shape = np.array(proto.mesh_shape, np.int32)
        if len(self._mesh_shape) != 3 or np.any(self._mesh_shape < 1):
            raise ValueError(
                f"`mesh_shape` must be a vector of size 3 with positive entries; got "
                f"{self._mesh_shape}"
            )
        for field in ("num_tasks", "num_tpu_devices_per_task"):
            if getattr(proto, field) < 0:
                raise ValueError(f"`{field}` must be >= 0; got {getattr(proto, field)}")
        sizes = (proto.num_tasks, proto.num_tpu_devices_per_task, len(proto.mesh_shape))
        if len(proto.device_coordinates) != np.prod(sizes):
            raise ValueError(
                f"`device_coordinates` must have shape num_tasks ({sizes[0]}) * "
                f"num_tpu_devices_per_task ({sizes[1]}) * len(mesh_shape) "
                f"({list(proto.mesh_shape)}); got shape {len(proto.device_coordinates)}"
            )
        coordinates = np.array(proto.device_coordinates, np.int32)
        if np.any(coordinates < 0):
            raise ValueError("`device_coordinates` must be >= 0")
        self._device_coordinates = coordinates.reshape(sizes)

    mesh_shape: np.ndarray = attribute(
        "_mesh_shape", "int32 [3]: the numbers of cores along each axis."
    )

    @property
    def mesh_rank(self) -> int:
        """The number of axes."""
        return len(self._mesh_shape)

    device_coordinates: np.ndarray = attribute(
        "_device_coordinates", "int32 [tasks, devices, axes]: where each device lies."
    )

    @property
    def num_tasks(self) -> int:
        """The number of tasks."""
        return self._device_coordinates.shape[0]

    @property
    def num_tpus_per_task(self) -> int:
        """The number of devices of a task."""
        return self._device_coordinates.shape[1]

    def task_ordinal_at_coordinates(self, device_coordinates: Any) -> Any:
        """The task whose device lies there."""
        return self._tasks[tuple(device_coordinates)]

    def tpu_device_ordinal_at_coordinates(self, device_coordinates: Any) -> Any:
        """The number, in its task, of the device that lies there."""
        return self._devices[tuple(device_coordinates)]

    def cpu_device_name_at_coordinates(
        self, device_coordinates: Any, job: str | None = None
    ) -> str:
        """The CPU of the task whose device lies there."""
        return _device(job, self.task_ordinal_at_coordinates(device_coordinates), "CPU:0")

    def tpu_device_name_at_coordinates(
        self, device_coordinates: Any, job: str | None = None
    ) -> str:
        """The device that lies there."""
        number = self.tpu_device_ordinal_at_coordinates(device_coordinates)
        task = self.task_ordinal_at_coordinates(device_coordinates)
        return _device(job, task, f"TPU:{number}")

    def serialized(self) -> bytes:
        """The topology as a serialized `TopologyProto`."""
        if self._serialized is None:
            self._serialized = own_protos.message("TopologyProto")(
                mesh_shape=self._mesh_shape.tolist(),
                num_tasks=self.num_tasks,
                num_tpu_devices_per_task=self.num_tpus_per_task,
                device_coordinates=self._device_coordinates.ravel().tolist(),
            ).SerializeToString()
        return self._serialized
