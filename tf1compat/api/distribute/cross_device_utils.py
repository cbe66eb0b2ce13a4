"""Parts of reductions over devices (`tensorflow.python.distribute.cross_device_utils`).

Gradients are lists for each device of pairs (gradient, what it is kept with).
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, NamedTuple

from tf1compat.api.array import array_ops, indexed_slices, shape_ops
from tf1compat.api.distribute import all_reduce, collective_ops, nccl_ops
from tf1compat.api.distribute.distributed_values import DistributedValues
from tf1compat.api.math import math_ops
from tf1compat.core import dtypes, ops
from tf1compat.core.device import DeviceSpec
from tf1compat.core.export import find

# Values.


def contains_indexed_slices(value: Any) -> bool:
    """Whether a value, or one in it, is `IndexedSlices`."""
    if isinstance(value, DistributedValues):
        value = value.values
    if isinstance(value, list | tuple) and not isinstance(value, ops.IndexedSlices):
        return any(contains_indexed_slices(part) for part in value)
    return isinstance(value, ops.IndexedSlices)


def is_indexed_slices(value: Any) -> bool:
    """Whether a value, or all of its replicas', are `IndexedSlices`."""
    if isinstance(value, ops.IndexedSlices):
        return True
    assert isinstance(value, DistributedValues)
    return all(isinstance(part, ops.IndexedSlices) for part in value.values)


def split_by_sparsity(values: Any) -> tuple[list[Any], list[int], list[Any], list[int]]:
    """The dense values and their places, the sparse ones and theirs."""
    dense = [i for i, value in enumerate(values) if not is_indexed_slices(value)]
    sparse = [i for i, value in enumerate(values) if is_indexed_slices(value)]
    return [values[i] for i in dense], dense, [values[i] for i in sparse], sparse


def stitch_values(values_and_indices_list: Any) -> list[Any]:
    """The values in the order of their places: undoes `split_by_sparsity`."""
    places: dict[int, Any] = {}
    for values, indices in values_and_indices_list:
        places.update(zip(indices, values, strict=True))
    return [places[i] for i in sorted(places)]


def aggregate_tensors_or_indexed_slices(
    values: Any, accumulation_fn: Callable[[Any], Any] = math_ops.add_n
) -> Any:
    """The sum of values of any kind."""
    if any(isinstance(value, ops.IndexedSlices) for value in values):
        return indexed_slices.aggregate(values)
    return accumulation_fn(values)


def divide_by_n_tensors_or_indexed_slices(value: Any, n: int) -> Any:
    """A value divided by a number."""
    if not isinstance(value, ops.IndexedSlices):
        return value / n
    value = indexed_slices.flatten_nested(value)
    return ops.IndexedSlices(value.values / n, value.indices, value.dense_shape)


def copy_tensor_or_indexed_slices_to_device(value: Any, device: str) -> Any:
    """A value's copy at a device."""
    with ops.device(device):
        if isinstance(value, ops.IndexedSlices):
            parts = (value.values, value.indices, value.dense_shape)
            return ops.IndexedSlices(*(array_ops.identity(part) for part in parts))
        return array_ops.identity(value)


# All-reduces over the devices of one process.


def aggregate_gradients_using_nccl(replica_grads: Any) -> list[list[Any]]:
    """The sum of the devices' gradients at each device, by NCCL's operations."""
    summed = []
    for same in zip(*replica_grads, strict=True):
        totals = nccl_ops.all_sum([g for g, _ in same])
        summed.append([(total, v) for total, (_, v) in zip(totals, same, strict=True)])
    return [list(of_device) for of_device in zip(*summed, strict=True)]


def aggregate_gradients_using_hierarchical_copy(
    avail_devices: Any, replica_grads: Any
) -> list[Any]:
    """The same, in two halves of the devices which exchange what each has summed."""
    count = len(avail_devices)
    half = count // 2
    summed = []
    for i, same in enumerate(zip(*replica_grads, strict=True)):
        # The places of the devices that sum up, and where their halves begin.
        mains = i % count, (i % count + half) % count
        begins = (0, half) if mains[0] < half else (half, 0)
        sums = []
        for main, begin in zip(mains, begins, strict=True):
            with ops.device(avail_devices[main]):
                sums.append(math_ops.add_n([g for g, _ in same[begin : begin + half]]))
        with ops.device(avail_devices[mains[0]]):
            total = math_ops.add_n(sums)
        copies = []
        for main in mains:
            with ops.device(avail_devices[main]):
                copies.append(array_ops.identity(total))
        of_devices = []
        for j, (_, v) in enumerate(same):
            with ops.device(avail_devices[j]):
                near = copies[0] if (mains[0] < half) == (j < half) else copies[1]
                of_devices.append((array_ops.identity(near), v))
        summed.append(of_devices)
    return list(zip(*summed, strict=True))


