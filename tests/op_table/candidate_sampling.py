"""Candidate samplers."""

from __future__ import annotations

from op_table.case import Case, val

TRUE = val([[1, 2], [3, 0]], "int64")


def _sampler(op, name, *args, label="", **kwargs):
    """A row for `tf.nn.<name>(true classes, 2, *args)`; None in `args` are checked to fail."""
    raises = kwargs.pop("raises", False)
    inputs = kwargs.pop("inputs", (TRUE,))

    def fn(tf, true_classes):
        return list(getattr(tf.nn, name)(true_classes, 2, *args, seed=3, **kwargs))

    return Case(op, fn, inputs, label=label, dtypes=("float32",), grad=(), raises=raises)


def _uniform(*args, **kwargs):
    return _sampler("UniformCandidateSampler", "uniform_candidate_sampler", *args, **kwargs)


def _log_uniform(*args, **kwargs):
    name = "log_uniform_candidate_sampler"
    return _sampler("LogUniformCandidateSampler", name, *args, **kwargs)


def _fixed(*args, **kwargs):
    name = "fixed_unigram_candidate_sampler"
    return _sampler("FixedUnigramCandidateSampler", name, *args, **kwargs)


def _learned(*args, **kwargs):
    name = "learned_unigram_candidate_sampler"
    return _sampler("LearnedUnigramCandidateSampler", name, *args, **kwargs)


def _thread_unsafe(tf, true_classes):
    return list(
        tf.raw_ops.ThreadUnsafeUnigramCandidateSampler(
            true_classes=true_classes,
            num_true=2,
            num_sampled=4,
            unique=True,
            range_max=6,
            seed=3,
            seed2=9,
        )
    )


def _hits(tf, true_classes, sampled):
    return list(tf.nn.compute_accidental_hits(true_classes, sampled, 2))


WEIGHTS = [1.0, 2.0, 3.0, 4.0, 5.0]

CASES = [
    _uniform(8, True, 10),
    _uniform(9, False, 7, label="repeats"),
    _uniform(4, True, 4, label="every_class"),
    _uniform(3, True, 8, label="power_of_two"),
    _uniform(8, True, 7, label="too_few", raises=True),
    _log_uniform(8, True, 50),
    _log_uniform(20, True, 21, label="many_tries"),
    _log_uniform(6, False, 1000, label="repeats"),
    _log_uniform(3, True, 2, label="too_few", raises=True),
    _fixed(3, True, 5, unigrams=WEIGHTS, distortion=0.75),
    _fixed(6, False, 8, unigrams=WEIGHTS, num_reserved_ids=3, label="reserved"),
    _fixed(
        4,
        False,
        5,
        unigrams=WEIGHTS,
        num_reserved_ids=3,
        num_shards=2,
        shard=0,
        label="shard",
    ),
    _fixed(3, False, 2, unigrams=WEIGHTS, num_shards=2, shard=1, label="other_shard"),
    _fixed(3, True, 5, label="no_weights", raises=True),
    _learned(4, True, 6),
    _learned(9, False, 6, label="repeats"),
    Case(
        "ThreadUnsafeUnigramCandidateSampler",
        _thread_unsafe,
        (TRUE,),
        dtypes=("float32",),
        grad=(),
    ),
    _sampler("AllCandidateSampler", "all_candidate_sampler", 4, True),
    _uniform(3, True, 5, label="wrong_columns", inputs=(val([[1], [2]], "int64"),), raises=True),
    _uniform(3, True, 5, label="vector", inputs=(val([1, 2], "int64"),), raises=True),
    Case(
        "ComputeAccidentalHits",
        _hits,
        (TRUE, val([0, 3, 1, 3], "int64")),
        dtypes=("float32",),
        grad=(),
    ),
    Case(
        "ComputeAccidentalHits",
        _hits,
        (TRUE, val([7, 9], "int64")),
        label="none",
        dtypes=("float32",),
        grad=(),
    ),
    Case(
        "ComputeAccidentalHits",
        _hits,
        (val([[1], [2]], "int64"), val([7, 9], "int64")),
        label="wrong_columns",
        dtypes=("float32",),
        grad=(),
        raises=True,
    ),
]
