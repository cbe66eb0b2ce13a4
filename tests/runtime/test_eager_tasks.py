"""Eager execution on other tasks. What is expected is what TensorFlow 1.15 gives, unless it says
otherwise."""

from __future__ import annotations

import contextlib
import socket

import numpy as np
import pytest

from tf1compat.api.eager.context import eager_mode
from tf1compat.core import context
from tf1compat.runtime import config, placer
from tf1compat.runtime.cluster import eager_tasks, wire

_HERE = "/job:localhost/replica:0/task:0"
_WORKER = "/job:worker/replica:0/task:0"


@pytest.fixture(scope="module")
def target(tensorflow):
    return tensorflow.train.Server.create_local_server().target


@pytest.fixture
def connected(tf, target, monkeypatch):
    monkeypatch.setattr(config, "_settings", config._Settings())
    monkeypatch.setattr(context, "eager_began", False)
    with eager_mode():
        tf.config.experimental_connect_to_host(target)
        yield tf
    eager_tasks.connect({})
    placer.check_eager_value.cache_clear()
    placer.check_eager_device.cache_clear()


def on(tf, device, make):
    with tf.device(device):
        found = make()
    return found.device, found.numpy()


def test_its_devices_are_listed(connected):
    tf = connected
    names = [device.name for device in tf.config.experimental.list_logical_devices("CPU")]
    assert names == [f"{_HERE}/device:CPU:0", f"{_WORKER}/device:CPU:0"]
    assert f"{_WORKER}/device:XLA_CPU:0" in tf.config.experimental_list_devices()


@pytest.mark.parametrize(
    "device",
    [_WORKER, f"{_WORKER}/device:CPU:0", "/job:worker", "/job:worker/task:0", "job:worker/cpu:0"],
)
def test_operations_run_there(connected, monkeypatch, device):
    tf = connected
    ran = []
    run = eager_tasks.run
    monkeypatch.setattr(eager_tasks, "run", lambda *args: ran.append(args[1].type) or run(*args))
    x = tf.constant([[1.0, 2.0]])
    for make, expected in (
        (lambda: tf.add(1.0, 2.0), 3.0),
        (lambda: tf.matmul(x, x, transpose_b=True), [[5.0]]),
        (lambda: tf.as_string(tf.constant([1, 20])), [b"1", b"20"]),
        (lambda: tf.unique([3, 3, 4])[1], [0, 0, 1]),
        (lambda: tf.add_n([x, x, x]), [[3.0, 6.0]]),
        (lambda: tf.contrib.eager.defun(lambda y: tf.where(y > 1.0, y, -y))(x), [[-1.0, 2.0]]),
    ):
        where, value = on(tf, device, make)
        assert where == f"{_WORKER}/device:CPU:0"
        np.testing.assert_array_equal(value, expected)
    assert {"AddV2", "Add"} & {*ran}
    assert {"MatMul", "AsString", "Unique", "AddN"} <= {*ran}
    assert on(tf, "/cpu:0", lambda: x + 1.0)[0] == f"{_HERE}/device:CPU:0"


def test_constants_and_gradients(connected):
    tf = connected
    for value in ([1, 2], [1.5], "text"):
        assert on(tf, "/job:worker", lambda value=value: tf.constant(value))[0] == (
            f"{_WORKER}/device:CPU:0"
        )

    def gradient():
        with tf.GradientTape() as tape:
            x = tf.ones([2])
            tape.watch(x)
            y = x * x * 3.0
        return tape.gradient(y, x)

    where, value = on(tf, "/job:worker", gradient)
    assert where == f"{_WORKER}/device:CPU:0"
    np.testing.assert_array_equal(value, [6, 6])
    # A variable of this process is read here, and computed with there.
    v = tf.Variable([1.0, 2.0])
    where, value = on(tf, "/job:worker", lambda: v + 1.0)
    assert where == f"{_WORKER}/device:CPU:0"
    np.testing.assert_array_equal(value, [2, 3])


def test_random_numbers_of_each_seed(connected):
    tf = connected

    def draws(device):
        tf.set_random_seed(3)
        with tf.device(device):
            return [tf.random.uniform([2], seed=seed).numpy() for seed in (811, 812, 811)]

    np.testing.assert_array_equal(draws("/job:worker"), draws("/cpu:0"))


def test_mistakes(connected, target):
    tf = connected
    text = "Input to reshape is a tensor with 3 values, but the requested shape has 2"
    with pytest.raises(tf.errors.InvalidArgumentError, match=rf"^{text}.*\[Op:Reshape\]$"):
        on(tf, "/job:worker", lambda: tf.reshape(tf.ones([3]), [2]))
    for device in ("/job:worker/task:1", "/job:ps", "/job:worker/gpu:0"):
        with pytest.raises(RuntimeError, match="unknown device"):
            on(tf, device, lambda: tf.add(1.0, 2.0))
    # TF has these there.
    with pytest.raises(NotImplementedError, match="VarHandleOp on '/job:worker.*in this process"):
        on(tf, "/job:worker", lambda: tf.Variable(1.0))
    tf.contrib.eager.connect_to_remote_host(target, "other")
    assert on(tf, "/job:other", lambda: tf.add(1.0, 2.0))[0].startswith("/job:other/")
    with pytest.raises(RuntimeError, match=f"{_WORKER}/device:CPU:0 unknown device"):
        on(tf, "/job:worker", lambda: tf.add(1.0, 2.0))


def test_who_has_no_token_is_refused(connected, target, monkeypatch):
    monkeypatch.setenv(wire.TOKEN, "another")
    monkeypatch.setattr("tf1compat.runtime.cluster.channel._channels", {})
    with pytest.raises(connected.errors.UnauthenticatedError, match="token of the cluster is wro"):
        connected.config.experimental_connect_to_host(target)


def test_what_is_no_cluster(tf, target):
    with pytest.raises(ValueError, match="Must provide at least one remote_host"):
        tf.config.experimental_connect_to_host("")
    with pytest.raises(ValueError, match="must be a `ClusterSpec` or a `ClusterResolver`"):
        tf.config.experimental_connect_to_cluster("localhost:1")
    with pytest.raises(NotImplementedError, match="itself a task of the cluster"):
        tf.config.experimental_connect_to_cluster(
            tf.train.ClusterSpec({"worker": [target[7:]]}), job_name="worker"
        )


def test_a_task_that_is_away_or_began_again(connected):
    """It is connected to again by the program, as in TensorFlow; nothing is sent twice."""
    tf = connected
    with socket.socket() as free:
        free.bind(("localhost", 0))
        address = f"localhost:{free.getsockname()[1]}"
    servers = [tf.train.Server({"other": [address]}, "other", 0)]
    tf.config.experimental_connect_to_host(f"grpc://{address}", "other")

    def add():
        return on(tf, "/job:other", lambda: tf.add(tf.constant([1.0]), 2.0))[1].tolist()

    assert add() == [3]
    servers.pop()._service._endpoint.stop()
    with pytest.raises(tf.errors.UnavailableError):
        add()
    servers.append(tf.train.Server({"other": [address]}, "other", 0))
    with pytest.raises(tf.errors.AbortedError, match="Session handle is not found"):
        while True:
            with contextlib.suppress(tf.errors.UnavailableError):  # It looks for it again.
                add()
    tf.config.experimental_connect_to_host(address, "other")
    assert add() == [3]
    servers.pop()._service._endpoint.stop()
