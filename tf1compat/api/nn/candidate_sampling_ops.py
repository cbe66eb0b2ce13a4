"""`tensorflow.python.ops.candidate_sampling_ops`: classes to train against, sampled.

Every sampler takes `true_classes` (int64, [batch, num_true]) and returns a namedtuple:
`sampled_candidates` (int64, [num_sampled]), `true_expected_count` (float32, [batch, num_true]) and
`sampled_expected_count` (float32, [num_sampled]), the counts being how often a class is expected
among the samples.  With `unique`, no class is drawn twice, which takes as many tries as it takes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tf1compat.api.random import random_seed
from tf1compat.core import raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import TensorLike


def _sampler(op_type: str, what: str) -> Callable[..., Any]:
    """`tf.nn.OP_TYPE`, which draws classes as `what` says."""
    record = raw_ops.function(op_type)

    def sampler(
        true_classes: TensorLike,
        num_true: int,
        num_sampled: int,
        unique: bool,
        range_max: int,
        seed: int | None = None,
        name: str | None = None,
    ) -> Any:
        seed, seed2 = random_seed.get_seed(seed)
        return record(
            true_classes,
            num_true=num_true,
            num_sampled=num_sampled,
            unique=unique,
            range_max=range_max,
            seed=seed,
            seed2=seed2,
            name=name,
        )

    function: Any = sampler
    public = function.__name__ = function.__qualname__ = raw_ops.snake_case(op_type)
    function.__doc__ = f"""Classes drawn {what}

    Raises (when it runs):
      InvalidArgumentError: `unique`, and there are not enough classes.

    Args:
      true_classes: int64 [batch, num_true].
      num_true: the true classes of one example.
      num_sampled: how many to draw.
      unique: whether each is drawn once at most.
      range_max: the number of classes.
      seed: the operation's seed, beside the graph's.
      name: the operation's name.

    Returns:
      int64 [num_sampled], the classes; float32 [batch, num_true] and [num_sampled], how often true
      and sampled classes are expected.
    """
    return tf_export(f"random.{public}", f"nn.{public}")(function)


uniform_candidate_sampler = _sampler(
    "UniformCandidateSampler", "uniformly from [0, range_max), as in TF 1.15."
)
log_uniform_candidate_sampler = _sampler(
    "LogUniformCandidateSampler",
    """by Zipf's law: class k has probability log((k+2)/(k+1)) / log(range_max+1).

    As in TF 1.15; it suits classes sorted by falling frequency.""",
)
learned_unigram_candidate_sampler = _sampler(
    "LearnedUnigramCandidateSampler",
    "as often as they were true classes of earlier runs, plus 1; as in TF 1.15.",
)


@tf_export("random.fixed_unigram_candidate_sampler", "nn.fixed_unigram_candidate_sampler")
def fixed_unigram_candidate_sampler(
    true_classes: TensorLike,
    num_true: int,
    num_sampled: int,
    unique: bool,
    range_max: int,
    vocab_file: str = "",
    distortion: float = 1.0,
    num_reserved_ids: int = 0,
    num_shards: int = 1,
    shard: int = 0,
    unigrams: Sequence[float] = (),
    seed: int | None = None,
    name: str | None = None,
) -> Any:
    """Classes drawn by given weights, as in TF 1.15.

    Args:
      true_classes, num_true, num_sampled, unique, range_max, seed, name: as in
        `uniform_candidate_sampler`.
      vocab_file: file whose lines end in ",weight".
      distortion: exponent of the weights.
      num_reserved_ids: how many ids of weight 0 come before the given ones.
      num_shards, shard: draw only from the classes `shard`, `shard + num_shards`, …, renumbered.
      unigrams: the weights, in place of a file.

    Returns:
      As `uniform_candidate_sampler`.

    Raises (when it runs):
      InvalidArgumentError: not one of `vocab_file` and `unigrams`; not `range_max` weights.
    """
    seed, seed2 = random_seed.get_seed(seed)
    return raw_ops.FixedUnigramCandidateSampler(
        true_classes,
        num_true=num_true,
        num_sampled=num_sampled,
        unique=unique,
        range_max=range_max,
        vocab_file=vocab_file,
        distortion=distortion,
        num_reserved_ids=num_reserved_ids,
        num_shards=num_shards,
        shard=shard,
        unigrams=unigrams,
        seed=seed,
        seed2=seed2,
        name=name,
    )


@tf_export("random.all_candidate_sampler", "nn.all_candidate_sampler")
def all_candidate_sampler(
    true_classes: TensorLike,
    num_true: int,
    num_sampled: int,
    unique: bool,
    seed: int | None = None,
    name: str | None = None,
) -> Any:
    """All classes, 0 to num_sampled - 1, each expected once; as in TF 1.15.

    Args:
      true_classes, num_true, unique, seed, name: as in `uniform_candidate_sampler`.
      num_sampled: the number of classes.

    Returns:
      As `uniform_candidate_sampler`.
    """
    seed, seed2 = random_seed.get_seed(seed)
    return raw_ops.AllCandidateSampler(
        true_classes,
        num_true=num_true,
        num_sampled=num_sampled,
        unique=unique,
        seed=seed,
        seed2=seed2,
        name=name,
    )


@tf_export("nn.compute_accidental_hits")
def compute_accidental_hits(
    true_classes: TensorLike,
    sampled_candidates: TensorLike,
    num_true: int,
    seed: int | None = None,
    name: str | None = None,
) -> Any:
    """Which sampled classes are true classes of a row, as in TF 1.15.

    Args:
      true_classes: int64, [batch, num_true].
      sampled_candidates: int64, [num_sampled].
      num_true: true classes of a row.
      seed: of the op; nothing is drawn.
      name: name of the op.

    Returns:
      (rows int32, places among the samples int64, weights float32), a hit each; the weights are the
      lowest float.
    """
    seed, seed2 = random_seed.get_seed(seed)
    return raw_ops.ComputeAccidentalHits(
        true_classes, sampled_candidates, num_true=num_true, seed=seed, seed2=seed2, name=name
    )
