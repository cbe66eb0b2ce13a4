"""What interrupts a run changes all of the variables or none, and later runs go on."""

from __future__ import annotations

import random
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from tf1compat.runtime import tiers
from tf1compat.runtime.compile.shield import shielded

pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers here")


class Signals:
    """Interrupts `run` at random instants, as Ctrl-C does."""

    def __init__(self) -> None:
        self._draw = random.Random(0)
        self._armed = False

    def __enter__(self) -> Signals:
        assert threading.current_thread() is threading.main_thread()
        self._before = signal.signal(signal.SIGALRM, self._stop), sys.unraisablehook
        # One that comes in a destructor, or in a callback of the collector, is only reported.
        sys.unraisablehook = lambda _: None
        return self

    def __exit__(self, *_: Any) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        handler, sys.unraisablehook = self._before
        signal.signal(signal.SIGALRM, handler)

    def _stop(self, *_: Any) -> None:
        if self._armed:
            self._armed = False
            raise KeyboardInterrupt

    def interrupt(self, run: Callable[[], Any], within: float) -> None:
        """Runs again and again until a signal comes, after at most so many seconds."""
        with pytest.raises(KeyboardInterrupt):
            try:
                # Again and again, as Python drops one that comes in a destructor.
                signal.setitimer(signal.ITIMER_REAL, self._draw.uniform(1e-5, within), 0.01)
                while True:
                    self._armed = True
                    run()
            finally:
                self._armed = False


def two_variables(tf: Any, size: int) -> tuple[list[Any], Any]:
    """Two variables that every step changes alike, and the step."""
    one, two = tf.Variable(np.zeros(size)), tf.Variable(np.zeros(size), use_resource=True)
    both = [one.assign_add(tf.ones([size], tf.float64)), two.assign_add(np.ones(size))]
    return [one, two], tf.group(*both)


def of_one_version(values: Sequence[Any]) -> bool:
    return len({number for value in values for number in np.ravel(value)}) == 1


def test_what_is_shielded_runs_to_its_end() -> None:
    begun, ended = [], []

    def work() -> None:
        begun.append(1)
        sum(range(2000))
        ended.append(1)

    with Signals() as signals:
        for _ in range(200):
            signals.interrupt(lambda: shielded(work), 2e-3)
            assert len(begun) == len(ended)
    with pytest.raises(ZeroDivisionError):
        shielded(lambda: 1 / 0)
    assert shielded(lambda: 3) == 3


@pytest.mark.parametrize("tier", [tiers.HOST, tiers.XLA])
def test_a_signal_at_any_instant_of_a_run(tf: Any, tier: str) -> None:
    variables, step = two_variables(tf, 100)
    with Signals() as signals, tiers.tier(tier), tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(step)
        for _ in range(300):
            signals.interrupt(lambda: session.run(step), 4e-4)
            assert of_one_version(session.run(variables))
        before = session.run(variables[0])
        session.run(step)
        np.testing.assert_array_equal(session.run(variables[1]), before + 1)


def test_a_signal_while_a_step_is_long(tf: Any) -> None:
    """The arrays of a heavy step are given away for a long time."""
    size = 200
    weights = [tf.Variable(np.full([size, size], 0.5)) for _ in range(3)]
    mixed = [tf.matmul(weight, weight) for weight in weights]
    step = tf.group(*[w.assign(0.5 + 0 * m[0, 0] * m) for w, m in zip(weights, mixed)])
    with Signals() as signals, tiers.tier(tiers.XLA), tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(step)
        for _ in range(100):
            signals.interrupt(lambda: session.run(step), 5e-3)
            assert of_one_version(session.run(weights))


def test_a_signal_while_an_executable_runs_for_the_first_time(tf: Any) -> None:
    """JAX's own Python code is a part of the call then."""
    variables, step = two_variables(tf, 100)
    with Signals() as signals, tiers.tier(tiers.XLA), tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(step)
        entry = list(session._runs.values())[-1].program._repeat._entry

        def run() -> None:
            entry._atomic = None  # as before the first run
            session.run(step)

        for _ in range(200):
            signals.interrupt(run, 2e-3)
            assert of_one_version(session.run(variables))


def test_a_signal_around_steps_on_the_host(tf: Any) -> None:
    """Levels of a run write one after the other; what a signal finds written is taken back."""
    first, second = [tf.Variable(0.0) for _ in range(2)]
    value = tf.py_func(lambda x: x, [first.assign_add(1.0)], tf.float32, stateful=True)
    value.set_shape([])
    step = second.assign(value)
    with Signals() as signals, tiers.tier(tiers.XLA), tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(step)
        for _ in range(100):
            signals.interrupt(lambda: session.run(step), 2e-3)
            assert of_one_version(session.run([first, second]))


def test_a_failing_check_gives_everything_back(tf: Any, xla: None) -> None:
    """Also what the failed run would have made for the first time, or in another shape."""
    x = tf.placeholder(tf.float32, [])
    held = tf.Variable(1.0)
    made = tf.Variable(1.0)
    grown = tf.Variable(np.zeros(1, np.float32), validate_shape=False)
    with tf.control_dependencies([tf.Assert(x > 0, [x])]):
        steps = [held.assign_add(x), made.assign(x)]
        steps.append(tf.assign(grown, tf.concat([grown, [x]], 0), validate_shape=False))
    with tf.Session() as session:
        session.run([held.initializer, grown.initializer])
        for _ in range(3):
            with pytest.raises(tf.errors.InvalidArgumentError, match="assertion failed"):
                session.run(steps, {x: -1.0})
        assert not session.run(tf.is_variable_initialized(made))
        assert session.run([held, grown]) == [1.0, [0.0]]
        session.run(steps, {x: 2.0})
        with pytest.raises(tf.errors.InvalidArgumentError, match="assertion failed"):
            session.run(steps, {x: -1.0})
        held_now, made_now, grown_now = session.run([held, made, grown])
        assert (held_now, made_now, list(grown_now)) == (3.0, 2.0, [0.0, 2.0])
