"""Connectionist temporal classification: loss and decoders (Graves et al., 2006).

Labels come as sparse tensors of a size of their own in every run: these ops are host steps, so that
the programs around them are compiled once.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.core import errors, shapes
from tf1compat.core.op_registry import not_differentiable, op
from tf1compat.core.typing import Gradients, LoweringContext, Shape
from tf1compat.kernels.framework.common import refuse, text_of_shape
from tf1compat.kernels.nn import ctc_traced
from tf1compat.kernels.nn.beam_search import search
from tf1compat.kernels.sparse.sparse import check_order

# The loss.


def _log_sum(terms: np.ndarray) -> np.ndarray:
    """log(sum of exp) over the first dimension, also where all is -inf; overwrites `terms`."""
    highest = terms.max(0)
    offset = np.where(np.isfinite(highest), highest, 0)
    np.subtract(terms, offset, out=terms)
    return np.log(np.exp(terms, out=terms).sum(0)) + offset


def _loss(
    inputs: np.ndarray,
    labels: np.ndarray,
    lengths: np.ndarray,
    steps: np.ndarray,
    merge_repeated: bool,
) -> tuple[np.ndarray, np.ndarray]:
    """Losses [B] and their gradients [T, B, C].

    Args:
      inputs: logits [T, B, C]; the last class is the blank.
      labels: [B, L], of which `lengths` [B] count.
      steps: [B], how many time steps count.
      merge_repeated: whether the same class at two steps may stand for one label.
    """
    time, batch, classes = inputs.shape
    none = -np.inf
    # As TF: what underflows here has no path.
    probability = np.exp(inputs - inputs.max(-1, keepdims=True))
    probability /= probability.sum(-1, keepdims=True)
    # Labels with blanks around them.
    states = 2 * labels.shape[1] + 1
    places = np.arange(states)
    symbols = np.full((batch, states), classes - 1)
    symbols[:, 1::2] = labels
    rows = np.arange(batch)[:, None]
    last = (2 * lengths)[:, None]
    emission = np.where(places <= last, np.log(probability[:, rows, symbols]), none)
    emission = emission.astype(inputs.dtype, copy=False)
    repeats = np.zeros((batch, states), bool)
    repeats[:, 2:] = symbols[:, 2:] == symbols[:, :-2]
    is_label = places % 2 == 1
    stays = np.where(is_label & (not merge_repeated), none, 0).astype(inputs.dtype)
    skips = np.where(is_label & ~(repeats & merge_repeated), 0, none).astype(inputs.dtype)
    terms = np.empty((3, batch, states), inputs.dtype)

    alphas = np.empty((time, batch, states), inputs.dtype)
    # The step before the first: a state from which the first blank and the first label follow.
    alphas[0] = np.where(places < 2, emission[0], none)
    for t in range(1, time):
        before = alphas[t - 1]
        np.add(before, stays, out=terms[0])
        terms[1:, :, :2] = none
        terms[1, :, 1:] = before[:, :-1]
        np.add(before[:, :-2], skips[:, 2:], out=terms[2, :, 2:])
        np.add(emission[t], _log_sum(terms), out=alphas[t])

    final = np.where((places == last) | (places == last - 1), 0, none).astype(inputs.dtype)
    betas = np.empty_like(alphas)
    betas[-1] = final
    for t in range(time - 2, -1, -1):
        ahead = betas[t + 1] + emission[t + 1]
        np.add(ahead, stays, out=terms[0])
        terms[1:, :, -2:] = none
        terms[1, :, :-1] = ahead[:, 1:]
        np.add(ahead[:, 2:], skips[:, 2:], out=terms[2, :, :-2])
        betas[t] = np.where((t >= steps - 1)[:, None], final, _log_sum(terms))

    likelihood = _log_sum((alphas[0] + betas[0]).T.copy())
    possible = np.isfinite(likelihood)
    weights = np.exp(alphas + betas - np.where(possible, likelihood, 0)[:, None])
    weights[:, ~possible] = 0
    grad = probability
    grad[..., -1] -= weights[..., ::2].sum(-1)
    for i in range(labels.shape[1]):
        grad[:, rows[:, 0], labels[:, i]] -= weights[..., 2 * i + 1]
    grad[np.arange(time)[:, None] >= steps] = 0
    return -likelihood, grad


def _targets(
    labels: list[list[int]],
    steps: Any,
    classes: int,
    collapse: bool,
    ignore_longer: bool,
    ctx: LoweringContext,
) -> tuple[list[list[int]], np.ndarray]:
    """What each sequence is to say, and which sequences are left out as too long."""
    targets, left_out = [], np.zeros(len(labels), bool)
    for b, (label, time) in enumerate(zip(labels, steps.tolist(), strict=True)):
        if time < 0:
            refuse(ctx, f"seq_len({b}) < 0")
        if not label:
            refuse(ctx, f"Labels length is zero in batch {b}")
        said = ",".join(str(value) for value in label)
        target: list[int] = []
        finished = False
        for i, value in enumerate(label):
            if collapse and i and value == label[i - 1]:
                continue
            if value >= classes - 1:
                finished = True
                continue
            if finished:
                seen = ",".join(str(value) for value in target)
                refuse(
                    ctx,
                    "Saw a non-null label (index >= num_classes - 1) following a null label, "
                    f"batch: {b} num_classes: {classes} labels: {said} labels seen so far: {seen}",
                )
            target.append(value)
        if any(value < 0 for value in target):
            refuse(ctx, f"All labels must be nonnegative integers, batch: {b} labels: {said}")
        if len(label) > time:
            if not ignore_longer:
                refuse(
                    ctx,
                    "Not enough time for target transition sequence (required: "
                    f"{len(label)}, available: {time}){b}You can turn this error into a warning "
                    "by using the flag ignore_longer_outputs_than_inputs",
                )
            left_out[b] = True
        targets.append(target)
    return targets, left_out


def _check_loss(inputs: Any, indices: Any, values: Any, steps: Any, ctx: LoweringContext) -> None:
    for refused, text in (
        (np.ndim(inputs) != 3, "inputs is not a 3-Tensor"),
        (np.ndim(steps) != 1, "sequence_length is not a vector"),
        (np.ndim(indices) != 2, "labels_indices is not a matrix"),
        (np.ndim(values) != 1, "labels_values is not a vector"),
    ):
        if refused:
            refuse(ctx, text)
    batch = np.shape(inputs)[1]
    if np.shape(steps)[0] != batch:
        refuse(
            ctx,
            f"len(sequence_length) != batch_size.  len(sequence_length):  {len(steps)} "
            f"batch_size: {batch}",
        )
    if len(indices) != len(values):
        refuse(
            ctx,
            "labels_indices and labels_values must contain the same number of rows, but saw "
            f"shapes: {text_of_shape(indices)} vs. {text_of_shape(values)}",
        )
    if not batch:
        refuse(ctx, "batch_size must not be 0")
    if np.shape(indices)[1] != 2:
        refuse(ctx, "Order length must be SparseTensor rank.")


class _Worded:
    """A run whose errors begin with other words."""

    def __init__(self, ctx: LoweringContext, words: str):
        self._ctx, self._words = ctx, words

    def check(self, holds: Any, error_class: type, text: Any, **values: Any) -> None:
        self._ctx.check(holds, error_class, lambda **v: self._words + text(**v), **values)


@op("CTCLoss", host=True)
class CTCLoss:
    def shape(
        inputs: Any, labels_indices: Shape, labels_values: Shape, sequence_length: Shape
    ) -> Any:
        inputs = shapes.with_rank(inputs, 3)
        indices = shapes.with_rank(labels_indices, 2)
        values = shapes.with_rank(labels_values, 1)
        shapes.merge_dim(indices[0], values[0])
        batch = shapes.merge_dim(inputs[1], shapes.with_rank(sequence_length, 1)[0])
        return [(batch,), (inputs[0], batch, inputs[2])]

    def lower(
        inputs: Any, labels_indices: np.ndarray, labels_values: np.ndarray,
        sequence_length: np.ndarray,
        *, preprocess_collapse_repeated: bool, ctc_merge_repeated: bool,
        ignore_longer_outputs_than_inputs: bool, ctx: LoweringContext,
    ) -> Any:  # fmt: skip
        _check_loss(inputs, labels_indices, labels_values, sequence_length, ctx)
        time, batch, classes = np.shape(inputs)
        for b in np.flatnonzero(np.asarray(sequence_length) > time)[:1]:
            refuse(ctx, f"sequence_length({b}) <= {time}")
        indices = np.asarray(labels_indices)
        longest = int(indices[:, 1].max(initial=-1)) + 1
        check_order(indices, (batch, longest), _Worded(ctx, "label SparseTensor is not valid: "))
        given: list[list[int]] = [[] for _ in range(batch)]
        for b, value in zip(indices[:, 0].tolist(), labels_values.tolist(), strict=True):
            given[b].append(value)
        targets, left_out = _targets(
            given,
            sequence_length,
            classes,
            preprocess_collapse_repeated,
            ignore_longer_outputs_than_inputs,
            ctx,
        )
        if not time:
            return [np.zeros(batch, inputs.dtype), np.zeros_like(inputs)]
        targets = [[] if out else target for target, out in zip(targets, left_out, strict=True)]
        lengths = np.array([len(target) for target in targets], np.int32)
        padded = np.zeros((batch, max(lengths.max(), 1)), np.int32)
        for row, target in zip(padded, targets, strict=True):
            row[: len(target)] = target
        steps = np.where(left_out, 0, sequence_length).astype(np.int32)
        with np.errstate(all="ignore"):
            loss, grad = _loss(np.asarray(inputs), padded, lengths, steps, ctc_merge_repeated)
        return [np.where(steps == 0, 0, loss).astype(inputs.dtype), grad]

    def traced(
        inputs: Any, labels_indices: Any, labels_values: Any, sequence_length: Any,
        *, preprocess_collapse_repeated: bool, ctc_merge_repeated: bool,
        ignore_longer_outputs_than_inputs: bool, ctx: LoweringContext,
    ) -> Any:  # fmt: skip
        _check_loss(inputs, labels_indices, labels_values, sequence_length, ctx)
        time, _, classes = inputs.shape
        labels, lengths, steps = ctc_traced.dense_labels(
            labels_indices[:, 0],
            labels_values,
            sequence_length,
            (time, classes),
            preprocess_collapse_repeated,
            ignore_longer_outputs_than_inputs,
            ctx,
        )
        return ctc_traced.loss(inputs, labels, lengths, steps, ctc_merge_repeated)

    def gradient(op: Any, grad_loss: Any, _: Any) -> Gradients:
        fixed = array_ops.prevent_gradient(
            op.outputs[1],
            message="Currently there is no way to take the second  derivative of ctc_loss due to "
            "the fused implementation's interaction  with tf.gradients()",
        )
        return [array_ops.expand_dims(grad_loss, -1) * fixed, None, None, None]


# Decoders.


def _decoder_shapes(inputs: Any, sequence_length: Any) -> Any:
    inputs = shapes.with_rank(inputs, 3)
    return shapes.merge_dim(inputs[1], shapes.with_rank(sequence_length, 1)[0])


def _check_decoder(inputs: Any, steps: Any, ctx: LoweringContext) -> None:
    if np.ndim(inputs) != 3:
        refuse(ctx, "inputs is not a 3-Tensor")
    if np.ndim(steps) != 1:
        refuse(ctx, "sequence_length is not a vector")
    time, batch, _ = np.shape(inputs)
    text = ""
    if not time:
        refuse(ctx, "max_time is 0")
    if len(steps) != batch:
        text = (
            f"len(sequence_length) != batch_size.  len(sequence_length):  {len(steps)} "
            f"batch_size: {batch}"
        )
    elif (np.asarray(steps) > time).any():
        text = f"sequence_length({int(np.argmax(np.asarray(steps) > time))}) <= {time}"
    ctx.check(not text, errors.FailedPreconditionError, lambda: text)


def _as_sparse(sequences: list[list[int]]) -> list[np.ndarray]:
    """[indices, values, dense shape] of a sequence a row."""
    indices = [(b, i) for b, sequence in enumerate(sequences) for i in range(len(sequence))]
    longest = max((len(sequence) for sequence in sequences), default=0)
    return [
        np.array(indices, np.int64).reshape(len(indices), 2),
        np.array([value for sequence in sequences for value in sequence], np.int64),
        np.array([len(sequences), longest], np.int64),
    ]


@op("CTCGreedyDecoder", host=True)
class CTCGreedyDecoder:
    def shape(inputs: Any, sequence_length: Shape) -> Any:
        return [(None, 2), (None,), (2,), (_decoder_shapes(inputs, sequence_length), 1)]

    def lower(
        inputs: Any, sequence_length: np.ndarray, *, merge_repeated: bool, ctx: LoweringContext
    ) -> Any:
        _check_decoder(inputs, sequence_length, ctx)
        inputs = np.asarray(inputs)
        blank = inputs.shape[2] - 1
        best = inputs.argmax(axis=2)
        highest = inputs.max(axis=2)
        sequences, scores = [], []
        for b, steps in enumerate(sequence_length.tolist()):
            path = best[: max(steps, 0), b]
            kept = path != blank
            if merge_repeated:
                kept[1:] &= path[1:] != path[:-1]
            sequences.append(path[kept].tolist())
            scores.append(-highest[: max(steps, 0), b].sum(dtype=inputs.dtype))
        return [*_as_sparse(sequences), np.array(scores, inputs.dtype).reshape(-1, 1)]


@op("CTCBeamSearchDecoder", host=True)
class CTCBeamSearchDecoder:
    def shape(inputs: Any, sequence_length: Shape, *, top_paths: int) -> Any:
        batch = _decoder_shapes(inputs, sequence_length)
        parts = [(None, 2)] * top_paths + [(None,)] * top_paths + [(2,)] * top_paths
        return [*parts, (batch, top_paths)]

    def lower(
        inputs: Any, sequence_length: np.ndarray, *, beam_width: int, top_paths: int,
        merge_repeated: bool, ctx: LoweringContext,
    ) -> Any:  # fmt: skip
        _check_decoder(inputs, sequence_length, ctx)
        inputs = np.asarray(inputs)
        paths: list[list[list[int]]] = [[] for _ in range(top_paths)]
        scores = np.zeros((inputs.shape[1], top_paths), inputs.dtype)
        for b, steps in enumerate(sequence_length.tolist()):
            found = search(inputs[: max(steps, 0), b], beam_width)
            if len(found) < top_paths:
                refuse(
                    ctx,
                    "Less leaves in the beam search than requested."
                    if (top_paths <= beam_width)
                    else "requested more paths than the beam width.",
                )
            for i in range(top_paths):
                score, labels = found[i]
                if merge_repeated:
                    labels = [x for n, x in enumerate(labels) if not n or x != labels[n - 1]]
                paths[i].append(labels)
                scores[b, i] = score
        parts = [_as_sparse(sequences) for sequences in paths]
        return [*(part[k] for k in range(3) for part in parts), scores]


not_differentiable("CTCGreedyDecoder", "CTCBeamSearchDecoder")
