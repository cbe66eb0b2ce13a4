"""What client libraries take from TF's internal modules, against TensorFlow 1.15."""

from __future__ import annotations

import pytest
from case_goldens import CaseGoldens

from tf1compat.core import context
from tf1compat.launcher import import_hook

import_hook.install()
GOLDENS = CaseGoldens("client_library")


@GOLDENS.cases()
def test_case(tf, group, name):
    GOLDENS.check_case(tf, group, name)


@pytest.fixture
def eager(tensorflow):
    """The `tensorflow` module as after `tf.enable_eager_execution()`."""
    tensorflow.reset_default_graph()
    tensorflow.enable_eager_execution()
    yield tensorflow
    context.set_eager_by_default(False)


def test_layers_are_numbered_by_the_default_graph_in_eager_execution(eager):
    def names():
        layer = eager.keras.layers.Dense(2)
        feed = eager.keras.Input((3,))
        return [layer.name, feed.name, eager.keras.Model(feed, layer(feed)).name]

    eager.keras.backend.clear_session()
    assert names() == ["dense", "input_1:0", "model"]
    assert names() == ["dense_1", "input_2:0", "model_1"]
    eager.compat.v1.reset_default_graph()  # as a test case does before each of its tests
    assert names() == ["dense", "input_3:0", "model"]
