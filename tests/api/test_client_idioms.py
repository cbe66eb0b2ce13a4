"""What client code of 2016 to 2019 does to TensorFlow's modules and classes."""

import numpy as np
from case_goldens import CaseGoldens

import tf1compat as tf
from tf1compat.api.data.util import nest
from tf1compat.launcher import import_hook

import_hook.install()
GOLDENS = CaseGoldens("client")


@GOLDENS.cases()
def test_case(tf, group, name):
    GOLDENS.check_case(tf, group, name)


@GOLDENS.mistakes()
def test_mistake(tf, group, name):
    GOLDENS.check_mistake(tf, group, name)


def test_graph_keys_are_plain_attributes(monkeypatch):
    # As memory_saving_gradients.py does for TF 0.12.
    assert tf.GraphKeys.VARIABLES == tf.GraphKeys.GLOBAL_VARIABLES
    monkeypatch.setattr(tf.GraphKeys, "VARIABLES", "mine")
    assert tf.GraphKeys.VARIABLES == "mine"
    assert tf.GraphKeys.GLOBAL_VARIABLES == "variables"


def test_a_leaf_is_its_own_structure_for_datasets():
    array, spec = np.arange(3), tf.TensorSpec([], tf.int64)
    for leaf in (array, spec, [1, 2], "text", 5):
        (only,) = nest.flatten(leaf)
        assert only is leaf
    dataset = tf.data.Dataset.range(2)
    assert nest.flatten((dataset.output_shapes, [array])) == [dataset.output_shapes, [array]]
