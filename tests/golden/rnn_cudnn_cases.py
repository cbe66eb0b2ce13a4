"""cuDNN's nets: graphs alone, for TensorFlow's CPU can't run them. The form is that of
rnn_cases."""

from __future__ import annotations

import os

from rnn_cases import BATCH, LENGTHS, SIZE, TIME, UNITS, _collect, _inputs, _text, _trained, _x


def _layers(tf):
    return tf.contrib.cudnn_rnn


def _ops():
    """The module of TF that has the nets which are not public."""
    from tensorflow.contrib.cudnn_rnn.python.ops import cudnn_rnn_ops

    return cudnn_rnn_ops


def _said(layer):
    names = ("num_layers", "num_units", "input_mode", "input_size", "rnn_mode", "direction")
    said = [getattr(layer, name) for name in names] + [layer.num_dirs, layer.state_shape(5)]
    said += [layer.canonical_weight_shapes, layer.canonical_bias_shapes, layer.variables]
    said += [layer.trainable_weights, layer.kernel, layer.kernel.shape, layer.dtype, layer.name]
    said += [(spec.name, spec.tensor.name, spec.dtype) for spec in layer.saveable.specs]
    return said + [layer.saveable.name, layer.saveable.op]


def _layer(kind, **kwargs):
    """A layer, trained, and saved."""

    def case(tf):
        tf.set_random_seed(40)
        x, feeds = _inputs(tf, shape=(TIME, None, SIZE))
        layer = getattr(_layers(tf), kind)(2, UNITS, **kwargs)
        y, state = layer(x)
        z, state = layer(y[:, :, :SIZE], initial_state=state)
        saver = tf.train.Saver()
        return _trained(tf, [z, state], feeds, _said(layer), saver.saver_def.filename_tensor_name)

    return case


def settings(tf):
    """Lengths, batches first, inference, and an op's own choices of a version."""
    x, feeds = _inputs(tf, shape=(TIME, BATCH, SIZE))
    c = _layers(tf)
    outputs = []
    layer = c.CudnnLSTM(1, UNITS, seed=3, dropout=0.5, name="net", input_mode="auto_select")
    with tf.variable_scope("s"):
        outputs.append(layer(x, training=False))
        outputs.append(layer(x, sequence_lengths=LENGTHS))
    h = tf.zeros([BATCH, 1, UNITS])
    by_batch = c.CudnnLSTM(1, UNITS, direction="unidirectional", name="net")
    with tf.variable_scope("s", reuse=True):
        outputs.append(by_batch(tf.transpose(x, [1, 0, 2]), (h, h), time_major=False))
    os.environ["TF_CUDNN_RNN_USE_V2"] = "1"
    try:
        gru = c.CudnnGRU(
            1, UNITS, kernel_initializer=tf.ones_initializer(), dtype=tf.float64,
            bias_initializer=tf.constant_initializer(0.5),
        )  # fmt: skip
        gru.build([None, None, SIZE])
        outputs.append(gru(tf.cast(x, tf.float64)))
    finally:
        del os.environ["TF_CUDNN_RNN_USE_V2"]
    said = [by_batch.saveable, tf.get_collection(tf.GraphKeys.SAVEABLE_OBJECTS)[0].name]
    saver = tf.train.Saver([layer.saveable])
    said.append(saver.as_saver_def().restore_op_name)
    grads = tf.gradients([outputs[1][0], outputs[2][0]], [x, layer.kernel])
    grads += tf.gradients(outputs[3], [x, gru.kernel])
    return [], feeds, [_text([outputs, grads, said])]


def nets(tf):
    """The nets whose parameters the caller keeps."""
    o = _ops()
    x = _x(tf, TIME, BATCH, SIZE)
    h, c = _x(tf, 2, BATCH, UNITS), _x(tf, 2, BATCH, UNITS)
    net = o.CudnnLSTM(2, UNITS, SIZE, dropout=0.25, seed=7)
    size = net.params_size()
    params = tf.Variable(tf.random_uniform([size]), validate_shape=False)
    outputs = [net(x, h, c, params), net(x, h, c, params, LENGTHS, is_training=False)]
    weights, biases = net.params_to_canonical(params)
    outputs += [weights, biases, net.canonical_to_params(weights, biases)]
    said = [net.input_mode, net.input_size, net.num_units, net.num_layers, net.rnn_mode]
    said += [net.direction, net.num_proj]
    for kind in (o.CudnnGRU, o.CudnnRNNTanh, o.CudnnRNNRelu):
        tf.set_random_seed(41)
        net = kind(1, UNITS, SIZE, direction="bidirectional", dtype=tf.float64, seed=None)
        outputs += [net.params_size(), net(tf.cast(x, tf.float64), tf.cast(h, tf.float64), [0.5])]
    projected = o.CudnnLSTM(1, UNITS, SIZE, num_proj=2)
    weights, biases = projected.params_to_canonical(params)
    outputs += [projected.params_size(), weights, biases]
    outputs.append(projected.canonical_to_params(weights, biases))
    h, c = tf.ones([1, BATCH, 2]), tf.ones([1, BATCH, UNITS])
    outputs.append(projected(x, h, c, params, time_major=True))
    outputs.append(tf.gradients(outputs[-1], [x, params]))
    return [], lambda step: {}, [_text([outputs, said])]


