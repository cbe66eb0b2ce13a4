"""What tf.keras takes from keras_applications and keras_preprocessing, against TensorFlow 1.15."""

from __future__ import annotations

import importlib
import os
import sys
import urllib.error

import keras_cases
import keras_package_cases as cases
import numpy as np
import pytest
import recording
from test_keras import check_case

GOLDEN = recording.read_json(os.path.join(recording.DATA, "keras_packages.json.xz"))


@pytest.fixture(name="packages")
def _packages():
    for package in ("keras_applications", "keras_preprocessing"):
        pytest.importorskip(package)


@pytest.mark.parametrize("name", cases.NETS)
def test_net(tf, packages, name):
    expected = GOLDEN["nets"][name]
    check_case(tf, expected, cases.NETS[name])
    graph = keras_cases.described_graph(tf)
    difference = recording.first_graph_difference(expected["graph"], graph)
    assert difference is None, difference


@pytest.mark.parametrize("name", cases.CALLS)
def test_call(tf, packages, name):
    check_case(tf, GOLDEN["calls"][name], cases.CALLS[name])


@pytest.mark.parametrize("name", cases.MISTAKES)
def test_mistake(tf, packages, name):
    assert recording.raised(tf, cases.MISTAKES[name]) == GOLDEN["mistakes"][name]


def test_batches_for_a_model(tf, packages):
    generator = tf.keras.preprocessing.image.ImageDataGenerator(horizontal_flip=True)
    x = np.random.RandomState(0).rand(8, 4, 4, 3)
    np.random.seed(0)  # What is flipped.
    tf.set_random_seed(0)
    model = tf.keras.Sequential(
        [tf.keras.layers.Flatten(input_shape=(4, 4, 3)), tf.keras.layers.Dense(1)]
    )
    model.compile("sgd", "mse")
    history = model.fit_generator(
        generator.flow(x, x[:, 0, 0, 0], batch_size=4, seed=0), epochs=3, verbose=0
    )
    losses = history.history["loss"]
    assert losses[-1] < losses[0]


def test_weights_that_cannot_be_downloaded(tf, packages, monkeypatch, tmp_path):
    data_utils = importlib.import_module("tf1compat.api.keras.utils.data_utils")

    def unreachable(*args):
        raise urllib.error.URLError("no network")

    monkeypatch.setattr(data_utils.urllib.request, "urlretrieve", unreachable)
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".keras").mkdir()
    name = "mobilenet_2_5_128_tf_no_top.h5"
    with pytest.raises(Exception, match="URL fetch failure on .*None -- no network") as raised:
        tf.keras.applications.MobileNet((128, 128, 3), alpha=0.25, include_top=False)
    assert f"put a copy of that file at {tmp_path}/.keras/models/{name}" in str(raised.value)


@pytest.mark.parametrize("package", ["keras_applications", "keras_preprocessing"])
def test_packages_that_are_not_there(tf, monkeypatch, package):
    monkeypatch.setitem(sys.modules, package, None)
    pypi = importlib.import_module("tf1compat.api.keras.pypi")
    with pytest.raises(ImportError, match=rf"{package}: pip install 'tf1compat\[keras\]'"):
        pypi.module(f"{package}.image")
