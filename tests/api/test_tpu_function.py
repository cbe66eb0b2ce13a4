"""Shards of a TPU: what TensorFlow 1.15 records within `tpu_shard_context`."""

from __future__ import annotations

import pytest

from tf1compat.api.tpu import tpu_function


def test_context():
    context = tpu_function.get_tpu_context()
    assert context.number_of_shards is None
    with tpu_function.tpu_shard_context(4):
        assert context.number_of_shards == 4
        nested = tpu_function.tpu_shard_context(2)
        with pytest.raises(NotImplementedError, match="tpu_shard_context cannot be nested"), nested:
            pass
    assert context.number_of_shards is None


def test_sum_over_all_shards(tf):
    with tpu_function.tpu_shard_context(4):
        summed = tf.tpu.cross_replica_sum(tf.ones([2]))
    groups = tf.contrib.util.constant_value(summed.op.inputs[1])
    assert groups.tolist() == [[0, 1, 2, 3]]


@pytest.mark.parametrize(
    ("reduction", "groups", "scale"),
    [
        ("weighted_mean", None, 0.25),
        ("weighted_mean", [[0, 1], [2, 3]], 0.5),
        ("weighted_sum", None, 1),
    ],
)
def test_loss_is_scaled(tf, reduction, groups, scale):
    v = tf.Variable(3.0)
    optimizer = tf.tpu.CrossShardOptimizer(
        tf.train.GradientDescentOptimizer(0.1), reduction, group_assignment=groups
    )
    with tpu_function.tpu_shard_context(4):
        [(grad, _)] = optimizer.compute_gradients(2.0 * v)
    with tf.Session() as session:
        session.run(v.initializer)
        assert session.run(grad) == 2.0 * scale


def test_groups_are_checked(tf):
    v = tf.Variable(3.0)
    optimizer = tf.tpu.CrossShardOptimizer(
        tf.train.GradientDescentOptimizer(0.1), group_assignment=[[0], [1]]
    )
    said = pytest.raises(ValueError, match=r"must be a permutation of range\(4\)")
    with tpu_function.tpu_shard_context(4), said:
        optimizer.compute_gradients(2.0 * v)


def test_operations_by_their_internal_module(tf):
    from tensorflow.contrib.tpu.python.ops import tpu_ops as of_contrib
    from tensorflow.python.tpu.ops import tpu_ops

    assert tpu_ops.all_to_all is of_contrib.all_to_all
    assert tpu_ops.infeed_dequeue is tf.contrib.tpu.infeed_dequeue

    def turn(x):
        return tpu_ops.collective_permute(x, [[0, 1], [1, 0]])

    turned = tf.tpu.shard(turn, [tf.range(4.0)], num_shards=2)
    with tf.Session() as session:
        assert session.run(turned)[0].tolist() == [2, 3, 0, 1]
