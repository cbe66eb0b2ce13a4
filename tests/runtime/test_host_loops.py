"""Loops of programs on the host that XLA runs: one program for all lengths."""

from __future__ import annotations

import contextlib
from typing import Any

import count_compilations
import numpy as np
import pytest

from tf1compat.runtime import tiers
from tf1compat.runtime.host.loops import LoopInXla


@pytest.fixture
def compilations(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Grows with every program that XLA compiles for a session. Loops are compiled once they have
    come twice, and whole programs never."""
    monkeypatch.setenv("TF1COMPAT_CACHE_DIR", "off")
    monkeypatch.setattr(tiers, "switch_of", lambda runs, costs, others: runs + 1)
    monkeypatch.setattr(tiers.Promotion, "begins", lambda *_: False)
    return count_compilations.count(monkeypatch.setattr)


def _losses(tf: Any, lengths: list[int], keep: float = 1.0) -> list[float]:
    """Losses of a recurrent net, trained with batches of these lengths, and dropout perhaps."""
    with tf.Graph().as_default(), tf.Session() as session:
        tf.set_random_seed(1)
        x, y = tf.placeholder(tf.float32, [None, None, 3]), tf.placeholder(tf.float32, [None])
        steps = tf.placeholder(tf.int32, [None])
        cell = tf.nn.rnn_cell.LSTMCell(5)
        if keep < 1:
            cell = tf.nn.rnn_cell.DropoutWrapper(cell, output_keep_prob=keep, state_keep_prob=keep)
        _, state = tf.nn.dynamic_rnn(cell, x, sequence_length=steps, dtype=tf.float32)
        loss = tf.losses.mean_squared_error(y, tf.squeeze(tf.layers.dense(state.h, 1), axis=1))
        train = tf.train.AdamOptimizer(0.01).minimize(loss)
        session.run(tf.global_variables_initializer())
        rng = np.random.RandomState(0)
        losses = []
        for n in lengths:
            fed = {x: rng.randn(4, n, 3), y: rng.randn(4), steps: rng.randint(1, n + 1, 4)}
            losses.append(session.run([loss, train], fed)[0])
        return losses


def test_one_program_does_for_all_lengths_up_to_a_power_of_two(tf, compilations):
    lengths = [9, 10, 11, 12, 13, 14, 15, 16, 16, 9]
    found = _losses(tf, lengths)
    assert len(compilations) == 2  # The loop, and that of its gradient.
    with tiers.tier(tiers.HOST):
        np.testing.assert_allclose(found, _losses(tf, lengths), rtol=1e-5)
    assert len(compilations) == 2


def test_a_seeded_run_repeats_bit_for_bit(tf, compilations):
    lengths = [5, 3, 4, 5, 9, 7, 8, 6, 5, 3, 12]
    assert _losses(tf, lengths) == _losses(tf, lengths)


def test_a_loop_that_is_always_of_one_size_is_left_to_its_program(tf, compilations):
    _losses(tf, [6] * 8)
    assert not compilations


def test_the_host_words_what_fails_and_nothing_has_changed(tf, compilations):
    rows = tf.placeholder(tf.float32, [None])
    last = tf.placeholder(tf.int32, [])
    total = tf.get_variable("total", [], initializer=tf.zeros_initializer())
    array = tf.TensorArray(tf.float32, tf.shape(rows)[0]).unstack(rows)
    _, summed = tf.while_loop(
        lambda i, _: i < last, lambda i, s: (i + 1, s + array.read(i)), [0, 0.0]
    )
    added = total.assign_add(summed)
    with tf.Session() as session:
        session.run(total.initializer)
        for n in (5, 6, 7, 8):
            session.run(added, {rows: np.ones(n), last: n})
        assert compilations
        with pytest.raises(
            tf.errors.InvalidArgumentError, match="Tried to read from index 7 but array size is: 7"
        ):
            session.run(added, {rows: np.ones(7), last: 8})
        assert session.run(total) == 26
        assert session.run(added, {rows: np.ones(5), last: 5}) == 31


def test_what_a_loop_in_xla_wrote_is_found_by_the_host(tf, compilations, monkeypatch):
    """Elements of arrays, and the stacks that the loop of the gradient takes from."""
    x = tf.placeholder(tf.float32, [None, 2])

    def body(i: Any, state: Any, array: Any) -> Any:
        state = tf.tanh(state + 0.1 * x[i])
        return i + 1, state, array.write(i, state)

    made = tf.TensorArray(tf.float32, tf.shape(x)[0])
    _, state, made = tf.while_loop(lambda i, *_: i < tf.shape(x)[0], body, [0, tf.zeros([2]), made])
    rows = made.stack()
    results = [rows, state, *tf.gradients(tf.reduce_sum(rows**2), x)]
    fits = LoopInXla.fits
    monkeypatch.setattr(LoopInXla, "fits", lambda loop: fits(loop) and "gradients" not in loop.name)
    rng = np.random.RandomState(0)
    batches = [rng.randn(n, 2) for n in (5, 6, 7, 8, 6)]
    with tf.Session() as session:
        found = [session.run(results, {x: batch}) for batch in batches]
    assert len(compilations) == 1
    with tf.Session() as session, tiers.tier(tiers.HOST):
        for values, batch in zip(found, batches, strict=True):
            for value, wanted in zip(values, session.run(results, {x: batch}), strict=True):
                np.testing.assert_allclose(value, wanted, rtol=1e-5, atol=1e-6)


def test_generators_of_a_loop_move_on_in_either_tier(tf, compilations):
    count = tf.placeholder(tf.int32, [])

    def body(i: Any, uniform: Any, normal: Any, whole: Any) -> Any:
        inner = tf.while_loop(
            lambda j, _: j < 2,
            lambda j, s: (j + 1, s + tf.random_normal([3], seed=5)),
            [0, tf.zeros([3])],
        )
        again = tf.cond(
            tf.equal(i % 3, 0), lambda: tf.random_uniform([], 0, 9, tf.int32, seed=6), lambda: 0
        )
        return i + 1, uniform.write(i, tf.random_uniform([3], seed=4)), inner[1], whole + again

    array = tf.TensorArray(tf.float32, count)
    _, array, normal, whole = tf.while_loop(
        lambda i, *_: i < count, body, [0, array, tf.zeros([3]), 0]
    )
    results = [array.stack(), normal, whole]
    tf.set_random_seed(1)
    lengths = [5, 6, 7, 8, 9, 5, 6]

    def drawn(host: bool) -> Any:
        with tf.Session() as session, tiers.tier(tiers.HOST) if host else contextlib.nullcontext():
            return [session.run(results, {count: n}) for n in lengths]

    found = drawn(False)
    assert compilations
    for ours, wanted in zip(found, drawn(True), strict=True):
        np.testing.assert_array_equal(ours[0], wanted[0])
        # XLA adds a product to the sum in one step.
        np.testing.assert_allclose(ours[1], wanted[1], rtol=1e-6)
        assert ours[2] == wanted[2]


def test_a_net_with_dropout_draws_the_same_in_either_tier(tf, compilations):
    lengths = [9, 10, 11, 12, 13, 9, 16]
    found = _losses(tf, lengths, keep=0.5)
    assert len(compilations) == 2
    with tiers.tier(tiers.HOST):
        np.testing.assert_allclose(found, _losses(tf, lengths, keep=0.5), rtol=1e-5)
    assert found != pytest.approx(_losses(tf, lengths))


def test_a_loop_in_a_branch_and_its_gradient_run_on_the_host(tf, compilations):
    x, flag = tf.placeholder(tf.float32, [None, 3]), tf.placeholder(tf.bool, [])

    def looped() -> Any:
        body = lambda i, s: (i + 1, tf.tanh(s) * x[i])  # noqa: E731
        return tf.while_loop(lambda i, _: i < tf.shape(x)[0], body, [0, tf.ones([3])])[1]

    y = tf.cond(flag, looped, lambda: tf.reduce_sum(x, axis=0))
    (gradient,) = tf.gradients(y, x)
    with tf.Session() as session, tiers.tier(tiers.HOST):
        ones = session.run(gradient, {x: np.ones([2, 3]), flag: False})
        np.testing.assert_array_equal(ones, np.ones([2, 3]))
        value = session.run(gradient, {x: np.ones([2, 3]), flag: True})
    assert not compilations
    slope = 1 - np.tanh(np.tanh(1)) ** 2
    wanted = [slope * np.tanh(1), np.tanh(np.tanh(1))]
    np.testing.assert_allclose(value, np.tile(np.array(wanted)[:, None], 3), rtol=1e-5)
