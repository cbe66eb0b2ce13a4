"""Repeated runs in the XLA tier: one executable, with host steps before and after it, and programs
that are specialised on values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from tf1compat.runtime import program, tiers
from tf1compat.runtime.compile import cache


@pytest.fixture(autouse=True)
def _in_xla() -> Iterator[None]:
    with tiers.tier(tiers.XLA):
        yield


@pytest.fixture
def long_ways(monkeypatch) -> list[Any]:
    """A list that grows with every run that looks at the graph."""
    found: list[Any] = []
    run_levels = program.Program._run_levels

    def counted(self: Any, *args: Any) -> Any:
        found.append(self)
        return run_levels(self, *args)

    monkeypatch.setattr(program.Program, "_run_levels", counted)
    return found


def _adding(tf: Any, x: Any) -> tuple[Any, Any]:
    """A variable, and a step that adds the sum of `x` to it."""
    w = tf.get_variable("w", [], initializer=tf.zeros_initializer())
    return w, w.assign_add(tf.reduce_sum(x)).op


class TestHostSteps:
    @pytest.mark.parametrize("fetch_variable", [False, True])
    def test_before_and_after(self, tf, long_ways, fetch_variable):
        words = tf.placeholder(tf.string, [None])
        w, add = _adding(tf, tf.to_float(tf.string_to_number(words)))
        total = tf.reduce_sum(tf.string_to_number(words) * 2.0)
        text = tf.as_string(total, precision=1)
        fetches = [add, total, text] + [w] * fetch_variable
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            for i in range(5):
                if i == 2:
                    del long_ways[:]
                _, number, said, *rest = session.run(fetches, {words: ["1", "2", str(i)]})
                assert (number, said) == (6 + 2 * i, b"%d.0" % (6 + 2 * i))
                assert all(value == 3 * (i + 1) + sum(range(i + 1)) for value in rest)
            assert not long_ways
            session.run(fetches, {words: ["1"]})
            assert len(long_ways) == 1
            assert session.run(w) == 26

    def test_an_iterator_whose_last_batch_is_smaller_loses_nothing(self, tf, long_ways):
        numbers = tf.data.Dataset.range(10).batch(4).repeat(3)
        batch = tf.to_float(numbers.make_one_shot_iterator().get_next())
        w, add = _adding(tf, batch)
        found = []
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            del long_ways[:]
            with pytest.raises(tf.errors.OutOfRangeError):
                while True:
                    found.append(session.run([add, batch])[1].tolist())
            assert sum(found, []) == [*range(10)] * 3
            assert session.run(w) == 3 * 45
        assert len(long_ways) < len(found)

    @pytest.mark.parametrize("known", [False, True], ids=["first", "repeated"])
    def test_a_step_after_it_that_fails_leaves_the_variables(self, tf, long_ways, known):
        x = tf.placeholder(tf.float32, [2])
        w, add = _adding(tf, x)
        summary = tf.summary.histogram("x", x * 2.0)
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            for _ in range(3 * known):
                session.run([add, summary], {x: [1, 2]})
            before = session.run(w)
            del long_ways[:]
            with pytest.raises(tf.errors.InvalidArgumentError, match="Nan in summary histogram"):
                session.run([add, summary], {x: [1, np.nan]})
            assert bool(long_ways) != known
            assert session.run(w) == before
            session.run([add, summary], {x: [1, 2]})
            assert session.run(w) == before + 3

    def test_a_check_that_fails_leaves_the_variables(self, tf):
        x, at = tf.placeholder(tf.float32, [2]), tf.placeholder(tf.int32, [])
        w, add = _adding(tf, x)
        said = tf.as_string(tf.gather(x, at))
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            for _ in range(3):
                assert session.run([add, said], {x: [1, 2], at: 1})[1] == b"2.000000"
            with pytest.raises(tf.errors.InvalidArgumentError, match="not in"):
                session.run([add, said], {x: [1, 2], at: 2})
            assert session.run(w) == 9

    def test_a_step_after_it_that_looks_at_a_variable(self, tf):
        x = tf.placeholder(tf.float32, [2])
        w = tf.get_variable("v", [2], initializer=tf.zeros_initializer())
        add = w.assign_add(x)
        with tf.control_dependencies([add]):
            said = tf.as_string(w + 0.0, precision=0)
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            for i in range(4):
                found = session.run([add.op, said], {x: [1, 2]})[1]
                assert found.tolist() == [b"%d" % (i + 1), b"%d" % (2 * i + 2)]


class TestKnownValues:
    @pytest.mark.parametrize("tier", [tiers.XLA, tiers.AUTO])
    def test_one_program_for_what_is_needed_of_them(self, tf, monkeypatch, tier):
        compiled = []
        real = cache.compiled
        monkeypatch.setattr(cache, "compiled", lambda *a: compiled.append(a) or real(*a))
        monkeypatch.setattr(tiers, "_MOST_RUNS_AHEAD", 4)
        monkeypatch.setattr(tiers, "_BEGIN", 1e-6)
        lengths = tf.placeholder(tf.int32, [6])
        mask = tf.sequence_mask(lengths, tf.reduce_max(lengths), dtype=tf.float32)
        w = tf.get_variable("w", [], initializer=tf.ones_initializer())
        total = tf.reduce_sum(mask * w) + tf.to_float(lengths[0])
        with tiers.tier(tier), tf.Session() as session:
            session.run(w.initializer)
            del compiled[:]
            rng = np.random.RandomState(0)
            for _ in range(60):
                fed = np.append(rng.randint(1, 5, 5), 4)
                made, number = session.run([mask, total], {lengths: fed})
                assert made.shape == (6, 4)
                assert number == fed.sum() + fed[0]
            assert len(compiled) == 1

    def test_values_that_numpy_cannot_work_out(self, tf):
        x = tf.placeholder(tf.int32, [2])
        row = tf.zeros(tf.reshape(x, [-1])[:1] // x[1])
        with tf.Session() as session:
            for _ in range(2):
                assert session.run(row, {x: [6, 2]}).shape == (3,)
                with pytest.raises(tf.errors.InvalidArgumentError):
                    session.run(row, {x: [6, 0]})
                with pytest.raises(tf.errors.InvalidArgumentError):
                    session.run(row, {x: [-6, 2]})


def test_what_is_fed_may_change_its_form_from_run_to_run(tf):
    x = tf.placeholder(tf.float32, [None, 2])
    y = tf.placeholder(tf.float32, [])
    text = tf.placeholder(tf.string, [1])
    total = tf.reduce_sum(x) * y
    one = np.ones([3, 2], np.float32)
    with tf.Session() as session:
        for value, scale in (
            (one, np.float32(2)),
            (one, np.array(2, np.float32)),
            (one.astype(">f4"), 2),
            (one.astype(np.float64), 2.0),
            (one.tolist(), np.float64(2)),
            (one.astype(np.int32), np.array(2)),
            (np.asfortranarray(one), np.float32(2)),
        ):
            assert session.run(total, {x: value, y: scale}) == 12
        with pytest.raises(ValueError, match=r"Cannot feed value of shape \(2, 3\) for Tensor"):
            session.run(total, {x: one.T, y: 1})
        with pytest.raises(ValueError, match="setting an array element with a sequence"):
            session.run(total, {x: [[1, 2], [3]], y: 1})
        assert session.run(total, {x: one, y: 1}) == 6
        for word in ("a", b"b", "a"):
            given = np.array([word], object)
            found = session.run(tf.identity(text), {text: given})
            assert type(found[0]) is bytes


@pytest.mark.parametrize("kind", [list, tuple])
def test_structures_of_fetches_are_put_together_in_every_run(tf, kind):
    x = tf.placeholder(tf.float32, [])
    a, b = x + 1, x * [2.0, 3.0]
    step = tf.no_op()
    with tf.Session() as session:
        for _ in range(3):
            feed = {x: np.float32(5)}
            found = session.run(kind([a, b]), feed)
            assert type(found) is kind and found[0] == 6 and list(found[1]) == [10, 15]
            found = session.run(kind([b, step, a, b]), feed)
            assert type(found) is kind and found[1] is None and found[2] == 6
            assert found[0] is found[3]
            found = session.run(kind([kind([a]), x, {"b": b}]), feed)
            assert type(found[0]) is kind and found[0][0] == 6 and found[1] == 5
            assert list(found[2]["b"]) == [10, 15]
        assert session.run(kind([])) == kind([])
