"""`tensorflow.python.distribute.mirrored_strategy`: a replica at each of several devices, and the
same variables at all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.distribute import (
    cross_device_ops as cross_device_ops_lib,
)
from tf1compat.api.distribute import (
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
from tf1compat.api.distribute.reduce_util import ReduceOp
from tf1compat.api.eager import context
from tf1compat.core import ops
from tf1compat.core.attribute import attribute
from tf1compat.core.device import DeviceSpec
from tf1compat.core.export import tf_export
from tf1compat.core.session_interface import SessionInterface


def all_local_devices(num_gpus: int | None = None) -> tuple[str, ...]:
    """The GPUs of this process, or its CPU; a program runs where JAX runs it, so that is the CPU
    unless GPUs are asked for.
    """
    return device_util.local_devices_from_num_gpus(num_gpus or 0)


def all_devices() -> tuple[str, ...] | list[str]:
    """The devices of the tasks in `TF_CONFIG`; without it those of this process."""
    cluster = TFConfigClusterResolver().cluster_spec().as_dict()
    tasks = [
        f"/job:{job}/task:{task}"
        for job in ("chief", "worker")
        for task in range(len(cluster.get(job, ())))
    ]
    count = context.num_gpus()
    if count:
        tasks = [f"{task}/device:GPU:{i}" for task in tasks for i in range(count)]
    return tasks or all_local_devices()


@tf_export("distribute.MirroredStrategy")
class MirroredStrategyV1(distribute_lib.StrategyV1):
    """A replica at each of several devices; variables have an equal copy at each.

    Args:
      devices: a list of their names; the CPU by default.
      cross_device_ops: how values of several devices are reduced, a `CrossDeviceOps`.

    Raises:
      ValueError: devices are of several processes, but nothing reduces over those.
      NotImplementedError: all devices are of one other process.
    """

    def __init__(self, devices: Any = None, cross_device_ops: Any = None):
        super().__init__(MirroredExtended(self, devices, cross_device_ops))


@tf_export("compat.v2.distribute.MirroredStrategy")
class MirroredStrategy(distribute_lib.Strategy):
    """TF 2's. Args: see `MirroredStrategyV1`."""

    def __init__(self, devices: Any = None, cross_device_ops: Any = None):
        super().__init__(MirroredExtended(self, devices, cross_device_ops))


@tf_export("contrib.distribute.MirroredStrategy")
class ContribMirroredStrategy(distribute_lib.StrategyV1):
    """`tf.distribute.MirroredStrategy` with the arguments of `tf.contrib`'s. Datasets give each
    replica a batch, and are not divided.

    Args:
      devices: a list of devices' names.
      num_gpus, num_gpus_per_worker: how many GPUs are meant, in place of `devices`.
      cross_device_ops, cross_tower_ops: as above.
      auto_shard_dataset: has no meaning for one worker.

    Raises:
      ValueError: devices are of several processes, but nothing reduces over those.
      NotImplementedError: all devices are of one other process.
      ValueError: arguments exclude each other.
    """

    def __init__(
        self, devices: Any = None, num_gpus: Any = None, num_gpus_per_worker: Any = None,
        cross_device_ops: Any = None, auto_shard_dataset: bool = False,
        cross_tower_ops: Any = None,
    ):  # fmt: skip
        assert not (cross_device_ops and cross_tower_ops)
        if num_gpus is not None and num_gpus_per_worker is not None:
            raise ValueError("You cannot specify both `num_gpus` and `num_gpus_per_worker`.")
        if num_gpus is None:
            num_gpus = num_gpus_per_worker
        if devices is None:
            devices = all_local_devices(num_gpus)
        elif num_gpus is not None:
            raise ValueError("Must only specify one of `devices` and `num_gpus_per_worker`.")
        super().__init__(
            _ContribMirroredExtended(self, devices, cross_device_ops or cross_tower_ops)
        )


