"""The loss of dense labels (a part of TF's ctc_ops).

A sequence of L labels is a chain of 2 (L + 1) states: a start and one for each label, and the
blanks after them. The probability of each at each time is found by the forward-backward algorithm,
in logarithms, in two functional loops, which also give the gradient.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops, constant_op, gather_ops, inplace_ops, shape_ops
from tf1compat.api.control_flow import functional_ops
from tf1compat.api.functions import defun
from tf1compat.api.gradients import custom_gradient
from tf1compat.api.linalg import linalg_ops
from tf1compat.api.math import math_cast, math_ops, math_reduce, math_sums
from tf1compat.core import context, dtypes, nest, ops, raw_ops
from tf1compat.core.export import required
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_shape import dimension_value
from tf1compat.core.typing import Name, TensorLike


def _size(tensor: Any, i: int) -> Any:
    """A dimension as an int where it is known, and not 0, else as a tensor."""
    return dimension_value(tensor.shape[i]) or array_ops.shape(tensor)[i]


def ctc_loss_dense(
    labels: TensorLike, logits: TensorLike, label_length: Any, logit_length: Any,
    logits_time_major: bool = True,
    unique: Any = None, blank_index: Any = 0, name: Name = None,
) -> Tensor:  # fmt: skip
    """As `ctc_loss_v2`, for dense labels.

    Args:
      labels: ints [batch, labels].
      logits: [time, batch, classes].
      label_length, logit_length: [batch], how many labels and time steps count.
      logits_time_major: if False, `logits` is [batch, time, classes].
      unique: of `ctc_unique_labels(labels)`.
      blank_index: the class that is the blank, negative from the end.
      name: the name scope.

    Returns:
      A vector [batch] of negative log probabilities.
    """
    with ops.name_scope(name, "ctc_loss_dense", [logits, labels, label_length, logit_length]):
        given = {
            "logits": logits,
            "labels": labels,
            "label_length": label_length,
            "logit_length": logit_length,
        }
        logits, labels, label_length, logit_length = (
            ops.convert_to_tensor(value, name=key) for key, value in given.items()
        )
        if not logits_time_major:
            logits = array_ops.transpose(logits, perm=[1, 0, 2])
        if blank_index != 0:
            if blank_index < 0:
                blank_index += _size(logits, 2)
            blank = logits[:, :, blank_index : blank_index + 1]
            before, after = logits[:, :, :blank_index], logits[:, :, blank_index + 1 :]
            logits = array_ops.concat([blank, before, after], axis=2)
            labels = gather_ops.where(labels < blank_index, labels + 1, labels)
        args = [logits, labels, label_length, logit_length, *(unique or ())]

        @custom_gradient.custom_gradient
        def loss(*copies: Any) -> Any:
            for copy, value in zip(copies[:4], args, strict=False):
                copy.set_shape(value.shape)
            value, slope = ctc_loss_and_grad(*copies[:4], unique=copies[4:] or None)

            def grad(grad_loss: Any) -> Any:
                rows = shape_ops.reshape(grad_loss, [1, -1, 1])
                return [rows * slope] + [None] * (len(args) - 1)

            return value, grad

        return loss(*args)


def ctc_loss_and_grad(
    logits: Any, labels: Any, label_length: Any, logit_length: Any, unique: Any = None
) -> tuple[Any, Any]:
    """The loss of dense labels, without a gradient, and its gradient by the logits.

    Args:
      logits: [time, batch, classes], the first of which is the blank.
      labels: ints [batch, labels].
      label_length, logit_length: [batch], how many labels and time steps count.
      unique: of `ctc_unique_labels(labels)`.

    Returns:
      The loss [batch] and the gradient [time, batch, classes].
    """
    classes, longest = _size(logits, 2), _size(labels, 1)
    by_class = required("nn.log_softmax")(logits)
    by_state = _ilabel_to_state(labels, classes, by_class)
    steps = _ctc_state_trans(labels)
    first, last = ctc_state_log_probs(label_length, longest)
    states, likelihood = _forward_backward_log(
        raw_ops.Log(x=steps), first, last, by_state, logit_length
    )
    if unique:
        seen = _state_to_olabel_unique(labels, classes, states, unique)
    else:
        seen = _state_to_olabel(labels, classes, states)
    slope = raw_ops.Exp(x=by_class) - raw_ops.Exp(x=seen)
    return -likelihood, slope


def _ctc_state_trans(label_seq: Any) -> Any:
    """Which state follows which, [batch, states, states]."""
    with ops.name_scope("ctc_state_trans"):
        label_seq = ops.convert_to_tensor(label_seq, name="label_seq")
        batch, longest = _size(label_seq, 0), _size(label_seq, 1)
        count = longest + 1
        states = 2 * count
        label = math_sums.range(count)
        blank = label + count
        steps = [[[1, 0]]]  # From the start to the first label; from blanks on; to the blanks.
        for after, before in ((label[1:], blank[:-1]), (blank, label)):
            steps.append(array_ops.stack([after, before], 1))
        pairs = array_ops.concat(steps, 0)
        ones = array_ops.ones([_size(pairs, 0)])
        always = gather_ops.scatter_nd(pairs, ones, shape=[states, states])
        always += linalg_ops.eye(states)  # A state may last.
        # From a label to the next one, where they differ.
        zero = array_ops.zeros_like(label[2:])
        pairs = array_ops.stack([zero, label[2:], label[1:-1]], 1)
        pairs = array_ops.tile(shape_ops.expand_dims(pairs, 0), [batch, 1, 1])
        rows = shape_ops.expand_dims(math_sums.range(batch), 1) * [1, 0, 0]
        pairs += shape_ops.expand_dims(rows, 1)
        repeated = math_ops.equal(label_seq[:, :-1], label_seq[:, 1:])
        differ = 1.0 - math_cast.cast(repeated, dtypes.float32)
        skips = gather_ops.scatter_nd(pairs, differ, [batch, states, states])
        return shape_ops.expand_dims(always, 0) + skips


def ctc_state_log_probs(seq_lengths: Any, max_seq_length: Any) -> tuple[Any, Any]:
    """The logarithms of the probabilities of the states before and after a sequence.

    Args:
      seq_lengths: [batch], how many labels there are.
      max_seq_length: the longest one.

    Returns:
      Two tensors [batch, states].
    """
    batch = _size(seq_lengths, 0)
    count = max_seq_length + 1
    states = 2 * count
    tiny = math_cast.cast(0, dtypes.float64) + 1e-307
    never = math_cast.cast(raw_ops.Log(x=tiny), dtypes.float32)
    start = array_ops.zeros([batch], dtype=dtypes.int32)
    first = array_ops.one_hot(indices=start, depth=states, on_value=0.0, off_value=never, axis=1)
    ends = array_ops.one_hot(seq_lengths, depth=count, axis=0)
    both = array_ops.ones([2, 1, batch])
    last = (1.0 - both * ends) * never
    last = shape_ops.reshape(last, [states, batch])
    return first, array_ops.transpose(last)


def _ilabel_to_state(labels: Any, num_labels: Any, ilabel_log_probs: Any) -> Any:
    """The probabilities of classes at each time, by states."""
    longest = _size(labels, 1)
    blank = array_ops.tile(ilabel_log_probs[:, :, :1], [1, 1, longest + 1])
    chosen = shape_ops.expand_dims(array_ops.one_hot(labels, depth=num_labels), axis=0)
    classes = shape_ops.expand_dims(ilabel_log_probs, axis=2)
    found = math_reduce.reduce_sum(classes * chosen, axis=3)
    found = array_ops.concat([found, blank], axis=2)
    before = [[0, 0], [0, 0], [1, 0]]
    return array_ops.pad(found, before, constant_values=raw_ops.Log(x=0.0))


def _label_and_blank_states(labels: Any, states: Any) -> tuple[Any, Any]:
    count = _size(labels, 1) + 1
    return states[:, :, 1:count], states[:, :, count:]


def _state_to_olabel(labels: Any, num_labels: Any, states: Any) -> Any:
    """The probabilities of states at each time, by classes."""
    label, blank = _label_and_blank_states(labels, states)
    shifted, others = labels - 1, num_labels - 1
    never = raw_ops.Log(x=0.0)
    chosen = array_ops.one_hot(shifted, depth=others, on_value=0.0, off_value=never)
    chosen = shape_ops.expand_dims(chosen, axis=0)
    label = shape_ops.expand_dims(label, axis=3)
    found = math_reduce.reduce_logsumexp(label + chosen, axis=2)
    return array_ops.concat([_total(blank, 2), found], axis=-1)


def _total(x: Any, axis: int) -> Any:
    return math_reduce.reduce_logsumexp(x, axis=axis, keepdims=True)


def _state_to_olabel_unique(labels: Any, num_labels: Any, states: Any, unique: Any) -> Any:
    """As `_state_to_olabel`, from the distinct labels of each sequence."""
    label_count = _size(labels, 1) + 1
    label, blank = states[:, :, 1:label_count], states[:, :, label_count:]
    distinct, places = unique
    sums = _sum_states(places, label)
    frames, batch = states.shape[0], states.shape[1]
    count = label_count - 1
    rows = array_ops.transpose(sums, perm=[1, 2, 0])
    rows = shape_ops.reshape(rows, [batch * count, frames])
    first = math_sums.range(batch, dtype=distinct.dtype) * num_labels
    indices = distinct + shape_ops.expand_dims(first, axis=-1)
    indices = shape_ops.reshape(indices, [-1, 1])
    found = gather_ops.scatter_nd(indices=indices, updates=rows, shape=[batch * num_labels, frames])
    found = shape_ops.reshape(found, [batch, num_labels, frames])
    absent = math_ops.equal(found, 0.0)
    shape = array_ops.shape(found)
    never = raw_ops.Fill(dims=shape, value=raw_ops.Log(x=0.0))
    found = gather_ops.where(absent, never, found)
    found = array_ops.transpose(found, [2, 0, 1])[:, :, 1:]
    return array_ops.concat([_total(blank, 2), found], axis=-1)


def _sum_states(idx: Any, states: Any) -> Any:
    """The probabilities of equal labels of a sequence together."""
    with ops.name_scope("sum_states"):
        idx = ops.convert_to_tensor(idx, name="idx")
        count = _size(states, 2)
        states = shape_ops.expand_dims(states, axis=2)
        never = raw_ops.Log(x=0.0)
        chosen = array_ops.one_hot(idx, depth=count, on_value=0.0, off_value=never, axis=1)
        return math_reduce.reduce_logsumexp(states + chosen, axis=-1)


def _forward_backward_log(
    state_trans_log_probs: Any,
    initial_state_log_probs: Any,
    final_state_log_probs: Any,
    observed_log_probs: Any,
    sequence_length: Any,
) -> tuple[Any, Any]:
    """The probabilities of the states at each time, [time, batch, states], and of each sequence.

    Raises:
      ValueError: the transitions have another rank than 2 or 3.
    """
    rank = state_trans_log_probs.shape.ndims
    if rank not in (2, 3):
        raise ValueError(f"state_trans_log_probs rank must be known and == 2 or 3, is: {rank}")
    order = [1, 0] if rank == 2 else [0, 2, 1]
    backward_steps = array_ops.transpose(state_trans_log_probs, order)
    batch = _size(observed_log_probs, 1)

    def spread(state: Any, steps: Any) -> Any:
        state = shape_ops.expand_dims(state, axis=1)
        state += steps
        return math_reduce.reduce_logsumexp(state, axis=-1)

    def forward(state: Any, observed: Any) -> Any:
        state = spread(state, state_trans_log_probs)
        state += observed
        return state - _total(state, -1)

    def backward(before: Any, now: Any) -> Any:
        state, so_far = before
        observed, mask = now
        state += observed
        state = spread(state, backward_steps)
        total = _total(state, -1)
        state -= total
        so_far += shape_ops.squeeze(total) * mask
        counts = shape_ops.expand_dims(mask, axis=1)
        state = state * counts
        state += final_state_log_probs * (1.0 - counts)
        return state, so_far

    there = _scan(forward, observed_log_probs, initial_state_log_probs, inclusive=True)
    none = array_ops.zeros([batch])
    frames = _size(observed_log_probs, 0)
    mask = required("sequence_mask")(sequence_length, frames, dtypes.float32)
    mask = array_ops.transpose(mask, perm=[1, 0])
    back, so_far = _scan(
        backward,
        (observed_log_probs, mask),
        (final_state_log_probs, none),
        reverse=True,
        inclusive=True,
    )
    found = there[1:] + back[1:]
    found -= _total(found, 2)
    found += raw_ops.Log(x=shape_ops.expand_dims(mask, axis=2))
    return found, back[0, :, 0] + so_far[0]


def _scan(
    fn: Callable[..., Any],
    elems: Any,
    initial: Any,
    reverse: bool = False,
    inclusive: bool = False,
    final_only: bool = False,
) -> Any:
    """`tf.scan` by a functional loop, without a gradient.

    Args:
      fn: takes what it gave last and an element.
      elems: a structure of tensors with the same first dimension.
      initial: a structure of what `fn` is given first.
      reverse: begin with the last element.
      inclusive: give `initial` too.
      final_only: give what comes last alone.
    """
    inputs = [ops.convert_to_tensor(x) for x in nest.flatten(elems)]
    count = array_ops.shape(inputs[0])[0]
    starts = [ops.convert_to_tensor(x) for x in nest.flatten(initial)]
    kept = 0 if final_only else len(starts)

    # The functions of the loop are named after these, and their arguments.
    def cond(i: Any, num_elems: Any, *_: Any) -> Any:
        return i >= 0 if reverse else i < num_elems

    def body(i: Any, num_elems: Any, *state: Any) -> Any:
        i.set_shape([])
        written, values = state[:kept], state[kept:]
        now = [gather_ops.gather(x, i) for x in inputs]
        found = nest.flatten(
            fn(nest.pack_sequence_as(initial, values), nest.pack_sequence_as(elems, now))
        )
        if kept:
            place = i + 1 if inclusive and not reverse else i
            written = [
                inplace_ops.alias_inplace_update(x, place, y)
                for x, y in zip(written, found, strict=True)
            ]
        i = i - 1 if reverse else i + 1
        return [i, num_elems, *written, *found]

    if reverse:
        first = array_ops.shape(inputs[0])[0] - 1
    else:
        first = constant_op.constant(0, dtype=dtypes.int32)
    outputs: list[Any] = []
    if kept:
        size = array_ops.shape(inputs[0])[0] + (1 if inclusive else 0)
        for start in starts:
            shape = array_ops.concat([[size], array_ops.shape(start)], 0)
            output = inplace_ops.empty(shape, dtype=start.dtype, init=True)
            if inclusive:
                place = first + (1 if reverse else 0)
                output = inplace_ops.alias_inplace_add(output, place, start)
            outputs.append(output)
    state: Any = [first, count, *outputs, *starts]
    on_host = [i for i, x in enumerate(state) if x.dtype.base_dtype in (dtypes.int32, dtypes.int64)]
    if context.executing_eagerly():
        while cond(*state):
            state = body(*state)
    else:
        types = [x.dtype for x in state]
        condition, turn = defun.Defun(*types)(cond), defun.Defun(*types)(body)
        state = functional_ops.While(state, condition, turn, hostmem=on_host)
    return nest.pack_sequence_as(initial, state[2 : len(starts) + 2])
