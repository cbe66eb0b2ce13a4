"""Graphs as source: what is written passes its own test, and what can't be written is named."""

from __future__ import annotations

import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tf1compat.migrate.source import write_source
from tf1compat.migrate.source_step import compiled

ROOT = Path(__file__).parents[2]


pytestmark = pytest.mark.usefixtures("optimized_little")


@pytest.fixture
def tf(tf):
    tf.logging.set_verbosity(tf.logging.ERROR)
    tf.set_random_seed(1)
    return tf


def convolutional(tf):
    images = tf.placeholder(tf.float32, [None, 6, 6, 2], name="images")
    net = tf.layers.conv2d(images, 4, 3, padding="same", activation=tf.nn.relu, name="first")
    net = tf.layers.max_pooling2d(net, 2, 2)
    with tf.variable_scope("block"):
        short = net
        net = tf.layers.conv2d(net, 4, 3, padding="same", use_bias=False, name="conv")
        net = tf.layers.batch_normalization(net, name="norm")
        net = tf.nn.leaky_relu(net) + short
    net = tf.layers.dense(tf.layers.flatten(net), 3, name="logits")
    return {"shares": tf.nn.softmax(net), "classes": tf.argmax(net, 1)}, {"images": images}


def corners(tf):
    x = tf.placeholder(tf.float32, [3, 4], name="x")
    w = tf.get_variable("w", [4], initializer=tf.ones_initializer())
    y = tf.abs(x * w) + tf.maximum(x * w, 0.0) + tf.minimum(w, 1.0)
    large = tf.constant(np.arange(20, dtype=np.float32).reshape(4, 5))
    return {"y": tf.matmul(y, large)}, {"x": x}


def overridden(tf):
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    with tf.variable_scope("net"):
        y = tf.layers.dense(x, 2, name="hidden")
    if not overridden.registered:
        tf.RegisterGradient("Straight")(
            lambda op, grad: grad * tf.cast(op.inputs[0] > -1.0, grad.dtype)
        )
        overridden.registered = True
    with tf.get_default_graph().gradient_override_map({"Sign": "Straight"}):
        return {"y": tf.sign(y, name="sign")}, {"x": x}


overridden.registered = False


def embedded(tf):
    ids = tf.placeholder(tf.int32, [None, 3], name="ids")
    table = tf.get_variable("table", [7, 4])
    x = tf.nn.embedding_lookup(table, ids)
    scores = tf.matmul(x, x, transpose_b=True) / 2.0
    mixed = tf.matmul(tf.nn.softmax(scores), x)
    loss = tf.reduce_mean(tf.square(mixed[:, 0] - mixed[:, -1]), axis=1)
    return {"loss": loss, "tied": tf.matmul(tf.reshape(mixed, [-1, 4]), table, transpose_b=True)}, {
        "ids": ids
    }


def reused(tf):
    x = tf.placeholder(tf.float32, [None, 3], name="class")
    for _ in range(2):
        x = tf.layers.dense(x, 3, tf.nn.elu, name="same", reuse=tf.AUTO_REUSE)
    return {"x": x}, {"class": x.graph.get_tensor_by_name("class:0")}


def written(tf, graph, folder: Path) -> Path:
    fetches, inputs = graph(tf)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        write_source(folder / "model.py", fetches, inputs, session)
    return folder / "model.py"


GRAPHS = [convolutional, corners, overridden, embedded, reused]


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    env = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    return subprocess.run(
        [sys.executable, *command], cwd=folder, env=env, capture_output=True, text=True
    )


