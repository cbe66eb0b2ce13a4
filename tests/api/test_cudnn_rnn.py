"""cuDNN's nets against the cells that compute the same: TensorFlow's CPU has no kernels for them.

The graphs are compared in test_rnn; the cells' numbers are TensorFlow's there.
"""

from __future__ import annotations

import numpy as np
import pytest

pytestmark = pytest.mark.usefixtures("compiled_quickly")

TIME, BATCH, SIZE, UNITS, LAYERS = 4, 3, 2, 3, 2
LENGTHS = [4, 1, 2]
KINDS = {
    "LSTM": lambda tf: tf.contrib.cudnn_rnn.CudnnCompatibleLSTMCell(UNITS),
    "GRU": lambda tf: tf.contrib.cudnn_rnn.CudnnCompatibleGRUCell(UNITS),
    "RNNTanh": lambda tf: tf.nn.rnn_cell.BasicRNNCell(UNITS),
    "RNNRelu": lambda tf: tf.nn.rnn_cell.BasicRNNCell(UNITS, "relu"),
}
CONVERTERS = {"LSTM": "LSTM", "GRU": "GRU", "RNNTanh": "Tanh", "RNNRelu": "Relu"}


def _random(*shape):
    return np.random.RandomState(len(shape)).uniform(-1, 1, shape).astype(np.float32)


def _layer(tf, kind, x, **call):
    """A net of cuDNN's: outputs, state, the gradient of x, those of the cells' kernels and biases,
    and the initializers."""
    both = call.pop("both", False)
    direction = "bidirectional" if both else "unidirectional"
    layer = getattr(tf.contrib.cudnn_rnn, f"Cudnn{kind}")(
        LAYERS, UNITS, direction=direction,
        bias_initializer=tf.random_uniform_initializer(-1, 1, seed=2), seed=1,
        name="net",
    )  # fmt: skip
    y, state = layer(x, **call)
    loss = _loss(tf, [y, *state])
    converter = getattr(
        tf.contrib.cudnn_rnn, f"CudnnParamsFormatConverter{CONVERTERS[kind]}"
    )(LAYERS, UNITS, SIZE, direction=direction)  # fmt: skip
    x_grad, grad = tf.gradients(loss, [x, layer.kernel])
    kernels, biases = converter.opaque_to_tf_canonical(grad)
    # A bias of a cell counts twice in cuDNN's net: the gradients of both are added up.
    biases = [bias * (1.0 if i % 3 and kind == "GRU" else 0.5) for i, bias in enumerate(biases)]
    return y, state, x_grad, [*kernels, *biases]


def _cells(tf, kind, x, both=False, sequence_lengths=None):
    """The same net of cells; the state in cuDNN's form."""
    makers = [[KINDS[kind](tf) for _ in range(LAYERS)] for _ in range(2)]
    inputs = tf.transpose(x, [1, 0, 2])
    if both:
        y, fw, bw = tf.contrib.rnn.stack_bidirectional_dynamic_rnn(
            *makers, inputs, dtype=tf.float32, sequence_length=sequence_lengths
        )
        states = [state for pair in zip(fw, bw) for state in pair]
    else:
        cell = tf.nn.rnn_cell.MultiRNNCell(makers[0])
        y, states = tf.nn.dynamic_rnn(
            cell, inputs, dtype=tf.float32, sequence_length=sequence_lengths
        )
    y = tf.transpose(y, [1, 0, 2])
    if kind == "LSTM":
        state = (tf.stack([s.h for s in states]), tf.stack([s.c for s in states]))
    else:
        state = (tf.stack(states),)
    loss = _loss(tf, [y, *state])
    weights = tf.trainable_variables()
    names = [v.op.name for v in weights]
    # The converter gives all kernels first.
    order = [i for word in ("kernel", "bias") for i, n in enumerate(names) if n.endswith(word)]
    grads = tf.gradients(loss, weights)
    return y, state, tf.gradients(loss, x)[0], [grads[i] for i in order]


def _loss(tf, values):
    return tf.add_n([tf.reduce_sum(tf.sin(value) * (i + 1.0)) for i, value in enumerate(values)])


