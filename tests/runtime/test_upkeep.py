"""What is compiled is bounded, and freed when it is dropped."""

from __future__ import annotations

import gc

import jax
import numpy as np
import pytest

from tf1compat.runtime import progress
from tf1compat.runtime.compile import region, upkeep

pytestmark = pytest.mark.usefixtures("compiled_quickly", "xla")


def live() -> int:
    """How many executables the process has, without help from the garbage collector."""
    return len(jax.devices("cpu")[0].client.live_executables())


@pytest.fixture
def settled(tf, monkeypatch):
    """Few programs are kept, and what earlier tests left is gone."""
    monkeypatch.setattr(region, "_MOST_PROGRAMS", 4)
    monkeypatch.setattr(region, "MOST_FORMS", 4)
    monkeypatch.setattr(progress, "_hinted", True)
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("settled")
class TestDropped:
    def test_ever_new_shapes(self, tf):
        x, v = tf.placeholder(tf.float32, [None]), tf.Variable(1.0)
        update = v.assign_add(tf.reduce_max(x))
        with tf.Session() as sess:
            sess.run(v.initializer)
            for size in range(1, 151):
                sess.run(update, {x: np.ones(size)})
                if size == 20:
                    programs, mappings = live(), upkeep._mappings()
            assert live() <= programs
            assert upkeep._mappings() <= mappings + 100  # Each program has some 10 of them.
            assert sess.run(v) == 151

    def test_a_variable_of_ever_new_shapes(self, tf):
        v = tf.Variable([0.0], validate_shape=False)
        grow = tf.assign(v, tf.concat([v, [1.0]], 0), validate_shape=False).op
        with tf.Session() as sess:
            sess.run(v.initializer)
            for turn in range(30):
                sess.run(grow)
                if turn == 10:
                    programs = live()
            assert live() <= programs
            assert sess.run(v).shape == (31,)

    def test_variables_that_take_turns(self, tf):
        """Those used last are kept."""
        small, large = [0.0], [0.0, 0.0]
        v = tf.Variable(small, validate_shape=False)
        y = v + 1
        fed = tf.placeholder(tf.float32, [None])
        set_v = tf.assign(v, fed, validate_shape=False).op
        with tf.Session() as sess:
            for value in (small, large, small, large):
                sess.run(set_v, {fed: value})
                assert sess.run(y).shape == np.shape(value)
            (entries,) = next(
                run.program._plan.levels[0][0]._entries.values()
                for run in sess._runs.values()
                if run.program.fetches == [y]
            )
        assert len(entries) == 2

    def test_functions_of_datasets(self, tf):
        x = tf.placeholder(tf.float32, [None])
        dataset = tf.data.Dataset.from_tensors(x).repeat(3).map(lambda a: tf.reduce_sum(a) * 2)
        iterator = tf.data.make_initializable_iterator(dataset)
        y = iterator.get_next()
        with tf.Session() as sess:
            for size in range(1, 61):
                sess.run(iterator.initializer, {x: np.ones(size)})
                assert sess.run(y) == 2 * size
                if size == 30:
                    programs = live()
            assert live() <= programs

    def test_a_closed_session(self, tf):
        x = tf.placeholder(tf.float32, [None])
        y = tf.cond(tf.reduce_sum(x) > 1, lambda: x * 2, lambda: tf.exp(x))
        with tf.Session() as sess:  # What the first session of a process makes stays.
            sess.run(y, {x: [1.0, 2.0]})
        before = live()
        with tf.Session() as sess:
            sess.run(y, {x: [1.0]})
            assert live() > before
        assert live() == before

    def test_a_session_and_a_graph_that_nobody_holds(self, tf):
        before = live()
        with tf.Graph().as_default() as graph:
            x = tf.placeholder(tf.float32, [None])
            y = x * 2
        sess = tf.Session(graph=graph)
        sess.run(y, {x: [1.0]})
        assert live() > before
        del sess, graph, x, y
        gc.collect()
        assert live() == before


class _Program:
    def __init__(self, used):
        self.used = used
        self.released = False

    def release(self):
        self.released = True


@pytest.fixture
def few_mappings(monkeypatch):
    """Every compilation finds too many mappings."""
    monkeypatch.setattr(upkeep, "_EVERY", 1)
    monkeypatch.setattr(upkeep, "_most_mappings", lambda: 10)


class TestProcess:
    def test_the_limit_and_the_mappings_are_read(self):
        limit = upkeep._most_mappings()
        assert limit is None or upkeep._mappings() < limit

    def test_what_was_used_longest_ago_goes(self, few_mappings, monkeypatch):
        programs = [_Program(used) for used in (3, 1, 2, 0)]
        new = _Program(4)
        monkeypatch.setattr(upkeep, "_programs", type(upkeep._programs)(programs))
        upkeep.keep(new)
        assert [program.released for program in programs] == [False, True, False, True]
        assert not new.released

    def test_nothing_goes_below_half_of_the_limit(self, few_mappings, monkeypatch):
        monkeypatch.setattr(upkeep, "_mappings", lambda: 5)
        old = _Program(0)
        monkeypatch.setattr(upkeep, "_programs", type(upkeep._programs)([old]))
        upkeep.keep(_Program(1))
        assert not old.released

    def test_released_programs_are_compiled_again(self, tf, few_mappings):
        x, v = tf.placeholder(tf.float32, [None]), tf.Variable(0.0)
        update = v.assign_add(tf.reduce_sum(x))
        runs = [x * 2, x + v, update, tf.exp(x) * 0 + 1]
        with tf.Session() as one, tf.Session() as other:
            before = live()
            for _ in range(3):
                for session in (one, other):
                    session.run(v.initializer)
                    for _ in range(2):
                        found = [session.run(y, {x: [1.0, 2.0]}) for y in runs]
                    np.testing.assert_array_equal(found[0], [2, 4])
                    np.testing.assert_array_equal(found[1], [4, 5])
                    assert found[2] == 6
                    np.testing.assert_array_equal(found[3], [1, 1])
            assert live() < before + 8
