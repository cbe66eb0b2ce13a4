"""`migrate.load`: graphs and weights from files, without the script."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tf1compat import migrate

ROOT = Path(__file__).parents[2]


@pytest.fixture
def saved(tf, tmp_path):
    """A small net in every kind of file; (the folder, a batch, what the net makes of it)."""
    tf.logging.set_verbosity(tf.logging.ERROR)
    tf.set_random_seed(2)
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    y = tf.layers.dense(x, 2, tf.nn.tanh, name="net")
    y = tf.identity(y, name="y")
    batch = np.random.RandomState(0).rand(4, 3).astype(np.float32)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        wanted = session.run(y, {x: batch})
        tf.train.Saver().save(session, str(tmp_path / "checkpoints/model"), global_step=7)
        tf.saved_model.simple_save(session, str(tmp_path / "model"), {"data": x}, {"made": y})
        graph = session.graph.as_graph_def()
        frozen = tf.graph_util.convert_variables_to_constants(session, graph, ["y"])
        tf.io.write_graph(frozen, str(tmp_path), "frozen.pb", as_text=False)
        tf.io.write_graph(frozen, str(tmp_path), "frozen.pbtxt")
    return tmp_path, batch, wanted


def test_outputs_of_a_graph_that_trains_write_nothing(tf, tmp_path) -> None:
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    training = tf.placeholder_with_default(False, [], name="training")
    hidden = tf.layers.dropout(tf.layers.dense(x, 2, name="net"), 0.5, training=training)
    loss = tf.reduce_sum(tf.layers.dense(hidden, 1, name="last"), name="loss")
    mean = tf.reduce_mean(hidden, name="mean")
    train = tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(train, {x: np.ones([2, 3])})
        tf.train.Saver().save(session, str(tmp_path / "model"))
        graph = session.graph.as_graph_def()
        frozen = tf.graph_util.convert_variables_to_constants(session, graph, ["mean"])
        wanted = session.run(mean, {x: np.ones([2, 3])})
    tf.io.write_graph(frozen, str(tmp_path), "frozen.pb", as_text=False)
    loaded = migrate.load(tmp_path)
    assert "mean:0" in loaded.outputs
    assert not [name for name in loaded.outputs if "Assign" in name or "read" in name]
    fn, _ = loaded.to_jax()
    assert not fn.returns_params
    loaded = migrate.load(tmp_path / "frozen.pb")
    assert list(loaded.outputs) == ["mean:0"]
    fn, params = loaded.to_jax()
    found = fn(params, np.ones([2, 3]), np.array(False))
    np.testing.assert_allclose(found["mean:0"], wanted, rtol=1e-6)


@pytest.mark.parametrize(
    ("path", "feed", "fetch"),
    [
        ("model", "data", "made"),
        ("checkpoints", "x", "y:0"),
        ("checkpoints/model-7", "x", "y:0"),
        ("checkpoints/model-7.meta", "x", "y:0"),
        ("frozen.pb", "x", "y:0"),
        ("frozen.pbtxt", "x", "y:0"),
    ],
)
def test_kinds_of_files(saved, path, feed, fetch) -> None:
    folder, batch, wanted = saved
    loaded = migrate.load(folder / path)
    assert list(loaded.inputs) == [feed]
    fn, params = loaded.to_jax(loaded.outputs[fetch])
    assert set(params) == (set() if "frozen" in path else {"net/kernel", "net/bias"})
    np.testing.assert_allclose(fn(params, batch), wanted, rtol=1e-6)
    by_name, _ = loaded.to_jax("y:0", "x:0")
    np.testing.assert_allclose(by_name(params, batch), wanted, rtol=1e-6)


def test_signatures(saved) -> None:
    folder, batch, wanted = saved
    fn, params = migrate.load(folder / "model", signature="serving_default").to_jax()
    np.testing.assert_allclose(fn(params, batch)["made"], wanted, rtol=1e-6)
    with pytest.raises(ValueError, match="no signature 'train'; there are: serving_default"):
        migrate.load(folder / "model", signature="train")
    with pytest.raises(RuntimeError, match="tags"):
        migrate.load(folder / "model", tags=["train"])


def test_what_is_not_there(saved) -> None:
    folder, _, _ = saved
    os.remove(folder / "checkpoints/model-7.meta")
    for path in ("nothing", "checkpoints", "checkpoints/model-7"):
        with pytest.raises(FileNotFoundError, match="There is no graph at"):
            migrate.load(folder / path)
    (folder / "text.pb").write_bytes(b"\xff\xff no graph")
    with pytest.raises(ValueError, match="is no GraphDef"):
        migrate.load(folder / "text.pb")


EAGER = """
import sys

import jax
import numpy as np
import tensorflow as tf

from tf1compat import migrate

tf.enable_eager_execution()


class Line(tf.Module):
    def __init__(self):
        self.w = tf.Variable([[1.0], [2.0]], name="w")

    @tf.function(input_signature=[tf.TensorSpec([None, 2], tf.float32, name="x")])
    def train(self, x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(tf.matmul(x, self.w) - 1.0))
        self.w.assign_sub(0.1 * tape.gradient(loss, self.w))
        return {"loss": loss}


line = Line()
tf.saved_model.save(line, sys.argv[1], signatures={"train": line.train})
step, params = migrate.load(sys.argv[1], signature="train").to_jax()
step = jax.jit(step)
for i in range(20):
    x = np.random.RandomState(i).rand(4, 2).astype(np.float32)
    params, found = step(params, x)
    np.testing.assert_allclose(found["loss"], line.train(x)["loss"].numpy(), rtol=1e-5)
np.testing.assert_allclose(params["w"], line.w.numpy(), rtol=1e-5)
"""


def test_a_training_step_of_eager_execution_walks(tmp_path) -> None:
    """As a signature of a SavedModel."""
    (tmp_path / "eager.py").write_text(EAGER)
    done = subprocess.run(
        [sys.executable, "-m", "tf1compat", "eager.py", str(tmp_path / "saved")],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-3000:]
