"""What TF 1.15 draws besides uniforms and normals: gamma, Poisson, categories, permutations.

Built on `philox`, and like it pure functions of a key and a counter.  Gamma and Poisson take
float64 normals and uniforms two at a time from a block and hand out the second first, as TF does.
Where TF's numbers depend on how it shares the work among its threads (categorical draws of many
rows, parameterized truncated normals of many batches) these are the numbers of TF with one thread.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.backend import at, jax, jnp, lax
from tf1compat.kernels.math import libm
from tf1compat.kernels.random import philox

Array = Any

u32 = np.uint32
f64 = np.float64

# A rejection that goes on for so long (NaN parameters) ends with NaN; TF would loop for ever.
_MAX_BLOCKS = 1 << 16


def _own_stream(key: Array, counter: Array, output: Array) -> Callable[[Array], philox.Words]:
    """Each output's own stretch of the stream: a function of the number of a block in it."""
    low, high = output << u32(8), output >> u32(24)
    return lambda step: philox.block(key, counter, low + step, high)


class _Uniforms:
    """float64 uniforms for many lanes, each from a stream of its own."""

    def __init__(self, blocks: Callable[[Array], philox.Words], state: tuple[Array, Array, Array]):
        self._blocks = blocks
        self._next, self._spare, self._has_spare = state

    def take(self, wanted: Array) -> Array:
        drawn = self._blocks(self._next)
        fresh = wanted & ~self._has_spare
        value = jnp.where(self._has_spare, self._spare, philox.unit_float64(drawn[2], drawn[3]))
        self._spare = jnp.where(fresh, philox.unit_float64(drawn[0], drawn[1]), self._spare)
        self._next = self._next + fresh.astype(u32)
        self._has_spare = self._has_spare ^ wanted
        return value

    @property
    def state(self) -> tuple[Array, Array, Array]:
        return self._next, self._spare, self._has_spare


@functools.partial(jax.jit, static_argnames=("samples",))
def gamma(key: Array, counter: Array, samples: int, alpha: Array) -> Array:
    """RandomGamma: Marsaglia and Tsang's method, exponential for alpha 1.

    Args:
      key: uint32[2].
      counter: uint32[4].
      samples: how many to draw for each alpha.
      alpha: float64[alphas].

    Returns:
      float64[samples, alphas].
    """
    count = alpha.shape[0]
    blocks = _own_stream(key, counter, lax.iota(u32, samples * count))
    alpha = jnp.repeat(alpha, samples)
    boosted = alpha < 1
    d = alpha + jnp.where(boosted, 2 / 3, -1 / 3)
    c = 1 / 3 / jnp.sqrt(d)
    zero, false = jnp.zeros(alpha.shape, f64), jnp.zeros(alpha.shape, bool)

    def attempt(state: tuple[Any, ...]) -> tuple[Any, ...]:
        result, done, normal, has_normal, (step, *spare) = state
        first, second = philox.normal_pair_float64(blocks(step))
        x = jnp.where(has_normal, normal, second)
        uniforms = _Uniforms(blocks, (step + (~done & ~has_normal).astype(u32), *spare))
        v = 1 + c * x
        # NaN goes on, as in TF, and is accepted.
        positive = ~done & ~(v <= 0)
        v = v * v * v
        u = uniforms.take(positive)
        accepted = (u < 1 - 0.0331 * (x * x) * (x * x)) | (
            jnp.log(u) < 0.5 * x * x + d * (1 - v + jnp.log(v))
        )
        accepted &= positive
        return (
            jnp.where(accepted, d * v, result),
            done | accepted,
            jnp.where(has_normal, normal, first),
            ~has_normal,
            uniforms.state,
        )

    start = (zero, alpha == 1, zero, false, (jnp.zeros(alpha.shape, u32), zero, false))
    result, done, *_, state = lax.while_loop(
        lambda state: ~state[1].all() & (state[-1][0].max() < _MAX_BLOCKS), attempt, start
    )
    last = _Uniforms(blocks, state).take(~false)
    result = jnp.where(boosted, result * last ** (1 / alpha), result)
    result = jnp.where(alpha == 1, -jnp.log1p(-last), result)
    return jnp.where(done, result, np.nan).reshape(count, samples).T


