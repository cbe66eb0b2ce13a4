"""Long sequences, cut into pieces whose states are kept from one piece to the next
(`tensorflow.contrib.training.python.training.sequence_queueing_state_saver`)."""

from __future__ import annotations

from collections import OrderedDict
from operator import attrgetter
from typing import Any

from tf1compat.api.array import array_ops, gather_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.contrib.training.sequence_checks import (
    SequenceInputs,
    check_dimensions,
    check_multiple_of,
    check_names,
    check_shape,
    prepare_sequence_inputs,
)
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.math import math_ops
from tf1compat.api.queues import barriers, data_flow_ops
from tf1compat.api.text import string_ops
from tf1compat.core import dtypes, ops
from tf1compat.core.attribute import attribute
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name

# What the barrier has of each piece, before sequences, contexts and states.
_LENGTH, _TOTAL_LENGTH, _NEXT_KEY, _SEQUENCE, _SEQUENCE_COUNT = range(5)
# A token that stands for a sequence in the queue which limits how many are under way; any int.
_TOKEN = 21051976


def _received(what: str, doc: str) -> Any:
    """A property of a batch: what its state saver received."""
    return property(attrgetter(f"_state_saver._received_{what}"), doc=doc)


@tf_export("contrib.training.NextQueuedSequenceBatch")
class NextQueuedSequenceBatch:
    """A batch of pieces of sequences.

    Args:
      state_saver: the `SequenceQueueingStateSaver` that it comes from.
    """

    def __init__(self, state_saver: Any):
        self._state_saver = state_saver

    total_length = _received("total_length", "The lengths of the whole sequences, int32 [batch].")
    length = _received("length", "How many steps of each piece are no padding, int32 [batch].")
    batch_size = _received("batch_size", "The number of pieces, an int32 scalar.")
    insertion_index = _received("indices", "Int64 [batch], smaller for those that came in earlier.")
    key = _received("keys", 'The keys of the pieces, string [batch]: "00001_of_00003:key".')
    next_key = _received(
        "next_key",
        'The keys of the pieces that follow, string [batch]; "STOP:key" at the end.',
    )
    sequence = _received("sequence", "Which piece of its sequence each is, int32 [batch].")
    sequence_count = _received(
        "sequence_count", "How many pieces each sequence has, int32 [batch]."
    )
    context = _received("context", "Name -> tensor [batch, ...].")
    sequences = _received("sequences", "Name -> tensor [batch, num_unroll, ...].")

    def state(self, state_name: str) -> Tensor:
        """The states that the pieces before ended with, [batch, ...]."""
        return self._state_saver._received_states[state_name]

    def save_state(self, state_name: str, value: Any, name: Name = None) -> Any:
        """Records the operation that gives the pieces which follow their states.

        Args:
          state_name: which state.
          value: [batch, ...].
          name: the name scope.

        Raises:
          KeyError: there is no such state.
        """
        saver = self._state_saver
        if state_name not in saver._received_states:
            raise KeyError(f"state was not declared: {state_name}")
        with (
            ops.name_scope(name, "InputQueueingStateSaver_SaveState", values=[value]),
            ops.colocate_with(saver._capacity_queue.queue_ref),
        ):
            not_done = array_ops.reshape(
                gather_ops.where_v2(math_ops.logical_not(saver._sequence_is_done)), [-1]
            )
            next_keys = gather_ops.gather(saver._received_next_key, not_done)
            value = check_shape(
                array_ops.identity(value, name=f"convert_{state_name}"),
                array_ops.shape(saver._received_states[state_name]),
            )
            return saver._barrier.insert_many(
                saver._get_barrier_index("state", state_name),
                next_keys,
                gather_ops.gather(value, not_done),
                name=f"BarrierInsertState_{state_name}",
            )


