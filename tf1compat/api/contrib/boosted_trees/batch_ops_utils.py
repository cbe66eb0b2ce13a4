"""Operations that can run for several resources at once
(`tensorflow.contrib.boosted_trees.python.ops.batch_ops_utils`)."""

from __future__ import annotations

import abc
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tf1compat.api.array import array_ops, constant_op
from tf1compat.core import dtypes, ops


class ScheduledOp(abc.ABC):
    """An operation that will be recorded with others of its kind."""

    @abc.abstractmethod
    def batching_key(self) -> Any:
        """What those have in common that are recorded as one."""

    @abc.abstractmethod
    def batch_runner_fn(self) -> Callable[[Sequence[Any], Any], Any]:
        """What records several of them."""


class ScheduledStampedResourceOp(ScheduledOp):
    """An operation on a resource, for the round of a stamp.

    Args:
      resource_handle: the resource.
      op: called with a list of handles, the stamp, and a list for each argument.
      **kwargs: its arguments for this resource.
    """

    def __init__(self, resource_handle: Any, op: Callable[..., Any], **kwargs: Any):
        self.resource_handle, self.op, self.args = resource_handle, op, kwargs

    def batching_key(self) -> Any:
        """The device and the function."""
        return self.resource_handle.device, self.op

    def batch_runner_fn(self) -> Callable[[Sequence[Any], Any], Any]:
        """What records several of them."""
        return _run_stamped


def _move_tensors(tensors: Sequence[Any], device: Any) -> list[Any]:
    """Tensors on another device, as one: scalars are stacked, others joined along their rows."""
    rows = constant_op.constant(0, dtype=dtypes.int32)
    scalar = all(tensor.shape.rank == 0 for tensor in tensors)
    with ops.device(None):  # so that devices around do not mix in
        with ops.device(tensors[0].device):
            if scalar:
                joined = array_ops.stack(tensors)
            else:
                sizes = array_ops.stack(array_ops.shape_n(tensors))[:, 0]
                joined = array_ops.concat(tensors, axis=rows)
        with ops.device(device):
            if scalar:
                return array_ops.unstack(joined)
            return list(array_ops.split(joined, array_ops.unstack(sizes), axis=rows))


def _run_stamped(batch: Sequence[ScheduledStampedResourceOp], stamp: Any) -> Any:
    """Records operations that differ in resource and arguments as one.

    Raises:
      ValueError: their arguments have other names.
    """
    if not batch:
        return None
    names = set(batch[0].args)
    for scheduled in batch:
        if set(scheduled.args) != names:
            raise ValueError("Mismatching arguments: %s, %s.", scheduled.args, names)
    handles = [scheduled.resource_handle for scheduled in batch]
    device = handles[0].device
    arguments = {
        name: _move_tensors([scheduled.args[name] for scheduled in batch], device)
        for name in sorted(names)
    }
    with ops.device(device):
        return batch[0].op(handles, stamp, **arguments)


def run_handler_scheduled_ops(
    per_handler_ops: Mapping[Any, Sequence[ScheduledOp]], stamp: Any, worker_device: Any
) -> dict[Any, list[Any]]:
    """Records the operations of several handlers, those that have a key in common as one.

    Args:
      per_handler_ops: the operations of each handler.
      stamp: the round.
      worker_device: where results are wanted.

    Returns:
      For each handler the results of its operations: a tuple of tensors, or the one Operation
      that was recorded for all of a kind.

    Raises:
      ValueError: the operations of a kind have other arguments, or give something else.
    """
    batches: dict[Any, list[Any]] = {}
    for scheduled in per_handler_ops.values():
        for one in scheduled:
            batches.setdefault((one.batching_key(), one.batch_runner_fn()), []).append(one)
    found: dict[Any, Any] = {}
    for (_, runner), batch in batches.items():
        results = runner(batch, stamp)
        if isinstance(results, tuple):
            moved = [_move_tensors(result, worker_device) for result in results]
            found.update(zip(batch, zip(*moved)))
        elif isinstance(results, ops.Operation):
            found.update((one, results) for one in batch)
        else:
            raise ValueError("Unknown type of result %s.", results)
    return {
        handler: [found[one] for one in scheduled] for handler, scheduled in per_handler_ops.items()
    }
