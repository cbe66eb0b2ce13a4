"""`tensorflow.python.distribute.mirrored_strategy`, for one device."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.distribute import (
    device_util,
    distribute_lib,
    input_lib,
    numpy_dataset,
    values,
)
from tf1compat.api.distribute import distribution_strategy_context as modes
from tf1compat.api.distribute.reduce_util import ReduceOp
from tf1compat.api.variables import variable_scope
from tf1compat.api.variables.variable_base import VariableAggregation, VariableSynchronization
from tf1compat.core import dtypes, nest, ops
from tf1compat.core.device import DeviceSpec
from tf1compat.core.export import tf_export


def all_local_devices(num_gpus: int | None = None) -> tuple[str, ...]:
    """The GPUs of this process, or its CPU; a program runs where JAX runs it, so that is the CPU
    unless GPUs are asked for.
    """
    return device_util.local_devices_from_num_gpus(num_gpus or 0)


@tf_export("distribute.MirroredStrategy")
class MirroredStrategyV1(distribute_lib.StrategyV1):
    """The same variables at each of several devices; here at exactly one.

    Args:
      devices: a list of one device's name; the CPU by default.
      cross_device_ops: how values of several devices are reduced.

    Raises:
      NotImplementedError: there are several devices, or `cross_device_ops` is given.
    """

    def __init__(self, devices: Any = None, cross_device_ops: Any = None):
        super().__init__(MirroredExtended(self, devices, cross_device_ops))


MirroredStrategy = MirroredStrategyV1


@tf_export("contrib.distribute.MirroredStrategy")
class ContribMirroredStrategy(distribute_lib.StrategyV1):
    """`tf.distribute.MirroredStrategy` with the arguments of `tf.contrib`'s.

    Args:
      devices: a list of one device's name.
      num_gpus, num_gpus_per_worker: how many GPUs are meant, in place of `devices`.
      cross_device_ops, cross_tower_ops: as above.
      auto_shard_dataset: has no meaning for one worker.

    Raises:
      NotImplementedError: there are several devices, or `cross_device_ops` is given.
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
        extended = MirroredExtended(self, devices, cross_device_ops or cross_tower_ops)
        extended._global_batch_size = False
        super().__init__(extended)


ContribMirroredStrategy.__name__ = ContribMirroredStrategy.__qualname__ = "MirroredStrategy"


