"""Batches of pieces of long sequences, filled by threads
(`tensorflow.contrib.training.python.training.sequence_queueing_state_saver`)."""

from __future__ import annotations

import numbers
from typing import Any

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.contrib.training import sequence_checks
from tf1compat.api.contrib.training import sequence_queueing_state_saver as state_saver
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.math import math_ops
from tf1compat.api.random import random_ops
from tf1compat.api.sparse import sparse_ops, sparse_serialize_ops
from tf1compat.api.summary import summary
from tf1compat.api.text import string_ops
from tf1compat.api.training import queue_runner_impl as queue_runner
from tf1compat.core import dtypes, errors, ops
from tf1compat.core.export import tf_export
from tf1compat.core.sparse_tensor import SparseTensor, SparseTensorValue
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name

# Sparse contexts go through the barrier as sequences, under names with this in front.
_SPARSE_CONTEXT = "_context_in_seq_"


def _is_sparse(value: Any) -> bool:
    return isinstance(value, SparseTensor | SparseTensorValue)


def _sparse_keys(values: dict[str, Any]) -> list[str]:
    return [key for key in sorted(values) if _is_sparse(values[key])]


@tf_export("contrib.training.batch_sequences_with_states")
def batch_sequences_with_states(
    input_key: Any, input_sequences: Any, input_context: Any, input_length: Any,
    initial_states: Any, num_unroll: Any, batch_size: Any, num_threads: int = 3,
    capacity: Any = 1000, allow_small_batch: bool = True, pad: bool = True,
    make_keys_unique: bool = False, make_keys_unique_seed: Any = None, name: Name = None,
) -> state_saver.NextQueuedSequenceBatch:  # fmt: skip
    """Batches of pieces of sequences, whose states are kept from one piece to the next.

    Threads take the sequences in; they are started as those of all queue runners are. The states
    that a batch ends with are saved with its `save_state`.

    Args:
      input_key: a string scalar, one for each sequence.
      input_sequences: name -> tensor or SparseTensor [time, ...].
      input_context: name -> tensor or SparseTensor, for all steps.
      input_length: how many steps there are, an int32 scalar; None to take the sequences' length.
      initial_states: name -> the state at the beginning of a sequence.
      num_unroll: how many steps a piece has.
      batch_size: an int or int32 scalar.
      num_threads: how many threads take sequences in.
      capacity: how many sequences are under way at most.
      allow_small_batch: whether the last batches may be smaller.
      pad: whether sequences are padded to a multiple of `num_unroll`, which they must else be.
      make_keys_unique: whether random numbers are added to the keys.
      make_keys_unique_seed: the op seed of these.
      name: the name scope.

    Returns:
      A `NextQueuedSequenceBatch`.

    Raises:
      TypeError, ValueError: names, dtypes, shapes or sizes don't fit.
    """
    values = [*input_sequences.values(), *input_context.values(), *initial_states.values()]
    with ops.name_scope(name, "batch_sequences_with_states", values):
        if pad:
            length, input_sequences = _padding(input_sequences, num_unroll)
            input_length = input_length if input_length is not None else length
        elif input_sequences:
            input_sequences = {
                key: _checked_length(key, value, num_unroll)
                for key, value in input_sequences.items()
            }
        _move_sparse_tensor_out_context(input_context, input_sequences, num_unroll)
        dense_sequences, sparse_keys, sparse_maps = _deconstruct_sparse_tensor_seq(input_sequences)
        if make_keys_unique:
            number = random_ops.random_uniform(
                (), minval=0, maxval=100000000, dtype=dtypes.int32, seed=make_keys_unique_seed
            )
            input_key = string_ops.string_join([input_key, string_ops.as_string(number)])
        saver = state_saver.SequenceQueueingStateSaver(
            batch_size, num_unroll, input_length=input_length, input_key=input_key,
            input_sequences=dense_sequences, input_context=input_context,
            initial_states=initial_states, capacity=capacity,
            allow_small_batch=allow_small_batch,
        )  # fmt: skip
        barrier = saver.barrier
        ready = math_ops.cast(barrier.ready_size(), dtypes.float32)
        summary.scalar(f"queue/{barrier.name}/ready_segment_batches_", ready)
        queue_runner.add_queue_runner(
            queue_runner.QueueRunner(
                saver,
                [saver.prefetch_op] * num_threads,
                queue_closed_exception_types=(errors.OutOfRangeError, errors.CancelledError),
            )
        )
        batch = saver.next_batch
        _reconstruct_sparse_tensor_seq(
            batch.sequences, sparse_keys, sparse_maps, batch_size, num_unroll
        )
        _move_sparse_tensor_in_context(batch.context, batch.sequences)
        return batch


