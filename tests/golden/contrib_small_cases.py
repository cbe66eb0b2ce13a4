"""Small packages of tf.contrib: mixed_precision, input_pipeline.

Read by `record_cases.py` under TensorFlow 1.15 and replayed by `tests/api/test_contrib_small.py`.
"""

from __future__ import annotations

from case_runs import Case, collect


def _trained(tf, manager, **options):
    w = tf.get_variable("w", initializer=[1.0, -2.0], **options)
    x = tf.placeholder(tf.float32, [])
    loss = tf.reduce_sum(tf.square(w) * x)
    step = tf.train.get_or_create_global_step()
    optimizer = tf.contrib.mixed_precision.LossScaleOptimizer(
        tf.train.GradientDescentOptimizer(0.1), manager
    )
    train = optimizer.minimize(loss, step)
    values = [1.0, 2.0, float("inf"), float("nan"), 0.5, 1.0]
    return Case([], [train], lambda i: {x: values[i]}, [train], steps=len(values))


def scaled_fixed(tf):
    return _trained(tf, tf.contrib.mixed_precision.FixedLossScaleManager(8.0), use_resource=True)


def scaled_exponential(tf):
    manager = tf.contrib.mixed_precision.ExponentialUpdateLossScaleManager(16.0, 2, 2, 2, 0.5)
    return _trained(tf, manager, use_resource=True)


def gradients_none(tf):
    manager = tf.contrib.mixed_precision.FixedLossScaleManager(2)
    optimizer = tf.contrib.mixed_precision.LossScaleOptimizer(
        tf.train.MomentumOptimizer(0.1, 0.9), manager
    )
    v, w = tf.Variable(1.0, name="v"), tf.Variable(2.0, name="w")
    found = optimizer.compute_gradients(lambda: v * v)
    return Case([found[0][0]], said=found + [w], steps=1)


def next_of_list(tf):
    from tensorflow.contrib.input_pipeline.python.ops import input_pipeline_ops

    found = input_pipeline_ops.seek_next(["a", "b", "c"])
    with tf.variable_scope("limited"):
        limited = input_pipeline_ops.seek_next(["b", "a", "c"], True, 5, 2)
    return Case([found, limited], said=[found, limited], steps=4)


CASES = {"small": collect(scaled_fixed, scaled_exponential, gradients_none, next_of_list)}
MISTAKES = {
    "small": {
        "scale": lambda tf: tf.contrib.mixed_precision.FixedLossScaleManager(0.5),
    }
}
