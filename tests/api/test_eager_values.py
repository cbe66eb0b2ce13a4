"""What Python values become in eager execution, against TensorFlow 1.15."""

from __future__ import annotations

from pathlib import Path

import eager_value_cases
import pytest
import recording

from tf1compat.api.eager import context

GOLDENS = recording.read_json(str(Path(recording.DATA) / "eager_values.json"))


@pytest.fixture(scope="module")
def outcomes(tensorflow):
    return eager_value_cases.outcomes(tensorflow, context.eager_mode)


@pytest.mark.parametrize("name", GOLDENS)
def test_value(outcomes, name):
    assert outcomes[name] == GOLDENS[name]


def test_every_case_is_recorded(outcomes):
    assert outcomes.keys() == GOLDENS.keys()