def _checked_length(key: str, value: Any, num_unroll: Any) -> Any:
    """A sequence whose length is checked in the run to be a positive multiple."""
    if _is_sparse(value):
        length = value.dense_shape[0]
        checked = sequence_checks.is_multiple(
            length, length % num_unroll, num_unroll, f"SparseTensor {key} first dimension"
        )
        with ops.control_dependencies([checked]):
            return SparseTensor(
                *(array_ops.identity(part, name="multiple_of_checked")
                  for part in (value.indices, value.values, value.dense_shape))
            )  # fmt: skip
    if not isinstance(value, Tensor):
        try:
            value = ops.convert_to_tensor(value)
        except TypeError:
            raise TypeError(
                "Unsupported input_sequences expected Tensor or SparseTensor values, got: "
                f"{type(value)} for key {key}"
            ) from None
    length = array_ops.shape(value)[0]
    checked = sequence_checks.is_multiple(
        length, length % num_unroll, num_unroll, f"Tensor {key} first dimension"
    )
    with ops.control_dependencies([checked]):
        return array_ops.identity(value, name="multiple_of_checked")


def _padding(sequences: Any, num_unroll: Any) -> tuple[Any, dict[str, Any]]:
    """Sequences padded to a multiple of `num_unroll`.

    Returns:
      (the length before, the padded sequences).

    Raises:
      TypeError, ValueError: they are no dict of strings, or `num_unroll` is no int.
    """
    if not isinstance(num_unroll, numbers.Integral):
        raise ValueError(f"Unsupported num_unroll expected int, got: {num_unroll}")
    if not isinstance(sequences, dict):
        raise TypeError(f"Unsupported sequences expected dict, got: {sequences}")
    for key in sequences:
        if not isinstance(key, str):
            raise TypeError(f"Unsupported sequences key expected string, got: {key}")
    if not sequences:
        return 0, {}
    values = {
        key: value if _is_sparse(value) else ops.convert_to_tensor(value)
        for key, value in sorted(sequences.items())
    }
    lengths = [array_ops.shape(v)[0] for v in values.values() if isinstance(v, Tensor)]
    if lengths:
        length = lengths[0]
        equal = []
        for other in lengths:
            same = math_ops.equal(other, length)
            text = "All sequence lengths must match, but received lengths: "
            joined = string_ops.string_join([text, string_ops.as_string(lengths)])
            equal.append(control_flow_ops.Assert(same, [joined]))
        length = control_flow_ops.with_dependencies(equal, length)
    else:
        sparse = [v.dense_shape[0] for v in values.values() if isinstance(v, SparseTensor)]
        length = math_ops.reduce_max(math_ops.cast(sparse, dtypes.int32))
    unroll = constant_op.constant(num_unroll)
    padded_length = length + (unroll - length % unroll) % unroll
    return length, {key: _padded(value, padded_length) for key, value in values.items()}


def _padded(value: Any, padded_length: Any) -> Any:
    """A sequence of another length."""
    if not isinstance(value, Tensor):
        size = math_ops.cast(padded_length, dtypes.int64)
        shape = array_ops.concat([[size], value.dense_shape[1:]], 0)
        return SparseTensor(indices=value.indices, values=value.values, dense_shape=shape)
    missing = [padded_length - array_ops.shape(value)[0]]
    shape = array_ops.concat((missing, array_ops.shape(value)[1:]), 0)
    nothing = constant_op.constant("" if value.dtype == dtypes.string else 0, dtype=value.dtype)
    return array_ops.concat([value, array_ops.fill(dims=shape, value=nothing)], 0)


