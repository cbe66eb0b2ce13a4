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
            input=x, group_size=1, shape=[0], **KEYS
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


def _reduce(tf, value, merge="Add", final="Id", **keys):
    with tf.device("/cpu:0"):
        return tf.raw_ops.CollectiveReduce(
            input=value, merge_op=merge, final_op=final, subdiv_offsets=[0],
            **{"group_size": 2, **KEYS, **keys},
        )  # fmt: skip


@pytest.mark.parametrize("merge, final, expected", [
    ("Add", "Id", [5, 1]), ("Add", "Div", [2.5, 0.5]), ("Mul", "Id", [6, -6]),
    ("Min", "Id", [2, -2]), ("Max", "Id", [3, 3]),
])  # fmt: skip
def test_members_of_one_run(tf, merge, final, expected):
    x = tf.placeholder(tf.float32, [2])
    both = [_reduce(tf, x, merge, final), _reduce(tf, tf.constant([3.0, 3.0]), merge, final)]
    with tf.Session() as session:
        for found in session.run(both, {x: [2, -2]}):
            np.testing.assert_array_equal(found, expected)


def test_gathered_and_sent_in_one_run(tf):
    gathered = []
    for device, first in (("/cpu:1", 1.0), ("/cpu:0", 2.0)):  # In the order of the devices.
        with tf.device(device):
            gathered.append(
                tf.raw_ops.CollectiveGather(
                    input=tf.fill([1, 2], first), group_size=2, shape=[0], **KEYS
                )
            )
    keys = {"group_key": 1, "instance_key": 7, "group_size": 2, "shape": [2]}
    sent = tf.raw_ops.CollectiveBcastSend(input=tf.constant([1.0, 2.0]) * 3, **keys)
    got = tf.raw_ops.CollectiveBcastRecv(T=tf.float32, **keys)
    config = tf.ConfigProto(device_count={"CPU": 2})
    with tf.Session(config=config) as session:
        first, second, a, b = session.run([*gathered, sent, got])
    np.testing.assert_array_equal(first, [[2, 2], [1, 1]])
    assert gathered[0].shape.as_list() == [2, 2]
    np.testing.assert_array_equal(first, second)
    np.testing.assert_array_equal([a, b], [[3, 6], [3, 6]])


def test_one_after_another(tf):
    """The second set needs what the first one gives; a variable is updated between them."""
    v = tf.get_variable("v", [2], initializer=tf.ones_initializer())
    first = [_reduce(tf, v * 2), _reduce(tf, v + 1)]
    with tf.control_dependencies([v.assign_add(first[0])]):
        later = [x * v.read_value() for x in first]
    second = [_reduce(tf, x, instance_key=2) for x in later]
    with tf.Session() as session:
        session.run(v.initializer)
        np.testing.assert_array_equal(session.run(second), np.full([2, 2], 40))


def test_nccl_all_reduce_and_its_gradient(tf):
    x = tf.constant([1.0, 2.0])
    total = [
        tf.raw_ops.NcclAllReduce(input=x * n, reduction="sum", num_devices=2, shared_name="c0")
        for n in (1.0, 3.0)
    ]
    (grad,) = tf.gradients([total[0] * 5.0, total[1]], x)
    assert {op.get_attr("shared_name") for op in tf.get_default_graph().get_operations()
            if op.type == "NcclAllReduce"} == {b"c0", b"c0_grad"}  # fmt: skip
    with tf.Session() as session:
        np.testing.assert_array_equal(session.run(total), [[4, 8], [4, 8]])
        np.testing.assert_array_equal(session.run(grad), [24, 24])


@pytest.mark.parametrize("tier", ["host", "xla"])
def test_in_a_loop_and_a_function(tf, tier):
    """There a member takes part by itself: of one."""
    import tf1compat

    body = lambda i, x: (i + 1, x + _reduce(tf, x, group_size=1))  # noqa: E731
    loop = tf.while_loop(lambda i, x: i < 3, body, [0, tf.constant([1.0])])[1]
    with tf.Session() as session:
        tf1compat.set_tier(tier, session)
        np.testing.assert_array_equal(session.run(loop), [8])


def test_members_that_do_not_fit(tf):
    a, b = _reduce(tf, tf.constant([1.0])), _reduce(tf, tf.constant([1.0, 2.0]))
    other = _reduce(tf, tf.constant([1.0]), merge="Max")
    alone = tf.raw_ops.CollectiveBcastRecv(T=tf.float32, group_size=1, shape=[2], **KEYS)
    with tf.Session() as session:
        text = r"Mismatched collective 'instance 1': .*float32 \[1\].*; .*float32 \[2\]"
        with pytest.raises(tf.errors.FailedPreconditionError, match=text):
            session.run([a, b])
        with pytest.raises(tf.errors.FailedPreconditionError, match="reduce, sum.*; .*max"):
            session.run([a, other])
        with pytest.raises(tf.errors.InvalidArgumentError, match="2 members, and 1 of them"):
            session.run(a)
        with pytest.raises(tf.errors.InvalidArgumentError, match="nobody who sends"):
            session.run(alone)
