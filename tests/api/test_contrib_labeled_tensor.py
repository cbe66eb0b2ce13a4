"""tf.contrib.labeled_tensor against TensorFlow 1.15."""

from __future__ import annotations

from case_goldens import CaseGoldens

GOLDENS = CaseGoldens("contrib_labeled_tensor")


@GOLDENS.cases()
def test_case(tf, group, name):
    GOLDENS.check_case(tf, group, name, rtol=1e-5)


@GOLDENS.mistakes()
def test_mistake(tf, group, name):
    GOLDENS.check_mistake(tf, group, name)
