"""The cluster of Kubernetes' pods
(`tensorflow.python.distribute.cluster_resolver.kubernetes_cluster_resolver`)."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from typing import Any

from tf1compat.api.distribute.cluster_resolver.cluster_resolver import ClusterResolver, master_of
from tf1compat.api.training.server_lib import ClusterSpec
from tf1compat.core.export import tf_export


def _client(needed: bool) -> Any:
    """Kubernetes' own client, as the user's configuration sets it up; None if it is not there.

    Raises:
      ImportError: it is needed, and not installed.
    """
    try:
        client = importlib.import_module("kubernetes.client")
        importlib.import_module("kubernetes.config").load_kube_config()
    except ImportError as error:
        if not needed:
            return None
        raise ImportError(
            "The Kubernetes Python client must be installed beforeusing the Kubernetes Cluster "
            "Resolver. To install theKubernetes Python client, run `pip install kubernetes` on "
            "your command line."
        ) from error
    return client.CoreV1Api()


@tf_export(
    "distribute.cluster_resolver.KubernetesClusterResolver",
    "contrib.cluster_resolver.KubernetesClusterResolver",
)
class KubernetesClusterResolver(ClusterResolver):
    """Asks Kubernetes for running pods (as
    `tf.distribute.cluster_resolver.KubernetesClusterResolver` in TF 1.15).

    Args:
      job_to_label_mapping: job -> label selectors of its pods; `{"worker":
        ["job-name=tensorflow"]}` by default.
      tf_server_port: the port of all servers.
      rpc_layer: the protocol.
      override_client: the client, if not the one of the package kubernetes.

    Raises:
      ImportError: there is no client.
    """

    def __init__(
        self, job_to_label_mapping: Mapping[str, Sequence[str]] | None = None,
        tf_server_port: int = 8470, rpc_layer: str = "grpc", override_client: Any = None,
    ):  # fmt: skip
        _client(needed=not override_client)
        self._job_to_label_mapping = job_to_label_mapping or {"worker": ["job-name=tensorflow"]}
        self._tf_server_port = tf_server_port
        self._override_client = override_client
        self.task_type: Any = None
        self.task_id: Any = None
        self.rpc_layer = rpc_layer

    def master(
        self, task_type: str | None = None, task_id: Any = None, rpc_layer: str | None = None
    ) -> Any:
        """The address of a task."""
        return master_of(self, task_type, task_id, rpc_layer)

    def cluster_spec(self) -> Any:
        """The cluster, asked for anew.

        Raises:
          RuntimeError: a pod does not run.
        """
        client = self._override_client or _client(needed=True)
        cluster: dict[str, list[str]] = {}
        for job, selectors in self._job_to_label_mapping.items():
            cluster[job] = []
            for selector in selectors:
                pods = client.list_pod_for_all_namespaces(label_selector=selector).items
                for pod in sorted(pods, key=lambda pod: pod.metadata.name):
                    if pod.status.phase != "Running":
                        raise RuntimeError(
                            f'Pod "{pod.metadata.name}" is not running; phase: "{pod.status.phase}"'
                        )
                    cluster[job].append(f"{pod.status.host_ip}:{self._tf_server_port}")
        return ClusterSpec(cluster)