@tf_export("contrib.training.SequenceQueueingStateSaver")
class SequenceQueueingStateSaver:
    """Cuts sequences into pieces, and gives batches of them, each piece once the state of the one
    before is saved.

    Args:
      batch_size: an int or int32 scalar.
      num_unroll: how many steps a piece has; the sequences' lengths are multiples of it.
      input_length: how many steps of the sequence are no padding, an int32 scalar.
      input_key: a string scalar, one for each sequence.
      input_sequences: name -> tensor [time, ...].
      input_context: name -> tensor, for all steps.
      initial_states: name -> the state at the beginning of a sequence.
      capacity: how many sequences are under way at most; None for any number.
      allow_small_batch: whether the last batches may be smaller.
      name: the name scope.

    Raises:
      TypeError, ValueError: names, dtypes, shapes or sizes don't fit.
    """

    _received_indices: Any
    _received_keys: Any
    _received_context: dict[str, Any]
    _received_sequences: dict[str, Any]
    _received_states: dict[str, Any]

    def __init__(
        self, batch_size: Any, num_unroll: Any, input_length: Any, input_key: Any,
        input_sequences: Any, input_context: Any, initial_states: Any, capacity: Any = None,
        allow_small_batch: bool = False, name: Name = None,
    ):  # fmt: skip
        if capacity is not None and isinstance(batch_size, Tensor):
            enough = check_ops.assert_greater_equal(
                math_ops.cast(capacity, dtype=dtypes.int64),
                math_ops.cast(batch_size, dtype=dtypes.int64),
                message="capacity needs to be >= batch_size.",
            )
            with ops.control_dependencies([enough]):
                input_key = array_ops.identity(input_key)
        elif capacity is not None and capacity < batch_size:
            raise ValueError(f"capacity {capacity} needs to be >= batch_size {batch_size}")
        self._capacity_queue = data_flow_ops.FIFOQueue(
            capacity=capacity,  # pyright: ignore
            dtypes=[dtypes.int32],
            shapes=[[]],  # pyright: ignore
        )
        with ops.colocate_with(self._capacity_queue.queue_ref):
            if not isinstance(initial_states, dict):
                raise TypeError("initial_states must be a dictionary")
            if not initial_states:
                raise ValueError(
                    "initial_states may not be empty: at least one state variable is required to "
                    "properly enqueue split sequences to run in separate iterations"
                )
            check_names(initial_states, "state name must be a string: {}", "state name")
            values = [input_length, input_key, *input_sequences.values(), *input_context.values()]
            with ops.name_scope(name, "InputQueueingStateSaver", values) as scope:
                inputs = SequenceInputs(input_length, input_key, input_sequences, input_context)
                self._batch_size = batch_size
                self._num_unroll = num_unroll
                self._name = self._scope = scope
                length, self._key, self._states, sequences, self._context = prepare_sequence_inputs(
                    inputs, initial_states
                )
                padded_length = array_ops.identity(
                    array_ops.shape(next(iter(sequences.values())))[0], name="padded_length"
                )
                self._padded_length = check_multiple_of(padded_length, num_unroll)
                self._sequences = {
                    k: check_dimensions(
                        v, [0], [self._padded_length], debug_prefix=f"sorted_sequences_{k}"
                    )
                    for k, v in sequences.items()
                }
                fits = control_flow_ops.Assert(
                    math_ops.less_equal(length, self._padded_length),
                    [
                        "Input length should be <= than length from sequences:",
                        length,
                        " vs. ",
                        self._padded_length,
                    ],
                )
                with ops.control_dependencies([fits]):
                    self._length = array_ops.identity(length)
                self._create_barrier()
            self._allow_small_batch = allow_small_batch
            self._prefetch_op: Any = None
            self._next_batch: Any = None

    name: str = attribute("_name", "The name scope.")
    barrier: barriers.Barrier = attribute("_barrier", "The barrier that the pieces lie in.")
    batch_size = attribute("_batch_size", "The number of pieces in a batch.")
    num_unroll = attribute("_num_unroll", "The number of steps in a piece.")

    @property
    def prefetch_op(self) -> Any:
        """The operation that takes a sequence in: for queue runners."""
        if not self._prefetch_op:
            with ops.name_scope(None), self._own_scope():
                self._create_prefetch_op()
        return self._prefetch_op

    @property
    def next_batch(self) -> NextQueuedSequenceBatch:
        """The batch, which is the same whenever it is asked for."""
        _ = self.prefetch_op
        if not self._next_batch:
            with ops.name_scope(None), self._own_scope():
                self._prepare_barrier_reads()
        return self._next_batch

    def _own_scope(self) -> Any:
        return ops.name_scope(self._scope, values=[self._barrier.barrier_ref])

    def close(self, cancel_pending_enqueues: bool = False, name: Name = None) -> Any:
        """Records the operation that lets no more sequences in.

        Args:
          cancel_pending_enqueues: whether pieces that wait for their states go.
          name: the name scope.
        """
        with ops.name_scope(name, "SQSSClose", [self._prefetch_op]) as name:
            barrier_close = self.barrier.close(cancel_pending_enqueues, "BarrierClose")
            queue_close = self._capacity_queue.close(cancel_pending_enqueues, "FIFOClose")
            return control_flow_ops.group(barrier_close, queue_close, name=name)

    def _groups(self) -> list[tuple[str, dict[str, Any]]]:
        return [
            ("sequence", self._sequences),
            ("context", self._context),
            ("state", self._states),
        ]

    def _get_barrier_index(self, index_type: str, name: str) -> int:
        """Which component of the barrier has a sequence, context or state."""
        names = [(kind, key) for kind, values in self._groups() for key in values]
        return _SEQUENCE_COUNT + 1 + names.index((index_type, name))

    def _create_barrier(self) -> None:
        types = [dtypes.int32, dtypes.int32, dtypes.string, dtypes.int32, dtypes.int32]
        shapes: list[Any] = [() for _ in types]
        for kind, values in self._groups():
            for value in values.values():
                types.append(value.dtype)
                sizes = value.get_shape().as_list()
                shapes.append([self._num_unroll, *sizes[1:]] if kind == "sequence" else sizes)
        self._barrier = barriers.Barrier(types=types, shapes=shapes)

    def _create_prefetch_op(self) -> None:
        """Records what takes a sequence in: its pieces, all but their states, and the first state.

        A piece can be taken once it has its state, so they are taken one after the other.
        """
        num_unroll = self._num_unroll
        count = math_ops.div(self._padded_length, num_unroll)
        ones = array_ops.ones(array_ops.expand_dims(count, 0), dtype=dtypes.int32)
        sequence = math_ops.range(count)
        length = math_ops.maximum(0, self._length - num_unroll * sequence)
        length = math_ops.minimum(num_unroll, length)
        total_length = self._length * ones
        counts = count * ones
        numbers = string_ops.as_string(sequence, width=5, fill="0")
        total = string_ops.as_string(count, width=5, fill="0")
        keys = string_ops.string_join(
            [numbers, "_of_", total, ":", self._key], name="StringJoinCurrentKeys"
        )
        later = array_ops.slice(keys, [1], [-1])
        stop = string_ops.string_join(["STOP:", self._key], name="StringJoinStop")
        next_keys = array_ops.concat(
            [later, array_ops.expand_dims(stop, 0)], 0, name="concat_next_keys"
        )
        sequences = {k: self._cut(k, v, count) for k, v in self._sequences.items()}
        context = {k: self._repeated(k, v, count) for k, v in self._context.items()}

        def insert(component: int, values: Any, name: str, where: Any = keys) -> Any:
            return self._barrier.insert_many(component, where, values, name=f"BarrierInsert{name}")

        inserts = [
            insert(_SEQUENCE, sequence, "Sequence"),
            insert(_SEQUENCE_COUNT, counts, "SequenceCount"),
            insert(_NEXT_KEY, next_keys, "NextKey"),
            insert(_LENGTH, length, "Length"),
            insert(_TOTAL_LENGTH, total_length, "TotalLength"),
        ]
        context_inserts = [
            insert(self._get_barrier_index("context", k), v, f"Context_{k}")
            for k, v in context.items()
        ]
        sequence_inserts = [
            insert(self._get_barrier_index("sequence", k), v, f"Sequences_{k}")
            for k, v in sequences.items()
        ]
        token = self._capacity_queue.enqueue((_TOKEN,))
        with ops.control_dependencies([inserts[0], token]):
            state_inserts = [
                self._barrier.insert_many(
                    self._get_barrier_index("state", k),
                    array_ops.stack([keys[0]]),
                    array_ops.stack([v]),
                    name=f"BarrierInitialInsertState_{k}",
                )
                for k, v in self._states.items()
            ]
        self._prefetch_op = control_flow_ops.group(
            token, *inserts, *state_inserts, *context_inserts, *sequence_inserts,
            name="StateSaverPrefetchGroup",
        )  # fmt: skip

    def _cut(self, name: str, value: Any, count: Any) -> Tensor:
        """A sequence as its pieces [count, num_unroll, ...]."""
        rest = value.get_shape().as_list()[1:]
        parts = [array_ops.expand_dims(size, 0) for size in (count, self._num_unroll)]
        shape = array_ops.concat([*parts, rest], 0, name=f"concat_sequences_{name}")
        pieces = array_ops.reshape(value, shape, name=f"reshape_sequences_{name}")
        return check_dimensions(
            pieces, list(range(2 + len(rest))), [count, self._num_unroll, *rest],
            debug_prefix=f"reshaped_sequences_{name}",
        )  # fmt: skip

    def _repeated(self, name: str, value: Any, count: Any) -> Tensor:
        """A context, once for each piece."""
        sizes = value.get_shape().as_list()
        row = array_ops.expand_dims(value, 0)
        multiples = array_ops.concat(
            [array_ops.expand_dims(count, 0), [1] * len(sizes)], 0, name=f"concat_context_{name}"
        )
        rows = array_ops.tile(row, multiples, name=f"tile_context_{name}")
        return check_dimensions(
            rows, list(range(1 + len(sizes))), [count, *sizes],
            debug_prefix=f"expanded_context_{name}",
        )  # fmt: skip

    def _prepare_barrier_reads(self) -> None:
        """Records what takes a batch out; sequences that end in it make room for others."""
        indices, keys, values = self._barrier.take_many(
            self._batch_size, self._allow_small_batch, name="BarrierTakeMany"
        )
        self._received_indices, self._received_keys = indices, keys
        self._received_sequence = values[_SEQUENCE]
        self._received_sequence_count = values[_SEQUENCE_COUNT]
        self._received_next_key = values[_NEXT_KEY]
        self._received_length = values[_LENGTH]
        self._received_total_length = values[_TOTAL_LENGTH]

        def received(kind: str, names: Any) -> OrderedDict[str, Any]:
            return OrderedDict((n, values[self._get_barrier_index(kind, n)]) for n in names)

        self._received_context = received("context", self._context)
        self._received_sequences = received("sequence", self._sequences)
        self._received_batch_size = array_ops.squeeze(array_ops.shape(self._received_length))
        self._sequence_is_done = self._received_sequence + 1 >= self._received_sequence_count
        finished = math_ops.reduce_sum(math_ops.cast(self._sequence_is_done, dtypes.int32))
        dequeue_op = self._capacity_queue.dequeue_many(finished)
        with ops.control_dependencies([dequeue_op]):
            states = received("state", self._states)
            self._received_states = OrderedDict(
                (name, array_ops.identity(state)) for name, state in states.items()
            )
        self._next_batch = NextQueuedSequenceBatch(self)
