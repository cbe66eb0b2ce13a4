"""`tensorflow.python.distribute.multi_worker_test_base`: tests with several workers.

They are servers of this process, threads that each believe to be a task of its own, or processes.
"""

from __future__ import annotations

import contextlib
import copy
import json
import os
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator, MutableMapping
from typing import Any
from unittest import mock

from tf1compat.api.distribute import distribute_coordinator
from tf1compat.api.eager import context
from tf1compat.api.framework import test_util
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.training import coordinator, server_lib
from tf1compat.core import errors, nest, ops, protos
from tf1compat.core.export import find
from tf1compat.core.session_interface import SessionInterface

try:
    import portpicker  # pyright: ignore[reportMissingImports]
except ImportError:  # A socket finds ports as well.
    portpicker = None

original_run_std_server = distribute_coordinator._run_std_server

ASSIGNED_PORTS: set[int] = set()
lock = threading.Lock()

# Those of all clusters: as in TF, they run as long as the process.
_servers: list[server_lib.Server] = []


# Clusters.


def _free_port() -> int:
    if portpicker is not None:
        return portpicker.pick_unused_port()
    with socket.socket() as found:
        found.bind(("localhost", 0))
        return found.getsockname()[1]


def pick_unused_port() -> int:
    """A local port that nobody listens at, and that this function has not given before."""
    with lock:
        port = _free_port()
        while port in ASSIGNED_PORTS or port <= 10000:
            port = _free_port()
        ASSIGNED_PORTS.add(port)
    logging.info("Using local port %r", port)
    return port


def create_cluster_spec(
    has_chief: bool = False,
    num_workers: int = 1,
    num_ps: int = 0,
    has_eval: bool = False,
    test_obj: Any = None,
) -> dict[str, list[str]]:
    """A cluster at unused local ports: the addresses of each job that there is.

    Args:
      has_chief, has_eval: whether there is such a task.
      num_workers, num_ps: how many tasks there are of these jobs.
      test_obj: has no meaning any more.
    """
    counts = {
        "chief": int(has_chief),
        "worker": num_workers,
        "ps": num_ps,
        "evaluator": int(has_eval),
    }
    return {
        job: [f"localhost:{pick_unused_port()}" for _ in range(count)]
        for job, count in counts.items()
        if count
    }


def _create_cluster(
    num_workers: int,
    num_ps: int,
    has_chief: bool = False,
    has_eval: bool = False,
    protocol: str = "grpc",
    worker_config: Any = None,
    ps_config: Any = None,
    eval_config: Any = None,
) -> dict[str, list[str]]:
    """Starts the servers of a cluster in this process; see `create_cluster_spec`.

    Args:
      num_workers, num_ps, has_chief, has_eval: its tasks.
      protocol: of the servers.
      worker_config, ps_config, eval_config: their `ConfigProto`s; a chief has a worker's.
    """
    cluster = create_cluster_spec(has_chief, num_workers, num_ps, has_eval)
    configs = {"ps": ps_config, "evaluator": eval_config}
    spec = server_lib.ClusterSpec(cluster)
    _servers.extend(
        server_lib.Server(
            spec,
            job_name=job,
            task_index=number,
            protocol=protocol,
            config=configs.get(job, worker_config),
        )
        for job, addresses in cluster.items()
        for number in range(len(addresses))
    )
    return cluster


def create_in_process_cluster(
    num_workers: int,
    num_ps: int,
    has_chief: bool = False,
    has_eval: bool = False,
    rpc_layer: str = "grpc",
) -> dict[str, list[str]]:
    """A cluster of servers in this process, ready for collectives among its workers.

    Args:
      num_workers, num_ps, has_chief, has_eval: its tasks.
      rpc_layer: the protocol of the servers.

    Returns:
      The addresses of each job.
    """
    make_config = protos.load("config_pb2", "ConfigProto")
    worker_config = make_config()
    worker_config.gpu_options.per_process_gpu_memory_fraction = 0.7 / (
        num_workers + has_chief + has_eval
    )
    leader = "chief" if has_chief else "worker"
    worker_config.experimental.collective_group_leader = f"/job:{leader}/replica:0/task:0"
    with skip_if_grpc_server_cant_be_started(test_util.TensorFlowTestCase()):
        return _create_cluster(
            num_workers,
            num_ps,
            has_chief=has_chief,
            has_eval=has_eval,
            protocol=rpc_layer,
            worker_config=worker_config,
            ps_config=make_config(device_count={"GPU": 0}),
            eval_config=make_config(),
        )


