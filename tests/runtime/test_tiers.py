"""Which tier runs a program, and that it makes no difference to what the program does."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import count_compilations
import numpy as np
import pytest

import tf1compat
from tf1compat.runtime import tiers
from tf1compat.runtime.program import Program

BOTH = pytest.mark.parametrize("tier", [tiers.HOST, tiers.XLA])


@pytest.fixture
def compilations(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Grows with every program that XLA compiles for a session."""
    monkeypatch.setenv("TF1COMPAT_CACHE_DIR", "off")
    return count_compilations.count(monkeypatch.setattr)


def _net(tf: Any) -> tuple[Any, Any, Any, Any]:
    """A net with dropout: its input, labels, loss and training step."""
    tf.set_random_seed(1)
    x, y = tf.placeholder(tf.float32, [None, 4]), tf.placeholder(tf.float32, [None])
    hidden = tf.nn.dropout(tf.layers.dense(x, 8, activation=tf.nn.relu), keep_prob=0.5)
    loss = tf.losses.mean_squared_error(y, tf.squeeze(tf.layers.dense(hidden, 1), axis=1))
    return x, y, loss, tf.train.AdamOptimizer(0.01).minimize(loss)


def _losses(tf: Any, sizes: list[int]) -> list[float]:
    with tf.Graph().as_default(), tf.Session() as session:
        x, y, loss, train = _net(tf)
        session.run(tf.global_variables_initializer())
        rng = np.random.RandomState(0)
        return [
            float(session.run([loss, train], {x: rng.randn(n, 4), y: rng.randn(n)})[0])
            for n in sizes
        ]


def test_what_is_always_new_is_never_compiled(tf, compilations):
    _losses(tf, list(range(1, 80)))
    assert not compilations


def test_what_repeats_is_compiled_and_a_seeded_run_repeats_bit_for_bit(
    tf, compilations, monkeypatch
):
    monkeypatch.setattr(tiers, "_MOST_RUNS_AHEAD", 7)
    monkeypatch.setattr(tiers, "_BEGIN", 0.001)
    sizes = [5] * 40 + [3, 4, 6] + [5] * 5
    first = _losses(tf, sizes)
    assert len(compilations) == 1
    assert _losses(tf, sizes) == first


def test_what_is_heavy_is_compiled_at_once(tf, compilations):
    x = tf.placeholder(tf.float32, [2000, 2000])
    with tf.Session() as session:
        session.run(tf.reduce_sum(tf.matmul(x, x)), {x: np.ones([2000, 2000])})
    assert len(compilations) == 1


def test_what_runs_once_is_not_compiled(tf, compilations):
    """Initial values, also of large tables: drawing them takes less than compiling does."""
    tables = [tf.Variable(tf.truncated_normal([2000 + i, 128])) for i in range(2)]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(tf.reduce_sum(tables[0][:3]))
        in_background = tiers.in_background(bool, 1)
        assert in_background.result()  # Whatever was begun before it has ended.
    assert not compilations


@pytest.mark.parametrize(("turns", "expected"), [(3, False), (3000, True)])
def test_how_long_loops_are_is_seen_by_running_them(tf, compilations, turns, expected):
    limit = tf.placeholder(tf.int32, [])
    end = tf.while_loop(lambda i, x: i < limit, lambda i, x: (i + 1, x * 0.5 + 1.0), [0, 1.0])
    with tf.Session() as session:
        for _ in range(30):
            session.run(end, {limit: turns})
    assert bool(compilations) == expected


def test_what_is_guessed_of_nested_loops_makes_no_program_heavy(tf, compilations):
    n = tf.placeholder(tf.int32, [])

    def nested(depth: int, total: Any) -> Any:
        if not depth:
            return total + 1
        return tf.while_loop(
            lambda i, total: i < n, lambda i, total: (i + 1, nested(depth - 1, total)), [0, total]
        )[1]

    total = nested(5, tf.constant(0))
    with tf.Session() as session:
        assert [int(session.run(total, {n: k})) for k in range(4)] == [0, 1, 32, 243]
    assert not compilations


def test_a_session_may_have_a_tier_of_its_own(tf, compilations):
    value = tf.placeholder(tf.float32, []) * 2
    with tf.Session() as here, tf.Session() as there:
        tf1compat.set_tier("xla", there)
        for session in (here, there):
            assert session.run(value, {value.op.inputs[0]: 3}) == 6
    assert len(compilations) == 1
    with pytest.raises(ValueError, match="A tier is one of 'auto', 'host', 'xla', not 'gpu'"):
        tf1compat.set_tier("gpu")


@BOTH
def test_a_failed_run_changes_nothing(tf, tier):
    v, w = tf.Variable([1.0, 2.0]), tf.Variable(3.0, use_resource=True)
    index = tf.placeholder(tf.int32, [])
    drawn = tf.random_uniform([], seed=1)
    with tf.control_dependencies([v.assign_add([1, 1]), w.assign(drawn)]):
        late = tf.gather([10.0, 20.0], index)
    with tiers.tier(tier), tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for _ in range(2):
            with pytest.raises(tf.errors.InvalidArgumentError, match=r"indices = 2 is not in"):
                session.run(late, {index: 2})
            np.testing.assert_array_equal(session.run(v), [1, 2])
            assert session.run(w) == 3
        assert session.run(late, {index: 1}) == 20
        np.testing.assert_array_equal(session.run(v), [2, 3])
        once = session.run(w)
    with tiers.tier(tier), tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(late, {index: 0})
        assert session.run(w) == once  # The generator was where the failed runs found it.


