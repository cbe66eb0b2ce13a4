"""How values of several devices become one (`tensorflow.python.distribute.cross_device_ops`)."""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Any, NamedTuple

from tf1compat.api.array import array_ops, shape_ops
from tf1compat.api.distribute import cross_device_utils, device_util
from tf1compat.api.distribute.distributed_values import regroup
from tf1compat.api.distribute.reduce_util import ReduceOp
from tf1compat.api.distribute.values import (
    AggregatingVariable,
    DeviceMap,
    DistributedValues,
    LogicalDeviceSpec,
    Mirrored,
    PerReplica,
    SingleDeviceMap,
)
from tf1compat.api.math import math_ops
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.variables.resource_variable_ops import BaseResourceVariable
from tf1compat.core import ops, tensor_util
from tf1compat.core.export import export_constant, tf_export

# Destinations: a device's name, or something that is at a device or at several.


def check_destinations(destinations: Any) -> bool:
    """Whether something says where it is."""
    if isinstance(destinations, BaseResourceVariable | ops.Tensor):
        return bool(destinations.device)
    return bool(destinations)


def validate_destinations(destinations: Any) -> None:
    """Refuses what says of no device.

    Raises:
      ValueError: it is nothing that could, or doesn't.
    """
    kinds = (
        DistributedValues, BaseResourceVariable, ops.Tensor, AggregatingVariable, str,
        LogicalDeviceSpec,
    )  # fmt: skip
    if not isinstance(destinations, kinds):
        raise ValueError(
            "destinations must be one of a `DistributedValues` object, a tf.Variable object, or a "
            "device string."
        )
    if not check_destinations(destinations):
        raise ValueError("destinations can not be empty")


def get_devices_from(destinations: Any) -> tuple[str, ...]:
    """The devices that something is at."""
    if isinstance(destinations, DistributedValues):
        return destinations.devices
    if isinstance(destinations, LogicalDeviceSpec):
        return destinations.device_map.logical_to_actual_devices(destinations.logical_device)
    place = destinations if isinstance(destinations, str) else destinations.device
    return (device_util.resolve(place),)


def get_device_map_from(destinations: Any) -> tuple[DeviceMap, int]:
    """The map of the devices that something is at, and which of a replica's."""
    if isinstance(destinations, DistributedValues | LogicalDeviceSpec):
        return destinations.device_map, destinations.logical_device
    if isinstance(destinations, str):
        return SingleDeviceMap(device_util.resolve(destinations)), 0
    return SingleDeviceMap(destinations.device), 0


def _devices_match(left: Any, right: Any) -> bool:
    return set(get_devices_from(left)) == set(get_devices_from(right))


def _all_devices_match(pairs: Any) -> bool:
    first = pairs[0][0]
    return all(_devices_match(v, d) for v, d in pairs) and all(
        _devices_match(v, first) for v, _ in pairs[1:]
    )


# Values.


def reduce_non_distributed_value(
    reduce_op: Any, device_map: DeviceMap, value: Any, destinations: Any
) -> Any:
    """The reduction of what is the same for all replicas.

    Raises:
      ValueError: it differs from replica to replica, or there are several to sum.
    """
    if isinstance(value, DistributedValues):
        raise ValueError(
            "You are passing a `DistributedValue` to `reduce_non_distributed_value`, which is not "
            "allowed."
        )
    if not tensor_util.is_tensor(value) and value == 0:
        return 0
    if reduce_op == ReduceOp.MEAN:
        return value
    validate_destinations(destinations)
    if device_map.num_replicas_in_graph != 1:
        raise ValueError(
            f"A non-DistributedValues value {value} cannot be reduced with the given reduce op "
            f"{reduce_op}."
        )
    return simple_broadcast(value, destinations)


def simple_broadcast(value: Any, destinations: Any, always_mirrored: bool = False) -> Any:
    """A value's copies at devices; the copy itself if there is one device."""
    device_map, place = get_device_map_from(destinations)
    copies = [
        cross_device_utils.copy_tensor_or_indexed_slices_to_device(value, device)
        for device in device_map.logical_to_actual_devices(place)
    ]
    if len(copies) == 1 and not always_mirrored:
        return copies[0]
    return regroup(device_map, copies, wrap_class=Mirrored)


