"""tf.contrib.estimator.replicate_model_fn against TensorFlow 1.15: graphs, numbers, errors."""

from __future__ import annotations

from case_goldens import CaseGoldens

GOLDENS = CaseGoldens("replicate")


@GOLDENS.cases()
def test_case(tf, group, name):
    GOLDENS.check_case(tf, group, name)


@GOLDENS.mistakes()
def test_mistake(tf, group, name):
    GOLDENS.check_mistake(tf, group, name)