@functools.partial(jax.jit, static_argnames=("samples", "highest"))
def poisson(key: Array, counter: Array, samples: int, rate: Array, highest: float) -> Array:
    """RandomPoissonV2: Knuth's method for rates below 10, transformed rejection (PTRS) above.

    Args:
      key: uint32[2].
      counter: uint32[4].
      samples: how many to draw for each rate.
      rate: float64[rates].
      highest: the largest number that the result's type holds; larger draws are rejected.

    Returns:
      float64[samples, rates], whole numbers.
    """
    count = rate.shape[0]
    blocks = _own_stream(key, counter, lax.iota(u32, samples * count))
    rate = jnp.repeat(rate, samples)
    small = rate < 10
    a_knuth = functools.partial(_knuth, blocks, rate, highest)
    a_ptrs = functools.partial(_ptrs, blocks, rate, highest)
    result, done, _ = _until_done(
        a_knuth, (jnp.zeros(rate.shape, f64), ~small, jnp.ones(rate.shape, f64))
    )
    large, done_large, _ = _until_done(a_ptrs, (jnp.zeros(rate.shape, f64), small, ()))
    result = jnp.where(done & done_large, jnp.where(small, result, large), np.nan)
    return result.reshape(count, samples).T


def _until_done(attempt: Callable[..., Any], state: tuple[Any, ...]) -> tuple[Any, ...]:
    """Runs `attempt(step, result, done, more)` with step 0, 1, … until all lanes are done."""

    def body(numbered: tuple[Any, ...]) -> tuple[Any, ...]:
        step, *state = numbered
        return (step + u32(1), *attempt(step, *state))

    start = (jnp.zeros((), u32), *state)
    return lax.while_loop(lambda s: ~s[2].all() & (s[0] < _MAX_BLOCKS), body, start)[1:]


def _knuth(
    blocks: Any,
    rate: Array,
    highest: float,
    step: Array,
    result: Array,
    done: Array,
    product: Array,
) -> tuple[Array, Array, Array]:
    """Counts uniforms until their product falls to exp(-rate), two a step."""
    w = blocks(jnp.broadcast_to(step, rate.shape))
    for u in (philox.unit_float64(w[2], w[3]), philox.unit_float64(w[0], w[1])):
        product = product * u
        done = done | (product <= jnp.exp(-rate)) & (result <= highest)
        result = jnp.where(done, result, result + 1)
    return result, done, product


def _ptrs(
    blocks: Any, rate: Array, highest: float, step: Array, result: Array, done: Array, more: Any
) -> tuple[Array, Array, Any]:
    """One attempt at PTRS (Hoermann, "The transformed rejection method for generating Poisson
    random variables", 1993)."""
    w = blocks(jnp.broadcast_to(step, rate.shape))
    u, v = philox.unit_float64(w[2], w[3]) - 0.5, philox.unit_float64(w[0], w[1])
    b = 0.931 + 2.53 * jnp.sqrt(rate)
    a = -0.059 + 0.02483 * b
    inverse_alpha = 1.1239 + 1.1328 / (b - 3.4)
    shifted = 0.5 - abs(u)
    k = jnp.floor((2 * a / shifted + b) * u + rate + 0.43)
    surely = (shifted >= 0.07) & (v <= 0.9277 - 3.6224 / (b - 2))
    never = (k < 0) | (shifted < 0.013) & (v > shifted)
    s = jnp.log(v * inverse_alpha / (a / (shifted * shifted) + b))
    t = -rate + k * jnp.log(rate) - lax.lgamma(k + 1)
    accepted = ~done & ~(k > highest) & (surely | ~never & (s <= t))
    return jnp.where(accepted, k, result), done | accepted, more