def _make_tensor_into_per_replica(value: Any) -> PerReplica:
    if isinstance(value, tuple | list) and not isinstance(value, ops.IndexedSlices):
        raise ValueError(
            "Cannot convert `input_tensor` to a `PerReplica` object, got "
            f"{value!r} but expected a object that is not a tuple or list."
        )
    if isinstance(value, PerReplica):
        return value
    if not hasattr(value, "device"):
        raise ValueError(
            "Cannot convert `input_tensor` to a `PerReplica` object because it doesn't have device "
            "set."
        )
    return PerReplica(SingleDeviceMap(value.device), (value,))


def _normalized_pairs(pairs: Any) -> list[tuple[Any, Any]]:
    """Pairs of a value of replicas and where it goes."""
    found = []
    for pair in pairs:
        if not isinstance(pair, tuple):
            raise ValueError("Each element of `value_destination_pairs` should be a tuple.")
        if len(pair) != 2:
            raise ValueError(
                "Each element of `value_destination_pairs` should be a tuple of size 2."
            )
        found.append((_make_tensor_into_per_replica(pair[0]), pair[1]))
    return found


def _simple_reduce(
    per_replica_value: Any, device: str, accumulation_fn: Any, reduce_op: Any
) -> Any:
    """The reduction of all values at one device."""
    values = per_replica_value.values
    if not values:
        raise ValueError("`per_replica_value` must be non-empty")
    if len(values) == 1 and values[0].device == device:
        return values[0]
    with ops.device(device):
        reduced = cross_device_utils.aggregate_tensors_or_indexed_slices(values, accumulation_fn)
        if reduce_op == ReduceOp.MEAN:
            return cross_device_utils.divide_by_n_tensors_or_indexed_slices(reduced, len(values))
        if reduce_op != ReduceOp.SUM:
            raise ValueError("`reduce_op` must be Reduce.SUM or Reduce.MEAN.")
        return reduced


# The kinds.


@tf_export("distribute.CrossDeviceOps")
class CrossDeviceOps:
    """The base of them."""

    @property
    def _num_between_graph_workers(self) -> int:
        return 1

    def reduce(self, reduce_op: Any, per_replica_value: Any, destinations: Any) -> Any:
        """The reduction of a value of replicas, at the devices of `destinations`.

        Args:
          reduce_op: a `tf.distribute.ReduceOp`: SUM or MEAN.
          per_replica_value: a `PerReplica`, or a tensor.
          destinations: a device's name, or what is at devices.

        Returns:
          A `Mirrored`.

        Raises:
          ValueError: an argument is none of these.
        """
        if not isinstance(per_replica_value, DistributedValues):
            per_replica_value = _make_tensor_into_per_replica(per_replica_value)
        validate_destinations(destinations)
        if (
            self._num_between_graph_workers == 1
            and len(per_replica_value.values) == 1
            and _devices_match(per_replica_value, destinations)
        ):
            return _as_mirrored(per_replica_value)
        return self.reduce_implementation(reduce_op, per_replica_value, destinations)

    def batch_reduce(self, reduce_op: Any, value_destination_pairs: Any) -> list[Any]:
        """`reduce` of many values.

        Args:
          reduce_op: as above.
          value_destination_pairs: pairs of a value and where it goes.

        Returns:
          A list of `Mirrored`.

        Raises:
          ValueError: an argument is none of these.
        """
        pairs = _normalized_pairs(value_destination_pairs)
        for _, destinations in pairs:
            validate_destinations(destinations)
        if (
            self._num_between_graph_workers == 1
            and _all_devices_match(pairs)
            and len(pairs[0][0].values) == 1
        ):
            return [_as_mirrored(value) for value, _ in pairs]
        return self.batch_reduce_implementation(reduce_op, pairs)

    def broadcast(self, tensor: Any, destinations: Any) -> Any:
        """A tensor's copies at the devices of `destinations`, a `Mirrored`."""
        validate_destinations(destinations)
        return self.broadcast_implementation(tensor, destinations)

    def reduce_implementation(
        self, reduce_op: Any, per_replica_value: Any, destinations: Any
    ) -> Any:
        """What `reduce` does; for subclasses."""
        raise NotImplementedError("_reduce method must be implemented in descendants.")

    def batch_reduce_implementation(self, reduce_op: Any, value_destination_pairs: Any) -> Any:
        """What `batch_reduce` does; for subclasses."""
        raise NotImplementedError("_batch_reduce method must be implemented in descendants.")

    def broadcast_implementation(self, tensor: Any, destinations: Any) -> Any:
        """What `broadcast` does; for subclasses."""
        return simple_broadcast(tensor, destinations, always_mirrored=True)


