"""Mixed precision: multipliers of losses, optimizers with them, Keras's policies.

Run by `record_cases.py mixed_precision` under TensorFlow 1.15, and by
tests/api/test_mixed_precision.py.
"""

from __future__ import annotations

import numpy as np
from case_runs import Case, collect


def _experimental(tf):
    return tf.train.experimental


def _keras(tf):
    return tf.keras.mixed_precision.experimental


def _loss(tf, use_resource=False):
    """A loss that a feed makes infinite."""
    x = tf.placeholder(tf.float32, [2], name="x")
    w = tf.get_variable("w", initializer=[1.0, 2.0], use_resource=use_resource)
    table = tf.get_variable("table", initializer=np.ones((3, 2), "f"))
    rows = tf.nn.embedding_lookup(table, [0, 2])
    loss = tf.reduce_sum(x * w) + tf.reduce_sum(rows)

    def feeds(step):
        return {x: [np.inf, 1.0] if step == 2 else [1.0, step]}

    return loss, feeds


def _minimized(tf, opt, **kwargs):
    loss, feeds = _loss(tf)
    step = tf.train.get_or_create_global_step()
    update = opt.minimize(loss, global_step=step, **kwargs)
    return Case([loss], [update], feeds, steps=5)


def fixed(tf):
    opt = tf.train.MomentumOptimizer(0.1, 0.9)
    return _minimized(tf, _experimental(tf).MixedPrecisionLossScaleOptimizer(opt, 8))


def dynamic(tf):
    scale = _experimental(tf).DynamicLossScale(4.0, increment_period=2, multiplier=2.0)
    opt = tf.train.AdamOptimizer(0.1)
    opt = _experimental(tf).MixedPrecisionLossScaleOptimizer(opt, scale)
    case = _minimized(tf, opt, name="step")
    case.fetches.append(scale())
    case.said = [str(scale), str(scale.get_config())]
    case.said.append(str([v.name for v in opt._optimizer.variables()]))
    return case


def rewritten(tf):
    experimental = _experimental(tf)
    opt = tf.train.GradientDescentOptimizer(0.1)
    opt = experimental.enable_mixed_precision_graph_rewrite(opt)
    case = _minimized(tf, opt)
    experimental.disable_mixed_precision_graph_rewrite()
    case.said = [type(opt).__name__, str(opt._loss_scale)]
    return case


def rewritten_keras(tf):
    experimental = _experimental(tf)
    opt = experimental.enable_mixed_precision_graph_rewrite(tf.keras.optimizers.SGD(0.1), 2.0)
    experimental.disable_mixed_precision_graph_rewrite()
    return Case(said=[type(opt).__name__, opt.loss_scale])


def keras_steps(tf):
    scale = _experimental(tf).DynamicLossScale(4.0, 2)
    opt = _keras(tf).LossScaleOptimizer(tf.keras.optimizers.SGD(0.1, momentum=0.5), scale)
    loss, feeds = _loss(tf, use_resource=True)
    updates = opt.get_updates(loss, tf.trainable_variables()[:1])
    said = [opt.get_slot_names(), opt.loss_scale is scale, opt.lr is opt.learning_rate]
    return Case([loss, scale(), opt.iterations], updates, feeds, said, 5)


def keras_parts(tf):
    opt = _keras(tf).LossScaleOptimizer(tf.keras.optimizers.Adam(), 16)
    loss = opt.get_scaled_loss(tf.constant([1.0, 2.0]))
    half = opt.get_scaled_loss(lambda: tf.constant(1.0, tf.float16))()
    grads = opt.get_unscaled_gradients([tf.ones([2]), None, tf.ones([1], tf.float64)])
    return Case([loss, half, grads[0], grads[2]], said=[grads[1]], steps=1)


def policies(tf):
    policy = _keras(tf).Policy
    names = [
        "float32", "float64", "mixed_float16", "mixed_bfloat16", "float16_with_float32_vars",
        "float32_with_float32_vars", "infer", "infer_float32_vars", "infer_with_float32_vars",
    ]  # fmt: skip
    said = []
    for p in [policy(name) for name in names] + [policy("float16", 4), policy("mixed_float16", 8)]:
        said += [p, p.name, p.compute_dtype, p.variable_dtype, p.should_cast_variables]
    said.append(_keras(tf).global_policy())
    layer = tf.keras.layers.Dense(2, kernel_initializer="ones", dtype=policy("float64"))
    output = layer(tf.ones([1, 2], tf.float64))
    return Case(said=[*said, layer.dtype, output.dtype])


CASES = {
    "all": collect(fixed, dynamic, rewritten, rewritten_keras, keras_steps, keras_parts, policies)
}


def _sgd(tf, **kwargs):
    return tf.keras.optimizers.SGD(0.1, **kwargs)


def _enable(tf, opt, **kwargs):
    return _experimental(tf).enable_mixed_precision_graph_rewrite(opt, **kwargs)


def _abstract(tf):
    _experimental(tf).LossScale()


MISTAKES = {
    "scales": {
        "type": lambda tf: _experimental(tf).FixedLossScale("x"),
        "small": lambda tf: _experimental(tf).FixedLossScale(0.5),
        "optimizer": lambda tf: _experimental(tf).MixedPrecisionLossScaleOptimizer(3, 1),
        "scale": lambda tf: _experimental(tf).MixedPrecisionLossScaleOptimizer(
            tf.train.GradientDescentOptimizer(1.0), "x"
        ),
        "twice": lambda tf: _enable(tf, _experimental(tf).MixedPrecisionLossScaleOptimizer(
            tf.train.GradientDescentOptimizer(1.0), 1
        )),
        "twice in Keras": lambda tf: _enable(
            tf, _keras(tf).LossScaleOptimizer(_sgd(tf), 1)
        ),
        "no optimizer": lambda tf: _enable(tf, "x"),
        "no scale": lambda tf: _enable(tf, _sgd(tf), loss_scale="x"),
    },
    "keras": {
        "optimizer": lambda tf: _keras(tf).LossScaleOptimizer("x", 1),
        "clipvalue": lambda tf: _named(tf, _sgd(tf, clipvalue=1.0)),
        "clipnorm": lambda tf: _named(tf, _sgd(tf, clipnorm=1.0)),
        "config": lambda tf: _keras(tf).LossScaleOptimizer(_sgd(tf), 1).get_config(),
        "from config": lambda tf: _keras(tf).LossScaleOptimizer.from_config({}),
        "dtype": lambda tf: _keras(tf).Policy(tf.float32),
        "type": lambda tf: _keras(tf).Policy(3),
        "name": lambda tf: _keras(tf).Policy("x"),
        "variables": lambda tf: _keras(tf).Policy("x_with_float32_vars"),
        "global": lambda tf: _keras(tf).set_policy("mixed_float16"),
        "both": lambda tf: _both(tf),
    },
}  # fmt: skip


def _named(tf, opt):
    """The error of an optimizer that clips, without its address."""
    try:
        _keras(tf).LossScaleOptimizer(opt, 1)
    except ValueError as error:
        raise ValueError(str(error).replace(str(opt), "<optimizer>"))


def _both(tf):
    _keras(tf).set_policy("infer_with_float32_vars")
    try:
        _enable(tf, _sgd(tf))
    finally:
        _keras(tf).set_policy(None)
