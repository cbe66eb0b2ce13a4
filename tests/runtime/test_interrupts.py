"""What interrupts a run changes all of the variables or none, and later runs go on."""

from __future__ import annotations

import random
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import jax
import numpy as np
import pytest

from tf1compat.core import interrupts
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
        assert not jax.config.read("jax_enable_x64")


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


@pytest.mark.parametrize("what", ["dequeue", "dequeue_many", "py_func"])
def test_who_waits_is_interrupted_at_once(tf: Any, what: str) -> None:
    queue = tf.FIFOQueue(3, tf.float32, shapes=[[]])
    waiting = {
        "dequeue": queue.dequeue,
        "dequeue_many": lambda: queue.dequeue_many(2),
        "py_func": lambda: tf.py_func(lambda: time.sleep(60), [], []),
    }[what]()
    with Signals() as signals, tf.Session() as session:
        session.run(queue.enqueue(1.0))
        if what == "dequeue":
            session.run(waiting)
        began = time.monotonic()
        signals.interrupt(lambda: session.run(waiting), 0.1)
        assert time.monotonic() - began < 30
        left = session.run(queue.size())
        session.run(queue.enqueue(2.0))
        assert session.run(queue.dequeue()) == (1.0 if left else 2.0)


def _noting(handled: list[int]) -> Any:
    return signal.signal(signal.SIGUSR1, lambda number, _: handled.append(number))


def test_signals_come_at_the_end_of_what_defers_them() -> None:
    handled: list[int] = []
    before = _noting(handled)
    try:
        mine = signal.getsignal(signal.SIGUSR1)
        with interrupts.deferred():
            signal.raise_signal(signal.SIGUSR1)
            with interrupts.deferred():
                signal.raise_signal(signal.SIGUSR1)
                interrupts.interruptible(lambda: None)  # in another one's step
            assert not handled and interrupts.came()
            interrupts.interruptible(lambda: handled.append(0))
            assert handled == [signal.SIGUSR1, 0]
            signal.raise_signal(signal.SIGUSR1)
            assert len(handled) == 2
        assert handled == [signal.SIGUSR1, 0, signal.SIGUSR1]
        assert signal.getsignal(signal.SIGUSR1) is mine
        with pytest.raises(ZeroDivisionError), interrupts.deferred():
            signal.raise_signal(signal.SIGUSR1)
            raise ZeroDivisionError
        assert len(handled) == 4
    finally:
        signal.signal(signal.SIGUSR1, before)


def test_all_signals_that_wait_come_though_their_handlers_raise() -> None:
    def stop(number: int, _: Any) -> None:
        raise InterruptedError(number)

    numbers = signal.SIGUSR1, signal.SIGUSR2
    before = [signal.signal(number, stop) for number in numbers]
    try:
        with pytest.raises(InterruptedError) as found, interrupts.deferred():
            for number in numbers:
                signal.raise_signal(number)
        assert isinstance(found.value.__context__, InterruptedError)
        assert not interrupts.came() and not interrupts.are_deferred()
        assert [signal.getsignal(number) for number in numbers] == [stop, stop]
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)


def test_a_handler_that_the_script_sets_in_a_step_stays(tf: Any) -> None:
    handled: list[int] = []
    before = signal.getsignal(signal.SIGUSR1)

    def step() -> None:
        _noting(handled)

    try:
        with tf.Session() as session:
            session.run(tf.py_func(step, [], []))
        signal.raise_signal(signal.SIGUSR1)
        assert handled == [signal.SIGUSR1]
    finally:
        signal.signal(signal.SIGUSR1, before)


def test_a_signal_that_comes_again_after_long_waits_no_longer(monkeypatch: Any) -> None:
    monkeypatch.setattr(interrupts, "_PATIENCE", 0.0)
    with pytest.raises(KeyboardInterrupt), interrupts.deferred():
        signal.raise_signal(signal.SIGINT)
        for _ in range(100):  # Where other threads run, Python 3.11 may miss it at first.
            time.sleep(0.1)
        pytest.fail("it was to come here")
    assert not interrupts.are_deferred()
