"""Conditional accumulators, and the optimizer that is made of them."""

from __future__ import annotations

import numpy as np
from case_runs import collect


class _InTurn:
    """A case whose fetches are run one after the other in one session."""

    def __init__(self, turns, said=()):
        self.turns = turns
        self.said = [str(x) for x in said]

    def run(self, tf):
        found = []
        with tf.Session() as session:
            session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
            for fetch, feeds in self.turns:
                try:
                    value = session.run(fetch, feeds)
                except tf.errors.InvalidArgumentError as e:
                    value = np.array(e.message.split("\n")[0].encode(), object)
                values = list(value) if isinstance(value, tuple) else [value]
                found += [(fetch, np.asarray(x)) for x in values if x is not None]
        return found


def _dense(tf, **kwargs):
    accumulator = tf.ConditionalAccumulator(tf.float32, **kwargs)
    gradient, step = tf.placeholder(tf.float32), tf.placeholder(tf.int64, ())
    apply, take = accumulator.apply_grad(gradient, step), accumulator.take_grad(1)
    count = accumulator.num_accumulated()
    turns = []
    for values, at in (
        ([1, 2], 0),
        ([3, 4], 0),
        (take, None),
        ([5, 6], 0),
        ([5, 6], 1),
        ([1, 2, 3], 1),
        (take, None),
        (accumulator.set_global_step(7), None),
        ([5, 6], 6),
        ([7, 8], 7),
        (accumulator.set_global_step(np.int32(1), name="back"), None),
        ([1, 1], 3),
        (accumulator.take_grad(0, name="none"), None),
        (take, None),
    ):
        turn = (values, {}) if at is None else (apply, {gradient: values, step: at})
        turns += [turn, (count, {})]
    return _InTurn(turns, [accumulator.name, accumulator.dtype, accumulator.accumulator_ref, take])


def mean(tf):
    return _dense(tf)


def sum_of_known_shape(tf):
    return _dense(tf, shape=[2], reduction_type="SUM", name="sums", shared_name="shared")


def _sparse(tf, shape, **kwargs):
    accumulator = tf.SparseConditionalAccumulator(tf.float64, shape=shape, name="sp", **kwargs)
    indices, values = tf.placeholder(tf.int64), tf.placeholder(tf.float64)
    apply = accumulator.apply_grad(indices, values)
    take, count = accumulator.take_grad(1), accumulator.num_accumulated()
    turns = []
    for i, v in (
        ([2, 0], [[1, 2], [3, 4]]),
        ([1, 2], [[10, 10], [20, 20]]),
        ([0, 1, 3], np.ones([3, 2])),
        (take, None),
        (accumulator.set_global_step(0), None),
        ([1, 2, 3], [[1, 2]]),
        ([[1]], [[1, 2]]),
        ([7], [[1, 2]]),
        ([1], [[1, 2, 3]]),
        ([1], [1]),
        ([1], 1.0),
        ([], np.zeros([0, 2])),
        (take, None),
    ):
        turn = (i, {}) if v is None else (apply, {indices: i, values: v})
        turns += [turn, (count, {})]
    return _InTurn(turns, take)


def sparse(tf):
    return _sparse(tf, None)


def sparse_of_known_shape(tf):
    return _sparse(tf, [4, 2], reduction_type="SUM")


def indexed_slices(tf):
    accumulator = tf.SparseConditionalAccumulator(tf.float32)
    slices = tf.IndexedSlices(tf.ones([2, 3]), tf.constant([0, 5]), tf.constant([6, 3]))
    taken = accumulator.take_indexed_slices_grad(1)
    turns = [(accumulator.apply_indexed_slices_grad(slices), {}), (taken.indices, {})]
    return _InTurn(turns, [taken])


def sync_replicas(tf):
    x, e = tf.Variable(3.0), tf.Variable([[1.0, 2.0], [3.0, 4.0]])
    step = tf.train.get_or_create_global_step()
    loss = x * x + tf.reduce_sum(tf.nn.embedding_lookup(e, [0]) ** 2)
    averages = tf.train.ExponentialMovingAverage(0.5)
    optimizer = tf.train.SyncReplicasOptimizer(
        tf.train.MomentumOptimizer(0.1, 0.9),
        replicas_to_aggregate=1,
        total_num_replicas=2,
        variable_averages=averages,
        variables_to_average=[x],
    )
    train = optimizer.minimize(loss, global_step=step)
    runner = optimizer.get_chief_queue_runner()
    tokens = optimizer.get_init_tokens_op()
    turns = [(optimizer.ready_for_local_init_op, {}), (optimizer.chief_init_op, {}), (tokens, {})]
    turns += [(train, {}), (runner.enqueue_ops[0], {}), (train, {}), (x, {}), (e, {}), (step, {})]
    said = [runner.name, optimizer.get_name(), optimizer.get_slot_names(), optimizer.variables()]
    return _InTurn(turns, said)


CASES = {
    "accumulators": collect(
        mean, sum_of_known_shape, sparse, sparse_of_known_shape, indexed_slices, sync_replicas
    )
}


def another_shape(tf):
    tf.ConditionalAccumulator(tf.float32, shape=[2]).apply_grad([1.0, 2.0, 3.0])


def no_global_step(tf):
    opt = tf.train.SyncReplicasOptimizer(tf.train.GradientDescentOptimizer(0.1), 1)
    opt.minimize(tf.Variable(1.0) * 2.0)


def no_gradients_yet(tf):
    tf.train.SyncReplicasOptimizer(tf.train.GradientDescentOptimizer(0.1), 1).get_init_tokens_op()


def a_step_of_another_rank(tf):
    tf.ConditionalAccumulator(tf.float32).apply_grad(1.0, local_step=[1, 2])


MISTAKES = {
    "accumulators": collect(another_shape, no_global_step, no_gradients_yet, a_step_of_another_rank)
}
