"""Devices that a graph could run on, and what it costs there (TF's `grappler.cluster`)."""

from __future__ import annotations

import contextlib
import math
import os
import time
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from tf1compat.api.grappler.item import Analysis, Item, properties_of
from tf1compat.core import errors, op_defs, op_registry
from tf1compat.core.attribute import attribute
from tf1compat.core.device import DeviceSpec
from tf1compat.core.export import required
from tf1compat.core.tensor import Tensor
from tf1compat.formats import device_properties_pb2, op_performance_data_pb2

# The cores of a multiprocessor of an NVIDIA GPU whose architecture is below a version.
_CORES = (("3", 32), ("4", 192), ("6", 128))
_NEWEST_CORES = 64
Usage = tuple[int, list[tuple[str, int, int, int, int]]]


class Devices:
    """What a cluster consists of.

    Args:
      named: a `NamedDevice` proto for each device, or None for those of this machine.

    Raises:
      UnavailableError: this machine's devices are a cluster already.
    """

    named: list[Any] = attribute("_named", "A `NamedDevice` for each device.")
    is_virtual: bool = attribute("_is_virtual", "Whether they are only described.")
    _is_taken = False

    def __init__(self, named: Sequence[Any] | None):
        self._is_virtual = named is not None
        if named is None:
            if Devices._is_taken:
                text = "Can't provision more than one single cluster at a time"
                raise errors.UnavailableError(None, None, text)
            Devices._is_taken = True
            with required("Session")() as session:
                named = [_described(device) for device in session.list_devices()]
        self._named = list(named)

    def close(self) -> None:
        """Lets others be a cluster."""
        if not self._is_virtual:
            type(self)._is_taken = False  # At the end of Python its module is empty.

    def supported(self, op_type: str) -> list[str]:
        """The names of the devices that have a kernel for an op type."""
        if self._is_virtual:
            return [device.name for device in self._named]
        is_host = op_type in op_registry.registered() and op_registry.spec(op_type).host is True
        return [
            device.name
            for device in self._named
            if device.properties.type == "CPU" or (device.properties.type and not is_host)
        ]

    def default(self) -> str:
        """The device of what asks for none: a GPU if there is one, else a CPU."""
        by_type = {device.properties.type: device.name for device in reversed(self._named)}
        return by_type.get("GPU") or by_type.get("CPU") or self._named[0].name