def _move_sparse_tensor_out_context(
    input_context: dict[str, Any], input_sequences: dict[str, Any], num_unroll: Any
) -> None:
    """Makes sparse contexts sequences, with one copy for each piece."""
    length: Any = constant_op.constant(1)
    if input_sequences:
        first = next(iter(input_sequences.values()))
        if isinstance(first, Tensor):
            with ops.control_dependencies([first]):
                length = array_ops.shape(first)[0]
        else:
            length = first.dense_shape[0]
    length = math_ops.cast(length, dtype=dtypes.int64)

    def copied(sparse: Any) -> SparseTensor:
        n = math_ops.cast(length // num_unroll, dtype=dtypes.int32)
        values = array_ops.tile(sparse.values, array_ops.expand_dims(n, 0))
        shape = array_ops.concat([array_ops.expand_dims(length, 0), sparse.dense_shape], 0)
        copies = array_ops.tile(
            array_ops.expand_dims(sparse.indices, 0), array_ops.stack([n, 1, 1])
        )
        rows = array_ops.shape(sparse.indices)[0]
        columns = array_ops.shape(sparse.indices)[1]
        times = math_ops.range(start=0, limit=length, delta=num_unroll)
        times = array_ops.expand_dims(times, 1)
        times = array_ops.expand_dims(times, 2)
        times = array_ops.tile(times, [1, rows, 1])
        indices = array_ops.concat([times, copies], 2)
        indices = array_ops.reshape(indices, [rows * n, columns + 1])
        return SparseTensor(indices=indices, values=values, dense_shape=shape)

    for key in _sparse_keys(input_context):
        input_sequences[_SPARSE_CONTEXT + key] = copied(input_context[key])
        del input_context[key]


def _move_sparse_tensor_in_context(context: dict[str, Any], sequences: dict[str, Any]) -> None:
    """Makes contexts again of what `_move_sparse_tensor_out_context` made sequences."""
    for key in [key for key in sorted(sequences) if key.startswith(_SPARSE_CONTEXT)]:
        sparse = sequences[key]
        one_step = array_ops.concat([[sparse.dense_shape[0]], [1], sparse.dense_shape[2:]], 0)
        sparse = SparseTensor(sparse.indices, sparse.values, one_step)
        shape = array_ops.concat([[sparse.dense_shape[0]], sparse.dense_shape[2:]], 0)
        context[key[len(_SPARSE_CONTEXT) :]] = sparse_ops.sparse_reshape(sparse, shape)
        del sequences[key]


def _deconstruct_sparse_tensor_seq(input_sequence: dict[str, Any]) -> tuple[Any, Any, list[Any]]:
    """Sequences with handles in place of sparse tensors.

    Returns:
      (the sequences, the names of the sparse ones, the operations that give the handles).
    """
    keys = _sparse_keys(input_sequence)
    if not keys:
        return input_sequence, None, keys
    handles = [
        sparse_serialize_ops._add_many_sparse_to_tensors_map(input_sequence[key]) for key in keys
    ]
    found = {**input_sequence, **dict(zip(keys, handles, strict=True))}
    return found, keys, [handle.op for handle in handles]


def _reconstruct_sparse_tensor_seq(
    sequence: dict[str, Any], sparse_tensor_keys: Any, tensor_op_list: list[Any], batch_size: Any,
    num_unroll: Any,
) -> None:  # fmt: skip
    """Puts sparse tensors [batch, num_unroll, ...] in the place of their handles."""
    if not sparse_tensor_keys:
        return
    found = [
        sparse_serialize_ops._take_many_sparse_from_tensors_map(
            sparse_map_op=op, sparse_handles=array_ops.reshape(sequence[key], [-1]), rank=None
        )
        for op, key in zip(tensor_op_list, sparse_tensor_keys, strict=True)
    ]
    num_unroll = ops.convert_to_tensor(num_unroll, dtype=dtypes.int64, name="num_unroll_int64")

    def unflattened(sparse: Any) -> SparseTensor:
        batch = math_ops.cast(math_ops.floor(sparse.indices[:, 0] / num_unroll), dtypes.int64)
        time = math_ops.mod(sparse.indices[:, 0], num_unroll)
        indices = array_ops.concat(
            [
                array_ops.expand_dims(batch, 1),
                array_ops.expand_dims(time, 1),
                sparse.indices[:, 1:],
            ],
            axis=1,
        )
        sizes = [[math_ops.cast(n, dtype=dtypes.int64)] for n in (batch_size, num_unroll)]
        shape = array_ops.concat([*sizes, sparse.dense_shape[1:]], axis=0)
        return SparseTensor(indices=indices, values=sparse.values, dense_shape=shape)

    sparse_tensors = [unflattened(sparse) for sparse in found]
    sequence.update(zip(sparse_tensor_keys, sparse_tensors, strict=True))