@functools.partial(jax.jit, static_argnames=("samples",))
def categorical(key: Array, counter: Array, logits: Array, samples: int) -> Array:
    """Multinomial: classes drawn by unnormalised log-probabilities, row after row from one stream.

    Args:
      key: uint32[2].
      counter: uint32[4].
      logits: [rows, classes]; those not finite are never drawn.
      samples: how many to draw for each row.

    Returns:
      int32[rows, samples].
    """
    rows = logits.shape[0]
    finite = jnp.isfinite(logits)
    logits = logits.astype(f64)
    largest = jnp.where(finite, logits, -np.inf).max(axis=1, keepdims=True)
    weights = jnp.where(finite, jnp.exp(logits - largest), 0)
    cdf = jnp.cumsum(weights, axis=1)
    # TF makes a double of a pair of words, the first as the high one.
    bits = philox.bits64(key, counter, rows * samples)
    u = philox.unit_float64(bits.astype(u32), (bits >> np.uint64(32)).astype(u32))
    wanted = u.reshape(rows, samples) * cdf[:, -1:]
    # A search by halves gathers; for a few draws it is quicker to compare with all.
    method = "compare_all" if samples <= 16 else "scan"
    search = functools.partial(jnp.searchsorted, side="right", method=method)
    return jax.vmap(search)(cdf, wanted).astype(np.int32)


@functools.partial(jax.jit, static_argnames=("size",))
def permutation(key: Array, counter: Array, size: int) -> Array:
    """RandomShuffle: where each output row comes from by TF's Fisher-Yates shuffle, int32[size].

    TF swaps row i with row j(i) >= i, for i from the front.  The swaps are not done one after
    another.  Row i's final content is what lay at j(i) when its turn came: the content that the
    latest earlier swap k with j(k) = j(i) put there, which is what lay at k at k's turn; and so on.
    A sort finds "the latest earlier swap with the same j", and log2(size) rounds of pointer
    doubling follow the chains to their ends.
    """
    index = lax.iota(np.int32, size)
    words = philox.words(key, counter, size)
    target = index + (words % (size - index).astype(u32)).astype(np.int32)
    target = at(target)[-1].set(size - 1)
    order = jnp.argsort(target, stable=True).astype(np.int32)
    ordered = target[order]
    same = jnp.concatenate([jnp.zeros(1, bool), ordered[1:] == ordered[:-1]])
    earlier = jnp.concatenate([order[:1], order[:-1]])
    # The swap that last put something at j(i) before swap i; -1 where row j(i) lies there still.
    source = at(jnp.zeros(size, np.int32))[order].set(jnp.where(same, earlier, -1))
    # The swap k < i with j(k) = i that last put something at i before its turn; i itself where
    # there is none.
    inner = jnp.where(target == index, -1, index)
    put = at(jnp.full(size, -1, np.int32))[target].max(inner)
    content = jnp.where(put < 0, index, put)
    for _ in range(max(1, (size - 1).bit_length())):
        content = content[content]
    return jnp.where(source < 0, target, content[source])


# TF gives up on a sample, or takes it as it is, after so many rejections in a row; it reserves
# accordingly.
MAX_TRUNCATED_ITERATIONS = 1000
# Candidate blocks looked at in one go.
_BATCH_BLOCKS = 64


