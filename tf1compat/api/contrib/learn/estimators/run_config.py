"""How estimators are run (`tensorflow.contrib.learn.python.learn.estimators.run_config`)."""

from __future__ import annotations

import collections
import json
import os
from typing import Any

from tf1compat.api.contrib.framework.experimental import experimental
from tf1compat.api.estimator import run_config as core
from tf1compat.api.training import server_lib
from tf1compat.api.util.deprecation import deprecated
from tf1compat.core.attribute import attribute
from tf1compat.core.export import tf_export

_MAY_DIFFER = (
    "tf_random_seed",
    "save_summary_steps",
    "save_checkpoints_steps",
    "save_checkpoints_secs",
    "session_config",
    "keep_checkpoint_max",
    "keep_checkpoint_every_n_hours",
    "log_step_count_steps",
)


class Environment:
    """Where a cluster runs."""

    CLOUD = "cloud"
    GOOGLE = "google"
    LOCAL = "local"


@tf_export("contrib.learn.TaskType")
class TaskType:
    """What a process of a cluster does."""

    MASTER = "master"
    PS = "ps"
    WORKER = "worker"


def _tf_config() -> dict[str, Any]:
    return json.loads(os.environ.get("TF_CONFIG") or "{}")


class ClusterConfig:
    """What TF_CONFIG says of the cluster.

    Args:
      master, evaluation_master: the targets of sessions, instead.

    Raises:
      ValueError: the task is not in the cluster.
    """

    def __init__(self, master: Any = None, evaluation_master: Any = None):
        config = _tf_config()
        self._task_type = config.get("task", {}).get("type")
        self._task_id = self.get_task_id()
        self._cluster_spec = server_lib.ClusterSpec(config.get("cluster", {}))
        if master is None:
            master = _get_master(self._cluster_spec, self._task_type, self._task_id)
        self._master = master
        jobs = self._cluster_spec.as_dict() if self._cluster_spec else {}
        self._num_ps_replicas = len(jobs.get("ps", []))
        self._num_worker_replicas = len(jobs.get("worker", [])) + len(jobs.get("master", []))
        self._environment = config.get("environment", Environment.LOCAL)
        is_cloud = self._environment == Environment.CLOUD
        chiefs = (None, TaskType.MASTER if is_cloud else TaskType.WORKER)
        self._is_chief = self._task_type in chiefs and self._task_id == 0
        self._evaluation_master = evaluation_master or ""

    environment = attribute("_environment", "One of `Environment`.")
    cluster_spec = attribute("_cluster_spec", "The cluster's `ClusterSpec`.")
    evaluation_master = attribute("_evaluation_master", "The target of sessions that evaluate.")
    is_chief = attribute("_is_chief", "Whether this process is the chief.")
    master = attribute("_master", "The target of sessions.")
    num_ps_replicas = attribute("_num_ps_replicas", "How many parameter servers there are.")
    num_worker_replicas = attribute("_num_worker_replicas", "How many workers there are.")
    task_id = attribute("_task_id", "The number of this process among those of its type.")
    task_type = attribute("_task_type", "What this process does.")

    @staticmethod
    def get_task_id() -> int:
        """The number of this process among those that do the same."""
        return int(_tf_config().get("task", {}).get("index") or 0)


def _get_master(cluster_spec: Any, task_type: str, task_id: int) -> str:
    if not cluster_spec or not task_type:
        return ""
    jobs = cluster_spec.jobs
    if len(jobs) == 1 and len(cluster_spec.job_tasks(jobs[0])) == 1:
        return ""
    if task_type not in jobs:
        raise ValueError(
            f"{task_type} is not a valid task_type in the cluster_spec:\n{cluster_spec}\n\nNote "
            "that these values may be coming from the TF_CONFIG environment variable."
        )
    addresses = cluster_spec.job_tasks(task_type)
    if not 0 <= task_id < len(addresses):
        raise ValueError(
            f"{task_id} is not a valid task_id for task_type {task_type} in the cluster_spec:\n"
            f"{cluster_spec}\n\nNote that these value may be coming from the TF_CONFIG environment "
            "variable."
        )
    return "grpc://" + addresses[task_id]


@tf_export("contrib.learn.RunConfig")
class RunConfig(ClusterConfig, core.RunConfig):
    """A `tf.estimator.RunConfig` with the arguments of the first estimators.

    Args:
      master, evaluation_master: the targets of sessions.
      num_cores, log_device_placement, gpu_memory_fraction: go into `tf_config`, which nothing uses.
      The others: see `tf.estimator.RunConfig`.

    Raises:
      ValueError: TF_CONFIG is wrong.
    """

    _USE_DEFAULT = 0

    @deprecated(
        None, "When switching to tf.estimator.Estimator, use tf.estimator.RunConfig instead."
    )
    def __init__(
        self, master: Any = None, num_cores: int = 0, log_device_placement: bool = False,
        gpu_memory_fraction: float = 1, tf_random_seed: Any = None,
        save_summary_steps: Any = 100, save_checkpoints_secs: Any = _USE_DEFAULT,
        save_checkpoints_steps: Any = None, keep_checkpoint_max: Any = 5,
        keep_checkpoint_every_n_hours: Any = 10000, log_step_count_steps: Any = 100,
        protocol: Any = None, evaluation_master: Any = "", model_dir: str | None = None,
        session_config: Any = None, session_creation_timeout_secs: Any = 7200,
    ):  # fmt: skip
        ClusterConfig.__init__(self, master=master, evaluation_master=evaluation_master)
        self._train_distribute = self._eval_distribute = self._device_fn = None
        self._experimental_max_worker_delay_secs = None
        options = core._config_proto("GPUOptions")(
            per_process_gpu_memory_fraction=gpu_memory_fraction
        )
        self._tf_config = core._config_proto("ConfigProto")(
            log_device_placement=log_device_placement, inter_op_parallelism_threads=num_cores,
            intra_op_parallelism_threads=num_cores, gpu_options=options,
        )  # fmt: skip
        self._tf_random_seed = tf_random_seed
        self._save_summary_steps = save_summary_steps
        if save_checkpoints_secs == RunConfig._USE_DEFAULT:
            save_checkpoints_secs = 600 if save_checkpoints_steps is None else None
        self._save_checkpoints_secs = save_checkpoints_secs
        self._save_checkpoints_steps = save_checkpoints_steps
        self._log_step_count_steps = log_step_count_steps
        self._protocol = protocol
        self._session_config = session_config
        self._keep_checkpoint_max = keep_checkpoint_max
        self._keep_checkpoint_every_n_hours = keep_checkpoint_every_n_hours
        self._model_dir = core._get_model_dir(_tf_config(), model_dir)
        self._session_creation_timeout_secs = session_creation_timeout_secs

    tf_config = attribute("_tf_config", "A ConfigProto of the first arguments.")

    @experimental
    def uid(self, whitelist: Any = None) -> str:
        """A text of what two configurations of one experiment have in common.

        Args:
          whitelist: the names of the properties that may differ; by default those that say how
            the model is trained and where it is kept.
        """
        left_out = {f"_{name}" for name in (_MAY_DIFFER if whitelist is None else whitelist)}
        state = {key: value for key, value in vars(self).items() if key not in left_out}
        if "_cluster_spec" in state:
            jobs = sorted(state["_cluster_spec"].as_dict().items())
            state["_cluster_spec"] = collections.OrderedDict(jobs)
        return ", ".join(f"{key}={state[key]!r}" for key in sorted(state))
