"""Learning rates that decay, moving averages, optimizers: small graphs and what they compute.

Read by `record_cases.py` under TensorFlow 1.15 and replayed by `tests/api/test_training.py`. A case
takes the `tensorflow` module, records a graph and returns a `Case`.
"""

from __future__ import annotations

import numpy as np
from case_runs import Case, collect


def _step(tf, value=0):
    """A global step, what sets it to `start`, and its increment."""
    step = tf.train.get_or_create_global_step()
    return step, tf.assign_add(step, 3)


def _decayed(tf, decays):
    step, train = _step(tf)
    rates = decays(step)
    return Case(fetches=rates, updates=[train], said=[str(r) for r in rates], steps=5)


def exponential_decays(tf):
    return _decayed(
        tf,
        lambda step: [
            tf.train.exponential_decay(0.1, step, 4, 0.9),
            tf.train.exponential_decay(0.1, step, 4, 0.9, staircase=True, name="stairs"),
            tf.train.exponential_decay(np.float64(0.1), 7, tf.constant(4), 0.9),
            tf.train.natural_exp_decay(0.1, step, 4, 0.5),
            tf.train.natural_exp_decay(0.1, step, 4, 0.5, True, "natural"),
            tf.train.inverse_time_decay(0.1, step, 4, 0.5),
            tf.train.inverse_time_decay(0.1, step, 4.0, 0.5, staircase=True, name="inverse"),
        ],
    )


def piecewise_constants(tf):
    return _decayed(
        tf,
        lambda step: [
            tf.train.piecewise_constant(step, [3, 6], [1.0, 0.5, 0.1]),
            tf.train.piecewise_constant_decay(step, [3], [1, 2], name="two"),
            tf.train.piecewise_constant(
                tf.cast(step, tf.float32), [1.0, 4.0, 7.0, 9.0], [0.1, 0.2, 0.3, 0.4, 0.5]
            ),
        ],
    )


def polynomial_decays(tf):
    return _decayed(
        tf,
        lambda step: [
            tf.train.polynomial_decay(0.1, step, 10),
            tf.train.polynomial_decay(0.1, step, 5, 0.01, power=0.5, cycle=True),
            tf.train.polynomial_decay(np.float64(1), 4, 10, power=2, name="constant"),
        ],
    )


def cosine_decays(tf):
    return _decayed(
        tf,
        lambda step: [
            tf.train.cosine_decay(0.1, step, 10),
            tf.train.cosine_decay(0.1, step, 10, alpha=0.2, name="cosine"),
            tf.train.cosine_decay_restarts(0.1, step, 4),
            tf.train.cosine_decay_restarts(0.1, step, 4, t_mul=1.0, m_mul=0.9, alpha=0.1),
            tf.train.linear_cosine_decay(0.1, step, 10),
            tf.train.linear_cosine_decay(0.1, step, 10, 2.0, 0.1, 0.01, name="linear"),
        ],
    )


def noisy_decays(tf):
    tf.set_random_seed(3)
    return _decayed(
        tf,
        lambda step: [
            tf.train.noisy_linear_cosine_decay(0.1, step, 10),
            tf.train.noisy_linear_cosine_decay(0.1, step, 10, 0.5, 0.3, 2, 0.1, 0.02, "noisy"),
        ],
    )


def decayed_training(tf):
    x = tf.get_variable("x", initializer=[1.0, -2.0])
    step = tf.train.get_or_create_global_step()
    rate = tf.train.exponential_decay(0.1, step, 2, 0.5, staircase=True)
    train = tf.train.GradientDescentOptimizer(rate).minimize(tf.reduce_sum(x * x), step)
    return Case(fetches=[rate], updates=[train])


# ---- moving averages ----------


def moving_averages(tf):
    v = tf.get_variable("v", initializer=[1.0, 2.0])
    r = tf.get_variable("r", initializer=[[3.0]], use_resource=True)
    d = tf.get_variable("d", initializer=np.float64(4.0), trainable=False)
    t = tf.identity(v * 2.0, name="t")
    grow = tf.group(v.assign_add([1.0, 1.0]), r.assign_add([[1.0]]), d.assign_add(0.5))
    average = tf.train.ExponentialMovingAverage(0.9)
    with tf.control_dependencies([grow]):
        update = average.apply()
    other = tf.train.ExponentialMovingAverage(
        tf.constant(0.99), num_updates=tf.train.get_or_create_global_step(), name="other"
    )
    with tf.control_dependencies([update]):
        second = other.apply([v, d, t])
    said = [update.name, second.name, average.name, average.average(v), average.average(d)]
    said += [average.average_name(x) for x in (v, r, d)] + [other.average_name(t)]
    said += [sorted(average.variables_to_restore()), sorted(other.variables_to_restore([d]))]
    said += [tf.moving_average_variables()]
    averages = [average.average(x) for x in (v, r)] + [other.average(x) for x in (v, d, t)]
    return Case(fetches=averages, updates=[second], said=said)


def unbiased_averages(tf):
    v = tf.get_variable("v", initializer=[1.0, 2.0])
    t = v + 1.0
    average = tf.train.ExponentialMovingAverage(0.5, zero_debias=True, name="avg")
    update = average.apply([v, t])
    again = average.apply([t])
    return Case(
        fetches=[average.average(v), average.average(t)],
        updates=[update],
        said=[again.name, tf.global_variables()],
    )


def assigned_averages(tf):
    from tensorflow.python.training import moving_averages

    v = tf.get_variable("v", initializer=[0.0, 0.0])
    r = tf.get_variable("r", initializer=np.zeros(2), use_resource=True)
    with tf.variable_scope("scope"):
        updates = [
            moving_averages.assign_moving_average(v, [1.0, 3.0], 0.75),
            moving_averages.assign_moving_average(r, np.ones(2), tf.constant(0.5), False),
        ]
    with tf.control_dependencies(updates):
        updates.append(moving_averages.assign_moving_average(v, v * 2.0, 0.5, name="named"))
    return Case(fetches=[v, r], updates=[updates[-1]], said=tf.global_variables())


def weighted_averages(tf):
    from tensorflow.python.training import moving_averages

    x = tf.placeholder(tf.float32, [2], name="x")
    w = tf.placeholder(tf.float32, [], name="w")
    average = moving_averages.weighted_moving_average(x, 0.8, w)
    plain = moving_averages.weighted_moving_average(x, 0.8, w, truediv=False, name="plain")

    def feeds(step):
        return {x: [step, 2.0], w: step + 1.0}

    return Case(updates=[average, plain], feeds=feeds, said=[average, plain])


CASES = {
    "decays": collect(
        exponential_decays,
        piecewise_constants,
        polynomial_decays,
        cosine_decays,
        noisy_decays,
        decayed_training,
    ),
    "averages": collect(moving_averages, unbiased_averages, assigned_averages, weighted_averages),
}

MISTAKES = {
    "decays": {
        "no step": lambda tf: tf.train.exponential_decay(0.1, None, 1, 0.5),
        "boundaries": lambda tf: tf.train.piecewise_constant(1, [1, 2], [1.0, 2.0]),
        "boundaries' type": lambda tf: tf.train.piecewise_constant(1, [1.0], [1.0, 2.0]),
        "values' types": lambda tf: tf.train.piecewise_constant(1, [1], [1.0, 2]),
    },
    "averages": {
        "integers": lambda tf: tf.train.ExponentialMovingAverage(0.9).apply(
            [tf.Variable(1, name="v")]
        ),
    },
}