ContribMirroredStrategy.__name__ = ContribMirroredStrategy.__qualname__ = "MirroredStrategy"


class MirroredExtended(distribute_lib.StrategyExtendedV1):
    """How `MirroredStrategy` works."""

    experimental_should_init = should_checkpoint = should_save_summary = True
    experimental_between_graph = False
    _global_batch_size = True

    def __init__(self, container_strategy: Any, devices: Any = None, cross_device_ops: Any = None):
        super().__init__(container_strategy)
        self._cross_device_ops = cross_device_ops
        self._initialize_strategy(devices or all_local_devices())
        # What is read eagerly may end with a part of a batch.
        self.experimental_enable_get_next_as_optional = ops.executing_eagerly_outside_functions()

    def _initialize_strategy(self, devices: Any) -> None:
        assert devices, "Must specify at least one device."
        full = tuple(device_util.resolve(d) for d in devices)
        assert len(set(full)) == len(full), f"No duplicates allowed in `devices` argument: {full}"
        if _is_device_list_local(full):
            self._initialize_local(full)
        else:
            self._initialize_multi_worker(full)

    def _initialize_local(self, devices: Any) -> None:
        self._device_map = values.ReplicaDeviceMap(devices)
        self._input_workers = input_lib.InputWorkers(self._device_map)
        self._inferred_cross_device_ops = (
            None if self._cross_device_ops else cross_device_ops_lib.choose_the_best(devices)
        )
        self._host_input_device = numpy_dataset.SingleDevice("/cpu:0")

    def _initialize_multi_worker(self, devices: Any) -> None:
        """The replicas are at devices of several tasks of a cluster, in one graph.

        Raises:
          ValueError: nothing reduces over tasks.
          NotImplementedError: there is one task, whose devices TF joins by NCCL.
        """
        tasks: dict[str, list[tuple[str, ...]]] = {}
        for device in devices:
            spec = DeviceSpec.from_string(device)
            of_job = tasks.setdefault(spec.job or "", [])
            number = int(spec.task or 0)
            of_job += [()] * (number + 1 - len(of_job))
            of_job[number] += (device,)
        pairs = [
            (f"/job:{job}/task:{number}", of_task)
            for job in ("chief", "worker")
            for number, of_task in enumerate(tasks.get(job, ()))
        ]
        # What names no device is the first worker's.
        self._default_device = pairs[0][0]
        self._host_input_device = numpy_dataset.SingleDevice(pairs[0][0])
        self._device_map = values.ReplicaDeviceMap(devices)
        self._input_workers = input_lib.InputWorkers(self._device_map, pairs)
        if len(pairs) == 1:
            raise NotImplementedError(
                f"tf.distribute.MirroredStrategy of another process ({devices[0]}) is not "
                "supported by tf1compat"
            )
        if not isinstance(self._cross_device_ops, cross_device_ops_lib.MultiWorkerAllReduce):
            raise ValueError(
                "In-graph multi-worker training with `MirroredStrategy` is not supported."
            )
        self._inferred_cross_device_ops = self._cross_device_ops

    def _get_cross_device_ops(self) -> Any:
        return self._cross_device_ops or self._inferred_cross_device_ops

    # Variables.

    def _initial_value(self, number: int, device: str, primary: Any, kwargs: Any) -> Any:
        """What the copy of a variable at a replica's device begins with: that of the first."""
        if number == 0:
            return kwargs["initial_value"]

        def of_primary() -> Any:
            if ops.executing_eagerly() or ops.inside_function():
                return array_ops.identity(primary.value())
            with ops.device(device):
                return array_ops.identity(primary.initial_value)

        return of_primary

    def _create_variable(self, next_creator: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        beside = kwargs.pop("colocate_with", None)
        if isinstance(beside, numpy_dataset.SingleDevice):
            with ops.device(beside.device):
                return next_creator(*args, **kwargs)
        device_map = self._device_map if beside is None else beside.device_map
        place = 0 if beside is None else beside.logical_device

        def create(kwargs: Any) -> list[Any]:
            copies: list[Any] = []
            for number, device in enumerate(device_map.logical_to_actual_devices(place)):
                primary = copies[0] if copies else None
                with ops.device(device):
                    kwargs["initial_value"] = self._initial_value(number, device, primary, kwargs)
                    if primary is not None:
                        # The last "/" says that this is the whole name, without the name scope.
                        kwargs["name"] = f"{primary.name.partition(':')[0]}/replica_{number}/"
                    copies.append(next_creator(*args, **kwargs))
            return copies

        return mirrored_variables.create(
            self._container_strategy(), device_map, place, create, kwargs
        )

    def _makes(self, variable: Any) -> bool:
        return isinstance(variable, values.DistributedVariable)

    def read_var(self, replica_local_var: Any) -> Any:
        """A tensor of a variable's value."""
        if isinstance(replica_local_var, values.SyncOnReadVariable):
            return replica_local_var._get_cross_replica()
        assert isinstance(replica_local_var, values.Mirrored)
        return array_ops.identity(replica_local_var.get())

    # Input.

    def _input_contexts(self) -> list[distribute_lib.InputContext]:
        """What is known where a dataset is made, for each task."""
        count = self._input_workers.num_workers
        return [
            distribute_lib.InputContext(
                num_input_pipelines=count, input_pipeline_id=number,
                num_replicas_in_sync=self._num_replicas_in_sync,
            )
            for number in range(count)
        ]  # fmt: skip

    def _make_dataset_iterator(self, dataset: Any) -> Any:
        return input_lib.DatasetIterator(
            dataset,
            self._input_workers,
            self._container_strategy(),
            split_batch_by=self._num_replicas_in_sync,
        )

    def _make_input_fn_iterator(
        self, input_fn: Callable[..., Any], replication_mode: Any = None
    ) -> Any:
        return input_lib.InputFunctionIterator(
            input_fn, self._input_workers, self._input_contexts(), self._container_strategy()
        )

    def _experimental_distribute_dataset(self, dataset: Any) -> Any:
        return input_lib.get_distributed_dataset(
            dataset,
            self._input_workers,
            self._container_strategy(),
            split_batch_by=self._num_replicas_in_sync,
        )

    def _experimental_distribute_datasets_from_function(self, dataset_fn: Any) -> Any:
        return input_lib.get_distributed_datasets_from_function(
            dataset_fn, self._input_workers, self._input_contexts(), self._container_strategy()
        )

    def _experimental_make_numpy_dataset(self, numpy_input: Any, session: SessionInterface) -> Any:
        return numpy_dataset.one_host_numpy_dataset(numpy_input, self._host_input_device, session)

    def _experimental_run_steps_on_iterator(
        self, fn: Any, iterator: Any, iterations: Any, initial_loop_values: Any = None
    ) -> Any:
        return input_lib.run_steps(self, fn, iterator, iterations, initial_loop_values)

    # Replicas.

    def _call_for_each_replica(self, fn: Any, args: Any, kwargs: Any) -> Any:
        return replica_threads.call_for_each_replica(
            self._container_strategy(), self._device_map, fn, args, kwargs
        )

    def _reduce_to(self, reduce_op: Any, value: Any, destinations: Any) -> Any:
        if isinstance(value, values.Mirrored):
            assert reduce_op == ReduceOp.MEAN
            return value
        if isinstance(value, values.DistributedValues):
            return self._get_cross_device_ops().reduce(reduce_op, value, destinations=destinations)
        return cross_device_ops_lib.reduce_non_distributed_value(
            reduce_op, self._device_map, value, destinations
        )

    def _batch_reduce_to(self, reduce_op: Any, pairs: Any) -> list[Any]:
        return self._get_cross_device_ops().batch_reduce(reduce_op, pairs)

    def _broadcast_to(self, tensor: Any, destinations: Any) -> Any:
        if isinstance(tensor, float | int):
            return tensor
        if not destinations:
            destinations = values.LogicalDeviceSpec(self._device_map, 0)
        return self._get_cross_device_ops().broadcast(tensor, destinations)

    def _update(self, var: Any, fn: Any, args: Any, kwargs: Any, group: bool) -> Any:
        assert isinstance(var, values.DistributedVariable)
        places = zip(var.devices, var.values, strict=True)
        return self._updated([(d, (v,)) for d, v in places], fn, args, kwargs, group)

    def _update_non_slot(
        self, colocate_with: Any, fn: Any, args: Any, kwargs: Any, group: bool
    ) -> Any:
        assert isinstance(colocate_with, tuple)
        return self._updated([(d, ()) for d in colocate_with], fn, args, kwargs, group)

    def _updated(self, places: Any, fn: Any, args: Any, kwargs: Any, group: bool) -> Any:
        """Calls `fn` at each of several devices, with what it takes there first."""
        updates = []
        for number, (device, first) in enumerate(places):
            with (
                ops.device(device),
                distribute_lib.UpdateContext(device),
                ops.name_scope(f"update_{number}"),
            ):
                updates.append(
                    fn(
                        *first,
                        *values.select_device_mirrored(device, args),
                        **values.select_device_mirrored(device, kwargs),
                    )
                )
        return values.update_regroup(self, self._device_map, updates, group)

    def _local_results(self, value: Any) -> tuple[Any, ...]:
        return value.values if isinstance(value, values.DistributedValues) else (value,)

    def value_container(self, value: Any) -> Any:
        """The distributed variable that a value is a copy of, else the value itself."""
        return values.value_container(value)

    _num_replicas_in_sync: int = attribute("_device_map.num_replicas_in_graph")
    worker_devices: tuple[str, ...] = attribute("_device_map.all_devices")

    parameter_devices = worker_devices

    @property
    def worker_devices_by_replica(self) -> list[tuple[str]]:
        """The devices of each replica."""
        return list(self._device_map.devices_by_replica)

    def non_slot_devices(self, var_list: Any) -> tuple[str, ...]:
        return self._device_map.logical_to_actual_devices(0)

    def _update_config_proto(self, config_proto: Any) -> Any:
        updated = super()._update_config_proto(config_proto)
        updated.isolate_session_state = True
        return updated

    def _configure(self, session_config: Any = None, cluster_spec: Any = None, *_: Any) -> None:
        if session_config:
            session_config.CopyFrom(self._update_config_proto(session_config))
        if cluster_spec:
            jobs = multi_worker_util.normalize_cluster_spec(cluster_spec).as_dict()
            self._initialize_multi_worker([
                device_util.canonicalize(f"/job:{job}/task:{number}")
                for job in ("chief", "worker")
                for number in range(len(jobs.get(job, ())))
            ])  # fmt: skip


def _is_device_list_local(devices: Any) -> bool | None:
    """Whether devices are of this process, not of tasks; None if there are none.

    Raises:
      ValueError: some are, some not; or one names no task.
    """
    specs = [DeviceSpec.from_string(device) for device in devices]
    are_local = [spec.job in (None, "localhost") for spec in specs]
    if not specs:
        return None
    if are_local[0] and not all(are_local):
        raise ValueError("Local device string cannot have job specified other than 'localhost'")
    if are_local[0]:
        return True
    if any(are_local):
        raise ValueError("Remote device string must have job specified.")
    if any(spec.task is None for spec in specs):
        raise ValueError("Remote device string must have task specified.")
    return False


class _ContribMirroredExtended(MirroredExtended):
    """As above, with batches for each replica."""

    _global_batch_size = False

    def _make_dataset_iterator(self, dataset: Any) -> Any:
        return input_lib.DatasetIterator(dataset, self._input_workers, self._container_strategy())
