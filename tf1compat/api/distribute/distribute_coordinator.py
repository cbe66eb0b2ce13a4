"""`tensorflow.python.distribute.distribute_coordinator`: calls a function for the workers of a
cluster, each with its part of a strategy and with its server.
"""

from __future__ import annotations

import contextlib
import copy
import json
import os
import threading
import time
from collections.abc import Callable
from typing import Any, NoReturn

from tf1compat.api.distribute import distribute_coordinator_context as contexts
from tf1compat.api.distribute import multi_worker_util
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.training import coordinator, server_lib
from tf1compat.core import protos
from tf1compat.core.attribute import attribute
from tf1compat.core.export import find, tf_export


class _TaskType:
    CHIEF = "chief"
    WORKER = "worker"
    PS = "ps"
    EVALUATOR = "evaluator"
    CLIENT = "client"


_TRAINING = (_TaskType.CHIEF, _TaskType.WORKER)


class CoordinatorMode:
    """Who calls the function of a worker.

    Attributes:
      STANDALONE_CLIENT: one process, for all workers, which are servers.
      INDEPENDENT_WORKER: each worker, for itself.
    """

    STANDALONE_CLIENT = "standalone_client"
    INDEPENDENT_WORKER = "independent_worker"


class _Barrier(threading.Barrier):
    """Where so many threads wait for each other, as often as they like."""

    def __init__(self, num_participants: int):
        super().__init__(num_participants)


def _new_config(**options: Any) -> Any:
    return protos.load("config_pb2", "ConfigProto")(**options)


def _get_num_workers(cluster_spec: Any) -> int:
    """How many tasks train, the chief included."""
    jobs = cluster_spec.as_dict() if cluster_spec else {}
    return sum(len(jobs.get(job, ())) for job in _TRAINING)


class _WorkerContext:
    """What a worker's function may ask, by `get_current_worker_context`; a `with` block around it.

    Args:
      strategy: the worker's.
      cluster_spec: a `ClusterSpec`; none where nothing is distributed.
      task_type, task_id: the worker's task; None if its graph is that of all workers.
      session_config: a `ConfigProto` of its sessions.
      rpc_layer: the protocol of servers.
      worker_barrier: where workers of this process wait for each other.
    """

    def __init__(
        self, strategy: Any, cluster_spec: Any, task_type: str | None, task_id: Any,
        session_config: Any = None, rpc_layer: str | None = "grpc", worker_barrier: Any = None,
    ):  # fmt: skip
        self._strategy = strategy
        self._cluster_spec = cluster_spec
        self._task_type, self._task_id = task_type, task_id
        self._session_config = session_config
        self._worker_barrier = worker_barrier
        self._rpc_layer = rpc_layer
        self._master_target = self._get_master_target()
        self._num_workers = _get_num_workers(cluster_spec)
        self._is_chief_node = self._is_chief()

    def _debug_message(self) -> str:
        if not self._cluster_spec:
            return "[local]"
        task = f"task_type: {self.task_type!r}, task_id: {self.task_id!r}"
        return f"[cluster_spec: {self._cluster_spec!r}, {task}]"

    def __enter__(self) -> None:
        if contexts.get_current_worker_context():
            raise ValueError(
                "You cannot run distribute coordinator in a `worker_fn`.\t" + self._debug_message()
            )
        contexts._worker_context.current = self

    def __exit__(self, *exc_info: Any) -> None:
        contexts._worker_context.current = None

    def _get_master_target(self) -> str:
        """The target of its sessions; that of the first worker if its graph is that of all."""
        if not self._cluster_spec:
            return ""
        job, number = self._task_type, self._task_id or 0
        if not job:
            job = next(job for job in _TRAINING if job in self._cluster_spec.jobs)
            number = 0
        address = self._cluster_spec.job_tasks(job)[number]
        return f"{self._rpc_layer}://{address}" if self._rpc_layer else address

    def _is_chief(self) -> bool:
        if not self._cluster_spec or self._task_type is None:
            return True
        if self._task_type == _TaskType.WORKER:
            return self._task_id == 0 and _TaskType.CHIEF not in self._cluster_spec.jobs
        return self._task_type in (_TaskType.CHIEF, _TaskType.EVALUATOR)

    def wait_for_other_workers(self) -> None:
        """Waits until all workers of this process have called it; alone it does not wait."""
        if self._worker_barrier:
            self._worker_barrier.wait()

    def session_creator(
        self,
        scaffold: Any = None,
        config: Any = None,
        checkpoint_dir: str | None = None,
        checkpoint_filename_with_path: str | None = None,
        max_wait_secs: float = 7200,
    ) -> Any:
        """What makes sessions with the worker's server.

        Args:
          scaffold: a `Scaffold`.
          config: a `ConfigProto`; what the worker's says goes before it.
          checkpoint_dir, checkpoint_filename_with_path: what variables are restored from.
          max_wait_secs: how long a worker that does not initialize variables waits for it.

        Returns:
          A `ChiefSessionCreator` or a `WorkerSessionCreator`.
        """
        session_config = self._session_config
        if config:
            session_config = copy.deepcopy(config)
            session_config.MergeFrom(self._session_config)
        initializes = not self._strategy or self._strategy.extended.experimental_should_init
        kind = "chief" if initializes else "worker"
        logging.info("Creating %s session creator with config: %r", kind, config)
        if not initializes:
            return find("train.WorkerSessionCreator")(
                scaffold, self._master_target, session_config, max_wait_secs
            )
        return find("train.ChiefSessionCreator")(
            scaffold,
            master=self._master_target,
            config=session_config,
            checkpoint_dir=checkpoint_dir,
            checkpoint_filename_with_path=checkpoint_filename_with_path,
        )

    @property
    def session_config(self) -> Any:
        """A copy of the `ConfigProto`."""
        return copy.deepcopy(self._session_config)

    @property
    def cluster_spec(self) -> Any:
        """A copy of the `ClusterSpec`."""
        return copy.deepcopy(self._cluster_spec)

    @property
    def has_barrier(self) -> bool:
        """Whether workers can wait for each other."""
        return self._worker_barrier is not None

    @property
    def distributed_mode(self) -> bool:
        """Whether it trains in a cluster."""
        return bool(self._cluster_spec) and self._task_type != _TaskType.EVALUATOR

    task_type: str | None = attribute("_task_type", "The task's type, or None.")
    task_id: Any = attribute("_task_id", "The task's number, or None.")
    master_target: str = attribute("_master_target", "The target of sessions.")
    is_chief: bool = attribute("_is_chief_node", "Whether it leads.")
    num_workers: int = attribute("_num_workers", "How many workers there are.")
    experimental_should_init: bool = attribute(
        "_strategy.extended.experimental_should_init", "Whether it initializes variables."
    )
    should_checkpoint: bool = attribute(
        "_strategy.extended.should_checkpoint", "Whether it writes checkpoints."
    )
    should_save_summary: bool = attribute(
        "_strategy.extended.should_save_summary", "Whether it writes summaries."
    )


