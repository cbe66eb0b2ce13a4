"""Programs written for Horovod, in one process and in two."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.machinery import PathFinder
from pathlib import Path

import numpy as np
import pytest

from tf1compat.core import collectives
from tf1compat.core.collectives import World, world_of
from tf1compat.launcher import horovod_hook

pytest.importorskip("grpc")

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


@pytest.fixture
def hvd(tf):
    import tf1compat

    tf1compat.install()
    import horovod.tensorflow as hvd

    hvd.init()
    yield hvd
    hvd.shutdown()


@pytest.fixture(scope="module")
def two():
    """What each of two processes found; the second one goes away in the end."""
    command = [sys.executable, "-m", "tf1compat", "--np", "2", "horovod_script.py", "--lost"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        command, cwd=HERE, env=environment, capture_output=True, text=True, timeout=100
    )
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return done, {line["rank"][0]: line for line in lines}


def test_a_process_that_goes_away_is_missed(two):
    done, found = two
    assert done.returncode == 7, done.stderr
    assert list(found) == [0], done.stderr
    assert found[0]["lost"] == "rank 1 has gone away"


EXPECTED = {
    "rank": [0, 2, 0, 2],
    "mean": [1.5, 3],
    "sum": [3, 6],
    "max": [2, 4],
    "scaled": [60, 120],
    "int": [0, 0],
    "half": [1.5, 3],
    "gathered": [[0, 0], [1, 1], [1, 1]],
    "sent": [2, 4],
    "slices": [[0, 0], [0.5, 0.5], [0.5, 0.5]],
    "ops": [0, 2],
    "gradient": [6, 6],
    "gradient_of_rows": [[2, 2]],
    "in_a_loop": [3, 4.5],
}


@pytest.mark.parametrize("name", EXPECTED)
def test_what_two_processes_find(two, name):
    np.testing.assert_allclose(two[1][0][name], EXPECTED[name], rtol=1e-6)


def test_values_that_do_not_fit(two):
    text = two[1][0]["error"]
    assert text.startswith("Mismatched collective 'failing': rank 0: reduce, mean")
    assert "float32 [2]; rank 1: " in text and text.endswith("float32 [3]")


def test_training_is_that_of_all_data(two, tf):
    """As one process trains that sees what both see, and begins where the first one does."""
    w = tf.get_variable("w", [2, 3], initializer=tf.constant_initializer(0.5))
    table = tf.get_variable("table", [4, 3], initializer=tf.ones_initializer())
    losses = []
    for rank in (0, 1):
        seen = tf.nn.embedding_lookup(table, [rank, 3])
        loss = tf.reduce_mean(tf.square(tf.matmul([[1.0, rank]], w) - 1))
        losses.append(loss + tf.reduce_sum(seen**2))
    step = tf.train.MomentumOptimizer(0.1, 0.9).minimize(tf.add_n(losses) / 2)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        first = [float(session.run([losses[0], step])[0]) for _ in range(4)]
        found = session.run([w, table])
    np.testing.assert_allclose(two[1][0]["losses"], first, rtol=1e-5)
    for one, other in zip(two[1][0]["variables"], found, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5)


def test_one_process_alone(tf, hvd):
    x = tf.constant([1.0, 2.0])
    optimizer = hvd.DistributedOptimizer(tf.train.GradientDescentOptimizer(0.1))
    v = tf.get_variable("v", [2], initializer=tf.ones_initializer())
    step = optimizer.minimize(tf.reduce_sum(v * x))
    assert hvd.size() == 1 and hvd.rank() == 0
    reduced, gathered, sent = hvd.allreduce(x), hvd.allgather(x), hvd.broadcast(x, 0)
    scaled = hvd.allreduce(x, op=hvd.Sum, prescale_factor=3.0)
    assert reduced.op.type == "HorovodAllreduce" and gathered.shape.as_list() == [None]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(hvd.broadcast_global_variables(0))
        for found in session.run([reduced, gathered, sent]):
            np.testing.assert_array_equal(found, [1, 2])
        np.testing.assert_array_equal(session.run(scaled), [3, 6])
        session.run(step)
        np.testing.assert_allclose(session.run(v), [0.9, 0.8])
        with pytest.raises(tf.errors.InvalidArgumentError, match="Root rank 1"):
            session.run(hvd.broadcast(x, 1))


def test_what_is_recorded_among_two(tf, hvd, monkeypatch):
    """By Horovod's names, so that what fetches or feeds by them finds it."""
    monkeypatch.setattr(collectives._joined, "world", World(0, 2, 0, 2))
    x = tf.placeholder(tf.float32, [2], name="x")
    v = tf.get_variable("v", [2], initializer=tf.ones_initializer())
    optimizer = hvd.DistributedOptimizer(tf.train.AdamOptimizer())
    pairs = optimizer.compute_gradients(tf.reduce_sum(v * x))
    hvd.broadcast_global_variables(0)
    found = {op.name: op for op in tf.get_default_graph().get_operations()}
    name = "DistributedAdamOptimizer_Allreduce/HorovodAllreduce_gradients_mul_grad_tuple_"
    name += "control_dependency_0"
    assert pairs[0][0].op is found[name] and found[name].get_attr("reduce_op") == hvd.Average
    assert found["HorovodBroadcast_v_0"].type == "HorovodBroadcast"
    monkeypatch.setattr(collectives._joined, "world", World())


