"""Candidate samplers: TF 1.15's own draws of classes, and the counts to expect of them.

A *try* is one draw of a class. Without repeats, tries go on until enough distinct classes are
found, and the number of tries decides the expected counts.
"""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tf1compat.backend import at, jax, jnp, lax
from tf1compat.core import errors, shapes
from tf1compat.core.op_registry import Shape, op
from tf1compat.core.typing import LoweringContext
from tf1compat.kernels.array.padded_rows import of_hits
from tf1compat.kernels.framework.common import known, refuse
from tf1compat.kernels.random import philox

Array = Any
# Of one chunk of tries: the classes, which tries count, and where in the stream the next starts.
Draw = Callable[[Array], tuple[Array, Array, Array]]

u32 = np.uint32

# 32-bit words that TF sets aside for each sampled class, in steps of four.
_RESERVED_PER_SAMPLE = 512


def _shape(true_classes: Shape, *, num_true: int, num_sampled: int) -> Any:
    rows = shapes.with_rank(true_classes, 2)[0]
    return [(num_sampled,), (rows, num_true), (num_sampled,)]


def _check(
    true_classes: Any, num_true: int, num_sampled: int, classes: int | None, ctx: LoweringContext
):
    """TF's run-time checks; `classes` is None where repeats are allowed."""
    if np.ndim(true_classes) != 2:
        refuse(ctx, "true_classes must be a matrix")
    if np.shape(true_classes)[1] != num_true:
        found = np.shape(true_classes)[1]
        refuse(ctx, f"true_classes must have num_true columns, expected: {found} was: {num_true}")
    if classes is not None and num_sampled > classes:
        refuse(ctx, "Sampler's range is too small.")


def _new(picked: Array, chunk: Array, counts: Array) -> Array:
    """Which of a chunk's tries that count give a class for the first time."""
    # A try that doesn't count is no class at all, and hides none.
    values = jnp.concatenate([picked, jnp.where(counts, chunk, -1)])
    order = jnp.argsort(values, stable=True)
    ranked = values[order]
    repeats = jnp.concatenate([jnp.zeros(1, bool), ranked[1:] == ranked[:-1]])
    first = at(jnp.zeros(values.shape, bool))[order].set(~repeats)
    return first[picked.size :] & counts


def _sample(draw: Draw, start: Array, num_sampled: int, unique: bool) -> tuple[Array, Array]:
    """`num_sampled` classes (int64) and the number of tries (int32) that they took."""

    def attempt(state: tuple[Array, ...]) -> tuple[Array, ...]:
        picked, count, tries, place = state
        chunk, counts, place = draw(place)
        taken = _new(picked, chunk, counts) if unique else counts
        rank = count + jnp.cumsum(taken.astype(np.int32))
        taken &= rank <= num_sampled
        # What isn't taken goes nowhere.
        picked = at(picked)[jnp.where(taken, rank - 1, num_sampled)].set(chunk, mode="drop")
        # A try is made as long as some class is lacking when it comes.
        made = counts & (rank - taken < num_sampled)
        count = jnp.minimum(rank[-1], num_sampled)
        return picked, count, tries + jnp.sum(made, dtype=np.int32), place

    none = np.zeros((), np.int32)
    state = (np.full(num_sampled, -1, np.int64), none, none, start)
    picked, _, tries, _ = lax.while_loop(lambda s: s[1] < num_sampled, attempt, state)
    return picked, tries


def _expected(probability: Array, num_sampled: int, tries: Array) -> Array:
    """How often a class of that probability (float32) is expected among the samples."""
    distinct = -jnp.expm1(tries.astype(np.float32) * jnp.log1p(-probability))
    return jnp.where(tries == num_sampled, probability * np.float32(num_sampled), distinct)


def _unbiased(words: Array, n: int) -> tuple[Array, Array]:
    """Integers below `n` made of unsigned words, and which of the words are fit for one."""
    unsigned = words.dtype.type
    if n & (n - 1) == 0:
        return words & unsigned(n - 1), jnp.ones(words.shape, bool)
    least = np.iinfo(words.dtype).max % n + 1
    return words % unsigned(n), words >= unsigned(least)


def _steps(count: int) -> Array:
    return lax.iota(np.uint32, count)


def _chunk(num_sampled: int, unique: bool, key: Array) -> int:
    """How many tries are drawn at a time: on NumPy values a second chunk costs as much again."""
    return 2 * num_sampled if unique and known(key) else num_sampled