class MirroredExtended(distribute_lib.StrategyExtendedV1):
    """How `MirroredStrategy` works."""

    experimental_should_init = should_checkpoint = should_save_summary = True
    experimental_between_graph = False
    _global_batch_size = True
    _num_replicas_in_sync = 1

    def __init__(self, container_strategy: Any, devices: Any = None, cross_device_ops: Any = None):
        super().__init__(container_strategy)
        full: tuple[str, ...] = tuple(
            device_util.resolve(d) for d in devices or all_local_devices()
        )
        assert len(set(full)) == len(full), f"No duplicates allowed in `devices` argument: {full}"
        elsewhere = [d for d in full if DeviceSpec.from_string(d).job not in (None, "localhost")]
        if elsewhere:
            raise NotImplementedError(
                f"tf.distribute.MirroredStrategy of another process ({elsewhere[0]}) is not "
                "supported by tf1compat"
            )
        if len(full) > 1:
            raise NotImplementedError(
                f"tf.distribute.MirroredStrategy of several devices ({', '.join(full)}) is not "
                "supported by tf1compat"
            )
        if cross_device_ops is not None:
            raise NotImplementedError(
                "cross_device_ops of tf.distribute.MirroredStrategy is not supported by tf1compat"
            )
        self._devices: tuple[str, ...] = full
        self._input_device = device_util.canonicalize("/device:CPU:0")

    # Variables.

    def _create_variable(self, next_creator: Any, *args: Any, **kwargs: Any) -> Any:
        beside = kwargs.pop("colocate_with", None)
        if isinstance(beside, numpy_dataset.SingleDevice):
            with ops.device(beside.device):
                return next_creator(*args, **kwargs)
        kwargs.pop("caching_device", None)
        collections = list(kwargs.pop("collections", None) or [ops.GraphKeys.GLOBAL_VARIABLES])
        aggregation = kwargs.pop("aggregation", None) or VariableAggregation.NONE
        _check_synchronization(kwargs.get("synchronization"), kwargs.get("name"))
        if not isinstance(aggregation, VariableAggregation):
            raise ValueError(
                f"Invalid variable aggregation mode: {aggregation} for variable: {kwargs['name']}"
            )
        with ops.device(self._devices[0]):
            copy = next_creator(*args, collections=[], **kwargs)
        variable = values.MirroredVariable(
            self._container_strategy(), self._devices, (copy,), aggregation
        )
        if ops.executing_eagerly():
            collections = [c for c in collections if c == ops.GraphKeys.GLOBAL_STEP]
        elif kwargs.get("trainable", True):
            collections.append(ops.GraphKeys.TRAINABLE_VARIABLES)
            trainable = ops.get_collection_ref(ops.GraphKeys.TRAINABLE_VARIABLES)
            trainable[:] = [v for v in trainable if v is not copy]
        ops.add_to_collections(collections, variable)
        return variable

    def _makes(self, variable: Any) -> bool:
        return isinstance(variable, values.MirroredVariable)

    def read_var(self, replica_local_var: Any) -> Any:
        """A tensor of a variable's value."""
        assert isinstance(replica_local_var, values.MirroredVariable)
        return array_ops.identity(replica_local_var.get())

    # Input.

    def _make_dataset_iterator(self, dataset: Any) -> Any:
        return input_lib.DatasetIterator(dataset, self._input_device)

    def _make_input_fn_iterator(self, input_fn: Any, replication_mode: Any = None) -> Any:
        return input_lib.of_input_fn(input_fn, self._input_device)

    def _experimental_distribute_dataset(self, dataset: Any) -> Any:
        return input_lib.DistributedDataset(dataset, self._input_device)

    def _experimental_distribute_datasets_from_function(self, dataset_fn: Any) -> Any:
        return input_lib.of_dataset_fn(dataset_fn, self._input_device)

    def _experimental_make_numpy_dataset(self, numpy_input: Any, session: Any) -> Any:
        host = numpy_dataset.SingleDevice("/cpu:0")
        return numpy_dataset.one_host_numpy_dataset(numpy_input, host, session)

    # Replicas.

    def _call_for_each_replica(self, fn: Any, args: Any, kwargs: Any) -> Any:
        with ops.name_scope(None):
            replica = constant_op.constant(0, dtypes.int32)
        context = _MirroredReplicaContext(self._container_strategy(), replica)
        around = variable_scope.get_variable_scope()
        with context, ops.device(self._devices[0]), variable_scope.variable_scope(around):
            return values.regroup(fn(*values.select(args), **values.select(kwargs)))

    def _reduce_to(self, reduce_op: Any, value: Any, destinations: Any) -> Any:
        if isinstance(value, values.DistributedValues):
            assert reduce_op == ReduceOp.MEAN
            return value
        is_zero = not isinstance(value, ops.Tensor | ops.IndexedSlices) and value == 0
        if is_zero or reduce_op == ReduceOp.MEAN:
            return 0 if is_zero else value
        return _copied(value, _device_of(destinations))

    def _batch_reduce_to(self, reduce_op: Any, pairs: Any) -> list[Any]:
        for value, destination in pairs:
            if device_util.resolve(value.device) != _device_of(destination):
                raise NotImplementedError(
                    "batch_reduce_to of tf.distribute.MirroredStrategy to another device is not "
                    "supported by tf1compat"
                )
        return [value for value, _ in pairs]

    def _broadcast_to(self, tensor: Any, destinations: Any) -> Any:
        if isinstance(tensor, float | int):
            return tensor
        return _copied(tensor, _device_of(destinations))

    def _update(self, var: Any, fn: Any, args: Any, kwargs: Any, group: bool) -> Any:
        assert isinstance(var, values.MirroredVariable)
        return self._update_non_slot(self._devices, fn, (var, *args), kwargs, group)

    def _update_non_slot(
        self, colocate_with: Any, fn: Any, args: Any, kwargs: Any, group: bool
    ) -> Any:
        assert isinstance(colocate_with, tuple)
        (device,) = colocate_with
        with (
            ops.device(device),
            distribute_lib.UpdateContext(device),
            ops.name_scope("update_0"),
        ):
            result = values.regroup(fn(*values.select(args), **values.select(kwargs)))
        return result if group else nest.map_structure(self._local_results, result)

    def _local_results(self, value: Any) -> tuple[Any, ...]:
        return value.values if isinstance(value, values.DistributedValues) else (value,)

    def value_container(self, value: Any) -> Any:
        """The distributed variable that a value is a copy of, else the value itself."""
        return values.value_container(value)

    @property
    def worker_devices(self) -> tuple[str, ...]:
        return self._devices

    parameter_devices = worker_devices

    def non_slot_devices(self, var_list: Any) -> tuple[str, ...]:
        return self._devices

    def _update_config_proto(self, config_proto: Any) -> Any:
        updated = super()._update_config_proto(config_proto)
        updated.isolate_session_state = True
        return updated

    def _configure(self, session_config: Any = None, cluster_spec: Any = None, *_: Any) -> None:
        if cluster_spec:
            raise NotImplementedError(
                "A cluster_spec of tf.distribute.MirroredStrategy is not supported by tf1compat"
            )
        if session_config:
            session_config.CopyFrom(self._update_config_proto(session_config))


