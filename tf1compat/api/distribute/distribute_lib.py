"""Strategies, their scopes and the replicas that run under them
(`tensorflow.python.distribute.distribute_lib`), for one replica.
"""

from __future__ import annotations

import contextlib
import copy
import functools
import json
import os
import threading
import weakref
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

from tf1compat.api.array import array_ops, constant_op, shape_ops
from tf1compat.api.autograph.core import ag_ctx
from tf1compat.api.autograph.impl import api as autograph
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.distribute import device_util, numpy_dataset
from tf1compat.api.distribute import distribution_strategy_context as modes
from tf1compat.api.distribute.input_context import InputContext, InputReplicationMode
from tf1compat.api.distribute.reduce_util import ReduceOp, as_reduce_op
from tf1compat.api.eager.context import summaries
from tf1compat.api.gradients.custom_gradient import custom_gradient
from tf1compat.api.math import math_ops
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.variables import variable_scope
from tf1compat.api.variables.variable_base import VariableAggregation
from tf1compat.core import dtypes, nest, ops
from tf1compat.core.attribute import attribute
from tf1compat.core.export import find, tf_export
from tf1compat.core.session_interface import SessionInterface
from tf1compat.core.typing import Name, TensorLike

_update = threading.local()


def get_update_device() -> Any:
    """The device (or variable) that a function called by `update` works at, or None."""
    return getattr(_update, "device", None)


@tf_export("contrib.distribute.UpdateContext")
class UpdateContext:
    """A `with` block in which `get_update_device` gives a device.

    Args:
      device: the device's name.
    """

    def __init__(self, device: Any):
        self._device = device
        self._before: Any = None

    def __enter__(self) -> None:
        self._before = get_update_device()
        _update.device = self._device

    def __exit__(self, *exc_info: Any) -> None:
        _update.device = self._before


@tf_export("distribute.get_loss_reduction", "contrib.distribute.get_loss_reduction")
def get_loss_reduction() -> ReduceOp:
    """How the losses of replicas become one: the `ReduceOp` of the last loss in an Estimator."""
    if not modes.get_strategy()._scale_loss_for_estimator:
        return ReduceOp.SUM
    last = getattr(ops.get_default_graph(), "_last_loss_reduction", None)
    sums = (find("losses.Reduction").SUM, "sum")  # Keras's Reduction.SUM
    return ReduceOp.SUM if last in sums else ReduceOp.MEAN


# Where a method may be called.


def _refuse_other_strategy(strategy: Strategy) -> NoReturn:
    if not modes.has_strategy():
        raise RuntimeError(f'Need to be inside "with strategy.scope()" for {strategy}')
    raise RuntimeError(
        f"Mixing different tf.distribute.Strategy objects: {modes.get_strategy()} is not {strategy}"
    )


def _require_cross_replica(strategy: Strategy) -> None:
    """Refuses a call in a replica, or under another strategy; outside of all scopes it is free."""
    if not ops.get_default_graph()._distribution_strategy_stack:
        return
    if modes.get_strategy() is not strategy:
        _refuse_other_strategy(strategy)
    if modes.get_replica_context() is not None:
        raise RuntimeError(
            "Method requires being in cross-replica context, use get_replica_context().merge_call()"
        )


def _require_scope(strategy: Strategy) -> None:
    if modes.get_strategy() is not strategy:
        _refuse_other_strategy(strategy)


@tf_export("contrib.distribute.require_replica_context")
def require_replica_context(replica_ctx: ReplicaContext) -> None:
    """Checks that a replica is the one that runs.

    Args:
      replica_ctx: the `ReplicaContext` that must be the current one.

    Raises:
      RuntimeError: none, or another one runs.
    """
    running = modes.get_replica_context()
    if running is replica_ctx:
        return
    if running is None:
        raise RuntimeError("Need to be inside `call_for_each_replica()`")
    if running.strategy is replica_ctx.strategy:
        raise RuntimeError("Mismatching ReplicaContext.")
    raise RuntimeError(
        f"Mismatching tf.distribute.Strategy objects: {running.strategy} is not "
        f"{replica_ctx.strategy}."
    )


