"""Small parts of tf.contrib: integrate.

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


CASES = {"integrate": collect(adaptive, with_options, fixed)}


def _solved(y0=1.0, t=(0.0, 1.0), **kwargs):
    return lambda tf: tf.contrib.integrate.odeint(lambda y, t: y, y0, t, **kwargs)


def _fixed(y0=1.0, t=(0.0, 1.0), *args, **kwargs):
    return lambda tf: tf.contrib.integrate.odeint_fixed(lambda y, t: y, y0, t, *args, **kwargs)


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
}
