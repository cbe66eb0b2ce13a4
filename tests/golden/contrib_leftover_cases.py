"""Small parts of tf.contrib: integrate, compiler.

Read by `record_cases.py` under TensorFlow 1.15 and replayed by
`tests/api/test_contrib_leftover.py`.
"""

from __future__ import annotations

import numpy as np
from case_runs import Case, collect


def adaptive(tf):
    y = tf.contrib.integrate.odeint(
        lambda y, t: tf.stack([y[1], -y[0]]) * tf.cast(t + 1.0, y.dtype),
        tf.constant([1.0, 0.5], tf.float64), np.linspace(0.0, 2.0, 4),
    )  # fmt: skip
    return Case([y], said=[y], steps=1)


def with_options(tf):
    y, about = tf.contrib.integrate.odeint(
        lambda y, t: -1j * y, tf.constant([[1.0 + 0.5j]], tf.complex128),
        tf.constant([0.0, 1.0], tf.float64),
        rtol=1e-3, atol=1e-5, method="dopri5", full_output=True, name="named",
        options={"first_step": 0.1, "safety": 0.8, "max_num_steps": 50, "dfactor": 0.5},
    )  # fmt: skip
    return Case([y] + [about[key] for key in sorted(about)], said=[y, about], steps=1)


def fixed(tf):
    def decay(y, t):
        return -y * tf.cast(t, y.dtype)

    integrate = tf.contrib.integrate.odeint_fixed
    found = [
        integrate(decay, tf.constant([1.0, 2.0]), [0.0, 0.5, 1.2]),
        integrate(decay, 2.0, [0.0, 0.5, 1.2], dt=[0.1, 0.3], method="midpoint"),
        integrate(
            decay, tf.constant([[3.0]]), tf.constant([0.0, 1.0]), tf.constant([0.25]), name="own"
        ),
    ]
    return Case(found, said=found, steps=1)


def _model(tf, **more):
    def model_fn(features, labels, mode):
        with tf.variable_scope("model", use_resource=True):
            w = tf.get_variable("w", [2], initializer=tf.ones_initializer())
            loss = tf.reduce_sum((features * w - labels) ** 2)
            train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
        return tf.contrib.tpu.TPUEstimatorSpec(mode, loss=loss, train_op=train, **more)

    return tf.contrib.compiler.xla.estimator_model_fn(model_fn)


def compiled_training(tf):
    spec = _model(tf)(tf.constant([1.0, 2.0]), tf.constant([3.0, 0.0]), "train", {})
    return Case([spec.loss, spec.train_op], said=[spec.loss, spec.train_op, spec.mode], steps=2)


def compiled_evaluation(tf):
    rows = tf.constant([1.0, 2.0])
    metrics = (lambda a: {"m": tf.metrics.mean(a)}, {"a": rows})
    spec = _model(tf, eval_metrics=metrics)(rows, tf.constant([3.0, 0.0]), "eval", {})
    return Case([spec.loss], said=[spec.loss, spec.train_op, spec.eval_metric_ops], steps=1)


CASES = {
    "integrate": collect(adaptive, with_options, fixed),
    "compiler": collect(compiled_training, compiled_evaluation),
}


def _solved(y0=1.0, t=(0.0, 1.0), **kwargs):
    return lambda tf: tf.contrib.integrate.odeint(lambda y, t: y, y0, t, **kwargs)


def _fixed(y0=1.0, t=(0.0, 1.0), *args, **kwargs):
    return lambda tf: tf.contrib.integrate.odeint_fixed(lambda y, t: y, y0, t, *args, **kwargs)


def _evaluated(tensors):
    def mistake(tf):
        given = {key: tf.constant(value) for key, value in tensors.items()}
        model = _model(tf, eval_metrics=(lambda a, b: {}, given))
        return model(tf.ones([2]), tf.ones([2]), "eval", {})

    return mistake


MISTAKES = {
    "integrate": {
        "method": _solved(method="euler"),
        "options": _solved(options={"safety": 1.0}),
        "values": _solved(y0=1),
        "times": lambda tf: _solved(t=tf.constant([0, 1]))(tf),
        "fixed_method": _fixed(method="euler"),
        "lengths": _fixed(1.0, (0.0, 1.0), [0.1, 0.2]),
        "rank": _fixed(1.0, [[0.0, 1.0]]),
        "fixed_values": _fixed(y0=1),
    },
    "compiler": {
        "mode": lambda tf: _model(tf)(tf.ones([2]), tf.ones([2]), "infer", {}),
        "scaffold": lambda tf: _model(tf, scaffold_fn=lambda: None)(
            tf.ones([2]), tf.ones([2]), "train", {}
        ),
        "missing": _evaluated({"a": 1.0}),
        "more": _evaluated({"a": 1.0, "b": 1.0, "c": 1.0}),
        "labels": lambda tf: tf.contrib.compiler.xla.estimator_model_fn(lambda features: None)(
            tf.ones([2]), tf.ones([2]), "train", {}
        ),
    },
}
