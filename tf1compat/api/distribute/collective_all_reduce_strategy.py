"""`tensorflow.python.distribute.collective_all_reduce_strategy`, for one worker."""

from __future__ import annotations

from typing import Any

from tf1compat.api.distribute import (
    cross_device_ops,
    cross_device_utils,
    device_util,
    distribute_lib,
    input_lib,
    mirrored_strategy,
    numpy_dataset,
    values,
)
from tf1compat.api.distribute.cluster_resolver.tfconfig_cluster_resolver import (
    TFConfigClusterResolver,
)
from tf1compat.api.distribute.cross_device_ops import CollectiveCommunication
from tf1compat.api.platform import tf_logging as logging
from tf1compat.core import ops
from tf1compat.core.export import tf_export


@tf_export("distribute.experimental.MultiWorkerMirroredStrategy")
class CollectiveAllReduceStrategyV1(distribute_lib.StrategyV1):
    """`MirroredStrategy` over workers; here there is one.

    Args:
      communication: how workers would talk to each other.

    Raises:
      NotImplementedError: TF_CONFIG names a cluster.
    """

    def __init__(self, communication: Any = CollectiveCommunication.AUTO):
        super().__init__(CollectiveAllReduceExtended(self, communication))


CollectiveAllReduceStrategy = CollectiveAllReduceStrategyV1


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

    def __init__(self, container_strategy: Any, communication: Any, devices: Any = None):
        assert isinstance(communication, CollectiveCommunication)
        _refuse_cluster(TFConfigClusterResolver().cluster_spec())
        self._communication = communication
        collective = cross_device_ops.CollectiveAllReduce(
            num_workers=1, collective_keys=cross_device_utils.CollectiveKeys()
        )
        devices = devices or (device_util.canonicalize("/device:CPU:0"),)
        super().__init__(container_strategy, devices, collective)
        self._host_input_device = numpy_dataset.SingleDevice(
            device_util.canonicalize("/device:CPU:0")
        )
        self.experimental_enable_get_next_as_optional = False
        logging.info(
            "Single-worker CollectiveAllReduceStrategy with local_devices = %r, communication = %s",
            self.worker_devices,
            communication,
        )

    def _initial_value(self, number: int, device: str, primary: Any, kwargs: Any) -> Any:
        if number:
            return super()._initial_value(number, device, primary, kwargs)
        given = kwargs["initial_value"]

        def first() -> Any:
            with ops.device(device):
                value = given() if callable(given) else given
                return ops.convert_to_tensor(value, dtype=kwargs.get("dtype"))

        return first

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
        if (
            isinstance(value, values.DistributedValues)
            and not isinstance(value, values.Mirrored)
            and len(self.worker_devices) == 1
        ):
            value = value.values[0]
        return super()._reduce_to(reduce_op, value, destinations)

    def _configure(self, session_config: Any = None, cluster_spec: Any = None, *_: Any) -> None:
        _refuse_cluster(cluster_spec)
        super()._configure(session_config)

    def _update_config_proto(self, config_proto: Any) -> Any:
        updated = distribute_lib.StrategyExtendedV1._update_config_proto(self, config_proto)
        options = updated.graph_options.rewrite_options
        options.scoped_allocator_optimization = 1  # ON
        del options.scoped_allocator_opts.enable_op[:]
        options.scoped_allocator_opts.enable_op.append("CollectiveReduce")
        if self._communication == CollectiveCommunication.NCCL:
            updated.experimental.collective_nccl = True
        return updated


def _refuse_cluster(cluster_spec: Any) -> None:
    if cluster_spec:
        raise NotImplementedError(
            "tf.distribute.experimental.MultiWorkerMirroredStrategy of a cluster is not supported "
            "by tf1compat yet"
        )