@BOTH
def test_what_a_run_gives_and_takes_is_nobody_elses(tf, tier):
    v = tf.Variable(np.zeros(3, np.float32))
    x = tf.placeholder(tf.float32, [3])
    assign, constant = v.assign(x), tf.constant([1.0, 2.0, 3.0])
    with tiers.tier(tier), tf.Session() as session:
        fed = np.ones(3, np.float32)
        session.run(assign.op, {x: fed})
        fed[:] = 7
        for fetch in (v, constant, tf.identity(v), tf.reshape(constant, [1, 3])):
            value = session.run(fetch)
            before = value.copy()
            value[...] = 9
            np.testing.assert_array_equal(session.run(fetch), before)
        np.testing.assert_array_equal(session.run(v), np.ones(3))


@BOTH
def test_the_tiers_take_turns_at_a_variable(tf, tier):
    v = tf.Variable(np.zeros([2, 2], np.float32))
    add = v.assign_add(tf.ones([2, 2]))
    other = tiers.XLA if tier == tiers.HOST else tiers.HOST
    with tf.Session() as session:
        session.run(v.initializer)
        for i in range(6):
            with tiers.tier((tier, other)[i % 2]):
                session.run(add.op)
                np.testing.assert_array_equal(session.run(v), np.full([2, 2], i + 1))


@BOTH
def test_no_update_of_a_thread_is_lost(tf, tier):
    v = tf.Variable(0.0)
    add = v.assign_add(1.0)
    with tiers.tier(tier), tf.Session() as session:
        session.run(v.initializer)
        session.run(add.op)

        def work() -> None:
            for _ in range(200):
                session.run(add.op)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert session.run(v) == 801


@BOTH
def test_who_waits_keeps_nobody_from_the_variables(tf, tier):
    queue = tf.FIFOQueue(1, [tf.float32], [[]])
    v = tf.Variable(1.0)
    taken = v.assign_add(queue.dequeue())
    with tiers.tier(tier), tf.Session() as session:
        session.run(v.initializer)
        waiting = threading.Thread(target=lambda: session.run(taken.op))
        waiting.start()
        session.run(v.assign_add(10.0).op)
        session.run(queue.enqueue(100.0))
        waiting.join()
        assert session.run(v) == 111


@BOTH
def test_an_error_names_the_line_that_made_the_operation(tf, tier):
    x = tf.placeholder(tf.float32)
    y = tf.matmul(x, tf.ones([3, 2]), name="product")
    wrong = pytest.raises(tf.errors.InvalidArgumentError)
    with tiers.tier(tier), tf.Session() as session, wrong as caught:
        session.run(y, {x: np.ones([2, 2])})
    assert caught.value.op is y.op
    assert "In[0] mismatch In[1] shape: 2 vs. 3: [2,2] [3,2]" in caught.value.message
    assert "test_tiers.py" in caught.value.message


def test_a_variable_that_may_change_its_size(tf):
    v = tf.Variable([1.0, 2.0], validate_shape=False)
    x = tf.placeholder(tf.float32, [None])
    longer = tf.assign(v, x, validate_shape=False)
    with tiers.tier(tiers.HOST), tf.Session() as session:
        session.run(v.initializer)
        for size in (1, 5, 2):
            np.testing.assert_array_equal(session.run(longer, {x: np.ones(size)}), np.ones(size))
            assert session.run(tf.size(v)) == size


def test_what_a_run_does_not_go_through_costs_nothing(tf):
    """A table of which a few rows are read and changed costs what these rows do."""

    def costs(height: int, use_resource: bool) -> tiers.Costs:
        with tf.Graph().as_default():
            shape = [height, 8]
            table = tf.get_variable("t", shape, use_resource=use_resource)
            rows = tf.nn.embedding_lookup(table, [1, 2, 3])
            train = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(rows * rows))
            return tiers.Costs(Program([], [train], []).ops, 1)

    for use_resource in (False, True):
        low, high = (costs(height, use_resource) for height in (100, 1_000_000))
        assert high.host == low.host and high.xla == low.xla
    wide = [tf.Variable(tf.zeros([1000, 1000]), use_resource=use) for use in (False, True)]
    updates = [v.assign_add(tf.ones([1000, 1000])).op for v in wide]
    ref, resource = (tiers.Costs(Program([], [op], []).ops, 1).host for op in updates)
    assert ref > 100 and abs(ref - resource) < 20


# Prints the niceness of the threads that work for XLA's programs, once one is compiled.
_THREADS = """
import os
from tf1compat.runtime import tiers

def compiled():
    import jax
    return bool(jax.jit(lambda x: (x @ x).sum())(jax.numpy.ones([600, 600])) > 0)

assert tiers.in_background(compiled).result()
for thread in os.listdir("/proc/self/task"):
    with open(f"/proc/self/task/{thread}/stat") as file:
        name, _, rest = file.read().partition("(")[2].rpartition(")")
    if "XLAEigen" in name:
        print(rest.split()[16])
"""


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="not Linux")
def test_only_compiling_stands_back():
    given = subprocess.run(
        [sys.executable, "-c", _THREADS], check=True, capture_output=True, text=True
    ).stdout.split()
    assert given and set(given) == {str(os.nice(0))}
