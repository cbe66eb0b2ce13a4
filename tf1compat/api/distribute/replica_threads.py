"""Replicas of one graph: a function is called once for each, in a thread of its own.

One thread runs at a time. A replica runs until its function ends or calls `merge_call`; when all of
them have, what they passed is merged by the caller's thread, and they go on, as in TF 1.15. What
holds while recording (scopes of names, devices, control dependencies) is each thread's own.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from typing import Any

from tf1compat.api.array import constant_op
from tf1compat.api.distribute import distribute_lib, shared_variable_creator
from tf1compat.api.distribute.distributed_values import regroup, select_replica
from tf1compat.api.eager.context import summaries
from tf1compat.api.variables import variable_scope
from tf1compat.core import context, dtypes, ops, tensor_util
from tf1compat.core.graph_scopes import ThreadScopes


class _Stopped(BaseException):
    """Ends the function of a replica: another one, or what was merged, has failed."""


def call_for_each_replica(
    strategy: Any, device_map: Any, fn: Callable[..., Any], args: Any, kwargs: Any
) -> Any:
    """Calls a function once for each replica.

    Args:
      strategy: the strategy.
      device_map: the devices of the replicas.
      fn: the function.
      args, kwargs: what it takes; each replica gets its values.

    Returns:
      What the calls returned, as one structure.

    Raises:
      RuntimeError: the replicas called `merge_call` differently often.
    """
    store: dict[str, list[Any]] = {}
    replicas = [
        _Replica(
            strategy, number, device, shared_variable_creator.make_fn(store, number),
            lambda i=number: fn(*select_replica(i, args), **select_replica(i, kwargs)),
        )
        for number, device in enumerate(device_map.logical_to_actual_devices(0))
    ]  # fmt: skip
    try:
        while True:
            for replica in replicas:
                replica.run_on()
            if all(replica.is_done for replica in replicas):
                return regroup(device_map, tuple(replica.result for replica in replicas))
            if any(replica.is_done for replica in replicas):
                raise RuntimeError(
                    "Some replicas made a different number of replica_context().merge_call() calls."
                )
            merged = _merged(strategy, device_map, [replica.merge for replica in replicas])
            for number, replica in enumerate(replicas):
                replica.result = select_replica(number, merged)
    finally:
        for replica in replicas:
            replica.stop()


class _Merge:
    """A call of `merge_call`, and what held where it was made."""

    def __init__(self, fn: Callable[..., Any], args: Any, kwargs: Any):
        graph = ops.get_default_graph()
        self.fn, self.args, self.kwargs = fn, args, kwargs
        name_scope = graph.get_name_scope()
        self.name_scope = f"{name_scope}/" if name_scope else name_scope
        self.var_scope = variable_scope.get_variable_scope()
        self.control = list(graph._current_control_dependencies())


def _merged(strategy: Any, device_map: Any, merges: list[Any]) -> Any:
    first = merges[0]
    args = regroup(device_map, tuple(merge.args for merge in merges))
    kwargs = regroup(device_map, tuple(merge.kwargs for merge in merges))
    control = dict.fromkeys(op for merge in merges for op in merge.control)
    with (
        ops.name_scope(first.name_scope),
        ops.control_dependencies(list(control)),
        variable_scope.variable_scope(first.var_scope),
    ):
        return first.fn(strategy, *args, **kwargs)


class _Replica(threading.Thread):
    """The thread of a replica.

    Args:
      strategy: the strategy.
      number: which replica it is.
      device: where it is.
      creator: of its variables.
      call: calls its function.
    """

    def __init__(
        self, strategy: Any, number: int, device: str, creator: Any, call: Callable[[], Any]
    ):
        super().__init__(daemon=True)
        self._strategy, self._number, self._device = strategy, number, device
        self._creator, self._call = creator, call
        self.graph = ops.get_default_graph()
        self._scopes = ThreadScopes(self.graph)
        self._states = [(of, of.copy()) for of in (context.thread, summaries)]
        self._creators = list(self.graph._variable_creators)
        self._var_scope = variable_scope.get_variable_scope()
        scope = self.graph.get_name_scope()
        self._name_scope = (f"{scope}/" if scope else "") + (f"replica_{number}/" if number else "")
        self._may_run, self._has_paused = threading.Semaphore(0), threading.Semaphore(0)
        self._is_cancelled = False
        self._error: BaseException | None = None
        self.merge: _Merge | None = None
        self.is_done = False
        self.result: Any = None  # of the call of `merge_call` that waits, and at last of all

    # In the caller's thread.

    def run_on(self) -> None:
        """Runs to the end or to the next `merge_call`; raises what the function raises."""
        if not self.is_alive():
            self.start()
        self._scopes.swap()
        try:
            self._may_run.release()
            self._has_paused.acquire()
        finally:
            self._scopes.swap()
        if self._error is not None:
            raise self._error

    def stop(self) -> None:
        """Ends the thread, if it waits."""
        if self.is_alive() and not self.is_done:
            self._is_cancelled = True
            with contextlib.suppress(BaseException):  # What it raises now follows from the stop.
                self.run_on()
        if self.ident is not None:
            self.join()

    # In the replica's thread.

    def run(self) -> None:
        self._may_run.acquire()
        try:
            for of_thread, state in self._states:
                of_thread.become(state)
            self._run()
        except BaseException as error:
            self._error = error
        finally:
            self.is_done = True
            self._has_paused.release()

    def _run(self) -> None:
        self.graph._variable_creators = self._creators
        number = constant_op.constant(self._number, dtypes.int32)
        with (
            MirroredReplicaContext(self._strategy, number),
            ops.device(self._device),
            ops.name_scope(self._name_scope),
            variable_scope.variable_scope(self._var_scope, reuse=self._number > 0),
            variable_scope.variable_creator_scope(self._creator),
        ):
            self.result = self._call()

    def wait_for(self, merge: _Merge) -> Any:
        """Lets all others come to the same call; returns what it gives this replica."""
        if ops.get_default_graph() is not self.graph:
            raise RuntimeError(_MERGE_IN_FUNCTION)
        if self._is_cancelled:
            raise _Stopped
        self.merge = merge
        self._has_paused.release()
        self._may_run.acquire()
        if self._is_cancelled:
            raise _Stopped
        return self.result


class MirroredReplicaContext(distribute_lib.ReplicaContext):
    """The context of a replica whose function a thread of `call_for_each_replica` calls."""

    def _merge_call(self, fn: Any, args: Any, kwargs: Any) -> Any:
        thread = threading.current_thread()
        assert isinstance(thread, _Replica)
        return thread.wait_for(_Merge(fn, args, kwargs))

    @property
    def devices(self) -> list[Any]:
        distribute_lib.require_replica_context(self)
        number = tensor_util.constant_value(self._replica_id_in_sync_group)
        return [self._strategy.extended.worker_devices_by_replica[number]]


_MERGE_IN_FUNCTION = (
    "`merge_call` called while defining a new graph or a tf.function. This can often happen if the "
    "function `fn` passed to `strategy.experimental_run()` is decorated with `@tf.function` (or "
    "contains a nested `@tf.function`), and `fn` contains a synchronization point, such as "
    "aggregating gradients. This behavior is not yet supported. Instead, please wrap the entire "
    "call `strategy.experimental_run(fn)` in a `@tf.function`, and avoid nested `tf.function`s "
    "that may potentially cross a synchronization boundary."
)
