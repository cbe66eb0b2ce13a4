"""Clusters: tasks of this process, and of another one, against TensorFlow 1.15."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import cluster_cases
import numpy as np
import pytest

pytest.importorskip("grpc")

HERE = Path(__file__).parent
GOLDEN = json.loads((HERE.parent / "golden/data/clusters.json").read_text("utf-8"))
ROOT = HERE.parents[1]


def started(spec, *tasks):
    """A process with these tasks, once they are up."""
    command = [sys.executable, str(HERE / "cluster_task.py"), json.dumps(spec), *tasks]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    assert process.stdout is not None
    said = process.stdout.readline()
    if said != "up\n":
        ended(process)
    assert said == "up\n"
    return process


def ended(process):
    process.kill()
    process.wait()
    process.stdout.close()


@pytest.fixture(scope="module")
def here(tensorflow):
    """The targets of the workers of a cluster in this process."""
    workers, _ = tensorflow.test.create_local_cluster(2, 2)
    return [worker.target for worker in workers]


@pytest.fixture(scope="module")
def apart(tensorflow):
    """The targets of two workers: this process, and one that has the parameter servers, too."""
    spec = cluster_cases.addresses()
    process = started(spec, "ps:0", "ps:1", "worker:1")
    own = tensorflow.train.Server(spec, "worker", 0)
    yield [own.target, f"grpc://{spec['worker'][1]}"]
    ended(process)


@pytest.fixture(params=["here", "apart"])
def targets(request):
    return request.getfixturevalue(request.param)


@pytest.mark.parametrize("name", sorted(GOLDEN))
def test_as_in_tf(tf, targets, name):
    found, wanted = cluster_cases.result(tf, targets, name), GOLDEN[name]
    assert _texts(found) == _texts(wanted)
    np.testing.assert_allclose(_numbers(found), _numbers(wanted), rtol=2e-5, atol=2e-5)


def _flat(value):
    return [leaf for item in value for leaf in _flat(item)] if type(value) is list else [value]


def _texts(value):
    return [leaf for leaf in _flat(value) if isinstance(leaf, str)]


def _numbers(value):
    return [leaf for leaf in _flat(value) if not isinstance(leaf, str)]


@pytest.fixture
def alone(tensorflow):
    """A parameter server that is reached through gRPC, and can begin again, and a worker."""
    spec = cluster_cases.addresses()
    spec = {"ps": spec["ps"][:1], "worker": spec["worker"][:1]}
    # By another name, it is not found among the servers of this process.
    own = spec | {"ps": [spec["ps"][0].replace("localhost", "127.0.0.1")]}

    def begin():
        found.server = tensorflow.train.Server(own, "ps", 0)

    def end():
        found.server._service._endpoint.stop()

    target = tensorflow.train.Server(spec, "worker", 0).target
    found = SimpleNamespace(begin=begin, end=end, target=target, address=spec["ps"][0])
    begin()
    yield found
    end()


def test_a_task_that_is_away_or_began_again(tf, alone):
    """As TF says it; what was written is not written again."""
    with tf.device("/job:ps/task:0"):
        v = tf.Variable(1.0)
        add = v.assign_add(1.0)
    with tf.Session(alone.target) as session:
        session.run(v.initializer)
        assert session.run(add) == 2
        alone.end()
        with pytest.raises(tf.errors.UnavailableError):
            session.run(add)
        alone.begin()
        with pytest.raises(tf.errors.AbortedError, match="Session handle is not found"):
            while True:
                with contextlib.suppress(tf.errors.UnavailableError):  # It looks for it again.
                    session.run(add)
    with tf.Session(alone.target) as session:
        with pytest.raises(tf.errors.FailedPreconditionError):
            session.run(add)
        session.run(v.initializer)
        assert session.run(add) == 2


def test_a_monitored_session_recovers(tf, alone):
    with tf.device("/job:ps/task:0"):
        count = tf.train.get_or_create_global_step()
        add = tf.assign_add(count, 1)
    seen = []
    with tf.train.MonitoredTrainingSession(alone.target) as session:
        while len(seen) < 6:
            seen.append(int(session.run(add)))
            if len(seen) == 3:
                alone.end()
                alone.begin()
    assert seen == [1, 2, 3, 1, 2, 3]


def test_waiting_blocks_nobody(tf, alone):
    """Many wait in a task for what another session puts there."""
    with tf.device("/job:ps/task:0"):
        queue = tf.FIFOQueue(100, tf.int32, [[]], shared_name="waiting")
        get, put = queue.dequeue(), queue.enqueue_many([tf.range(40)])
    found = []
    with tf.Session(alone.target) as session, tf.Session(alone.target) as other:
        session.run(queue.size())
        threads = [
            threading.Thread(target=lambda: found.append(session.run(get))) for _ in range(40)
        ]
        for thread in threads:
            thread.start()
        other.run(put)
        for thread in threads:
            thread.join()
    assert sorted(found) == list(range(40))


def test_a_failed_run_leaves_the_connection_as_it_was(tf, alone):
    """Calls go through streams, which end with an error; runs before and after it are as many as
    there were, and take turns on as many streams as ran at a time."""
    from tf1compat.runtime.cluster import channel as channels

    with tf.device("/job:ps/task:0"):
        count, x = tf.Variable(0), tf.placeholder(tf.int32, [])
        with tf.control_dependencies([tf.assert_positive(x, message="no")]):
            add = tf.assign_add(count, x)
    with tf.Session(alone.target) as session:
        session.run(count.initializer)
        seen = []
        for given in (1, 2, -1, 3, -5, 4):
            try:
                seen.append(int(session.run(add, {x: given})))
            except tf.errors.InvalidArgumentError as error:
                assert "no" in str(error) and error.op is not None
                seen.append(None)
        assert seen == [1, 3, None, 6, None, 10]
        assert len(channels.channel(alone.address)._idle["Run"]) == 1


def test_what_waits_for_ever_ends_when_another_part_fails(tf, alone):
    """It takes nothing after that, and its connection is not used again."""
    with tf.device("/job:ps/task:0"):
        queue = tf.FIFOQueue(1, tf.int32, [[]], shared_name="cancelled")
        get, put, size = queue.dequeue(), queue.enqueue(7), queue.size()
    with tf.device("/job:worker/task:0"):
        x = tf.placeholder(tf.int32, [])
        fails = tf.assert_positive(x, message="here")
    with tf.Session(alone.target) as session:
        session.run(size)
        for _ in range(3):
            with pytest.raises(tf.errors.InvalidArgumentError, match="here"):
                session.run([get, fails], {x: -1})
        session.run(put)
        assert session.run(size) == 1
        assert session.run(get) == 7


def test_closing_ends_what_waits(tf, alone):
    with tf.device("/job:ps/task:0"):
        get = tf.FIFOQueue(1, tf.int32, [[]]).dequeue()
        two = [get, tf.identity(3)]
    session = tf.Session(alone.target)
    session.run(two[1])
    errors = []

    def run():
        try:
            session.run(two)
        except (tf.errors.OpError, RuntimeError) as error:
            errors.append(type(error).__name__)

    thread = threading.Thread(target=run)
    thread.start()
    session.close()
    thread.join()
    assert errors[0] in ("CancelledError", "AbortedError", "RuntimeError")


def test_who_has_no_token_is_refused(tf, alone, monkeypatch):
    from tf1compat.runtime.cluster import channel as channels

    monkeypatch.setenv("TF1COMPAT_CLUSTER_TOKEN", "another")
    stranger = channels.Channel(alone.address)
    for method in ("Hello", "Open", "Register", "Run", "Close", "Reset"):
        with pytest.raises(tf.errors.UnauthenticatedError, match="token of the cluster is wrong"):
            stranger.call(method, {"session": "x"}, wait=10)
        with pytest.raises(tf.errors.UnauthenticatedError, match="token of the cluster is wrong"):
            stranger.call(method, {"session": "x"}, call=channels.Call(None, is_alone=True))


@pytest.mark.parametrize(
    ("method", "header", "text"),
    [
        ("Run", {}, "no session"),
        ("Run", {"session": "x"}, 'Session handle is not found: x. .*"/job:ps/replica:0/task:0"'),
        ("Run", {"session": "known"}, "no part"),
        ("Run", {"session": "known", "part": 3}, "No part 3 was registered"),
        ("Register", {"session": "known", "part": 1}, "no graph"),
        ("Open", {}, "no session"),
    ],
)
def test_messages_that_are_wrong(tf, alone, method, header, text):
    from tf1compat.runtime.cluster import channel as channels

    channel = channels.Channel(alone.address)
    channel.call("Open", {"session": "known"}, wait=10)
    with pytest.raises(tf.errors.OpError, match=text):
        channel.call(method, header)


def test_a_session_with_a_cluster_of_its_own(tf):
    """The same servers, by other names; its variables are nobody else's."""
    servers = [tf.train.Server({"local": ["localhost:0"]}) for _ in range(2)]
    addresses = [server.target.removeprefix("grpc://") for server in servers]
    cluster = tf.train.ClusterSpec({"worker": addresses}).as_cluster_def()
    config = tf.ConfigProto(cluster_def=cluster)
    with tf.device("/job:worker/task:1"):
        v = tf.Variable(1.0, name="v")
        add = v.assign_add(2.0)
    with tf.device("/job:worker/task:0"):
        after = tf.identity(v) * 3
    with tf.Session(servers[0].target, config=config) as session:
        session.run(v.initializer)
        assert session.run([add, after]) == [3, 9]
        names = sorted(device.name for device in session.list_devices())
        assert [name for name in names if "XLA" not in name] == [
            "/job:worker/replica:0/task:0/device:CPU:0", "/job:worker/replica:0/task:1/device:CPU:0"
        ]  # fmt: skip
    with tf.Session(servers[1].target, config=config) as session:
        text = "From /job:worker/replica:0/task:1:\nAttempting to use uninitialized value v"
        with pytest.raises(tf.errors.FailedPreconditionError, match=text):
            session.run(v + 1)
    other = tf.train.ClusterSpec({"worker": ["localhost:1"]}).as_cluster_def()
    lost = tf.Session(servers[0].target, config=tf.ConfigProto(cluster_def=other))
    text = r"not included in the provided cluster_def. job \{"
    with pytest.raises(tf.errors.InvalidArgumentError, match=text):
        lost.run(after)


