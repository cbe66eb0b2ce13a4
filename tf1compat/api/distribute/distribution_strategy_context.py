"""Which strategy holds where (`tensorflow.python.distribute.distribution_strategy_context`).

A graph keeps a stack of modes: that of a strategy's scope (cross-replica) or of a function that
runs as a replica. With nothing on it, the one replica of the default strategy runs.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, NamedTuple

from tf1compat.core import ops
from tf1compat.core.export import export_constant, tf_export

if TYPE_CHECKING:
    from tf1compat.api.distribute.distribute_lib import ReplicaContext, Strategy


class Mode(NamedTuple):
    """A strategy, and the replica that runs: None is the cross-replica context."""

    strategy: Strategy
    replica_context: ReplicaContext | None

    @property
    def cross_replica_context(self) -> Strategy | None:
        return self.strategy if self.replica_context is None else None


def _push_per_thread_mode(mode: Mode) -> None:
    ops.get_default_graph()._distribution_strategy_stack.append(mode)


def _pop_per_thread_mode() -> None:
    ops.get_default_graph()._distribution_strategy_stack.pop()


def _get_per_thread_mode() -> Mode:
    stack = ops.get_default_graph()._distribution_strategy_stack
    return stack[-1] if stack else _get_default_replica_mode()


@functools.cache
def _get_default_replica_mode() -> Mode:
    from tf1compat.api.distribute import distribute_lib

    strategy = distribute_lib.make_default_strategy()
    return Mode(strategy, distribute_lib.ReplicaContext(strategy, replica_id_in_sync_group=0))


def _get_default_strategy() -> Strategy:
    return _get_default_replica_mode().strategy


@tf_export("distribute.get_replica_context", "contrib.distribute.get_replica_context")
def get_replica_context() -> ReplicaContext | None:
    """The `ReplicaContext` of the replica that runs; None in a cross-replica context."""
    return _get_per_thread_mode().replica_context


@tf_export("contrib.distribute.get_cross_replica_context")
def get_cross_replica_context() -> Strategy | None:
    """The strategy whose cross-replica context holds, or None."""
    return _get_per_thread_mode().cross_replica_context


@tf_export("distribute.in_cross_replica_context", "contrib.distribute.in_cross_replica_context")
def in_cross_replica_context() -> bool:
    """Whether no replica runs: in a strategy's scope, or in what `merge_call` calls."""
    return get_cross_replica_context() is not None


@tf_export("distribute.get_strategy", "contrib.distribute.get_strategy")
def get_strategy() -> Strategy:
    """The strategy that holds; outside of any scope the default one, of a single replica."""
    return _get_per_thread_mode().strategy


@tf_export("distribute.has_strategy", "contrib.distribute.has_strategy")
def has_strategy() -> bool:
    """Whether another strategy than the default one holds."""
    stack = ops.get_default_graph()._distribution_strategy_stack
    return bool(stack) and stack[-1].strategy is not _get_default_strategy()


def get_strategy_and_replica_context() -> tuple[Strategy, ReplicaContext | None]:
    """Both of the mode that holds."""
    mode = _get_per_thread_mode()
    return mode.strategy, mode.replica_context


@tf_export("distribute.experimental_set_strategy")
def experimental_set_strategy(strategy: Any) -> None:
    """Makes a strategy hold from here on, in place of `with strategy.scope()`.

    Args:
      strategy: a `Strategy`, or None to end the scope of the one set before.

    Raises:
      RuntimeError: called inside of a strategy's scope.
    """
    graph = ops.get_default_graph()
    if graph._global_distribute_strategy_scope is not None:
        graph._global_distribute_strategy_scope.__exit__(None, None, None)
        graph._global_distribute_strategy_scope = None
    if has_strategy():
        raise RuntimeError("Must not be called inside a `tf.distribute.Strategy` scope.")
    if strategy is not None:
        scope = strategy.scope()
        scope.__enter__()
        graph._global_distribute_strategy_scope = scope


# Older names.
get_distribution_strategy = get_strategy
has_distribution_strategy = has_strategy
export_constant("contrib.distribute.get_distribution_strategy", get_strategy)
export_constant("contrib.distribute.has_distribution_strategy", has_strategy)