def _as_mirrored(value: DistributedValues) -> Any:
    return regroup(value.device_map, value.values, wrap_class=Mirrored)


@tf_export("distribute.ReductionToOneDevice")
class ReductionToOneDevice(CrossDeviceOps):
    """Reduces at one device, and copies from there.

    Args:
      reduce_to_device: the device; by default the first that the result goes to.
      accumulation_fn: sums a list of tensors, `tf.add_n` by default.
    """

    def __init__(
        self, reduce_to_device: str | None = None,
        accumulation_fn: Callable[[Any], Any] | None = None,
    ):  # fmt: skip
        self.reduce_to_device = reduce_to_device
        self.accumulation_fn = accumulation_fn or math_ops.add_n

    def reduce_implementation(
        self, reduce_op: Any, per_replica_value: Any, destinations: Any
    ) -> Any:
        is_said = check_destinations(destinations)
        devices = get_devices_from(destinations if is_said else per_replica_value)
        device = self.reduce_to_device or devices[0]
        logging.log_first_n(logging.INFO, f"Reduce to {device} then broadcast to {devices!r}.", 10)
        reduced = _simple_reduce(per_replica_value, device, self.accumulation_fn, reduce_op)
        return self.broadcast(reduced, destinations)

    def batch_reduce_implementation(self, reduce_op: Any, value_destination_pairs: Any) -> Any:
        return [
            self.reduce_implementation(reduce_op, value, destinations)
            for value, destinations in value_destination_pairs
        ]


export_constant("contrib.distribute.CrossDeviceOps", CrossDeviceOps)


def _group_value_by_device(values: Any) -> list[list[tuple[Any, None]]]:
    devices = values[0].devices
    assert all(value.devices == devices for value in values)
    return [[(value.values[i], None) for value in values] for i in range(len(devices))]


def _ungroup_and_make_mirrored(
    grouped: Any, destinations: Any, reduce_op: Any, num_between_graph_workers: int = 1
) -> list[Any]:
    device_map, _ = get_device_map_from(destinations)
    count = device_map.num_replicas_in_graph * num_between_graph_workers
    found: list[list[Any]] = [[] for _ in grouped[0]]
    for of_device in grouped:
        for values, (value, _) in zip(found, of_device, strict=True):
            if reduce_op == ReduceOp.MEAN:
                with ops.device(value.device):
                    value = value / count
            values.append(value)
    return [regroup(device_map, values, wrap_class=Mirrored) for values in found]


class _ConcatAndSplitPacker:
    """Makes a few equal parts of all gradients of a device.

    Args:
      num_packs: how many.
    """

    def __init__(self, num_packs: int = 1):
        if num_packs <= 0:
            raise ValueError("num_packs must be greater than zero.")
        self.num_packs = num_packs

    def pack(self, grouped: Any) -> list[Any]:
        """The parts of each device."""
        self._grouped = grouped
        self._shapes, self._sizes, packs = [], [], []
        for grads in grouped:
            with ops.colocate_with(grads[0][0]):
                flat = [shape_ops.reshape(g, [-1]) for g, _ in grads]
                self._shapes.append([shape_ops.shape(g) for g, _ in grads])
                self._sizes.append([shape_ops.size(g) for g, _ in grads])
                joined = array_ops.concat(flat, 0)
                if all(g.shape.is_fully_defined() for g, _ in grads):
                    total: Any = sum(g.shape.num_elements() for g, _ in grads)
                else:
                    total = shape_ops.size(joined)
                size = total // self.num_packs
                last = total - size * (self.num_packs - 1)
                parts = array_ops.split(joined, [size] * (self.num_packs - 1) + [last])
                packs.append([(part, None) for part in parts])
        return packs

    def unpack(self, summed: Any) -> list[Any]:
        """The gradients of the parts."""
        found = []
        for packs, grads, shapes, sizes in zip(
            summed, self._grouped, self._shapes, self._sizes, strict=True
        ):
            with ops.colocate_with(packs[0][0]):
                joined = array_ops.concat([g for g, _ in packs], 0)
                parts = array_ops.split(joined, sizes)
                found.append([
                    (shape_ops.reshape(part, shape), v)
                    for shape, part, (_, v) in zip(shapes, parts, grads, strict=True)
                ])  # fmt: skip
        return found


