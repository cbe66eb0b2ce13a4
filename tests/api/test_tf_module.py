"""tf.Module against TensorFlow 1.15."""

from __future__ import annotations

import module_cases
import pytest
from layer_goldens import Goldens

_GOLDENS = Goldens(module_cases, "modules.json.gz")


@pytest.mark.parametrize("name", module_cases.GRAPHS["modules"])
def test_case(tf, name):
    _GOLDENS.check_case(tf, "modules", name)


@pytest.mark.parametrize("name", module_cases.MISTAKES["modules"])
def test_mistake(tf, name):
    _GOLDENS.check_mistake(tf, "modules", name)
