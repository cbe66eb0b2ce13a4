"""The generator and the C library's functions, against published and recorded values."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from random_goldens import GOLDENS, digest

from tf1compat import kernels
from tf1compat.kernels.math import libm
from tf1compat.kernels.random import philox, philox_host, samplers

u32 = np.uint32
KEY = np.array([5, 7], u32)
COUNTER = np.array([0, 0, 9, 0], u32)


@pytest.fixture(autouse=True)
def x64():
    with jax.enable_x64(True):
        yield


@pytest.mark.parametrize(
    "counter, key, expected",
    [
        ([0] * 4, [0] * 2, [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]),
        ([0xFFFFFFFF] * 4, [0xFFFFFFFF] * 2, [0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD]),
        (
            [0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344],
            [0xA4093822, 0x299F31D0],
            [0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1],
        ),
    ],
)
def test_known_answers(counter, key, expected):
    """The vectors that the authors of Philox publish with Random123."""
    words = philox.words(jnp.array(key, u32), jnp.array(counter, u32), 4)
    assert words.tolist() == expected
    assert philox.words(np.array(key, u32), np.array(counter, u32), 4).tolist() == expected


@pytest.mark.parametrize("counter", [COUNTER, np.array([0xFFFFFFFD] + [0xFFFFFFFF] * 3, u32)])
@pytest.mark.parametrize("n", [1, 5, 96, 800, 801, 40_000])
def test_few_words_and_many_are_those_of_one_stream(counter, n):
    expected = philox.words(jnp.array(KEY), jnp.array(counter), n)
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(philox.words(KEY, counter, n), expected)


def _counter(place):
    """A counter so far into the stream of op seed 9; near its end the upper words change."""
    return np.frombuffer((place + (9 << 64)).to_bytes(16, "little"), u32)


def _alone(draw, counter, n):
    philox_host._drawn.clear()
    return draw(KEY, counter, n)


_FEW_DRAWS = [
    philox_host.words,
    lambda key, counter, n: philox_host.normals(key, counter, n, np.float32),
    lambda key, counter, n: philox_host.normals(key, counter, n, np.float64),
]


@pytest.mark.parametrize("draw", _FEW_DRAWS)
@pytest.mark.parametrize("first", [0, 2**32 - 5000, 2**64 - 5000])
def test_numbers_drawn_ahead_are_those_of_the_counter(draw, first):
    """Draws of two sizes in turn, one of which jumps ahead, back, and stands still."""
    places = [first + 1024 * i for i in range(8)]
    places += [places[-1] + 7, places[-1] + 7, first, *places]
    asked = [(place + 512 * (n == 33), n) for place in places for n in (10, 33)]
    expected = [_alone(draw, _counter(place), n).tobytes() for place, n in asked]
    philox_host._drawn.clear()
    assert [draw(KEY, _counter(place), n).tobytes() for place, n in asked] == expected


@pytest.mark.parametrize("draw", _FEW_DRAWS)
def test_few_numbers_are_drawn_ahead(draw, monkeypatch):
    drawn = []
    blocks = philox_host.blocks
    monkeypatch.setattr(philox_host, "blocks", lambda *args: drawn.append(1) or blocks(*args))
    philox_host._drawn.clear()
    results = [draw(KEY, _counter(1024 * i), 16) for i in range(17)]
    assert len(drawn) == 2
    results[3][:] = 0  # What was handed out is nobody else's.
    assert results[4].all()


@pytest.mark.parametrize(
    "counter, low, high",
    [
        ((0xFFFFFFFF, 0, 0, 0), 1, 0),
        ((0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFF, 3), 2, 0),
        ((0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF), 1, 0),
        ((0xFFFFFFFF, 0xFFFFFFFE, 5, 0), 1, 1),
        ((7, 0xFFFFFFFF, 0xFFFFFFFF, 0), 0xFFFFFFFF, 0xFFFFFFFF),
    ],
)
def test_counter_carries(counter, low, high):
    total = sum(word << 32 * i for i, word in enumerate(counter)) + (high << 32 | low)
    moved = [total >> 32 * i & 0xFFFFFFFF for i in range(4)]
    at = philox.block(
        jnp.array(KEY), jnp.array(counter, u32), jnp.array([low], u32), jnp.array([high], u32)
    )
    there = philox.words(KEY, jnp.array(moved, u32), 4)
    assert np.concatenate(at).tolist() == there.tolist()


def test_first_floats_of_op_seed_9():
    key, counter = np.zeros(2, u32), COUNTER
    drawn = philox.uniform(key, counter, 3, np.dtype(np.float32))
    expected = np.array([0.70880806, 0.3939954, 0.67383504], np.float32)
    np.testing.assert_array_equal(drawn, expected)


@pytest.mark.parametrize("draw", [philox.uniform, philox.normal, philox.truncated_normal])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_draws_are_a_prefix_of_longer_draws(draw, dtype):
    dtype = np.dtype(dtype)
    long = np.asarray(draw(KEY, COUNTER, 1000, dtype))
    for n in (0, 1, 5, 255, 256, 257):
        np.testing.assert_array_equal(draw(KEY, COUNTER, n, dtype), long[:n])


def test_without_x64_float32_uniforms_are_the_same():
    expected = np.asarray(philox.uniform(KEY, COUNTER, 100, np.dtype(np.float32)))
    with jax.enable_x64(False):
        drawn = philox.uniform(KEY, COUNTER, 100, np.dtype(np.float32))
    np.testing.assert_array_equal(drawn, expected)


def test_truncated_normals_lie_within_two():
    drawn = philox.truncated_normal(KEY, COUNTER, 200_000, np.dtype(np.float32))
    assert 1.99 < abs(drawn).max() < 2
    assert abs(float(drawn.mean())) < 0.01
    assert abs(float(drawn.std()) - 0.87962566) < 0.01


def test_libm_over_all_arguments():
    """Every float32 that a random word can become, against digests of glibc's results."""
    unit = (np.arange(1 << 23, dtype=u32) | u32(0x3F800000)).view(np.float32) - np.float32(1)
    angle = (2 * np.pi * unit.astype(np.float64)).astype(np.float32)
    log = jax.jit(libm.log)(np.maximum(unit, np.float32(1e-7)))
    assert digest(log) == str(GOLDENS["logf"])
    for name, cosine in (("sinf", 0), ("cosf", 1)):
        value = jax.jit(libm.sin_or_cos)(angle, u32(cosine))
        assert digest(value) == str(GOLDENS[name]), name


