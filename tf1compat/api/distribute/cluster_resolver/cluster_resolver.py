"""Where the processes of a cluster are
(`tensorflow.python.distribute.cluster_resolver.cluster_resolver`)."""

from __future__ import annotations

import abc
import collections
from typing import Any

from tf1compat.api.training.server_lib import ClusterSpec
from tf1compat.core import ops
from tf1compat.core.export import find, tf_export


def format_master_url(master: Any, rpc_layer: str | None = None) -> Any:
    """An address with its protocol, if that is known."""
    return f"{rpc_layer}://{master}" if rpc_layer else master


def master_of(resolver: Any, task_type: str | None, task_id: Any, rpc_layer: Any) -> Any:
    """The address of a task of a resolver's cluster.

    Args:
      resolver: has `task_type`, `task_id` and `rpc_layer`, which hold where the other arguments are
        None.

    Returns:
      The address; "" if no task is named.
    """
    task_type = resolver.task_type if task_type is None else task_type
    task_id = resolver.task_id if task_id is None else task_id
    if task_type is None or task_id is None:
        return ""
    address = resolver.cluster_spec().task_address(task_type, task_id)
    return format_master_url(address, rpc_layer or resolver.rpc_layer)


def get_accelerator_devices(master: Any, config_proto: Any) -> list[Any]:
    """The devices of a session at an address."""
    with find("Session")(master, graph=ops.Graph(), config=config_proto) as session:
        return session.list_devices()


@tf_export(
    "distribute.cluster_resolver.ClusterResolver", "contrib.cluster_resolver.ClusterResolver"
)
class ClusterResolver(abc.ABC):
    """Knows the processes of a cluster, and which of them this one is."""

    task_type: Any
    task_id: Any
    rpc_layer: Any

    @abc.abstractmethod
    def cluster_spec(self) -> Any:
        """The cluster, a `ClusterSpec`."""
        raise NotImplementedError

    @abc.abstractmethod
    def master(
        self, task_type: str | None = None, task_id: Any = None, rpc_layer: str | None = None
    ) -> Any:
        """The target of sessions.

        Args:
          task_type, task_id: the process; this one by default.
          rpc_layer: the protocol.
        """
        raise NotImplementedError

    def num_accelerators(
        self, task_type: str | None = None, task_id: Any = None, config_proto: Any = None
    ) -> Any:
        """How many devices of each type a process has: {type: a number}.

        Args:
          task_type, task_id: the process.
          config_proto: of the session that asks.
        """
        found: dict[str, int] = collections.defaultdict(int)
        for device in get_accelerator_devices(self.master(task_type, task_id), config_proto):
            if task_type is not None and task_id is not None:
                places = (f"/job:{task_type}", f"/task:{task_id}")
                if not all(place in device.name for place in places):
                    continue
            found[device.device_type] += 1
        return found

    @property
    def environment(self) -> Any:
        """What the cluster runs on: "google" or ""."""
        return ""


