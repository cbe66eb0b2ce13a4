"""tf.distributions against TensorFlow 1.15."""

from __future__ import annotations

import distribution_cases
import pytest
from layer_goldens import Goldens

pytestmark = pytest.mark.usefixtures("compiled_quickly")

_GOLDENS = Goldens(distribution_cases, "distributions.json.gz")


def _in_groups(cases):
    return [(group, name) for group, names in cases.items() for name in names]


@pytest.mark.parametrize("group, name", _in_groups(distribution_cases.GRAPHS))
def test_case(tf, group, name):
    _GOLDENS.check_case(tf, group, name)


@pytest.mark.parametrize("group, name", _in_groups(distribution_cases.MISTAKES))
def test_mistake(tf, group, name):
    _GOLDENS.check_mistake(tf, group, name)


def test_a_note_reaches_the_public_documentation(tf):
    assert "documentation from `Beta`" in tf.distributions.Beta.log_prob.__doc__
    assert "documentation from" not in tf.distributions.Normal.log_prob.__doc__


def test_a_divergence_is_found_for_the_nearest_classes(tf):
    class Mine(tf.distributions.Normal):
        pass

    @tf.distributions.RegisterKL(Mine, tf.distributions.Normal)
    def _mine(a, b, name=None):
        return 5.0

    normal = tf.distributions.Normal(0.0, 1.0)
    assert tf.distributions.kl_divergence(Mine(0.0, 1.0), normal) == 5.0
    assert tf.is_tensor(tf.distributions.kl_divergence(normal, Mine(0.0, 1.0)))
    with pytest.raises(ValueError, match=r"KL\(Mine \|\| Normal\) has already been registered to"):
        tf.distributions.RegisterKL(Mine, tf.distributions.Normal)(_mine)
