"""tf.keras against TensorFlow 1.15."""

from __future__ import annotations

import gc
import os
import weakref

import keras_cases
import numpy as np
import pytest
import recording

GOLDEN = recording.read_json(os.path.join(recording.DATA, "keras.json.xz"))


def check_case(tf, expected, case):
    report = keras_cases.run(tf, case)
    for i, (want, found) in enumerate(zip(expected["said"], report.said, strict=False)):
        assert found == want, f"text {i}"
    assert len(report.said) == len(expected["said"])
    assert set(report.values) == set(expected["values"])
    for name, want in expected["values"].items():
        found = recording.describe_value(report.values[name])
        difference = recording.value_difference(want, found, 2e-4, name)
        assert difference is None, difference


@pytest.mark.parametrize("name", keras_cases.NETS)
def test_net(tf, name):
    expected = GOLDEN["nets"][name]
    check_case(tf, expected, keras_cases.NETS[name])
    graph = keras_cases.described_graph(tf)
    difference = recording.first_graph_difference(expected["graph"], graph)
    assert difference is None, difference
    differences = recording.shape_differences(expected["graph"]["shapes"], graph["shapes"])
    assert not differences, "\n".join(differences)


@pytest.mark.parametrize("name", keras_cases.CALLS)
def test_call(tf, name):
    check_case(tf, GOLDEN["calls"][name], keras_cases.CALLS[name])


@pytest.mark.parametrize("name", keras_cases.MISTAKES)
def test_mistake(tf, name):
    assert recording.raised(tf, keras_cases.MISTAKES[name]) == GOLDEN["mistakes"][name]


def _trained(tf):
    layers = tf.keras.layers
    model = tf.keras.Sequential(
        [layers.Dense(2, input_shape=(3,)), layers.BatchNormalization(), layers.Dense(1)]
    )
    model.compile("adam", "mse")
    x = np.arange(12.0).reshape(4, 3)
    model.train_on_batch(x, x[:, :1])
    return model, x


def test_weights_in_a_checkpoint_of_objects(tf, tmp_path):
    model, x = _trained(tf)
    path = str(tmp_path / "weights")
    model.save_weights(path)
    reader = tf.train.load_checkpoint(path)
    keys = set(reader.get_variable_to_shape_map())
    for key in (
        "layer_with_weights-0/kernel/.ATTRIBUTES/VARIABLE_VALUE",
        "layer_with_weights-1/moving_mean/.ATTRIBUTES/VARIABLE_VALUE",
        "layer_with_weights-2/bias/.OPTIMIZER_SLOT/optimizer/v/.ATTRIBUTES/VARIABLE_VALUE",
        "optimizer/learning_rate/.ATTRIBUTES/VARIABLE_VALUE",
    ):
        assert key in keys
    other = tf.keras.models.clone_model(model)
    other.load_weights(path).assert_existing_objects_matched()
    np.testing.assert_allclose(other.predict(x), model.predict(x))


def test_models_in_hdf5(tf, tmp_path):
    pytest.importorskip("h5py")
    model, x = _trained(tf)
    path = str(tmp_path / "model.h5")
    model.save(path)
    other = tf.keras.models.load_model(path)
    np.testing.assert_allclose(other.predict(x), model.predict(x))
    assert other.optimizer.get_weights()[0] == 1
    model.save_weights(path)
    clone = tf.keras.models.clone_model(model)
    clone.load_weights(path)
    np.testing.assert_allclose(clone.predict(x), model.predict(x))


def test_hdf5_without_h5py_says_what_to_install(tf, tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "h5py", None)
    model, _ = _trained(tf)
    with pytest.raises(ImportError, match="pip install h5py"):
        model.save_weights(str(tmp_path / "weights.h5"))


def test_a_model_as_a_saved_model(tf, tmp_path):
    model, x = _trained(tf)
    path = str(tmp_path / "model")
    model.save(path, save_format="tf")
    np.testing.assert_allclose(tf.keras.models.load_model(path).predict(x), model.predict(x))


def test_texts_and_sequences(tf):
    preprocessing = tf.keras.preprocessing
    tokenizer = preprocessing.text.Tokenizer(num_words=4, oov_token="?")
    tokenizer.fit_on_texts(["the cat sat on the mat", "The dog ate the cat!"])
    sequences = tokenizer.texts_to_sequences(["the cat ate", "dog"])
    assert sequences == [[2, 3, 1], [1]]
    padded = preprocessing.sequence.pad_sequences(sequences, maxlen=2)
    np.testing.assert_array_equal(padded, [[3, 1], [0, 1]])


def test_a_cleared_session_keeps_no_graph(tf):
    graphs = []
    for _ in range(2):
        tf.keras.backend.clear_session()
        model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
        model.compile("sgd", "mse")
        model.fit(np.ones([2, 2]), np.ones([2, 1]), verbose=0)
        graphs.append(weakref.ref(tf.get_default_graph()))
        del model
    tf.keras.backend.clear_session()
    gc.collect()
    assert [graph() for graph in graphs] == [None, None]