# Packing small gradients.


def aggregate_single_gradient_using_copy(
    grad_and_vars: Any, use_mean: bool, check_inf_nan: bool
) -> tuple[tuple[ops.Tensor, Any], ops.Tensor | None]:
    """The sum of a gradient of all replicas.

    Args:
      grad_and_vars: (gradient, variable) of each replica.
      use_mean: whether the mean is asked for.
      check_inf_nan: whether infinite numbers and such that are none are looked for.

    Returns:
      ((sum, the first variable), whether there are such numbers; None if nobody asks).
    """
    grads, variables = zip(*grad_and_vars, strict=True)
    total = math_ops.add_n(list(grads))
    if use_mean and len(grads) > 1:
        total = math_ops.multiply(total, 1.0 / len(grads))
    if not check_inf_nan:
        return (total, variables[0]), None
    are_finite = math_ops.reduce_all(math_ops.is_finite(list(grads)))
    return (total, variables[0]), math_ops.logical_not(are_finite)


def group_device_names(devices: Any, group_size: int) -> list[list[str]]:
    """Devices in groups of one size, dealt out in turn until no group is short.

    Raises:
      ValueError: there are fewer than one group takes.
    """
    if group_size > len(devices):
        raise ValueError(f"only {len(devices)} devices, but group_size={group_size}")
    count = -(-len(devices) // group_size)
    dealt = [devices[i % len(devices)] for i in range(count * group_size)]
    return [dealt[i::count] for i in range(count)]


def split_grads_by_size(threshold_size: int, device_grads: Any) -> tuple[list[Any], list[Any]]:
    """The gradients of each device of no more elements than `threshold_size`, and the others."""
    small, large = [], []
    for of_device in device_grads:
        kinds: tuple[list[Any], list[Any]] = [], []
        for g, v in of_device:
            kinds[g.shape.num_elements() > threshold_size].append([g, v])
        small += kinds[:1] if kinds[0] else []
        large += kinds[1:] if kinds[1] else []
    return small, large


def sum_grad_and_var_all_reduce(
    grad_and_vars: Any, num_workers: int, alg: str, gpu_indices: Any, aux_devices: Any = None,
    num_shards: int = 1,
) -> list[list[Any]]:  # fmt: skip
    """The sum of a gradient of all devices, at each device.

    Args:
      grad_and_vars: (gradient, variable) of each device.
      num_workers: of how many tasks they are.
      alg: how: see `MultiWorkerAllReduce`.
      gpu_indices: the order of a task's devices in a ring.
      aux_devices: where sums are made, if not at the devices.
      num_shards: in how many parts.

    Raises:
      ValueError: there is no such way.
    """
    add, add_n = math_ops.add, math_ops.add_n
    ways: dict[str, Callable[[Any], Any]] = {
        "nccl": nccl_ops.all_sum,
        "xring": lambda grads: all_reduce.build_ring_all_reduce(
            grads, num_workers, num_shards, gpu_indices, add
        ),
        "nccl/xring": lambda grads: all_reduce.build_nccl_then_ring(grads, num_shards, add),
        "nccl/rechd": lambda grads: all_reduce.build_nccl_then_recursive_hd(grads, add),
        "nccl/pscpu": lambda grads: all_reduce.build_nccl_then_shuffle(
            grads, aux_devices, add, add_n
        ),
        "pscpu/pscpu": lambda grads: all_reduce.build_shuffle_then_shuffle(
            grads, aux_devices, aux_devices[:num_shards], add_n
        ),
        "pscpu": lambda grads: all_reduce.build_shuffle_all_reduce(grads, aux_devices, add_n),
    }
    ways["psgpu"] = ways["pscpu"]
    if alg not in ways:
        raise ValueError("unsupported all_reduce alg: ", alg)
    with ops.name_scope("allreduce"):
        totals = ways[alg]([g for g, _ in grad_and_vars])
    return [[total, v] for total, (_, v) in zip(totals, grad_and_vars, strict=True)]


def sum_gradients_all_reduce(
    dev_prefixes: Any, replica_grads: Any, num_workers: int, alg: str, num_shards: int,
    gpu_indices: Any,
) -> list[list[Any]]:  # fmt: skip
    """The sums of all gradients, at each device.

    Args:
      dev_prefixes: the tasks, as devices.
      replica_grads: the gradients of each device.
      num_workers, alg, num_shards, gpu_indices: see `sum_grad_and_var_all_reduce`.
    """
    makers = ["/job:localhost/cpu:0"]
    if "pscpu" in alg:
        makers = [f"{prefix}/cpu:0" for prefix in dev_prefixes]
    elif "psgpu" in alg:
        makers = [f"{p}/gpu:{i}" for i in range(len(gpu_indices)) for p in dev_prefixes]
    is_split = "pscpu" in alg or "psgpu" in alg
    groups = group_device_names(makers, num_shards if is_split else 1)
    summed = [
        sum_grad_and_var_all_reduce(
            same, num_workers, alg, gpu_indices,
            makers if "/" in alg else groups[number % len(groups)], num_shards,
        )
        for number, same in enumerate(zip(*replica_grads, strict=True))
    ]  # fmt: skip
    return [list(of_device) for of_device in zip(*summed, strict=True)]


class GradPackTuple(NamedTuple):
    """What is packed: the places, what they are kept with, and their shapes."""

    indices: Any
    vars: Any
    shapes: Any


def extract_ranges(index_list: Any, range_size_limit: int = 32) -> tuple[list[Any], list[int]]:
    """Runs of successive numbers as [first, last], and the numbers that are in none."""
    runs: list[list[int]] = []
    for i in index_list:
        if runs and i == runs[-1][1] + 1 and runs[-1][1] - runs[-1][0] <= range_size_limit:
            runs[-1][1] = i
        else:
            runs.append([i, i])
    return [run for run in runs if run[0] < run[1]], [a for a, b in runs if a == b]


def pack_range(key: str, packing: dict[str, Any], grad_vars: Any, rng: Any) -> ops.Tensor:
    """The gradients of a run as one vector; `packing` notes what is in it."""
    chosen = grad_vars[rng[0] : rng[1] + 1]
    with ops.name_scope("pack"):
        members = []
        for g, _ in chosen:
            with ops.device(g.device):
                members.append(shape_ops.reshape(g, [-1]))
        packing[key] = GradPackTuple(
            range(rng[0], rng[1] + 1), [v for _, v in chosen], [g.shape for g, _ in chosen]
        )
        with ops.device(members[0].device):
            return array_ops.concat(members, 0)


def unpack_grad_tuple(gv: Any, gpt: GradPackTuple) -> list[Any]:
    """The gradients that `pack_range` packed."""
    sizes = [shape.num_elements() for shape in gpt.shapes]
    with ops.device(gv[0].device), ops.name_scope("unpack"):
        parts = array_ops.split(gv[0], sizes)
        return [
            (shape_ops.reshape(part, shape), v)
            for part, shape, v in zip(parts, gpt.shapes, gpt.vars, strict=True)
        ]


def pack_small_tensors(
    replica_grads: Any, max_bytes: int = 0, max_group: int = 0
) -> tuple[Any, dict[str, Any] | None]:
    """Packs small float32 gradients that follow each other.

    Args:
      replica_grads: the gradients of each device.
      max_bytes: how large a small one is.
      max_group: how many are packed together.

    Returns:
      The gradients, the packed ones first; what `unpack_small_tensors` needs, or None.
    """

    def is_small(g: Any) -> bool:
        return g.dtype == dtypes.float32 and 4 * g.shape.num_elements() <= max_bytes

    small = [i for i, (g, _) in enumerate(replica_grads[0]) if is_small(g)]
    runs, singles = extract_ranges(small, range_size_limit=max_group)
    if not runs:
        return replica_grads, None
    rest = sorted(set(range(len(replica_grads[0]))) - set(small) | set(singles))
    packing: dict[str, Any] = {}
    packed = []
    for device, grads in enumerate(replica_grads):
        kept: list[Any] = [
            (pack_range(f"{device}:{i}", packing, grads, run), "packing_var_placeholder")
            for i, run in enumerate(runs)
        ]
        packed.append(kept + [grads[i] for i in rest])
    return packed, packing


def unpack_small_tensors(replica_grads: Any, packing: Any) -> Any:
    """Undoes `pack_small_tensors`."""
    if not packing:
        return replica_grads
    count = len(packing) // len(replica_grads)
    unpacked = []
    for device, grads in enumerate(replica_grads):
        grads = list(grads)
        rest = grads[count:]
        for i in range(count):
            parts = packing[f"{device}:{i}"]
            for place, pair in zip(parts.indices, unpack_grad_tuple(grads[i], parts), strict=True):
                rest.insert(place, pair)
        unpacked.append(rest)
    return unpacked


# Collective operations.

_lock = threading.Lock()
_thread = threading.local()


class CollectiveKeys:
    """The numbers by which collective operations find each other.

    Args:
      group_key_start, op_instance_key_start, variable_instance_key_start: the first ones.
    """

    def __init__(
        self, group_key_start: int = 1, op_instance_key_start: int = 100,
        variable_instance_key_start: int = 1000000,
    ):  # fmt: skip
        assert op_instance_key_start != variable_instance_key_start
        self._group_key = group_key_start
        self._group_keys: dict[str, int] = {}
        self._op_instance_key_start = op_instance_key_start
        self._variable_instance_key = variable_instance_key_start

    def get_group_key(self, devices: Any) -> int:
        """The number of a group of devices."""
        specs = [DeviceSpec.from_string(device) for device in devices]
        key = ",".join(sorted(f"{spec.device_type}:{spec.device_index}" for spec in specs))
        with _lock:
            if key not in self._group_keys:
                self._group_keys[key] = self._group_key
                self._group_key += 1
            return self._group_keys[key]

    def get_op_instance_key(self) -> int:
        """A new number for an operation; each thread counts for itself."""
        key = getattr(_thread, "op_instance_key", self._op_instance_key_start)
        _thread.op_instance_key = key + 1
        return key

    def get_variable_instance_key(self) -> int:
        """A new number for the initial value of a variable."""
        key = self._variable_instance_key
        self._variable_instance_key += 1
        return key


def build_collective_reduce(
    input_tensors: Any, num_workers: int, collective_keys: CollectiveKeys,
    reduction_op: str = "Add", unary_op: str = "Id",
) -> Any:  # fmt: skip
    """The reduction of tensors of all devices and workers, at each device.

    Args:
      input_tensors: a tensor of each device of this worker.
      num_workers: how many workers do the same.
      collective_keys: gives the numbers.
      reduction_op, unary_op: attrs of CollectiveReduce.
    """

    def record(tensor: ops.Tensor, **keys: Any) -> Any:
        return collective_ops.all_reduce(
            tensor, merge_op=reduction_op, final_op=unary_op, subdiv_offsets=[0], **keys
        )

    return _collective(record, input_tensors, num_workers, collective_keys)


def build_collective_gather(
    input_tensors: Any, num_workers: int, collective_keys: CollectiveKeys
) -> Any:
    """The tensors of all devices and workers joined, at each device; see
    `build_collective_reduce`.
    """

    def record(tensor: ops.Tensor, **keys: Any) -> Any:
        return collective_ops.all_gather(tensor, **keys)

    return _collective(record, input_tensors, num_workers, collective_keys)


def _collective(
    record: Callable[..., Any], tensors: Any, num_workers: int, collective_keys: CollectiveKeys
) -> Any:
    size = len(tensors) * num_workers
    if size < 2:
        return tensors
    devices = [tensor.device for tensor in tensors]
    keys = {
        "group_size": size,
        "group_key": collective_keys.get_group_key(devices),
        "instance_key": collective_keys.get_op_instance_key(),
    }

    def all_devices() -> list[Any]:
        made = []
        for tensor, device in zip(tensors, devices, strict=True):
            with ops.device(device):
                made.append(record(tensor, **keys))
        return made

    return find("function")(all_devices)() if ops.executing_eagerly() else all_devices()
