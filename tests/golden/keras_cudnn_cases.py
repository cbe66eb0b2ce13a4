"""`CuDNNGRU` and `CuDNNLSTM` as they are recorded. TF runs them on GPUs only."""

from __future__ import annotations


def cudnn(tf, report):
    keras = tf.keras
    i = keras.layers.Input((5, 3))
    h = keras.layers.CuDNNLSTM(4, return_sequences=True, kernel_regularizer="l2")(i)
    h, *states = keras.layers.CuDNNGRU(4, return_sequences=True, return_state=True)(h)
    h = keras.layers.CuDNNGRU(4, go_backwards=True, return_sequences=True)(h, initial_state=states)
    h = keras.layers.CuDNNLSTM(2, unit_forget_bias=False, bias_constraint="unit_norm")(h)
    model = keras.Model(i, h)
    report.summary(model)
    report.config(model)
    model.compile("sgd", "mse")
    model._make_train_function()
    model._make_predict_function()


def cudnn_stateful(tf, report):
    layers = tf.keras.layers
    model = tf.keras.Sequential([
        layers.CuDNNLSTM(3, stateful=True, batch_input_shape=(2, 4, 3), return_sequences=True),
        layers.CuDNNGRU(3, stateful=True),
    ])  # fmt: skip
    report.say([w.name for w in model.weights], len(model.updates))


def _masked(tf):
    layers = tf.keras.layers
    tf.keras.Sequential([layers.Masking(input_shape=(4, 3)), layers.CuDNNGRU(2)])


def _one_state_missing(tf):
    layers = tf.keras.layers
    layers.CuDNNLSTM(2)(layers.Input((4, 3)), initial_state=[layers.Input((2,))])


NETS = {"cudnn": cudnn, "cudnn_stateful": cudnn_stateful}
CALLS = {}
MISTAKES = {"masked": _masked, "one_state_missing": _one_state_missing}
