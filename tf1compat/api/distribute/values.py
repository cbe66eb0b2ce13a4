"""Values that are the same at every device of a strategy (`tensorflow.python.distribute.values`).

There is one device here, so that a value of the replicas is a plain one, and what is kept apart is
the variable that a strategy makes: its one copy is read and changed as TF 1.15 does it.
"""

from __future__ import annotations

import collections
import contextlib
import weakref
from collections.abc import Callable, Iterator
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.distribute import device_util, distribute_lib
from tf1compat.api.distribute import distribution_strategy_context as modes
from tf1compat.api.distribute.reduce_util import ReduceOp
from tf1compat.api.math import math_ops
from tf1compat.api.training.saving import saveable_object_util
from tf1compat.api.training.tracking import base
from tf1compat.api.variables.variable_base import VariableAggregation
from tf1compat.core import nest, ops
from tf1compat.core.tensor import TensorLike

DistributedVarOp = collections.namedtuple(
    "DistributedVarOp", ["name", "graph", "traceback", "type"]
)


class DistributedValues:
    """A value at the device of each replica.

    Args:
      devices: the devices.
      values: the value at each.
    """

    def __init__(self, devices: tuple[str, ...], values: Any):
        self._devices = devices
        self._values = tuple(values)

    def get(self, device: str | None = None) -> Any:
        """The value at a device, by default for the replica that runs.

        Raises:
          ValueError: there is none at that device.
        """
        if device is None:
            if modes.get_replica_context() is not None:
                return self._values[0]
            device = distribute_lib.get_update_device()
            if device is None:
                return self._get_cross_replica()
        device = device_util.canonicalize(device)
        if device not in self._devices:
            raise ValueError(
                f"Device {device} not found in {self._devices} (current device "
                f"{device_util.current()})"
            )
        return self._values[0]

    def _get_cross_replica(self) -> Any:
        return self._values[0]

    @property
    def primary(self) -> Any:
        """The first value."""
        return self._values[0]

    @property
    def devices(self) -> tuple[str, ...]:
        """The devices."""
        return self._devices

    @property
    def values(self) -> tuple[Any, ...]:
        """The values."""
        return self._values

    def __repr__(self) -> str:
        lines = [f"  {i} {d}: {v!r}" for i, (d, v) in enumerate(zip(self._devices, self._values))]
        return f"{type(self).__name__}:{{\n" + ",\n".join(lines) + "\n}"


def _of_primary(name: str) -> property:
    return property(lambda self: getattr(self._values[0], name))


class PerReplica(DistributedValues):
    """What differs from replica to replica; one replica gives the value itself instead."""


class Mirrored(DistributedValues):
    """What is the same for all replicas."""


class DistributedVariable(DistributedValues, base.Trackable, TensorLike):
    """A variable with a copy at each device.

    Args:
      strategy: the strategy.
      devices: where the variable is.
      values: its copies.
      aggregation: how what replicas assign becomes one.
    """

    def __init__(self, strategy: Any, devices: tuple[str, ...], values: Any, aggregation: Any):
        super().__init__(devices, values)
        self._distribute_strategy = strategy
        self._common_name = self.primary.name.partition(":")[0]
        self._aggregation = aggregation
        self._keras_initialized = False
        for value in self._values:
            value._distributed_container = weakref.ref(self)

    _shared_name = property(lambda self: self._common_name)
    aggregation = property(lambda self: self._aggregation)
    distribute_strategy = property(lambda self: self._distribute_strategy)
    for _name in (
        "_graph_key _in_graph_mode _save_slice_info _unique_id device dtype graph initial_value "
        "name shape synchronization trainable"
    ).split():
        locals()[_name] = _of_primary(_name)
    del _name

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_self_") or name in ("_values", "_use_resource_variables"):
            raise AttributeError(name)
        return getattr(self.get(), name)

    def _get_cross_replica(self) -> Any:
        return array_ops.identity(self.primary)

    @property
    def handle(self) -> ops.Tensor:
        """The resource tensor, where one device is meant.

        Raises:
          ValueError: in a cross-replica context.
        """
        device = None
        if modes.get_replica_context() is None:
            device = distribute_lib.get_update_device()
            if device is None:
                raise ValueError(
                    "`handle` is not available outside the replica context or a "
                    "`tf.distribute.Strategy.update()` call."
                )
        return self.get(device=device).handle

    @property
    def op(self) -> Any:
        """The variable's operation, or a description of it in a cross-replica context."""
        op = self.primary.op
        if modes.in_cross_replica_context():
            return DistributedVarOp(op.name, op.graph, op.traceback, op.type)
        return self.get().op

    @property
    def initializer(self) -> Any:
        """The operation that initialises all copies."""
        return control_flow_ops.group(tuple(value.initializer for value in self._values))

    def is_initialized(self, name: Any = None) -> ops.Tensor:
        """A scalar bool tensor: whether the variable has a value."""
        first, last = self.primary.is_initialized(), self._values[-1].is_initialized()
        return math_ops.logical_and(first, last, name=name)

    def initialized_value(self) -> Any:
        """See `tf.Variable`."""
        return self.primary.initialized_value()

    def value(self) -> ops.Tensor:
        """The value."""
        return self.primary.value()

    def read_value(self) -> ops.Tensor:
        """The value, read anew."""
        with _inside(self._distribute_strategy):
            return array_ops.identity(self.get())

    def eval(self, session: Any = None) -> Any:
        """The value in a session."""
        return self.primary.eval(session)

    def get_shape(self) -> Any:
        """The shape."""
        return self.primary.get_shape()

    def to_proto(self, export_scope: Any = None) -> Any:
        """The variable's `VariableDef`."""
        return self.primary.to_proto(export_scope=export_scope)

    def _should_act_as_resource_variable(self) -> None:
        """Its presence says so."""

    def _set_save_slice_info(self, save_slice_info: Any) -> None:
        self.primary._set_save_slice_info(save_slice_info)

    # Changes.

    def assign(self, *args: Any, **kwargs: Any) -> Any:
        """See `tf.Variable`; in a replica the variable must have an aggregation."""
        return self._change("assign", args, kwargs)

    def assign_add(self, *args: Any, **kwargs: Any) -> Any:
        """As `assign`."""
        return self._change("assign_add", args, kwargs)

    def assign_sub(self, *args: Any, **kwargs: Any) -> Any:
        """As `assign`."""
        return self._change("assign_sub", args, kwargs)

    def _change(self, method: str, args: Any, kwargs: Any) -> Any:
        def change(copy: Any, *args: Any, **kwargs: Any) -> Any:
            return getattr(copy, method)(*args, **kwargs)

        def merge(strategy: Any, value: Any, *args: Any, **kwargs: Any) -> Any:
            value = self._aggregated(strategy, value)
            return strategy.extended.update(self, change, args=(value, *args), kwargs=kwargs)

        with _inside(self._distribute_strategy):
            replica = modes.get_replica_context()
            if replica is None:
                device = distribute_lib.get_update_device()
                if device is not None:
                    return change(self.get(device=device), *args, **kwargs)
                update = self._distribute_strategy.extended.update
                return update(self, change, args=args, kwargs=kwargs)
            if self._aggregation == VariableAggregation.NONE:
                raise ValueError(_NO_AGGREGATION)
            return replica.merge_call(merge, args=args, kwargs=kwargs)

    def _aggregated(self, strategy: Any, value: Any) -> Any:
        extended = strategy.extended
        if self._aggregation == VariableAggregation.ONLY_FIRST_REPLICA:
            return extended.broadcast_to(extended._local_results(value)[0], destinations=self)
        reduce_op = ReduceOp.from_variable_aggregation(self._aggregation)
        return extended.reduce_to(reduce_op, value, self)

    # As a tensor and as a Python object.

    def _as_graph_element(self) -> Any:
        return self.primary._as_graph_element()

    def _dense_var_to_tensor(
        self, dtype: Any = None, name: Any = None, as_ref: bool = False
    ) -> ops.Tensor:
        assert not as_ref
        return ops.internal_convert_to_tensor(self.get(), dtype=dtype, name=name, as_ref=as_ref)

    def _gather_saveables_for_checkpoint(self) -> dict[str, Any]:
        return {"VARIABLE_VALUE": lambda name=self._common_name: _Saveable(self, name)}


