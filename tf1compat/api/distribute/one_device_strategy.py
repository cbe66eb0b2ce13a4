"""`tensorflow.python.distribute.one_device_strategy`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.array import constant_op
from tf1compat.api.distribute import (
    device_util,
    distribute_lib,
    input_lib,
    numpy_dataset,
    values,
)
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.session_interface import SessionInterface


@tf_export("distribute.OneDeviceStrategy", "contrib.distribute.OneDeviceStrategy")
class OneDeviceStrategyV1(distribute_lib.StrategyV1):
    """Everything at one device.

    Args:
      device: its name, e.g. "/cpu:0".
    """

    def __init__(self, device: str):
        super().__init__(OneDeviceExtended(self, device))


@tf_export("compat.v2.distribute.OneDeviceStrategy")
class OneDeviceStrategy(distribute_lib.Strategy):
    """TF 2's. Args: see `OneDeviceStrategyV1`."""

    def __init__(self, device: str):
        super().__init__(OneDeviceExtended(self, device))


class OneDeviceExtended(distribute_lib.OneReplicaExtended):
    """How `OneDeviceStrategy` works."""

    experimental_should_init = should_checkpoint = should_save_summary = True
    experimental_between_graph = False
    _support_per_replica_values = False

    def __init__(self, container_strategy: Any, device: str):
        super().__init__(container_strategy)
        assert isinstance(device, str)
        self._device = device_util.canonicalize(device)
        self._input_device = device_util.get_host_for_device(self._device)
        self._input_workers = input_lib.InputWorkers(
            values.SingleDeviceMap(device), [(self._input_device, [self._device])]
        )

    def _create_variable(self, next_creator: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        beside = kwargs.pop("colocate_with", None)
        if isinstance(beside, numpy_dataset.SingleDevice):
            place = ops.device(beside.device)
        else:
            place = ops.device(self._device) if beside is None else ops.colocate_with(beside)
        with place:
            return next_creator(*args, **kwargs)

    def _make_dataset_iterator(self, dataset: Any) -> Any:
        return input_lib.DatasetIterator(dataset, self._input_workers, self._container_strategy())

    def _make_input_fn_iterator(
        self, input_fn: Callable[..., Any], replication_mode: Any = None
    ) -> Any:
        return input_lib.InputFunctionIterator(
            input_fn, self._input_workers, [distribute_lib.InputContext()],
            self._container_strategy(),
        )  # fmt: skip

    def _experimental_distribute_dataset(self, dataset: Any) -> Any:
        return input_lib.get_distributed_dataset(
            dataset, self._input_workers, self._container_strategy()
        )

    def _experimental_distribute_datasets_from_function(self, dataset_fn: Any) -> Any:
        return input_lib.get_distributed_datasets_from_function(
            dataset_fn, self._input_workers, [distribute_lib.InputContext()],
            self._container_strategy(),
        )  # fmt: skip

    def _experimental_run_steps_on_iterator(
        self, fn: Any, iterator: Any, iterations: Any, initial_loop_values: Any = None
    ) -> Any:
        return input_lib.run_steps(self, fn, iterator, iterations, initial_loop_values)

    def _experimental_make_numpy_dataset(self, numpy_input: Any, session: SessionInterface) -> Any:
        host = numpy_dataset.SingleDevice(self._input_device)
        return numpy_dataset.one_host_numpy_dataset(numpy_input, host, session)

    def _broadcast_to(self, tensor: Any, destinations: Any) -> Any:
        return tensor

    def _call_for_each_replica(self, fn: Any, args: Any, kwargs: Any) -> Any:
        with ops.device(self._device), _OneDeviceReplicaContext(self._container_strategy()):
            return fn(*args, **kwargs)

    def _update_non_slot(
        self, colocate_with: Any, fn: Any, args: Any, kwargs: Any, group: bool
    ) -> Any:
        with ops.device(self._device), distribute_lib.UpdateContext(self._device):
            return self._result(fn(*args, **kwargs), group)

    @property
    def worker_devices(self) -> tuple[str]:
        return (self._device,)

    parameter_devices = worker_devices

    def non_slot_devices(self, var_list: Any) -> tuple[str]:
        return (self._device,)


class _OneDeviceReplicaContext(distribute_lib.ReplicaContext):
    def __init__(self, strategy: Any):
        super().__init__(strategy, constant_op.constant(0, dtypes.int32))

    @property
    def devices(self) -> Any:
        return self._strategy.extended.worker_devices
