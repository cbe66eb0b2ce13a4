"""SparseTensors in the queues of `tf.train.batch` and its kin.

A queue holds numbers in their place: handles to where the run-time keeps them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from tf1compat.api.array import array_ops, constant_op, gather_ops, shape_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.sparse import sparse_ops
from tf1compat.core import dtypes, ops, raw_ops
from tf1compat.core.sparse_tensor import SparseTensor

_STORING = ("AddSparseToTensorsMap", "AddManySparseToTensorsMap")


@dataclasses.dataclass
class Stored:
    """Where the SparseTensors of one component are kept.

    Attributes:
      map_op: the operation that keeps them, the first of several.
      rank: the rank of an element; None if it is unknown.
    """

    map_op: ops.Operation
    rank: int | None


def store_all(
    lists: Sequence[Sequence[Any]], enqueue_many: bool, keep_input: ops.Tensor
) -> tuple[list[list[Any]], list[Stored | None]]:
    """Puts handles in the place of SparseTensors, kept in one place for all lists.

    Args:
      lists: tensors, or SparseTensors; a list for each thread.
      enqueue_many: whether they hold many elements.
      keep_input: a bool, or a vector of them: which elements are kept.

    Returns:
      The lists, and for each component where its SparseTensors are (None: it is dense).

    Raises:
      ValueError: lists differ in which of their components are sparse, or in their ranks.
    """
    first, places = _store(lists[0], enqueue_many, keep_input, [None] * len(lists[0]))
    stored = [first]
    for tensors in lists[1:]:
        more, others = _store(tensors, enqueue_many, keep_input, places)
        for place, other in zip(places, others):
            fits = (place is None) == (other is None)
            if place is not None and other is not None:
                fits = place.rank == other.rank or None in (place.rank, other.rank)
            if not fits:
                raise ValueError(f"Inconsistent SparseTensors list: {lists[0]} vs. {tensors}")
        stored.append(more)
    return stored, places


def _store(
    tensors: Sequence[Any],
    enqueue_many: bool,
    keep_input: ops.Tensor,
    shared: Sequence[Stored | None],
) -> tuple[list[Any], list[Stored | None]]:
    handles: list[Any] = []
    for tensor, place in zip(tensors, shared):
        name = place.map_op.name if place is not None else None
        is_sparse = isinstance(tensor, SparseTensor)
        handles.append(_handle(tensor, enqueue_many, keep_input, name) if is_sparse else tensor)
    places: list[Stored | None] = []
    for tensor, handle, place in zip(tensors, handles, shared):
        if not isinstance(tensor, SparseTensor):
            places.append(None)
            continue
        rank = tensor.dense_shape.shape.with_rank(1).as_list()[0]
        if rank is not None and enqueue_many:
            rank -= 1
        places.append(Stored(place.map_op if place is not None else _storing(handle), rank))
    column = [
        handle if place is None else shape_ops.expand_dims(handle, [-1])
        for handle, place in zip(handles, places)
    ]
    return column, places


def _storing(handle: ops.Tensor) -> ops.Operation:
    """The operation behind a handle, or behind the Merge of a condition."""
    behind = [tensor.op for tensor in handle.op.inputs if tensor.op.type in _STORING]
    return behind[0] if behind else handle.op


def _handle(
    tensor: SparseTensor, enqueue_many: bool, keep_input: ops.Tensor, name: str | None
) -> ops.Tensor:
    def many(kept: SparseTensor) -> ops.Tensor:
        found = raw_ops.AddManySparseToTensorsMap(
            kept.indices, kept.values, kept.dense_shape, shared_name=name
        )
        found.set_shape([None])
        return found

    if keep_input.shape.ndims == 1:
        rows = gather_ops.gather(keep_input, tensor.indices[:, 0])
        return many(sparse_ops.sparse_retain(tensor, rows))
    if enqueue_many:
        found = control_flow_ops.smart_cond(
            keep_input,
            lambda: many(tensor),
            lambda: -1 * array_ops.ones(array_ops.shape(tensor)[0:1], dtypes.int64),
        )
        found.set_shape([None])
        return found
    return control_flow_ops.smart_cond(
        keep_input,
        lambda: raw_ops.AddSparseToTensorsMap(
            tensor.indices, tensor.values, tensor.dense_shape, shared_name=name
        ),
        lambda: constant_op.constant(-1, dtypes.int64),
    )


def restore(dequeued: Any, places: Sequence[Stored | None]) -> Any:
    """What a queue gave, with SparseTensors in the place of handles; one tensor stays one.

    As taking a SparseTensor forgets it, all are taken whichever is read.
    """
    is_list = isinstance(dequeued, Sequence)
    found = [
        tensor if place is None else _taken(tensor, place)
        for tensor, place in zip(dequeued if is_list else [dequeued], places)
    ]
    together = found
    if any(isinstance(tensor, SparseTensor) for tensor in found):
        after = [t.values if isinstance(t, SparseTensor) else t for t in found]
        together = [_together(after, tensor) for tensor in found]
    return together if is_list else found[0]


def _together(after: list[Any], tensor: Any) -> Any:
    if not isinstance(tensor, SparseTensor):
        return control_flow_ops.with_dependencies(after, tensor)
    parts = (tensor.indices, tensor.values, tensor.dense_shape)
    return SparseTensor(*(control_flow_ops.with_dependencies(after, part) for part in parts))


def _taken(handles: ops.Tensor, place: Stored) -> SparseTensor:
    map_op = place.map_op
    handles = array_ops.squeeze(handles, [1])
    with ops.colocate_with(map_op):
        indices, values, shape = raw_ops.TakeManySparseFromTensorsMap(
            handles,
            dtype=map_op.get_attr("T"),
            container=map_op.get_attr("container"),
            shared_name=map_op.get_attr("shared_name") or map_op.name,
        )
    rank = None if place.rank is None else place.rank + 1
    indices.set_shape([None, rank])
    shape.set_shape([rank])
    return SparseTensor(indices, values, shape)