def test_keras_model(tf, hvd):
    import horovod.tensorflow.keras as hvd_keras

    hvd_keras.init()
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
    optimizer = hvd_keras.DistributedOptimizer(tf.keras.optimizers.SGD(0.1, momentum=0.5))
    model.compile(optimizer, "mse", metrics=["mae"])
    callbacks = [
        hvd_keras.callbacks.BroadcastGlobalVariablesCallback(0),
        hvd_keras.callbacks.MetricAverageCallback(),
        hvd_keras.callbacks.LearningRateWarmupCallback(0.1, warmup_epochs=2),
    ]
    x = np.arange(8, dtype=np.float32).reshape(4, 2) / 8
    history = model.fit(x, x[:, :1], batch_size=2, epochs=3, verbose=0, callbacks=callbacks)
    assert type(optimizer).__name__ == "SGD" and isinstance(optimizer, tf.keras.optimizers.SGD)
    assert history.history["loss"][-1] < history.history["loss"][0]
    np.testing.assert_allclose(history.history["lr"], 0.1, rtol=1e-6)


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, World()),
        ({"HOROVOD_RANK": "1", "HOROVOD_SIZE": "2", "HOROVOD_LOCAL_RANK": "1",
          "HOROVOD_LOCAL_SIZE": "2", "TF1COMPAT_WORLD_ADDRESS": "a:1"}, World(1, 2, 1, 2, "a:1")),
        ({"OMPI_COMM_WORLD_RANK": "3", "OMPI_COMM_WORLD_SIZE": "4",
          "OMPI_COMM_WORLD_LOCAL_RANK": "1", "OMPI_COMM_WORLD_LOCAL_SIZE": "2",
          "TF1COMPAT_WORLD_ADDRESS": "b:2"}, World(3, 4, 1, 2, "b:2")),
        ({"RANK": "0", "WORLD_SIZE": "1", "LOCAL_RANK": "0"}, World()),
        ({"SLURM_PROCID": "0", "SLURM_NTASKS": "4"}, World()),  # A batch script is no process.
        ({"SLURM_PROCID": "5", "SLURM_STEP_NUM_TASKS": "6", "SLURM_LOCALID": "2",
          "SLURM_STEP_TASKS_PER_NODE": "3(x2)", "MASTER_ADDR": "n", "SLURM_JOB_ID": "8"},
         World(5, 6, 2, 3, "n:")),
    ],
)  # fmt: skip
def test_what_launchers_say(environment, expected):
    found = world_of(environment)
    assert found.address.startswith(expected.address)
    assert (found.rank, found.size, found.local_rank, found.local_size, found.cross_size) == (
        expected.rank, expected.size, expected.local_rank, expected.local_size,
        expected.cross_size,
    )  # fmt: skip


def test_a_job_has_one_address():
    def address(rank, job):
        environment = {"PMI_RANK": str(rank), "PMI_SIZE": "2", "PMI_PORT": job}
        return world_of(environment).address

    assert address(0, "a") == address(1, "a") != address(0, "b")


@pytest.mark.parametrize(
    ("environment", "text"),
    [
        ({"RANK": "2", "WORLD_SIZE": "2"}, "RANK=2, WORLD_SIZE=2"),
        ({"RANK": "x", "WORLD_SIZE": "2"}, "RANK is 'x'"),
        ({"RANK": "0", "WORLD_SIZE": "4", "LOCAL_RANK": "0", "LOCAL_WORLD_SIZE": "2"},
         "set TF1COMPAT_WORLD_ADDRESS"),
    ],
)  # fmt: skip
def test_launchers_that_say_nothing_sensible(environment, text):
    with pytest.raises(ValueError, match=text):
        world_of(environment)


@pytest.mark.parametrize(
    ("make", "error"),
    [
        (lambda tf, hvd: hvd.allreduce(tf.constant(1.0), op=hvd.Adasum), NotImplementedError),
        (lambda tf, hvd: hvd.allreduce(tf.constant(1.0), average=True, op=hvd.Sum), ValueError),
        (lambda tf, hvd: hvd.allreduce(tf.constant("a")), TypeError),
        (lambda tf, hvd: hvd.join(), AttributeError),
        (lambda tf, hvd: hvd.ProcessSet([0]), NotImplementedError),
        (lambda tf, hvd: (hvd.shutdown(), hvd.rank()), ValueError),
        (lambda tf, hvd: hvd.DistributedOptimizer(
            tf.train.AdamOptimizer(), backward_passes_per_step=2), NotImplementedError),
    ],
)  # fmt: skip
def test_what_is_refused(tf, hvd, make, error):
    with pytest.raises(error):
        make(tf, hvd)


def test_an_installed_horovod_is_left_alone(hvd):
    own = [finder for finder in sys.meta_path if finder is horovod_hook._hook]
    assert own and sys.meta_path.index(own[0]) > sys.meta_path.index(PathFinder)


def test_the_command_line(capsys):
    from tf1compat.launcher import run

    assert run.main(["--np", "x"]) == 2
    assert "--np takes a number" in capsys.readouterr().err