def _pairs(key: Array, counter: Array, place: Array, count: int) -> tuple[Array, Array]:
    """The first and the second words of `count` pairs of the stream, from `place` on."""
    if known(place):
        words = philox.words_from(key, counter, int(place), 2 * count)
        return words[::2], words[1::2]
    first = place + u32(2) * _steps(count)
    return philox.words_at(key, counter, first), philox.words_at(key, counter, first + u32(1))


@functools.partial(jax.jit, static_argnames=("num_sampled", "unique", "classes"))
def _uniform(key: Array, counter: Array, *, num_sampled: int, unique: bool, classes: int):
    size = _chunk(num_sampled, unique, key)

    def draw(place: Array) -> tuple[Array, Array, Array]:
        low, high = _pairs(key, counter, place, size)
        word = high.astype(np.uint64) << np.uint64(32) | low.astype(np.uint64)
        chosen, fit = _unbiased(word, classes)
        return chosen.astype(np.int64), fit, place + u32(2 * size)

    return _sample(draw, np.zeros((), u32), num_sampled, unique)


@functools.partial(jax.jit, static_argnames=("num_sampled", "unique", "classes"))
def _log_uniform(key: Array, counter: Array, *, num_sampled: int, unique: bool, classes: int):
    size = _chunk(num_sampled, unique, key)

    def draw(place: Array) -> tuple[Array, Array, Array]:
        words = _pairs(key, counter, place, size)
        chosen = jnp.exp(philox.unit_float64(*words) * np.log1p(classes)).astype(np.int64) - 1
        return chosen % classes, jnp.ones(size, bool), place + u32(2 * size)

    return _sample(draw, np.zeros((), u32), num_sampled, unique)


@functools.partial(jax.jit, static_argnames=("num_sampled", "unique"))
def _by_alias(
    key: Array, counter: Array, keep: Array, alias: Array, *, num_sampled: int, unique: bool
):
    """Draws by Walker's alias method: a fraction, then a class that it keeps or trades."""
    steps = _steps(num_sampled)

    def draw(place: Array) -> tuple[Array, Array, Array]:
        # Where the first try takes its fraction and its class; a word unfit for a class is passed
        # over, and what comes after it moves on by one.
        fraction, choice = place
        fractions = jnp.where(steps == 0, fraction, choice + u32(2) * steps - u32(1))
        choices = choice + u32(2) * steps
        chosen, fit = _unbiased(philox.words_at(key, counter, choices), keep.size)
        kept = philox.unit_float32(philox.words_at(key, counter, fractions)) < keep[chosen]
        fit &= lax.cummin(fit.astype(np.int32)).astype(bool)
        done = jnp.sum(fit, dtype=np.int32)
        broken = jnp.minimum(done, num_sampled - 1)
        after = jnp.where(
            done < num_sampled,
            jnp.stack([fractions[broken], choices[broken] + u32(1)]),
            jnp.stack([choices[-1] + u32(1), choices[-1] + u32(2)]),
        )
        return jnp.where(kept, chosen.astype(np.int64), alias[chosen]), fit, after

    return _sample(draw, np.array([0, 1], u32), num_sampled, unique)


def _results(drawn: Any, true_classes: Any, probability: Callable[[Array], Array]) -> list[Array]:
    """The outputs of a sampler that drew `_sample`'s (classes, tries)."""
    sampled, tries = drawn
    expected = [
        _expected(probability(jnp.asarray(ids)).astype(np.float32), sampled.size, tries)
        for ids in (true_classes, sampled)
    ]
    return [sampled, *expected]


def _over_range(draw: Any, probability: Callable[[Array, int], Array]) -> Callable[..., Any]:
    """The rule of a sampler whose distribution follows from the number of classes alone.

    Args:
      draw: `_uniform` or `_log_uniform`.
      probability: that of classes, where there are so many.
    """

    def lower(
        true_classes: Any,
        *,
        num_true: int,
        num_sampled: int,
        unique: bool,
        range_max: int,
        ctx: LoweringContext,
    ) -> Any:
        _check(true_classes, num_true, num_sampled, range_max if unique else None, ctx)
        key, counter = ctx.rng(reserve_128=_RESERVED_PER_SAMPLE * num_sampled)
        drawn = draw(key, counter, num_sampled=num_sampled, unique=unique, classes=range_max)
        return _results(drawn, true_classes, lambda ids: probability(ids, range_max))

    return lower