@pytest.mark.parametrize(
    ("kind", "both"), [("LSTM", True), ("GRU", False), ("RNNTanh", True), ("RNNRelu", False)]
)
def test_as_the_cells(tf, kind, both, tmp_path):
    """Values, gradients and checkpoints, which go from one net to the other and back."""
    feed = {"x:0": _random(TIME, BATCH, SIZE)}
    settings = {"both": both, "sequence_lengths": LENGTHS if kind in ("LSTM", "GRU") else None}
    saved = []
    builds = (_layer, _cells, _layer) if kind == "LSTM" else (_layer, _cells)
    for step, build in enumerate(builds):
        with tf.Graph().as_default(), tf.Session() as session:
            x = tf.placeholder(tf.float32, [TIME, BATCH, SIZE], name="x")
            # Checkpoints have the names of cells in a scope of the layer's name.
            with tf.variable_scope("" if build is _layer else "net"):
                found = build(tf, kind, x, **settings)
            layers = tf.get_collection(tf.GraphKeys.SAVEABLE_OBJECTS)
            saver = tf.train.Saver(layers or None)
            if step == 0:
                session.run(tf.global_variables_initializer())
            else:
                saver.restore(session, str(tmp_path / f"net-{step - 1}"))
            saved.append(session.run(found, feed))
            saver.save(session, str(tmp_path / "net"), global_step=step)
    first, *others = (_flat(values) for values in saved)
    for other in others:
        for a, b in zip(first, other, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5)


def _flat(values):
    if isinstance(values, (list, tuple)):
        return [leaf for value in values for leaf in _flat(value)]
    return [values]


def test_settings(tf):
    """Batches first, versions of the op, given states, and the state after a part of the steps."""
    from tensorflow.contrib.cudnn_rnn.python.ops import cudnn_rnn_ops

    x = tf.constant(_random(TIME, BATCH, SIZE))
    layer = tf.contrib.cudnn_rnn.CudnnLSTM(1, UNITS, direction="bidirectional", seed=3)
    h, c = tf.constant(_random(2, BATCH, UNITS)), tf.constant(_random(1, 2, BATCH, UNITS)[0])
    y, (last_h, last_c) = layer(x, initial_state=(h, c), training=False)
    by_batch = cudnn_rnn_ops.cudnn_lstm(
        *(tf.transpose(v, [1, 0, 2]) for v in (x, h, c)), layer.kernel, True, time_major=False,
        direction="bidirectional",
    )  # fmt: skip
    second = tf.raw_ops.CudnnRNNV2(
        input=x, input_h=h, input_c=c, params=layer.kernel, direction="bidirectional"
    )
    same = [tf.transpose(v, [1, 0, 2]) for v in by_batch]
    grads = [tf.gradients(_loss(tf, values), [x, h, c, layer.kernel])
             for values in (by_batch[:1], [tf.transpose(second.output, [1, 0, 2])])]  # fmt: skip
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        values, *others = session.run([[y, last_h, last_c], same, list(second[:3])])
        for other in others:
            for a, b in zip(values, other, strict=True):
                np.testing.assert_allclose(a, b, rtol=1e-5)
        for a, b in zip(*session.run(grads), strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-6)
        assert session.run(second.host_reserved).dtype == np.int8


def test_projection(tf):
    """An LSTM with a projection, against `LSTMCell`."""
    from tensorflow.contrib.cudnn_rnn.python.ops import cudnn_rnn_ops

    net = cudnn_rnn_ops.CudnnLSTM(2, UNITS, SIZE, num_proj=2)
    converter = tf.contrib.cudnn_rnn.CudnnParamsFormatConverterLSTM(2, UNITS, SIZE, num_proj=2)
    x = tf.constant(_random(TIME, BATCH, SIZE))
    cells = [tf.nn.rnn_cell.LSTMCell(UNITS, num_proj=2, forget_bias=0.0) for _ in range(2)]
    cell = tf.nn.rnn_cell.MultiRNNCell(cells)
    y, states = tf.nn.dynamic_rnn(
        cell, x, dtype=tf.float32, time_major=True, sequence_length=LENGTHS
    )
    kernels, biases, projections = (
        [v for v in tf.trainable_variables() if v.op.name.endswith(end)]
        for end in ("cell/kernel", "bias", "projection/kernel")
    )
    params = converter.tf_canonical_to_opaque([*kernels, *biases], projections)
    zeros = tf.zeros([2, BATCH, 2]), tf.zeros([2, BATCH, UNITS])
    z, last_h, last_c = net(x, *zeros, params, sequence_lengths=LENGTHS)
    back = converter.opaque_to_tf_canonical(params)
    grads = [tf.gradients(_loss(tf, [v]), [x, *kernels, *projections]) for v in (y,)]
    dx, dparams = tf.gradients(_loss(tf, [z]), [x, params])
    dkernels, _, dprojections = converter.opaque_to_tf_canonical(dparams)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        size = session.run(net.params_size())
        assert session.run(params).shape == (size,)
        pairs = [(y, z), (states[1].h, last_h[1]), (states[0].c, last_c[0])]
        pairs += list(zip(back, (kernels, biases, projections), strict=True))
        pairs += list(zip(grads[0], [dx, *dkernels, *dprojections], strict=True))
        for a, b in session.run(pairs):
            np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-6)