# Workers.


def _run_single_worker(
    worker_fn: Callable[[Any], Any], strategy: Any, cluster_spec: Any, task_type: str | None,
    task_id: Any, session_config: Any, rpc_layer: str | None = "", worker_barrier: Any = None,
    coord: Any = None,
) -> Any:  # fmt: skip
    """Calls a worker's function with a copy of the strategy that knows the task."""
    session_config, strategy = copy.deepcopy((session_config, strategy))
    if task_type != _TaskType.EVALUATOR:
        assert strategy
        strategy.configure(session_config, cluster_spec, task_type, task_id)
    elif strategy:
        strategy.configure(session_config)
    worker = _WorkerContext(
        strategy, cluster_spec, task_type, task_id, session_config, rpc_layer, worker_barrier
    )
    stopping = coord.stop_on_exception() if coord else contextlib.nullcontext()
    with worker, stopping:
        return worker_fn(strategy)


class _Client:
    """The process that calls functions for the tasks of a cluster, whose servers run elsewhere.

    Args:
      cluster_spec: the cluster.
      session_config: a `ConfigProto`.
      rpc_layer: the protocol of servers.
    """

    def __init__(self, cluster_spec: Any, session_config: Any, rpc_layer: str | None):
        self._cluster_spec, self._session_config = cluster_spec, session_config
        self._rpc_layer = rpc_layer
        self._coord = coordinator.Coordinator()
        self._threads: list[threading.Thread] = []

    def call(
        self, fn: Any, strategy: Any, job: str | None, number: Any, barrier: Any = None
    ) -> Any:
        """Calls a function as a task."""
        return _run_single_worker(
            fn, strategy, self._cluster_spec, job, number, self._session_config, self._rpc_layer,
            barrier, self._coord,
        )  # fmt: skip

    def begin(self, *call: Any) -> None:
        """The same in a thread."""
        self._threads.append(threading.Thread(target=self.call, args=call))
        self._threads[-1].start()

    def begin_evaluator(self, fn: Any, strategy: Any) -> None:
        """Begins the evaluator, if there is one."""
        if _TaskType.EVALUATOR in self._cluster_spec.jobs:
            self.begin(fn, strategy, _TaskType.EVALUATOR, 0)

    def join(self) -> None:
        """Waits for all threads; raises what one of them raised."""
        if self._threads:
            self._coord.join(self._threads)


