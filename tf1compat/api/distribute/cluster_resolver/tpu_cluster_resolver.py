"""TPUs by name (`tensorflow.python.distribute.cluster_resolver.tpu_cluster_resolver`)."""

from __future__ import annotations

import os
from typing import Any

from tf1compat.api.distribute.cluster_resolver.cluster_resolver import (
    ClusterResolver,
    format_master_url,
)
from tf1compat.api.training.server_lib import ClusterSpec
from tf1compat.api.util import compat
from tf1compat.core.export import tf_export

_LOCAL = ("localhost:", "/bns", "uptc://")


@tf_export(
    "distribute.cluster_resolver.TPUClusterResolver", "contrib.cluster_resolver.TPUClusterResolver"
)
class TPUClusterResolver(ClusterResolver):
    """Knows a TPU by its address.

    Names, which TF looks up in Google's cloud, are not: there is no client for it here.

    Args:
      tpu: "grpc://…", "local" or "localhost:…"; by default what the environment says.
      zone, project, credentials, service, discovery_url: for names.
      job_name: the TPU's job in the cluster.
      coordinator_name, coordinator_address: a process to be added to the cluster.

    Raises:
      ValueError: there is no TPU.
      NotImplementedError: there are several.
      ImportError: it is a name.
    """

    def __init__(
        self, tpu: Any = None, zone: Any = None, project: Any = None, job_name: str = "worker",
        coordinator_name: Any = None, coordinator_address: Any = None,
        credentials: Any = "default", service: Any = None, discovery_url: Any = None,
    ):  # fmt: skip
        if isinstance(tpu, list):
            if not tpu:
                raise ValueError("At least one TPU must be specified.")
            if len(tpu) != 1:
                raise NotImplementedError(
                    "Using multiple TPUs in a single session is not yet implemented"
                )
            tpu = tpu[0]
        if tpu is None:
            tpu = os.environ.get("KUBE_GOOGLE_CLOUD_TPU_ENDPOINTS", os.environ.get("TPU_NAME"))
        if tpu is None:
            raise ValueError("Please provide a TPU Name to connect to.")
        self._tpu = compat.as_text(tpu)
        self.task_type, self.task_id = job_name, 0
        is_local = self._tpu in ("", "local") or self._tpu.startswith(_LOCAL)
        self._environment = "google" if is_local else ""
        self.rpc_layer = None if is_local else "grpc"
        if not is_local:
            if not self._tpu.startswith("grpc://"):
                raise ImportError(
                    "googleapiclient and oauth2client must be installed before using the TPU "
                    "cluster resolver. Execute: `pip install --upgrade google-api-python-client` "
                    "and `pip install --upgrade oauth2client` to install with pip."
                )
            self._tpu = self._tpu.removeprefix("grpc://")
        elif self._tpu.startswith("/bns") and self._tpu.rpartition(":")[2].isdigit():
            self._tpu = self._tpu.rpartition(":")[0]
        self._coordinator_name = coordinator_name
        self._coordinator_address = coordinator_address

    def master(
        self, task_type: str | None = None, task_id: Any = None, rpc_layer: str | None = None
    ) -> Any:
        """The target of sessions, the first of the TPU's addresses."""
        return format_master_url(self._tpu.split(",")[0], rpc_layer or self.rpc_layer)

    def get_master(self) -> Any:
        """The target of sessions."""
        return self.master()

    def get_job_name(self) -> Any:
        """The TPU's job in the cluster; None for an address."""
        return None

    def cluster_spec(self) -> Any:
        """The TPU's addresses; None if it is local."""
        if self.rpc_layer is None:
            return None
        cluster = {
            self.task_type: [x.removeprefix(f"{self.rpc_layer}://") for x in self._tpu.split(",")]
        }
        if self._coordinator_address:
            cluster[self._coordinator_name] = [self._coordinator_address]
        return ClusterSpec(cluster)

    def num_accelerators(
        self, task_type: str | None = None, task_id: Any = None, config_proto: Any = None
    ) -> Any:
        """{"TPU": how many cores}: none."""
        return {"TPU": 0}

    @property
    def environment(self) -> Any:
        """ "google" if the TPU is local."""
        return self._environment

    def __deepcopy__(self, memo: Any) -> TPUClusterResolver:
        return self
