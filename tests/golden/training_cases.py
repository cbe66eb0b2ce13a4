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
    grow = tf.group(v.assign_add([1.0, 1.0]), r.assign_add([[1.0]]), d.assign_add(0.5))
    with tf.control_dependencies([grow]):
        t = tf.identity(v.read_value() * 2.0, name="t")
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


# ---- optimizers of one's own ----------


def own_optimizer(tf):
    """Slots, non-slot variables, settings as tensors, sparse steps: all that a subclass defines."""
    from tensorflow.python.framework import ops
    from tensorflow.python.ops import control_flow_ops, math_ops, resource_variable_ops, state_ops
    from tensorflow.python.training import optimizer, training_ops

    class Bounded(optimizer.Optimizer):
        def __init__(self, rate=0.1, decay=0.9, use_locking=False, name="Bounded"):
            super(Bounded, self).__init__(use_locking, name)
            self._rate, self._decay = rate, decay

        def _create_slots(self, var_list):
            first = min(var_list, key=lambda v: v.name)
            self._create_non_slot_variable(self._decay, name="power", colocate_with=first)
            for v in var_list:
                self._zeros_slot(v, "m", self._name)
                self._get_or_make_slot_with_initializer(
                    v, tf.ones_initializer(), v.shape, v.dtype, "v", self._name
                )
                self._get_or_make_slot(v, tf.ones_like(v.initialized_value()), "u", "U")

        def _prepare(self):
            rate = self._call_if_callable(self._rate)
            self._rate_t = ops.convert_to_tensor(rate, name="rate")
            self._decay_t = ops.convert_to_tensor(self._decay, name="decay")

        def _power(self):
            return self._get_non_slot_variable("power", graph=ops.get_default_graph())

        def _apply_dense(self, grad, var):
            m = self.get_slot(var, "m")
            return training_ops.apply_momentum(
                var,
                m,
                math_ops.cast(self._rate_t, var.dtype.base_dtype),
                grad,
                math_ops.cast(self._decay_t, var.dtype.base_dtype),
                use_locking=self._use_locking,
            ).op

        def _resource_apply_dense(self, grad, var):
            m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
            m_t = m.assign(m * self._decay_t + grad, use_locking=self._use_locking)
            v_t = state_ops.assign(v, math_ops.maximum(v, math_ops.abs(grad)))
            step = self._rate_t * m_t / (v_t + 1.0 - self._power())
            return control_flow_ops.group(var.assign_sub(step), m_t, v_t)

        def _apply_sparse_shared(self, grad, var, indices, scatter_add):
            u = self.get_slot(var, "u")
            u_t = scatter_add(u, indices, grad)
            step = self._rate_t * math_ops.sign(tf.gather(u_t, indices))
            return control_flow_ops.group(*[scatter_add(var, indices, -step), u_t])

        def _apply_sparse(self, grad, var):
            return self._apply_sparse_shared(
                grad.values,
                var,
                grad.indices,
                lambda x, i, v: state_ops.scatter_add(x, i, v, use_locking=self._use_locking),
            )

        def _resource_scatter_add(self, x, i, v):
            added = resource_variable_ops.resource_scatter_add(x.handle, i, v)
            with ops.control_dependencies([added]):
                return x.value()

        def _resource_apply_sparse(self, grad, var, indices):
            return self._apply_sparse_shared(grad, var, indices, self._resource_scatter_add)

        def _finish(self, update_ops, name_scope):
            with ops.control_dependencies(update_ops):
                power = self._power()
                with ops.colocate_with(power):
                    update = power.assign(power * self._decay_t, use_locking=self._use_locking)
            return control_flow_ops.group(*update_ops + [update], name=name_scope)

    losses = []
    for use_resource in (False, True):
        with tf.variable_scope("resource" if use_resource else "ref", use_resource=use_resource):
            w = tf.get_variable("w", initializer=[[1.0, -2.0], [0.5, 1.5]])
            table = tf.get_variable("table", initializer=np.ones((4, 2), "f"))
        rows = tf.nn.embedding_lookup(table, [3, 1, 3])
        losses.append(tf.reduce_mean(tf.square(tf.matmul(rows, w) - 1.0)))
    loss = tf.add_n(losses)
    step = tf.train.get_or_create_global_step()
    train = Bounded(lambda: 0.2).minimize(loss, step)
    return Case([loss], [train], said=[train, tf.global_variables()])


