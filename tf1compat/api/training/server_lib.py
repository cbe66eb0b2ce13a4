"""Clusters and servers (`tensorflow.python.training.server_lib`).

A server here is this process: sessions on its target run in it, and share its variables, tables and
queues.
"""

from __future__ import annotations

import threading
from typing import Any

from tf1compat.api.util.compat import as_bytes
from tf1compat.core import errors, local_targets, own_protos, protos
from tf1compat.core.attribute import attribute
from tf1compat.core.export import tf_export


def __getattr__(name: str) -> Any:
    if name != "ServerDef":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return own_protos.server_def()


def _make_server_def(
    server_or_cluster_def: Any, job_name: Any, task_index: Any, protocol: Any, config: Any
) -> Any:
    """The `ServerDef` that the arguments of a `Server` describe."""
    server_def = own_protos.server_def()()
    if isinstance(server_or_cluster_def, own_protos.server_def()):
        server_def.MergeFrom(server_or_cluster_def)
        for field, value in (
            ("job_name", job_name), ("task_index", task_index), ("protocol", protocol)
        ):  # fmt: skip
            if value is not None:
                setattr(server_def, field, value)
    else:
        try:
            cluster_spec = ClusterSpec(server_or_cluster_def)
        except TypeError:
            raise TypeError(
                "Could not convert `server_or_cluster_def` to a "
                "`tf.train.ServerDef` or `tf.train.ClusterSpec`."
            ) from None
        if job_name is None:
            if len(cluster_spec.jobs) != 1:
                raise ValueError("Must specify an explicit `job_name`.")
            job_name = cluster_spec.jobs[0]
        if task_index is None:
            indices = cluster_spec.task_indices(job_name)
            if len(indices) != 1:
                raise ValueError("Must specify an explicit `task_index`.")
            task_index = indices[0]
        server_def.cluster.MergeFrom(cluster_spec.as_cluster_def())
        server_def.job_name = job_name
        server_def.task_index = task_index
        server_def.protocol = "grpc" if protocol is None else protocol
    if config is not None:
        server_def.default_session_config.MergeFrom(config)
    return server_def


@tf_export("distribute.Server", "train.Server")
class Server:
    """A server of a cluster: this process, alone.

    Args:
      server_or_cluster_def: a `ServerDef`, `ClusterDef`, `ClusterSpec`, or a dict for one.
      job_name: the server's job; may be left out if there is only one.
      task_index: its number; may be left out if there is only one.
      protocol: "grpc" by default.
      config: a `ConfigProto`.
      start: accepted.

    Raises:
      TypeError, ValueError: the server is not described well.
      NotImplementedError: the cluster has further tasks.
    """

    def __init__(
        self, server_or_cluster_def: Any, job_name: str | None = None, task_index: Any = None,
        protocol: Any = None, config: Any = None, start: bool = True,
    ):  # fmt: skip
        self._server_def = server_def = _make_server_def(
            server_or_cluster_def, job_name, task_index, protocol, config
        )
        address = _address(server_def)
        server = local_targets.Server(
            task=f"/job:{server_def.job_name}/replica:0/task:{server_def.task_index}",
            config=server_def.default_session_config,
            cluster=server_def.cluster,
        )
        self._service = local_targets.make_service(server, address)
        host = address.rpartition(":")[0] or "localhost"
        self._target = f"{server_def.protocol}://{host}:{self._service.port}"
        local_targets.add(self._target.encode(), server)
        if start:
            self.start()

    def start(self) -> None:
        """Starts the server."""
        self._service.start()

    def join(self) -> None:
        """Waits for ever, as a server does."""
        threading.Event().wait()

    server_def = attribute("_server_def", "The `ServerDef`.")
    target: str = attribute("_target", "The target for sessions.")

    @staticmethod
    def create_local_server(config: Any = None, start: bool = True) -> Server:
        """A server of a cluster of its own.

        Args:
          config: a `ConfigProto`.
          start: accepted.
        """
        return Server({"local": ["localhost:0"]}, protocol="grpc", config=config, start=start)


def _address(server_def: Any) -> str:
    """Where a server listens: "host:port".

    Raises:
      OpError: as TF's, of a `ServerDef` that describes none.
    """
    if server_def.protocol != "grpc":
        raise errors.NotFoundError(
            None,
            None,
            f"No server factory registered for the given ServerDef: {server_def}\n"
            "The available server factories are: [ GRPC_SERVER ]",
        )
    jobs = {job.name: job for job in server_def.cluster.job}
    name, index = server_def.job_name, server_def.task_index
    if name not in jobs:
        raise errors.InternalError(None, None, f'Job "{name}" was not defined in cluster')
    if index not in jobs[name].tasks:
        text = f'Task {index} was not defined in job "{name}"'
        raise errors.InvalidArgumentError(None, None, text)
    address = jobs[name].tasks[index]
    if not address.rpartition(":")[2].isdigit() or ":" not in address:
        text = f'Could not parse port for local server from "{address}".'
        raise errors.InvalidArgumentError(None, None, text)
    return address