def functions(tf):
    """The functions on all steps, by position."""
    o = _ops()
    x, h, p = _x(tf, TIME, BATCH, SIZE), _x(tf, 1, BATCH, UNITS), _x(tf, None)
    outputs = [
        o.cudnn_lstm(x, h, h, p, True, LENGTHS, True, "linear_input", "unidirectional", 0.0, 1),
        o.cudnn_gru(x, h, p, False, name="named"),
        o.cudnn_rnn_relu(x, h, p, True, "auto_select", seed=5, sequence_lengths=LENGTHS),
        o.cudnn_rnn_tanh(x, h, p, True, None, False, "skip_input"),
        o.cudnn_rnn_opaque_params_size("gru", 1, 2, 3, dtype=tf.float16, name="size"),
    ]
    return [], lambda step: {}, [_text(outputs)]


def converters(tf):
    """Both ways of all of them."""
    c = _layers(tf)
    p = _x(tf, None)
    outputs = []
    for name, settings in (
        ("LSTM", {"direction": "bidirectional"}),
        ("LSTM", {"num_proj": 2}),
        ("LSTM", {"num_proj": 2, "direction": "bidirectional", "input_mode": "auto_select"}),
        ("GRU", {}),
        ("GRU", {"direction": "bidirectional"}),
        ("Tanh", {}),
        ("Relu", {"direction": "bidirectional"}),
    ):
        converter = getattr(c, "CudnnParamsFormatConverter" + name)(2, UNITS, SIZE, **settings)
        weights, biases, *projections = found = converter.opaque_to_tf_canonical(p)
        outputs += [found, converter.tf_canonical_to_opaque(weights + biases, *projections)]
    return [], lambda step: {}, [_text(outputs)]


def saveables(tf):
    """What checkpoints hold, made by hand."""
    c = _layers(tf)
    v = tf.get_variable("v", initializer=tf.ones([7]), validate_shape=False)
    said = []
    for kind, scope in (
        (c.CudnnLSTMSaveable, None),
        (c.CudnnGRUSaveable, "a/b"),
        (c.CudnnRNNTanhSaveable, tf.get_variable_scope()),
        (c.CudnnRNNReluSaveable, "c"),
    ):
        for direction in ("unidirectional", "bidirectional"):
            one = kind(v, 1, UNITS, SIZE, direction=direction, scope=scope)
            said.append([one.name, one.op, [(s.name, s.tensor) for s in one.specs]])
    saver = tf.train.Saver({"v": v, "net": one})
    said.append(saver.saver_def.save_tensor_name)
    return [], lambda step: {}, [_text(said)]


GRAPHS = {
    "cudnn": dict(
        layer_lstm=_layer("CudnnLSTM"),
        layer_lstm_both_ways=_layer("CudnnLSTM", direction="bidirectional", dropout=0.5),
        layer_gru=_layer("CudnnGRU", seed=4, name="mine"),
        layer_gru_both_ways=_layer("CudnnGRU", direction="bidirectional"),
        layer_tanh=_layer("CudnnRNNTanh"),
        layer_relu=_layer("CudnnRNNRelu", direction="bidirectional"),
        **_collect(settings, nets, functions, converters, saveables),
    )
}


# ---- mistakes ----------


def _unbuilt(tf):
    return _layers(tf).CudnnLSTM(1, UNITS)


def _no_training(tf):
    x = _x(tf, TIME, BATCH, SIZE)
    return tf.gradients(_layers(tf).CudnnGRU(1, UNITS)(x, training=False)[0], x)


def _no_training_with_lengths(tf):
    x = _x(tf, TIME, BATCH, SIZE)
    layer = _layers(tf).CudnnGRU(1, UNITS)
    return tf.gradients(layer(x, sequence_lengths=LENGTHS, training=False)[0], x)


MISTAKES = {
    "cudnn": {
        "direction": lambda tf: _layers(tf).CudnnLSTM(1, 2, direction="forward"),
        "input mode": lambda tf: _layers(tf).CudnnGRU(1, 2, input_mode="linear"),
        "dtype": lambda tf: _layers(tf).CudnnGRU(1, 2, dtype=tf.int32),
        "no rank": lambda tf: _unbuilt(tf).build([2, 3]),
        "rank": lambda tf: _unbuilt(tf)(_x(tf, 2, 3)),
        "unknown size": lambda tf: _unbuilt(tf)(_x(tf, 2, 3, None)),
        "another size": lambda tf: [
            layer(_x(tf, 2, 3, size)) for layer in [_unbuilt(tf)] for size in (3, 4)
        ],
        "weights before": lambda tf: _unbuilt(tf).canonical_weight_shapes,
        "size before": lambda tf: _unbuilt(tf).input_size,
        "state": lambda tf: _unbuilt(tf)(_x(tf, 2, 3, 4), initial_state=[1.0]),
        "state's parts": lambda tf: _unbuilt(tf)(_x(tf, 2, 3, 4), initial_state=(1.0,)),
        "mode of op": lambda tf: _ops()._cudnn_rnn(1, 2, 3, 4, True, "lstmp"),
        "direction of op": lambda tf: _ops().CudnnGRU(1, 2, 3, direction="both"),
        "direction of net": lambda tf: _ops().CudnnLSTM(1, 2, 3, direction="both").params_size(),
        "mode of net": lambda tf: _ops().CudnnLSTM(1, 2, 3, input_mode="x").params_size(),
        "sizes": lambda tf: _ops().cudnn_rnn_opaque_params_size("lstm", [1], 2, 3),
        "inference": _no_training,
        "inference with lengths": _no_training_with_lengths,
    }
}
