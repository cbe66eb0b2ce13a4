"""tf.contrib.opt: small graphs that train, with dense and sparse gradients.

Read by `record_cases.py` under TensorFlow 1.15 and replayed by `tests/api/test_contrib_opt.py`.
"""

from __future__ import annotations

import numpy as np
from case_runs import Case, collect


def _variables(tf, dense=False):
    """A matrix, a vector and a table, of which rows are looked up; each also as a resource."""
    rng = np.random.RandomState(0)
    kinds = []
    for use_resource in (False, True):
        with tf.variable_scope("resource" if use_resource else "ref", use_resource=use_resource):
            w = tf.get_variable("w", initializer=rng.randn(2, 2).astype("f"))
            b = tf.get_variable("b", initializer=rng.randn(2))
            table = tf.get_variable("table", initializer=rng.randn(4, 2).astype("f"))
            kinds.append((w, b, table))
    x = tf.constant(rng.randn(3, 2).astype("f"))
    losses = []
    for w, b, table in kinds:
        rows = table[:3] if dense else tf.nn.embedding_lookup(table, [3, 1, 3])
        y = tf.matmul(x + rows, w)
        losses.append(tf.reduce_mean(tf.square(y + tf.cast(b, tf.float32) - 1.0)))
    return tf.add_n(losses)


def _trained(tf, optimizer, step=None, dense=False, **kwargs):
    loss = _variables(tf, dense)
    train = optimizer.minimize(loss, step, **kwargs)
    said = [train, optimizer.get_slot_names(), [str(v) for v in optimizer.variables()]]
    return Case([loss], [train], said=said)


def adamax(tf):
    return _trained(tf, tf.contrib.opt.AdaMaxOptimizer(0.1))


def nadam(tf):
    return _trained(tf, tf.contrib.opt.NadamOptimizer(0.1, 0.8, epsilon=1e-3))


def lazy_adam(tf):
    return _trained(tf, tf.contrib.opt.LazyAdamOptimizer(0.1))


def adam_gs(tf):
    step = tf.train.get_or_create_global_step()
    return _trained(tf, tf.contrib.opt.AdamGSOptimizer(step, 0.1), step)


def lazy_adam_gs(tf):
    step = tf.train.get_or_create_global_step()
    return _trained(tf, tf.contrib.opt.LazyAdamGSOptimizer(step, 0.1), step)


def _version_2(class_name, *args, **kwargs):
    """An optimizer of tf.contrib.optimizer_v2."""

    def record(tf):
        step = tf.train.get_or_create_global_step()
        return _trained(tf, getattr(tf.contrib.optimizer_v2, class_name)(*args, **kwargs), step)

    return record


VERSION_2 = {
    "descent": _version_2("GradientDescentOptimizer", 0.1),
    "called": _version_2("GradientDescentOptimizer", lambda: 0.2, True, name="called"),
    "adadelta": _version_2("AdadeltaOptimizer", 0.5, 0.9),
    "adagrad": _version_2("AdagradOptimizer", 0.3, initial_accumulator_value=0.2),
    "momentum": _version_2("MomentumOptimizer", 0.1, 0.9),
    "nesterov": _version_2("MomentumOptimizer", 0.1, lambda: 0.8, use_nesterov=True),
    "rms_prop": _version_2("RMSPropOptimizer", 0.1, 0.8, 0.5),
    "centered": _version_2("RMSPropOptimizer", 0.01, epsilon=0.1, centered=True),
    "adam": _version_2("AdamOptimizer", 0.1),
    "adam_settings": _version_2("AdamOptimizer", lambda: 0.1, 0.8, epsilon=1e-3),
}


def accumulator_of_0(tf):
    tf.contrib.optimizer_v2.AdagradOptimizer(0.1, 0.0)


def _decayed(tf, optimizer, **kwargs):
    """TF 1.15 may compute gradients before or after the decay: here before."""
    loss = _variables(tf)
    pairs = optimizer.compute_gradients(loss)
    with tf.control_dependencies([g.op for g, _ in pairs]):
        train = optimizer.apply_gradients(pairs, **kwargs)
    return Case([loss], [train], said=[train, type(optimizer).__name__])


def adamw(tf):
    return _decayed(tf, tf.contrib.opt.AdamWOptimizer(0.01, 0.1))


def momentumw(tf):
    optimizer = tf.contrib.opt.MomentumWOptimizer(0.01, 0.1, 0.9, use_nesterov=True)
    loss = _variables(tf)
    decay = tf.trainable_variables()[:1] + tf.trainable_variables()[-1:]
    train = optimizer.minimize(loss, decay_var_list=decay)
    return Case([], [], said=[loss, train], steps=0)


