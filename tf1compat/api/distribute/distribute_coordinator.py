"""The server of a task (`tensorflow.python.distribute.distribute_coordinator`, a part of it)."""

from __future__ import annotations

import json
import os
from typing import Any

from tf1compat.api.distribute import multi_worker_util
from tf1compat.api.training import server_lib
from tf1compat.core import protos
from tf1compat.core.export import tf_export


@tf_export("contrib.distribute.run_standard_tensorflow_server")
def run_standard_tensorflow_server(session_config: Any = None) -> Any:
    """Starts the server of the task that the environment variable TF_CONFIG names.

    As in TF 1.15.

    Args:
      session_config: a `ConfigProto`; its `collective_group_leader` is set.

    Returns:
      The `tf.train.Server`.

    Raises:
      ValueError: TF_CONFIG says too little.
    """
    config = json.loads(os.environ.get("TF_CONFIG", "{}"))
    if "cluster" not in config:
        raise ValueError('"cluster" is not found in TF_CONFIG.')
    cluster = multi_worker_util.normalize_cluster_spec(config["cluster"])
    if "task" not in config:
        raise ValueError('"task" is not found in TF_CONFIG.')
    if "type" not in config["task"]:
        raise ValueError('"task_type" is not found in the `task` part of TF_CONFIG.')
    session_config = session_config or protos.load("config_pb2", "ConfigProto")()
    if "chief" not in cluster.jobs and "worker" not in cluster.jobs:
        raise ValueError("You must have `chief` or `worker` jobs in the `cluster_spec`.")
    leader = "chief" if "chief" in cluster.jobs else "worker"
    session_config.experimental.collective_group_leader = f"/job:{leader}/replica:0/task:0"
    server = server_lib.Server(
        cluster,
        job_name=config["task"]["type"],
        task_index=int(config["task"].get("index", 0)),
        protocol=config.get("rpc_layer", "grpc"),
        config=session_config,
    )
    server.start()
    return server
