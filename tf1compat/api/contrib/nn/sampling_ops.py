"""Softmax losses over sampled classes (`tensorflow.contrib.nn.python.ops.sampling_ops`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops, gather_ops
from tf1compat.api.math import math_ops
from tf1compat.api.nn import candidate_sampling_ops, embedding_ops, nn_ops, nn_sampled, nn_softmax
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name, TensorLike


def _rank_resample(
    weights: TensorLike, biases: Any, inputs: TensorLike, sampled_values: Any, num_resampled: Any,
    resampling_temperature: Any, partition_strategy: str,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    """The sampled classes that the batch as a whole finds likeliest.

    Returns:
      What a candidate sampler returns: classes, expected counts of the true ones and of these.
    """
    sampled, true_expected_count, sampled_expected_count = sampled_values
    sampled = math_ops.cast(array_ops.stop_gradient(sampled), dtypes.int64)
    true_expected_count = array_ops.stop_gradient(true_expected_count)
    sampled_expected_count = array_ops.stop_gradient(sampled_expected_count)
    reweighted_inputs = inputs / resampling_temperature

    def logsumexp_logit(embeddings: Any) -> Tensor:
        logits = math_ops.matmul(embeddings, reweighted_inputs, transpose_b=True)
        return math_ops.reduce_logsumexp(logits, axis=1, keepdims=False)

    # The logits of a shard are summed up where the shard is.
    logits = embedding_ops._embedding_lookup_and_transform(
        weights, sampled, partition_strategy, transform_fn=logsumexp_logit
    )
    sampled_biases = array_ops.reshape(
        embedding_ops.embedding_lookup(biases, sampled, partition_strategy), [-1]
    )
    logits += sampled_biases / resampling_temperature
    _, indices = nn_ops.top_k(logits, k=num_resampled, sorted=False)
    resampled = gather_ops.gather(sampled, indices=indices)
    expected_count = gather_ops.gather(sampled_expected_count, indices=indices)
    return resampled, true_expected_count, expected_count


@tf_export("contrib.nn.rank_sampled_softmax_loss")
def rank_sampled_softmax_loss(
    weights: TensorLike, biases: Any, labels: TensorLike, inputs: TensorLike, num_sampled: Any,
    num_resampled: Any,
    num_classes: int, num_true: Any, sampled_values: Any, resampling_temperature: Any,
    remove_accidental_hits: Any, partition_strategy: Any, name: Name = None,
) -> Tensor:  # fmt: skip
    """`tf.nn.sampled_softmax_loss` over those of the sampled classes that are likeliest.

    Args:
      weights, biases: of the classes: [num_classes, size] and [num_classes], or shards of them.
      labels: the true classes, int64 [batch, num_true].
      inputs: [batch, size].
      num_sampled: how many classes are sampled.
      num_resampled: how many of them are kept.
      num_classes: the number of classes.
      num_true: how many true classes each example has.
      sampled_values: what a candidate sampler gave; None for a learned unigram sampler.
      resampling_temperature: a scalar by which the inputs are divided for the choice.
      remove_accidental_hits: whether a sampled class that is a true one counts for nothing.
      partition_strategy: how classes are spread over shards: "div" or "mod".
      name: the operation's name.

    Returns:
      The losses [batch].

    Raises:
      ValueError: the numbers don't fit together, or `partition_strategy` is unknown.
    """
    if num_sampled > num_classes:
        raise ValueError(
            f"num_sampled ({num_sampled}) cannot be greater than num_classes ({num_classes})"
        )
    if num_sampled <= num_resampled:
        raise ValueError(
            f"num_resampled ({num_resampled}) must be less than num_sampled ({num_sampled})"
        )
    if partition_strategy not in ("div", "mod"):
        raise ValueError(f"unsupported partition_strategy ({partition_strategy})")
    values = [weights, biases, labels, inputs, sampled_values, resampling_temperature]
    with ops.name_scope(name, "rank_sampled_softmax_loss", values) as name:
        if not sampled_values:
            sampled_values = candidate_sampling_ops.learned_unigram_candidate_sampler(
                true_classes=labels, num_true=num_true, num_sampled=num_sampled, unique=True,
                range_max=num_classes,
            )  # fmt: skip
        resampled_values = _rank_resample(
            weights, biases, inputs, sampled_values, num_resampled, resampling_temperature,
            partition_strategy,
        )  # fmt: skip
        return nn_sampled.sampled_softmax_loss(
            weights=weights, biases=biases, labels=labels, inputs=inputs,
            num_sampled=num_resampled, num_classes=num_classes, num_true=num_true,
            sampled_values=resampled_values, remove_accidental_hits=remove_accidental_hits,
            partition_strategy=partition_strategy, name=name,
        )  # fmt: skip


@tf_export("contrib.nn.sampled_sparse_softmax_loss")
def sampled_sparse_softmax_loss(
    weights: TensorLike, biases: Any, labels: TensorLike, inputs: TensorLike, num_sampled: Any,
    num_classes: int,
    sampled_values: Any = None, remove_accidental_hits: bool = True,
    partition_strategy: str = "mod", name: Name = "sampled_sparse_softmax_loss",
) -> Tensor:  # fmt: skip
    """`tf.nn.sampled_softmax_loss` with one true class for each example.

    Args:
      weights, biases: of the classes: [num_classes, size] and [num_classes], or shards of them.
      labels: the true classes, int64 [batch, 1].
      inputs: [batch, size].
      num_sampled: how many classes are sampled.
      num_classes: the number of classes.
      sampled_values: what a candidate sampler gave; None for a log-uniform sampler.
      remove_accidental_hits: whether a sampled class that is a true one counts for nothing.
      partition_strategy: how classes are spread over shards: "div" or "mod".
      name: the operation's name.

    Returns:
      The losses [batch].
    """
    logits, _ = nn_sampled._compute_sampled_logits(
        weights=weights, biases=biases, labels=labels, inputs=inputs, num_sampled=num_sampled,
        num_classes=num_classes, num_true=1, sampled_values=sampled_values, subtract_log_q=True,
        remove_accidental_hits=remove_accidental_hits, partition_strategy=partition_strategy,
        name=name,
    )  # fmt: skip
    # The true class is the first logit.
    labels = array_ops.zeros([array_ops.shape(logits)[0], 1], dtype=dtypes.int64)
    return nn_softmax.sparse_softmax_cross_entropy_with_logits(
        labels=array_ops.squeeze(labels), logits=logits
    )
