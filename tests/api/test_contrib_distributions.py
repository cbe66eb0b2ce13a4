"""tf.contrib.distributions and its bijectors against TensorFlow 1.15."""

from __future__ import annotations

import distribution_contrib_cases
import pytest
from layer_goldens import Goldens

pytestmark = pytest.mark.usefixtures("compiled_quickly")

_GOLDENS = Goldens(distribution_contrib_cases, "distributions_contrib.json.xz")


def _in_groups(cases):
    return [(group, name) for group, names in cases.items() for name in names]


@pytest.mark.parametrize("group, name", _in_groups(distribution_contrib_cases.GRAPHS))
def test_case(tf, group, name):
    _GOLDENS.check_case(tf, group, name)


@pytest.mark.parametrize("group, name", _in_groups(distribution_contrib_cases.MISTAKES))
def test_mistake(tf, group, name):
    _GOLDENS.check_mistake(tf, group, name)