@pytest.mark.parametrize("graph", GRAPHS, ids=lambda graph: graph.__name__)
def test_what_is_written_passes_its_test(tf, graph, tmp_path) -> None:
    source = written(tf, graph, tmp_path)
    done = run(tmp_path, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_model.py")
    assert done.returncode == 0, source.read_text() + done.stdout[-3000:]
    assert re.search("[23] passed", done.stdout)
    assert "tensorflow" not in source.read_text() and "import tf1compat" not in source.read_text()
    config = ["--config", str(ROOT / "pyproject.toml")]
    for check in (["check"], ["format", "--diff"]):
        done = run(tmp_path, "-m", "ruff", *check, *config, ".")
        if "No module named ruff" not in done.stderr:
            assert done.returncode == 0, done.stdout + done.stderr


def test_layers_read_well(tf, tmp_path) -> None:
    text = written(tf, convolutional, tmp_path).read_text()
    assert "def block(params, x):" in text and "def block_conv(params, " in text
    assert 'conv(x, params["kernel"], (1, 1), "SAME") + params["bias"]' in text
    assert '@ params["kernel"] + params["bias"]  # [?, 3]' in text
    assert 'block_conv(params["conv"], ' in text and 'block(params["block"], ' in text


def test_an_overridden_gradient_is_a_custom_vjp(tf, tmp_path) -> None:
    text = written(tf, overridden, tmp_path).read_text()
    assert "@jax.custom_vjp\ndef sign(x):\n    return jnp.sign(x)" in text
    assert "sign.defvjp(_sign_forward, _sign_backward)" in text


def test_the_test_can_fail(tf, tmp_path) -> None:
    source = written(tf, corners, tmp_path)
    text = source.read_text()
    wrong = text.replace("* jnp.sign(", "* 1.0001 * jnp.sign(")
    assert wrong != text
    source.write_text(wrong)
    done = run(tmp_path, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_model.py")
    assert "2 failed" in done.stdout


def recurrent(tf):
    x = tf.placeholder(tf.float32, [None, 4, 3], name="x")
    lengths = tf.placeholder(tf.int32, [None], name="lengths")
    cell = tf.nn.rnn_cell.BasicLSTMCell(2)
    outputs, state = tf.nn.dynamic_rnn(cell, x, lengths, dtype=tf.float32)
    return {"outputs": outputs, "h": state.h}, {"x": x, "lengths": lengths}


def decided(tf):
    x = tf.placeholder(tf.float32, [3], name="x")
    w = tf.get_variable("w", [3], initializer=tf.ones_initializer())
    y = tf.cond(
        tf.reduce_sum(x) > 0.0,
        lambda: tf.cond(x[0] > 0.3, lambda: x * w, lambda: w),
        lambda: tf.sin(w) - x,
    )
    return {"y": tf.Print(y, [x])}, {"x": x}


def counted(tf):
    x = tf.placeholder(tf.float32, [2], name="x")
    w = tf.get_variable("w", [2], initializer=tf.ones_initializer())
    _, y = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, tf.tanh(y * w)), [0, x])
    array = tf.TensorArray(tf.float32, 3).unstack(tf.stack([x, y, w]))
    return {"y": y, "last": array.read(2) * 2.0}, {"x": x}


def channels_first(tf):
    x = tf.placeholder(tf.float32, [None, 2, 6, 6], name="x")
    first = {"data_format": "channels_first", "padding": "same"}
    net = tf.layers.conv2d(x, 4, 3, strides=2, **first)
    net = tf.layers.batch_normalization(net, axis=1, training=True, fused=True)
    net = tf.layers.max_pooling2d(tf.layers.conv2d_transpose(net, 3, 3, 2, **first), 2, 2, **first)
    net = tf.layers.batch_normalization(net, axis=1, fused=True)
    return {"y": tf.layers.average_pooling2d(net, 2, 1, **first)}, {"x": x}


def slope(tf):
    x = tf.placeholder(tf.float32, [None, 1], name="x")
    y = tf.layers.dense(tf.layers.dense(x, 4, tf.nn.tanh), 1)
    first = tf.gradients(y, x)[0]
    return {"residual": tf.gradients(first, x)[0] + y * first}, {"x": x}


def drawn(tf):
    x = tf.placeholder(tf.float32, [None, 4], name="x")
    training = tf.placeholder_with_default(True, [], name="training")
    net = tf.layers.dropout(tf.layers.dense(x, 5), 0.5, training=training)
    return {"y": net + tf.random_normal(tf.shape(net))}, {"x": x, "training": training}


