"""Op types of boosted trees, against TensorFlow 1.15."""

from __future__ import annotations

from case_goldens import CaseGoldens

GOLDENS = CaseGoldens("boosted_trees")


@GOLDENS.cases()
def test_case(tf, group, name):
    GOLDENS.check_case(tf, group, name)
