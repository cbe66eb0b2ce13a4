"""Conditional accumulators and tf.train.SyncReplicasOptimizer against TensorFlow 1.15."""

from __future__ import annotations

from case_goldens import CaseGoldens

from tf1compat.api.eager import context

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


def test_conditional_accumulator_in_eager_execution(tf):
    with context.eager_mode():
        accumulator = tf.ConditionalAccumulator(tf.float32, shape=[2])
        for gradient in ([1.0, 2.0], [3.0, 6.0]):
            accumulator.apply_grad(tf.constant(gradient))
        assert accumulator.num_accumulated().numpy() == 2
        assert accumulator.take_grad(2).numpy().tolist() == [2.0, 4.0]