class _AggregateSmallTensorPacker:
    """Packs small gradients together.

    Args:
      agg_small_grads_max_bytes: how large a small one is.
      agg_small_grads_max_group: how many are packed together.
    """

    def __init__(
        self, agg_small_grads_max_bytes: int = 1048576, agg_small_grads_max_group: int = 16
    ):
        if agg_small_grads_max_bytes <= 0 or agg_small_grads_max_group <= 0:
            raise ValueError(
                "agg_small_grads_max_bytes and agg_small_grads_max_group should both be greater "
                "than zero."
            )
        self.agg_small_grads_max_bytes = agg_small_grads_max_bytes
        self.agg_small_grads_max_group = agg_small_grads_max_group

    def pack(self, grouped: Any) -> Any:
        """The gradients of each device, packed."""
        grads, self.packing = cross_device_utils.pack_small_tensors(
            grouped, self.agg_small_grads_max_bytes, self.agg_small_grads_max_group
        )
        return grads

    def unpack(self, summed: Any) -> Any:
        """The gradients as they were."""
        return cross_device_utils.unpack_small_tensors(summed, self.packing)


def _packer(num_packs: int, max_bytes: int, max_group: int) -> Any:
    if num_packs > 0:
        return _ConcatAndSplitPacker(num_packs)
    if max_bytes > 0 and max_group > 0:
        return _AggregateSmallTensorPacker(max_bytes, max_group)
    return None


@tf_export("contrib.distribute.AllReduceCrossDeviceOps")
class AllReduceCrossDeviceOps(CrossDeviceOps):
    """Reduces at all devices at once.

    Args:
      all_reduce_alg: "nccl", or "hierarchical_copy" of two halves of the devices.
      num_packs: into how many parts all gradients are joined; 0: they aren't.
      agg_small_grads_max_bytes: which gradients are packed together; 0: none.
      agg_small_grads_max_group: how many at most.
    """

    def __init__(
        self, all_reduce_alg: str = "nccl", num_packs: int = 1,
        agg_small_grads_max_bytes: int = 0, agg_small_grads_max_group: int = 10,
    ):  # fmt: skip
        self._all_reduce_alg = all_reduce_alg
        self._num_packs = num_packs
        self._agg_small_grads_max_bytes = agg_small_grads_max_bytes
        self._agg_small_grads_max_group = agg_small_grads_max_group
        self._simple_cross_replica_ops = ReductionToOneDevice()

    def reduce_implementation(
        self, reduce_op: Any, per_replica_value: Any, destinations: Any
    ) -> Any:
        if _devices_match(per_replica_value, destinations):
            return self._batch_all_reduce(reduce_op, [per_replica_value])[0]
        return self._simple_cross_replica_ops.reduce(reduce_op, per_replica_value, destinations)

    def batch_reduce_implementation(self, reduce_op: Any, value_destination_pairs: Any) -> Any:
        return _batch_reduced(self, reduce_op, value_destination_pairs)

    def _batch_all_reduce(self, reduce_op: Any, values: Any) -> list[Any]:
        return _by_sparsity(
            values,
            lambda dense: self._do_batch_all_reduce(reduce_op, dense),
            lambda sparse: self._do_batch_all_reduce_sparse(reduce_op, sparse),
        )

    def _do_batch_all_reduce(self, reduce_op: Any, values: Any) -> list[Any]:
        logging.log_first_n(
            logging.INFO,
            f"batch_all_reduce: {len(values)} all-reduces with algorithm = "
            f"{self._all_reduce_alg}, num_packs = {self._num_packs}, agg_small_grads_max_bytes = "
            f"{self._agg_small_grads_max_bytes} and agg_small_grads_max_group = "
            f"{self._agg_small_grads_max_group}",
            10,
        )
        grouped: Any = _group_value_by_device(values)
        packer = _packer(
            self._num_packs, self._agg_small_grads_max_bytes, self._agg_small_grads_max_group
        )
        packs = grouped if packer is None else packer.pack(grouped)
        if self._all_reduce_alg == "nccl":
            summed: Any = cross_device_utils.aggregate_gradients_using_nccl(packs)
        else:
            summed = cross_device_utils.aggregate_gradients_using_hierarchical_copy(
                values[0].devices, packs
            )
        if packer is not None:
            summed = packer.unpack(summed)
        return _ungroup_and_make_mirrored(summed, values[0], reduce_op)

    def _do_batch_all_reduce_sparse(self, reduce_op: Any, values: Any) -> list[Any]:
        logging.log_first_n(
            logging.WARN,
            f"Efficient allreduce is not supported for {len(values)} IndexedSlices",
            10,
        )
        return self._simple_cross_replica_ops.batch_reduce(
            reduce_op, zip(values, values, strict=True)
        )


