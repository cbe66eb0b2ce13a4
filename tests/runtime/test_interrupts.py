"""What interrupts a run changes all of the variables or none, and later runs go on."""

from __future__ import annotations

import random
import signal
import threading
from typing import Any

import numpy as np
import pytest

from tf1compat.runtime import tiers


# A signal that comes in a destructor, or in a callback of the collector, is only reported.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers here")
def test_a_signal_at_any_instant_of_a_run_on_the_host(tf: Any) -> None:
    """Two variables that every step changes alike, and 300 signals."""
    one, two = tf.Variable(np.zeros(100)), tf.Variable(np.zeros(100), use_resource=True)
    both = [one.assign_add(tf.ones([100], tf.float64)), two.assign_add(np.ones(100))]
    step = tf.group(*both)
    draw = random.Random(0)

    armed = False

    def stop(*_: Any) -> None:
        if armed:
            raise KeyboardInterrupt

    assert threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGALRM, stop)
    interrupted = 0
    try:
        with tiers.tier(tiers.HOST), tf.Session() as session:
            session.run(tf.global_variables_initializer())
            session.run(step)
            for _ in range(300):
                try:
                    armed = True
                    # Again and again, as Python drops one that comes in a destructor.
                    signal.setitimer(signal.ITIMER_REAL, draw.uniform(1e-5, 4e-4), 0.01)
                    while True:
                        session.run(step)
                except KeyboardInterrupt:
                    armed = False
                    interrupted += 1
                first, second = session.run([one, two])
                np.testing.assert_array_equal(first, second)
                assert len(set(first)) == 1
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert interrupted == 300
