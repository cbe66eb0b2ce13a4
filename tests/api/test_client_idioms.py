"""What client code of 2016 to 2019 does to TensorFlow's modules and classes."""

import tf1compat as tf


def test_graph_keys_are_plain_attributes(monkeypatch):
    # As memory_saving_gradients.py does for TF 0.12.
    assert tf.GraphKeys.VARIABLES == tf.GraphKeys.GLOBAL_VARIABLES
    monkeypatch.setattr(tf.GraphKeys, "VARIABLES", "mine")
    assert tf.GraphKeys.VARIABLES == "mine"
    assert tf.GraphKeys.GLOBAL_VARIABLES == "variables"
