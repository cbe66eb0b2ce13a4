"""Values of replicas (`tensorflow.python.distribute.values`): the variables that strategies make.

A mirrored variable has an equal copy at each device; one that is synchronised on read has copies of
their own, which become one where the variable is read or saved; an aggregating variable is a single
one that takes what the replicas assign to it together.
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
from tf1compat.api.distribute.device_maps import (
    DeviceMap,
    LogicalDeviceSpec,
    ReplicaDeviceMap,
    SingleDeviceMap,
    WorkerDeviceMap,
)
from tf1compat.api.distribute.distributed_values import (
    DistributedDelegate,
    DistributedValues,
    Mirrored,
    PerReplica,
    PerReplicaSpec,
    regroup,
    select_device_mirrored,
    select_replica,
    update_regroup,
    value_container,
)
from tf1compat.api.distribute.reduce_util import ReduceOp
from tf1compat.api.math import math_ops
from tf1compat.api.training.saving import saveable_object, saveable_object_util
from tf1compat.api.training.tracking import base
from tf1compat.api.variables.variable_base import Variable, VariableAggregation
from tf1compat.core import ops
from tf1compat.core.attribute import attribute
from tf1compat.core.identity import Reference
from tf1compat.core.session_interface import SessionInterface
from tf1compat.core.typing import DTypeLike, Name

__all__ = [
    "AggregatingVariable",
    "DeviceMap",
    "DistributedDelegate",
    "DistributedValues",
    "DistributedVarOp",
    "DistributedVariable",
    "LogicalDeviceSpec",
    "Mirrored",
    "MirroredVariable",
    "PerReplica",
    "PerReplicaSpec",
    "ReplicaDeviceMap",
    "SingleDeviceMap",
    "SyncOnReadVariable",
    "WorkerDeviceMap",
    "is_distributed_variable",
    "regroup",
    "select_device_mirrored",
    "select_replica",
    "update_regroup",
    "value_container",
]

DistributedVarOp = collections.namedtuple(
    "DistributedVarOp", ["name", "graph", "traceback", "type"]
)


def _refuses(self: Any) -> Any:
    """What TF's classes leave to their base, which has nothing to say."""
    raise NotImplementedError


def _of_primary(name: str) -> property:
    return property(lambda self: getattr(self._values[0], name))


def _of_closest(name: str) -> property:
    return property(lambda self: getattr(self._get_closest(), name))


