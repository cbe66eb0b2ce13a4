"""`tensorflow.python.distribute.collective_all_reduce_strategy`: workers that train the same."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.distribute import (
    cross_device_ops,
    cross_device_utils,
    device_util,
    distribute_lib,
    input_lib,
    mirrored_strategy,
    multi_worker_util,
    numpy_dataset,
    values,
)
from tf1compat.api.distribute.cluster_resolver.tfconfig_cluster_resolver import (
    TFConfigClusterResolver,
)
from tf1compat.api.distribute.cross_device_ops import CollectiveCommunication
from tf1compat.api.platform import tf_logging as logging
from tf1compat.core import ops, raw_ops
from tf1compat.core.export import tf_export


@tf_export("distribute.experimental.MultiWorkerMirroredStrategy")
class CollectiveAllReduceStrategyV1(distribute_lib.StrategyV1):
    """`MirroredStrategy` over the workers of a cluster, which TF_CONFIG names; or over this
    process.

    Args:
      communication: has no meaning here: workers meet at the first one.

    Raises:
      ValueError: TF_CONFIG names no task of its cluster.
    """

    def __init__(self, communication: Any = CollectiveCommunication.AUTO):
        super().__init__(CollectiveAllReduceExtended(self, communication))


@tf_export("compat.v2.distribute.experimental.MultiWorkerMirroredStrategy")
class CollectiveAllReduceStrategy(distribute_lib.Strategy):
    """TF 2's. Args: see `CollectiveAllReduceStrategyV1`."""

    def __init__(self, communication: Any = CollectiveCommunication.AUTO):
        super().__init__(CollectiveAllReduceExtended(self, communication))


@tf_export("contrib.distribute.CollectiveAllReduceStrategy")
class ContribCollectiveAllReduceStrategy(distribute_lib.StrategyV1):
    """As above.

    Args:
      num_gpus_per_worker: how many GPUs the replicas are at; the CPU if there are none.
      communication: as above.
    """

    def __init__(
        self, num_gpus_per_worker: int = 0, communication: Any = CollectiveCommunication.AUTO
    ):
        devices = device_util.local_devices_from_num_gpus(num_gpus_per_worker)
        extended = CollectiveAllReduceExtended(self, communication, devices)
        extended._global_batch_size = False
        super().__init__(extended)


_name = "CollectiveAllReduceStrategy"
ContribCollectiveAllReduceStrategy.__name__ = _name
ContribCollectiveAllReduceStrategy.__qualname__ = _name