def test_run_metadata_of_several_tasks(tf, targets):
    with tf.device("/job:ps/task:1"):
        x = tf.sqrt(tf.placeholder_with_default(4.0, []), name="root")
    with tf.device("/job:worker/task:0"):
        y = tf.add(x, 1.0, name="more")
    found = tf.RunMetadata()
    options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE, output_partition_graphs=True)
    with tf.Session(targets[0]) as session:
        assert session.run(y, options=options, run_metadata=found) == 3
    names = {s.device: {n.node_name for n in s.node_stats} for s in found.step_stats.dev_stats}
    assert "root" in names["/job:ps/replica:0/task:1/device:CPU:0"]
    assert "more" in names["/job:worker/replica:0/task:0/device:CPU:0"]
    graphs = [{node.name for node in graph.node} for graph in found.partition_graphs]
    assert ["root" in graph for graph in graphs] != ["more" in graph for graph in graphs]


def test_a_loop_with_variables_of_two_tasks_says_what_to_do(tf, targets):
    v = []
    for task in (0, 1):
        with tf.device(f"/job:ps/task:{task}"):
            v.append(tf.get_variable(f"v{task}", [], use_resource=True))
    body = lambda i, x: (i + 1, x + v[0].read_value() + v[1].read_value())  # noqa: E731
    loop = tf.while_loop(lambda i, x: i < 3, body, [0, 0.0])
    with tf.Session(targets[0]) as session:
        session.run(tf.global_variables_initializer())
        with pytest.raises(NotImplementedError, match="Read the values that a loop"):
            session.run(loop)


def test_every_case_is_recorded():
    assert set(cluster_cases.CASES) == set(GOLDEN)
