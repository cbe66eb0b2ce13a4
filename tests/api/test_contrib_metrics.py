"""tf.contrib.metrics against TensorFlow 1.15."""

from __future__ import annotations

import pytest
from case_goldens import CaseGoldens

pytestmark = pytest.mark.usefixtures("compiled_quickly")

GOLDENS = CaseGoldens("contrib_metric")


@GOLDENS.cases()
def test_case(tf, group, name):
    GOLDENS.check_case(tf, group, name)


@GOLDENS.mistakes()
def test_mistake(tf, group, name):
    GOLDENS.check_mistake(tf, group, name)
