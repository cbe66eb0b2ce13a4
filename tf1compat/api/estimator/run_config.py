"""How estimators are run (`tensorflow_estimator.python.estimator.run_config`)."""

from __future__ import annotations

import copy
import json
import os
from typing import Any

from tf1compat.api.estimator import distributed, util
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.training import server_lib
from tf1compat.api.util import compat
from tf1compat.core import protos
from tf1compat.core.export import tf_export

_USE_DEFAULT = object()
_DEFAULT_REPLACEABLE_LIST = [
    "model_dir",
    "tf_random_seed",
    "save_summary_steps",
    "save_checkpoints_steps",
    "save_checkpoints_secs",
    "session_config",
    "keep_checkpoint_max",
    "keep_checkpoint_every_n_hours",
    "log_step_count_steps",
    "train_distribute",
    "device_fn",
    "protocol",
    "eval_distribute",
    "experimental_distribute",
    "experimental_max_worker_delay_secs",
    "session_creation_timeout_secs",
]
_SAVE_CKPT_ERR = "`save_checkpoints_steps` and `save_checkpoints_secs` cannot be both set."
_LOCAL_MASTER = ""


class TaskType:
    """What a process of a cluster does."""

    MASTER = "master"
    PS = "ps"
    WORKER = "worker"
    CHIEF = "chief"
    EVALUATOR = "evaluator"


def _config_proto(name: str) -> Any:
    return protos.load("config_pb2", name)


def get_default_session_config(**kwargs: Any) -> Any:
    """The ConfigProto that sessions have if none is given."""
    rewriter = protos.load("rewriter_config_pb2", "RewriterConfig")
    options = rewriter(meta_optimizer_iterations=rewriter.ONE)
    graph_options = _config_proto("GraphOptions")(rewrite_options=options)
    return _config_proto("ConfigProto")(
        allow_soft_placement=True, graph_options=graph_options, **kwargs
    )


def _validate_properties(config: RunConfig) -> None:
    def is_at_least_0(value: Any) -> bool:
        return value >= 0

    def is_positive(value: Any) -> bool:
        return value > 0

    def is_int(value: Any) -> bool:
        return isinstance(value, int)

    checks: list[tuple[str, Any, str]] = [
        ("model_dir", bool, "model_dir should be non-empty"),
        ("save_summary_steps", is_at_least_0, "save_summary_steps should be >= 0"),
        ("save_checkpoints_steps", is_at_least_0, "save_checkpoints_steps should be >= 0"),
        ("save_checkpoints_secs", is_at_least_0, "save_checkpoints_secs should be >= 0"),
        (
            "session_config",
            lambda value: isinstance(value, _config_proto("ConfigProto")),
            "session_config must be instance of ConfigProto",
        ),
        ("keep_checkpoint_max", is_at_least_0, "keep_checkpoint_max should be >= 0"),
        (
            "keep_checkpoint_every_n_hours",
            is_positive,
            "keep_checkpoint_every_n_hours should be > 0",
        ),
        ("log_step_count_steps", is_positive, "log_step_count_steps should be > 0"),
        ("tf_random_seed", is_int, "tf_random_seed must be integer."),
        (
            "experimental_max_worker_delay_secs",
            is_int,
            "experimental_max_worker_delay_secs must be an integer if set.",
        ),
        (
            "session_creation_timeout_secs",
            is_positive,
            "session_creation_timeout_secs should be > 0",
        ),
        (
            "device_fn",
            lambda value: callable(value) and set(util.fn_args(value)) == {"op"},
            'device_fn must be callable with exactly one argument "op".',
        ),
        (
            "protocol",
            lambda value: value in (None, "grpc", "grpc+verbs"),
            "protocol should be grpc or grpc+verbs",
        ),
    ]
    for name, holds, message in checks:
        value = getattr(config, name)
        if value is not None and not holds(value):
            raise ValueError(message)


def _validate_save_ckpt_with_replaced_keys(config: RunConfig, replaced: set[str]) -> None:
    """Setting how often checkpoints are saved in the one way unsets the other."""
    steps, secs = config.save_checkpoints_steps, config.save_checkpoints_secs
    if {"save_checkpoints_steps", "save_checkpoints_secs"} <= replaced:
        if steps is not None and secs is not None:
            raise ValueError(_SAVE_CKPT_ERR)
    elif "save_checkpoints_steps" in replaced and steps is not None:
        config._save_checkpoints_secs = None
    elif "save_checkpoints_secs" in replaced and secs is not None:
        config._save_checkpoints_steps = None