@contextlib.contextmanager
def skip_if_grpc_server_cant_be_started(test_obj: Any) -> Iterator[None]:
    """Context manager: skips a test whose servers have no port to listen at."""
    try:
        yield
    except errors.UnknownError as error:
        if "Could not start gRPC server" not in str(error.message):
            raise
        test_obj.test_skipped_reason = "Cannot start std servers."
        test_obj.skipTest(test_obj.test_skipped_reason)


# What TF_CONFIG says of the task that runs.


def get_tf_config_cluster_spec() -> dict[str, list[str]]:
    """The cluster."""
    return json.loads(os.environ["TF_CONFIG"])["cluster"]


def get_tf_config_task() -> dict[str, Any]:
    """The task: its type and index."""
    return json.loads(os.environ["TF_CONFIG"])["task"]


def get_task_type() -> str:
    """The task's type."""
    return get_tf_config_task()["type"]


def get_task_index() -> int:
    """The task's index."""
    return get_tf_config_task()["index"]


def is_chief() -> bool:
    """Whether it is the worker that leads, in a cluster that has no chief."""
    leads = (get_task_type(), get_task_index()) == ("worker", 0)
    return leads and "chief" not in get_tf_config_cluster_spec()


def _tf_config(cluster_spec: Any, task_type: str | None, task_id: Any) -> dict[str, Any]:
    task = {"task": {"type": task_type, "index": task_id}} if task_type else {}
    return {"cluster": cluster_spec, **task}


def _for_each_task(
    cluster_spec: dict[str, list[str]], begin: Callable[[str, int], Any]
) -> dict[str, list[Any]]:
    """What `begin` gives for each task, by job."""
    return {
        job: [begin(job, number) for number in range(len(addresses))]
        for job, addresses in cluster_spec.items()
    }


# Test cases.


class MultiWorkerTestBase(test_util.TensorFlowTestCase):
    """Tests whose sessions are with the first of two workers, beside a parameter server."""

    _cluster_spec: dict[str, list[str]]
    _default_target: str

    @classmethod
    def setUpClass(cls) -> None:
        """Starts the cluster."""
        cls._cluster_spec = create_in_process_cluster(num_workers=2, num_ps=1)
        cls._default_target = f"grpc://{cls._cluster_spec['worker'][0]}"

    def setUp(self) -> None:
        """Forgets the last test's session, whose configuration and target may be others."""
        self._thread_local = threading.local()
        self._thread_local.cached_session = None
        self._coord = coordinator.Coordinator()

    def _create_config(self, config: Any) -> Any:
        """A copy of a `ConfigProto` whose graphs are run as they are."""
        if config is None:
            created = protos.load("config_pb2", "ConfigProto")(allow_soft_placement=True)
        else:
            created = copy.deepcopy(config)
        created.graph_options.optimizer_options.opt_level = -1
        rewriter = protos.load("rewriter_config_pb2", "RewriterConfig")
        created.graph_options.rewrite_options.constant_folding = rewriter.OFF
        return created

    def _session(self, graph: Any, config: Any, target: str | None) -> Any:
        target = self._default_target if target is None else target
        return find("Session")(target=target, graph=graph, config=self._create_config(config))

    @contextlib.contextmanager
    def session(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, graph: Any = None, config: Any = None, target: str | None = None
    ) -> Iterator[SessionInterface]:
        """Context manager: a session with the cluster, which ends with the block.

        Args:
          graph: its graph.
          config: a `ConfigProto`.
          target: a server's target; that of the first worker by default.
        """
        with self._session(graph, config, target) as session:
            yield session

    @contextlib.contextmanager
    def cached_session(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, graph: Any = None, config: Any = None, target: str | None = None
    ) -> Iterator[SessionInterface]:
        """Context manager: this thread's session with the cluster, one for the whole test.

        Args:
          graph: not read, as in TF 1.15: it is that of the first call's surroundings.
          config, target: as in `session`, of the first call.
        """
        session = getattr(self._thread_local, "cached_session", None)
        if session is None:
            session = self._thread_local.cached_session = self._session(None, config, target)
        with session.graph.as_default(), session.as_default():
            yield session

    def _run_client(
        self, client_fn: Callable[..., Any], task_type: str, task_id: int, num_gpus: int,
        eager_mode: bool, *args: Any, **kwargs: Any,
    ) -> None:  # fmt: skip
        """Calls `client_fn(task_type, task_id, num_gpus, ...)` eagerly, or so that it records."""
        mode = context.eager_mode() if eager_mode else context.graph_mode()
        with mode, self._coord.stop_on_exception():
            client_fn(task_type, task_id, num_gpus, *args, **kwargs)

    def _run_between_graph_clients(
        self, client_fn: Callable[..., Any], cluster_spec: Any, num_gpus: int,
        *args: Any, **kwargs: Any,
    ) -> None:  # fmt: skip
        """Calls a function for the chief and for each worker, in threads, and waits for all.

        Args:
          client_fn: a function of a task's type and id and of `num_gpus`.
          cluster_spec: the tasks of each job.
          num_gpus: how many GPUs a worker has.
          *args, **kwargs: what the function takes besides.
        """
        tasks = {job: cluster_spec.get(job, ()) for job in ("chief", "worker")}
        mode = context.executing_eagerly()

        def begin(job: str, number: int) -> threading.Thread:
            thread = threading.Thread(
                target=self._run_client,
                args=(client_fn, job, number, num_gpus, mode, *args),
                kwargs=kwargs,
            )
            thread.start()
            return thread

        self._coord.join(nest.flatten(_for_each_task(tasks, begin)))