def extended(tf):
    kind = tf.contrib.opt.extend_with_decoupled_weight_decay(tf.train.AdagradOptimizer)
    return _decayed(tf, kind(weight_decay=0.01, learning_rate=0.1))


def lars(tf):
    optimizer = tf.contrib.opt.LARSOptimizer(0.5, skip_list=["/b"], eeta=0.1, use_nesterov=True)
    return _trained_float(tf, optimizer)


def _trained_float(tf, optimizer):
    """TF 1.15 makes float32 scalars whatever the variable: no float64 here."""
    w = tf.get_variable("w", initializer=np.ones((2, 2), "f"))
    b = tf.get_variable("net/b", initializer=np.ones((2,), "f"), use_resource=True)
    table = tf.get_variable("table", initializer=np.ones((4, 2), "f"))
    y = tf.matmul(tf.nn.embedding_lookup(table, [3, 1, 3]), w) + b
    loss = tf.reduce_mean(tf.square(y))
    train = optimizer.minimize(loss)
    return Case([loss], [train], said=[train])


def lars_zero_norms(tf):
    w = tf.get_variable("w", initializer=np.zeros((2, 2), "f"))
    v = tf.get_variable("v", initializer=np.ones((2, 2), "f"), use_resource=True)
    loss = tf.reduce_sum(w) + 0.0 * tf.reduce_sum(v)
    return Case([loss], [tf.contrib.opt.LARSOptimizer(tf.constant(0.1)).minimize(loss)])


def add_sign(tf):
    return _signs(tf, tf.contrib.opt.AddSignOptimizer)


def power_sign(tf):
    return _signs(tf, tf.contrib.opt.PowerSignOptimizer)


def _signs(tf, kind):
    from tensorflow.contrib.opt.python.training import sign_decay

    step = tf.train.get_or_create_global_step()
    w = tf.get_variable("w", initializer=[[1.0, -2.0]])
    r = tf.get_variable("r", initializer=np.array([1.0, 2.0]), use_resource=True)
    table = tf.get_variable("table", initializer=np.ones((4, 2), "f"))
    rows = tf.nn.embedding_lookup(table, [3, 1, 3])
    loss = tf.reduce_sum(tf.square(rows * w)) + tf.cast(tf.reduce_sum(r * r), tf.float32)
    train = [
        kind(0.1).minimize(loss, step),
        kind(0.05, sign_decay_fn=sign_decay.get_linear_decay_fn(5), name="second").minimize(
            loss, step, var_list=[w, r]
        ),
    ]
    with tf.control_dependencies(train[:1]):
        second = tf.group(train[1])
    decays = [
        f(step)
        for f in (
            sign_decay.get_linear_decay_fn(7),
            sign_decay.get_cosine_decay_fn(7),
            sign_decay.get_cosine_decay_fn(7, 2, zero_after=1),
            sign_decay.get_restart_decay_fn(7, 3),
            sign_decay.get_restart_decay_fn(7, 2, zero_after=1),
        )
    ]
    return Case([loss] + decays, [train[0], second][:1], said=decays)


def reg_adagrad(tf):
    loss = _variables(tf)
    optimizer = tf.contrib.opt.RegAdagradOptimizer(0.1)
    train = optimizer.minimize(loss)
    with tf.control_dependencies([train]), optimizer.avoid_updating_slots():
        penalty = tf.add_n([tf.nn.l2_loss(tf.cast(v, "float")) for v in tf.trainable_variables()])
        both = optimizer.minimize(penalty)
    return Case([loss], [both], said=[both])


def variable_clipping(tf):
    loss = _variables(tf)
    w, b, table, w2, b2, table2 = tf.trainable_variables()
    optimizer = tf.contrib.opt.VariableClippingOptimizer(
        tf.train.GradientDescentOptimizer(0.5),
        {w: [0], table: [1], table2: [0], b2: [0], w2: [0, 1]},
        0.8,
        colocate_clip_ops_with_vars=True,
    )
    train = optimizer.minimize(loss)
    return Case([loss], [train], said=[train, optimizer.get_slot_names()])


def moving_average(tf):
    step = tf.train.get_or_create_global_step()
    optimizer = tf.contrib.opt.MovingAverageOptimizer(tf.train.AdamOptimizer(0.1), 0.9, step)
    loss = _variables(tf)
    train = optimizer.minimize(loss, step)
    return Case([loss], [train], said=[train, tf.moving_average_variables()])


def moving_average_beside(tf):
    optimizer = tf.contrib.opt.MovingAverageOptimizer(
        tf.train.GradientDescentOptimizer(0.1), 0.9, sequential_update=False
    )
    train = optimizer.minimize(_variables(tf))
    return Case([], [], said=[train], steps=0)


