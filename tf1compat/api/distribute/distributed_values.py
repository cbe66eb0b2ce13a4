"""Values of the replicas of a strategy, and structures of them
(of `tensorflow.python.distribute.values`).
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.distribute import device_util, distribute_lib
from tf1compat.api.distribute import distribution_strategy_context as modes
from tf1compat.api.distribute.device_maps import DeviceMap, deserialized, serialized
from tf1compat.core import nest, ops, tensor_util
from tf1compat.core.attribute import attribute
from tf1compat.core.composite_tensor import CompositeTensor
from tf1compat.core.type_spec import TypeSpec, type_spec_from_value


class DistributedValues:
    """A value for each replica.

    Args:
      device_map: their devices.
      values: the values.
      logical_device: which device of a replica they are at.
    """

    _get_cross_replica: Callable[[], Any]  # of what can be read outside of replicas

    def __init__(self, device_map: DeviceMap, values: Any, logical_device: int | None = None):
        assert isinstance(device_map, DeviceMap)
        self._device_map = device_map
        self._values = tuple(values)
        if logical_device is None:
            logical_device = device_map.logical_device_from_values(self._values)
        self._logical_device = logical_device

    def get(self, device: str | None = None) -> Any:
        """The value at a device, by default for the replica or the update that runs.

        Raises:
          ValueError: there is none at that device, or none is meant.
        """
        if device is None:
            replica = modes.get_replica_context()
            if replica is not None:
                return self._device_map.select_for_current_replica(self._values, replica)
            device = distribute_lib.get_update_device()
            if device is None:
                return self._get_cross_replica()
        return self._device_map.select_for_device(self._values, device_util.canonicalize(device))

    def _get_closest(self) -> Any:
        """The value of the replica or the device that is current, else the first."""
        replica = modes.get_replica_context()
        if replica is not None:
            return self._device_map.select_for_current_replica(self._values, replica)
        return self._at(distribute_lib.get_update_device() or device_util.current())

    def _at(self, device: str) -> Any:
        number = self._device_map.replica_for_device(device_util.canonicalize(device))
        return self._values[number or 0]

    @property
    def primary(self) -> Any:
        """The first value."""
        return self._values[0]

    @property
    def devices(self) -> tuple[str, ...]:
        """The devices."""
        return self._device_map.logical_to_actual_devices(self._logical_device)

    logical_device: int = attribute(
        "_logical_device", "Which device of a replica the values are at."
    )
    device_map: DeviceMap = attribute("_device_map", "The devices of all replicas.")
    values: tuple[Any, ...] = attribute("_values", "The values.")

    @property
    def is_tensor_like(self) -> bool:
        """Whether all values are tensors."""
        return all(tensor_util.is_tensor(value) for value in self._values)

    def _shown(self, show: Callable[[Any], str]) -> str:
        lines = [
            f"  {i} {device}: {show(value)}"
            for i, (device, value) in enumerate(zip(self.devices, self._values, strict=True))
        ]
        return f"{type(self).__name__}:{{\n" + ",\n".join(lines) + "\n}"

    def __str__(self) -> str:
        return self._shown(str)

    def __repr__(self) -> str:
        return self._shown(repr)


class DistributedDelegate(DistributedValues):
    """Values that stand, as one, for the one that is meant where they are used."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_self_") or name in ("_values", "_use_resource_variables"):
            raise AttributeError(name)
        return getattr(self.get(), name)

    def _get_as_operand(self) -> Any:
        return self.get()

    def __pow__(self, o: Any, modulo: Any = None) -> Any:
        if modulo is None:
            return self._get_as_operand() ** o
        return pow(self._get_as_operand(), o, modulo)


def operators() -> dict[str, Callable[..., Any]]:
    """Methods for Python's operators, of classes that stand for another value: that which their
    `_get_as_operand` gives."""

    def unary(rule: Callable[[Any], Any]) -> Callable[..., Any]:
        return lambda self: rule(self._get_as_operand())

    def binary(rule: Callable[[Any, Any], Any]) -> Callable[..., Any]:
        return lambda self, o: rule(self._get_as_operand(), o)

    def reflected(rule: Callable[[Any, Any], Any]) -> Callable[..., Any]:
        return lambda self, o: rule(o, self._get_as_operand())

    both = "add sub mul truediv floordiv mod and or xor".split()
    made = {f"__{n}__": unary(getattr(operator, n)) for n in ("invert", "neg", "abs")}
    for n in (*both, "lt", "le", "gt", "ge", "getitem", "matmul"):
        made[f"__{n}__"] = binary(getattr(operator, f"__{n}__"))
    for n in (*both, "pow", "matmul"):
        made[f"__r{n}__"] = reflected(getattr(operator, f"__{n}__"))
    made["__div__"], made["__rdiv__"] = made["__truediv__"], made["__rtruediv__"]
    return made


for _name, _method in operators().items():
    _method.__name__ = _name
    setattr(DistributedDelegate, _name, _method)


class PerReplica(DistributedValues, CompositeTensor):
    """What differs from replica to replica."""

    @property
    def _type_spec(self) -> PerReplicaSpec:
        specs = [type_spec_from_value(value) for value in self._values]
        return PerReplicaSpec(specs, self._device_map, self._logical_device)