class MockOsEnv(MutableMapping[str, str]):
    """Variables of the environment, of which each thread has a TF_CONFIG of its own.

    Args:
      *args: what they begin with, as a dict takes it.
    """

    def __init__(self, *args: Any):
        self._shared: dict[str, str] = dict(*args)
        self._own = threading.local()

    def _place(self, key: str) -> dict[str, str]:
        return self._of_thread() if key == "TF_CONFIG" else self._shared

    def _of_thread(self) -> dict[str, str]:
        if not hasattr(self._own, "variables"):
            self._own.variables = {}
        return self._own.variables

    def __getitem__(self, key: str) -> str:
        return self._place(key)[key]

    def __setitem__(self, key: str, val: str) -> None:
        self._place(key)[key] = val

    def __delitem__(self, key: str) -> None:
        del self._place(key)[key]

    def __iter__(self) -> Iterator[str]:
        yield from self._of_thread()
        yield from self._shared

    def __len__(self) -> int:
        return len(self._of_thread()) + len(self._shared)

    def copy(self) -> dict[str, str]:
        """The variables as this thread sees them."""
        return dict(self)


class IndependentWorkerTestBase(test_util.TensorFlowTestCase):
    """Tests whose threads are workers: each has a TF_CONFIG of its own."""

    def setUp(self) -> None:
        """Gives threads variables of their own; a barrier for servers is the test's to make."""
        self._coord = coordinator.Coordinator()
        self._thread_local = threading.local()
        self._barrier: Any = None
        super().setUp()
        # What runs in the threads looks for the user's settings too.
        variables = {k: v for k, v in os.environ.items() if k != "TF_CONFIG"}
        self._mock_os_env = MockOsEnv(variables)
        self._mock_context = mock.patch.object(os, "environ", self._mock_os_env)
        self._mock_context.__enter__()

    def tearDown(self) -> None:
        """Gives the process its variables back."""
        self._mock_context.__exit__(None, None, None)
        super().tearDown()

    def _make_mock_run_std_server(self) -> Callable[..., Any]:
        """What starts a thread's server and then, the first time, waits for all others'
        (`self._barrier`): so no server's port is taken by a session.
        """

        def run(*args: Any, **kwargs: Any) -> Any:
            with skip_if_grpc_server_cant_be_started(self):
                server = original_run_std_server(*args, **kwargs)
            if not getattr(self._thread_local, "server_started", False):
                self._barrier.wait()
                self._thread_local.server_started = True
            return server

        return run

    def _task_thread(
        self, task_fn: Callable[..., Any], tf_config: Any, executing_eagerly: bool,
        *args: Any, **kwargs: Any,
    ) -> None:  # fmt: skip
        """What a thread does: calls `task_fn` in an environment with this TF_CONFIG."""
        with contextlib.ExitStack() as around:
            around.enter_context(self._coord.stop_on_exception())
            os.environ["TF_CONFIG"] = json.dumps(tf_config)
            if not executing_eagerly:
                around.enter_context(ops.Graph().as_default())
            mode = context.eager_mode if executing_eagerly else context.graph_mode
            around.enter_context(mode())
            task_fn(*args, **kwargs)

    def _run_task_in_thread(
        self, task_fn: Callable[..., Any], cluster_spec: Any, task_type: str | None, task_id: Any,
        *args: Any, **kwargs: Any,
    ) -> threading.Thread:  # fmt: skip
        """Calls a function in a new thread as a task.

        Args:
          task_fn: the function.
          cluster_spec, task_type, task_id: the task.
          *args, **kwargs: what the function takes; `tf_config` is the thread's TF_CONFIG, if it is
            not to be made of the task.

        Returns:
          The thread, which runs.
        """
        config = kwargs.pop("tf_config", None)
        if config is None:
            config = _tf_config(cluster_spec, task_type, task_id)
        thread = threading.Thread(
            target=self._task_thread,
            args=(task_fn, config, context.executing_eagerly(), *args),
            kwargs=kwargs,
        )
        thread.start()
        return thread

    def run_multiple_tasks_in_threads(
        self, task_fn: Callable[..., Any], cluster_spec: Any, *args: Any, **kwargs: Any
    ) -> dict[str, list[threading.Thread]]:
        """Calls a function, which starts its server, in a thread for each task of a cluster.

        Returns:
          The threads of each job.
        """
        return _for_each_task(
            cluster_spec,
            lambda job, number: self._run_task_in_thread(
                task_fn, cluster_spec, job, number, *args, **dict(kwargs)
            ),
        )

    def join_independent_workers(self, worker_threads: Any) -> None:
        """Waits for threads; raises what one of them raised."""
        with skip_if_grpc_server_cant_be_started(self):
            self._coord.join(worker_threads)


