"""What programs of other people have, as source: it passes its own test, and reads well."""

from __future__ import annotations

import re
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from test_source import passes

from tf1compat.migrate.source import write_source

pytestmark = pytest.mark.usefixtures("optimized_little")


@pytest.fixture
def tf(tf):
    tf.logging.set_verbosity(tf.logging.ERROR)
    tf.set_random_seed(1)
    return tf


def source_of(
    tf, folder: Path, fetches, inputs, train=None, batches=(), before=(), to="jax"
) -> str:
    """What is written of a graph, after some runs of it."""
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for each in before:
            session.run(each)
        write_source(folder / "model.py", fetches, inputs, session, batches, train=train, to=to)
    return (folder / "model.py").read_text()


@pytest.mark.optimized_fully
def test_learning_rate_that_is_fed(tf, tmp_path, monkeypatch) -> None:
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    rate = tf.placeholder(tf.float32, [], name="rate")
    loss = tf.reduce_mean(tf.square(tf.layers.dense(x, 2) - 1.0))
    train = tf.train.RMSPropOptimizer(rate / 2.0, momentum=0.9).minimize(loss)
    text = source_of(tf, tmp_path, {"loss": loss}, {"x": x, "rate": rate}, train)
    assert "def model(params, x):" in text
    assert "def train_step(params, opt_state, x, rate):" in text
    assert "learning_rate=rate / 2.0)" in text or "learning_rate=truediv)" in text
    passes(tmp_path, monkeypatch)


def test_learning_rate_in_a_variable(tf, tmp_path, monkeypatch) -> None:
    """Language models set it between epochs; a table's rows are clipped with the rest."""
    ids = tf.placeholder(tf.int32, [None, 2], name="ids")
    with tf.variable_scope("Model"):
        table = tf.get_variable("table", [7, 2])
        rate = tf.Variable(0.0, trainable=False, name="rate")
        loss = tf.reduce_mean(tf.square(tf.nn.embedding_lookup(table, ids) - 1.0))
        grads, _ = tf.clip_by_global_norm(tf.gradients(loss, [table]), 0.5)
        train = tf.train.GradientDescentOptimizer(rate).apply_gradients([(grads[0], table)])
    batches = [[np.array([[1, 2], [1, 3]])], [np.array([[3, 5], [2, 5]])]]
    before = [tf.assign(rate, 0.5)]
    text = source_of(tf, tmp_path, {"loss": loss}, {"ids": ids}, train, batches, before)
    assert "with_learning_rate(optax.sgd)" in text
    assert 'learning_rate=params["Model"]["rate"]' in text
    passes(tmp_path, monkeypatch)


@pytest.mark.optimized_fully
def test_learning_rates_of_their_own(tf, tmp_path, monkeypatch) -> None:
    """Two that are fed, of which one is used by two optimizers, and one in a variable."""
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    rates = [tf.placeholder(tf.float32, [], name=f"rate_{i}") for i in range(2)]
    kept = tf.Variable(0.0, trainable=False, name="kept")
    variables = [tf.get_variable(name, [3]) for name in "abcd"]
    loss = tf.reduce_mean(tf.square(x * variables[0] - variables[1]))
    loss += tf.reduce_sum(tf.square(variables[2] - 2.0 * variables[3]))
    optimizers = [
        tf.train.GradientDescentOptimizer(rates[0], name="sgd"),
        tf.train.AdamOptimizer(rates[1] * 0.1),
        tf.train.MomentumOptimizer(rates[0], 0.5),
        tf.train.GradientDescentOptimizer(kept, name="sgd_of_kept"),
    ]
    steps = [o.minimize(loss, var_list=[v]) for o, v in zip(optimizers, variables, strict=True)]
    inputs = {"x": x, "first": rates[0], "second": rates[1]}
    before = [tf.assign(kept, 0.25)]
    text = source_of(tf, tmp_path, {"loss": loss}, inputs, tf.group(*steps), before=before)
    assert "def train_step(params, opt_state, x, first, second):" in text
    told = [part.split(",")[0].strip() for part in text.split("with_own_learning_rate(")[2:]]
    assert told == ["0", "1", "0", "2"]
    passes(tmp_path, monkeypatch)


