"""tf.contrib.quantize: graphs rewritten, and parts of tf.contrib that are functions of tensors.

Read by `record_cases.py` under TensorFlow 1.15, replayed by `tests/api/test_contrib_quantize.py`.
"""

from __future__ import annotations

import numpy as np
from case_runs import Case, collect


def _image():
    return np.random.RandomState(0).rand(2, 8, 8, 3).astype(np.float32)


def _network(tf, is_training, fused=True, depthwise=True):
    """Layers with and without batch normalization, a bypass before and after an activation."""
    slim = tf.contrib.slim
    x = tf.constant(_image())
    norm = {"is_training": is_training, "fused": fused, "scale": True, "decay": 0.9}
    with slim.arg_scope(
        [slim.conv2d, slim.separable_conv2d],
        normalizer_fn=slim.batch_norm,
        normalizer_params=norm,
        weights_initializer=tf.constant_initializer(0.1),
    ):
        y = slim.conv2d(x, 4, 3, scope="first", activation_fn=tf.nn.relu6)
        if depthwise:
            y = slim.separable_conv2d(y, None, 3, 1, scope="deep")
    z = slim.conv2d(y, 4, 1, scope="second", activation_fn=None,
                    weights_initializer=tf.constant_initializer(0.2))  # fmt: skip
    with tf.name_scope("block"):
        y = tf.nn.relu(z + y)
        y = tf.add(y, z)
    y = slim.max_pool2d(y, 2)
    y = slim.flatten(y)
    y = slim.fully_connected(y, 3, scope="out", activation_fn=None,
                             weights_initializer=tf.constant_initializer(0.01))  # fmt: skip
    return tf.identity(y, name="logits")


def _said(tf):
    return [v.name for v in tf.global_variables()] + [v.name for v in tf.trainable_variables()]


def training(tf):
    y = _network(tf, True)
    tf.contrib.quantize.create_training_graph(quant_delay=2)
    loss = tf.reduce_sum(tf.square(y))
    step = tf.train.GradientDescentOptimizer(1e-4).minimize(loss)
    updates = tf.get_collection(tf.GraphKeys.UPDATE_OPS)
    return Case([y], [step, *updates], said=_said(tf), steps=4)


def training_at_once(tf):
    y = _network(tf, True, depthwise=False)
    tf.contrib.quantize.create_training_graph()
    return Case([y], tf.get_collection(tf.GraphKeys.UPDATE_OPS), said=_said(tf))


def training_with_frozen_averages(tf):
    y = _network(tf, True, depthwise=False)
    tf.contrib.quantize.experimental_create_training_graph(
        symmetric=True, weight_bits=4, quant_delay=1, freeze_bn_delay=2
    )
    return Case([y], tf.get_collection(tf.GraphKeys.UPDATE_OPS), said=_said(tf), steps=4)


def evaluation(tf):
    y = _network(tf, False)
    tf.contrib.quantize.create_eval_graph()
    return Case([y], said=_said(tf))


def evaluation_in_a_scope(tf):
    y = _network(tf, False)
    tf.contrib.quantize.experimental_create_eval_graph(scope="first", activation_bits=4)
    return Case([y], said=_said(tf))


def unfused(tf):
    slim = tf.contrib.slim
    x = tf.constant(_image())
    y = slim.conv2d(
        x, 4, 3, scope="first", normalizer_fn=slim.batch_norm, activation_fn=tf.nn.relu6,
        normalizer_params={"is_training": False, "fused": False, "scale": True},
        weights_initializer=tf.constant_initializer(0.1),
    )  # fmt: skip
    tf.contrib.quantize.create_eval_graph()
    return Case([tf.identity(y)], said=_said(tf))


def layers_of_tf(tf):
    y = tf.layers.conv2d(tf.constant(_image()), 4, 3, kernel_initializer=tf.ones_initializer())
    y = tf.layers.batch_normalization(y, training=True)
    y = tf.nn.relu(y)
    y = tf.layers.dense(tf.layers.flatten(y), 2, kernel_initializer=tf.ones_initializer())
    tf.contrib.quantize.create_training_graph(quant_delay=0)
    return Case([y], tf.get_collection(tf.GraphKeys.UPDATE_OPS), said=_said(tf))


def fixed_range(tf):
    from tensorflow.contrib.quantize.python import quant_ops

    x = tf.constant(_image())
    fetches = [quant_ops.FixedQuantize(x)]
    fetches.append(quant_ops.LastValueQuantize(x, per_channel=True, symmetric=True))
    fetches.append(quant_ops.MovingAvgQuantize(x[:, 0, 0], True, narrow_range=True, symmetric=True))
    return Case(fetches, said=_said(tf))


# ---- Functions of tensors ----------


def sparsemax(tf):
    logits = tf.constant([[1.0, 2.0, 2.5], [0.0, 0.1, -3.0], [1.0, np.nan, 0.0]])
    labels = tf.constant([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    p = tf.contrib.sparsemax.sparsemax(logits)
    loss = tf.contrib.sparsemax.sparsemax_loss(logits, p, labels)
    return Case([p, loss, tf.gradients(loss, logits)[0]], steps=1)


def warps(tf):
    image = tf.constant(_image())
    flow = tf.constant(np.random.RandomState(1).randn(2, 8, 8, 2).astype(np.float32))
    y = tf.contrib.image.dense_image_warp(image, flow)
    source = tf.constant([[[1.0, 1.0], [5.0, 6.0]]] * 2)
    dest = tf.constant([[[2.0, 1.5], [4.0, 6.0]]] * 2)
    z, found = tf.contrib.image.sparse_image_warp(image, source, dest, num_boundary_points=2)
    # What is left of 0 at the edge is of the solver's rounding.
    return Case([y, tf.gradients(y, flow)[0], z, found + 1.0], said=[y.shape, z.shape], steps=1)


def splines(tf):
    random = np.random.RandomState(1)
    points = tf.constant(random.randn(2, 5, 2).astype(np.float32))
    values = tf.constant(random.randn(2, 5, 1).astype(np.float32))
    queries = tf.constant(random.randn(2, 3, 2).astype(np.float32))
    spline = tf.contrib.image.interpolate_spline
    fetches = [spline(points, values, queries, order) for order in (1, 2, 3, 4, 6)]
    fetches.append(spline(points, values, queries, 2, 0.5, name="smooth"))
    return Case(fetches, said=[y.shape for y in fetches], steps=1)


# ---- Mistakes ----------


def an_optimizer(tf):
    loss = tf.reduce_sum(tf.get_variable("v", [2]))
    tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    tf.contrib.quantize.create_training_graph()


def a_grid_of_three_dimensions(tf):
    tf.contrib.image.dense_image_warp(tf.zeros([4, 4, 1]), tf.zeros([4, 4, 2]))


def splines_of_unknown_size(tf):
    points = tf.placeholder(tf.float32, [1, 2, None])
    tf.contrib.image.interpolate_spline(points, points, points, 2)


CASES = {
    "quantize": collect(
        training,
        training_at_once,
        training_with_frozen_averages,
        evaluation,
        evaluation_in_a_scope,
        unfused,
        layers_of_tf,
        fixed_range,
    ),
    "functions": collect(sparsemax, warps, splines),
}
MISTAKES = {
    "quantize": collect(an_optimizer),
    "functions": collect(a_grid_of_three_dimensions, splines_of_unknown_size),
}