# Scopes.


class _Scope:
    """The `with` block of a strategy; what it opens is closed once, by the outermost one.

    Args:
      strategy: the strategy.
      *parts: what holds inside of it, by what TF calls it.
    """

    def __init__(self, strategy: Strategy, **parts: contextlib.AbstractContextManager[Any]):
        self._strategy = strategy
        self._parts = parts
        self._again = 0

    def __enter__(self) -> Strategy:
        if modes.has_strategy():
            _require_cross_replica(self._strategy)
            self._again += 1
            return self._strategy
        modes._push_per_thread_mode(modes.Mode(self._strategy, None))
        for part in self._parts.values():
            part.__enter__()
        return self._strategy

    def __exit__(self, *exc_info: Any) -> None:
        if self._again:
            self._again -= 1
            return
        for kind, part in reversed(self._parts.items()):
            try:
                part.__exit__(*exc_info)
            except RuntimeError as error:
                raise RuntimeError(
                    f"{kind.replace('_', ' ')} scope nesting error: move call to "
                    "tf.distribute.set_strategy() out of `with` scope."
                ) from error
        modes._pop_per_thread_mode()


class _DefaultScope:
    """The scope of the default strategy: nothing changes in it."""

    def __init__(self, strategy: Strategy):
        def create(next_creator: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
            _require_scope(strategy)
            return next_creator(*args, **kwargs)

        self._strategy = strategy
        self._creator = variable_scope.variable_creator_scope(create)
        self._depth = 0

    def __enter__(self) -> Strategy:
        if modes.has_strategy():
            raise RuntimeError("Must not nest tf.distribute.Strategy scopes.")
        if self._depth == 0:
            self._creator.__enter__()
        self._depth += 1
        return self._strategy

    def __exit__(self, *exc_info: Any) -> None:
        self._depth -= 1
        if self._depth == 0:
            self._creator.__exit__(*exc_info)


@tf_export("compat.v2.distribute.Strategy")
class Strategy:
    """How a program is spread over devices.

    Args:
      extended: the `StrategyExtended` that does it.
    """

    def __init__(self, extended: Any):
        self._extended = extended
        self._scale_loss_for_estimator = False

    extended = attribute("_extended", "The `StrategyExtended`, for libraries.")

    @contextlib.contextmanager
    def _scale_loss_for_estimator_enabled(self) -> Iterator[None]:
        self._scale_loss_for_estimator = True
        try:
            yield
        finally:
            self._scale_loss_for_estimator = False

    def scope(self) -> Any:
        """A `with` block in which the strategy holds and makes the variables."""
        return self._extended._scope(self)

    def colocate_vars_with(self, colocate_with_variable: Any) -> Any:
        """See `StrategyExtended.colocate_vars_with`."""
        return self._extended.colocate_vars_with(colocate_with_variable)

    def make_dataset_iterator(self, dataset: Any) -> Any:
        """An iterator with `get_next` and `initialize`."""
        return self._extended._make_dataset_iterator(dataset)

    def make_input_fn_iterator(
        self, input_fn: Callable[..., Any], replication_mode: Any = InputReplicationMode.PER_WORKER
    ) -> Any:
        """An iterator over what `input_fn`, given an `InputContext`, returns.

        Raises:
          ValueError: there is no such mode.
        """
        if replication_mode != InputReplicationMode.PER_WORKER:
            raise ValueError(f"Input replication mode not supported: {replication_mode!r}")
        with self.scope():
            return self.extended._make_input_fn_iterator(
                input_fn, replication_mode=replication_mode
            )

    def experimental_make_numpy_dataset(self, numpy_input: Any) -> Any:
        """A dataset of the slices of arrays, which are kept in variables.

        Args:
          numpy_input: a structure of arrays.
        """
        return self.extended.experimental_make_numpy_dataset(numpy_input, session=None)

    def experimental_distribute_dataset(self, dataset: Any) -> Any:
        """The dataset, as the strategy reads it."""
        return self._extended._experimental_distribute_dataset(dataset)

    def experimental_distribute_datasets_from_function(self, dataset_fn: Any) -> Any:
        """As above, of the dataset that `dataset_fn` makes, given an `InputContext`."""
        return self._extended._experimental_distribute_datasets_from_function(dataset_fn)

    def experimental_run_v2(self, fn: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Runs `fn(*args, **kwargs)` as a replica; returns what it returns."""
        with self.scope():
            fn = autograph.tf_convert(fn, ag_ctx.control_status_ctx(), convert_by_default=False)
            return self._extended.call_for_each_replica(fn, args=args, kwargs=kwargs)

    def reduce(self, reduce_op: Any, value: Any, axis: Any) -> Any:
        """One value from those of the replicas.

        Args:
          reduce_op: a `ReduceOp`, or its name.
          value: what the replicas gave.
          axis: an axis to reduce along besides, or None.

        Raises:
          TypeError: the reduction or the axis is none.
          ValueError: `value` has no such axis.
        """
        _require_cross_replica(self)
        reduce_op = as_reduce_op(reduce_op)
        if axis is None:
            return self._extended._reduce(reduce_op, value)

        def run(fn: Callable[[Any], Any]) -> Any:
            return self.experimental_run_v2(fn, args=(value,))

        if reduce_op == ReduceOp.SUM:
            return self._extended._reduce(
                reduce_op, run(lambda v: math_ops.reduce_sum(v, axis=axis))
            )
        if reduce_op != ReduceOp.MEAN:
            raise TypeError(
                f"Expected `reduce_op` to be a `tf.distribute.ReduceOp`, not: {reduce_op!r}"
            )
        if not isinstance(axis, int):
            raise TypeError(f"Expected `axis` to be an integer not: {axis!r}")
        both = run(functools.partial(_sum_and_count, axis=axis))
        total, count = (self._extended._reduce(ReduceOp.SUM, part) for part in both)
        return math_ops.truediv(total, math_ops.cast(count, total.dtype))

    def experimental_local_results(self, value: Any) -> Any:
        """A tuple of what each local replica gave."""
        return self._extended._local_results(value)

    def group(self, value: Any, name: Name = None) -> Any:
        """An operation that runs all of a value's."""
        return self._extended._group(value, name)

    num_replicas_in_sync: int = attribute(
        "_extended._num_replicas_in_sync", "How many replicas there are."
    )

    def configure(
        self, session_config: Any = None, cluster_spec: Any = None, task_type: str | None = None,
        task_id: Any = None,
    ) -> Any:  # fmt: skip
        """Fits a session's configuration, and the strategy to a cluster."""
        return self._extended._configure(session_config, cluster_spec, task_type, task_id)

    def unwrap(self, value: Any) -> Any:
        """The older name of `experimental_local_results`."""
        return self._extended._local_results(value)

    def experimental_run(self, fn: Any, input_iterator: Any = None) -> Any:
        """Runs `fn` on the next element of an iterator, or on nothing."""
        with self.scope():
            args = (input_iterator.get_next(),) if input_iterator is not None else ()
        return self.experimental_run_v2(fn, args=args)

    def update_config_proto(self, config_proto: Any) -> Any:
        """A copy of a session's configuration, as the strategy needs it."""
        return self._extended._update_config_proto(config_proto)

    def __deepcopy__(self, memo: Any) -> Any:
        result = memo[id(self)] = type(self).__new__(type(self))
        for key, value in vars(self).items():
            setattr(result, key, copy.deepcopy(value, memo))
        result._extended._container_strategy_weakref = weakref.ref(result)
        return result

    def __copy__(self) -> NoReturn:
        raise RuntimeError("Must only deepcopy DistributionStrategy.")

    def _in_multi_worker_mode(self) -> bool:
        config = json.loads(os.environ.get("TF_CONFIG", "{}"))
        return bool(config) and "master" not in config.get("cluster", {})


@tf_export("distribute.Strategy", "contrib.distribute.DistributionStrategy")
class StrategyV1(Strategy):
    """A `Strategy` of TF 1. Args: see there."""

    def experimental_make_numpy_dataset(
        self, numpy_input: Any, session: SessionInterface | None = None
    ) -> Any:
        """As TF 2's, in a session that fills the variables where nothing runs eagerly."""
        return self.extended.experimental_make_numpy_dataset(numpy_input, session=session)

    def reduce(self, reduce_op: Any, value: Any, axis: TensorLike | None = None) -> Any:
        """As TF 2's, which has to be told the axis."""
        return super().reduce(reduce_op, value, axis)


def _sum_and_count(value: Any, axis: int) -> tuple[Any, Any]:
    """A value's sums along an axis, and how many elements each is of."""
    total = math_ops.reduce_sum(value, axis=axis)
    rank = value.shape.ndims
    place = axis
    if rank is not None:
        if not -rank <= axis < rank:
            raise ValueError(f"`axis` = {axis!r} out of range for `value` with rank {rank}")
        place = axis % rank
        if value.shape.as_list()[place] is not None:
            return total, value.shape.as_list()[place]
    elif axis < 0:
        place = axis + array_ops.rank(value)
    if rank == 1:
        return total, array_ops.size(value, out_type=dtypes.int64)
    return total, array_ops.shape(value, out_type=dtypes.int64)[place]


def _missing(*args: Any, **kwargs: Any) -> NoReturn:
    raise NotImplementedError("must be implemented in descendants")


@tf_export("compat.v2.distribute.StrategyExtended")
class StrategyExtendedV2:
    """What a strategy offers to libraries, and the base of how strategies work.

    Args:
      container_strategy: the strategy.
    """

    def __init__(self, container_strategy: Strategy):
        self._container_strategy_weakref = weakref.ref(container_strategy)
        self._default_device: Any = None
        self._require_static_shapes = False

    def _container_strategy(self) -> Strategy:
        strategy = self._container_strategy_weakref()
        assert strategy is not None
        return strategy

    def _scope(self, strategy: Strategy) -> Any:
        def create(*args: Any, **kwargs: Any) -> Any:
            _require_scope(strategy)
            kwargs.update(use_resource=True, distribute_strategy=strategy)
            return self._create_variable(*args, **kwargs)

        def without_partitioner(getter: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
            if self._allow_variable_partition():
                return getter(*args, **kwargs)
            if kwargs.pop("partitioner", None) is not None:
                logging.log_first_n(
                    logging.WARN,
                    "Partitioned variables are disabled when using current tf.distribute.Strategy.",
                    1,
                )
            return getter(*args, **kwargs)

        device = self._default_device
        return _Scope(
            strategy,
            **({"Device": ops.device(device)} if device else {}),
            Variable=variable_scope.variable_scope(
                variable_scope.get_variable_scope(), custom_getter=without_partitioner
            ),
            Variable_creator=variable_scope.variable_creator_scope(create),
        )

    def _allow_variable_partition(self) -> bool:
        return False

    def variable_created_in_scope(self, v: Any) -> bool:
        """Whether a variable was made under the strategy."""
        return v._distribute_strategy == self._container_strategy_weakref()

    def colocate_vars_with(self, colocate_with_variable: Any) -> Any:
        """A `with` block that places new variables with one of the strategy's.

        Raises:
          RuntimeError: the strategy doesn't hold.
          ValueError: the variable isn't the strategy's.
        """

        def create(next_creator: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
            _require_scope(self._container_strategy())
            kwargs.update(use_resource=True, colocate_with=colocate_with_variable)
            return next_creator(*args, **kwargs)

        _require_scope(self._container_strategy())
        self._validate_colocate_with_variable(colocate_with_variable)
        return variable_scope.variable_creator_scope(create)

    def _validate_colocate_with_variable(self, variable: Any) -> None:
        device_util.check_colocated(variable, self, self._makes(variable))

    def _makes(self, variable: Any) -> bool:
        """Whether a variable is of the kind that the strategy makes."""
        return hasattr(variable, "_distribute_strategy")

    def _reduce(self, reduce_op: Any, value: Any) -> Any:
        place = device_util.current() or "/device:CPU:0"
        return self._local_results(self._reduce_to(reduce_op, value, place))[0]

    def reduce_to(self, reduce_op: Any, value: Any, destinations: Any) -> Any:
        """One value from those of the replicas, at a place: a device's name or a variable."""
        _require_cross_replica(self._container_strategy())
        assert not isinstance(destinations, list | tuple)
        assert not isinstance(reduce_op, VariableAggregation)
        reduce_op = as_reduce_op(reduce_op)
        assert reduce_op in (ReduceOp.SUM, ReduceOp.MEAN)
        return self._reduce_to(reduce_op, value, destinations)

    def batch_reduce_to(self, reduce_op: Any, value_destination_pairs: Any) -> list[Any]:
        """`reduce_to` of many values, each with its place."""
        _require_cross_replica(self._container_strategy())
        assert not isinstance(reduce_op, VariableAggregation)
        return self._batch_reduce_to(as_reduce_op(reduce_op), value_destination_pairs)

    def _batch_reduce_to(self, reduce_op: Any, pairs: Any) -> list[Any]:
        return [self.reduce_to(reduce_op, value, destinations=place) for value, place in pairs]

    def update(
        self, var: Any, fn: Any, args: Any = (), kwargs: Any = None, group: bool = True
    ) -> Any:
        """`fn(var, *args, **kwargs)`, where the variable is.

        Args:
          var: a variable of the strategy.
          fn: records an update.
          args, kwargs: what else `fn` takes.
          group: whether what it returns is one thing, and not a tuple of each device's.
        """
        _require_cross_replica(self._container_strategy())
        with self._container_strategy().scope():
            return self._update(var, fn, args, kwargs or {}, group)

    def update_non_slot(
        self, colocate_with: Any, fn: Any, args: Any = (), kwargs: Any = None, group: bool = True
    ) -> Any:
        """`fn(*args, **kwargs)` at what `non_slot_devices` gave; see `update`."""
        _require_cross_replica(self._container_strategy())
        with self._container_strategy().scope():
            return self._update_non_slot(colocate_with, fn, args, kwargs or {}, group)

    def _group(self, value: Any, name: Name = None) -> Any:
        values = nest.flatten(self._local_results(value))
        if len(values) != 1 or name is not None:
            return control_flow_ops.group(values, name=name)
        return getattr(values[0], "op", values[0])

    experimental_require_static_shapes: bool = attribute(
        "_require_static_shapes", "Whether all shapes must be known."
    )

    def _configure(self, *args: Any) -> None:
        """Nothing to do for one worker."""

    def _update_config_proto(self, config_proto: Any) -> Any:
        return copy.deepcopy(config_proto)

    # What strategies define.

    _create_variable = _make_dataset_iterator = _make_input_fn_iterator = _missing
    _experimental_distribute_dataset = _experimental_distribute_datasets_from_function = _missing
    _experimental_make_numpy_dataset = _experimental_run_steps_on_iterator = _missing
    _reduce_to = _broadcast_to = _update = _update_non_slot = _local_results = _missing
    _call_for_each_replica = read_var = value_container = non_slot_devices = _missing
    worker_devices: Any = property(_missing)
    parameter_devices: Any = property(_missing)
    experimental_between_graph: Any = property(_missing)
    experimental_should_init: Any = property(_missing)
    should_checkpoint: Any = property(_missing)
    should_save_summary: Any = property(_missing)
    _num_replicas_in_sync: Any = property(_missing)


@tf_export("distribute.StrategyExtended")
class StrategyExtendedV1(StrategyExtendedV2):
    """A `StrategyExtended` of TF 1. Args: see there."""

    def experimental_make_numpy_dataset(
        self, numpy_input: Any, session: SessionInterface | None = None
    ) -> Any:
        """See `Strategy.experimental_make_numpy_dataset`."""
        _require_cross_replica(self._container_strategy())
        return self._experimental_make_numpy_dataset(numpy_input, session=session)

    def broadcast_to(self, tensor: Any, destinations: Any) -> Any:
        """A tensor, at a device or where a variable is."""
        assert destinations is not None
        _require_cross_replica(self._container_strategy())
        assert not isinstance(destinations, list | tuple)
        return self._broadcast_to(tensor, destinations)

    def experimental_run_steps_on_iterator(
        self, fn: Any, iterator: Any, iterations: int = 1, initial_loop_values: Any = None
    ) -> Any:
        """Runs `fn(context, element)` in a loop that is recorded; returns the context."""
        _require_cross_replica(self._container_strategy())
        with self._container_strategy().scope():
            return self._experimental_run_steps_on_iterator(
                fn, iterator, iterations, initial_loop_values
            )

    def call_for_each_replica(self, fn: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Runs `fn(*args, **kwargs)` as a replica."""
        _require_cross_replica(self._container_strategy())
        with self._container_strategy().scope():
            return self._call_for_each_replica(fn, args, kwargs or {})


StrategyExtended = StrategyExtendedV2


@tf_export("distribute.ReplicaContext", "contrib.distribute.ReplicaContext")
class ReplicaContext:
    """What a function that runs as a replica can ask and do; a `with` block while it runs.

    Args:
      strategy: the strategy.
      replica_id_in_sync_group: which replica it is, an int32 scalar.
    """

    def __init__(self, strategy: Strategy, replica_id_in_sync_group: Any):
        self._strategy = strategy
        self._replica_id_in_sync_group = replica_id_in_sync_group
        self._recording_before: Any = None

    def __enter__(self) -> None:
        modes._push_per_thread_mode(modes.Mode(self._strategy, self))
        self._recording_before = summaries.recording_distribution_strategy
        summaries.recording_distribution_strategy = self._is_first

    def __exit__(self, *exc_info: Any) -> None:
        summaries.recording_distribution_strategy = self._recording_before
        modes._pop_per_thread_mode()

    def _is_first(self) -> ops.Tensor:
        """Whether this is replica 0, which writes the summaries of all."""
        return math_ops.equal(self._replica_id_in_sync_group, constant_op.constant(0))

    def merge_call(self, merge_fn: Any, args: Any = (), kwargs: Any = None) -> Any:
        """`merge_fn(strategy, *args, **kwargs)` in the cross-replica context.

        Raises:
          RuntimeError: this replica doesn't run.
        """
        require_replica_context(self)
        return self._merge_call(merge_fn, args, kwargs or {})

    def _merge_call(self, fn: Any, args: Any, kwargs: Any) -> Any:
        modes._push_per_thread_mode(modes.Mode(self._strategy, None))
        try:
            return fn(self._strategy, *args, **kwargs)
        finally:
            modes._pop_per_thread_mode()

    num_replicas_in_sync: int = attribute(
        "_strategy.num_replicas_in_sync", "How many replicas there are."
    )

    @property
    def replica_id_in_sync_group(self) -> Any:
        """Which one this is, an int32 scalar."""
        require_replica_context(self)
        return self._replica_id_in_sync_group

    strategy: Strategy = attribute("_strategy", "The strategy.")

    @property
    def devices(self) -> Any:
        """The devices of the replica."""
        require_replica_context(self)
        return (device_util.current(),)

    def all_reduce(self, reduce_op: Any, value: Any) -> Any:
        """A structure of tensors, each reduced over all replicas; for sums and means with
        gradients.
        """

        def reduce_all(strategy: Strategy, *flat: Any) -> Any:
            pairs = [(v, v.device if isinstance(v, ops.Tensor) else v) for v in flat]
            return strategy.extended.batch_reduce_to(reduce_op, pairs)

        if reduce_op not in (ReduceOp.SUM, ReduceOp.MEAN):
            reduced = self.merge_call(reduce_all, args=nest.flatten(value))
            return nest.map_structure(
                shape_ops.prevent_gradient, nest.pack_sequence_as(value, reduced)
            )

        @custom_gradient
        def grad_wrapper(*xs: Any) -> Any:
            ys = self.merge_call(reduce_all, args=xs)
            return ys, lambda *grads: self.all_reduce(reduce_op, grads)

        return nest.pack_sequence_as(value, grad_wrapper(*nest.flatten(value)))


# The default strategy.


def _refuse_second() -> NoReturn:
    raise RuntimeError("Should only create a single instance of _DefaultDistributionStrategy")


class _DefaultDistributionStrategy(StrategyV1):
    def __init__(self) -> None:
        _refuse_second()

    def __deepcopy__(self, memo: Any) -> NoReturn:
        _refuse_second()


def make_default_strategy() -> Strategy:
    """The strategy outside of all scopes; to be made once."""
    strategy = object.__new__(_DefaultDistributionStrategy)
    StrategyV1.__init__(strategy, _DefaultDistributionExtended(strategy))
    return strategy


class OneReplicaExtended(StrategyExtendedV1):
    """What the default strategy and that of one device have in common: values are themselves."""

    def _reduce_to(self, reduce_op: Any, value: Any, destinations: Any) -> Any:
        return value

    def _update(self, var: Any, fn: Any, args: Any, kwargs: Any, group: bool) -> Any:
        return self._update_non_slot(var, fn, (var, *args), kwargs, group)

    def _result(self, result: Any, group: bool) -> Any:
        return result if group else nest.map_structure(self._local_results, result)

    def _local_results(self, value: Any) -> tuple[Any]:
        return (value,)

    def value_container(self, value: Any) -> Any:
        """The value itself."""
        return value

    def read_var(self, replica_local_var: Any) -> Any:
        """A tensor of a variable's value."""
        return array_ops.identity(replica_local_var)

    @property
    def _num_replicas_in_sync(self) -> int:
        return 1

    @property
    def _global_batch_size(self) -> bool:
        return True


class _DefaultDistributionExtended(OneReplicaExtended):
    def _scope(self, strategy: Strategy) -> Any:
        return _DefaultScope(strategy)

    def colocate_vars_with(self, colocate_with_variable: Any) -> Any:
        _require_scope(self._container_strategy())
        return ops.colocate_with(colocate_with_variable)

    def variable_created_in_scope(self, v: Any) -> bool:
        return v._distribute_strategy is None

    def _experimental_distribute_dataset(self, dataset: Any) -> Any:
        return dataset

    def _experimental_distribute_datasets_from_function(self, dataset_fn: Any) -> Any:
        return dataset_fn(InputContext())

    def _make_dataset_iterator(self, dataset: Any) -> Any:
        return DefaultInputIterator(dataset)

    def _make_input_fn_iterator(
        self, input_fn: Callable[..., Any], replication_mode: Any = None
    ) -> Any:
        return DefaultInputIterator(input_fn(InputContext()))

    def _experimental_make_numpy_dataset(self, numpy_input: Any, session: SessionInterface) -> Any:
        return numpy_dataset.from_arrays(numpy_input, session, use_resource=True)

    def _broadcast_to(self, tensor: Any, destinations: Any) -> Any:
        raise NotImplementedError("TODO")

    def _call_for_each_replica(self, fn: Any, args: Any, kwargs: Any) -> Any:
        replica = constant_op.constant(0, dtypes.int32)
        with ReplicaContext(self._container_strategy(), replica_id_in_sync_group=replica):
            return fn(*args, **kwargs)

    def _update_non_slot(
        self, colocate_with: Any, fn: Any, args: Any, kwargs: Any, group: bool
    ) -> Any:
        with UpdateContext(colocate_with):
            return self._result(fn(*args, **kwargs), group)

    @property
    def worker_devices(self) -> NoReturn:
        raise RuntimeError("worker_devices() method unsupported by default tf.distribute.Strategy.")

    @property
    def parameter_devices(self) -> NoReturn:
        raise RuntimeError(
            "parameter_devices() method unsupported by default tf.distribute.Strategy."
        )

    def non_slot_devices(self, var_list: Any) -> Any:
        return min(var_list, key=lambda v: v.name)


class DefaultInputIterator:
    """The iterator of the default strategy."""

    def __init__(self, dataset: Any):
        self._dataset = dataset
        self._iterator = self._made()

    def _made(self) -> Any:
        if ops.executing_eagerly():
            return self._dataset.make_one_shot_iterator()
        return self._dataset.make_initializable_iterator()

    def get_next(self) -> Any:
        """The next element."""
        return self._iterator.get_next()

    def initialize(self) -> list[Any]:
        """Starts again: at once in eager execution, else by the operations that it returns."""
        if not ops.executing_eagerly():
            return [self._iterator.initializer]
        self._iterator = self._made()
        return []
