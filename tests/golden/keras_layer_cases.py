"""What layers of tf.keras say of themselves. The cases are as those of `keras_cases`."""

from __future__ import annotations

import numpy as np

NETS = {}
MISTAKES = {}


def shapes_of_elementwise_layers(tf, report):
    layers = tf.keras.layers
    for layer in (
        layers.LeakyReLU(), layers.PReLU(), layers.ELU(), layers.ThresholdedReLU(),
        layers.Softmax(), layers.ReLU(), layers.GaussianNoise(0.1), layers.GaussianDropout(0.1),
        layers.AlphaDropout(0.1), layers.Masking(), layers.Activation("relu"),
    ):  # fmt: skip
        found = layer.compute_output_shape((None, 3, 4))
        report.say(layer.name, type(found).__name__, found, layer.supports_masking)


def transposed_volumes(tf, report):
    layers = tf.keras.layers
    for rate in (1, 2):
        layer = layers.Conv3DTranspose(3, 2, dilation_rate=rate)
        report.say(layer(layers.Input((5, 6, 4, 2))).shape)
    enlarged = layers.UpSampling3D()
    report.say(enlarged.input_spec, enlarged.compute_output_shape((None, 2, 3, 4, 1)))


def axes_of_normalization(tf, report):
    layer = tf.keras.layers.LayerNormalization(axis=[-1])
    config = layer.get_config()
    layer(tf.keras.layers.Input((3, 4)))
    report.say(config["axis"], layer.axis)


def attention(tf, report):
    layers = tf.keras.layers
    a, b = layers.Input((3, 4)), layers.Input((5, 4))
    layer = layers.AdditiveAttention()
    model = tf.keras.Model([a, b], layer([a, b]))
    layer.set_weights([np.arange(4.0)])
    rng = np.random.RandomState(2)
    inputs = [rng.randn(2, 3, 4), rng.randn(2, 5, 4)]
    report.give("attention", model.predict(inputs))


CALLS = {
    f.__name__: f
    for f in (
        shapes_of_elementwise_layers, transposed_volumes, axes_of_normalization, attention,
    )
}  # fmt: skip
