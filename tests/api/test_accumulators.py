"""Conditional accumulators and tf.train.SyncReplicasOptimizer against TensorFlow 1.15."""

from __future__ import annotations

from case_goldens import CaseGoldens

_GOLDENS = CaseGoldens("accumulator")


@_GOLDENS.cases()
def test_case(tf, group, name):
    _GOLDENS.check_case(tf, group, name)


@_GOLDENS.mistakes()
def test_mistake(tf, group, name):
    _GOLDENS.check_mistake(tf, group, name)


def test_hooks_are_of_one_class(tf):
    """Code finds the hooks of synchronized optimizers among others by their class."""
    optimizer = tf.train.SyncReplicasOptimizer(tf.train.GradientDescentOptimizer(1.0), 1)
    first, second = (optimizer.make_session_run_hook(is_chief) for is_chief in (True, False))
    assert type(first) is type(second)
    assert isinstance(first, tf.train.SessionRunHook)