def test_dropout(tf):
    """Between the layers, while training alone; the gradient goes where the values went."""
    units = 50
    layer = tf.contrib.cudnn_rnn.CudnnRNNRelu(
        2, units, dropout=0.4, seed=5, kernel_initializer=tf.zeros_initializer(),
        bias_initializer=tf.ones_initializer(),
    )  # fmt: skip
    x = tf.ones([1, 4, units])
    kept, (last,) = layer(x)
    # The layer above passes on what it gets, and the layer below gives 2.
    eye = np.eye(units, dtype=np.float32).ravel()
    zeros = np.zeros_like(eye)
    bias = np.ones(units, np.float32)
    params = np.concatenate([zeros, zeros, eye, zeros, bias, bias, 0 * bias, 0 * bias])
    (grad,) = tf.gradients(kept, layer.kernel)
    whole = layer(x, training=False)[0]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(layer.kernel.assign(params))
        first, found = session.run([kept, grad])
        again = session.run(last)
        assert session.run(whole).tolist() == np.full([1, 4, units], 2.0).tolist()
    values, counts = np.unique(first, return_counts=True)
    np.testing.assert_allclose(values, [0.0, 2 / 0.6], rtol=1e-6)
    assert 0.3 < counts[0] / first.size < 0.5
    assert (first[0] != again[1]).any()
    # The gradient of the lower layer's bias.
    lower = found[params.size - 4 * units :][:units]
    np.testing.assert_allclose(lower, (first[0] > 0).sum(0) / 0.6, rtol=1e-5)


def test_inputs_that_are_passed_on(tf):
    """Without weights of the inputs."""
    from tensorflow.contrib.cudnn_rnn.python.ops import cudnn_rnn_ops

    x, h = tf.constant(_random(TIME, BATCH, UNITS)), tf.zeros([1, BATCH, UNITS])
    full, short = (
        cudnn_rnn_ops.CudnnGRU(1, UNITS, UNITS, input_mode=mode)
        for mode in ("linear_input", "auto_select")
    )
    state, biases = _random(27), _random(18)
    eyes = np.tile(np.eye(UNITS, dtype=np.float32), (3, 1)).ravel()
    given = [tf.constant(np.concatenate(p)) for p in ([eyes, state, biases], [state, biases])]
    pairs = []
    for net, params in zip((full, short), given, strict=True):
        y, last = net(x, h, params)
        dx, dparams = tf.gradients(_loss(tf, [y, last]), [x, params])
        pairs.append([y, last, dx, dparams[-45:], net.params_size()])
    with tf.Session() as session:
        a, b = session.run(pairs)
        for left, right in zip(a[:4], b[:4], strict=True):
            np.testing.assert_allclose(left, right, rtol=1e-4, atol=1e-6)
        assert (a[4], b[4]) == (72, 45)


def test_bad_inputs(tf):
    """What doesn't fit together fails the run."""
    from tensorflow.contrib.cudnn_rnn.python.ops import cudnn_rnn_ops

    x, h, params = (tf.placeholder(tf.float32, [None] * n) for n in (3, 3, 1))
    net = cudnn_rnn_ops.CudnnLSTM(1, UNITS, SIZE)
    y = net(x, h, h, params)[0]
    lengths = tf.placeholder(tf.int32, [None])
    with_lengths = net(x, h, h, params, lengths)[0]
    shared = net(x, h, h[:, :, :1], params)[0]
    size = 4 * UNITS * (SIZE + UNITS + 2)
    good = {x: _random(2, BATCH, SIZE), h: np.zeros([1, BATCH, UNITS]), params: _random(size)}
    converter = tf.contrib.cudnn_rnn.CudnnParamsFormatConverterLSTM(1, UNITS, SIZE)
    kernel = converter.opaque_to_tf_canonical(params)[0][0]
    skip = cudnn_rnn_ops.CudnnLSTM(1, UNITS, SIZE, input_mode="skip_input").params_size()
    wrong = cudnn_rnn_ops.CudnnLSTM(1, UNITS, SIZE).canonical_to_params([x[0]] * 8, [params] * 8)
    with tf.Session() as session:
        assert session.run(y, good).shape == (2, BATCH, UNITS)
        for fetch, feed, text in (
            (y, {h: np.zeros([1, 2, UNITS])}, r"Invalid input_h shape: \[1,2,3\] \[1,3,3\]"),
            (shared, {}, r"input_h and input_c must have the same shape: \[1,3,3\] \[1,3,1\]"),
            (y, {params: _random(size + 1)}, f"Params must be a vector of size {size}"),
            (with_lengths, {lengths: [1, 2]}, "sequence_lengths must be a vector of size 3"),
            (kernel, {params: _random(5)}, f"Params size mismatch. Expected {size}, got 5"),
            (skip, {}, "input_size equals num_units: 2 vs. 3"),
            (wrong, {}, "Params size mismatch. Expected 9, got 6"),
        ):
            with pytest.raises(tf.errors.InvalidArgumentError, match=text):
                session.run(fetch, {**good, **feed})
