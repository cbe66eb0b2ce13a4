"""tf.data against TensorFlow 1.15."""

from __future__ import annotations

import dataset_cases
import pytest
import recording
from case_goldens import CaseGoldens

GOLDENS = CaseGoldens("dataset")

pytestmark = [
    pytest.mark.filterwarnings("ignore:tf.data static optimizations"),
    pytest.mark.filterwarnings("ignore:Seed 5 from outer graph"),
]


@GOLDENS.cases()
def test_case(tf, group, name):
    if group == "conditionals":  # Only values: the functions' `tf.cond`s are recorded as of version 1.
        expected = GOLDENS._golden["cases"][group][name]["values"]
        found = dataset_cases.CASES[group][name](tf).run(tf)
        for want, (_, value) in zip(expected, found, strict=True):
            difference = recording.value_difference(want, recording.describe_value(value), 2e-5)
            assert difference is None, difference
    else:
        GOLDENS.check_case(tf, group, name)


@GOLDENS.mistakes()
def test_mistake(tf, group, name):
    GOLDENS.check_mistake(tf, group, name)