AllReduceCrossTowerOps = AllReduceCrossDeviceOps


def _batch_reduced(how: Any, reduce_op: Any, pairs: Any) -> list[Any]:
    """What can be reduced together is, else each by itself."""
    if _all_devices_match(pairs):
        return how._batch_all_reduce(reduce_op, [value for value, _ in pairs])
    return [how.reduce_implementation(reduce_op, value, place) for value, place in pairs]


def _by_sparsity(values: Any, reduce_dense: Any, reduce_sparse: Any) -> list[Any]:
    dense, dense_at, sparse, sparse_at = cross_device_utils.split_by_sparsity(values)
    reduced_dense = reduce_dense(dense) if dense else []
    reduced_sparse = reduce_sparse(sparse) if sparse else []
    return cross_device_utils.stitch_values(
        ((reduced_dense, dense_at), (reduced_sparse, sparse_at))
    )


@tf_export("distribute.NcclAllReduce")
class NcclAllReduce(AllReduceCrossDeviceOps):
    """By NCCL's operations.

    Args:
      num_packs: see `AllReduceCrossDeviceOps`.

    Raises:
      ValueError: `num_packs` is below 0.
    """

    def __init__(self, num_packs: int = 1):
        if num_packs < 0:
            raise ValueError(
                f"NCCL all-reduce requires num_packs >= 0, but {num_packs} is specified"
            )
        super().__init__(all_reduce_alg="nccl", num_packs=num_packs)


@tf_export("distribute.HierarchicalCopyAllReduce")
class HierarchicalCopyAllReduce(AllReduceCrossDeviceOps):
    """In two halves of the devices.

    Args:
      num_packs: see `AllReduceCrossDeviceOps`.

    Raises:
      ValueError: `num_packs` is below 0.
    """

    def __init__(self, num_packs: int = 1):
        if num_packs < 0:
            raise ValueError(
                f"HierarchicalCopy requires num_packs >= 0, but {num_packs} is specified"
            )
        super().__init__(all_reduce_alg="hierarchical_copy", num_packs=num_packs)


class AllReduceSpecTuple(NamedTuple):
    """How tensors up to some size are reduced."""

    alg: str
    shards: int
    limit: int