class DistributedVariable(DistributedDelegate, Variable):
    """A variable with a copy at each device.

    Args:
      strategy: the strategy.
      device_map: where the variable is.
      values: its copies.
      aggregation: how what replicas assign, or have, becomes one.
      logical_device: see `DistributedValues`.
    """

    def __init__(
        self, strategy: Any, device_map: DeviceMap, values: Any,
        aggregation: Any = VariableAggregation.NONE, logical_device: int | None = None,
    ):  # fmt: skip
        self._distribute_strategy = strategy
        super().__init__(device_map, values, logical_device=logical_device)
        self._common_name = self.primary.name.partition(":")[0]
        self._aggregation = aggregation
        self._keras_initialized = False
        self._id = ops.uid()
        self._initializer_op: Any = None  # in place of the copies', if something sets it
        for value in self._values:
            value._distributed_container = weakref.ref(self)

    _shared_name = property(lambda self: self._common_name)
    aggregation = attribute("_aggregation", "How what replicas write is put together.")
    distribute_strategy = attribute("_distribute_strategy", "The strategy that made it.")
    _is_eager = property(lambda self: getattr(self.primary, "_is_eager", False))
    for _name in (
        "_graph_key _in_graph_mode _save_slice_info _unique_id dtype graph name shape "
        "synchronization trainable"
    ).split():
        locals()[_name] = _of_primary(_name)
    for _name in ("device", "initial_value"):
        locals()[_name] = _of_closest(_name)
    locals()["constraint"] = property(_refuses)
    del _name

    def experimental_ref(self) -> Reference:
        """A hashable reference to the variable, not to a copy."""
        return Reference(self)

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
        if self._initializer_op is not None:
            return self._initializer_op
        return control_flow_ops.group(tuple(value.initializer for value in self._values))

    def is_initialized(self, name: Name = None) -> ops.Tensor:
        """A scalar bool tensor: whether all copies have a value."""
        found = self.primary.is_initialized()
        for value in self._values[1:-1]:
            found = math_ops.logical_and(found, value.is_initialized())
        return math_ops.logical_and(found, self._values[-1].is_initialized(), name=name)

    def initialized_value(self) -> Any:
        """See `tf.Variable`."""
        return self._get_closest().initialized_value()

    def value(self) -> ops.Tensor:
        """The value."""
        return self._get_closest().value()

    def read_value(self) -> ops.Tensor:
        """The value, read anew."""
        with _inside(self._distribute_strategy):
            return array_ops.identity(self.get())

    def eval(self, session: SessionInterface | None = None) -> Any:
        """The value in a session."""
        return self._get_closest().eval(session)

    def get_shape(self) -> Any:
        """The shape."""
        return self.primary.get_shape()

    def to_proto(self, export_scope: Any = None) -> Any:
        """The variable's `VariableDef`."""
        return self.primary.to_proto(export_scope=export_scope)

    def _should_act_as_resource_variable(self) -> None:
        """Its presence says so."""

    def _get_save_slice_info(self) -> Any:
        return self.primary._save_slice_info

    def _set_save_slice_info(self, save_slice_info: Any) -> None:
        for value in self._values:
            value._set_save_slice_info(save_slice_info)

    def _clone_with_new_values(self, new_values: Any) -> Any:
        return type(self)(
            self._distribute_strategy, self._device_map, new_values, self._aggregation,
            logical_device=self._logical_device,
        )  # fmt: skip

    def _dense_var_to_tensor(
        self, dtype: DTypeLike | None = None, name: Name = None, as_ref: bool = False
    ) -> ops.Tensor:
        return ops.internal_convert_to_tensor(self.get(), dtype=dtype, name=name, as_ref=as_ref)

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
        raise NotImplementedError


ops.register_tensor_conversion_function(
    DistributedVariable,
    lambda var, dtype=None, name=None, as_ref=False: var._dense_var_to_tensor(dtype, name, as_ref),
)
ops.register_dense_tensor_like_type(DistributedVariable)


class MirroredVariable(DistributedVariable, Mirrored):
    """A variable of `MirroredStrategy`: its copies are equal."""

    def _get_cross_replica(self) -> Any:
        return array_ops.identity(super()._get_cross_replica())

    def _as_graph_element(self) -> Any:
        here = self.primary if modes.in_cross_replica_context() else self.get()
        return here._as_graph_element()

    def _dense_var_to_tensor(
        self, dtype: DTypeLike | None = None, name: Name = None, as_ref: bool = False
    ) -> ops.Tensor:
        assert not as_ref
        return super()._dense_var_to_tensor(dtype, name, as_ref)

    def _change(self, method: str, args: Any, kwargs: Any) -> Any:
        return _changed_together(self, lambda device: self.get(device=device), method, args, kwargs)

    def _gather_saveables_for_checkpoint(self) -> dict[str, Any]:
        return {
            base.VARIABLE_VALUE_KEY: lambda name=self._common_name: _MirroredSaveable(self, name)
        }


class _MirroredSaveable(saveable_object_util.ResourceVariableSaveable):
    def __init__(self, variable: MirroredVariable, name: str):
        self._mirrored = variable
        super().__init__(variable.primary, "", name)

    def restore(self, restored_tensors: Any, restored_shapes: Any) -> Any:
        (tensor,) = restored_tensors
        return _changed_each(self._mirrored, "assign", tensor)