def _task(cluster: Any, task_env: dict[str, Any], chief: str) -> tuple[str, int]:
    """The (type, index) of this process in a cluster."""
    if chief not in cluster.jobs:
        raise ValueError(f'If "cluster" is set in TF_CONFIG, it must have one "{chief}" node.')
    if len(cluster.job_tasks(chief)) > 1:
        raise ValueError(f'The "cluster" in TF_CONFIG must have only one "{chief}" node.')
    task_type, task_id = task_env.get("type"), task_env.get("index")
    if not task_type:
        raise ValueError('If "cluster" is set in TF_CONFIG, task type must be set.')
    if task_id is None:
        raise ValueError('If "cluster" is set in TF_CONFIG, task index must be set.')
    task_id = int(task_id)
    if task_id < 0:
        raise ValueError("Task index must be non-negative number.")
    if task_type == TaskType.EVALUATOR:
        return task_type, task_id
    note = (
        f"in the cluster_spec:\n{cluster}\n\nNote that these values may be coming from the "
        "TF_CONFIG environment variable."
    )
    if task_type not in cluster.jobs:
        raise ValueError(f"{task_type} is not a valid task_type {note}")
    if task_id >= len(cluster.job_tasks(task_type)):
        raise ValueError(f"{task_id} is not a valid task_id for task_type {task_type} {note}")
    return task_type, task_id


def _number(cluster: Any, task_type: str, task_id: int, chief: str) -> int:
    """The number of a process among all of a cluster: the chief is 0, parameter servers last."""
    others = sorted(job for job in cluster.jobs if job not in (chief, TaskType.PS))
    before = 0
    for job in [chief, *others, TaskType.PS]:
        if job == task_type:
            break
        before += len(cluster.job_tasks(job))
    return before + task_id


