"""Small parts of tf.contrib against TensorFlow 1.15."""

from __future__ import annotations

from case_goldens import CaseGoldens

GOLDENS = CaseGoldens("contrib_parts")


@GOLDENS.cases()
def test_case(tf, group, name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # Some write files.
    GOLDENS.check_case(tf, group, name, rtol=1e-4)


@GOLDENS.mistakes()
def test_mistake(tf, group, name):
    GOLDENS.check_mistake(tf, group, name)


def test_deprecated(tf, caplog):
    framework = tf.contrib.framework

    @framework.deprecated("2030-01-02", "Use more.")
    def old(x):
        return x + 1

    @framework.deprecated_args(None, "Don't.", "a", ("b", 2))
    def odd(a=1, b=2, c=3):
        return a + b + c

    @framework.deprecated_arg_values(None, "Not so.", warn_once=False, c=3)
    def strange(c=3):
        return c

    assert (old(1), old(1), odd(c=1, b=2), strange(4)) == (2, 2, 4, 4)
    assert caplog.text.count("is deprecated") == 1
    assert "old (from test_contrib_parts) is deprecated and will be removed after 2030-01-02." in (
        caplog.text
    )
    caplog.clear()
    assert (odd(1, 3), strange(), strange(c=3)) == (7, 3, 3)
    lines = [line for line in caplog.text.splitlines() if "calling" in line]
    assert [line.partition(") with ")[2].partition(" is ")[0] for line in lines] == [
        "a", "b", "c=3", "c=3"
    ]  # fmt: skip


def test_eager_checkpoints(tmp_path):
    """In a process of its own: eager execution can't be left again."""
    import os
    import subprocess
    import sys
    from pathlib import Path

    import tf1compat

    script = tmp_path / "eager.py"
    script.write_text(_EAGER)
    root = str(Path(tf1compat.__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-m", "tf1compat", str(script), str(tmp_path)],
        capture_output=True, text=True, env=os.environ | {"PYTHONPATH": root},
    )  # fmt: skip
    assert done.stdout == "True True 3\nckpt-4 1\n", done.stderr[-2000:]


_EAGER = """
import sys
import numpy as np
import tensorflow as tf
tf.enable_eager_execution()

class Net(tf.contrib.checkpoint.Checkpointable):
    def __init__(self):
        self.w = tf.Variable([1.0, 2.0])
        self.dense = tf.layers.Dense(2)

def step(net, optimizer, count):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(net.dense(tf.ones([1, 2])) ** 2) + tf.reduce_sum(net.w ** 2)
    variables = [net.w] + net.dense.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables), count)

nets = []
for i in range(2):
    net, optimizer = Net(), tf.train.AdamOptimizer(0.1)
    count = tf.Variable(0, dtype=tf.int64)
    checkpoint = tf.train.Checkpoint(net=net, optimizer=optimizer, count=count)
    nets.append(net)
    if i == 0:
        for _ in range(3):
            step(net, optimizer, count)
            path = checkpoint.save(sys.argv[1] + "/ck")
    else:
        status = checkpoint.restore(path)
        net.dense(tf.ones([1, 2]))  # Its variables are restored as they are made.
        same = [np.array_equal(a.w.numpy(), b.w.numpy()) for a, b in [nets]]
        same += [np.array_equal(a.dense.kernel.numpy(), b.dense.kernel.numpy()) for a, b in [nets]]
        print(same[0], same[1], count.numpy())
        step(net, optimizer, count)
        status.assert_consumed()
        manager = tf.train.CheckpointManager(checkpoint, sys.argv[1], 1)
        print(manager.save().split("/")[-1], len(manager.checkpoints))
"""