class Cluster:
    """The devices of this machine, or some that are only described.

    Args:
      allow_soft_placement: whether what cannot be where it was put may be elsewhere.
      disable_detailed_stats: whether `MeasureCosts` leaves out what single operations cost.
      disable_timeline: whether it leaves out when they ran.
      devices: a `NamedDevice` proto for each device, or None for those of this machine.

    Raises:
      UnavailableError: there is another cluster of this machine's devices.
    """

    def __init__(
        self,
        allow_soft_placement: bool = True,
        disable_detailed_stats: bool = True,
        disable_timeline: bool = True,
        devices: Sequence[Any] | None = None,
    ):
        self._tf_cluster: Devices | None = None
        self._generate_timeline = not disable_timeline
        self._allow_soft_placement = allow_soft_placement
        self._detailed = not disable_detailed_stats
        self._tf_cluster = Devices(devices)

    def Shutdown(self) -> None:
        """Gives the devices back; nothing can be asked of the cluster any more."""
        if self._tf_cluster is not None:
            self._tf_cluster.close()
            self._tf_cluster = None

    def __del__(self):
        self.Shutdown()

    tf_cluster: Devices | None = attribute("_tf_cluster", "Its devices; None after `Shutdown`.")

    def ListDevices(self) -> list[Any]:
        """The devices.

        Returns:
          A list of `NamedDevice` protos.
        """
        return [] if self._tf_cluster is None else list(self._tf_cluster.named)

    def ListAvailableOps(self) -> list[str]:
        """The names of all op types, sorted."""
        return sorted(op_defs.names())

    def GetSupportedDevices(self, item: Item) -> dict[str, list[str]]:
        """Where the nodes of a graph could be.

        Args:
          item: an `Item`.

        Returns:
          The name of a node -> names of devices.

        Raises:
          ValueError: the cluster is shut down.
        """
        devices = self._devices("TF_GetSupportedDevices", 1)
        nodes = item.tf_item.graph_def.node
        return {node.name: devices.supported(node.op) for node in nodes}

    def EstimatePerformance(self, device: Any) -> float:
        """How many billions of floating point operations a device does in a second.

        Args:
          device: a `NamedDevice` proto.

        Returns:
          A float; -1 if its type tells nothing.

        Raises:
          InvalidArgumentError: a GPU's architecture is not said.
        """
        properties = device.properties
        cores = properties.num_cores
        if properties.type == "GPU":
            architecture = properties.environment.get("architecture")
            if architecture is None:
                text = f"The architecture of GPU {device.name!r} is not in its environment"
                raise errors.InvalidArgumentError(None, None, text)
            newer = (count for below, count in _CORES if architecture < below)
            cores *= 2 * next(newer, _NEWEST_CORES)
        elif properties.type != "CPU":
            return -1.0
        return float(np.float32(cores * properties.frequency / 1000))

    def MeasureCosts(self, item: Item) -> tuple[list[Any], float, Any]:
        """Runs what is fetched, with zeros for placeholders, and says what that took.

        Args:
          item: an `Item`.

        Returns:
          An `OpPerformance` proto for each operation, the seconds of the run, and its `StepStats`:
          the first without entries if there are to be no detailed statistics, the last if there is
          to be no timeline.

        Raises:
          NotImplementedError: the devices are only described.
          ValueError: the cluster is shut down.
        """
        devices = self._devices("TF_MeasureCosts", 2)
        if devices.is_virtual:
            raise NotImplementedError(
                "grappler.cluster.Cluster.MeasureCosts is not supported by tf1compat for devices "
                "that are only described: it has no model of their speed"
            )
        analysis = item.tf_item
        config = required("ConfigProto")(allow_soft_placement=self._allow_soft_placement)
        metadata = required("RunMetadata")()
        with required("Session")(graph=analysis.graph, config=config) as session:
            elements = [analysis.graph.as_graph_element(name) for name in analysis.fetches]
            fed = _zeros(analysis)
            session.run(analysis.initializers, fed)
            session.run(elements, fed)  # What is made once does not count.
            before = time.perf_counter()
            session.run(elements, fed)
            seconds = time.perf_counter() - before
            if self._detailed or self._generate_timeline:
                options = required("RunOptions")()
                options.trace_level = options.FULL_TRACE
                session.run(elements, fed, options=options, run_metadata=metadata)
        statistics = metadata.step_stats
        costs = self._costs(devices, analysis, statistics) if self._detailed else []
        if not self._generate_timeline:
            statistics = type(statistics)()
        return costs, seconds, statistics

    def DeterminePeakMemoryUsage(self, item: Item) -> dict[str, Usage]:
        """The memory of what the fetches need, if nothing of it is let go.

        Args:
          item: an `Item`; a dimension that is not known counts as 1.

        Returns:
          The name of a device -> the number of bytes (-1 if it has nothing) and, for each output
          in them, (node, index of the output, bytes, time when it is made, time when it goes).

        Raises:
          ValueError: the cluster is shut down.
        """
        devices = self._devices("TF_DeterminePeakMemoryUsage", 2)
        found: dict[str, Usage] = {device.name: (-1, []) for device in devices.named}
        for node in item.tf_item.important():
            op = item.tf_item.graph.get_operation_by_name(node.name)
            place = _place(op.device, devices)
            _, tensors = found.get(place, (-1, []))
            tensors += [(op.name, i, _bytes(output), 0, 1) for i, output in enumerate(op.outputs)]
            found[place] = (sum(tensor[2] for tensor in tensors), tensors)
        return found

    def _devices(self, function: str, position: int) -> Devices:
        if self._tf_cluster is None:
            text = f"invalid null reference in method '{function}', argument {position} of type"
            raise ValueError(f"{text} 'GCluster'")
        return self._tf_cluster

    def _costs(self, devices: Devices, analysis: Analysis, statistics: Any) -> list[Any]:
        """An `OpPerformance` of each operation that a `StepStats` has."""
        described = {device.name: device.properties for device in devices.named}
        needed = {node.name: node for node in analysis.important()}
        costs = []
        for device in statistics.dev_stats:
            for measured in device.node_stats:
                node = needed.get(measured.node_name)
                if node is None:
                    continue
                op = analysis.graph.get_operation_by_name(node.name)
                cost = op_performance_data_pb2.OpPerformance(node=node.name)
                cost.op.op = node.op
                for name, value in node.attr.items():
                    cost.op.attr[name].CopyFrom(value)
                cost.op.inputs.extend(properties_of(source) for source in op.inputs)
                cost.op.device.CopyFrom(
                    described.get(device.device, described[_place("", devices)])
                )
                micros = measured.op_end_rel_micros - measured.op_start_rel_micros
                cost.compute_cost = 1000 * max(micros, 0)
                cost.op_memory.output_memory.extend(_bytes(output) for output in op.outputs)
                costs.append(cost)
        return costs