@tf_export("estimator.RunConfig")
class RunConfig:
    """How an estimator is run.

    The cluster, and what this process does in it, come from the environment variable TF_CONFIG.

    Args:
      model_dir: the folder of checkpoints and summaries.
      tf_random_seed: the graph's seed.
      save_summary_steps: how often summaries are written.
      save_checkpoints_steps, save_checkpoints_secs: how often checkpoints are; every 600 seconds
        by default. None for never.
      session_config: a ConfigProto.
      keep_checkpoint_max: how many checkpoints are kept; 0 for all.
      keep_checkpoint_every_n_hours: how often one is kept for good.
      log_step_count_steps: how often the speed is logged.
      train_distribute, eval_distribute: the `tf.distribute.Strategy` to train and evaluate by.
      experimental_distribute: a `DistributeConfig` with the strategies instead.
      device_fn: a function from operations to devices.
      protocol: of servers.
      experimental_max_worker_delay_secs: the longest time that workers wait for the chief.
      session_creation_timeout_secs: how long they wait for a session.

    Raises:
      ValueError: an argument, or TF_CONFIG, is wrong.
      NotImplementedError: `experimental_distribute` has a remote cluster.
    """

    _save_checkpoints_secs: Any
    _save_checkpoints_steps: Any
    _session_config: Any
    # Properties, made below.
    model_dir: Any
    save_checkpoints_secs: Any
    save_checkpoints_steps: Any
    session_config: Any
    log_step_count_steps: Any

    _task_of_strategy: tuple[Any, str, int] | None = None

    def __init__(
        self, model_dir: Any = None, tf_random_seed: Any = None, save_summary_steps: Any = 100,
        save_checkpoints_steps: Any = _USE_DEFAULT, save_checkpoints_secs: Any = _USE_DEFAULT,
        session_config: Any = None, keep_checkpoint_max: Any = 5,
        keep_checkpoint_every_n_hours: Any = 10000, log_step_count_steps: Any = 100,
        train_distribute: Any = None, device_fn: Any = None, protocol: Any = None,
        eval_distribute: Any = None, experimental_distribute: Any = None,
        experimental_max_worker_delay_secs: Any = None,
        session_creation_timeout_secs: Any = 7200,
    ):  # fmt: skip
        if save_checkpoints_steps is _USE_DEFAULT and save_checkpoints_secs is _USE_DEFAULT:
            save_checkpoints_steps, save_checkpoints_secs = None, 600
        elif save_checkpoints_secs is _USE_DEFAULT:
            save_checkpoints_secs = None
        elif save_checkpoints_steps is _USE_DEFAULT:
            save_checkpoints_steps = None
        elif save_checkpoints_steps is not None and save_checkpoints_secs is not None:
            raise ValueError(_SAVE_CKPT_ERR)
        tf_config = json.loads(os.environ.get("TF_CONFIG", "{}"))
        if tf_config:
            logging.info("TF_CONFIG environment variable: %s", tf_config)
        given = {"train_distribute": train_distribute, "eval_distribute": eval_distribute}
        for name in given:
            other = getattr(experimental_distribute, name, None)
            if other and given[name]:
                raise ValueError(f"Either `{name}` or`experimental_distribute.{name}` can be set.")
            given[name] = other or given[name]
        RunConfig._replace(
            self, allowed_properties_list=_DEFAULT_REPLACEABLE_LIST,
            model_dir=_get_model_dir(tf_config, compat.path_to_str(model_dir)),
            tf_random_seed=tf_random_seed, save_summary_steps=save_summary_steps,
            save_checkpoints_steps=save_checkpoints_steps,
            save_checkpoints_secs=save_checkpoints_secs, session_config=session_config,
            keep_checkpoint_max=keep_checkpoint_max,
            keep_checkpoint_every_n_hours=keep_checkpoint_every_n_hours,
            log_step_count_steps=log_step_count_steps, train_distribute=given["train_distribute"],
            device_fn=device_fn, protocol=protocol, eval_distribute=given["eval_distribute"],
            experimental_distribute=experimental_distribute,
            experimental_max_worker_delay_secs=experimental_max_worker_delay_secs,
            session_creation_timeout_secs=session_creation_timeout_secs,
        )  # fmt: skip
        if getattr(experimental_distribute, "remote_cluster", None):
            raise NotImplementedError(
                "remote_cluster in experimental_distribute of tf.estimator.RunConfig is not "
                "supported by tf1compat; start the script in each task with TF_CONFIG"
            )
        task = distributed.task_of(given["train_distribute"], tf_config)
        if task is not None:
            # What this process is for is said to the strategy when it trains.
            self._task_of_strategy = task
            tf_config = {k: v for k, v in tf_config.items() if k not in ("cluster", "task")}
        self._read_tf_config(tf_config)
        if not self._session_config and self._cluster_spec:
            self._session_config = self._session_config_of_cluster()

    def _session_config_of_cluster(self) -> Any:
        filters = {
            TaskType.MASTER: ["/job:ps", "/job:master"],
            TaskType.CHIEF: ["/job:ps", "/job:chief"],
            TaskType.WORKER: ["/job:ps", f"/job:worker/task:{self._task_id}"],
            TaskType.PS: ["/job:ps", "/job:worker", "/job:chief", "/job:master"],
        }.get(self._task_type)
        return filters and get_default_session_config(device_filters=filters)

    def _read_tf_config(self, tf_config: dict[str, Any]) -> None:
        service = tf_config.get("service")
        if service is not None and not isinstance(service, dict):
            raise TypeError(
                f'If "service" is set in TF_CONFIG, it must be a dict. Given {type(service)}'
            )
        self._service = service
        self._cluster_spec = server_lib.ClusterSpec(tf_config.get("cluster", {}))
        task_env = tf_config.get("task", {})
        if not self._cluster_spec:
            self._read_without_cluster(tf_config, task_env)
            return
        cluster = self._cluster_spec
        has_master = TaskType.MASTER in cluster.jobs
        chief = TaskType.MASTER if has_master else TaskType.CHIEF
        if has_master and TaskType.CHIEF in cluster.jobs:
            raise ValueError("If `master` node exists in `cluster`, job `chief` is not supported.")
        self._task_type, self._task_id = _task(cluster, task_env, chief)
        is_evaluator = self._task_type == TaskType.EVALUATOR
        if has_master and is_evaluator:
            raise ValueError(
                "If `master` node exists in `cluster`, task_type `evaluator` is not supported."
            )
        self._evaluation_master = _LOCAL_MASTER
        if is_evaluator:
            self._evaluation_master = tf_config.get("eval_session_master", _LOCAL_MASTER)
            self._cluster_spec = server_lib.ClusterSpec({})
            self._master = _LOCAL_MASTER
            self._num_ps_replicas = self._num_worker_replicas = 0
            self._global_id_in_cluster: int | None = None
        else:
            jobs = cluster.as_dict()
            self._global_id_in_cluster = _number(cluster, self._task_type, self._task_id, chief)
            self._master = self._session_master(tf_config)
            self._num_ps_replicas = len(jobs.get(TaskType.PS, []))
            workers = len(jobs.get(TaskType.WORKER, []))
            self._num_worker_replicas = workers + len(jobs.get(chief, []))
        self._is_chief = self._task_type == chief

    def _session_master(self, tf_config: dict[str, Any]) -> str:
        if "session_master" in tf_config:
            return tf_config["session_master"]
        jobs = self._cluster_spec.jobs
        if len(jobs) == 1 and len(self._cluster_spec.job_tasks(jobs[0])) == 1:
            return _LOCAL_MASTER
        return "grpc://" + self._cluster_spec.job_tasks(self._task_type)[self._task_id]

    def _read_without_cluster(self, tf_config: dict[str, Any], task_env: dict[str, Any]) -> None:
        self._task_type = task_env.get("type", TaskType.WORKER)
        self._task_id = int(task_env.get("index", 0))
        self._global_id_in_cluster = 0
        if self._task_type != TaskType.WORKER:
            raise ValueError('If "cluster" is not set in TF_CONFIG, task type must be WORKER.')
        if self._task_id != 0:
            raise ValueError('If "cluster" is not set in TF_CONFIG, task index must be 0.')
        self._master = tf_config.get("session_master", _LOCAL_MASTER)
        self._evaluation_master = tf_config.get("eval_session_master", _LOCAL_MASTER)
        self._is_chief = True
        self._num_ps_replicas = 0
        self._num_worker_replicas = 1

    def replace(self, **kwargs: Any) -> RunConfig:
        """A copy with other values of some arguments of the constructor.

        Raises:
          ValueError: there is no such argument, or its value is wrong.
        """
        return RunConfig._replace(
            copy.deepcopy(self), allowed_properties_list=_DEFAULT_REPLACEABLE_LIST, **kwargs
        )

    @staticmethod
    def _replace(config: Any, allowed_properties_list: Any = None, **kwargs: Any) -> Any:
        allowed = allowed_properties_list or []
        for key, value in kwargs.items():
            if key not in allowed:
                raise ValueError(
                    f"Replacing {key} is not supported. Allowed properties are {allowed}."
                )
            setattr(config, f"_{key}", value)
        _validate_save_ckpt_with_replaced_keys(config, set(kwargs))
        _validate_properties(config)
        return config


