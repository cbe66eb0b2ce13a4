"""How TPU estimators are run (`tensorflow_estimator.python.estimator.tpu.tpu_config`)."""

from __future__ import annotations

import collections
import json
import os
from typing import Any

from tf1compat.api.estimator import run_config
from tf1compat.api.estimator.tpu import util
from tf1compat.api.platform import tf_logging as logging
from tf1compat.core.attribute import attribute
from tf1compat.core.export import tf_export


@tf_export("estimator.tpu.InputPipelineConfig", "contrib.tpu.InputPipelineConfig")
class InputPipelineConfig:
    """How often the input function of a TPU estimator is called."""

    PER_SHARD_V1 = 1
    PER_HOST_V1 = 2
    PER_HOST_V2 = 3
    BROADCAST = 4
    SLICED = 5


_FIELDS = [
    "iterations_per_loop", "num_shards", "num_cores_per_replica", "per_host_input_for_training",
    "tpu_job_name", "initial_infeed_sleep_secs", "input_partition_dims",
    "eval_training_input_configuration", "experimental_host_call_every_n_steps",
]  # fmt: skip


@tf_export("estimator.tpu.TPUConfig", "contrib.tpu.TPUConfig")
class TPUConfig(collections.namedtuple("TPUConfig", _FIELDS)):
    """How a TPU is used; without one, it is checked and has no effect.

    Args:
      iterations_per_loop: how many steps are taken before the host is asked again; or how long.
      num_shards: how many cores there are.
      num_cores_per_replica: how many cores a model is split over.
      per_host_input_for_training: one of `InputPipelineConfig`, or a bool.
      tpu_job_name: the TPU's name in the cluster.
      initial_infeed_sleep_secs: how long the input waits at first.
      input_partition_dims: how inputs are split over cores.
      eval_training_input_configuration: one of `InputPipelineConfig`.
      experimental_host_call_every_n_steps: how often `host_call` is called in training.

    Raises:
      ValueError, TypeError: an argument is wrong.
    """

    def __new__(
        cls, iterations_per_loop: Any = 2, num_shards: Any = None,
        num_cores_per_replica: Any = None, per_host_input_for_training: Any = True,
        tpu_job_name: Any = None, initial_infeed_sleep_secs: Any = None,
        input_partition_dims: Any = None,
        eval_training_input_configuration: Any = InputPipelineConfig.PER_HOST_V1,
        experimental_host_call_every_n_steps: Any = 1,
    ):  # fmt: skip
        util.parse_iterations_per_loop(iterations_per_loop)
        if num_shards is not None:
            util.check_positive_integer(num_shards, "TPUConfig num_shards")
        if input_partition_dims is not None:
            if len(input_partition_dims) not in (1, 2):
                raise ValueError(
                    "input_partition_dims must be a list/tuple with one or two elements."
                )
            if per_host_input_for_training is not InputPipelineConfig.PER_HOST_V2:
                raise ValueError("input_partition_dims is only supported in PER_HOST_V2 mode.")
            if num_cores_per_replica is None:
                raise ValueError("input_partition_dims requires setting num_cores_per_replica.")
        if num_cores_per_replica not in (None, 1, 2, 4, 8, 16, 32, 64, 128):
            raise ValueError(
                "num_cores_per_replica must be 1, 2, 4, 8, 16, 32, 64, 128; got "
                f"{num_cores_per_replica}"
            )
        if eval_training_input_configuration not in (
            InputPipelineConfig.PER_HOST_V1,
            InputPipelineConfig.SLICED,
        ):
            raise ValueError(
                "eval_training_input_configuration must be PER_HOST_V1 or SLICED; got "
                f"{eval_training_input_configuration}"
            )
        if isinstance(per_host_input_for_training, bool):
            per_host_input_for_training = (
                InputPipelineConfig.PER_HOST_V1
                if per_host_input_for_training
                else InputPipelineConfig.PER_SHARD_V1
            )
        if initial_infeed_sleep_secs:
            util.check_positive_integer(
                initial_infeed_sleep_secs, "TPUConfig initial_infeed_sleep_secs"
            )
        return super().__new__(
            cls, iterations_per_loop, num_shards, num_cores_per_replica,
            per_host_input_for_training, tpu_job_name or _get_tpu_job_name_from_tf_config(),
            initial_infeed_sleep_secs, input_partition_dims, eval_training_input_configuration,
            experimental_host_call_every_n_steps,
        )  # fmt: skip


@tf_export("estimator.tpu.RunConfig", "contrib.tpu.RunConfig")
class RunConfig(run_config.RunConfig):
    """A `RunConfig` for TPU estimators.

    Args:
      tpu_config: a `TPUConfig`.
      evaluation_master, master: the targets of sessions.
      cluster: a `ClusterResolver`, instead of `master`.
      **kwargs: see `tf.estimator.RunConfig`.

    Raises:
      ValueError: an argument is wrong.
    """

    def __init__(
        self, tpu_config: Any = None, evaluation_master: Any = None, master: Any = None,
        cluster: Any = None, **kwargs: Any,
    ):  # fmt: skip
        super().__init__(**kwargs)
        self._tpu_config = tpu_config or TPUConfig()
        self._cluster = cluster
        if master is not None:
            if cluster is not None:
                raise ValueError("Both master and cluster are set.")
            self._master = master
        elif cluster:
            self._master = cluster.master()
        if evaluation_master is not None:
            self._evaluation_master = evaluation_master
        elif not self._evaluation_master and self._task_type != run_config.TaskType.EVALUATOR:
            self._evaluation_master = self._master
        if cluster:
            self._use_cluster(cluster)

    def _use_cluster(self, cluster: Any) -> None:
        self._cluster_spec = cluster.cluster_spec()
        if self._session_config is None:
            self._session_config = run_config._config_proto("ConfigProto")(
                allow_soft_placement=True, isolate_session_state=True
            )
        if self._session_config.HasField("cluster_def"):
            raise ValueError("You cannot provide a ClusterResolver and session_config.cluster_def.")
        if self._cluster_spec:
            self._session_config.cluster_def.CopyFrom(self._cluster_spec.as_cluster_def())

    def _session_config_of_cluster(self) -> Any:
        return None  # A TPU's workers see each other.

    @property
    def evaluation_master(self) -> Any:  # pyright: ignore[reportIncompatibleVariableOverride]
        """The target of sessions that evaluate."""
        return self._evaluation_master

    @property
    def master(self) -> Any:  # pyright: ignore[reportIncompatibleVariableOverride]
        """The target of sessions that train."""
        return self._master

    tpu_config: TPUConfig = attribute("_tpu_config", "How the TPU is used.")
    cluster = attribute("_cluster", "The `ClusterResolver`, or None.")

    def replace(self, **kwargs: Any) -> RunConfig:
        """A copy with other values of some arguments of the constructor, `tpu_config` too.

        Raises:
          ValueError: there is no such argument, or its value is wrong.
        """
        tpu_config = kwargs.pop("tpu_config", self._tpu_config)
        made: Any = super().replace(**kwargs)
        made._tpu_config = tpu_config
        return made


def _get_tpu_job_name_from_tf_config() -> Any:
    tf_config = json.loads(os.environ.get("TF_CONFIG", "{}"))
    name = tf_config.get("service", {}).get("tpu_worker_job_name")
    if name:
        logging.info("Load TPU job name from TF_CONFIG: %s", name)
    return name