@tf_export("contrib.distribute.MultiWorkerAllReduce")
class MultiWorkerAllReduce(AllReduceCrossDeviceOps):
    """Reduces over the devices of several tasks of one graph.

    Args:
      worker_devices: the tasks, as devices.
      num_gpus_per_worker: how many GPUs each has.
      all_reduce_spec: the name of a way; or a tuple of it, in how many parts, and up to how many
        elements (-1: any); or a list of such tuples, the smallest first. Ways are "nccl", "xring",
        "pscpu", "psgpu", and first within tasks, then among them, "nccl/xring", "nccl/rechd",
        "nccl/pscpu", "pscpu/pscpu".
      num_packs, agg_small_grads_max_bytes, agg_small_grads_max_group: see
        `AllReduceCrossDeviceOps`.

    Raises:
      ValueError: `all_reduce_spec` is wrong.
    """

    def __init__(
        self, worker_devices: Any, num_gpus_per_worker: int,
        all_reduce_spec: Any = ("pscpu/pscpu", 2, -1), num_packs: int = 0,
        agg_small_grads_max_bytes: int = 0, agg_small_grads_max_group: int = 10,
    ):  # fmt: skip
        self._worker_devices = worker_devices
        self._num_gpus_per_worker = num_gpus_per_worker
        super().__init__(
            num_packs=num_packs, agg_small_grads_max_bytes=agg_small_grads_max_bytes,
            agg_small_grads_max_group=agg_small_grads_max_group,
        )  # fmt: skip

        def completed(spec: Any) -> AllReduceSpecTuple:
            if not isinstance(spec, tuple):
                raise ValueError(f"A tuple is expected for all-reduce spec: {all_reduce_spec!r}")
            if not 1 <= len(spec) <= 3:
                # As in TF, whose text is made of the elements.
                raise ValueError("Too many elements in the all-reduce spec tuple: %r" % spec)  # noqa: UP031
            return AllReduceSpecTuple(*spec, *(1, -1)[len(spec) - 1 :])

        self._all_reduce_spec: list[AllReduceSpecTuple] = []
        if isinstance(all_reduce_spec, str):
            self._all_reduce_spec = [completed((all_reduce_spec,))]
        elif isinstance(all_reduce_spec, tuple):
            self._all_reduce_spec = [completed(all_reduce_spec)]
        elif isinstance(all_reduce_spec, list):
            self._all_reduce_spec = [completed(spec) for spec in all_reduce_spec]

    def _summed(self, grads: Any, spec: AllReduceSpecTuple) -> list[list[Any]]:
        """The sums, at each device, by one of the ways."""
        packer = _packer(
            self._num_packs, self._agg_small_grads_max_bytes, self._agg_small_grads_max_group
        )
        summed: Any = cross_device_utils.sum_gradients_all_reduce(
            self._worker_devices, grads if packer is None else packer.pack(grads),
            len(self._worker_devices), spec.alg, spec.shards, range(self._num_gpus_per_worker),
        )  # fmt: skip
        return summed if packer is None else packer.unpack(summed)

    def _batch_all_reduce(self, reduce_op: Any, values: Any) -> list[Any]:
        logging.log_first_n(
            logging.INFO,
            f"Distributed batch_all_reduce: {len(values)} all-reduces with allreduce_spec = "
            f"{self._all_reduce_spec!r}, num_packs = {self._num_packs}, agg_small_grads_max_bytes "
            f"= {self._agg_small_grads_max_bytes}, and agg_small_grads_max_group = "
            f"{self._agg_small_grads_max_group}",
            10,
        )
        left: Any = _group_value_by_device(values)
        for of_device in left:
            for grad, _ in of_device:
                if not grad.shape.is_fully_defined():
                    raise ValueError(f"Shape is unknown for node {grad!r}")
        summed: list[list[Any]] = []
        for spec in self._all_reduce_spec:
            chosen, left = (
                (left, [])
                if spec.limit < 0
                else cross_device_utils.split_grads_by_size(spec.limit, left)
            )
            if chosen:
                more = self._summed(chosen, spec)
                summed = [a + b for a, b in zip(summed, more, strict=True)] if summed else more
        assert not left
        return _ungroup_and_make_mirrored(summed, values[0], reduce_op)


@tf_export("distribute.experimental.CollectiveCommunication")
class CollectiveCommunication(enum.Enum):
    """How workers would talk to each other."""

    AUTO = "AUTO"
    RING = "RING"
    NCCL = "NCCL"


