"""The cluster that Slurm's job describes
(`tensorflow.python.distribute.cluster_resolver.slurm_cluster_resolver`)."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from typing import Any

from tf1compat.api.distribute.cluster_resolver.cluster_resolver import ClusterResolver, master_of
from tf1compat.api.training.server_lib import ClusterSpec
from tf1compat.core.export import tf_export


@tf_export(
    "distribute.cluster_resolver.SlurmClusterResolver",
    "contrib.cluster_resolver.SlurmClusterResolver",
)
class SlurmClusterResolver(ClusterResolver):
    """Asks Slurm for the nodes of the job, and puts the tasks on them in order (as
    `tf.distribute.cluster_resolver.SlurmClusterResolver` in TF 1.15).

    Args:
      jobs: job -> its number of tasks; jobs come in the order of their names.
      port_base: the port of the first task of a node.
      gpus_per_node, gpus_per_task: how many GPUs there are, and how many a task takes.
      tasks_per_node: how many tasks a node runs; SLURM_NTASKS_PER_NODE by default.
      auto_set_gpu: whether `cluster_spec` sets CUDA_VISIBLE_DEVICES to the GPUs of this task.
      rpc_layer: the protocol.

    Raises:
      RuntimeError: more GPUs or tasks are asked for than there are, or it is not known how many
        tasks a node runs.
    """

    def __init__(
        self, jobs: Mapping[str, int], port_base: int = 8888, gpus_per_node: int = 1,
        gpus_per_task: int = 1, tasks_per_node: int | None = None, auto_set_gpu: bool = True,
        rpc_layer: str = "grpc",
    ):  # fmt: skip
        rank, size = "SLURM_PROCID", "SLURM_NTASKS"
        if "OMPI_COMM_WORLD_RANK" in os.environ:
            rank, size = "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"
        self._rank = int(os.environ[rank])
        if tasks_per_node is None:
            if "SLURM_NTASKS_PER_NODE" not in os.environ:
                raise RuntimeError("Neither `tasks_per_node` or SLURM_NTASKS_PER_NODE is set.")
            tasks_per_node = int(os.environ["SLURM_NTASKS_PER_NODE"])
        if tasks_per_node * gpus_per_task > gpus_per_node:
            raise RuntimeError("Requested more GPUs per node then available.")
        if sum(jobs.values()) != int(os.environ[size]):
            raise RuntimeError("Requested more tasks then assigned tasks.")
        self._jobs = dict(sorted(jobs.items()))
        self._port_base = port_base
        self._tasks_per_node = tasks_per_node
        self._gpus_per_node, self._gpus_per_task = gpus_per_node, gpus_per_task
        self._auto_set_gpu = auto_set_gpu
        self.task_type: Any = None
        self.task_id: Any = None
        self.rpc_layer = rpc_layer

    def _resolve_hostnames(self) -> list[str]:
        """The names of the job's nodes."""
        found = subprocess.check_output(["scontrol", "show", "hostname"])
        return found.decode().strip().split("\n")

    def cluster_spec(self) -> Any:
        """The cluster, worked out anew; from then on it is known which task this process is."""
        each = self._gpus_per_task
        places = range(min(self._tasks_per_node, -(-self._gpus_per_node // each)))
        tasks = [(host, place) for host in self._resolve_hostnames() for place in places]
        addresses = [f"{host}:{self._port_base + place}" for host, place in tasks]
        cluster: dict[str, list[str]] = {}
        first = 0
        for job, count in self._jobs.items():
            cluster[job] = addresses[first : first + count]
            if first <= self._rank < first + count:
                self.task_type, self.task_id = job, self._rank - first
            first += count
        if self._auto_set_gpu is True:
            place = tasks[self._rank][1]
            own = range(place * each, (place + 1) * each)
            os.environ["CUDA_VISIBLE_DEVICES"] = ",".join(map(str, own))
        return ClusterSpec(cluster)

    def get_task_info(self) -> tuple[Any, Any]:
        """The job and the number of this process; None before `cluster_spec` was called."""
        return self.task_type, self.task_id

    def master(
        self, task_type: str | None = None, task_id: Any = None, rpc_layer: str | None = None
    ) -> Any:
        """The address of this task, or of another one."""
        return master_of(self, task_type, task_id, rpc_layer)

    def num_accelerators(
        self, task_type: str | None = None, task_id: Any = None, config_proto: Any = None
    ) -> dict[str, int]:
        """How many GPUs a node has."""
        return {"GPU": self._gpus_per_node}
