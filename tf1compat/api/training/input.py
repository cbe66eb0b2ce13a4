"""`tensorflow.python.training.input`: input pipelines made of queues."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.math import math_ops
from tf1compat.api.queues import data_flow_ops
from tf1compat.api.summary import summary
from tf1compat.api.training import input_sparse, queue_runner_impl
from tf1compat.api.training.input_producers import *  # noqa: F403
from tf1compat.api.training.input_producers import NOT_EAGERLY, converted, replaced
from tf1compat.core import context, dtypes, ops, tensor_shape
from tf1compat.core.export import tf_export

# Batches.


def _as_list(tensors: Any) -> Any:
    if isinstance(tensors, dict):
        return [tensors[key] for key in sorted(tensors, key=str)]
    return tensors


def _as_lists(tensors_list: Any) -> Any:
    if not tensors_list:
        raise ValueError("Expected at least one set of tensors")
    if not isinstance(tensors_list[0], dict):
        return tensors_list
    for tensors in tensors_list[1:]:
        if set(tensors.keys()) != set(tensors_list[0]):
            raise ValueError("All dictionaries in tensors_list must have the same keys")
    return [_as_list(tensors) for tensors in tensors_list]


def _like(original: Any, tensors: Any) -> Any:
    """Tensors in the form in which they were given."""
    if not isinstance(original, dict):
        return tensors
    if len(original) == 1:
        tensors = [tensors]
    return dict(zip(sorted(original, key=str), tensors, strict=True))


def _checked_keep_input(keep_input: Any, enqueue_many: bool) -> Any:
    keep_input = ops.convert_to_tensor(keep_input)
    rank = keep_input.shape.ndims
    if rank is None:
        raise ValueError("`keep_input` dimensions must be known at graph construction.")
    if not enqueue_many and rank == 1:
        raise ValueError("`keep_input` cannot be a vector when `enqueue_many=False`.")
    if rank > 1:
        raise ValueError("`keep_input` must be 0 or 1 dimensions.")
    return keep_input


def _dtypes(lists: list[list[Any]]) -> list[Any]:
    first, *others = [[tensor.dtype for tensor in tensors] for tensors in lists]
    for other in others:
        if other != first:
            a, b = (", ".join(dtype.name for dtype in types) for types in (first, other))
            raise TypeError(f"Expected types to be consistent: {a} vs. {b}.")
    return first


def _shapes(lists: list[list[Any]], shapes: Any, enqueue_many: bool) -> Any:
    if shapes is not None:
        return shapes
    count = len(lists[0])
    for tensors in lists:
        for i in range(count):
            if tensors[i].shape.ndims is None:
                raise ValueError(f"Cannot infer Tensor's rank: {tensors[i]}")
    found = []
    for i in range(count):
        column = [tensor_shape.as_shape(tensors[i].shape.as_list()) for tensors in lists]
        if enqueue_many:
            column = [shape.with_rank_at_least(1)[1:] for shape in column]
        # As in TF the queue has the shape of the first list, whatever the others leave open.
        for shape in column[1:]:
            column[0].merge_with(shape)
        found.append(column[0].as_list())
    return found


def _enqueue_op(queue: Any, tensors: Any, enqueue_many: bool, keep_input: Any) -> Any:
    """Records the operation that adds tensors, if they are to be kept."""
    enqueue = queue.enqueue_many if enqueue_many else queue.enqueue
    if keep_input.shape.ndims == 1:
        which = math_ops.cast(keep_input, dtypes.int32)
        return enqueue(
            [data_flow_ops.dynamic_partition(x, which, num_partitions=2)[1] for x in tensors]
        )
    return control_flow_ops.smart_cond(keep_input, lambda: enqueue(tensors), control_flow_ops.no_op)


def _plain_queue(
    capacity: int, dynamic_pad: bool, shared_name: str | None
) -> tuple[Callable[[list[Any], Any], Any], Callable[[Any], None]]:
    """What makes a queue that keeps the order, and what summarizes it."""
    kind = data_flow_ops.PaddingFIFOQueue if dynamic_pad else data_flow_ops.FIFOQueue

    def make(types: list[Any], shapes: Any) -> Any:
        return kind(capacity=capacity, dtypes=types, shapes=shapes, shared_name=shared_name)

    def summarize(queue: Any) -> None:
        fullness = math_ops.cast(queue.size(), dtypes.float32) * (1.0 / capacity)
        summary.scalar(f"fraction_of_{capacity}_full", fullness)

    return make, summarize


def _shuffling_queue(
    capacity: int, min_after_dequeue: int, seed: int | None, shared_name: str | None
) -> tuple[Callable[[list[Any], Any], Any], Callable[[Any], None]]:
    """What makes a queue in random order, and what summarizes it."""

    def make(types: list[Any], shapes: Any) -> Any:
        return data_flow_ops.RandomShuffleQueue(
            capacity=capacity,
            min_after_dequeue=min_after_dequeue,
            seed=seed,
            dtypes=types,
            shapes=shapes,
            shared_name=shared_name,
        )

    def summarize(queue: Any) -> None:
        room = capacity - min_after_dequeue
        over = math_ops.maximum(0, queue.size() - min_after_dequeue)
        fullness = math_ops.cast(over, dtypes.float32) * (1.0 / room)
        summary.scalar(f"fraction_over_{min_after_dequeue}_of_{room}_full", fullness)

    return make, summarize


def _batches(
    scope: str,
    *,
    batch_size: Any,
    capacity: int,
    enqueue_many: bool,
    shapes: Any,
    allow_smaller_final_batch: bool,
    shared_name: str | None,
    name: str | None,
    keep_input: Any = True,
    num_threads: int = 1,
    dynamic_pad: bool = False,
    min_after_dequeue: int = 0,
    seed: int | None = None,
    **elements: Any,
) -> Any:
    """What all the functions below do, in the scope `scope`, with their arguments by name.

    Args:
      elements: `tensors`, or `tensors_list` of the functions that join.
    """
    if context.executing_eagerly():
        raise ValueError(NOT_EAGERLY)
    joins = "tensors_list" in elements
    lists = _as_lists(elements["tensors_list"]) if joins else [_as_list(elements["tensors"])]
    shuffles = scope.startswith("shuffle")
    with ops.name_scope(name, scope, [*(x for row in lists for x in row), keep_input]) as name:
        if shuffles and not joins and capacity <= min_after_dequeue:
            raise ValueError(
                f"capacity {capacity} must be bigger than min_after_dequeue {min_after_dequeue}."
            )
        make, summarize = (
            _shuffling_queue(capacity, min_after_dequeue, seed, shared_name)
            if shuffles
            else _plain_queue(capacity, dynamic_pad, shared_name)
        )
        lists = [converted(tensors) for tensors in lists]
        if not joins and not lists[0]:
            raise ValueError("Expected at least one tensor in batch().")
        keep_input = _checked_keep_input(keep_input, enqueue_many)
        lists, places = input_sparse.store_all(lists, enqueue_many, keep_input)
        queue = make(_dtypes(lists), _shapes(lists, shapes, enqueue_many))
        enqueue_ops = [_enqueue_op(queue, tensors, enqueue_many, keep_input) for tensors in lists]
        # Each of several lists has its thread; the one list has as many as are asked for.
        enqueue_ops = enqueue_ops if joins else enqueue_ops * num_threads
        queue_runner_impl.add_queue_runner(queue_runner_impl.QueueRunner(queue, enqueue_ops))
        summarize(queue)
        dequeue = queue.dequeue_up_to if allow_smaller_final_batch else queue.dequeue_many
        batches = input_sparse.restore(dequeue(batch_size, name=name), places)
        return _like(elements["tensors_list"][0] if joins else elements["tensors"], batches)


@tf_export("train.batch")
@replaced("`tf.data.Dataset.batch(batch_size)` (or `padded_batch(...)` if `dynamic_pad=True`).")
def batch(
    tensors: Any,
    batch_size: Any,
    num_threads: int = 1,
    capacity: int = 32,
    enqueue_many: bool = False,
    shapes: Any = None,
    dynamic_pad: bool = False,
    allow_smaller_final_batch: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """Batches of elements.

    Args:
      tensors: an element: a list or dict of tensors.
      batch_size: how many elements.
      num_threads: how many threads fill the queue.
      capacity: of the queue.
      enqueue_many: whether the tensors hold many elements, in their first dimension.
      shapes: of the elements; None to infer them.
      dynamic_pad: whether elements vary in size, and are padded.
      allow_smaller_final_batch: whether the last batch may be smaller.
      shared_name: a name under which sessions share the queue.
      name: a name scope.

    Returns:
      Batches in the form of the elements.

    Raises:
      ValueError: the elements have no batches, or eager execution is on.
    """
    return _batches("batch", **locals())


@tf_export("train.maybe_batch")
@replaced(
    "`tf.data.Dataset.filter(...).batch(batch_size)` "
    "(or `padded_batch(...)` if `dynamic_pad=True`)."
)
def maybe_batch(
    tensors: Any,
    keep_input: Any,
    batch_size: Any,
    num_threads: int = 1,
    capacity: int = 32,
    enqueue_many: bool = False,
    shapes: Any = None,
    dynamic_pad: bool = False,
    allow_smaller_final_batch: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """Batches of elements that are kept.

    Args:
      tensors: an element: a list or dict of tensors.
      keep_input: a bool, or a vector of them: which elements are kept.
      batch_size: how many elements.
      num_threads: how many threads fill the queue.
      capacity: of the queue.
      enqueue_many: whether the tensors hold many elements, in their first dimension.
      shapes: of the elements; None to infer them.
      dynamic_pad: whether elements vary in size, and are padded.
      allow_smaller_final_batch: whether the last batch may be smaller.
      shared_name: a name under which sessions share the queue.
      name: a name scope.

    Returns:
      Batches in the form of the elements.

    Raises:
      ValueError: the elements have no batches, or eager execution is on.
    """
    return _batches("batch", **locals())


@tf_export("train.batch_join")
@replaced(
    "`tf.data.Dataset.interleave(...).batch(batch_size)` "
    "(or `padded_batch(...)` if `dynamic_pad=True`)."
)
def batch_join(
    tensors_list: Any,
    batch_size: Any,
    capacity: int = 32,
    enqueue_many: bool = False,
    shapes: Any = None,
    dynamic_pad: bool = False,
    allow_smaller_final_batch: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """Batches of elements, of several threads.

    Args:
      tensors_list: a list of elements, each a list or dict of tensors; a thread for each.
      batch_size: how many elements.
      capacity: of the queue.
      enqueue_many: whether the tensors hold many elements, in their first dimension.
      shapes: of the elements; None to infer them.
      dynamic_pad: whether elements vary in size, and are padded.
      allow_smaller_final_batch: whether the last batch may be smaller.
      shared_name: a name under which sessions share the queue.
      name: a name scope.

    Returns:
      Batches in the form of the elements.

    Raises:
      ValueError: the elements have no batches, or eager execution is on.
    """
    return _batches("batch_join", **locals())


@tf_export("train.maybe_batch_join")
@replaced(
    "`tf.data.Dataset.interleave(...).filter(...).batch(batch_size)` "
    "(or `padded_batch(...)` if `dynamic_pad=True`)."
)
def maybe_batch_join(
    tensors_list: Any,
    keep_input: Any,
    batch_size: Any,
    capacity: int = 32,
    enqueue_many: bool = False,
    shapes: Any = None,
    dynamic_pad: bool = False,
    allow_smaller_final_batch: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """Batches of elements, of several threads that are kept.

    Args:
      tensors_list: a list of elements, each a list or dict of tensors; a thread for each.
      keep_input: a bool, or a vector of them: which elements are kept.
      batch_size: how many elements.
      capacity: of the queue.
      enqueue_many: whether the tensors hold many elements, in their first dimension.
      shapes: of the elements; None to infer them.
      dynamic_pad: whether elements vary in size, and are padded.
      allow_smaller_final_batch: whether the last batch may be smaller.
      shared_name: a name under which sessions share the queue.
      name: a name scope.

    Returns:
      Batches in the form of the elements.

    Raises:
      ValueError: the elements have no batches, or eager execution is on.
    """
    return _batches("batch_join", **locals())


@tf_export("train.shuffle_batch")
@replaced("`tf.data.Dataset.shuffle(min_after_dequeue).batch(batch_size)`.")
def shuffle_batch(
    tensors: Any,
    batch_size: Any,
    capacity: int,
    min_after_dequeue: int,
    num_threads: int = 1,
    seed: int | None = None,
    enqueue_many: bool = False,
    shapes: Any = None,
    allow_smaller_final_batch: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """Batches of elements in random order.

    Args:
      tensors: an element: a list or dict of tensors.
      batch_size: how many elements.
      num_threads: how many threads fill the queue.
      capacity: of the queue.
      min_after_dequeue: how many elements stay in the queue.
      seed: see `tf.set_random_seed`.
      enqueue_many: whether the tensors hold many elements, in their first dimension.
      shapes: of the elements; None to infer them.
      allow_smaller_final_batch: whether the last batch may be smaller.
      shared_name: a name under which sessions share the queue.
      name: a name scope.

    Returns:
      Batches in the form of the elements.

    Raises:
      ValueError: the elements have no batches, or eager execution is on.
    """
    return _batches("shuffle_batch", **locals())


@tf_export("train.maybe_shuffle_batch")
@replaced("`tf.data.Dataset.filter(...).shuffle(min_after_dequeue).batch(batch_size)`.")
def maybe_shuffle_batch(
    tensors: Any,
    batch_size: Any,
    capacity: int,
    min_after_dequeue: int,
    keep_input: Any,
    num_threads: int = 1,
    seed: int | None = None,
    enqueue_many: bool = False,
    shapes: Any = None,
    allow_smaller_final_batch: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """Batches of elements in random order that are kept.

    Args:
      tensors: an element: a list or dict of tensors.
      keep_input: a bool, or a vector of them: which elements are kept.
      batch_size: how many elements.
      num_threads: how many threads fill the queue.
      capacity: of the queue.
      min_after_dequeue: how many elements stay in the queue.
      seed: see `tf.set_random_seed`.
      enqueue_many: whether the tensors hold many elements, in their first dimension.
      shapes: of the elements; None to infer them.
      allow_smaller_final_batch: whether the last batch may be smaller.
      shared_name: a name under which sessions share the queue.
      name: a name scope.

    Returns:
      Batches in the form of the elements.

    Raises:
      ValueError: the elements have no batches, or eager execution is on.
    """
    return _batches("shuffle_batch", **locals())


@tf_export("train.shuffle_batch_join")
@replaced("`tf.data.Dataset.interleave(...).shuffle(min_after_dequeue).batch(batch_size)`.")
def shuffle_batch_join(
    tensors_list: Any,
    batch_size: Any,
    capacity: int,
    min_after_dequeue: int,
    seed: int | None = None,
    enqueue_many: bool = False,
    shapes: Any = None,
    allow_smaller_final_batch: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """Batches of elements in random order, of several threads.

    Args:
      tensors_list: a list of elements, each a list or dict of tensors; a thread for each.
      batch_size: how many elements.
      capacity: of the queue.
      min_after_dequeue: how many elements stay in the queue.
      seed: see `tf.set_random_seed`.
      enqueue_many: whether the tensors hold many elements, in their first dimension.
      shapes: of the elements; None to infer them.
      allow_smaller_final_batch: whether the last batch may be smaller.
      shared_name: a name under which sessions share the queue.
      name: a name scope.

    Returns:
      Batches in the form of the elements.

    Raises:
      ValueError: the elements have no batches, or eager execution is on.
    """
    return _batches("shuffle_batch_join", **locals())


@tf_export("train.maybe_shuffle_batch_join")
@replaced(
    "`tf.data.Dataset.interleave(...).filter(...).shuffle(min_after_dequeue).batch(batch_size)`."
)
def maybe_shuffle_batch_join(
    tensors_list: Any,
    batch_size: Any,
    capacity: int,
    min_after_dequeue: int,
    keep_input: Any,
    seed: int | None = None,
    enqueue_many: bool = False,
    shapes: Any = None,
    allow_smaller_final_batch: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """Batches of elements in random order, of several threads that are kept.

    Args:
      tensors_list: a list of elements, each a list or dict of tensors; a thread for each.
      keep_input: a bool, or a vector of them: which elements are kept.
      batch_size: how many elements.
      capacity: of the queue.
      min_after_dequeue: how many elements stay in the queue.
      seed: see `tf.set_random_seed`.
      enqueue_many: whether the tensors hold many elements, in their first dimension.
      shapes: of the elements; None to infer them.
      allow_smaller_final_batch: whether the last batch may be smaller.
      shared_name: a name under which sessions share the queue.
      name: a name scope.

    Returns:
      Batches in the form of the elements.

    Raises:
      ValueError: the elements have no batches, or eager execution is on.
    """
    return _batches("shuffle_batch_join", **locals())