def _run_between_graph_client(
    worker_fn: Any, strategy: Any, eval_fn: Any, eval_strategy: Any, cluster_spec: Any,
    session_config: Any, rpc_layer: str | None,
) -> None:  # fmt: skip
    """Calls a function for each worker, in threads: each has a graph of its own."""
    client = _Client(cluster_spec, session_config, rpc_layer)
    client.begin_evaluator(eval_fn, eval_strategy)
    barrier = _Barrier(_get_num_workers(cluster_spec))
    jobs = cluster_spec.as_dict()
    for job in _TRAINING:
        for number in range(len(jobs.get(job, ()))):
            client.begin(worker_fn, strategy, job, number, barrier)
    client.join()


def _run_in_graph_client(
    worker_fn: Any, strategy: Any, eval_fn: Any, eval_strategy: Any, cluster_spec: Any,
    session_config: Any, rpc_layer: str | None,
) -> Any:  # fmt: skip
    """Calls a function once: its graph is that of all workers."""
    client = _Client(cluster_spec, session_config, rpc_layer)
    client.begin_evaluator(eval_fn, eval_strategy)
    result = client.call(worker_fn, strategy, None, None)
    client.join()
    return result


# Servers.

_thread_local = threading.local()


class _RemoteServer:
    """A server that begins when a session is made with it: the first one does that."""

    def __init__(self, target: str, session_config: Any):
        self._target, self._config = target, session_config

    def start(self) -> None:
        """Makes a session."""
        logging.info(
            "Creating a remote session to start a TensorFlow server, target = %r, "
            "session_config=%r", self._target, self._config,
        )  # fmt: skip
        find("Session")(target=self._target, config=self._config)

    def join(self) -> NoReturn:
        """Waits for ever."""
        while True:
            time.sleep(60)


def _split_cluster_for_evaluator(cluster_spec: Any, task_type: str | None) -> Any:
    """The evaluator's own cluster, or that of all others: they have nothing to do with it."""
    jobs = multi_worker_util.normalize_cluster_spec(cluster_spec).as_dict()
    evaluates = task_type == _TaskType.EVALUATOR
    assert not evaluates or task_type in jobs
    return multi_worker_util.normalize_cluster_spec(
        {job: tasks for job, tasks in jobs.items() if (job == _TaskType.EVALUATOR) == evaluates}
    )


def _run_std_server(
    cluster_spec: Any = None, task_type: str | None = None, task_id: Any = None,
    session_config: Any = None, rpc_layer: str | None = None, environment: str | None = None,
) -> Any:  # fmt: skip
    """Starts the server of this thread's task; it is the same one for all calls of a thread.

    Args:
      cluster_spec, task_type, task_id: the task.
      session_config: a `ConfigProto`.
      rpc_layer: its protocol.
      environment: "google" where a session makes the server begin.
    """
    asked = (cluster_spec, task_type, task_id, repr(session_config), rpc_layer, environment)
    if getattr(_thread_local, "server", None) is not None:
        assert _thread_local.asked == asked, "This thread has a server of another task already."
        return _thread_local.server
    assert cluster_spec
    address = cluster_spec.task_address(task_type, task_id)
    target = f"{rpc_layer}://{address}" if rpc_layer else address
    if environment == "google":
        server: Any = _RemoteServer(target, session_config)
    else:
        said = ("", ()) if not session_config else (", session_config= %r", (session_config,))
        logging.info(f"Starting standard TensorFlow server, target = %r{said[0]}", target, *said[1])
        server = server_lib.Server(
            _split_cluster_for_evaluator(cluster_spec, task_type),
            job_name=task_type,
            task_index=task_id,
            config=session_config,
            protocol=rpc_layer,
        )
    server.start()
    _thread_local.server, _thread_local.asked = server, asked
    return server


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
    session_config = session_config or _new_config()
    if not any(job in cluster.jobs for job in _TRAINING):
        raise ValueError("You must have `chief` or `worker` jobs in the `cluster_spec`.")
    leader = next(job for job in _TRAINING if job in cluster.jobs)
    session_config.experimental.collective_group_leader = f"/job:{leader}/replica:0/task:0"
    server = _run_std_server(
        cluster_spec=cluster,
        task_type=config["task"]["type"],
        task_id=int(config["task"].get("index", 0)),
        session_config=session_config,
        rpc_layer=config.get("rpc_layer", "grpc"),
    )
    server.start()
    return server


def _configure_session_config_for_std_servers(
    strategy: Any, eval_strategy: Any, session_config: Any, cluster_spec: Any,
    task_type: str | None, task_id: Any,
) -> None:  # fmt: skip
    """Makes a `ConfigProto` as strategies need it of a server, which sees all other tasks."""
    if task_type != _TaskType.EVALUATOR:
        copy.deepcopy(strategy).configure(session_config, cluster_spec, task_type, task_id)
    elif eval_strategy:
        eval_strategy.configure(session_config=session_config)
    del session_config.device_filters[:]


