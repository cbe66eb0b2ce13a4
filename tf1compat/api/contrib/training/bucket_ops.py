"""Batches of elements that are alike (`tensorflow.contrib.training.python.training.bucket_ops`)."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.math import math_ops
from tf1compat.api.queues import data_flow_ops
from tf1compat.api.summary import summary
from tf1compat.api.training import input as input_py
from tf1compat.api.training import input_sparse
from tf1compat.api.training import queue_runner_impl as queue_runner
from tf1compat.core import dtypes, errors, ops, tensor_shape, tensor_util
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name

__all__ = ["bucket", "bucket_by_sequence_length"]


@tf_export("contrib.training.bucket")
def bucket(
    tensors: Any, which_bucket: Any, batch_size: Any, num_buckets: Any, num_threads: int = 1,
    capacity: Any = 32, bucket_capacities: Any = None, shapes: Any = None,
    dynamic_pad: bool = False, allow_smaller_final_batch: bool = False, keep_input: Any = True,
    shared_name: str | None = None, name: Name = None,
) -> tuple[Any, Any]:  # fmt: skip
    """Batches of elements that were put into the same bucket.

    Threads put the elements into a queue for each bucket, and full batches from there into one
    more queue. They are started as those of all queue runners are.

    Args:
      tensors: an element: a list or dict of tensors.
      which_bucket: an int32 scalar, the element's bucket.
      batch_size: an int or int32 scalar, or one for each bucket.
      num_buckets: the number of buckets.
      num_threads: how many threads put elements into buckets.
      capacity: of the queue of batches.
      bucket_capacities: of the buckets; `capacity` by default.
      shapes: of the tensors; inferred by default.
      dynamic_pad: whether the tensors of a batch are padded to one shape.
      allow_smaller_final_batch: whether the last batches may be smaller.
      keep_input: a bool, or a bool scalar: whether the element is taken at all.
      shared_name: of the queues in the session.
      name: the name scope.

    Returns:
      (the bucket that a batch is from, the batch in the form of `tensors`).

    Raises:
      ValueError: sizes, capacities and buckets don't fit together, or shapes can't be inferred.
    """
    batch_size_per_bucket = isinstance(batch_size, list | tuple)
    if not batch_size_per_bucket:
        batch_size = [batch_size] * num_buckets
    elif len(batch_size) != num_buckets:
        raise ValueError("If batch_size is a list it must have num_buckets elements")
    if bucket_capacities is None:
        bucket_capacities = [capacity] * num_buckets
    if len(bucket_capacities) != num_buckets:
        raise ValueError(
            f"The list bucket_capacities ({bucket_capacities}) must have exactly num_buckets "
            f"({num_buckets}) elements."
        )
    tensor_list = input_py._as_list(tensors)
    with ops.name_scope(name, "bucket", tensor_list):
        tensor_list = input_py.converted(tensor_list)
        if not tensor_list:
            raise ValueError("Expected at least one tensor in bucket().")
        keep_input = input_py._checked_keep_input(keep_input, enqueue_many=False)
        (tensor_list,), places = input_sparse.store_all([tensor_list], False, keep_input)
        static_batch_size = None
        for i, size in enumerate(batch_size):
            size = ops.convert_to_tensor(size, dtype=dtypes.int32, name="batch_size")
            static_batch_size = tensor_util.constant_value(size)
            # As in TF, the caller's own list; a tuple is refused.
            batch_size[i] = (  # pyright: ignore[reportIndexIssue]
                size if static_batch_size is None else static_batch_size
            )
        types = input_py._dtypes([tensor_list])
        shapes = input_py._shapes([tensor_list], shapes, enqueue_many=False)
        which_bucket = ops.convert_to_tensor(which_bucket, dtype=dtypes.int32, name="which_bucket")
        kind = data_flow_ops.PaddingFIFOQueue if dynamic_pad else data_flow_ops.FIFOQueue
        buckets = [
            kind(
                capacity=bucket_capacities[i], dtypes=types, shapes=shapes,
                shared_name=None if shared_name is None else f"{shared_name}_{i}",
                name=f"bucket_queue_{i}",
            )
            for i in range(num_buckets)
        ]  # fmt: skip
        if allow_smaller_final_batch or batch_size_per_bucket:
            static_batch_size = None
        batch_shapes = [
            tensor_shape.TensorShape([static_batch_size]).concatenate(shape)
            for shape in buckets[0].shapes
        ]
        top_queue = data_flow_ops.PaddingFIFOQueue(
            capacity=capacity, dtypes=[dtypes.int32, *types],
            shapes=[tensor_shape.TensorShape([]), *batch_shapes], shared_name=shared_name,
            name="top_queue",
        )  # fmt: skip

        def enqueue_which() -> Any:
            enqueues = [
                control_flow_ops.cond(
                    math_ops.equal(which_bucket, i),
                    lambda queue=queue: queue.enqueue(tensor_list),
                    control_flow_ops.no_op,
                )
                for i, queue in enumerate(buckets)
            ]
            return control_flow_ops.group(*enqueues, name="group_enqueues")

        enqueue = control_flow_ops.smart_cond(keep_input, enqueue_which, control_flow_ops.no_op)
        enqueues_to_top = []
        for i, (queue, size) in enumerate(zip(buckets, batch_size, strict=True)):
            index = constant_op.constant(i)
            dequeue = queue.dequeue_up_to if allow_smaller_final_batch else queue.dequeue_many
            batch = dequeue(size, name=f"read_bucket_{i}")
            batch = list(batch) if isinstance(batch, list | tuple) else [batch]
            enqueues_to_top.append(
                top_queue.enqueue([index, *batch], name=f"enqueue_from_bucket_{i}")
            )
        at_end = (errors.OutOfRangeError, errors.CancelledError)
        queue_runner.add_queue_runner(
            queue_runner.QueueRunner(
                buckets[0],
                enqueues_to_top,
                close_op=top_queue.close(),
                cancel_op=top_queue.close(cancel_pending_enqueues=True),
                queue_closed_exception_types=at_end,
            )
        )
        queue_runner.add_queue_runner(
            queue_runner.QueueRunner(
                top_queue,
                [enqueue] * num_threads,
                close_op=control_flow_ops.group(*[queue.close() for queue in buckets]),
                cancel_op=control_flow_ops.group(
                    *[queue.close(cancel_pending_enqueues=True) for queue in buckets]
                ),
                queue_closed_exception_types=at_end,
            )
        )
        for queue in buckets:
            size = math_ops.cast(top_queue.size(), dtypes.float32)
            summary.scalar(f"bucket/{queue.name}/size", size)
        size = math_ops.cast(top_queue.size(), dtypes.float32)
        summary.scalar(
            f"bucket/{top_queue.name}/fraction_of_{capacity}_full", size * (1.0 / capacity)
        )
        which, *dequeued = top_queue.dequeue(name="dequeue_top")
        dequeued = dequeued[0] if len(dequeued) == 1 else dequeued
        return which, input_py._like(tensors, input_sparse.restore(dequeued, places))


@tf_export("contrib.training.bucket_by_sequence_length")
def bucket_by_sequence_length(
    input_length: Any, tensors: Any, batch_size: Any, bucket_boundaries: Any,
    num_threads: int = 1, capacity: Any = 32, bucket_capacities: Any = None, shapes: Any = None,
    dynamic_pad: bool = False, allow_smaller_final_batch: bool = False, keep_input: Any = True,
    shared_name: str | None = None, name: Name = None,
) -> tuple[Any, Any]:  # fmt: skip
    """Batches of sequences of about the same length: see `bucket`.

    Args:
      input_length: an int32 scalar, the element's length.
      tensors, batch_size, num_threads, capacity, bucket_capacities, shapes, dynamic_pad,
        allow_smaller_final_batch, keep_input, shared_name, name: as for `bucket`.
      bucket_boundaries: increasing ints; bucket i + 1 begins with length i's.

    Returns:
      (the lengths of a batch, the batch in the form of `tensors`).

    Raises:
      TypeError: the boundaries are no list of ints.
      ValueError: there are none, or they don't increase.
    """
    tensor_list = input_py._as_list(tensors)
    if not isinstance(bucket_boundaries, list | tuple):
        raise TypeError(
            f"bucket_boundaries must be a list or tuple, but received: {bucket_boundaries}"
        )
    if not bucket_boundaries:
        raise ValueError("bucket_boundaries must not be empty")
    for start, end in zip(bucket_boundaries[:-1], bucket_boundaries[1:], strict=True):
        if not isinstance(start, int) or not isinstance(end, int):
            raise TypeError(f"bucket boundaries must be integers, but saw: {start} and {end}")
        if start >= end:
            raise ValueError(
                f"Buckets must contain sequential increasing lengths, but saw: {start} before {end}"
            )
    with ops.name_scope(name, "bucket_by_sequence_length", [input_length, *tensor_list]):
        input_length = ops.convert_to_tensor(input_length, dtype=dtypes.int32, name="input_length")
        limits = np.iinfo(np.int32)
        inside = math_ops.logical_and(
            math_ops.less_equal([limits.min, *bucket_boundaries], input_length),
            math_ops.less(input_length, [*bucket_boundaries, limits.max]),
        )
        which_bucket = math_ops.reduce_min(array_ops.where_v2(inside))
        which_bucket = math_ops.cast(which_bucket, dtypes.int32)
        if shapes is not None:
            shapes = [tensor_shape.TensorShape([]), *shapes]
        _, (lengths, *dequeued) = bucket(
            tensors=[input_length, *tensor_list], which_bucket=which_bucket,
            batch_size=batch_size, num_buckets=len(bucket_boundaries) + 1,
            num_threads=num_threads, capacity=capacity, bucket_capacities=bucket_capacities,
            shapes=shapes, dynamic_pad=dynamic_pad,
            allow_smaller_final_batch=allow_smaller_final_batch, keep_input=keep_input,
            shared_name=shared_name,
        )  # fmt: skip
        # Of a dict of one tensor TF makes one that holds a list.
        return lengths, input_py._like(tensors, dequeued)
