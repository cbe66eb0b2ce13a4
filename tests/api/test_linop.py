"""tf.linalg.LinearOperator* and tf.Module against TensorFlow 1.15."""

from __future__ import annotations

import pytest
from case_goldens import CaseGoldens

pytestmark = pytest.mark.usefixtures("compiled_quickly")

_GOLDENS = CaseGoldens("linop")


@_GOLDENS.cases()
def test_case(tf, group, name):
    # Where shapes are unknown the values are the same, and compiling takes longest.
    check = _GOLDENS.check_graph if group == "unknown" else _GOLDENS.check_case
    check(tf, group, name)


@_GOLDENS.mistakes()
def test_mistake(tf, group, name):
    _GOLDENS.check_mistake(tf, group, name)