def _property(name: str, doc: str) -> Any:
    return property(lambda self: getattr(self, f"_{name}"), doc=doc)


for _name, _doc in {
    "cluster_spec": "The cluster, a `ClusterSpec`.",
    "device_fn": "A function from operations to devices, or None.",
    "evaluation_master": "The target of sessions that evaluate.",
    "is_chief": "Whether this process is the chief.",
    "master": "The target of sessions that train.",
    "num_ps_replicas": "How many parameter servers there are.",
    "num_worker_replicas": "How many workers there are, the chief included.",
    "task_id": "The number of this process among those of its type.",
    "global_id_in_cluster": "The number of this process among all that train.",
    "experimental_max_worker_delay_secs": "The longest time that workers wait for the chief.",
    "task_type": "What this process does: one of `TaskType`.",
    "tf_random_seed": "The graph's seed, or None.",
    "save_summary_steps": "How often summaries are written.",
    "save_checkpoints_secs": "How often checkpoints are written, or None.",
    "save_checkpoints_steps": "How often checkpoints are written, or None.",
    "session_config": "The ConfigProto of sessions, or None.",
    "keep_checkpoint_max": "How many checkpoints are kept.",
    "keep_checkpoint_every_n_hours": "How often a checkpoint is kept for good.",
    "session_creation_timeout_secs": "How long workers wait for a session.",
    "log_step_count_steps": "How often the speed is logged.",
    "model_dir": "The folder of checkpoints and summaries, or None.",
    "service": "What TF_CONFIG says of the platform, or None.",
    "train_distribute": "The strategy to train by, or None.",
    "eval_distribute": "The strategy to evaluate by, or None.",
    "protocol": "The protocol of servers, or None.",
}.items():
    setattr(RunConfig, _name, _property(_name, _doc))


def _get_model_dir(tf_config: dict[str, Any], model_dir: Any) -> Any:
    if model_dir == "":
        raise ValueError("model_dir should be non-empty.")
    given = tf_config.get("model_dir")
    if given == "":
        raise ValueError("model_dir in TF_CONFIG should be non-empty.")
    if given:
        if model_dir and given != model_dir:
            raise ValueError(
                "`model_dir` provided in RunConfig construct, if set, must have the same value as "
                f'the model_dir in TF_CONFIG. model_dir: {model_dir}\nTF_CONFIG["model_dir"]: '
                f"{given}.\n"
            )
        logging.info("Using model_dir in TF_CONFIG: %s", given)
    return model_dir or given
