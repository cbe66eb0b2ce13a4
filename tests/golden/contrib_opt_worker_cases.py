"""tf.contrib.opt: optimizers for several workers (here one), savers that swap, GGT.

Read by `record_cases.py` under TensorFlow 1.15 and replayed by `tests/api/test_contrib_opt.py`.
"""

from __future__ import annotations

import os
import tempfile

import numpy as np
from case_runs import Case, collect

DEVICE = "/job:worker/task:0"


class WorkerCase(Case):
    """A case whose start needs an operation of the optimizer."""

    def __init__(self, start, **kwargs):
        super().__init__(**kwargs)
        self.start = start

    def run(self, tf):
        found = []
        with tf.Session() as session:
            session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
            session.run(self.start)
            for _ in range(self.steps):
                found += zip(self.updates, session.run(self.updates))
                found += zip(self.fetches, session.run(self.fetches))
            variables = tf.global_variables() + tf.local_variables()
            found += zip(variables, session.run(variables))
        return found


class Recorded(Case):
    """A graph for a device that isn't there."""

    def run(self, tf):
        return []


def _loss(tf):
    w = tf.get_variable("w", initializer=np.array([[1.0, -2.0], [0.5, 3.0]], "f"))
    b = tf.get_variable("b", initializer=np.zeros(2, "f"))
    tf.get_variable("counter", initializer=0, trainable=False, collections=["local_variables"])
    x = tf.constant([[1.0, 2.0], [3.0, -1.0]])
    return tf.reduce_mean(tf.square(tf.matmul(x, w) + b))


def elastic_average(tf):
    getter = tf.contrib.opt.ElasticAverageCustomGetter("/cpu:0")
    with tf.variable_scope("", custom_getter=getter):
        loss = _loss(tf)
    step = tf.train.get_or_create_global_step()
    optimizer = tf.contrib.opt.ElasticAverageOptimizer(
        tf.train.MomentumOptimizer(0.1, 0.9), 2, getter, communication_period=2
    )
    train = optimizer.minimize(loss, step)
    hook = optimizer.make_session_run_hook(True, 0)
    hook.begin()
    saver = optimizer.swapping_saver()
    said = [train, tf.global_variables(), tf.local_variables(), saver.saver_def]
    return WorkerCase(hook._variable_init_op, fetches=[loss, step], updates=[train], said=said)


def elastic_average_waiting(tf):
    getter = tf.contrib.opt.ElasticAverageCustomGetter(DEVICE)
    with tf.device(tf.train.replica_device_setter(1, worker_device=DEVICE)):
        with tf.variable_scope("net", custom_getter=getter):
            loss = _loss(tf)
        step = tf.train.get_or_create_global_step()
        optimizer = tf.contrib.opt.ElasticAverageOptimizer(
            tf.train.AdamOptimizer(0.1), 2, getter, moving_rate=0.1, rho=0.0, synchronous=True
        )
        train = optimizer.minimize(loss, step)
        hook = optimizer.make_session_run_hook(False, 1)
        hook.begin()
    said = [train, tf.global_variables(), tf.local_variables(), hook._variable_init_op]
    return Recorded(said=said)


def model_average(tf):
    getter = tf.contrib.opt.ModelAverageCustomGetter("/cpu:0")
    with tf.variable_scope("", custom_getter=getter):
        loss = _loss(tf)
    step = tf.train.get_or_create_global_step()
    optimizer = tf.contrib.opt.ModelAverageOptimizer(
        tf.train.GradientDescentOptimizer(0.1), 1, True, getter, interval_steps=2
    )
    train = optimizer.minimize(loss, step)
    hook = optimizer.make_session_run_hook()
    hook.begin()
    said = [train, tf.global_variables(), tf.local_variables(), hook._chief_init_op]
    start = [hook._variable_init_op, hook._chief_init_op]
    return WorkerCase(start, fetches=[loss, step], updates=[train], said=said)


def model_average_not_chief(tf):
    getter = tf.contrib.opt.ModelAverageCustomGetter(DEVICE)
    with tf.device(tf.train.replica_device_setter(1, worker_device=DEVICE)):
        with tf.variable_scope("net", custom_getter=getter):
            loss = _loss(tf)
        step = tf.train.get_or_create_global_step()
        optimizer = tf.contrib.opt.ModelAverageOptimizer(
            tf.train.AdamOptimizer(0.1), 2, False, getter
        )
        train = optimizer.minimize(loss, step)
        optimizer.make_session_run_hook().begin()
    return Recorded(said=[train, tf.global_variables(), tf.local_variables()])