class SyncOnReadVariable(DistributedVariable):
    """A variable whose copies the replicas change by themselves; they become one when it is
    read outside of replicas, or saved.
    """

    def _change(self, method: str, args: Any, kwargs: Any) -> Any:
        with _inside(self._distribute_strategy):
            if not modes.in_cross_replica_context():
                return getattr(self.get(), method)(*args, **kwargs)
            value = args[0]
            if self._aggregation == VariableAggregation.SUM:
                if method != "assign":
                    raise ValueError(
                        f"SyncOnReadVariable does not support `{method}` in cross-replica context "
                        "when aggregation is set to `tf.VariableAggregation.SUM`."
                    )
                value = value * (1.0 / len(self.devices))  # so that the sum is what was assigned
            return _changed_each(self, method, value)

    def _get_cross_replica(self) -> Any:
        if self._aggregation == VariableAggregation.ONLY_FIRST_REPLICA:
            return self.primary
        with _inside(self._distribute_strategy):
            reduce_op = ReduceOp.from_variable_aggregation(self._aggregation)
            return self._distribute_strategy.reduce(reduce_op, self, axis=None)

    def _as_graph_element(self) -> Any:
        if modes.in_cross_replica_context():
            return self._get_cross_replica()
        return self.get()._as_graph_element()

    def _gather_saveables_for_checkpoint(self) -> dict[str, Any]:
        return {
            base.VARIABLE_VALUE_KEY: lambda name=self._common_name: _SyncOnReadSaveable(self, name)
        }


class _SyncOnReadSaveable(saveable_object.SaveableObject):
    def __init__(self, variable: SyncOnReadVariable, name: str):
        self._variable = variable

        def tensor() -> Any:
            return variable._distribute_strategy.extended.read_var(variable)

        spec = saveable_object.SaveSpec(
            tensor=tensor, slice_spec="", name=name, dtype=variable.dtype,
            device=variable.primary.device,
        )  # fmt: skip
        super().__init__(tensor, [spec], name)

    def restore(self, restored_tensors: Any, restored_shapes: Any) -> Any:
        (tensor,) = restored_tensors
        return self._variable.assign(tensor)


class AggregatingVariable(Variable):
    """One variable; what replicas assign to it is aggregated first.

    Args:
      strategy: the strategy.
      v: the variable.
      aggregation: how.
    """

    def __init__(self, strategy: Any, v: Any, aggregation: Any):
        self._distribute_strategy = strategy
        self._v = v
        v._aggregating_container = weakref.ref(self)
        self._aggregation = aggregation

    def get(self) -> Any:
        """The variable itself."""
        return self._v

    aggregation = attribute("_aggregation", "How what replicas write is put together.")
    distribute_strategy = attribute("_distribute_strategy", "The strategy that made it.")
    set_shape = Variable.set_shape
    for _name in "initializer initial_value op graph device shape name dtype trainable".split():
        locals()[_name] = property(lambda self, name=_name: getattr(self._v, name))
    locals()["constraint"] = property(_refuses)
    del _name

    def __getattr__(self, name: str) -> Any:
        if name in ("_v", "_use_resource_variables") or name.startswith("_self_"):
            raise AttributeError(name)
        return getattr(self._v, name)

    def initialized_value(self) -> Any:
        """See `tf.Variable`."""
        return self._v.initialized_value()

    def read_value(self) -> ops.Tensor:
        """The value, read anew."""
        return self._v.read_value()

    def eval(self, session: SessionInterface | None = None) -> Any:
        """The value in a session."""
        return self._v.eval(session)

    def assign(self, *args: Any, **kwargs: Any) -> Any:
        """See `tf.Variable`; in a replica the variable must have an aggregation."""
        return _changed_together(self, lambda device: self._v, "assign", args, kwargs)

    def assign_add(self, *args: Any, **kwargs: Any) -> Any:
        """As `assign`."""
        return _changed_together(self, lambda device: self._v, "assign_add", args, kwargs)

    def assign_sub(self, *args: Any, **kwargs: Any) -> Any:
        """As `assign`."""
        return _changed_together(self, lambda device: self._v, "assign_sub", args, kwargs)

    def _gather_saveables_for_checkpoint(self) -> dict[str, Any]:
        return {base.VARIABLE_VALUE_KEY: self._v}

    def _should_act_as_resource_variable(self) -> None:
        """Its presence says so."""

    def __str__(self) -> str:
        return str(self._v)

    def __repr__(self) -> str:
        return repr(self._v)


for _name in dir(DistributedDelegate):
    if _name in ops.Tensor.OVERLOADABLE_OPERATORS - {"__eq__", "__ne__"}:
        setattr(AggregatingVariable, _name, getattr(DistributedDelegate, _name))
AggregatingVariable._get_as_operand = AggregatingVariable.get  # type: ignore[attr-defined]

