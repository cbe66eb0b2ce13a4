"""Eager execution on other tasks (`tensorflow.python.eager.remote`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.training.server_lib import ClusterSpec
from tf1compat.core import eager, nest
from tf1compat.core.export import required, tf_export


@tf_export("config.experimental_connect_to_host", "contrib.eager.connect_to_remote_host")
def connect_to_remote_host(remote_host: Any = None, job_name: str = "worker") -> None:
    """Lets eager operations run on servers; see `connect_to_cluster`.

    Args:
      remote_host: the server's address, "host:port", or a list of several.
      job_name: the job that their tasks are of.

    Raises:
      ValueError: there is no address.
    """
    if not remote_host:
        raise ValueError("Must provide at least one remote_host")
    hosts = [host.removeprefix("grpc://") for host in nest.flatten(remote_host)]
    connect_to_cluster(ClusterSpec({job_name: hosts}))


@tf_export("config.experimental_connect_to_cluster")
def connect_to_cluster(
    cluster_spec_or_resolver: Any,
    job_name: str = "localhost",
    task_index: int = 0,
    protocol: str | None = None,
) -> None:
    """Lets eager operations run on the servers of a cluster, as `tf.device` says.

    Those do that compute with tensors; variables and the like stay in this process. It waits for
    the servers; tasks that it was connected to before are left.

    Args:
      cluster_spec_or_resolver: a `tf.train.ClusterSpec`, or a resolver that has one.
      job_name: this process's job.
      task_index: its number there.
      protocol: "grpc".

    Raises:
      ValueError: it is no cluster.
      NotImplementedError: this process is one of its tasks, or another protocol.
    """
    if isinstance(cluster_spec_or_resolver, ClusterSpec):
        cluster = cluster_spec_or_resolver
    elif isinstance(
        cluster_spec_or_resolver, required("distribute.cluster_resolver.ClusterResolver")
    ):
        cluster = cluster_spec_or_resolver.cluster_spec()
    else:
        raise ValueError(
            "`cluster_spec_or_resolver` must be a `ClusterSpec` or a `ClusterResolver`."
        )
    if protocol not in (None, "grpc"):
        raise NotImplementedError(f"The protocol '{protocol}' is not supported by tf1compat")
    if job_name in cluster.jobs:
        raise NotImplementedError(
            "Eager execution in a process that is itself a task of the cluster "
            f"('/job:{job_name}/task:{task_index}') is not supported by tf1compat"
        )
    eager.connect_tasks(cluster.as_cluster_def())
