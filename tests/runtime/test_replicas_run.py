"""Computations for several replicas, run by one device: each replica's values are those of the same
computation by itself, what they exchange is told by NumPy. (TensorFlow's package runs them on TPUs
only. By several devices: `test_towers.py`.)"""

from __future__ import annotations

import numpy as np
import pytest

import tf1compat
from tf1compat.migrate.to_jax import to_jax
from tf1compat.runtime import tiers

RNG = np.random.RandomState(0)
X = RNG.randn(4, 2, 4).astype(np.float32)  # of each replica


@pytest.fixture(params=[tiers.HOST, tiers.XLA])
def session(tf, request):
    """Makes sessions of one tier, variables initialized."""
    made = []

    def make():
        found = tf.Session()
        tf1compat.set_tier(request.param, found)
        made.append(found)
        found.run(tf.global_variables_initializer())
        return found

    yield make
    for found in made:
        found.close()


def replicate(tf, computation, count=4):
    found = tf.tpu.replicate(computation, [[tf.constant(x)] for x in X[:count]])
    return [own[0] if len(own) == 1 else own for own in found]


def exchanges(tf):
    raw = tf.raw_ops
    groups = [[0, 2], [3, 1]]
    pairs = [[0, 3], [3, 1], [2, 2]]
    permuted = np.zeros_like(X)
    permuted[3], permuted[1], permuted[2] = X[0], X[3], X[2]
    in_groups = np.stack([X[0] + X[2], X[1] + X[3]] * 2)
    parts = np.stack([np.split(x, 2, 1) for x in X])  # replica, part
    joined = [
        np.concatenate([parts[0, 0], parts[2, 0]]), np.concatenate([parts[3, 1], parts[1, 1]]),
        np.concatenate([parts[0, 1], parts[2, 1]]), np.concatenate([parts[3, 0], parts[1, 0]]),
    ]  # fmt: skip
    return {
        "sum": (tf.tpu.cross_replica_sum, np.stack([X.sum(0)] * 4)),
        "sum of groups": (lambda x: tf.tpu.cross_replica_sum(x, groups), in_groups),
        "permuted": (
            lambda x: raw.CollectivePermute(input=x, source_target_pairs=pairs), permuted
        ),
        "all to all": (
            lambda x: raw.AllToAll(
                input=x, group_assignment=groups, concat_dimension=0, split_dimension=1,
                split_count=2,
            ),
            joined,
        ),
        "number": (lambda x: raw.XlaReplicaId(), np.arange(4)),
        "nothing": (lambda x: x * 2.0 + tf.reduce_sum(x), [x * 2 + x.sum() for x in X]),
        "the same": (lambda x: tf.tpu.cross_replica_sum(tf.constant(3.0)), [12.0] * 4),
    }  # fmt: skip


@pytest.mark.parametrize("name", [
    "sum", "sum of groups", "permuted", "all to all", "number", "nothing", "the same",
])  # fmt: skip
def test_exchange(tf, session, name):
    computation, expected = exchanges(tf)[name]
    found = replicate(tf, computation)
    values = session().run(found)
    np.testing.assert_allclose(values, expected, rtol=1e-5, atol=1e-6)


def test_gradient_of_a_sum(tf, session):
    def computation(x):
        total = tf.tpu.cross_replica_sum(x * x)
        return tf.gradients(total * x, x)[0]

    total = (X * X).sum(0)
    # What each replica takes of the sum is summed up again.
    expected = total + 2 * X * X.sum(0)
    np.testing.assert_allclose(session().run(replicate(tf, computation)), expected, rtol=1e-4)


Y = RNG.randn(8, 3).astype(np.float32)
TARGETS = Y @ np.array([[1.0], [2.0], [3.0]], np.float32)


def loss_of(tf, x, y):
    w = tf.get_variable("w", [3, 1], initializer=tf.zeros_initializer(), use_resource=True)
    return tf.reduce_mean(tf.square(tf.matmul(x, w) - y))


def trained_by_hand(tf, session, steps, scale):
    losses = []
    with tf.variable_scope("by_hand", reuse=tf.AUTO_REUSE):
        for x, y in zip(np.split(Y, 4), np.split(TARGETS, 4), strict=True):
            losses.append(loss_of(tf, x, y))
        train = tf.train.AdamOptimizer(0.1).minimize(tf.add_n(losses) * scale)
    sess = session()
    found = []
    for _ in range(steps):
        found.append(sess.run(losses))
        sess.run(train)
    return found, sess.run(tf.trainable_variables("by_hand"))


