"""`tf.contrib.eager` and eager Keras, as in TF 1.15."""

from __future__ import annotations

from pathlib import Path

import contrib_eager_cases as cases
import pytest
import recording

from tf1compat.core import context

GOLDEN = recording.read_json(str(Path(recording.DATA) / "contrib_eager.json.gz"))


@pytest.fixture
def tf(tensorflow):
    """The `tensorflow` module as after `tf.enable_eager_execution()`."""
    tensorflow.reset_default_graph()
    tensorflow.enable_eager_execution()
    tensorflow.logging.set_verbosity("ERROR")
    yield tensorflow
    context.set_eager_by_default(False)
    tensorflow.set_random_seed(None)


@pytest.mark.parametrize("name", cases.CASES)
def test_case(tf, name, tmp_path):
    _compare(cases.CASES[name](tf, str(tmp_path)), GOLDEN[name])


def _compare(found, expected):
    if isinstance(expected, list):
        assert isinstance(found, list) and len(found) == len(expected)
        for ours, theirs in zip(found, expected, strict=True):
            _compare(ours, theirs)
    elif isinstance(expected, float):
        assert found == pytest.approx(expected, rel=2e-4, abs=1e-5)
    else:
        assert found == expected


def _outer_network(tf):
    class Small(tf.contrib.eager.Network):
        def __init__(self, name=None):
            super().__init__(name=name)
            self.dense = self.track_layer(tf.layers.Dense(2, use_bias=False))

        def call(self, inputs):
            return self.dense(inputs)

    class Outer(tf.contrib.eager.Network):
        def __init__(self, name=None):
            super().__init__(name=name)
            self.first, self.second = self.track_layer(Small()), self.track_layer(Small("x"))
            self.dense = self.track_layer(tf.layers.Dense(1))

        def call(self, inputs):
            return self.dense(self.first(inputs) + self.second(inputs))

    return Outer


def test_networks_name_their_layers_and_restore_later(tf, tmp_path):
    """The names are those that TensorFlow 1.15 printed for the same program."""
    outer = _outer_network(tf)
    network = outer("o")
    network(tf.ones([1, 3]))
    assert [v.name for v in network.variables] == [
        "o/small/dense/kernel:0", "o/x/dense/kernel:0", "o/dense/kernel:0", "o/dense/bias:0",
    ]  # fmt: skip
    assert [layer.name for layer in network.layers] == ["small", "x", "dense"]
    path = tf.contrib.eager.save_network_checkpoint(network, str(tmp_path))
    assert path == str(tmp_path / "o")
    assert [name for name, _ in tf.train.list_variables(path)] == [
        "dense/bias", "dense/kernel", "small/dense/kernel", "x/dense/kernel",
    ]  # fmt: skip
    other = outer("o_1")
    tf.contrib.eager.restore_network_checkpoint(other, path)
    other(tf.ones([1, 3]))
    for made, saved in zip(other.variables, network.variables, strict=True):
        assert made.numpy().tolist() == saved.numpy().tolist()
    with pytest.raises(ValueError, match="A Network named 'o' already exists"):
        outer("o")(tf.ones([1, 3]))


def test_network_has_no_name_before_it_is_called(tf):
    with pytest.raises(ValueError, match="The network does not yet have a final name"):
        _ = _outer_network(tf)().name