class MultiWorkerMultiProcessTest(test_util.TensorFlowTestCase):
    """Tests whose workers are processes."""

    def _run_task_in_process(
        self, cmd_args: Any, cluster_spec: Any, task_type: str, task_id: int
    ) -> subprocess.Popen[bytes]:
        """Runs a command as a task."""
        config = json.dumps(_tf_config(cluster_spec, task_type, task_id))
        return subprocess.Popen(
            cmd_args,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "TF_CONFIG": config},
        )

    def run_multiple_tasks_in_processes(
        self, cmd_args: Any, cluster_spec: Any
    ) -> dict[str, list[subprocess.Popen[bytes]]]:
        """Runs a command for each task of a cluster.

        Args:
          cmd_args: the command and its arguments.
          cluster_spec: the tasks of each job.

        Returns:
          The processes of each job.
        """
        return _for_each_task(
            cluster_spec,
            lambda job, number: self._run_task_in_process(cmd_args, cluster_spec, job, number),
        )

    def join_independent_workers(self, worker_processes: Any) -> None:
        """Waits for processes, all of which must end well."""
        for process in nest.flatten(worker_processes):
            # What they write is read, as they would wait for it; it may have been already.
            with contextlib.suppress(ValueError):
                process.communicate()
        for process in nest.flatten(worker_processes):
            self.assertEqual(process.wait(), 0)

    def stream_stderr(self, processes: Any, print_only_first: bool = False) -> None:
        """Reads what processes write to stderr until they end, and prints it.

        Args:
          processes: the processes of each job.
          print_only_first: whether only what the first of each job writes is printed.
        """

        def read(process: subprocess.Popen[bytes], job: str, number: int) -> None:
            for line in process.stderr or ():
                if not (print_only_first and number):
                    print(f"{job}{number} {line.strip()}", flush=True)
            process.wait()

        threads = [
            threading.Thread(target=read, args=(process, job, number))
            for job, of_job in processes.items()
            for number, process in enumerate(of_job)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