class PerReplicaSpec(TypeSpec):
    """What a `PerReplica` is of.

    Args:
      value_specs: of each value.
      device_map: the devices, or what tells them.
      logical_device: see `DistributedValues`.
    """

    value_type = property(lambda self: PerReplica)

    def __init__(self, value_specs: Any, device_map: Any, logical_device: Any):
        self._value_specs = tuple(value_specs)
        is_told = isinstance(device_map, tuple)
        self._device_map = deserialized(device_map) if is_told else device_map
        self._logical_device = logical_device

    def _serialize(self) -> tuple[Any, ...]:
        return self._value_specs, serialized(self._device_map), self._logical_device

    _component_specs = attribute("_value_specs")

    def _to_components(self, value: Any) -> Any:
        replica = modes.get_replica_context()
        if replica is not None and replica.num_replicas_in_sync > 1:
            raise ValueError(
                "Flattening a PerReplica to components is not supported in replica context."
            )
        return value._values

    def _from_components(self, components: Any) -> PerReplica:
        return PerReplica(self._device_map, components, logical_device=self._logical_device)


class Mirrored(DistributedDelegate):
    """What is the same for all replicas."""

    def _get_cross_replica(self) -> Any:
        return self._at(device_util.current())

    def _as_graph_element(self) -> Any:
        value = self.get()
        convert = getattr(value, "_as_graph_element", None)
        return convert() if callable(convert) else value


# Structures.


def regroup(device_map: DeviceMap, values: Any, wrap_class: Any = PerReplica) -> Any:
    """One structure from those of the replicas.

    Args:
      device_map: the replicas' devices.
      values: a structure for each replica.
      wrap_class: what holds values that differ; called as `PerReplica` is.
    """
    assert isinstance(device_map, DeviceMap)
    assert len(values) == device_map.num_replicas_in_graph
    first = values[0]
    if isinstance(first, list | tuple):
        kind: type = list if isinstance(first, list) else tuple
        for other in values[1:]:
            assert isinstance(other, kind)
            assert len(other) == len(first), (
                f"len(v) == {len(other)}, len(v0) == {len(first)}, v: {other}, v0: {first}"
            )
        parts = [regroup(device_map, part, wrap_class) for part in zip(*values, strict=True)]
        if kind is list:
            return parts
        return first._make(parts) if hasattr(first, "_fields") else tuple(parts)  # type: ignore[attr-defined]
    if isinstance(first, dict):
        for other in values[1:]:
            assert isinstance(other, dict), f"v[0]: {first!r}  v[i]: {other!r}"
            assert set(other) == set(first), f"v[0].keys: {set(first)}  v[i].keys: {set(other)}"
        return {
            key: regroup(device_map, tuple(value[key] for value in values), wrap_class)
            for key in first
        }
    is_copy = not _is_container(first) and hasattr(first, "_distributed_container")
    if not is_copy and all(value is first for value in values):
        return first
    if not hasattr(first, "_distributed_container"):
        return wrap_class(device_map, values)
    assert is_copy, f"ids = {[id(v) for v in values]}, values = {values}"
    container = first._distributed_container()
    assert container is not None
    for number, value in enumerate(values):
        assert device_map.is_device_in_replica(value.device, number), (
            f"v.device = {value.device}, r = {number}, device_map = {device_map}"
        )
        assert value._distributed_container() is container
    return container


def _is_container(value: Any) -> bool:
    """Whether a value is a variable with copies, and no copy."""
    return isinstance(value, DistributedValues)


def select_replica(replica_id: int, structured: Any) -> Any:
    """A structure as a replica sees it."""
    return nest.map_structure(
        lambda x: x.values[replica_id] if isinstance(x, DistributedValues) else x, structured
    )


def select_device_mirrored(device: str, structured: Any) -> Any:
    """A structure as it is at a device.

    Raises:
      TypeError: something in it differs from replica to replica.
    """

    def select(x: Any) -> Any:
        if isinstance(x, Mirrored):
            return x.get(device)
        if isinstance(x, DistributedValues):
            raise TypeError(f"Expected value to be mirrored across replicas: {x} in {structured}.")
        return x

    return nest.map_structure(select, structured)


def update_regroup(extended: Any, device_map: DeviceMap, updates: Any, group: bool) -> Any:
    """What the updates of all devices give, as one.

    Args:
      extended: the strategy's.
      device_map: the devices.
      updates: what each update gave.
      group: whether to use it is to run all updates; else it is a tuple of each device's.
    """
    if not group:
        regrouped = regroup(device_map, updates, Mirrored)
        return nest.map_structure(extended._local_results, regrouped)
    return regroup(device_map, updates, _grouped)


def _grouped(device_map: DeviceMap, values: Any) -> Any:
    """Values of the devices as one; to use it is to run what gives any of them."""
    if len(values) == 1:
        return Mirrored(device_map, values)
    everything = control_flow_ops.group(values)
    if not all(tensor_util.is_tensor(value) for value in values):
        return everything

    def after_everything(value: Any, device: Any) -> Any:
        with ops.device(device), ops.control_dependencies([everything]):
            return array_ops.identity(value)

    place = device_map.logical_device_from_values(values)
    devices = device_map.logical_to_actual_devices(place)
    after = [after_everything(value, at) for value, at in zip(values, devices, strict=True)]
    return Mirrored(device_map, after)


def value_container(value: Any) -> Any:
    """The distributed variable that a value is a copy of, else the value itself."""
    if _is_container(value):
        return value
    reference = getattr(value, "_distributed_container", None)
    container = None if reference is None else reference()
    return value if container is None else container