class MirroredVariable(DistributedVariable, Mirrored):
    """A variable of `MirroredStrategy`: its copies are equal."""


_NO_AGGREGATION = (
    "You must specify an aggregation method to update a MirroredVariable in Replica Context. You "
    "can do so by passing an explicit value for argument `aggregation` to tf.Variable(..).e.g. "
    "`tf.Variable(..., aggregation=tf.VariableAggregation.SUM)``tf.VariableAggregation` lists the "
    "possible aggregation methods.This is required because MirroredVariable should always be kept "
    "in sync. When updating them or assigning to them in a replica context, we automatically try "
    "to aggregate the values before updating the variable. For this aggregation, we need to know "
    "the aggregation method. Another alternative is to not try to update such MirroredVariable in "
    "replica context, but in cross replica context. You can enter cross replica context by calling "
    "`tf.distribute.get_replica_context().merge_call(merge_fn, ..)`.Inside `merge_fn`, you can "
    "then update the MirroredVariable using `tf.distribute.StrategyExtended.update()`."
)


def _operator(name: str) -> Callable[..., Any]:
    def operate(self: DistributedVariable, *others: Any) -> Any:
        return getattr(ops.Tensor, name)(ops.convert_to_tensor(self.get()), *others)

    operate.__name__ = name
    return operate


for _name in ops.Tensor.OVERLOADABLE_OPERATORS - {"__eq__", "__ne__"}:
    setattr(DistributedVariable, _name, _operator(_name))

ops.register_tensor_conversion_function(
    DistributedVariable,
    lambda var, dtype=None, name=None, as_ref=False: var._dense_var_to_tensor(dtype, name, as_ref),
)
ops.register_dense_tensor_like_type(DistributedVariable)


class _Saveable(saveable_object_util.ResourceVariableSaveable):
    def __init__(self, variable: DistributedVariable, name: str):
        self._mirrored = variable
        super().__init__(variable.primary, "", name)

    def restore(self, restored_tensors: Any, restored_shapes: Any) -> Any:
        (tensor,) = restored_tensors
        updates = []
        for value in self._mirrored.values:
            with ops.device(value.device):
                updates.append(value.assign(tensor))
        return control_flow_ops.group(tuple(updates))


@contextlib.contextmanager
def _inside(strategy: Any) -> Iterator[None]:
    """In the scope of a variable's strategy; refused in another one's."""
    if not modes.has_strategy():
        with strategy.scope():
            yield
        return
    distribute_lib._require_scope(strategy)
    yield


def value_container(value: Any) -> Any:
    """The distributed variable that a value is a copy of, else the value itself."""
    if isinstance(value, DistributedValues):
        return value
    container = getattr(value, "_distributed_container", None)
    return value if container is None else container()


def regroup(structure: Any) -> Any:
    """A structure that a replica gives, with distributed variables for their copies."""
    return nest.map_structure(value_container, structure)


def select(structure: Any) -> Any:
    """A structure for a replica, with copies of the distributed variables in it."""
    return nest.map_structure(
        lambda value: value.primary if isinstance(value, DistributedValues) else value, structure
    )