@tf_export("train.ClusterSpec")
class ClusterSpec:
    """The jobs of a cluster and the addresses of their tasks.

    Args:
      cluster: a dict: job -> list of addresses, or dict of number -> address; or a `ClusterDef` or
        `ClusterSpec`.

    Raises:
      TypeError: it is none of these.
    """

    def __init__(self, cluster: Any):
        cluster_def = protos.load("cluster_pb2", "ClusterDef")
        if isinstance(cluster, dict):
            self._cluster_spec: dict[Any, dict[int, Any]] = {}
            for job_name, tasks in cluster.items():
                if isinstance(tasks, list | tuple):
                    tasks = enumerate(tasks)
                elif isinstance(tasks, dict):
                    tasks = tasks.items()
                else:
                    raise TypeError(
                        f"The tasks for job {job_name!r} must be a list or a dictionary from "
                        "integers to strings."
                    )
                self._cluster_spec[job_name] = dict(tasks)
            self._cluster_def = self._made_cluster_def(cluster_def())
            return
        if isinstance(cluster, cluster_def):
            self._cluster_def = cluster
        elif isinstance(cluster, ClusterSpec):
            self._cluster_def = cluster_def()
            self._cluster_def.MergeFrom(cluster.as_cluster_def())
        else:
            raise TypeError(
                "`cluster` must be a dictionary mapping one or more job names to lists of network "
                "addresses, or a `ClusterDef` protocol buffer"
            )
        self._cluster_spec = {job.name: dict(job.tasks.items()) for job in self._cluster_def.job}

    def __bool__(self) -> bool:
        return bool(self._cluster_spec)

    __nonzero__ = __bool__

    def __eq__(self, other: Any) -> bool:
        return self._cluster_spec == other

    def __ne__(self, other: Any) -> bool:
        return self._cluster_spec != other

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        jobs = self.as_dict()
        items = ", ".join(f"{key!r}: {jobs[key]!r}" for key in sorted(jobs))
        return f"ClusterSpec({{{items}}})"

    def as_dict(self) -> dict[Any, Any]:
        """Job -> list of addresses; or dict of number -> address where numbers are left out."""
        return {job: self._addresses(job) for job in self.jobs}

    def _addresses(self, job: Any) -> Any:
        indices = self.task_indices(job)
        if indices and max(indices) + 1 == len(indices):
            return self.job_tasks(job)
        return {i: self.task_address(job, i) for i in indices}

    def as_cluster_def(self) -> Any:
        """The `ClusterDef`."""
        return self._cluster_def

    @property
    def jobs(self) -> list[Any]:
        """The names of the jobs."""
        return list(self._cluster_spec.keys())

    def _job(self, job_name: str) -> dict[int, Any]:
        try:
            return self._cluster_spec[job_name]
        except KeyError:
            raise ValueError(f"No such job in cluster: {job_name!r}") from None

    def num_tasks(self, job_name: str) -> int:
        """The number of a job's tasks.

        Raises:
          ValueError: there is no such job.
        """
        return len(self._job(job_name))

    def task_indices(self, job_name: str) -> list[int]:
        """The numbers of a job's tasks.

        Raises:
          ValueError: there is no such job.
        """
        return sorted(self._job(job_name).keys())

    def task_address(self, job_name: str, task_index: int) -> Any:
        """The address of a task.

        Raises:
          ValueError: there is no such job or task.
        """
        job = self._job(job_name)
        if task_index not in job:
            raise ValueError(f"No task with index {task_index!r} in job {job_name!r}")
        return job[task_index]

    def job_tasks(self, job_name: str) -> list[Any]:
        """The addresses of a job's tasks by number; None where a number is left out.

        Raises:
          ValueError: there is no such job.
        """
        job = self._job(job_name)
        return [job.get(i) for i in range(max(job.keys()) + 1)]

    def _made_cluster_def(self, cluster_def: Any) -> Any:
        for job_name, tasks in sorted(self._cluster_spec.items()):
            job = cluster_def.job.add(name=_text(job_name, "Job name"))
            for i, address in sorted(tasks.items()):
                job.tasks[i] = _text(address, "Task address")
        return cluster_def


def _text(value: Any, what: str) -> str:
    try:
        return as_bytes(value).decode()
    except TypeError:
        raise TypeError(f"{what} {value!r} must be bytes or unicode") from None