def of_matrices(tf):
    x = tf.placeholder(tf.float32, [4, 2], name="x")
    w = tf.get_variable("w", [2], initializer=tf.ones_initializer())
    kernel = tf.matmul(x * w, x * w, transpose_b=True) + tf.matrix_diag(tf.ones([4]))
    factor = tf.cholesky(kernel)
    half = tf.matrix_triangular_solve(factor, x, lower=True)
    back = tf.matrix_triangular_solve(factor, half, lower=True, adjoint=True)
    logs = tf.reduce_sum(tf.log(tf.matrix_diag_part(factor))), tf.linalg.slogdet(kernel)[1]
    values = tf.self_adjoint_eigvals(kernel), tf.svd(kernel, compute_uv=False)
    solved = tf.matrix_solve(kernel, x) + tf.matmul(tf.matrix_inverse(kernel), x)
    diagonal = tf.matrix_set_diag(kernel, tf.ones([4])) + tf.diag(tf.diag_part(kernel))
    return {
        "solved": back + solved,
        "logs": tf.stack(logs),
        "values": values[0] + values[1] + tf.matrix_determinant(kernel),
        "diagonal": diagonal,
    }, {"x": x}


def windows(tf):
    x = tf.placeholder(tf.float32, [None, 8, 8, 2], name="x")
    dilated = tf.nn.space_to_batch(x, [[2, 2], [2, 2]], 2)
    dilated = tf.layers.conv2d(dilated, 3, 3, name="dilated")
    net = tf.nn.lrn(tf.batch_to_space(dilated, [[1, 1], [0, 2]], 2), 1)
    deep = tf.layers.conv3d(tf.expand_dims(net, -1), 2, 2, name="deep")
    return {"net": net, "deep": tf.nn.selu(deep)}, {"x": x}


def scanned(tf):
    x = tf.placeholder(tf.float32, [None, 3, 2], name="x")
    w = tf.get_variable("w", [2], initializer=tf.constant_initializer(0.5))
    return {"y": tf.scan(lambda a, e: a * w + e, tf.transpose(x, [1, 0, 2]))}, {"x": x}


def numbers(tf):
    x = tf.placeholder(tf.float32, [3, 4], name="x")
    w = tf.get_variable("w", [4], initializer=tf.constant_initializer(0.5))
    inside = tf.tanh(x) * 0.9 * w
    y = tf.asin(inside) + tf.acos(inside) + tf.atanh(inside) + tf.erfc(inside) + tf.asinh(x * w)
    y += tf.acosh(1.5 + tf.square(x * w)) + tf.digamma(tf.exp(inside))
    places = tf.constant([[0, 1], [2, 3], [0, 1]])
    spread = tf.scatter_nd(places, tf.gather(x[0] * w, [0, 1, 2]), [3, 4])
    running = tf.cumsum(x * w, axis=1, reverse=True) + tf.cumprod(tf.exp(inside), axis=0)
    steps = tf.scan(lambda a, e: a * 0.5 + e * w, tf.transpose(tf.stack([x, y]), [1, 0, 2]))
    columns = [tf.feature_column.bucketized_column(tf.feature_column.numeric_column("a"), [-1, 2])]
    return {
        "y": y + spread + running,
        "steps": steps,
        "bucket": tf.feature_column.input_layer({"a": x[:, :1]}, columns) * w[0],
        "normal": tf.distributions.Normal(x, 1.0).log_prob(w),
    }, {"x": x}


OTHERS = {
    of_matrices: ["jnp.linalg.cholesky(", "transpose_a=True", "jnp.linalg.slogdet("],
    windows: [
        "space_to_batch(x, (2, 2), ((2, 2), (2, 2)))",
        "local_response_norm(batch_to_space_nd, 1, 1.0, 1.0, 0.5)",
    ],
    scanned: ["lax.scan("],
    numbers: ["jnp.searchsorted(jnp.array([-1.0, 2.0]), "],
    recurrent: ["lax.scan(", "jnp.where(less, ", "def basic_lstm_cell(params, "],
    decided: ["lax.cond(", "def if_true():"],
    counted: ["lax.scan(", "length=3"],
    channels_first: ['layout="NCHW"', "batch_norm_nchw("],
    slope: ["jax.vjp("],
    drawn: ["jax.random.split(key, 2)", "jax.random.uniform(keys["],
}