@op("UniformCandidateSampler", random=True)
class UniformCandidateSampler:
    shape = _shape
    lower = _over_range(_uniform, lambda ids, classes: jnp.full(ids.shape, 1.0 / classes))


@op("LogUniformCandidateSampler", random=True)
class LogUniformCandidateSampler:
    shape = _shape
    lower = _over_range(
        _log_uniform,
        lambda ids, classes: jnp.log((ids + 2.0) / (ids + 1.0)) / np.log1p(classes),
    )


@functools.lru_cache(maxsize=64)
def _alias_table(weights: tuple[float, ...]) -> tuple[np.ndarray, np.ndarray]:
    """What each class keeps of its fair share (float32), and the class that gets the rest."""
    share = np.array(weights, np.float64) * len(weights) / np.sum(weights, dtype=np.float64)
    alias = np.arange(len(weights), dtype=np.int64)
    low = [i for i, value in enumerate(share) if value < 1]
    high = [i for i, value in enumerate(share) if value >= 1]
    while low and high:
        poor, rich = low.pop(), high.pop()
        alias[poor] = rich
        share[rich] -= 1 - share[poor]
        (low if share[rich] < 1 else high).append(rich)
    share[low + high] = 1
    return share.astype(np.float32), alias


@functools.lru_cache(maxsize=8)
def _vocabulary_weights(path: str) -> tuple[float, ...]:
    """The last column of a file of comma-separated values."""
    with open(path, encoding="utf-8") as file:
        return tuple(float(line.rsplit(",", 1)[-1]) for line in file if line.strip())


@op("FixedUnigramCandidateSampler", random=True)
class FixedUnigramCandidateSampler:
    shape = _shape

    def lower(
        true_classes: Any,
        *,
        num_true: int,
        num_sampled: int,
        unique: bool,
        range_max: int,
        vocab_file: str,
        distortion: float,
        num_reserved_ids: int,
        num_shards: int,
        shard: int,
        unigrams: Sequence[float],
        ctx: LoweringContext,
    ) -> Any:
        if not vocab_file and not unigrams:
            refuse(ctx, "Must provide either vocab_file or unigrams.")
        if vocab_file and unigrams:
            refuse(ctx, "Must only provide one of vocab_file and unigrams.")
        _check(true_classes, num_true, num_sampled, range_max if unique else None, ctx)
        if vocab_file:
            try:
                unigrams = _vocabulary_weights(vocab_file)
            except FileNotFoundError:
                text = f"{vocab_file}; No such file or directory"
                ctx.check(False, errors.NotFoundError, text)
        given = np.power(np.asarray(unigrams, np.float32), np.float32(distortion))
        reserved = np.zeros(num_reserved_ids, np.float32)[shard::num_shards]
        # As in TF, the shards of the given weights are counted from what is left of the reserved.
        weights = np.concatenate(
            [reserved, given[(shard - reserved.size) % num_shards :: num_shards]]
        )
        if weights.size != range_max:
            # The real TF aborts the process here.
            refuse(ctx, f"Check failed: range == weights_.size() ({range_max} vs. {weights.size})")
        keep, alias = _alias_table(tuple(weights.tolist()))
        key, counter = ctx.rng(reserve_128=_RESERVED_PER_SAMPLE * num_sampled)
        drawn = _by_alias(
            key,
            counter,
            jnp.asarray(keep),
            jnp.asarray(alias),
            num_sampled=num_sampled,
            unique=unique,
        )
        probabilities = jnp.asarray(weights / np.float32(np.sum(weights, dtype=np.float64)))

        def probability(ids: Array) -> Array:
            inside = (ids >= 0) & (ids < range_max)
            return jnp.where(inside, probabilities[jnp.clip(ids, 0, range_max - 1)], 0)

        return _results(drawn, true_classes, probability)


_words_at = jax.jit(philox.words_at)

# The learned weights of each session's samplers: a class starts at 1 and gains 1 whenever it is a
# true class.
_learned: weakref.WeakKeyDictionary[Any, dict[Any, np.ndarray]] = weakref.WeakKeyDictionary()