ops.register_tensor_conversion_function(
    AggregatingVariable,
    lambda var, dtype=None, name=None, as_ref=False: ops.internal_convert_to_tensor(
        var.get(), dtype=dtype, name=name, as_ref=as_ref
    ),
)
ops.register_dense_tensor_like_type(AggregatingVariable)


def _changed_together(
    variable: Any, find: Callable[[Any], Any], method: str, args: Any, kwargs: Any
) -> Any:
    """Changes all copies of a variable by what all replicas give.

    Args:
      variable: the variable.
      find: the copy at a device, where an update runs.
      method: of the copies.
      args, kwargs: what it takes.

    Raises:
      ValueError: in a replica, of a variable without aggregation.
    """

    def change(copy: Any, *args: Any, **kwargs: Any) -> Any:
        return getattr(copy, method)(*args, **kwargs)

    def merge(strategy: Any, value: Any, *args: Any, **kwargs: Any) -> Any:
        value = _aggregated(strategy, value, variable)
        return strategy.extended.update(variable, change, args=(value, *args), kwargs=kwargs)

    strategy = variable._distribute_strategy
    with _inside(strategy):
        if modes.in_cross_replica_context():
            device = distribute_lib.get_update_device()
            if device is not None:
                return change(find(device), *args, **kwargs)
            return strategy.extended.update(variable, change, args=args, kwargs=kwargs)
        replica = modes.get_replica_context()
        if variable.aggregation == VariableAggregation.NONE:
            raise ValueError(_NO_AGGREGATION.format(kind=type(variable).__name__))
        assert replica is not None
        return replica.merge_call(merge, args=args, kwargs=kwargs)


def _changed_each(variable: DistributedVariable, method: str, value: Any) -> Any:
    """Changes each copy of a variable at its device."""
    changes = []
    for copy in variable.values:
        with ops.device(copy.device):
            changes.append(getattr(copy, method)(value))
    return control_flow_ops.group(tuple(changes))


def _aggregated(strategy: Any, value: Any, variable: Any) -> Any:
    extended = strategy.extended
    if variable.aggregation == VariableAggregation.ONLY_FIRST_REPLICA:
        first = strategy.experimental_local_results(value)[0]
        return extended.broadcast_to(first, destinations=variable)
    reduce_op = ReduceOp.from_variable_aggregation(variable.aggregation)
    return extended.reduce_to(reduce_op, value, variable)


_NO_AGGREGATION = (
    "You must specify an aggregation method to update a {kind} in Replica Context. You "
    "can do so by passing an explicit value for argument `aggregation` to tf.Variable(..).e.g. "
    "`tf.Variable(..., aggregation=tf.VariableAggregation.SUM)``tf.VariableAggregation` lists the "
    "possible aggregation methods.This is required because {kind} should always be kept "
    "in sync. When updating them or assigning to them in a replica context, we automatically try "
    "to aggregate the values before updating the variable. For this aggregation, we need to know "
    "the aggregation method. Another alternative is to not try to update such {kind} in "
    "replica context, but in cross replica context. You can enter cross replica context by calling "
    "`tf.distribute.get_replica_context().merge_call(merge_fn, ..)`.Inside `merge_fn`, you can "
    "then update the {kind} using `tf.distribute.StrategyExtended.update()`."
)


@contextlib.contextmanager
def _inside(strategy: Any) -> Iterator[None]:
    """In the scope of a variable's strategy; refused in another one's."""
    if not modes.has_strategy():
        with strategy.scope():
            yield
        return
    distribute_lib._require_scope(strategy)
    yield


def is_distributed_variable(v: Any) -> bool:
    """Whether something is a variable with copies."""
    return isinstance(v, DistributedVariable)


def validate_colocate(v: Any, extended: Any) -> None:
    """Refuses a variable that another strategy made, or none.

    Args:
      v: the variable.
      extended: the strategy's extended part.

    Raises:
      ValueError: it is one.
    """
    device_util.check_colocated(v, extended, hasattr(v, "_distribute_strategy"))


def validate_colocate_distributed_variable(v: Any, extended: Any) -> None:
    """As `validate_colocate`, of variables with copies alone."""
    device_util.check_colocated(v, extended, isinstance(v, DistributedVariable))


def _devices_match(d1: str, d2: str) -> bool:
    """Whether two names are of one device."""
    return device_util.canonicalize(d1) == device_util.canonicalize(d2)
