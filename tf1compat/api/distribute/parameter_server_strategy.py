"""`tensorflow.python.distribute.parameter_server_strategy`: each variable is at one device, or at
one of a cluster's parameter servers, and replicas are at others.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.distribute import (
    cross_device_ops,
    device_util,
    distribute_lib,
    input_lib,
    mirrored_variables,
    multi_worker_util,
    numpy_dataset,
    replica_threads,
    values,
)
from tf1compat.api.distribute.cluster_resolver.tfconfig_cluster_resolver import (
    TFConfigClusterResolver,
)
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.training import device_setter
from tf1compat.api.variables.resource_variable_ops import BaseResourceVariable
from tf1compat.api.variables.variable_base import VariableAggregation
from tf1compat.core import nest, ops
from tf1compat.core.attribute import attribute
from tf1compat.core.device import DeviceSpec
from tf1compat.core.export import tf_export
from tf1compat.core.session_interface import SessionInterface

_LOCAL_CPU = "/device:CPU:0"


@tf_export("distribute.experimental.ParameterServerStrategy")
class ParameterServerStrategyV1(distribute_lib.StrategyV1):
    """Variables at the parameter servers of a cluster, of which this process is a worker that has a
    graph of its own; in no cluster they are at the first device.

    Args:
      cluster_resolver: a `ClusterResolver`, or None: then `configure`, which Estimators call, says
        which cluster it is.

    Raises:
      ValueError: the cluster has no parameter servers, or the task is not said.
    """

    def __init__(self, cluster_resolver: Any = None):
        super().__init__(ParameterServerStrategyExtended(self, cluster_resolver=cluster_resolver))


@tf_export("compat.v2.distribute.experimental.ParameterServerStrategy")
class ParameterServerStrategy(distribute_lib.Strategy):
    """TF 2's, always in a cluster, TF_CONFIG's by default; see `ParameterServerStrategyV1`."""

    def __init__(self, cluster_resolver: Any = None):
        cluster_resolver = cluster_resolver or TFConfigClusterResolver()
        if not cluster_resolver.cluster_spec():
            raise ValueError("Cluster spec must be non-empty in `cluster_resolver`.")
        super().__init__(ParameterServerStrategyExtended(self, cluster_resolver=cluster_resolver))


@tf_export("contrib.distribute.ParameterServerStrategy")
class ContribParameterServerStrategy(distribute_lib.StrategyV1):
    """As above.

    Args:
      num_gpus_per_worker: how many GPUs the replicas are at; the CPU if there are none.
    """

    def __init__(self, num_gpus_per_worker: int = 0):
        devices = device_util.local_devices_from_num_gpus(num_gpus_per_worker)
        extended = ParameterServerStrategyExtended(self, compute_devices=devices)
        extended._global_batch_size = False
        super().__init__(extended)


_name = "ParameterServerStrategy"
ContribParameterServerStrategy.__name__ = ContribParameterServerStrategy.__qualname__ = _name


class ParameterServerStrategyExtended(distribute_lib.StrategyExtendedV1):
    """How `ParameterServerStrategy` and `CentralStorageStrategy` work."""

    experimental_between_graph = True
    _global_batch_size = True
    _is_chief = True
    _cluster_spec: Any = None

    def __init__(
        self, container_strategy: Any, cluster_resolver: Any = None, compute_devices: Any = None,
        parameter_device: Any = None,
    ):  # fmt: skip
        super().__init__(container_strategy)
        # As in TF: on no device that the strategy's other tensors are at.
        self._cross_device_ops = cross_device_ops.ReductionToOneDevice(reduce_to_device=_LOCAL_CPU)
        gpus = 0
        if cluster_resolver is not None:
            if cluster_resolver.cluster_spec():
                self._enter(
                    cluster_resolver.cluster_spec(),
                    cluster_resolver.task_type,
                    cluster_resolver.task_id,
                )
                return
            gpus = cluster_resolver.num_accelerators().get("GPU", 0)
        host = device_util.canonicalize(_LOCAL_CPU)
        self._input_host_device = numpy_dataset.SingleDevice(host)
        if compute_devices is None:
            compute_devices = device_util.local_devices_from_num_gpus(gpus)
        if parameter_device is None:
            parameter_device = compute_devices[0] if len(compute_devices) == 1 else _LOCAL_CPU
        self._device_map = values.ReplicaDeviceMap(compute_devices)
        self._input_workers = input_lib.InputWorkers(self._device_map, [(host, compute_devices)])
        self._variable_device: Any = parameter_device
        self._parameter_devices: tuple[str, ...] = (parameter_device,)
        logging.info(
            "ParameterServerStrategy with compute_devices = %r, variable_device = %r",
            compute_devices,
            parameter_device,
        )

    def _enter(self, cluster_spec: Any, task_type: str | None, task_id: Any) -> None:
        """Becomes a worker of a cluster.

        Raises:
          ValueError: the task is not said, or there are no parameter servers.
        """
        if not task_type or task_id is None:
            raise ValueError(
                "When `cluster_spec` is given, you must also specify `task_type` and `task_id`"
            )
        cluster = multi_worker_util.normalize_cluster_spec(cluster_spec)
        here = f"/job:{task_type}/task:{task_id}"
        self._input_host_device = numpy_dataset.SingleDevice(here)
        self._device_map = values.ReplicaDeviceMap((here,))
        self._input_workers = input_lib.InputWorkers(self._device_map, [(here, (here,))])
        servers = len(cluster.as_dict().get("ps", ()))
        if not servers:
            raise ValueError("The cluster spec needs to have `ps` jobs.")
        # The servers take turns, in the order in which variables are made.
        self._variable_device = device_setter.replica_device_setter(
            ps_tasks=servers, worker_device=here, merge_devices=True, cluster=cluster
        )
        self._parameter_devices = tuple(f"/job:ps/task:{number}" for number in range(servers))
        # What names no device is this worker's.
        self._default_device = here
        self._is_chief = multi_worker_util.is_chief(cluster, task_type, task_id)
        self._cluster_spec, self._task = cluster, (task_type, task_id)
        logging.info(
            "Multi-worker ParameterServerStrategy with cluster_spec = %r, task_type = %r, "
            "task_id = %r, num_ps_replicas = %r, is_chief = %r, device_map = %r, "
            "variable_device = %r", cluster.as_dict(), task_type, task_id, servers,
            self._is_chief, self._device_map, self._variable_device,
        )  # fmt: skip

    @property
    def worker(self) -> tuple[Any, str, int] | None:
        """The cluster, and the task of this worker in it; None if it is in none."""
        return None if self._cluster_spec is None else (self._cluster_spec, *self._task)

    @property
    def experimental_should_init(self) -> bool:
        """Whether this worker initializes variables, and saves what all have."""
        return self._is_chief

    should_checkpoint = should_save_summary = experimental_should_init

    # Variables.

    def _create_variable(self, next_creator: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        creator = (
            self._aggregating(next_creator) if self._num_replicas_in_sync > 1 else next_creator
        )
        beside = kwargs.pop("colocate_with", None)
        if beside is None:
            with ops.colocate_with(None, ignore_existing=True), ops.device(self._variable_device):
                return creator(*args, **kwargs)
        if isinstance(beside, numpy_dataset.SingleDevice):
            with ops.device(beside.device):
                return creator(*args, **kwargs)
        with ops.device(None), ops.colocate_with(beside):
            return creator(*args, **kwargs)

    def _allow_variable_partition(self) -> bool:
        return not ops.executing_eagerly()

    def _aggregating(self, next_creator: Callable[..., Any]) -> Any:
        """Makes variables that take what replicas assign together."""

        def create(*args: Any, **kwargs: Any) -> Any:
            aggregation = kwargs.pop("aggregation", None) or VariableAggregation.NONE
            if not isinstance(aggregation, VariableAggregation):
                raise ValueError(
                    f"Invalid variable aggregation mode: {aggregation} for variable: "
                    f"{kwargs['name']}"
                )
            collections = kwargs.pop("collections", None)
            if collections is None:
                collections = [ops.GraphKeys.GLOBAL_VARIABLES]
            made = next_creator(*args, **{**kwargs, "collections": []})
            variable = values.AggregatingVariable(self._container_strategy(), made, aggregation)
            mirrored_variables.in_collections(
                variable, [made], list(collections), kwargs.get("trainable", True)
            )
            return variable

        return create

    def read_var(self, var: Any) -> Any:
        """A tensor of a variable's value."""
        return array_ops.identity(var)

    # Input.

    def _input_context(self) -> distribute_lib.InputContext:
        count, number = 1, 0
        if self._cluster_spec is not None:
            count = multi_worker_util.worker_count(self._cluster_spec, self._task[0])
            number = multi_worker_util.id_in_cluster(self._cluster_spec, *self._task)
        return distribute_lib.InputContext(
            num_input_pipelines=count, input_pipeline_id=number,
            num_replicas_in_sync=self._num_replicas_in_sync,
        )  # fmt: skip

    def _split(self) -> int | None:
        return self._num_replicas_in_sync if self._global_batch_size else None

    def _make_dataset_iterator(self, dataset: Any) -> Any:
        return input_lib.DatasetIterator(
            dataset, self._input_workers, self._container_strategy(), split_batch_by=self._split()
        )

    def _make_input_fn_iterator(
        self, input_fn: Callable[..., Any], replication_mode: Any = None
    ) -> Any:
        return input_lib.InputFunctionIterator(
            input_fn, self._input_workers, [self._input_context()], self._container_strategy()
        )

    def _experimental_distribute_dataset(self, dataset: Any) -> Any:
        return input_lib.get_distributed_dataset(
            dataset, self._input_workers, self._container_strategy(), split_batch_by=self._split()
        )

    def _experimental_distribute_datasets_from_function(self, dataset_fn: Any) -> Any:
        return input_lib.get_distributed_datasets_from_function(
            dataset_fn, self._input_workers, [self._input_context()], self._container_strategy()
        )

    def _experimental_make_numpy_dataset(self, numpy_input: Any, session: SessionInterface) -> Any:
        return numpy_dataset.one_host_numpy_dataset(numpy_input, self._input_host_device, session)

    # Replicas.

    def _call_for_each_replica(self, fn: Any, args: Any, kwargs: Any) -> Any:
        return replica_threads.call_for_each_replica(
            self._container_strategy(), self._device_map, fn, args, kwargs
        )

    def _check_near(self, destinations: Any) -> None:
        """That no destination is another worker.

        Raises:
          ValueError: one is.
        """
        if self._cluster_spec is None or destinations is None:
            return
        for device in cross_device_ops.get_devices_from(destinations):
            spec = DeviceSpec.from_string(device)
            if spec.job == self._task[0] and spec.task != self._task[1]:
                raise ValueError(
                    f"Cannot reduce to another worker: {device!r}, current worker is "
                    f"{self._input_workers.worker_devices[0]!r}"
                )

    def _reduce_to(self, reduce_op: Any, value: Any, destinations: Any) -> Any:
        self._check_near(destinations)
        if not isinstance(value, values.DistributedValues):
            return cross_device_ops.reduce_non_distributed_value(
                reduce_op, self._device_map, value, destinations
            )
        return self._cross_device_ops.reduce(reduce_op, value, destinations=destinations)

    def _batch_reduce_to(self, reduce_op: Any, pairs: Any) -> list[Any]:
        for _, destinations in pairs:
            self._check_near(destinations)
        return self._cross_device_ops.batch_reduce(reduce_op, pairs)

    def _broadcast_to(self, tensor: Any, destinations: Any) -> Any:
        if isinstance(tensor, float | int):
            return tensor
        if not cross_device_ops.check_destinations(destinations):
            destinations = values.LogicalDeviceSpec(self._device_map, 0)
        return self._cross_device_ops.broadcast(tensor, destinations)

    def _update(self, var: Any, fn: Any, args: Any, kwargs: Any, group: bool) -> Any:
        if isinstance(var, values.AggregatingVariable):
            var = var.get()
        if not isinstance(var, BaseResourceVariable):
            raise ValueError(f"You can not update `var` {var!r}. It must be a Variable.")
        with ops.colocate_with(var), distribute_lib.UpdateContext(var.device):
            result = fn(var, *_single_values(args), **_single_values(kwargs))
        return result if group else nest.map_structure(self._local_results, result)

    def _update_non_slot(
        self, colocate_with: Any, fn: Any, args: Any, kwargs: Any, group: bool
    ) -> Any:
        with ops.device(colocate_with.device), distribute_lib.UpdateContext(colocate_with):
            result = fn(*args, **kwargs)
        return result if group else nest.map_structure(self._local_results, result)

    def _local_results(self, value: Any) -> tuple[Any, ...]:
        return value.values if isinstance(value, values.DistributedValues) else (value,)

    def value_container(self, value: Any) -> Any:
        """The aggregating variable that a variable is in, else the value itself."""
        if isinstance(value, values.AggregatingVariable):
            return value
        reference = getattr(value, "_aggregating_container", None)
        container = None if reference is None else reference()
        return value if container is None else container

    _num_replicas_in_sync: int = attribute("_device_map.num_replicas_in_graph")
    worker_devices: tuple[str, ...] = attribute("_device_map.all_devices")

    @property
    def worker_devices_by_replica(self) -> list[tuple[str]]:
        """The devices of each replica."""
        return list(self._device_map.devices_by_replica)

    @property
    def parameter_devices(self) -> tuple[str, ...]:
        return self._parameter_devices

    def non_slot_devices(self, var_list: Any) -> Any:
        return min(var_list, key=lambda v: v.name)

    def _configure(
        self, session_config: Any = None, cluster_spec: Any = None, task_type: str | None = None,
        task_id: Any = None,
    ) -> None:  # fmt: skip
        if cluster_spec:
            self._enter(cluster_spec, task_type, task_id)
        if session_config:
            session_config.CopyFrom(self._update_config_proto(session_config))

    def _update_config_proto(self, config_proto: Any) -> Any:
        updated = super()._update_config_proto(config_proto)
        updated.isolate_session_state = self._cluster_spec is None
        if self._cluster_spec is None:
            return updated
        # Workers have nothing to do with each other.
        task_type, task_id = self._task
        del updated.device_filters[:]
        if task_type in ("chief", "worker", "evaluator"):
            updated.device_filters.append(f"/job:{task_type}/task:{task_id}")
        if task_type in ("chief", "worker"):
            updated.device_filters.append("/job:ps")
        return updated


def _single_values(structured: Any) -> Any:
    """A structure in which there is one value of each."""

    def select(x: Any) -> Any:
        if isinstance(x, values.Mirrored):
            if len(x.devices) == 1:
                return x.primary
            raise ValueError(
                "You cannot update variable with a Mirrored object with multiple components "
                f"{x!r} when using ParameterServerStrategy. You must specify a single value or a "
                "Mirrored with a single value."
            )
        if isinstance(x, values.PerReplica):
            raise ValueError(
                f"You cannot update variable with a PerReplica object {x!r} when using "
                "ParameterServerStrategy. You must specify a single value or a Mirrored with a "
                "single value"
            )
        return x

    return nest.map_structure(select, structured)