@contextlib.contextmanager
def Provision(
    allow_soft_placement: bool = True,
    disable_detailed_stats: bool = True,
    disable_timeline: bool = True,
    devices: Sequence[Any] | None = None,
) -> Iterator[Cluster]:
    """A context with a `Cluster`, which is shut down after it.

    Args:
      allow_soft_placement: see `Cluster`, as for all arguments.
      disable_detailed_stats: whether costs of single operations are left out.
      disable_timeline: whether timelines are left out.
      devices: a `NamedDevice` proto for each device, or None for those of this machine.
    """
    cluster = Cluster(allow_soft_placement, disable_detailed_stats, disable_timeline, devices)
    yield cluster
    cluster.Shutdown()


def _described(device: Any) -> Any:
    """The `NamedDevice` of a device that a session lists."""
    named = device_properties_pb2.NamedDevice(name=device.name)
    named.properties.memory_size = device.memory_limit_bytes
    if not device.device_type.startswith("XLA_"):
        named.properties.type = device.device_type
    if device.device_type == "CPU":
        named.properties.num_cores = os.cpu_count() or 1
    return named


def _place(wanted: str, devices: Devices) -> str:
    """The name of the device where an operation that asks for one would be."""
    names = [device.name for device in devices.named]
    if wanted:
        spec = DeviceSpec.from_string(wanted)
        for name in names:
            other = DeviceSpec.from_string(name)
            if (spec.device_type, spec.device_index or 0) == (
                other.device_type,
                other.device_index or 0,
            ):
                return name
    return devices.default()


def _dims(tensor: Tensor) -> list[int]:
    """The static shape of a tensor, with 1 for what is not known of it."""
    if tensor.shape.rank is None:
        return []
    return [1 if dim is None else dim for dim in tensor.shape.as_list()]


def _bytes(tensor: Tensor) -> int:
    has_values = tensor.dtype.is_numpy_compatible
    return tensor.dtype.size * math.prod(_dims(tensor)) if has_values else 0


def _zeros(analysis: Analysis) -> dict[Tensor, Any]:
    """Zeros for the placeholders that the fetches need; what is not known of a shape is 1."""
    fed = {}
    for node in analysis.needed([*analysis.fetches, *(op.name for op in analysis.initializers)]):
        if node.op in ("Placeholder", "PlaceholderV2"):
            (tensor,) = analysis.graph.get_operation_by_name(node.name).outputs
            fed[tensor] = np.zeros(_dims(tensor), tensor.dtype.as_numpy_dtype)
    return fed
