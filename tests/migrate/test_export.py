"""`migrate.export`: what it writes, loaded in a process without tf1compat."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import jax
import numpy as np
import programs
import pytest

from tf1compat import migrate

flatbuffers = pytest.importorskip("flatbuffers")  # which JAX's own files need

# Runs what a folder holds on recorded inputs, without tf1compat.
PROCESS = """
import sys
sys.path[:0] = [sys.argv[1]]
import numpy as np, jax
from load import load
fn, params = load()
with np.load(sys.argv[1] + "/batches.npz") as data:
    batches = [data[key] for key in sorted(data)]
count = int(sys.argv[2])
results = []
for start in range(0, len(batches), count):
    params, (_, loss) = fn(params, *batches[start:start + count])
    results.append(float(loss))
assert "tf1compat" not in sys.modules
print(results)
"""


def environment() -> dict[str, str]:
    """Of a process without tf1compat, in which XLA works as it is told to work here."""
    kept = {"PYTHONPATH": str(Path(flatbuffers.__file__).parents[1])}
    return kept | {name: os.environ[name] for name in ["XLA_FLAGS"] if name in os.environ}


pytestmark = pytest.mark.usefixtures("optimized_little")


@pytest.fixture
def tf(tf):
    from tf1compat.launcher import import_hook

    import_hook.install()
    tf.logging.set_verbosity(tf.logging.ERROR)
    return tf


@pytest.mark.parametrize("program", programs.PROGRAMS, ids=lambda program: program.__name__)
def test_steps_agree_in_another_process(tf, compiled_quickly, program, tmp_path) -> None:
    train, loss, inputs, batch = programs.Maker(tf).trained(program)
    random = np.random.RandomState(0)
    batches = [
        [np.asarray(v, t.dtype.as_numpy_dtype) for v, t in zip(batch(random), inputs)]
        for _ in range(3)
    ]
    shapes = {tensor: value.shape for tensor, value in zip(inputs, batches[0])}
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        migrate.export(tmp_path, [train, loss], inputs, shapes=shapes)
        wanted = [
            session.run([train, loss], dict(zip(inputs, values)))[1].item() for values in batches
        ]
    flat = [value for values in batches for value in values]
    np.savez(tmp_path / "batches.npz", **{f"{i:03}": value for i, value in enumerate(flat)})
    command = [sys.executable, "-c", PROCESS, str(tmp_path), str(len(inputs))]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=environment())
    assert done.returncode == 0, done.stderr
    np.testing.assert_allclose(json.loads(done.stdout), wanted, rtol=1e-5)


def loaded(folder: Path):
    namespace = {"__file__": str(folder / "load.py")}
    exec(compile((folder / "load.py").read_text(), "load.py", "exec"), namespace)
    return namespace["load"]()


@pytest.mark.parametrize("weights", ["npz", "safetensors", "orbax"])
def test_an_open_batch(tf, weights, tmp_path) -> None:
    if weights != "npz":
        pytest.importorskip({"orbax": "orbax.checkpoint"}.get(weights, weights))
    tf.set_random_seed(1)
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    y = tf.layers.dense(tf.layers.dense(x, 4, tf.nn.relu), 2, tf.nn.softmax)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        migrate.export(tmp_path, y, x, weights=weights)
        fn, params = loaded(tmp_path)
        for size in (1, 5):
            batch = np.random.RandomState(size).rand(size, 3)
            np.testing.assert_allclose(
                fn(params, batch), session.run(y, {x: batch}), rtol=1e-5, atol=1e-6
            )
        slope = session.run(tf.gradients(y[:, 0], x)[0], {x: batch})
    found = jax.grad(lambda batch: fn(params, batch)[:, 0].sum())(batch.astype(np.float32))
    np.testing.assert_allclose(found, slope, rtol=1e-4, atol=1e-6)
    about = json.loads((tmp_path / "model.json").read_text())
    assert about["inputs"] == [{"name": "x:0", "shape": "batch, 3", "dtype": "float32"}]


@pytest.mark.optimized_fully
def test_overridden_gradients_stay(tf, tmp_path) -> None:
    @tf.RegisterGradient("Threefold")
    def threefold(op, grad):
        return 3.0 * grad

    x = tf.placeholder(tf.float32, [2])
    with tf.get_default_graph().gradient_override_map({"Identity": "Threefold"}):
        y = tf.identity(x)
    migrate.export(tmp_path, y, x)
    fn, params = loaded(tmp_path)
    found = jax.grad(lambda x: fn(params, x).sum())(np.ones(2, np.float32))
    np.testing.assert_array_equal(found, [3.0, 3.0])


def test_what_needs_a_known_shape_says_so(tf, tmp_path) -> None:
    x = tf.placeholder(tf.float32, [None, 2])
    y = tf.reshape(x, tf.stack([2, tf.shape(x)[0]]))
    with pytest.raises(NotImplementedError, match="leave open: pass `shapes`"):
        migrate.export(tmp_path, y, x)
    migrate.export(tmp_path, y, x, shapes={x: (3, 2)})
    fn, params = loaded(tmp_path)
    assert fn(params, np.ones([3, 2])).shape == (2, 3)
    with pytest.raises(TypeError, match="expected 1 inputs, got 0"):
        fn(params)
