"""Collectives among one replica; TensorFlow's package runs them on TPUs and GPUs only."""

from __future__ import annotations

import numpy as np
import pytest

X = np.arange(6, dtype=np.float32).reshape(2, 3)
KEYS = {"group_key": 1, "instance_key": 1}


def _one(tf):
    raw = tf.raw_ops
    groups = np.array([[0]], np.int32)
    return {
        "CrossReplicaSum": lambda x: raw.CrossReplicaSum(input=x, group_assignment=groups),
        "AllToAll": lambda x: raw.AllToAll(
            input=x, group_assignment=groups, concat_dimension=0, split_dimension=1, split_count=1
        ),
        "CollectivePermute": lambda x: raw.CollectivePermute(
            input=x, source_target_pairs=np.array([[0, 0]], np.int32)
        ),
        "CollectiveReduce": lambda x: raw.CollectiveReduce(
            input=x, group_size=1, merge_op="Add", final_op="Div", subdiv_offsets=[0], **KEYS
        ),
        "CollectiveGather": lambda x: raw.CollectiveGather(
            input=x, group_size=1, shape=[2, 3], **KEYS
        ),
        "CollectiveBcastSend": lambda x: raw.CollectiveBcastSend(
            input=x, group_size=1, shape=[2, 3], **KEYS
        ),
        "NcclAllReduce": lambda x: raw.NcclAllReduce(
            input=x, reduction="sum", num_devices=1, shared_name="a"
        ),
        "NcclBroadcast": lambda x: raw.NcclBroadcast(input=x, shape=[2, 3]),
        "TPUReplicatedInput": lambda x: raw.TPUReplicatedInput(inputs=[x]),
        "TPUReplicatedOutput": lambda x: raw.TPUReplicatedOutput(input=x, num_replicas=1)[0],
    }


NAMES = (
    "CrossReplicaSum", "AllToAll", "CollectivePermute", "CollectiveReduce", "CollectiveGather",
    "CollectiveBcastSend", "NcclAllReduce", "NcclBroadcast", "TPUReplicatedInput",
    "TPUReplicatedOutput",
)  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_of_one(tf, name):
    found = _one(tf)[name](tf.constant(X))
    assert found.shape.as_list() == [2, 3]
    with tf.Session() as session:
        np.testing.assert_array_equal(session.run(found), X)


@pytest.mark.parametrize("name", ["CrossReplicaSum", "AllToAll", "CollectivePermute"])
def test_gradient(tf, name):
    x = tf.constant(X)
    (grad,) = tf.gradients(_one(tf)[name](x) * 3.0, x)
    assert grad.op.type == name
    with tf.Session() as session:
        np.testing.assert_array_equal(session.run(grad), np.full([2, 3], 3.0))


@pytest.mark.parametrize(
    "reduction, expected", [("sum", [4, 6]), ("prod", [3, 8]), ("min", [1, 2]), ("max", [3, 4])]
)
def test_reduction_of_what_one_graph_has(tf, reduction, expected):
    found = tf.raw_ops.NcclReduce(input=[[1.0, 2.0], [3.0, 4.0]], reduction=reduction)
    with tf.Session() as session:
        np.testing.assert_array_equal(session.run(found), expected)


def test_of_several(tf):
    found = tf.raw_ops.CollectiveReduce(
        input=X, group_size=2, merge_op="Add", final_op="Id", subdiv_offsets=[0], **KEYS
    )
    alone = tf.raw_ops.CollectiveBcastRecv(T=tf.float32, group_size=1, shape=[2], **KEYS)
    with tf.Session() as session:
        for fetch in (found, alone):
            with pytest.raises(tf.errors.UnimplementedError, match="among 2 devices"):
                session.run(fetch)