@pytest.mark.parametrize("reduction, scale", [("weighted_mean", 0.25), ("weighted_sum", 1.0)])
def test_trained_as_the_sum_or_mean_of_towers(tf, session, reduction, scale):
    expected, w = trained_by_hand(tf, session, 4, scale)
    reductions = tf.losses.Reduction
    kind = {"weighted_mean": reductions.MEAN, "weighted_sum": reductions.SUM}[reduction]

    def step(x, y):
        loss = loss_of(tf, x, y)
        optimizer = tf.tpu.CrossShardOptimizer(tf.train.AdamOptimizer(0.1), reduction=kind)
        return loss, optimizer.minimize(loss)

    losses = tf.tpu.shard(step, [tf.constant(Y), tf.constant(TARGETS)], num_shards=4)[0]
    sess = session()
    found = [sess.run(losses) for _ in range(4)]
    np.testing.assert_allclose(found, expected, rtol=1e-5)
    np.testing.assert_allclose(sess.run(tf.trainable_variables()[-1:]), w, rtol=1e-5)


def test_trained_in_a_loop(tf, session):
    expected, w = trained_by_hand(tf, session, 5, 0.25)

    def steps(x, y):
        def step(_):
            loss = loss_of(tf, x, y)
            optimizer = tf.tpu.CrossShardOptimizer(tf.train.AdamOptimizer(0.1))
            with tf.control_dependencies([optimizer.minimize(loss)]):
                return tf.identity(loss)

        return tf.contrib.tpu.repeat(5, step, [0.0])

    losses = tf.tpu.shard(steps, [tf.constant(Y), tf.constant(TARGETS)], num_shards=4)
    sess = session()
    np.testing.assert_allclose(sess.run(losses), [expected[-1]], rtol=1e-5)
    np.testing.assert_allclose(sess.run(tf.trainable_variables()[-1:]), w, rtol=1e-5)


def varying(tf):
    """Computations in which replicas go different ways."""
    more = lambda v: tf.reduce_sum(tf.abs(v)) < 100.0  # noqa: E731
    return {
        "turns": lambda x: tf.while_loop(more, lambda v: v * 2.0, [x]),
        "branches": lambda x: tf.cond(
            x[0, 0] > 0.5, lambda: tf.cond(x[0, 1] > 0, lambda: x, lambda: -x), lambda: x * 10.0
        ),
        "constants of branches": lambda x: tf.cond(
            x[0, 0] > 0.5, lambda: tf.constant(1.0), lambda: tf.constant(2.0)
        ),
        "turns in turns": lambda x: tf.while_loop(
            lambda i, v: i < 3,
            lambda i, v: (i + 1, tf.while_loop(more, lambda u: u * 1.5 + 1.0, [v]) / 3.0),
            [0, x],
        )[1],
        "map": lambda x: tf.map_fn(lambda row: row * tf.reduce_sum(row), x),
    }


@pytest.mark.parametrize("name", [
    "turns", "branches", "constants of branches", "turns in turns", "map",
])  # fmt: skip
def test_replicas_go_their_own_ways(tf, session, name):
    computation = varying(tf)[name]
    found = session().run(replicate(tf, computation))
    expected = session().run([computation(tf.constant(x)) for x in X])
    np.testing.assert_allclose(found, expected, rtol=1e-6)


@pytest.mark.parametrize("inside", ["conditional", "loop"])
def test_no_exchange_where_only_some_replicas_may_be(tf, session, inside):
    total = tf.tpu.cross_replica_sum
    if inside == "loop":
        go = lambda v: tf.reduce_sum(v) < 10.0  # noqa: E731
        found = replicate(tf, lambda x: tf.while_loop(go, lambda v: total(v), [x]))
    else:
        found = replicate(tf, lambda x: tf.cond(x[0, 0] > 0.5, lambda: total(x), lambda: x))
    with pytest.raises(tf.errors.UnimplementedError, match="not the same for all 4 replicas"):
        session().run(found)


def test_a_loop_that_all_agree_to_leave(tf, session):
    """The condition is a sum over the replicas, taken anew in each turn."""
    total = tf.tpu.cross_replica_sum

    def computation(x):
        go = lambda v, norm: norm < 1000.0  # noqa: E731
        turn = lambda v, norm: (v * 2.0, total(tf.reduce_sum(v * v)))  # noqa: E731
        return tf.while_loop(go, turn, [x, 0.0])

    found = session().run(replicate(tf, computation))
    values, norm = X, 0.0
    while norm < 1000:
        values, norm = values * 2, (values * values).sum()
    np.testing.assert_allclose([own for own, _ in found], values, rtol=1e-5)
    np.testing.assert_allclose([own for _, own in found], [norm] * 4, rtol=1e-5)


