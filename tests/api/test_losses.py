"""tf.losses against TensorFlow 1.15."""

from __future__ import annotations

import layer_cases
import pytest
from layer_goldens import check_case, check_mistake


@pytest.mark.parametrize("name", layer_cases.GRAPHS["losses"])
def test_case(tf, name):
    check_case(tf, "losses", name)


@pytest.mark.parametrize("name", layer_cases.MISTAKES["losses"])
def test_mistake(tf, name):
    check_mistake(tf, "losses", name)
