"""`tf.contrib.tpu.device_assignment` (`tensorflow.python.tpu.device_assignment`)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.tpu.topology import Topology
from tf1compat.core.attribute import attribute
from tf1compat.core.export import tf_export


@tf_export("tpu.experimental.DeviceAssignment", "contrib.tpu.DeviceAssignment")
class DeviceAssignment:
    """Which cores of a system of TPUs a replicated computation runs on.

    Args:
      topology: a `Topology`.
      core_assignment: int32 [replicas, cores of a replica, axes]: where each core lies.

    Raises:
      ValueError: these describe no assignment.
    """

    def __init__(self, topology: Any, core_assignment: Any):
        if not isinstance(topology, Topology):
            raise ValueError(f"topology must be a Topology object, got {type(topology)}")
        cores = np.asarray(core_assignment, np.int32)
        if cores.ndim != 3:
            raise ValueError(
                f"core_assignment must be a rank 3 numpy array, got shape {cores.shape}"
            )
        if cores.shape[-1] != topology.mesh_rank:
            raise ValueError(
                "minor dimension of core_assignment must have size equal to topology rank "
                f"({topology.mesh_rank}), got shape {cores.shape}"
            )
        self._topology = topology
        self._core_assignment = cores
        self._replicas: dict[tuple[int, int], list[int]] = {}
        for replica, own in enumerate(cores):
            for core, place in enumerate(own):
                task = int(topology.task_ordinal_at_coordinates(place))
                self._replicas.setdefault((task, core), []).append(replica)

    topology: Topology = attribute("_topology", "The topology.")

    @property
    def num_cores_per_replica(self) -> int:
        """The number of cores of a replica."""
        return self._core_assignment.shape[1]

    @property
    def num_replicas(self) -> int:
        """The number of replicas."""
        return self._core_assignment.shape[0]

    core_assignment: np.ndarray = attribute(
        "_core_assignment", "int32 [replicas, cores of a replica, axes]: where each core lies."
    )

    def coordinates(self, replica: int, logical_core: int) -> tuple[Any, ...]:
        """Where a core of a replica lies."""
        return tuple(self._core_assignment[replica, logical_core, :])

    def lookup_replicas(self, task_id: int, logical_core: int) -> list[int]:
        """The replicas of which a task has a core.

        Raises:
          ValueError: there is none.
        """
        found = self._replicas.get((task_id, logical_core))
        if found is None:
            raise ValueError(
                f"Can not find any replica in task: {task_id} contains logical_core: "
                f"{logical_core} "
            )
        return found

    def tpu_ordinal(self, replica: int = 0, logical_core: int = 0) -> Any:
        """The number, in its task, of the device of a core."""
        place = self.coordinates(replica, logical_core)
        return self._topology.tpu_device_ordinal_at_coordinates(place)

    def host_device(self, replica: int = 0, logical_core: int = 0, job: str | None = None) -> str:
        """The CPU of the task that has a core."""
        place = self.coordinates(replica, logical_core)
        return self._topology.cpu_device_name_at_coordinates(place, job=job)

    def tpu_device(self, replica: int = 0, logical_core: int = 0, job: str | None = None) -> str:
        """The device of a core."""
        place = self.coordinates(replica, logical_core)
        return self._topology.tpu_device_name_at_coordinates(place, job=job)

    @staticmethod
    def build(
        topology: Any, computation_shape: Any = None, computation_stride: Any = None,
        num_replicas: int = 1,
    ) -> DeviceAssignment:  # fmt: skip
        """See `device_assignment`."""
        return device_assignment(topology, computation_shape, computation_stride, num_replicas)


def _ring(height: int, width: int) -> list[tuple[int, int]]:
    """The places of a grid in an order in which each lies beside the one before, the last beside
    the first: along the first row, to and fro through the others, and up the first column."""
    if height == 1 or width == 1:
        return [(i, j) for i in range(height) for j in range(width)]
    if height % 2:
        logging.warning("Odd dimension")
        return [(i % height, i // height) for i in range(width * height)]
    inner = [
        (i, j)
        for i in range(height)
        for j in (range(width - 1, 0, -1) if i % 2 else range(1, width))
    ]
    return [(0, 0), *inner, *((i, 0) for i in range(height - 1, 0, -1))]


def _vector(name: str, value: Any, rank: int) -> np.ndarray:
    found = np.ones(rank, np.int32) if value is None else np.asarray(value, np.int32)
    if found.shape != (rank,):
        raise ValueError(f"{name} must have shape [{rank}]; got {found.shape}")
    return found


def _grid_of_replicas(count: int, most: np.ndarray) -> list[int]:
    """A grid for so many replicas that is as near to a cube as fits."""
    grid = [0] * len(most)
    left, axes = count, len(most)
    for size, axis in sorted((int(size), -axis) for axis, size in enumerate(most)):
        if not left:
            break
        grid[-axis] = min(math.ceil(left ** (1.0 / axes)), size)
        left = -(-left // grid[-axis])
        axes -= 1
    return grid


@tf_export("contrib.tpu.device_assignment")
def device_assignment(
    topology: Any, computation_shape: Any = None, computation_stride: Any = None,
    num_replicas: int = 1,
) -> DeviceAssignment:  # fmt: skip
    """Packs replicas into a system of TPUs (as `tf.contrib.tpu.device_assignment` in TF 1.15).

    Args:
      topology: a `Topology`, or a serialized one.
      computation_shape: int32 [axes]: the block of cores of a replica; one core by default.
      computation_stride: int32 [axes]: how far apart the cores are; 1 by default.
      num_replicas: how many replicas there are.

    Returns:
      A `DeviceAssignment`.

    Raises:
      ValueError: they do not fit in.
    """
    if isinstance(topology, bytes):
        topology = Topology(serialized=topology)
    if not isinstance(topology, Topology):
        raise ValueError(f"`topology` is not a Topology object; got {type(topology)}")
    mesh, rank = topology.mesh_shape, topology.mesh_rank
    shape = _vector("computation_shape", computation_shape, rank)
    stride = _vector("computation_stride", computation_stride, rank)
    for name, value in (("computation_shape", shape), ("computation_stride", stride)):
        if np.any(value < 1):
            raise ValueError(f"{name} must be positive; got {name}={value}")
    footprint = shape * stride
    if np.any(footprint > mesh):
        raise ValueError(
            f"computation footprint {footprint} does not fit in TPU topology shape {mesh}"
        )
    most = mesh // footprint * stride
    if num_replicas > np.prod(most):
        raise ValueError(
            f"requested {num_replicas} replicas but only {np.prod(most)} replicas with shape "
            f"{shape} and computation_stride {stride} fit in a TPU mesh of shape {mesh}"
        )
    grid = _grid_of_replicas(num_replicas, most)
    in_rings = (
        rank == 3 and shape[-1] == 2 and np.prod(stride) == 1 and num_replicas == np.prod(most)
    )
    logging.info(f"enable_2d_tiling: {in_rings}")
    if in_rings:
        inner = [(x, y, z) for x, y in _ring(*shape[:2].tolist()) for z in range(2)]
        outer = [(x * shape[0], y * shape[1], 0) for x, y in _ring(*grid[:2])]
        places = np.array(outer)[:num_replicas, None, :] + np.array(inner)
    else:
        where = np.stack(np.unravel_index(np.arange(num_replicas), grid or [1]), 1)
        first = where // stride * footprint + where % stride
        cores = np.stack(np.meshgrid(*map(np.arange, shape), indexing="ij"), -1)
        places = first[:, None, :] + cores.reshape(-1, rank) * stride
    return DeviceAssignment(topology, places)
