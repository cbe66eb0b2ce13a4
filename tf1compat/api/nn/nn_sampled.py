"""Losses over a sample of the classes: NCE and sampled softmax (a part of TF's nn_impl)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.math import math_ops
from tf1compat.api.nn import candidate_sampling_ops, embedding_ops, nn_impl, nn_softmax
from tf1compat.api.variables import variables
from tf1compat.core import dtypes, ops, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import TensorLike

__all__ = ["nce_loss", "sampled_softmax_loss"]


def _sum_rows(x: Tensor) -> Tensor:
    """The sums of a matrix's rows, by a product: its gradient is cheaper than reduce_sum's."""
    columns = array_ops.shape(x)[1]
    ones = array_ops.ones(array_ops.stack([columns, 1]), x.dtype)
    return array_ops.reshape(math_ops.matmul(x, ones), [-1])


def _column(vector: Tensor) -> Tensor:
    return array_ops.reshape(vector, [-1, 1])


def _without_hits(
    logits: Tensor, labels: Tensor, sampled: Tensor, num_true: int, count: int
) -> Tensor:
    """The sampled logits, lowered to nothing where the class is a true one of the row."""
    rows, ids, weights = candidate_sampling_ops.compute_accidental_hits(
        labels, sampled, num_true=num_true
    )
    rows, ids = _column(rows), _column(math_ops.cast(ids, dtypes.int32))
    indices = array_ops.concat([rows, ids], 1, "sparse_indices")
    shape = array_ops.concat([array_ops.shape(labels)[:1], array_ops.expand_dims(count, 0)], 0)
    if logits.dtype != weights.dtype:
        weights = math_ops.cast(weights, logits.dtype)
    return logits + raw_ops.SparseToDense(
        indices, shape, weights, default_value=0.0, validate_indices=False
    )


def _true_logits(inputs: TensorLike, rows: Tensor, num_true: int) -> Tensor:
    """The products [batch, num_true] of each input and the rows of its true classes."""
    width = array_ops.shape(rows)[1:2]
    per_input = array_ops.concat([[-1, num_true], width], 0)
    products = math_ops.multiply(
        array_ops.expand_dims(inputs, 1), array_ops.reshape(rows, per_input)
    )
    products = array_ops.reshape(products, array_ops.concat([[-1], width], 0))
    return array_ops.reshape(_sum_rows(products), [-1, num_true])


def _compute_sampled_logits(
    weights: Any,
    biases: Any,
    labels: Any,
    inputs: Any,
    num_sampled: int,
    num_classes: int,
    num_true: int = 1,
    sampled_values: Any = None,
    subtract_log_q: bool = True,
    remove_accidental_hits: bool = False,
    partition_strategy: str = "mod",
    name: str | None = None,
    seed: int | None = None,
) -> tuple[Tensor, Tensor]:
    """(logits, labels) of the true and the sampled classes, both [batch, num_true + num_sampled].

    The arguments are those of `sampled_softmax_loss`; `subtract_log_q` says whether the logits are
    lowered by how often their class is expected.
    """
    is_many = isinstance(weights, list | variables.PartitionedVariable)
    weights = list(weights) if is_many else [weights]
    values = [*weights, biases, inputs, labels]
    with ops.name_scope(name, "compute_sampled_logits", values):
        if labels.dtype != dtypes.int64:
            labels = math_ops.cast(labels, dtypes.int64)
        flat_labels = array_ops.reshape(labels, [-1])
        if sampled_values is None:
            sampled_values = candidate_sampling_ops.log_uniform_candidate_sampler(
                true_classes=labels,
                num_true=num_true,
                num_sampled=num_sampled,
                unique=True,
                range_max=num_classes,
                seed=seed,
            )
        sampled, true_expected, sampled_expected = (
            array_ops.stop_gradient(value) for value in sampled_values
        )
        sampled = math_ops.cast(sampled, dtypes.int64)
        # Both kinds of classes are looked up at once.
        ids = array_ops.concat([flat_labels, sampled], 0)

        def looked_up(params: Any) -> Tensor:
            found = embedding_ops.embedding_lookup(
                params, ids, partition_strategy=partition_strategy
            )
            return found if found.dtype == inputs.dtype else math_ops.cast(found, inputs.dtype)

        rows = looked_up(weights)
        true_size = array_ops.stack([array_ops.shape(flat_labels)[0], -1])
        true_rows = array_ops.slice(rows, [0, 0], true_size)
        sampled_start = array_ops.stack([array_ops.shape(flat_labels)[0], 0])
        sampled_rows = array_ops.slice(rows, sampled_start, [-1, -1])
        sampled_logits = math_ops.matmul(inputs, sampled_rows, transpose_b=True)

        offsets = looked_up(biases)
        true_offsets = array_ops.slice(offsets, [0], array_ops.shape(flat_labels))
        sampled_offsets = array_ops.slice(offsets, array_ops.shape(flat_labels), [-1])

        true_logits = _true_logits(inputs, true_rows, num_true)
        true_logits += array_ops.reshape(true_offsets, [-1, num_true])
        sampled_logits += sampled_offsets

        if remove_accidental_hits:
            sampled_logits = _without_hits(sampled_logits, labels, sampled, num_true, num_sampled)
        if subtract_log_q:
            true_logits -= math_ops.log(true_expected)
            sampled_logits -= math_ops.log(sampled_expected)

        out_logits = array_ops.concat([true_logits, sampled_logits], 1)
        # The labels of a row sum to 1.
        out_labels = array_ops.concat(
            [array_ops.ones_like(true_logits) / num_true, array_ops.zeros_like(sampled_logits)], 1
        )
        return out_logits, out_labels


@tf_export("nn.nce_loss")
def nce_loss(
    weights: TensorLike,
    biases: Any,
    labels: TensorLike,
    inputs: TensorLike,
    num_sampled: int,
    num_classes: int,
    num_true: int = 1,
    sampled_values: Any = None,
    remove_accidental_hits: bool = False,
    partition_strategy: str = "mod",
    name: str | None = "nce_loss",
) -> Tensor:
    """The noise-contrastive estimation loss, as in TF 1.15 (Gutmann and Hyvärinen, 2010).

    Args:
      weights: [num_classes, dim], or its partitions.
      biases: [num_classes].
      labels: int64, [batch, num_true].
      inputs: [batch, dim].
      num_sampled: how many noise classes are drawn for the batch.
      num_classes: how many classes there are.
      num_true: how many true classes a row has.
      sampled_values: what a candidate sampler returned; by default a log-uniform one is used.
      remove_accidental_hits: whether noise classes that are true ones of a row are left out there.
      partition_strategy: "mod" or "div", of `weights`.
      name: of the name scope.

    Returns:
      The losses, [batch].
    """
    logits, labels = _compute_sampled_logits(
        weights=weights,
        biases=biases,
        labels=labels,
        inputs=inputs,
        num_sampled=num_sampled,
        num_classes=num_classes,
        num_true=num_true,
        sampled_values=sampled_values,
        subtract_log_q=True,
        remove_accidental_hits=remove_accidental_hits,
        partition_strategy=partition_strategy,
        name=name,
    )
    return _sum_rows(
        nn_impl.sigmoid_cross_entropy_with_logits(
            labels=labels, logits=logits, name="sampled_losses"
        )
    )


@tf_export("nn.sampled_softmax_loss")
def sampled_softmax_loss(
    weights: TensorLike,
    biases: Any,
    labels: TensorLike,
    inputs: TensorLike,
    num_sampled: int,
    num_classes: int,
    num_true: int = 1,
    sampled_values: Any = None,
    remove_accidental_hits: bool = True,
    partition_strategy: str = "mod",
    name: str | None = "sampled_softmax_loss",
    seed: int | None = None,
) -> Tensor:
    """The softmax loss over the true classes and a sample of the others, as in TF 1.15.

    Args:
      weights, biases, labels, inputs, num_sampled, num_classes, num_true, sampled_values,
        remove_accidental_hits, partition_strategy, name: as in `nce_loss`.
      seed: the seed of the sampler.

    Returns:
      The losses, [batch].
    """
    logits, labels = _compute_sampled_logits(
        weights=weights,
        biases=biases,
        labels=labels,
        inputs=inputs,
        num_sampled=num_sampled,
        num_classes=num_classes,
        num_true=num_true,
        sampled_values=sampled_values,
        subtract_log_q=True,
        remove_accidental_hits=remove_accidental_hits,
        partition_strategy=partition_strategy,
        name=name,
        seed=seed,
    )
    labels = array_ops.stop_gradient(labels, name="labels_stop_gradient")
    return nn_softmax.softmax_cross_entropy_with_logits_v2(labels=labels, logits=logits)
