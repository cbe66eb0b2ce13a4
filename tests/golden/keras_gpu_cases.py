"""What Keras has for GPUs, as it is recorded."""

from __future__ import annotations

import importlib


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


def multi_gpu(tf, report):
    layers = tf.keras.layers
    utils = importlib.import_module("tensorflow.python.keras.utils.multi_gpu_utils")
    there = utils._get_available_devices
    devices = ("CPU:0", "GPU:0", "GPU:1", "GPU:2")
    utils._get_available_devices = lambda: ["/job:localhost/device:" + name for name in devices]
    try:
        inputs = [layers.Input((3,)), layers.Input((2, 2))]
        h = layers.concatenate([inputs[0], layers.Flatten()(inputs[1])])
        model = tf.keras.Model(inputs, [layers.Dense(2, name="d")(h), layers.Dense(1)(h)])
        for gpus, settings in ((2, {}), ([0, 2], {"cpu_merge": False, "cpu_relocation": True})):
            parallel = tf.keras.utils.multi_gpu_model(model, gpus, **settings)
            report.summary(parallel)
            report.say(parallel.output_names, [w.name for w in parallel.weights])
    finally:
        utils._get_available_devices = there
    for op in tf.get_default_graph().get_operations():
        report.say(op.name + " " + op.device)


def _masked(tf):
    layers = tf.keras.layers
    tf.keras.Sequential([layers.Masking(input_shape=(4, 3)), layers.CuDNNGRU(2)])


def _one_state_missing(tf):
    layers = tf.keras.layers
    layers.CuDNNLSTM(2)(layers.Input((4, 3)), initial_state=[layers.Input((2,))])


def _one_gpu(tf):
    tf.keras.utils.multi_gpu_model(None, gpus=1)


def _one_gpu_listed(tf):
    tf.keras.utils.multi_gpu_model(None, gpus=[3])


NETS = {"multi_gpu": multi_gpu, "cudnn": cudnn, "cudnn_stateful": cudnn_stateful}
CALLS = {}
MISTAKES = {
    "masked": _masked,
    "one_state_missing": _one_state_missing,
    "one_gpu": _one_gpu,
    "one_gpu_listed": _one_gpu_listed,
}