def test_sqrt_is_correctly_rounded():
    x = np.random.RandomState(0).uniform(0, 40, 100_000).astype(np.float32)
    np.testing.assert_array_equal(jax.jit(libm.sqrt)(x), np.sqrt(x))


@pytest.mark.parametrize("size", [2, 3, 4, 17, 1000, 4097])
def test_permutation_is_the_sequential_shuffle(size):
    words = np.asarray(philox.words(KEY, COUNTER, size))
    expected = np.arange(size)
    for i in range(size - 1):
        j = i + int(words[i]) % (size - i)
        expected[[i, j]] = expected[[j, i]]
    np.testing.assert_array_equal(samplers.permutation(KEY, COUNTER, size), expected)


def test_poisson_moments():
    rates = np.array([0.5, 5.0, 30.0, 500.0])
    drawn = np.asarray(samplers.poisson(KEY, COUNTER, 20_000, rates, 1e9))
    np.testing.assert_allclose(drawn.mean(axis=0), rates, rtol=0.03)
    np.testing.assert_allclose(drawn.var(axis=0), rates, rtol=0.05)


def test_gamma_moments():
    alphas = np.array([0.2, 1.0, 4.0])
    drawn = np.asarray(samplers.gamma(KEY, COUNTER, 20_000, alphas))
    np.testing.assert_allclose(drawn.mean(axis=0), alphas, rtol=0.05)
    np.testing.assert_allclose(drawn.var(axis=0), alphas, rtol=0.1)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
@pytest.mark.parametrize("draw", ["uniform", "normal", "truncated_normal"])
def test_numpy_values_give_the_same_numbers(draw, dtype):
    """Of NumPy values blocks are drawn whole, few and many each in its way: the stream is the
    same, also where its counter overflows."""
    twin = kernels.twins.module("tf1compat.kernels.random.philox")
    overflows = np.array([0xFFFFFFFE, 0xFFFFFFFF, 1, 2], u32)
    for counter, n in ((COUNTER, 203), (overflows, 203), (overflows, 40_001)):
        found = getattr(twin, draw)(KEY, counter, n, np.dtype(dtype))
        expected = np.asarray(getattr(philox, draw)(KEY, counter, n, np.dtype(dtype)))
        assert type(found) is np.ndarray and found.dtype == expected.dtype
        # The logarithm and the sine of float64 are not libm.py's.
        ulps = 4 if dtype == "float64" and draw != "uniform" else 0
        np.testing.assert_allclose(
            found.astype(np.float64), expected.astype(np.float64), ulps * 2.3e-16, ulps * 2e-16
        )