def test_random_numbers_of_each_replica(tf, session):
    draw = lambda *_: tf.random_uniform([3], seed=5)  # noqa: E731
    tf.set_random_seed(1)
    found, alone = replicate(tf, draw), draw()
    sess, other = session(), session()
    first, second = np.array(sess.run(found)), np.array(sess.run(found))
    np.testing.assert_array_equal(first[0], sess.run(alone))
    np.testing.assert_array_equal(first, other.run(found))
    assert len({tuple(row) for row in (*first, *second)}) == 8


def test_the_first_replica_writes(tf, session):
    seen = tf.get_variable("seen", [2, 4], initializer=tf.zeros_initializer(), use_resource=True)
    count = tf.get_variable("count", [], initializer=tf.zeros_initializer(), use_resource=True)

    def computation(x):
        before = seen.read_value()
        with tf.control_dependencies([seen.assign(x), count.assign_add(1.0)]):
            return before + x, seen.read_value()

    sess = session()
    found = sess.run(replicate(tf, computation))
    np.testing.assert_array_equal([own for own, _ in found], X)
    np.testing.assert_array_equal([own for _, own in found], [X[0]] * 4)
    np.testing.assert_array_equal(sess.run(seen), X[0])
    assert sess.run(count) == 1


def test_functions_are_called_by_each_replica(tf, session):
    count = tf.get_variable("count", [], initializer=tf.zeros_initializer(), use_resource=True)

    @tf.contrib.eager.defun
    def function(x):
        count.assign_add(1.0)
        return tf.cond(x[0, 0] > 0.5, lambda: x * 2.0, lambda: x), x + 1.0

    found = replicate(tf, lambda x: tf.tpu.cross_replica_sum(function(x * 3.0)[1]))
    own = replicate(tf, lambda x: function(x)[0])
    sess = session()
    np.testing.assert_allclose(sess.run(found), [(X * 3 + 1).sum(0)] * 4, rtol=1e-5)
    assert sess.run(count) == 1
    expected = [x * 2 if x[0, 0] > 0.5 else x for x in X]
    np.testing.assert_array_equal(sess.run(own), expected)


def test_the_host_computes_for_each_replica(tf, session):
    calls = []

    def computation(x):
        doubled = lambda v: tf.py_func(lambda a: calls.append(a) or a * 2, [v], tf.float32)  # noqa: E731
        return tf.tpu.outside_compilation(doubled, x) + 1.0

    np.testing.assert_allclose(session().run(replicate(tf, computation)), X * 2 + 1)
    assert sorted(a[0, 0] for a in calls) == sorted(X[:, 0, 0])


def test_an_operation_for_each_replica(tf, session):
    count = tf.get_variable("count", [], initializer=tf.zeros_initializer(), use_resource=True)
    both = tf.tpu.replicate(lambda x: count.assign_add(tf.reduce_sum(x)).op, [[1.0], [2.0]])
    sess = session()
    sess.run(both)
    assert sess.run(count) == 1


def test_an_error_is_of_the_operation(tf, session):
    found = replicate(tf, lambda x: tf.check_numerics(x / (x - X[2]), "not a number"))
    with pytest.raises(tf.errors.InvalidArgumentError, match="not a number") as raised:
        session().run(found)
    assert raised.value.op.name == "CheckNumerics"


@pytest.mark.parametrize("groups", [[[0, 1]], [[0, 1, 2, 2]], [[0, 1, 2, 4]]])
def test_groups_that_are_not_of_the_replicas(tf, session, groups):
    found = replicate(tf, lambda x: tf.raw_ops.CrossReplicaSum(input=x, group_assignment=groups))
    with pytest.raises(tf.errors.InvalidArgumentError, match="each of the 4 replicas once"):
        session().run(found)


def test_a_program_for_replicas_leaves_as_a_function(tf):
    x = tf.placeholder(tf.float32, [4])
    (total,) = tf.tpu.batch_parallel(
        lambda part: tf.tpu.cross_replica_sum(part) * part, [x], num_shards=2
    )
    with tf.Session() as sess:
        function, params = to_jax(total, x, session=sess)
        found = function(params, np.arange(4, dtype=np.float32))
    np.testing.assert_array_equal(found, [0, 4, 4, 12])