@op(
    "LearnedUnigramCandidateSampler",
    "ThreadUnsafeUnigramCandidateSampler",
    random=True,
    host=True,
)
class LearnedUnigramCandidateSampler:
    shape = _shape

    def lower(
        true_classes: Any,
        *,
        num_true: int,
        num_sampled: int,
        unique: bool,
        range_max: int,
        ctx: LoweringContext,
    ) -> Any:
        _check(true_classes, num_true, num_sampled, range_max if unique else None, ctx)
        samplers = _learned.setdefault(ctx.session, {})
        weights = samplers.setdefault(ctx.op, np.ones(range_max, np.int64))
        key, counter = ctx.rng(reserve_128=_RESERVED_PER_SAMPLE * num_sampled)
        sampled, tries = _by_weight(key, counter, weights, num_sampled, unique)
        probability = weights.astype(np.float32) / np.float32(weights.sum())
        expected = [
            np.asarray(_expected(probability[ids], num_sampled, np.int32(tries)))
            for ids in (np.asarray(true_classes), sampled)
        ]
        np.add.at(weights, np.asarray(true_classes).reshape(-1), 1)
        return [sampled, *expected]


def _by_weight(
    key: Any, counter: Any, weights: np.ndarray, num_sampled: int, unique: bool
) -> tuple[np.ndarray, int]:
    """`num_sampled` classes drawn with these weights (integers), and the number of tries."""
    ends = np.cumsum(weights)
    sampled: list[int] = []
    tries = place = 0
    while len(sampled) < num_sampled:
        index = np.arange(place, place + 2 * num_sampled, dtype=np.uint32)
        chosen, fit = _unbiased(np.asarray(_words_at(key, counter, index)), int(ends[-1]))
        place += index.size
        for value in np.searchsorted(ends, np.asarray(chosen)[np.asarray(fit)], side="right"):
            if len(sampled) < num_sampled:
                tries += 1
                if not unique or value not in sampled:
                    sampled.append(int(value))
    return np.array(sampled, np.int64), tries


@op("AllCandidateSampler", random=True)
class AllCandidateSampler:
    shape = _shape

    def lower(
        true_classes: Any, *, num_true: int, num_sampled: int, unique: bool, ctx: LoweringContext
    ) -> Any:
        _check(true_classes, num_true, num_sampled, num_sampled if unique else None, ctx)
        ones = [np.ones(shape, np.float32) for shape in (np.shape(true_classes), num_sampled)]
        return [np.arange(num_sampled, dtype=np.int64), *ones]


def _check_classes(
    true_classes: Any, sampled_candidates: Any, num_true: int, ctx: LoweringContext
) -> None:
    if np.ndim(true_classes) != 2 or np.shape(true_classes)[1] != num_true:
        refuse(ctx, "true_candidates must be a batch_size * num_true matrix")
    if np.ndim(sampled_candidates) != 1:
        text = "sampled_candidates must be a vector, which is typically an output "
        refuse(ctx, f"{text}from CandidateSampler")


@op("ComputeAccidentalHits", host=True, padding=of_hits)
class ComputeAccidentalHits:
    def shape(true_classes: Any, sampled_candidates: Shape, *, num_true: int) -> Any:
        columns = shapes.with_rank(true_classes, 2)[1]
        shapes.dim_with_value(columns, num_true)
        shapes.with_rank(sampled_candidates, 1)
        return [(None,)] * 3

    def lower(
        true_classes: Any, sampled_candidates: np.ndarray, *, num_true: int, ctx: LoweringContext
    ) -> Any:
        _check_classes(true_classes, sampled_candidates, num_true, ctx)
        places: dict[int, int] = {}
        for place, value in enumerate(np.asarray(sampled_candidates).tolist()):
            places[value] = place
        hits = [
            (row, places[value])
            for row, values in enumerate(np.asarray(true_classes).tolist())
            for value in values
            if value in places
        ]
        rows, ids = np.array(hits, np.int64).reshape(-1, 2).T
        weights = np.full(len(hits), np.finfo(np.float32).min, np.float32)
        return [rows.astype(np.int32), ids.copy(), weights]

    def padded(
        true_classes: Any, sampled_candidates: Any, *, num_true: int, ctx: LoweringContext
    ) -> Any:
        _check_classes(true_classes, sampled_candidates, num_true, ctx)
        size, limit = true_classes.size, sampled_candidates.size
        rows = jnp.arange(size, dtype=np.int32) // num_true
        equal = true_classes.reshape(-1, 1) == sampled_candidates
        # Of a class that was sampled twice, the last time.
        ids = jnp.max(jnp.where(equal, jnp.arange(limit, dtype=np.int64), -1), axis=1, initial=-1)
        hit = ids >= 0
        ctx.pad(jnp.sum(hit))
        order = jnp.argsort(~hit, stable=True)
        return [rows[order], ids[order], jnp.full(size, np.finfo(np.float32).min, np.float32)]