@pytest.mark.parametrize("graph", OTHERS, ids=lambda graph: graph.__name__)
def test_what_is_written_is_compared(tf, graph, tmp_path, monkeypatch) -> None:
    source = written(tf, graph, tmp_path)
    for part in OTHERS[graph]:
        assert part in source.read_text()
    passes(tmp_path, monkeypatch)


def passes(folder: Path, monkeypatch) -> None:
    """Runs the written test, and asks ruff."""
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.delitem(sys.modules, "model", raising=False)
    test = runpy.run_path(str(folder / "test_model.py"))
    for batch in range(2):
        test["test_same_as_the_graph"](batch)
    for name in test:
        if name.startswith("test_") and name != "test_same_as_the_graph":
            test[name]()
    monkeypatch.delitem(sys.modules, "model", raising=False)
    config = ["--config", str(ROOT / "pyproject.toml")]
    done = run(folder, "-m", "ruff", "format", "--diff", *config, "model.py")
    assert "No module named ruff" in done.stderr or done.returncode == 0, done.stdout


def trained(tf, optimizer, clipped):
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    step = tf.train.get_or_create_global_step()
    net = tf.layers.batch_normalization(tf.layers.dense(x, 4), training=True, name="norm")
    loss = tf.reduce_mean(tf.square(tf.layers.dense(net, 1) - 1.0))
    rate = tf.train.exponential_decay(0.1, step, 2, 0.5)
    optimizer = eval(optimizer, {"tf": tf, "rate": rate})
    grads, variables = zip(*optimizer.compute_gradients(loss))
    if clipped:
        grads, _ = tf.clip_by_global_norm(grads, 0.1)
    with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
        train = optimizer.apply_gradients(zip(grads, variables), step)
    return train, {"loss": loss}, {"x": x}


@pytest.mark.parametrize(
    ("optimizer", "clipped", "parts"),
    [
        ("tf.train.AdamOptimizer(rate)", True, ["optimizer = optax.partition(", "adam("]),
        ("tf.train.RMSPropOptimizer(rate)", False, ["optax.rmsprop(", "learning_rate"]),
        ("tf.train.FtrlOptimizer(rate, -0.6, 0.2, 0.01, 0.02)", False, ["power=-0.6, l1=0.01"]),
    ],
)
def test_training_step(tf, optimizer, clipped, parts, tmp_path, monkeypatch) -> None:
    train, fetches, inputs = trained(tf, optimizer, clipped)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        write_source(tmp_path / "model.py", fetches, inputs, session, train=train)
    for part in ["def train_step(params, opt_state, x)", "moving_mean", *parts]:
        assert part in (tmp_path / "model.py").read_text()
    passes(tmp_path, monkeypatch)


def rows(tf, optimizer, clipped=False):
    """A training operation that looks up rows of a table in two places, some of them twice."""
    ids = tf.placeholder(tf.int32, [None, 2], name="ids")
    table = tf.get_variable("table", [7, 2])
    first, second = (tf.nn.embedding_lookup(table, ids[:, i]) for i in range(2))
    loss = tf.reduce_mean(tf.square(tf.layers.dense(first * second + first, 1)))
    optimizer = eval(optimizer, {"tf": tf})
    grads, variables = zip(*optimizer.compute_gradients(loss))
    if clipped:
        grads, _ = tf.clip_by_global_norm(grads, 0.1)
    batches = [[np.array([[1, 2], [1, 3]])], [np.array([[3, 5], [2, 5]])]]
    return optimizer.apply_gradients(zip(grads, variables)), loss, ids, batches


@pytest.mark.parametrize(
    ("optimizer", "text"),
    [
        ("tf.train.MomentumOptimizer(0.1, 0.9)", "of_rows(optax.sgd(0.1, momentum=0.9))"),
        ("tf.train.RMSPropOptimizer(0.1, momentum=0.5)", "optax.rmsprop("),
        ("tf.train.FtrlOptimizer(0.1)", "of_rows(ftrl("),
    ],
)
def test_rows_alone(tf, optimizer, text, tmp_path, monkeypatch) -> None:
    """Rows that no lookup reached stay as they are, slots included."""
    train, loss, ids, batches = rows(tf, optimizer)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        write_source(
            tmp_path / "model.py", {"loss": loss}, {"ids": ids}, session, batches, train=train
        )
    source = (tmp_path / "model.py").read_text()
    assert text in source and "updates, opt_state = optimizer.update(grads, " in source
    assert '"table": touched(params["table"], strided_slice, strided_slice_2)' in source
    passes(tmp_path, monkeypatch)


