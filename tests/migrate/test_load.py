"""`migrate.load`: graphs and weights from files, without the script."""

from __future__ import annotations

import os

import numpy as np
import pytest

from tf1compat import migrate


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