@functools.partial(jax.jit, static_argnames=("batches", "samples"))
def parameterized_truncated_normal(
    key: Array,
    counter: Array,
    batches: int,
    samples: int,
    parameters: tuple[Array, Array, Array, Array],
) -> tuple[Array, Array]:
    """ParameterizedTruncatedNormal: for each batch the rejection sampler that suits its bounds.

    Args:
      key: uint32[2].
      counter: uint32[4].
      batches, samples: the number of batches and of samples in each; batch follows batch in the
        stream.
      parameters: means, standard deviations, lower and upper bounds: float32 or float64, [1] or
        [batches].

    Returns:
      (values [batches, samples], whether all parameters are valid).
    """
    mean, stddev, low, high = (jnp.broadcast_to(p, (batches,)) for p in parameters)
    valid = (stddev > 0) & (low < high) & (jnp.isfinite(low) | jnp.isfinite(high))
    flipped = (jnp.isinf(low) & (low < 0)) | (high < mean)
    low, high = jnp.where(flipped, high, low), jnp.where(flipped, low, high)
    stddev = jnp.where(flipped, -stddev, stddev)
    bounds = ((low - mean) / stddev, (high - mean) / stddev)

    def batch(start: Array, inputs: tuple[Array, Array, Array]) -> tuple[Array, Array]:
        bottom, top, fine = inputs
        propose = _proposals(key, counter, bottom, top)

        def fill(state: tuple[Array, Array, Array]) -> tuple[Array, Array, Array]:
            used, filled, values = state
            drawn, accepted, per_unit, blocks_per_unit = propose(start + used)
            rank = filled + jnp.cumsum(accepted, dtype=np.int32)
            slot = jnp.where(accepted, rank - 1, samples)
            values = at(values)[slot].set(drawn, mode="drop")
            # The blocks up to the one that gave the last sample wanted.
            units = jnp.where(
                rank[-1] >= samples,
                lax.argmax(rank >= samples, 0, np.int32) // per_unit + 1,
                drawn.shape[0] // per_unit,
            )
            return used + (units * blocks_per_unit).astype(np.uint64), rank[-1], values

        used, _, values = lax.while_loop(
            lambda state: fine & (state[1] < samples) & (state[0] < _MAX_BLOCKS * samples),
            fill,
            (
                jnp.zeros((), np.uint64),
                jnp.zeros((), np.int32),
                jnp.full(samples, np.nan, bottom.dtype),
            ),
        )
        return start + used, values

    _, values = lax.scan(batch, jnp.zeros((), np.uint64), (*bounds, valid))
    return values * stddev[:, None] + mean[:, None], valid.all()


def _proposals(
    key: Array, counter: Array, bottom: Array, top: Array
) -> Callable[[Array], tuple[Array, ...]]:
    """The rejection sampler for a standard normal in [bottom, top].

    Returns:
      A function of a block's number that gives candidates in order, which of them are acceptable,
      how many candidates come of one unit, and how many blocks a unit takes.
    """
    dtype = bottom.dtype
    t = dtype.type
    lanes = 2 if dtype == np.float64 else 4
    size = _BATCH_BLOCKS * lanes
    root = jnp.sqrt(bottom * bottom + t(4))
    cutoff = t(2) * jnp.exp(t(0.5) + bottom * (bottom - root) / t(4)) / (bottom + root)
    by_normal = (bottom < t(-1.3)) & (top >= 0) | (top > t(1.3)) & (bottom <= 0)
    by_uniform = top - bottom < cutoff
    log = libm.log if dtype == np.float32 else jnp.log

    def from_block(start: Array) -> Array:
        return jnp.stack(
            philox._add(counter, start.astype(u32), (start >> np.uint64(32)).astype(u32))
        )

    def normal(start: Array) -> tuple[Array, ...]:
        z = philox.normal(key, from_block(start), size, dtype)
        return z, (z >= bottom) & (z <= top), np.int32(lanes), np.int32(1)

    def uniform(start: Array) -> tuple[Array, ...]:
        # Blocks alternate: one of proposals, one of acceptance thresholds.
        drawn = philox.uniform(key, from_block(start), 2 * size, dtype).reshape(-1, 2, lanes)
        z = drawn[:, 0].reshape(-1) * (top - bottom) + bottom
        g = (jnp.where(bottom < 0, t(0), bottom * bottom) - z * z) / t(2)
        return z, drawn[:, 1].reshape(-1) <= jnp.exp(g), np.int32(lanes), np.int32(2)

    def exponential(start: Array) -> tuple[Array, ...]:
        alpha = (bottom + root) / t(2)
        drawn = philox.uniform(key, from_block(start), 2 * size, dtype).reshape(-1, 2)
        proposal = jnp.where(drawn[:, 0] == 0, t(-np.inf), log(drawn[:, 0]))
        z = -proposal / alpha + bottom
        x = jnp.where(bottom < alpha, alpha - z, bottom - alpha)
        g = jnp.exp(-x * x / t(2))
        return z, (drawn[:, 1] <= g) & (z < top), np.int32(lanes // 2), np.int32(1)

    which = jnp.where(by_normal, 0, jnp.where(by_uniform, 1, 2))
    return lambda start: lax.switch(which, (normal, uniform, exponential), start)