def _check_synchronization(synchronization: Any, name: Any) -> None:
    if synchronization == VariableSynchronization.NONE:
        raise ValueError(
            "`NONE` variable synchronization mode is not supported with `Mirrored` distribution "
            f"strategy. Please change the `synchronization` for variable: {name}"
        )
    if synchronization == VariableSynchronization.ON_READ:
        raise NotImplementedError(
            "A variable of tf.VariableSynchronization.ON_READ under "
            f"tf.distribute.MirroredStrategy is not supported by tf1compat: {name}"
        )
    kinds = (None, VariableSynchronization.ON_WRITE, VariableSynchronization.AUTO)
    if synchronization not in kinds:
        raise ValueError(
            f"Invalid variable synchronization mode: {synchronization} for variable: {name}"
        )


def _device_of(destinations: Any) -> str:
    if isinstance(destinations, values.DistributedValues):
        return destinations.devices[0]
    place = destinations if isinstance(destinations, str) else getattr(destinations, "device", None)
    if place is None:
        raise ValueError(
            "destinations must be one of a `DistributedValues` object, a tf.Variable object, or a "
            "device string."
        )
    if not place:
        raise ValueError("destinations can not be empty")
    return device_util.resolve(place)


def _copied(value: Any, device: str) -> Any:
    with ops.device(device):
        if isinstance(value, ops.IndexedSlices):
            parts = (value.values, value.indices, value.dense_shape)
            return ops.IndexedSlices(*(array_ops.identity(part) for part in parts))
        return array_ops.identity(value)


class _MirroredReplicaContext(distribute_lib.ReplicaContext):
    """A replica's function is recorded at its device, what it merges where the call stands."""

    def __init__(self, strategy: Any, replica: Any):
        super().__init__(strategy, replica)
        self._graph = ops.get_default_graph()
        self._places = self._graph._device_stack

    def _merge_call(self, fn: Any, args: Any, kwargs: Any) -> Any:
        if ops.get_default_graph() is not self._graph:
            raise RuntimeError(_MERGE_IN_FUNCTION)
        around = variable_scope.get_variable_scope()
        with self._outside():
            modes._push_per_thread_mode(modes.Mode(self._strategy, None))
            try:
                with variable_scope.variable_scope(around):
                    result = fn(self._strategy, *values.regroup(args), **values.regroup(kwargs))
            finally:
                modes._pop_per_thread_mode()
        return values.select(result)

    @contextlib.contextmanager
    def _outside(self) -> Iterator[None]:
        inside, self._graph._device_stack = self._graph._device_stack, self._places
        try:
            yield
        finally:
            self._graph._device_stack = inside

    @property
    def devices(self) -> list[str]:
        distribute_lib.require_replica_context(self)
        return list(self._strategy.extended.worker_devices)


_MERGE_IN_FUNCTION = (
    "`merge_call` called while defining a new graph or a tf.function. This can often happen if the "
    "function `fn` passed to `strategy.experimental_run()` is decorated with `@tf.function` (or "
    "contains a nested `@tf.function`), and `fn` contains a synchronization point, such as "
    "aggregating gradients. This behavior is not yet supported. Instead, please wrap the entire "
    "call `strategy.experimental_run(fn)` in a `@tf.function`, and avoid nested `tf.function`s "
    "that may potentially cross a synchronization boundary."
)
