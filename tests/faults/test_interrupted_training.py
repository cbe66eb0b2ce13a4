"""Signals at random instants of `fit`, of steps that input threads feed and of `tf.data`, and
handlers that save and end the process."""

from __future__ import annotations

import functools
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from runtime.test_interrupts import Signals, of_one_version, two_variables

from tf1compat.core import context
from tf1compat.runtime import tiers

ROOT = Path(__file__).parent.parent.parent
TIERS = [tiers.HOST, tiers.AUTO]


@pytest.fixture(autouse=True)
def _no_graph_left() -> Iterator[None]:
    """What comes in the midst of the end of a `with graph.as_default()` leaves it, as in TF."""
    yield
    context.thread.graphs.clear()


pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers here")


@pytest.mark.parametrize("tier", TIERS)
def test_fit(tf: Any, tier: str, long: bool) -> None:
    """Every step takes 1 from the weight: so it says how many steps there were."""
    with tiers.tier(tier), tf.Session().as_default():
        layer = tf.keras.layers.Dense(1, use_bias=False, kernel_initializer="zeros")
        model = tf.keras.Sequential([tf.keras.layers.Input((1,)), layer])
        optimizer = tf.keras.optimizers.SGD(1.0)
        model.compile(optimizer, lambda target, output: output)
        x = np.ones([32, 1], np.float32)
        model.fit(x, x, batch_size=4, verbose=0)
        with Signals() as signals:
            for _ in range(300 if long else 10):
                signals.interrupt(lambda: model.fit(x, x, batch_size=4, verbose=0), 5e-2)
                weight, count = tf.keras.backend.get_session().run(
                    [layer.kernel, optimizer.iterations]
                )
                assert weight == -count
        before = -layer.get_weights()[0]
        model.fit(x, x, batch_size=4, verbose=0)
        assert layer.get_weights()[0] == -(before + 8)


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("source", ["queue", "dataset"])
def test_fed_steps(tf: Any, tier: str, source: str, long: bool) -> None:
    """What was taken from the source may be lost, and no variable is of another step."""
    variables, step = two_variables(tf, 20)
    if source == "queue":
        queue = tf.FIFOQueue(8, tf.float32, shapes=[[]])
        tf.train.add_queue_runner(tf.train.QueueRunner(queue, [queue.enqueue(1.0)] * 2))
        element = queue.dequeue()
    else:
        data = tf.data.Dataset.range(10).map(lambda x: x + 1, 2).repeat().batch(4).prefetch(2)
        element = data.make_one_shot_iterator().get_next()
    step = tf.group(step, element)
    with tiers.tier(tier), tf.Session() as session:
        session.run(tf.global_variables_initializer())
        coordinator = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(session, coordinator)
        with Signals() as signals:
            for _ in range(500 if long else 30):
                signals.interrupt(lambda: session.run(step), 3e-3)
                assert of_one_version(session.run(variables))
        before = session.run(variables[0])
        session.run(step)
        np.testing.assert_array_equal(session.run(variables[1]), before + 1)
        coordinator.request_stop()
        coordinator.join(threads)


def _new_program(tf: Any, step: Any, start: float) -> Any:
    with tf.control_dependencies([step]):
        count = tf.while_loop(lambda n: n < 5.0, lambda n: n + 1.0, [tf.constant(start)])
        return tf.cond(count > 5.5, lambda: count * 2.0, lambda: count - 1.0)


@pytest.mark.parametrize("tier", [tiers.HOST, tiers.XLA])
def test_new_programs(tf: Any, tier: str, long: bool, compiled_quickly: None) -> None:
    """While a program with a loop and a conditional is planned, traced, compiled or run."""
    variables, step = two_variables(tf, 20)
    with tiers.tier(tier), tf.Session() as session, Signals() as signals:
        session.run(tf.global_variables_initializer())
        for i in range(250 if long else 10):
            last = _new_program(tf, step, i / 1e3)
            run = functools.partial(session.run, last)
            signals.interrupt(run, 2e-1 if tier == tiers.XLA else 2e-2)
            assert of_one_version(session.run(variables))
            run()
            assert of_one_version(session.run(variables))


_SAVES = """
import signal, sys
from tf1compat import namespace, set_tier
tf = namespace.tensorflow()
set_tier({tier!r})
v = tf.Variable([0.0] * 1000, name="v")
w = tf.Variable([0.0] * 1000, name="w", use_resource=True)
step = tf.group(tf.assign_add(v, [1.0] * 1000), w.assign_add([1.0] * 1000))
saver, session = tf.train.Saver(), tf.Session()
def stop(*_):
    saver.save(session, "model", write_meta_graph=False)
    sys.exit(3)
signal.signal(signal.SIGTERM, stop)
session.run(tf.global_variables_initializer())
for i in range(10**9):
    session.run(step)
    if i == 30:
        print("begun", flush=True)
"""


@pytest.mark.parametrize("tier", TIERS)
def test_handler_that_saves(tf: Any, tier: str, tmp_path: Path, long: bool) -> None:
    """A handler of SIGTERM that saves, wherever the training is, and ends the process."""
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    for turn in range(10 if long else 1):
        process = subprocess.Popen(
            [sys.executable, "-W", "ignore", "-c", _SAVES.format(tier=tier)], cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": path}, stdout=subprocess.PIPE,
        )  # fmt: skip
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(turn * 0.003)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
        assert process.returncode == 3
        reader = tf.train.NewCheckpointReader(str(tmp_path / "model"))
        v, w = reader.get_tensor("v"), reader.get_tensor("w")
        assert of_one_version([v]) and abs(v[0] - w[0]) <= 1 and v[0] > 30