@pytest.mark.parametrize(
    "optimizer", ["tf.train.AdamOptimizer(0.1)", "tf.train.MomentumOptimizer(0.1, 0.9)"]
)
def test_rows_that_are_changed(tf, optimizer, tmp_path, monkeypatch) -> None:
    """A norm counts a row that was looked up twice as two."""
    train, loss, ids, batches = rows(tf, optimizer, clipped=True)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        write_source(
            tmp_path / "model.py", {"loss": loss}, {"ids": ids}, session, batches, train=train
        )
    source = (tmp_path / "model.py").read_text()
    assert 'jnp.zeros_like(params["table"]).at[' in source
    assert "argnums=(0, 1, 2)" in source
    passes(tmp_path, monkeypatch)


def adversarial(tf):
    """A training operation with an optimizer for each of two losses."""
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    step = tf.train.get_or_create_global_step()
    with tf.variable_scope("generator"):
        made = tf.layers.dense(x, 3)
    with tf.variable_scope("discriminator", reuse=tf.AUTO_REUSE):
        real, fake = (tf.layers.dense(y, 1, name="score") for y in (x, made))
    losses = tf.reduce_mean(tf.square(real - 1.0) + tf.square(fake)), -tf.reduce_mean(fake)
    first, second = (
        [v for v in tf.trainable_variables() if v.name.startswith(name)]
        for name in ("discriminator", "generator")
    )
    rate = tf.train.exponential_decay(0.1, step, 2, 0.5)
    train = tf.group(
        tf.train.AdamOptimizer(0.01).minimize(losses[0], var_list=first),
        tf.train.MomentumOptimizer(rate, 0.9).minimize(losses[1], step, var_list=second),
    )
    return train, {"x": x}, {"d": losses[0], "g": losses[1]}


@pytest.mark.optimized_fully
def test_two_optimizers(tf, tmp_path, monkeypatch) -> None:
    train, inputs, fetches = adversarial(tf)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        write_source(tmp_path / "model.py", fetches, inputs, session, train=train)
    source = (tmp_path / "model.py").read_text()
    assert '"generator/dense/kernel": "sgd"' in source
    assert '"adam": adam(0.01, ' in source and "optax.sgd(learning_rate, momentum=0.9)" in source
    passes(tmp_path, monkeypatch)


def test_two_optimizers_of_one_loss(tf, tmp_path, monkeypatch) -> None:
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    loss = tf.reduce_mean(tf.square(tf.layers.dense(tf.layers.dense(x, 4, name="a"), 1, name="b")))
    a, b = (tf.trainable_variables(name) for name in "ab")
    train = tf.group(
        tf.train.AdagradOptimizer(0.1).minimize(loss, var_list=a),
        tf.train.GradientDescentOptimizer(0.01).minimize(loss, var_list=b),
    )
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        write_source(tmp_path / "model.py", {"loss": loss}, {"x": x}, session, train=train)
    source = (tmp_path / "model.py").read_text()
    assert "value, grads = jax.value_and_grad(model)(params, x)" in source
    assert '"sgd": optax.sgd(0.01)' in source
    passes(tmp_path, monkeypatch)


def test_towers(tf, tmp_path, monkeypatch) -> None:
    x = tf.placeholder(tf.float32, [4, 5, 3], name="x")  # A product of three dimensions.
    optimizer = tf.train.AdamOptimizer(0.01)
    losses, towers = [], []
    for i, part in enumerate(tf.split(x, 2)):
        with tf.variable_scope("net", reuse=i > 0):
            net = tf.layers.dense(tf.layers.dropout(part, 0.5, training=True), 2, name="last")
        losses.append(tf.reduce_mean(tf.square(net - 1.0)))
        towers.append(optimizer.compute_gradients(losses[-1]))
    means = [((a + b) / 2.0, variable) for (a, variable), (b, _) in zip(*towers)]
    train = optimizer.apply_gradients(means)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        write_source(
            tmp_path / "model.py", {"loss": tf.add_n(losses)}, {"x": x}, session, train=train
        )
    source = (tmp_path / "model.py").read_text()
    assert "value, grads = gradients(params, key, x)" in source
    assert source.count("jax.value_and_grad(") == 2
    assert "def test_gradients(" in (tmp_path / "test_model.py").read_text()
    passes(tmp_path, monkeypatch)


