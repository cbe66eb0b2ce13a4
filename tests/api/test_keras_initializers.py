"""tf.keras.initializers by name and by config; what TensorFlow 1.15 says is written here."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("name", "class_name", "arguments"),
    [
        ("normal", "RandomNormal", {"mean": 0.0, "stddev": 0.05}),
        ("uniform", "RandomUniform", {"minval": -0.05, "maxval": 0.05}),
        ("truncated_normal", "TruncatedNormal", {"stddev": 0.05}),
        ("he_normal", "VarianceScaling", {"scale": 2.0, "mode": "fan_in"}),
        ("GlorotUniform", "GlorotUniform", {"seed": None}),
        ("one", "Ones", {"dtype": "float32"}),
    ],
)
def test_get_and_back(tf, name, class_name, arguments):
    found = tf.keras.initializers.get(name)
    written = tf.keras.initializers.serialize(found)
    assert written["class_name"] == class_name
    assert arguments.items() <= written["config"].items()
    again = tf.keras.initializers.get(written)
    assert type(again) is type(found)
    assert again.get_config() == found.get_config()


def test_mistakes(tf):
    initializers = tf.keras.initializers
    with pytest.raises(ValueError, match="^Unknown initializer:nope$"):
        initializers.get("nope")
    with pytest.raises(ValueError, match="^Unknown initializer: nope$"):
        initializers.get({"class_name": "nope", "config": {}})
    with pytest.raises(ValueError, match="^Could not interpret initializer identifier: 3$"):
        initializers.get(3)


def test_custom_objects(tf):
    ones = tf.keras.initializers.Ones
    assert type(tf.keras.initializers.deserialize("X", {"X": ones})) is ones