def test_optimizer_that_optax_does_not_have(tf, tmp_path) -> None:
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    loss = tf.reduce_mean(tf.square(tf.layers.dense(x, 2)))
    train = tf.train.ProximalAdagradOptimizer(0.1).minimize(loss)
    with pytest.raises(
        NotImplementedError, match=r"\(ApplyProximalAdagrad\), of an optimizer that"
    ) as raised:
        source_of(tf, tmp_path, {"loss": loss}, {"x": x}, train)
    assert f"{__file__}:" in str(raised.value)


def test_slopes_inside_of_a_loop(tf, tmp_path, monkeypatch) -> None:
    """An inner step of learning for each task, by the weights and by what they have become."""
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    w = tf.get_variable("w", [3])

    def task(part):
        slope = tf.gradients(tf.reduce_sum(tf.square(part * w - 1.0)), w)[0]
        fast = w - 0.1 * slope
        slope = tf.gradients(tf.reduce_sum(tf.sin(part * fast)), fast)[0]
        return tf.reduce_sum(tf.square(part * (fast - 0.1 * slope)))

    loss = tf.reduce_mean(tf.map_fn(task, x))
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    text = source_of(tf, tmp_path, {"loss": loss}, {"x": x}, train)
    step = text[text.index("def map_step(") : text.index("lax.scan(")]
    assert len(re.findall(r"jax\.grad\(", step)) == 2
    passes(tmp_path, monkeypatch)


@pytest.mark.parametrize("ignores", [False, True])
def test_ctc_loss(tf, ignores, tmp_path, monkeypatch) -> None:
    x = tf.placeholder(tf.float32, [None, 5, 3], name="x")
    labels = tf.sparse_placeholder(tf.int32, name="labels")
    steps = tf.placeholder(tf.int32, [None], name="steps")
    logits = tf.transpose(tf.layers.dense(x, 4, name="logits"), [1, 0, 2])
    options = {"ignore_longer_outputs_than_inputs": ignores}
    loss = tf.reduce_mean(tf.nn.ctc_loss(labels, logits, steps, **options))
    train = tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss)
    inputs = {"x": x, "indices": labels.indices, "values": labels.values, "steps": steps}
    random = np.random.RandomState(0)
    given = np.array([[0, 0], [0, 1], [1, 0], [1, 1], [1, 2]]), np.array([1, 1, 0, 2, 0])
    batches = [[random.randn(2, 5, 3), *given, [5, 2 if ignores else n]] for n in (3, 4)]
    text = source_of(tf, tmp_path, {"loss": loss}, inputs, train, batches)
    assert ("ignore_longer=True" in text) == ignores
    passes(tmp_path, monkeypatch)


def test_state_that_is_fed(tf, tmp_path, monkeypatch) -> None:
    """The zeros of a cell are an input if they are fed, also inside of functions of scopes."""
    x = tf.placeholder(tf.float32, [2, 3, 4], name="x")
    lengths = tf.placeholder(tf.int32, [2], name="lengths")
    cell = tf.nn.rnn_cell.GRUCell(4)
    state = cell.zero_state(2, tf.float32)
    outputs, last = tf.nn.dynamic_rnn(cell, x, initial_state=state, scope="forward")
    with tf.variable_scope("both"):
        (ahead, back), _ = tf.nn.bidirectional_dynamic_rnn(
            tf.nn.rnn_cell.GRUCell(4), tf.nn.rnn_cell.GRUCell(4), outputs, lengths, dtype=tf.float32
        )
    random = np.random.RandomState(0)
    batches = [
        [random.randn(2, 3, 4), np.array(lengths), random.randn(2, 4)]
        for lengths in ([3, 1], [2, 3])
    ]
    inputs = {"x": x, "lengths": lengths, "state": state}
    fetches = {"last": last, "ahead": ahead, "back": back}
    text = source_of(tf, tmp_path, fetches, inputs, batches=batches)
    assert "reverse_sequence(outputs, lengths, 1, 0)" in text or "reverse_sequence(" in text
    assert re.search(r"lax\.scan\(\s*\w+, state, ", text)
    passes(tmp_path, monkeypatch)


