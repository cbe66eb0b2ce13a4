"""The cluster that TF_CONFIG describes
(`tensorflow.python.distribute.cluster_resolver.tfconfig_cluster_resolver`)."""

from __future__ import annotations

import json
import os
from typing import Any

from tf1compat.api.distribute.cluster_resolver.cluster_resolver import (
    ClusterResolver,
    format_master_url,
)
from tf1compat.api.training.server_lib import ClusterSpec
from tf1compat.core.export import tf_export


def _tf_config(key: str, default: Any = None) -> Any:
    return json.loads(os.environ.get("TF_CONFIG", "{}")).get(key, default)


@tf_export(
    "distribute.cluster_resolver.TFConfigClusterResolver",
    "contrib.cluster_resolver.TFConfigClusterResolver",
)
class TFConfigClusterResolver(ClusterResolver):
    """Reads the environment variable TF_CONFIG, each time that it is asked.

    Args:
      task_type, task_id: what this process is, if TF_CONFIG shall not say so.
      rpc_layer: the protocol.
      environment: what the cluster runs on.
    """

    def __init__(
        self, task_type: str | None = None, task_id: Any = None, rpc_layer: str | None = None,
        environment: Any = None,
    ):  # fmt: skip
        self._task_type, self._task_id = task_type, task_id
        self._rpc_layer = rpc_layer
        self._environment = environment

    @property
    def task_type(self) -> Any:  # pyright: ignore[reportIncompatibleVariableOverride]
        """What this process does."""
        if self._task_type is not None:
            return str(self._task_type)
        task = _tf_config("task", {})
        return str(task["type"]) if "type" in task else None

    @task_type.setter
    def task_type(self, task_type: str) -> None:
        self._task_type = task_type

    @property
    def task_id(self) -> Any:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Its number among those that do the same."""
        if self._task_type is not None:
            return int(self._task_id)
        task = _tf_config("task", {})
        return int(task["index"]) if "index" in task else None

    @task_id.setter
    def task_id(self, task_id: Any) -> None:
        self._task_id = task_id

    @property
    def environment(self) -> Any:
        """What the cluster runs on."""
        return self._environment

    @property
    def rpc_layer(self) -> Any:  # pyright: ignore[reportIncompatibleVariableOverride]
        """The protocol."""
        return _tf_config("rpc_layer") if self._rpc_layer is None else self._rpc_layer

    @rpc_layer.setter
    def rpc_layer(self, rpc_layer: str) -> None:
        self._rpc_layer = rpc_layer

    def num_accelerators(
        self, task_type: str | None = None, task_id: Any = None, config_proto: Any = None
    ) -> Any:
        """How many devices of each type a process has; this one by default."""
        task_type = self.task_type if task_type is None else task_type
        task_id = self.task_id if task_id is None else task_id
        return super().num_accelerators(task_type, task_id, config_proto)

    def cluster_spec(self) -> Any:
        """The cluster, empty if there is none."""
        return ClusterSpec(_tf_config("cluster", {}))

    def master(
        self, task_type: str | None = None, task_id: Any = None, rpc_layer: str | None = None
    ) -> Any:
        """The target of sessions: "" if this is the only process."""
        master = _tf_config("session_master")
        if master is not None:
            return master
        cluster = self.cluster_spec()
        jobs = cluster.jobs
        if not jobs or (len(jobs) == 1 and len(cluster.job_tasks(jobs[0])) == 1):
            return ""
        task_type = self.task_type if task_type is None else task_type
        task_id = self.task_id if task_id is None else task_id
        return format_master_url(cluster.task_address(task_type, task_id), self.rpc_layer)
