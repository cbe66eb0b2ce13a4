"""tf.data against TensorFlow 1.15."""

from __future__ import annotations

import pytest
from case_goldens import CaseGoldens

GOLDENS = CaseGoldens("dataset")

pytestmark = [
    pytest.mark.filterwarnings("ignore:tf.data static optimizations"),
    pytest.mark.filterwarnings("ignore:Seed 5 from outer graph"),
]


@GOLDENS.cases()
def test_case(tf, group, name):
    GOLDENS.check_case(tf, group, name)


@GOLDENS.mistakes()
def test_mistake(tf, group, name):
    GOLDENS.check_mistake(tf, group, name)