# The coordinator.


def run_distribute_coordinator(
    worker_fn: Callable[[Any], Any],
    strategy: Any,
    eval_fn: Callable[[Any], Any] | None = None,
    eval_strategy: Any = None,
    mode: str = CoordinatorMode.STANDALONE_CLIENT,
    cluster_spec: Any = None,
    task_type: str | None = None,
    task_id: Any = None,
    session_config: Any = None,
    rpc_layer: str = "grpc",
) -> Any:
    """Calls a function for the workers of a cluster, which TF_CONFIG names if nothing else does.

    Each call has a copy of the strategy that knows its task, and may ask
    `get_current_worker_context` for the rest. As in TF 1.15.

    Args:
      worker_fn: a function of a strategy.
      strategy: the strategy. Where it has a graph for each worker
        (`experimental_between_graph`), the function is called for each.
      eval_fn: the evaluator's function; `worker_fn` by default.
      eval_strategy: the evaluator's strategy, or None.
      mode: a `CoordinatorMode`.
      cluster_spec: the cluster; none to call the functions here, one after the other.
      task_type, task_id: the task of this process, if it is one.
      session_config: a `ConfigProto`.
      rpc_layer: the protocol of servers.

    Returns:
      What the function gives; None where there is one call for each worker in this process. A
      process that is only a server never returns.

    Raises:
      ValueError: there is no such mode or task; or no such cluster.
    """
    config = json.loads(os.environ.get("TF_CONFIG", "{}"))
    if not cluster_spec:
        cluster_spec = config.get("cluster", {})
        task = config.get("task", {})
        if task:
            task_type = task.get("type", task_type)
            task_id = int(task.get("index", task_id))
    if cluster_spec:
        cluster_spec = multi_worker_util.normalize_cluster_spec(cluster_spec)
    rpc_layer = config.get("rpc_layer", rpc_layer)
    environment = config.get("environment")
    session_config = session_config or _new_config(allow_soft_placement=True)
    if not cluster_spec:
        logging.info("Running local Distribute Coordinator.")
        _run_single_worker(worker_fn, strategy, None, None, None, session_config, rpc_layer)
        if eval_fn:
            _run_single_worker(eval_fn, eval_strategy, None, None, None, session_config, rpc_layer)
        else:
            logging.warning("Skipped evaluation since `eval_fn` is not passed in.")
        return None
    logging.info(
        "Running Distribute Coordinator with mode = %r, cluster_spec = %r, task_type = %r, "
        "task_id = %r, environment = %r, rpc_layer = %r", mode, cluster_spec.as_dict(), task_type,
        task_id, environment, rpc_layer,
    )  # fmt: skip
    if mode not in (CoordinatorMode.STANDALONE_CLIENT, CoordinatorMode.INDEPENDENT_WORKER):
        raise ValueError(f"Unexpected coordinator mode: {mode!r}")
    if not eval_fn:
        logging.warning(
            "`eval_fn` is not passed in. The `worker_fn` will be used if an "
            '"evaluator" task exists in the cluster.'
        )
        eval_fn = worker_fn
    if not eval_strategy:
        logging.warning(
            "`eval_strategy` is not passed in. No distribution strategy will be used for "
            "evaluation."
        )
    is_independent = mode == CoordinatorMode.INDEPENDENT_WORKER
    if not is_independent and task_type in (_TaskType.CLIENT, None):
        between = strategy.extended.experimental_between_graph
        run = _run_between_graph_client if between else _run_in_graph_client
        return run(
            worker_fn, strategy, eval_fn, eval_strategy, cluster_spec, session_config, rpc_layer
        )
    _configure_session_config_for_std_servers(
        strategy, eval_strategy, session_config, cluster_spec, task_type, task_id
    )
    server: Any = None
    if not (is_independent and getattr(strategy.extended, "_std_server_started", False)):
        server = _run_std_server(
            cluster_spec=cluster_spec, task_type=task_type, task_id=task_id,
            session_config=session_config, rpc_layer=rpc_layer, environment=environment,
        )  # fmt: skip
    if not is_independent:
        return server.join()

    def run_as(job: str | None, number: Any, fn: Any = worker_fn, by: Any = strategy) -> Any:
        return _run_single_worker(fn, by, cluster_spec, job, number, session_config, rpc_layer)

    if task_type == _TaskType.EVALUATOR:
        return run_as(task_type, task_id, eval_fn, eval_strategy)
    if task_type in _TRAINING:
        if strategy.extended.experimental_between_graph:
            return run_as(task_type, task_id)
        if _WorkerContext(strategy, cluster_spec, task_type, task_id).is_chief:
            return run_as(None, None)
    elif task_type != _TaskType.PS:
        raise ValueError(f"Unexpected task_type: {task_type!r}")
    return server.join()