class CollectiveAllReduce(CrossDeviceOps):
    """By collective operations, also among workers.

    Args:
      num_workers: how many workers there are.
      num_gpus_per_worker: of each; said only.
      all_reduce_merge_scope: how many gradients are reduced in one name scope.
      collective_keys: gives the numbers of the operations.
    """

    def __init__(
        self, num_workers: int = 1, num_gpus_per_worker: int = 0,
        all_reduce_merge_scope: int = 32, collective_keys: Any = None,
    ):  # fmt: skip
        self._num_workers = num_workers
        self._num_gpus_per_worker = num_gpus_per_worker
        self._all_reduce_merge_scope = all_reduce_merge_scope
        self._collective_keys = collective_keys or cross_device_utils.CollectiveKeys()

    @property
    def _num_between_graph_workers(self) -> int:
        return self._num_workers

    def reduce_implementation(
        self, reduce_op: Any, per_replica_value: Any, destinations: Any
    ) -> Any:
        reduced = self._batch_all_reduce(reduce_op, [per_replica_value])[0]
        device_map, place = get_device_map_from(destinations)
        if not isinstance(reduced, Mirrored):
            reduced = Mirrored(SingleDeviceMap(reduced.device), [reduced])
        elif reduced.device_map is device_map and reduced.logical_device == place:
            return reduced
        copies = []
        with ops.control_dependencies(reduced.values):
            for device in device_map.logical_to_actual_devices(place):
                with ops.device(device):
                    near = device in reduced.devices
                    copies.append(
                        array_ops.identity(reduced.get(device) if near else reduced.primary)
                    )
        return regroup(device_map, copies, wrap_class=Mirrored)

    def batch_reduce_implementation(self, reduce_op: Any, value_destination_pairs: Any) -> Any:
        if not _all_devices_match(value_destination_pairs):
            logging.log_first_n(
                logging.WARN,
                "Efficient batch_reduce is not supported if destinations are different.",
                10,
            )
        return _batch_reduced(self, reduce_op, value_destination_pairs)

    def _batch_all_reduce(self, reduce_op: Any, values: Any) -> list[Any]:
        def dense(values: Any) -> list[Any]:
            return self._reduced(reduce_op, values, "", self._summed)

        def sparse(values: Any) -> list[Any]:
            return self._reduced(reduce_op, values, " for IndexedSlices", self._gathered)

        return _by_sparsity(values, dense, sparse)

    def _reduced(
        self, reduce_op: Any, values: Any, what: str, reduce: Callable[[Any], Any]
    ) -> list[Any]:
        logging.log_first_n(
            logging.INFO,
            f"Collective batch_all_reduce{what}: {len(values)} all-reduces, "
            f"num_workers = {self._num_workers}",
            10,
        )
        step = self._all_reduce_merge_scope
        same = list(zip(*_group_value_by_device(values), strict=True))
        reduced = []
        for begin in range(0, len(same), step):
            with ops.name_scope("allreduce"):
                for grads in same[begin : begin + step]:
                    summed = reduce([g for g, _ in grads])
                    reduced.append([(g, v) for (_, v), g in zip(grads, summed, strict=True)])
        return _ungroup_and_make_mirrored(
            [list(of_device) for of_device in zip(*reduced, strict=True)],
            values[0],
            reduce_op,
            num_between_graph_workers=self._num_workers,
        )

    def _summed(self, grads: Any) -> Any:
        return cross_device_utils.build_collective_reduce(
            grads, self._num_workers, self._collective_keys
        )

    def _gathered(self, grads: Any) -> list[Any]:
        values, indices = (
            cross_device_utils.build_collective_gather(
                [getattr(g, part) for g in grads], self._num_workers, self._collective_keys
            )
            for part in ("values", "indices")
        )
        return [
            ops.IndexedSlices(v, i, dense_shape=g.dense_shape)
            for v, i, g in zip(values, indices, grads, strict=True)
        ]


def choose_the_best(devices: Any, session_config: Any = None) -> CrossDeviceOps:
    """What reduces best over some devices. A program has all of them, so that is a plain sum.

    Args:
      devices: their names.
      session_config: a `ConfigProto`; has no meaning here.
    """
    if any("GPU" not in device_util.canonicalize(device) for device in devices):
        why = "There is non-GPU devices in `tf.distribute.Strategy`, not using nccl allreduce."
    else:
        why = "Nccl kernel is not found, not using nccl allreduce."
    logging.warning(why)
    return ReductionToOneDevice()