class CollectiveAllReduceExtended(mirrored_strategy.MirroredExtended):
    """How `MultiWorkerMirroredStrategy` works."""

    experimental_between_graph = True
    experimental_enable_get_next_as_optional = False

    def __init__(self, container_strategy: Any, communication: Any, devices: Any = None):
        assert isinstance(communication, CollectiveCommunication)
        self._communication = communication
        self._cluster_spec: Any = None
        self._num_workers = 1
        self._collective_keys = cross_device_utils.CollectiveKeys()
        devices = devices or (device_util.canonicalize("/device:CPU:0"),)
        super().__init__(container_strategy, devices, self._reducer())
        self.experimental_enable_get_next_as_optional = False
        resolver = TFConfigClusterResolver()
        if resolver.cluster_spec():
            self._enter(resolver.cluster_spec(), resolver.task_type, resolver.task_id)
            return
        self._host_input_device = numpy_dataset.SingleDevice(
            device_util.canonicalize("/device:CPU:0")
        )
        logging.info(
            "Single-worker CollectiveAllReduceStrategy with local_devices = %r, communication = %s",
            self.worker_devices,
            communication,
        )

    def _reducer(self) -> Any:
        return cross_device_ops.CollectiveAllReduce(
            num_workers=self._num_workers, collective_keys=self._collective_keys
        )

    def _enter(self, cluster_spec: Any, task_type: str | None, task_id: Any) -> None:
        """Becomes one of the workers of a cluster.

        Raises:
          ValueError: the task is none of them.
        """
        if task_type is None or task_id is None:
            raise ValueError(
                "When `cluster_spec` is given, you must also specify `task_type` and `task_id`."
            )
        spec = multi_worker_util.normalize_cluster_spec(cluster_spec)
        self._num_workers = multi_worker_util.worker_count(spec, task_type)
        if not self._num_workers:
            raise ValueError(
                "No `worker`, `chief` or `evaluator` tasks can be found in `cluster_spec`."
            )
        self._cluster_spec, self._task = spec, (task_type, task_id)
        self._is_chief = multi_worker_util.is_chief(spec, task_type, task_id)
        self._collective_keys = cross_device_utils.CollectiveKeys()
        self._cross_device_ops = self._reducer()
        # What names no device is this worker's.
        here = self._default_device = f"/job:{task_type}/task:{task_id}"
        self._initialize_local((device_util.canonicalize(here),))
        self._input_workers = input_lib.InputWorkers(
            self._device_map, [(here, self.worker_devices)]
        )
        self._host_input_device = numpy_dataset.SingleDevice(here)
        logging.info(
            "Multi-worker CollectiveAllReduceStrategy with cluster_spec = %r, task_type = %r, "
            "task_id = %r, num_workers = %r, local_devices = %r, communication = %s",
            spec.as_dict(), task_type, task_id, self._num_workers, (here,), self._communication,
        )  # fmt: skip

    @property
    def worker(self) -> tuple[Any, str, int] | None:
        """The cluster, and the task of this worker in it; None if it is alone."""
        return None if self._cluster_spec is None else (self._cluster_spec, *self._task)

    @property
    def should_checkpoint(self) -> bool:
        """Whether this worker saves what all have; so for summaries."""
        return self._cluster_spec is None or self._is_chief

    should_save_summary = should_checkpoint

    @property
    def _num_replicas_in_sync(self) -> int:
        return len(self.worker_devices) * self._num_workers

    def _input_contexts(self) -> list[distribute_lib.InputContext]:
        return [self._input_context()]

    def _input_context(self) -> distribute_lib.InputContext:
        number = 0
        if self._cluster_spec is not None:
            number = multi_worker_util.id_in_cluster(self._cluster_spec, *self._task)
        return distribute_lib.InputContext(
            num_input_pipelines=self._num_workers, input_pipeline_id=number,
            num_replicas_in_sync=self._num_replicas_in_sync,
        )  # fmt: skip

    def _initial_value(self, number: int, device: str, primary: Any, kwargs: Any) -> Any:
        if number:
            return super()._initial_value(number, device, primary, kwargs)
        given = kwargs["initial_value"]

        def first() -> Any:
            keys: dict[str, Any] = {}
            if self._num_workers > 1:
                keys = {
                    "group_size": self._num_workers,
                    "group_key": self._collective_keys.get_group_key([device]),
                    "instance_key": self._collective_keys.get_variable_instance_key(),
                }
            with ops.device(device):
                value = given() if callable(given) else given
                value = ops.convert_to_tensor(value, dtype=kwargs.get("dtype"))
                return self._of_chief(value, keys) if keys else value

        return first

    def _of_chief(self, value: Any, keys: dict[str, Any]) -> Any:
        """What a variable of all workers begins with: what the first one has for it."""
        if not self._is_chief:
            return raw_ops.CollectiveBcastRecv(T=value.dtype, shape=value.shape, **keys)
        sent = raw_ops.CollectiveBcastSend(input=value, shape=value.shape, **keys)
        with ops.control_dependencies([sent]):
            return array_ops.identity(value)

    def _make_dataset_iterator(self, dataset: Any) -> Any:
        return input_lib.DatasetIterator(
            dataset, self._input_workers, self._container_strategy(), self._num_replicas_in_sync,
            self._input_context(),
        )  # fmt: skip

    def _experimental_distribute_dataset(self, dataset: Any) -> Any:
        return input_lib.get_distributed_dataset(
            dataset, self._input_workers, self._container_strategy(), self._num_replicas_in_sync,
            self._input_context(),
        )  # fmt: skip

    def _reduce_to(self, reduce_op: Any, value: Any, destinations: Any) -> Any:
        is_mirrored = isinstance(value, values.Mirrored)
        if isinstance(value, values.DistributedValues) and not is_mirrored:
            if len(self.worker_devices) == 1:
                value = value.values[0]
        if self._num_workers > 1 and not is_mirrored:
            return self._get_cross_device_ops().reduce(reduce_op, value, destinations=destinations)
        return super()._reduce_to(reduce_op, value, destinations)

    def _configure(
        self, session_config: Any = None, cluster_spec: Any = None, task_type: str | None = None,
        task_id: Any = None,
    ) -> None:  # fmt: skip
        if cluster_spec:
            self._enter(cluster_spec, task_type, task_id)
        super()._configure(session_config)

    def _update_config_proto(self, config_proto: Any) -> Any:
        updated = distribute_lib.StrategyExtendedV1._update_config_proto(self, config_proto)
        options = updated.graph_options.rewrite_options
        options.scoped_allocator_optimization = 1  # ON
        del options.scoped_allocator_opts.enable_op[:]
        options.scoped_allocator_opts.enable_op.append("CollectiveReduce")
        if self._communication == CollectiveCommunication.NCCL:
            updated.experimental.collective_nccl = True
        if self._cluster_spec is not None:
            leader = multi_worker_util.collective_leader(self._cluster_spec, *self._task)
            updated.experimental.collective_group_leader = leader
            updated.device_filters[:] = ["/job:{}/task:{}".format(*self._task)]
        return updated