def own_apply_gradients(tf):
    """As BERT's: an `apply_gradients` that makes its own variables."""

    class WeightDecay(tf.train.Optimizer):
        def __init__(self, rate, decay, exclude, name="WeightDecay"):
            super(WeightDecay, self).__init__(False, name)
            self.rate, self.decay, self.exclude = rate, decay, exclude

        def apply_gradients(self, grads_and_vars, global_step=None, name=None):
            assignments = []
            for grad, param in grads_and_vars:
                if grad is None or param is None:
                    continue
                param_name = param.name[: -len(":0")]
                m = tf.get_variable(
                    name=param_name + "/m",
                    shape=param.shape.as_list(),
                    dtype=tf.float32,
                    trainable=False,
                    initializer=tf.zeros_initializer(),
                )
                next_m = tf.multiply(0.9, m) + tf.multiply(1.0 - 0.9, grad)
                update = next_m
                if not any(part in param_name for part in self.exclude):
                    update += self.decay * param
                assignments.extend([param.assign(param - self.rate * update), m.assign(next_m)])
            return tf.group(*assignments, name=name)

    x = tf.constant(np.random.RandomState(0).randn(4, 3).astype("f"))
    loss = tf.reduce_mean(tf.square(tf.layers.dense(x, 2, kernel_initializer="ones") - 1.0))
    step = tf.train.get_or_create_global_step()
    variables = tf.trainable_variables()
    grads, _ = tf.clip_by_global_norm(tf.gradients(loss, variables), clip_norm=1.0)
    rate = tf.train.polynomial_decay(tf.constant(0.1), step, 10, 0.0)
    train = WeightDecay(rate, 0.01, ["bias"]).apply_gradients(zip(grads, variables), step)
    with tf.control_dependencies([train]):
        train = tf.group(step.assign(step + 1))
    return Case([loss, rate], [train], said=[train, tf.global_variables()])


def wrapped_optimizer(tf):
    """An optimizer that adds up gradients and passes them on to another one."""

    class Accumulating(tf.train.Optimizer):
        def __init__(self, opt, every):
            super(Accumulating, self).__init__(use_locking=False, name="Accumulating")
            self._opt, self._every = opt, every

        def compute_gradients(self, *args, **kwargs):
            return self._opt.compute_gradients(*args, **kwargs)

        def apply_gradients(self, grads_and_vars, global_step=None, name=None):
            count = tf.Variable(0, trainable=False, name="count")
            sums = [
                tf.Variable(tf.zeros_like(v.initialized_value()), False) for _, v in grads_and_vars
            ]
            added = [s.assign_add(g) for s, (g, _) in zip(sums, grads_and_vars)]
            means = [(s / float(self._every), v) for s, (_, v) in zip(added, grads_and_vars)]
            with tf.control_dependencies(added):
                counted = count.assign_add(1)
            train = self._opt.apply_gradients(means, global_step, name)
            return tf.group(train, counted)

    v = tf.get_variable("v", initializer=[1.0, 2.0])
    optimizer = Accumulating(tf.train.MomentumOptimizer(0.1, 0.9), 2)
    train = optimizer.minimize(tf.reduce_sum(v * v), tf.train.get_or_create_global_step())
    return Case([v], [train], said=[train, optimizer.get_name(), optimizer.get_slot_names()])


def variable_arguments(tf):
    """Synchronization and aggregation reach the variables and change nothing else."""
    v = tf.get_variable(
        "v",
        initializer=[1.0],
        synchronization=tf.VariableSynchronization.ON_READ,
        aggregation=tf.VariableAggregation.MEAN,
    )
    w = tf.Variable(
        [2.0],
        synchronization=tf.VariableSynchronization.ON_WRITE,
        aggregation=tf.VariableAggregation.SUM,
        use_resource=True,
    )
    said = [v.trainable, v.synchronization, v.aggregation, w.synchronization, w.aggregation]
    train = tf.train.AdagradDAOptimizer(
        0.1, tf.train.get_or_create_global_step(), l1_regularization_strength=0.01
    ).minimize(tf.reduce_sum(v * w), tf.train.get_global_step(), var_list=[v, w])
    return Case([v, w], [train], said=[train] + said)


CASES = {
    "optimizers": collect(
        own_optimizer, own_apply_gradients, wrapped_optimizer, variable_arguments
    ),
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
