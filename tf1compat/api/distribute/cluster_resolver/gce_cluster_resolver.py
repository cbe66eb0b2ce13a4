"""The cluster of a group of instances of Google Compute Engine
(`tensorflow.python.distribute.cluster_resolver.gce_cluster_resolver`)."""

from __future__ import annotations

import importlib
from typing import Any

from tf1compat.api.distribute.cluster_resolver.cluster_resolver import ClusterResolver, master_of
from tf1compat.api.training.server_lib import ClusterSpec
from tf1compat.core.export import tf_export


def _new_service(credentials: Any) -> Any:
    try:
        discovery = importlib.import_module("googleapiclient.discovery")
        if credentials == "default":
            client = importlib.import_module("oauth2client.client")
            credentials = client.GoogleCredentials.get_application_default()
    except ImportError as error:
        raise ImportError(
            "googleapiclient must be installed before using the GCE cluster resolver"
        ) from error
    return discovery.build("compute", "v1", credentials=credentials)


@tf_export(
    "distribute.cluster_resolver.GCEClusterResolver",
    "contrib.cluster_resolver.GCEClusterResolver",
)
class GCEClusterResolver(ClusterResolver):
    """Asks Google Compute Engine for the instances of a group (as
    `tf.distribute.cluster_resolver.GCEClusterResolver` in TF 1.15).

    Args:
      project, zone, instance_group: the group.
      port: the port of all servers.
      task_type, task_id: what this process is.
      rpc_layer: the protocol.
      credentials: of the user; the usual ones by default.
      service: the client, if not the one of the package google-api-python-client.

    Raises:
      ImportError: there is no client.
    """

    def __init__(
        self, project: Any, zone: Any, instance_group: Any, port: Any, task_type: str = "worker",
        task_id: Any = 0, rpc_layer: str = "grpc", credentials: Any = "default",
        service: Any = None,
    ):  # fmt: skip
        self._project, self._zone, self._instance_group = project, zone, instance_group
        self._port = port
        self._task_type, self._task_id = task_type, task_id
        self.rpc_layer = rpc_layer
        self._service = _new_service(credentials) if service is None else service

    def cluster_spec(self) -> Any:
        """The cluster, asked for anew."""
        groups, addresses = self._service.instanceGroups(), []
        request = groups.listInstances(
            project=self._project, zone=self._zone, instanceGroups=self._instance_group,
            body={"instanceState": "RUNNING"}, orderBy="name",
        )  # fmt: skip
        while request is not None:
            response = request.execute()
            addresses += [self._address(x["instance"].split("/")[-1]) for x in response["items"]]
            request = groups.listInstances_next(
                previous_request=request, previous_response=response
            )
        return ClusterSpec({self._task_type: sorted(addresses)})

    def _address(self, instance: str) -> str:
        request = self._service.instances().get(
            project=self._project, zone=self._zone, instance=instance
        )
        return f"{request.execute()['networkInterfaces'][0]['networkIP']}:{self._port}"

    def master(
        self, task_type: str | None = None, task_id: Any = None, rpc_layer: str | None = None
    ) -> Any:
        """The address of this task, or of another one."""
        return master_of(self, task_type, task_id, rpc_layer)

    @property
    def task_type(self) -> Any:  # pyright: ignore[reportIncompatibleVariableOverride]
        """What this process does."""
        return self._task_type

    @task_type.setter
    def task_type(self, task_type: str) -> None:
        raise RuntimeError(
            "You cannot reset the task_type of the GCEClusterResolver after it has been created."
        )

    @property
    def task_id(self) -> Any:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Its number among those that do the same."""
        return self._task_id

    @task_id.setter
    def task_id(self, task_id: Any) -> None:
        self._task_id = task_id
