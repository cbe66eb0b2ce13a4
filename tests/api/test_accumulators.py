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