def agn(tf):
    getter = tf.contrib.opt.AGNCustomGetter("/cpu:0")
    with tf.variable_scope("", custom_getter=getter):
        loss = _loss(tf)
    step = tf.train.get_or_create_global_step()
    optimizer = tf.contrib.opt.AGNOptimizer(
        tf.train.AdamOptimizer(0.1), 1, getter, communication_period=2
    )
    train = optimizer.minimize(loss, step)
    hook = optimizer.make_session_run_hook(True, 0)
    hook.begin()
    said = [train, tf.global_variables(), tf.local_variables()]
    return WorkerCase(hook._variable_init_op, fetches=[loss, step], updates=[train], said=said)


def drop_stale(tf):
    step = tf.train.get_or_create_global_step()
    optimizer = tf.contrib.opt.DropStaleGradientOptimizer(tf.train.MomentumOptimizer(0.1, 0.9), 0)
    dropped = optimizer.minimize(_loss(tf), step)
    said = [dropped, optimizer.get_slot_names(), tf.global_variables()]
    summary = tf.summary.merge_all()
    return Case([step], [dropped], said=[*said, summary], steps=2)


def ggt(tf):
    optimizer = tf.contrib.opt.GGTOptimizer(lambda: 0.1, window=3, eps=1e-3, svd_eps=0.1)
    loss = _loss(tf)
    step = tf.train.get_or_create_global_step()
    train = optimizer.minimize(loss, step)
    return Case([loss], [train], said=[train, optimizer.get_slot_names(), optimizer.variables()])


def ggt_truncated(tf):
    optimizer = tf.contrib.opt.GGTOptimizer(window=2, eps=1e3, svd_eps=0.1)
    train = optimizer.minimize(_loss(tf))
    return Case([], [train], said=[train], steps=2)


class SwappingCase(Case):
    """What a saver that swaps writes."""

    def run(self, tf):
        with tf.Session() as session:
            session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
            session.run(self.updates)
            path = self.saver.save(session, os.path.join(tempfile.mkdtemp(), "model"))
        reader = tf.train.NewCheckpointReader(path)
        return [(key, reader.get_tensor(key)) for key in sorted(reader.get_variable_to_shape_map())]


def moving_average_swapped(tf):
    with tf.variable_scope("net", partitioner=tf.fixed_size_partitioner(2)):
        tf.get_variable("parts", initializer=tf.ones([4]), trainable=False)
    optimizer = tf.contrib.opt.MovingAverageOptimizer(tf.train.AdamOptimizer(0.1), 0.5)
    train = optimizer.minimize(_loss(tf))
    saver = optimizer.swapping_saver()
    case = SwappingCase(updates=[train], said=[saver.saver_def])
    case.saver = saver
    return case


CASES = {
    "worker": collect(
        elastic_average,
        elastic_average_waiting,
        model_average,
        model_average_not_chief,
        agn,
        drop_stale,
        ggt,
        ggt_truncated,
        moving_average_swapped,
    ),
}


def _model_average(tf, **kwargs):
    getter = tf.contrib.opt.ModelAverageCustomGetter("")
    optimizer = tf.contrib.opt.ModelAverageOptimizer(
        tf.train.GradientDescentOptimizer(0.1), 1, True, getter
    )
    return optimizer.apply_gradients(**kwargs)


def _sparse_ggt(tf):
    table = tf.get_variable("t", [4, 2])
    loss = tf.reduce_sum(tf.nn.embedding_lookup(table, [1, 2]))
    tf.contrib.opt.GGTOptimizer().minimize(loss)


def _swapping_part(tf):
    optimizer = tf.contrib.opt.MovingAverageOptimizer(tf.train.AdamOptimizer(0.1))
    optimizer.minimize(_loss(tf))
    optimizer.swapping_saver(tf.trainable_variables())


MISTAKES = {
    "worker": {
        "model average without a step": lambda tf: _model_average(tf, grads_and_vars=[1]),
        "model average without pairs": lambda tf: _model_average(tf, grads_and_vars=[]),
        "elastic saver": lambda tf: tf.contrib.opt.ElasticAverageOptimizer(
            tf.train.GradientDescentOptimizer(0.1), 1, tf.contrib.opt.ElasticAverageCustomGetter("")
        ).swapping_saver(),
        "elastic init": lambda tf: tf.contrib.opt.ElasticAverageOptimizer(
            tf.train.GradientDescentOptimizer(0.1), 1, tf.contrib.opt.ElasticAverageCustomGetter("")
        ).get_init_op(0),
        "agn init": lambda tf: tf.contrib.opt.AGNOptimizer(
            tf.train.GradientDescentOptimizer(0.1), 1, tf.contrib.opt.AGNCustomGetter("")
        ).get_init_op(0),
        "ggt nothing": lambda tf: tf.contrib.opt.GGTOptimizer().apply_gradients([]),
        "swapping only variables": _swapping_part,
    },
}
