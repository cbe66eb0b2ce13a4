"""How a run of a cluster is cut: what each task is asked, and how often."""

from __future__ import annotations

import pytest

from tf1compat.runtime.cluster import parts, tasks
from tf1compat.runtime.plan.prune import reached

SPEC = {"ps": ["a:1", "b:1"], "worker": ["c:1"]}
WORKER, PS0, PS1 = (
    "/job:worker/replica:0/task:0",
    "/job:ps/replica:0/task:0",
    "/job:ps/replica:0/task:1",
)


def cut(fetches, targets):
    return parts.cut(fetches, targets, [], tasks.Places(WORKER, [WORKER, PS0, PS1]))


def asked(found):
    """The tasks in the order in which they are asked, those that are asked at once together."""
    levels = {}
    for part in found:
        if not part.is_idle:
            levels.setdefault(part.level, []).append(part.task)
    return [levels[level] for level in sorted(levels)]


def trained(tf, make):
    with tf.device(tf.train.replica_device_setter(cluster=tf.train.ClusterSpec(SPEC))):
        hidden = tf.random_normal([4, 3])
        for _ in range(6):
            kernel = tf.get_variable(f"w{len(tf.global_variables())}", [3, 3])
            bias = tf.get_variable(f"b{len(tf.global_variables())}", [3])
            hidden = tf.nn.relu(tf.matmul(hidden, kernel) + bias)
        loss = tf.reduce_mean(hidden)
        step = make(tf.train).minimize(loss, tf.train.get_or_create_global_step())
    return loss, step


@pytest.mark.parametrize(
    ("make", "updates"),
    [
        (lambda train: train.GradientDescentOptimizer(0.1), [[PS1], [PS0]]),
        (lambda train: train.MomentumOptimizer(0.1, 0.9), [[PS1], [PS0]]),
        # The powers of Adam, on the second server, come after all updates, and the step after them.
        (lambda train: train.AdamOptimizer(0.1), [[PS0], [PS1], [PS0]]),
    ],
    ids=["descent", "momentum", "adam"],
)
def test_a_step_asks_the_servers_as_often_as_their_order_needs(tf, make, updates):
    loss, step = trained(tf, make)
    found = cut([loss], [step])
    assert asked(found) == [[PS0, PS1, WORKER], [WORKER], *updates]
    written = [op for part in found for op in part.ops if op._spec.writes]
    wanted = [op for op in reached([step], []) if op._spec.writes]
    assert len(written) == len(wanted)
    assert set(written) == set(wanted)


def test_a_write_keeps_to_what_waits_for_it(tf):
    """What is to see a variable as it was, or as it is then, does."""
    with tf.device(PS0):
        a, b = tf.get_variable("a", [], use_resource=False), tf.get_variable("b", [])
    with tf.device(WORKER):
        given = tf.identity(a) + 1.0
    with tf.device(PS0):
        write = a.assign(given)
        with tf.control_dependencies([write]):
            seen = a.read_value()
    with tf.device(WORKER):
        again = seen * 2.0
    with tf.device(PS0):
        last = b.assign(again)
    found = cut([last], [])
    assert asked(found) == [[PS0], [WORKER], [PS0], [WORKER], [PS0]]
    (of_write,) = (part for part in found if write.op in part.ops)
    assert seen.op in of_write.ops


def test_what_only_makes_others_wait_asks_nobody(tf):
    """It is in the part that waits for it; what it waits for comes before that."""
    with tf.device(PS0):
        first = tf.get_variable("a", []).initializer
    with tf.device(WORKER), tf.control_dependencies([first]):
        between = tf.no_op()
    with tf.device(PS1), tf.control_dependencies([between]):
        second = tf.constant([1.0]).op
        last = tf.assign(tf.get_variable("b", [1]), second.outputs[0]).op
    found = cut([], [last])
    assert asked(found) == [[PS0], [PS1]]
    part = found[-1]
    assert {between, second, last} <= set(part.ops)
    assert first not in part.ops