@tf_export(
    "distribute.cluster_resolver.SimpleClusterResolver",
    "contrib.cluster_resolver.SimpleClusterResolver",
)
class SimpleClusterResolver(ClusterResolver):
    """A cluster that is told.

    Args:
      cluster_spec: a `ClusterSpec`.
      master: the target of sessions.
      task_type, task_id: what this process is.
      environment: what the cluster runs on.
      num_accelerators: {type of device: how many}.
      rpc_layer: the protocol.

    Raises:
      TypeError: `cluster_spec` or `master` is something else.
    """

    def __init__(
        self, cluster_spec: Any, master: Any = "", task_type: str | None = None,
        task_id: Any = None,
        environment: Any = "", num_accelerators: Any = None, rpc_layer: str | None = None,
    ):  # fmt: skip
        self.task_type, self.task_id, self.rpc_layer = task_type, task_id, rpc_layer
        self._environment = environment
        self._num_accelerators = num_accelerators
        if not isinstance(cluster_spec, ClusterSpec):
            raise TypeError("cluster_spec must be a ClusterSpec.")
        self._cluster_spec = cluster_spec
        if not isinstance(master, str):
            raise TypeError("master must be a string.")
        self._master = master

    def cluster_spec(self) -> Any:
        """The cluster."""
        return self._cluster_spec

    def master(
        self, task_type: str | None = None, task_id: Any = None, rpc_layer: str | None = None
    ) -> Any:
        """The target of sessions; that of a process if one is given."""
        master = self._master
        if task_type is not None and task_id is not None:
            master = self._cluster_spec.task_address(task_type, task_id)
        return format_master_url(master, rpc_layer or self.rpc_layer)

    @property
    def environment(self) -> Any:
        """What the cluster runs on."""
        return self._environment

    def num_accelerators(
        self, task_type: str | None = None, task_id: Any = None, config_proto: Any = None
    ) -> Any:
        """What was told; {} by default."""
        return {} if self._num_accelerators is None else self._num_accelerators


@tf_export(
    "distribute.cluster_resolver.UnionResolver", "contrib.cluster_resolver.UnionClusterResolver"
)
class UnionClusterResolver(ClusterResolver):
    """Several clusters as one; the first says what this process is.

    Args:
      *args: `ClusterResolver`s.
      **kwargs: any of rpc_layer, task_type and task_id.

    Raises:
      ValueError: there are no resolvers, or other arguments.
      TypeError: one is something else.
    """

    def __init__(self, *args: Any, **kwargs: Any):
        given = {name: kwargs.pop(name, None) for name in ("rpc_layer", "task_type", "task_id")}
        if kwargs:
            raise ValueError(f"Unexpected kwargs provided {kwargs!r}")
        if not args:
            raise ValueError("At least one ClusterResolver is required.")
        for resolver in args:
            if not isinstance(resolver, ClusterResolver):
                raise TypeError("All arguments must be a sub-class of `ClusterResolver.`")
        self._cluster_resolvers = args
        self._own_rpc_layer = given["rpc_layer"]
        for name, value in given.items():
            setattr(self, name, value or getattr(args[0], name, None))

    def cluster_spec(self) -> Any:
        """The cluster of all; tasks with numbers keep them.

        Raises:
          KeyError: two tasks have the same number.
        """
        clusters = [resolver.cluster_spec().as_dict() for resolver in self._cluster_resolvers]
        merged: dict[str, Any] = {}
        for job in dict.fromkeys(job for cluster in clusters for job in cluster):
            parts = [cluster[job] for cluster in clusters if job in cluster]
            if all(isinstance(tasks, list) for tasks in parts):
                merged[job] = sum(parts, [])
                continue
            merged[job] = {}
            for tasks in parts:
                numbered = dict(enumerate(tasks)) if isinstance(tasks, list) else tasks
                twice = set(numbered) & set(merged[job])
                if twice:
                    raise KeyError(
                        f"Duplicate keys detected when merging two ClusterSpecs: {twice!r}"
                    )
                merged[job].update(numbered)
        return ClusterSpec(merged)

    def master(
        self, task_type: str | None = None, task_id: Any = None, rpc_layer: str | None = None
    ) -> Any:
        """The target of the first cluster's sessions; that of a process if one is given."""
        if task_type is not None and task_id is not None:
            master = self.cluster_spec().task_address(task_type, task_id)
            return format_master_url(master, rpc_layer or self._own_rpc_layer)
        return self._cluster_resolvers[0].master(rpc_layer=rpc_layer)

    @property
    def environment(self) -> Any:
        """What the first cluster runs on."""
        return self._cluster_resolvers[0].environment

    def num_accelerators(
        self, task_type: str | None = None, task_id: Any = None, config_proto: Any = None
    ) -> Any:
        """How many devices a process of the first cluster has."""
        return self._cluster_resolvers[0].num_accelerators(task_type, task_id, config_proto)