def test_random_numbers_in_a_loop(tf, tmp_path) -> None:
    """Each step has its own; in the test all have those of one, as the graph can be given."""
    x = tf.placeholder(tf.float32, [None, 4, 3], name="x")
    cell = tf.nn.rnn_cell.DropoutWrapper(tf.nn.rnn_cell.GRUCell(2), output_keep_prob=0.5)
    outputs, _ = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        write_source(tmp_path / "model.py", {"outputs": outputs}, {"x": x}, session)
    assert "jax.random.fold_in(keys[0], i)" in (tmp_path / "model.py").read_text()
    done = run(tmp_path, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_model.py")
    assert done.returncode == 0, done.stdout[-3000:]
    model = runpy.run_path(str(tmp_path / "model.py"))
    made = model["model"](model["load_params"](), jax.random.key(0), np.ones([5, 4, 3], np.float32))
    dropped = np.asarray(made) == 0
    assert dropped.any() and (dropped != dropped[:, :1]).any()


def test_averages_of_a_conditional(tf, tmp_path, monkeypatch) -> None:
    """They stay as they are where the conditional does not change them."""
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    training = tf.placeholder_with_default(False, [], name="training")
    net = tf.contrib.layers.batch_norm(tf.layers.dense(x, 3), is_training=training)
    loss = tf.reduce_mean(tf.square(tf.layers.dense(net, 1) - 1.0))
    with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
        train = tf.train.AdamOptimizer().minimize(loss)
    inputs = {"x": x, "training": training}
    batches = [[np.random.RandomState(i).rand(4, 3), i == 0] for i in range(2)]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        write_source(tmp_path / "model.py", {"loss": loss}, inputs, session, batches, train=train)
    assert "lax.cond(training, " in (tmp_path / "model.py").read_text()
    passes(tmp_path, monkeypatch)
    model = runpy.run_path(str(tmp_path / "model.py"))
    params = model["load_params"]()
    step = jax.jit(model["train_step"])
    for is_training in (False, True):
        state = model["optimizer"].init(params)
        new, _, _ = step(params, state, batches[0][0].astype(np.float32), is_training)
        moved = new["BatchNorm"]["moving_mean"] != params["BatchNorm"]["moving_mean"]
        assert moved.all() == moved.any() == is_training


def test_flax(tf, tmp_path, monkeypatch) -> None:
    pytest.importorskip("flax")
    fetches, inputs = convolutional(tf)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        write_source(tmp_path / "model.py", fetches, inputs, session, to="flax")
    text = (tmp_path / "model.py").read_text()
    assert "class BlockConv(nnx.Module):" in text and "self.conv(" in text and "self.block(" in text
    passes(tmp_path, monkeypatch)


def test_flax_training_step(tf, tmp_path, monkeypatch) -> None:
    pytest.importorskip("flax")
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    fetches, inputs = {"loss": tf.reduce_mean(tf.square(tf.layers.dense(x, 2)))}, {"x": x}
    train = tf.train.AdamOptimizer(0.01).minimize(fetches["loss"])
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        write_source(tmp_path / "model.py", fetches, inputs, session, train=train, to="flax")
    text = (tmp_path / "model.py").read_text()
    assert "class Dense(nnx.Module):" in text and "def train_step(params, opt_state, x)" in text
    assert "return Model(params)(x)" in text
    passes(tmp_path, monkeypatch)


def adversaries(tf):
    train, inputs, fetches = adversarial(tf)
    return train, fetches, inputs, ()


def looked_up(tf, clipped):
    train, loss, ids, batches = rows(tf, "tf.train.MomentumOptimizer(0.1, 0.9)", clipped)
    return train, {"loss": loss}, {"ids": ids}, batches


FLAX = {
    "averages": lambda tf: (*trained(tf, "tf.train.RMSPropOptimizer(rate)", True), ()),
    "rows": lambda tf: looked_up(tf, clipped=False),
    "changed rows": lambda tf: looked_up(tf, clipped=True),
    "losses": adversaries,
}


@pytest.mark.parametrize("name", FLAX)
def test_flax_training_steps(tf, name, tmp_path, monkeypatch) -> None:
    pytest.importorskip("flax")
    train, fetches, inputs, batches = FLAX[name](tf)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        write_source(
            tmp_path / "model.py", fetches, inputs, session, batches, train=train, to="flax"
        )
    text = (tmp_path / "model.py").read_text()
    assert "(nnx.Module):" in text
    call = "return Model(params).loss(" if name in ("averages", "rows") else "model = Model(params)"
    assert call in text
    passes(tmp_path, monkeypatch)


def test_safetensors(tf, tmp_path, monkeypatch) -> None:
    pytest.importorskip("safetensors")
    fetches, inputs = convolutional(tf)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        write_source(tmp_path / "model.py", fetches, inputs, session, weights="safetensors")
    assert (tmp_path / "model_weights.safetensors").exists()
    assert "safetensors.numpy.load_file(path)" in (tmp_path / "model.py").read_text()
    passes(tmp_path, monkeypatch)


def drawn_in_a_loop(tf, x):
    return tf.while_loop(lambda x: x[0] < 3.0, lambda x: x + tf.random_uniform([2]), [x])


UNWRITTEN = {
    "random": (drawn_in_a_loop, "RandomUniform.*in a loop"),
    "unknown": (lambda tf, x: tf.nn.crelu(tf.igamma(x, x)), "Igamma"),
    "python": (lambda tf, x: tf.py_func(np.sin, [x], tf.float32), "PyFunc"),
}


@pytest.mark.parametrize("name", UNWRITTEN)
def test_what_cannot_be_written_is_named(tf, name, tmp_path) -> None:
    make, op_type = UNWRITTEN[name]
    x = tf.placeholder(tf.float32, [2], name="x")
    y = make(tf, x)
    with pytest.raises(NotImplementedError, match=op_type) as raised:
        write_source(tmp_path / "model.py", {"y": y}, {"x": x}, tf.Session())
    assert f"{__file__}:" in str(raised.value)
    with pytest.raises(TypeError, match="Can not convert a Operation into a Tensor"):
        write_source(tmp_path / "model.py", {"y": y.op}, {"x": x}, tf.Session())
    assert not list(tmp_path.iterdir())


SCRIPT = """
import sys
import numpy as np
import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 2], name="x")
w = tf.Variable(tf.ones([2]), name="w")
loss = tf.reduce_sum(tf.square(x * w - 1.0))
train = tf.train.GradientDescentOptimizer(0.5).minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for _ in range(int(sys.argv[2])):
        session.run([train, loss], {x: np.ones([1, 2])})
"""


PIPELINE = """
import numpy as np
import tensorflow as tf
data = np.arange(24, dtype=np.float32).reshape(12, 2) / 24
data = tf.data.Dataset.from_tensor_slices((data, np.arange(12) % 3)).repeat().batch(4)
handle = tf.placeholder(tf.string, [])
iterator = tf.data.Iterator.from_string_handle(handle, data.output_types, data.output_shapes)
x, label = iterator.get_next()
loss = tf.losses.sparse_softmax_cross_entropy(label, tf.layers.dense(x, 3))
train = tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss)
batches = data.make_one_shot_iterator().string_handle()
with tf.train.MonitoredSession() as session:
    feed = {handle: session.run(batches)}
    for _ in range(3):
        session.run([train, loss], feed)
"""


def of_script(script: str, folder: Path) -> str:
    """What is written of a script; its test passes."""
    (folder / "train.py").write_text(script)
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "tf1compat", "migrate", "train.py"],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    done = run(folder, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_model.py")
    assert done.returncode == 0, done.stdout[-3000:]
    return (folder / "model.py").read_text()


def test_what_a_pipeline_gives_becomes_arguments(tf, tmp_path) -> None:
    source = of_script(PIPELINE, tmp_path)
    assert "def train_step(params, opt_state, iteratorgetnext, iteratorgetnext_1)" in source
    with np.load(tmp_path / "model_batches.npz") as batches:
        assert batches["0_input_000"].shape == (4, 2)
        assert batches["1_input_001"].tolist() == [1, 2, 0, 1]


KERAS = """
import numpy as np
import tensorflow as tf
tf.set_random_seed(1)
layers = tf.keras.layers
model = tf.keras.Sequential([
    layers.Embedding(9, 4, input_length=5, mask_zero=True),
    layers.GRU(3),
    layers.Dropout(0.5),
    layers.Dense(2, activation="softmax", name="last"),
])
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
random = np.random.RandomState(0)
model.fit(random.randint(0, 9, (8, 5)), random.randint(0, 2, 8), 4, epochs=2, verbose=0)
"""


def test_keras(tf, tmp_path) -> None:
    """What `fit` trains, with a dropout that the learning phase turns on."""
    source = of_script(KERAS, tmp_path)
    assert "adam(0.001, b1=0.9, b2=0.999, eps=1e-07, of_floats=True)" in source
    assert "lax.scan(" in source and "lax.cond(keras_learning_phase, " in source


TENSOR = """
import numpy as np
import tensorflow as tf
from tensorflow.contrib import slim
x = tf.placeholder(tf.float32, [None, 2], name="x")
loss = tf.losses.mean_squared_error(tf.ones([4, 1]), slim.fully_connected(x, 1))
train = slim.learning.create_train_op(loss, tf.train.AdamOptimizer(0.01), clip_gradient_norm=1.0)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for i in range(3):
        session.run(train, {x: np.random.RandomState(i).rand(4, 2)})
"""


def test_a_training_operation_that_gives_the_loss(tf, tmp_path) -> None:
    assert "def train_step(params, opt_state, x)" in of_script(TENSOR, tmp_path)


def test_command_line(tf, tmp_path) -> None:
    fetches, inputs = overridden(tf)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        tf.saved_model.simple_save(
            session, str(tmp_path / "saved"), inputs, {"y": tf.nn.relu(fetches["y"])}
        )
        tf.train.Saver().save(session, str(tmp_path / "model"))
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-W", "ignore", "-m", "tf1compat", "migrate"]

    def cli(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*command, *arguments], cwd=tmp_path, env=env, capture_output=True, text=True
        )

    done = cli("saved", "-o", "net.py")
    assert done.returncode == 1  # The override is a Python function, which no file has.
    assert "Source of operation 'sign' (Sign), whose gradient" in done.stderr
    done = cli("model", "--inputs", "x", "--outputs", "net/hidden/BiasAdd", "-o", "net.py")
    assert (done.returncode, done.stderr[-500:]) == (0, "")
    assert (tmp_path / "test_net.py").exists()
    (tmp_path / "train.py").write_text(SCRIPT)
    done = cli("train.py", "-o", "trained.py", "--steps", "3")
    said = [line for line in done.stderr.splitlines() if line and "The name tf." not in line]
    assert (done.returncode, said) == (0, [])
    assert "optimizer = optax.sgd(0.5)" in (tmp_path / "trained.py").read_text()
    assert cli("nothing").returncode == 2
    assert cli("model", "--outputs", "nothing").returncode == 2


def test_integers_that_decide_how_long_a_loop_is_are_compiled() -> None:
    """As lengths do, with which JAX could not differentiate it otherwise."""
    known = []

    def model(params, x, lengths):
        known.append(isinstance(lengths, np.ndarray))
        return jax.lax.fori_loop(0, lengths.max(), lambda _, x: jnp.sin(params * x), x).sum()

    run = compiled(jax.grad(model))
    x = np.ones(2, np.float32)
    for count in (2, 3, 2):
        wanted = jax.grad(model)(0.5, x, np.array([count]))
        known.clear()
        np.testing.assert_allclose(run(0.5, [x, np.array([count])]), wanted, rtol=1e-6)
    assert known == []  # The third time nothing is traced, nor run by itself.