def test_computed_index(tf, tmp_path, monkeypatch) -> None:
    x = tf.placeholder(tf.float32, [4, 3], name="x")
    w = tf.get_variable("w", [3])
    total = tf.while_loop(
        lambda i, total: i < 4, lambda i, total: (i + 1, total + x[i] * w), [0, tf.zeros([3])]
    )[1]
    pair = tf.slice(x, tf.stack([tf.argmax(x[:, 0], output_type=tf.int32) // 2, 0]), [2, 3])
    text = source_of(tf, tmp_path, {"total": total, "pair": pair}, {"x": x})
    assert "x[i] * params" in text and "lax.dynamic_slice(x, " in text
    passes(tmp_path, monkeypatch)


def test_unrolled_cells_share_a_function(tf, tmp_path, monkeypatch) -> None:
    """Of two layers and three steps, with dropout between: one function for all six calls."""
    cells = [tf.nn.rnn_cell.BasicLSTMCell(2) for _ in range(2)]
    cells[0] = tf.nn.rnn_cell.DropoutWrapper(cells[0], output_keep_prob=0.5)
    x = tf.placeholder(tf.float32, [2, 3, 2], name="x")
    cell = tf.nn.rnn_cell.MultiRNNCell(cells)
    outputs, _ = tf.nn.static_rnn(cell, tf.unstack(x, axis=1), dtype=tf.float32)
    text = source_of(tf, tmp_path, {"y": tf.add_n(outputs)}, {"x": x})
    (name,) = re.findall(r"^def (\w*lstm\w*)\(", text, re.MULTILINE)
    assert f"def {name}(params, unstack, state, state_2):" in text
    assert len(re.findall(rf" = {name}\(", text)) == 6
    passes(tmp_path, monkeypatch)


@pytest.mark.parametrize("to", ["jax", "flax"])
def test_loss_goes_on_from_the_model(tf, to, tmp_path, monkeypatch) -> None:
    """Where the model gives what the loss is computed from, it is not written again; and it takes
    no targets."""
    if to == "flax":
        pytest.importorskip("flax")
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    wanted = tf.placeholder(tf.float32, [None, 2], name="wanted")
    y = tf.layers.dense(x, 2, tf.nn.relu, name="hidden")
    kernel = tf.trainable_variables()[0]
    loss = tf.reduce_mean(tf.square(y - wanted)) + 0.1 * tf.nn.l2_loss(kernel)
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    text = source_of(tf, tmp_path, {"y": y}, {"wanted": wanted, "x": x}, train, to=to)
    assert ("y = model(params, x)" if to == "jax" else "y = self(x)") in text
    passes(tmp_path, monkeypatch)


def test_what_tensorflow_records_around_a_layer_is_left_out(tf, tmp_path, monkeypatch) -> None:
    """Swapped axes around a softmax, and shapes that are given again."""
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    target = tf.placeholder(tf.float32, [None, 4], name="target")
    logits = tf.layers.dense(x, 4, name="logits")
    loss = tf.nn.softmax_cross_entropy_with_logits_v2(labels=target, logits=logits)
    sum_of = tf.reduce_sum(tf.nn.softmax(tf.reshape(logits, [-1, 2, 2]), axis=1), 2, name="sum")
    fetches = {"loss": tf.reduce_mean(loss), "shares": sum_of * sum_of}
    text = source_of(tf, tmp_path, fetches, {"x": x, "target": target})
    model = text[text.index("def model(") :]
    assert "axis=1)" in model and "transpose" not in model
    assert model.count("reshape") == 1
    assert "sum_value = " in model
    passes(tmp_path, monkeypatch)


def test_masks_are_drawn_in_the_function_that_is_differentiated(tf, tmp_path, monkeypatch) -> None:
    """What nothing else uses is no argument of it."""
    x = tf.placeholder(tf.float32, [2, 3], name="x")
    w = tf.get_variable("w", [3])
    loss = tf.reduce_sum(tf.nn.dropout(tf.square(x * w), rate=0.5))
    slope = tf.gradients(loss, w)[0]
    text = source_of(tf, tmp_path, {"slope": slope}, {"x": x})
    inner = re.split(r"    def \w+_of\(params\):", text)[1].split("jax.grad(")[0]
    assert "jax.random.uniform" in inner
    passes(tmp_path, monkeypatch)


def block(tf, x, name):
    decay = tf.contrib.layers.l2_regularizer(0.1)
    with tf.variable_scope(name):
        inside = tf.layers.dense(x, 3, tf.nn.relu, name="first", kernel_regularizer=decay)
        inside = tf.layers.dropout(inside, 0.5, training=True)
        return x + tf.layers.dense(inside, 3, name="second", kernel_regularizer=decay)


def blocks(tf):
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    with tf.variable_scope("net"):
        net = block(tf, block(tf, x, "block_1"), "block_2")
        loss = tf.reduce_mean(tf.square(tf.layers.dense(net, 1, name="top")))
    return x, loss + tf.losses.get_regularization_loss()


def test_blocks_that_are_alike(tf, tmp_path, monkeypatch) -> None:
    """One function for both; weight decay is no part of it; averages follow the new weights."""
    x, loss = blocks(tf)
    step = tf.train.get_or_create_global_step()
    optimizer = tf.train.MomentumOptimizer(0.1, 0.9)
    grads, variables = zip(*optimizer.compute_gradients(loss), strict=True)
    grads, _ = tf.clip_by_global_norm(grads, 0.25)
    applied = optimizer.apply_gradients(zip(grads, variables, strict=True), step)
    with tf.control_dependencies([applied]):
        train = tf.train.ExponentialMovingAverage(0.9, step).apply(tf.trainable_variables())
    text = source_of(tf, tmp_path, {"loss": loss}, {"x": x}, train)
    assert text.count("def block_1(") == 1 and "def block_2(" not in text
    assert 'block_1(params["net"]["block_1"], keys[0:1], x)' in text
    assert 'block_1(params["net"]["block_2"], keys[1:2], ' in text
    assert '"""The scope net/block_1, and those like it."""' in text
    assert 'l2_loss(params["net"]["block_1"]["first"]["kernel"])' in text
    assert "optax.chain(optax.clip_by_global_norm(0.25), optax.sgd(0.1, momentum=0.9))" in text
    assert "return replaced(params, averages(params)), opt_state, value" in text
    passes(tmp_path, monkeypatch)


def test_gradients_that_are_changed_alike(tf, tmp_path, monkeypatch) -> None:
    x, loss = blocks(tf)
    optimizer = tf.train.AdamOptimizer(0.1)
    grads = [(tf.clip_by_norm(g, 0.1), v) for g, v in optimizer.compute_gradients(loss)]
    text = source_of(tf, tmp_path, {"loss": loss}, {"x": x}, optimizer.apply_gradients(grads))
    assert "return jax.tree.map(" in text.partition("def applied(grads):")[2]
    passes(tmp_path, monkeypatch)


def test_variable_that_is_set_twice(tf, tmp_path, monkeypatch) -> None:
    """The vector of a spectral norm, and moving averages of a net that is called twice."""
    x = tf.placeholder(tf.float32, [None, 3], name="x")

    def net(x):
        with tf.variable_scope("net", reuse=tf.AUTO_REUSE):
            w = tf.get_variable("w", [3, 2])
            u = tf.get_variable("u", [1, 2], trainable=False)
            v = tf.stop_gradient(tf.nn.l2_normalize(tf.matmul(u, w, transpose_b=True)))
            new = tf.stop_gradient(tf.nn.l2_normalize(tf.matmul(v, w)))
            tf.add_to_collection(tf.GraphKeys.UPDATE_OPS, u.assign(new))
            y = tf.matmul(x, w / tf.matmul(tf.matmul(v, w), new, transpose_b=True))
            return tf.layers.batch_normalization(y, training=True, name="norm")

    loss = tf.reduce_mean(tf.square(net(x)) - net(x * 2.0))
    with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
        train = tf.train.AdamOptimizer(0.1).minimize(loss)
    text = source_of(tf, tmp_path, {"loss": loss}, {"x": x}, train)
    assert text.count('"net/u": ') == 1 and text.count('"net/norm/moving_mean": ') == 1
    passes(tmp_path, monkeypatch)


def test_batch_norm_of_keras_in_a_session(tf, tmp_path, monkeypatch) -> None:
    """On both sides of a conditional are handles of variables."""
    x = tf.placeholder(tf.float32, [None, 4, 4, 2], name="x")
    net = tf.keras.layers.BatchNormalization()(x)
    loss = tf.reduce_mean(tf.square(tf.keras.layers.Dense(2)(tf.keras.layers.Flatten()(net))))
    train = tf.train.GradientDescentOptimizer(0.5).minimize(loss)
    phase = tf.keras.backend.learning_phase()
    random = np.random.RandomState(0)
    batches = [[random.randn(3, 4, 4, 2), flag] for flag in (True, False)]
    text = source_of(tf, tmp_path, {"loss": loss}, {"x": x, "training": phase}, train, batches)
    assert "lax.cond(training, " in text
    passes(tmp_path, monkeypatch)


def test_slope_of_a_slope(tf, tmp_path, monkeypatch) -> None:
    """What is a slope and is differentiated again hangs on the weights, too."""
    x = tf.placeholder(tf.float32, [None, 1], name="x")
    weights = [tf.get_variable(f"w{i}", shape) for i, shape in enumerate([(1, 4), (4, 1)])]
    y = tf.matmul(tf.tanh(tf.matmul(x, weights[0])), weights[1])
    slope = tf.gradients(y, x)[0]
    second = tf.gradients(slope, x)[0]
    loss = tf.reduce_mean(tf.square(slope * y - second))
    packed = tf.concat([tf.reshape(g, [-1]) for g in tf.gradients(loss, weights)], 0)
    source_of(tf, tmp_path, {"loss": loss, "packed": packed}, {"x": x})
    passes(tmp_path, monkeypatch)


@pytest.fixture
def jax_as_it_was():
    before = jax.config.jax_enable_x64  # pyright: ignore[reportAttributeAccessIssue]
    yield
    jax.config.update("jax_enable_x64", before)


def test_graph_of_64_bits(tf, jax_as_it_was, tmp_path, monkeypatch) -> None:
    """The source computes with 64 bits too; Adam's powers are products of 32 bits there."""
    x = tf.placeholder(tf.float64, [None, 3], name="x")
    w = tf.get_variable("w", [3, 1], tf.float64, tf.constant_initializer(0.01, tf.float64))
    loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - 1.0))
    train = tf.train.AdamOptimizer(0.05).minimize(loss)
    text = source_of(tf, tmp_path, {"loss": loss}, {"x": x}, train)
    assert jnp.asarray(np.float64(1)).dtype == jnp.float32  # JAX is set as before.
    assert 'jax.config.update("jax_enable_x64", True)' in text
    assert "of_floats=True" not in text
    passes(tmp_path, monkeypatch)


@pytest.mark.parametrize("adjoint", [False, True])
def test_sparse_matrices(tf, adjoint, tmp_path, monkeypatch) -> None:
    """A factorization machine's product, an array of sparse labels, and smoothed classes."""
    shape = [5, 3] if adjoint else [3, 5]
    places = tf.placeholder(tf.int64, [None, 2], name="places")
    values = tf.placeholder(tf.float32, [None], name="values")
    w = tf.get_variable("w", [2, 5] if adjoint else [5, 2])
    matrix = tf.SparseTensor(places, values, shape)
    product = tf.sparse_tensor_dense_matmul(matrix, w, adjoint_a=adjoint, adjoint_b=adjoint)
    dense = tf.sparse_to_dense(places, shape, values, default_value=-1.0, validate_indices=False)
    smooth = tf.one_hot(tf.to_int32(places[:, 1]), 5, on_value=0.9, off_value=0.025)
    fetches = {"product": product, "dense": dense, "smooth": smooth}
    places_ = [np.array(rows) for rows in ([[0, 1], [0, 2], [2, 0]], [[1, 1], [2, 2]])]
    batches = [[at, np.arange(1, 1 + len(at), dtype=np.float32)] for at in places_]
    source_of(tf, tmp_path, fetches, {"places": places, "values": values}, batches=batches)
    passes(tmp_path, monkeypatch)


def test_sampled_classes_that_are_right(tf, tmp_path, monkeypatch) -> None:
    """How many of the samples are a row's own class only the run tells."""
    x = tf.placeholder(tf.float32, [None, 4], name="x")
    label = tf.placeholder(tf.int64, [None, 1], name="label")
    w, b = tf.get_variable("w", [6, 4]), tf.get_variable("b", [6])
    loss = tf.nn.sampled_softmax_loss(w, b, label, x, 4, 6)
    batches = [[np.ones((5, 4), np.float32), np.arange(i, 5 + i)[:, None]] for i in (0, 1)]
    text = source_of(tf, tmp_path, {"loss": loss}, {"x": x, "label": label}, batches=batches)
    assert "accidental_hits(" in text
    passes(tmp_path, monkeypatch)