def multitask(tf):
    p = tf.placeholder(tf.float32, [], name="p")
    w = tf.get_variable("w", initializer=[1.0, 2.0])
    r = tf.get_variable("r", initializer=[1.0, 2.0], use_resource=True)
    loss = tf.reduce_sum(w * w) * p + tf.reduce_sum(r * r) * (1.0 - p)
    optimizer = tf.contrib.opt.MultitaskOptimizerWrapper(tf.train.MomentumOptimizer(0.1, 0.9))
    pairs = optimizer.compute_gradients(loss)
    pairs, norm = tf.contrib.opt.clip_gradients_by_global_norm(pairs, 1.0)
    train = optimizer.apply_gradients(pairs)
    return Case([loss, norm], [train], lambda step: {p: float(step % 2)}, said=[train, norm])


def shampoo(tf):
    return _shampoo(tf, gbar_decay=0.5, learning_rate=0.1, epsilon=0.1)


def shampoo_by_iteration(tf):
    return _shampoo(
        tf, svd_interval=2, precond_update_interval=2, use_iterative_root=True, epsilon=0.1
    )


def shampoo_diagonal(tf):
    return _shampoo(tf, max_matrix_size=1, learning_rate=lambda step: 0.1 / step)


def _shampoo(tf, **kwargs):
    step = tf.train.get_or_create_global_step()
    w = tf.get_variable("w", initializer=np.array([[1.0, -0.5, 0.2], [0.3, 0.8, 0.1]], "f"))
    table = tf.get_variable("table", initializer=np.ones((4, 2), "f"))
    b = tf.get_variable("b", initializer=np.zeros(3, "f"))
    loss = tf.reduce_mean(tf.square(tf.matmul(tf.gather(table, [3, 1]), w) + b - 0.5))
    optimizer = tf.contrib.opt.ShampooOptimizer(step, **kwargs)
    train = optimizer.minimize(loss, gate_gradients=optimizer.GATE_GRAPH)
    with tf.control_dependencies([train]):
        train = tf.group(tf.assign_add(step, 1))
    return Case([loss], [train], said=[train, optimizer.get_slot_names()])


def external(tf):
    x = tf.get_variable("x", initializer=[7.0, 7.0])
    y = tf.get_variable("y", initializer=np.float32(3.0))
    z = tf.get_variable("z", initializer=[[1.0], [2.0]])
    loss = tf.reduce_sum(tf.square(x)) + y * y
    optimizer = tf.contrib.opt.ScipyOptimizerInterface(
        loss, [x, y, z], equalities=[x[0] - 1.0], inequalities=[y - 1.0], method="SLSQP"
    )
    tf.contrib.opt.ScipyOptimizerInterface(loss, var_to_bounds={x: ([1, 2], np.inf)})
    return Case([loss], said=[optimizer.optimizer_kwargs])


CASES = {
    "version 2": VERSION_2,
    "opt": collect(
        adamax,
        nadam,
        lazy_adam,
        adam_gs,
        lazy_adam_gs,
        adamw,
        momentumw,
        extended,
        lars,
        lars_zero_norms,
        add_sign,
        power_sign,
        reg_adagrad,
        variable_clipping,
        moving_average,
        moving_average_beside,
        multitask,
        shampoo,
        shampoo_by_iteration,
        shampoo_diagonal,
        external,
    ),
}


def _scipy(tf, **kwargs):
    v = tf.get_variable("v", initializer=[1.0])
    minimizer = tf.contrib.opt.ScipyOptimizerInterface(tf.reduce_sum(v * v), **kwargs)
    with tf.Session() as session:
        session.run(v.initializer)
        minimizer.minimize(session)


def _external(tf):
    v = tf.get_variable("v", initializer=[1.0])
    with tf.Session() as session:
        session.run(v.initializer)
        tf.contrib.opt.ExternalOptimizerInterface(v[0]).minimize(session)


MISTAKES = {
    "opt": {
        "accumulator of 0": accumulator_of_0,
        "lars momentum": lambda tf: tf.contrib.opt.LARSOptimizer(0.1, momentum=-1.0),
        "lars decay": lambda tf: tf.contrib.opt.LARSOptimizer(0.1, weight_decay=-1.0),
        "multitask": lambda tf: tf.contrib.opt.MultitaskOptimizerWrapper(3),
        "swapping_saver": lambda tf: tf.contrib.opt.MovingAverageOptimizer(
            tf.train.AdamOptimizer()
        ).swapping_saver(),
        "scipy bounds": lambda tf: _scipy(tf, bounds=[(0, 1)]),
        "scipy jac": lambda tf: _scipy(tf, jac=False),
        "no _minimize": _external,
    },
}
