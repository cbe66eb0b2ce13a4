"""`to_jax`: training steps, random ops, checks, params by scope, and what it refuses."""

from __future__ import annotations

import inspect
import re
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import programs
import pytest
import quick_compilation
from jax.experimental import checkify

from tf1compat import migrate


@pytest.fixture
def tf(tf):
    from tf1compat.launcher import import_hook

    import_hook.install()
    tf.logging.set_verbosity(tf.logging.ERROR)
    return tf


def batches(inputs: list, batch: Any, count: int) -> list[list[np.ndarray]]:
    random = np.random.RandomState(0)
    return [
        [np.asarray(v, t.dtype.as_numpy_dtype) for v, t in zip(batch(random), inputs)]
        for _ in range(count)
    ]


@pytest.mark.parametrize("program", programs.PROGRAMS, ids=lambda program: program.__name__)
def test_step_walks_the_session_s_curve(tf, compiled_quickly, program) -> None:
    train, loss, inputs, batch = programs.Maker(tf).trained(program)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        step, params = migrate.to_jax([train, loss], inputs)
        step = jax.jit(step, compiler_options=quick_compilation.options())
        for values in batches(inputs, batch, 20):
            _, wanted = session.run([train, loss], dict(zip(inputs, values)))
            params, (_, found) = step(params, *values)
            np.testing.assert_allclose(found, wanted, rtol=1e-5)
        assert {v.op.name for v in tf.trainable_variables()} <= set(params)


def noisy(tf):
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    with tf.variable_scope("net"):
        kernel = tf.get_variable("kernel", [3, 2], initializer=tf.ones_initializer())
    loss = tf.reduce_sum(tf.nn.dropout(tf.matmul(x, kernel), 0.5))
    train = tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss)
    return x, kernel, loss, train


def test_generators_are_params(tf) -> None:
    tf.set_random_seed(1)
    x, _, loss, train = noisy(tf)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        batch = np.ones([4, 3], np.float32)
        session.run(train, {x: batch})  # The generator does not start at its beginning.
        step, params = migrate.to_jax([train, loss], x)
        value, _ = migrate.to_jax(loss, x)
        assert set(params) == {"net/kernel", "net/kernel/Momentum", "random:dropout/" + DRAWN}
        for _ in range(3):
            assert value(params, batch) == value(params, batch)
            wanted = session.run([train, loss], {x: batch})[1]
            before, (params, (nothing, found)) = params, step(params, batch)
            assert nothing is None
            assert found == wanted
            assert not np.array_equal(*(p["random:dropout/" + DRAWN] for p in (before, params)))


DRAWN = "random_uniform/RandomUniform"


def test_keys(tf) -> None:
    tf.set_random_seed(1)
    x, _, loss, train = noisy(tf)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        step, params = migrate.to_jax([train, loss], x, random="keys")
    assert set(params) == {"net/kernel", "net/kernel/Momentum"}
    batch = np.ones([50, 3], np.float32)
    keys = jax.random.split(jax.random.key(0), 16)
    _, (_, losses) = jax.vmap(step, in_axes=(None, 0, None))(params, keys, batch)
    assert len(set(losses.tolist())) > 8
    assert 250 < float(losses.mean()) < 350  # 300, as dropout keeps the mean
    assert step(params, keys[3], batch)[1][1] == losses[3]


def test_params_by_scope(tf) -> None:
    x, _, loss, train = noisy(tf)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        step, params = migrate.to_jax([train, loss], x)
    nested = migrate.by_scope(params)
    assert set(nested) == {"net", "random:dropout/" + DRAWN}
    assert set(nested["net"]) == {"kernel", "kernel/Momentum"}
    assert migrate.flat(nested) == params
    batch = np.ones([2, 3], np.float32)
    found, _ = step(nested, batch)
    assert jax.tree.structure(found) == jax.tree.structure(nested)
    wanted, _ = step(params, batch)
    jax.tree.map(np.testing.assert_array_equal, migrate.flat(found), wanted)


def test_initializers_start_from_nothing(tf) -> None:
    tf.set_random_seed(5)
    kernel = tf.get_variable("kernel", [4, 2])
    initializer = tf.global_variables_initializer()
    with tf.Session() as session:
        start, params = migrate.to_jax(initializer, [], session)
        assert "kernel" not in params
        made, nothing = start(params)
        session.run(initializer)
        assert nothing is None
        np.testing.assert_array_equal(made["kernel"], session.run(kernel))


def test_a_fetched_variable_is_the_last(tf) -> None:
    """As in a session: a variable gives its value at the end, a computation what it saw."""
    v = tf.Variable(1.0, name="v", use_resource=False)
    twice = v * 2.0
    with tf.Session() as session:
        session.run(v.initializer)
        fn, params = migrate.to_jax({"v": v._ref(), "twice": twice, "op": tf.assign(v, 5.0).op}, [])
        made, found = fn(params)
        assert (made["v"], found["v"], found["twice"], found["op"]) == (5.0, 5.0, 2.0, None)
        assert params["v"] == 1.0


def test_writes_in_branches_and_loops(tf) -> None:
    v = tf.Variable(1.0, name="v", use_resource=True)
    p = tf.placeholder(tf.bool, [], name="p")
    n = tf.placeholder(tf.int32, [], name="n")
    branch = tf.cond(p, lambda: v.assign_add(10.0), lambda: tf.constant(0.0))

    def body(i):
        with tf.control_dependencies([v.assign(v.read_value() * 2.0)]):
            return i + 1

    loop = tf.while_loop(lambda i: i < n, body, [0])
    with tf.Session() as session:
        session.run(v.initializer)
        in_branch, params = migrate.to_jax(branch, p)
        in_loop, _ = migrate.to_jax(loop, n)
        for chosen in (True, False):
            made, found = jax.jit(in_branch)(params, chosen)
            wanted = session.run(branch, {p: chosen})
            assert (found, made.get("v", params["v"])) == (wanted, session.run(v))
            session.run(v.initializer)
        made, count = jax.jit(in_loop)(params, 3)
        assert (session.run(loop, {n: 3}), session.run(v)) == (count, made["v"]) == (3, 8.0)


def test_a_step_through_conditionals_in_a_loop(tf) -> None:
    """The gradients of `minimize` wait for each other, so that what goes on in a branch comes after
    something that is in neither."""
    x = tf.placeholder(tf.float32, [2, 3], name="x")
    w = tf.get_variable("w", [3, 3], initializer=tf.constant_initializer(0.1))

    def body(i, state):
        state = tf.tanh(tf.matmul(state, w) + x)
        return i + 1, tf.cond(tf.equal(i % 2, 0), lambda: state * 1.5, lambda: state)

    _, last = tf.while_loop(lambda i, _: i < 5, body, [0, x])
    loss = tf.reduce_sum(tf.square(last))
    train = tf.train.MomentumOptimizer(0.01, 0.9).minimize(loss)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        step, params = migrate.to_jax([train, loss], x)
        step = jax.jit(step)
        for values in np.random.RandomState(0).randn(3, 2, 3).astype(np.float32):
            params, (_, found) = step(params, values)
            np.testing.assert_allclose(found, session.run([train, loss], {x: values})[1], 1e-5)
        np.testing.assert_allclose(params["w"], session.run(w), 1e-5)


def test_functions_that_draw_and_write(tf) -> None:
    v = tf.Variable(1.0, name="v", use_resource=True)

    @tf.function
    def step(x):
        v.assign_add(tf.random.uniform([], seed=3))
        return v * x

    x = tf.placeholder(tf.float32, [])
    y = step(x)
    with tf.Session() as session:
        session.run(v.initializer)
        fn, params = migrate.to_jax(y, x)
        for _ in range(3):
            params, found = fn(params, 2.0)
            assert found == session.run(y, {x: 2.0})


@pytest.mark.parametrize("tree", [list, tuple, dict], ids=lambda tree: tree.__name__)
def test_structures(tf, tree) -> None:
    x = tf.placeholder(tf.float32, [2])
    parts = {"a": x + 1.0, "b": x * 2.0}
    fetches = parts if tree is dict else tree(parts.values())
    fn, _ = migrate.to_jax(fetches, x)
    found = fn({}, np.ones(2, np.float32))
    assert type(found) is tree
    for value in found.values() if tree is dict else found:
        np.testing.assert_array_equal(value, [2.0, 2.0])


CHECKS = {
    "label": lambda tf, i: tf.nn.sparse_softmax_cross_entropy_with_logits(
        labels=i, logits=tf.zeros([1, 3])
    ),
    "row": lambda tf, i: tf.gather(tf.constant([1.0, 2.0]), i),
    "assertion": lambda tf, i: tf.identity(_asserted(tf, i)),
    "in_a_loop": lambda tf, i: tf.map_fn(lambda j: tf.gather(tf.constant([1, 2]), j), i),
}


def _asserted(tf, i):
    with tf.control_dependencies([tf.debugging.Assert(tf.reduce_all(i < 3), ["too large:", i])]):
        return i + 1


@pytest.mark.parametrize("name", CHECKS)
def test_checks(tf, name) -> None:
    i = tf.placeholder(tf.int32, [1], name="i")
    y = CHECKS[name](tf, i)
    fn, params = migrate.to_jax(y, i, checks="checkify")
    checked = jax.jit(checkify.checkify(fn))
    error, found = checked(params, jnp.array([1]))
    assert error.get() is None
    with tf.Session() as session:
        np.testing.assert_allclose(found, session.run(y, {i: [1]}), rtol=1e-6)
        with pytest.raises(tf.errors.InvalidArgumentError) as raised:
            session.run(y, {i: [7]})
    error, _ = checked(params, jnp.array([7]))
    assert raised.value.message.splitlines()[0] in error.get()
    assert f"(defined at {__file__}:" in error.get()
    dropped, _ = migrate.to_jax(y, i)
    jax.jit(dropped)(params, jnp.array([7]))  # JAX's rules for such an index hold.


def test_known_integers_decide_shapes(tf) -> None:
    n = tf.placeholder(tf.int32, [])
    y = tf.ones(tf.stack([n, 2]))
    fn, params = migrate.to_jax(y, n)
    assert jax.jit(lambda: fn(params, 3))().shape == (3, 2)
    with pytest.raises(NotImplementedError, match="must be known when the program is compiled"):
        jax.jit(fn)(params, 3)


def test_room_of_loops(tf) -> None:
    x = tf.placeholder(tf.float32, [])
    _, y = tf.while_loop(lambda s, _: s < 100.0, lambda s, p: (s * x, p * x), [1.0, 1.0])
    slope = tf.gradients(y, x)[0]
    refused, _ = migrate.to_jax(slope, x)
    with pytest.raises(NotImplementedError, match="has to be given `most_iterations`") as raised:
        refused({}, 3.0)
    assert f"(defined at {__file__}:" in str(raised.value)
    fn, params = migrate.to_jax(slope, x, most_iterations=6, checks="checkify")
    error, found = checkify.checkify(fn)(params, 3.0)
    assert (error.get(), found) == (None, 5 * 3.0**4)
    error, _ = checkify.checkify(fn)(params, 1.5)
    assert "has to hold as much as only the run tells" in error.get()


def decoded(tf, helper, source, **how):
    """What a decoder gives that attends to `source`: its results and how long they are."""
    with tf.variable_scope("decoder", reuse=tf.AUTO_REUSE):
        memory = tf.layers.dense(tf.one_hot(source, 7), 6, name="memory")
        attention = tf.contrib.seq2seq.LuongAttention(6, memory)
        cell = tf.contrib.seq2seq.AttentionWrapper(tf.nn.rnn_cell.GRUCell(6), attention, 6)
        state = cell.zero_state(tf.shape(source)[0], tf.float32)
        words = tf.layers.Dense(7, name="words")
        decoder = tf.contrib.seq2seq.BasicDecoder(cell, helper, state, words)
        results, _, lengths = tf.contrib.seq2seq.dynamic_decode(decoder, **how)
    return results, lengths


def test_padded_results_of_a_decoder(tf) -> None:
    tf.set_random_seed(3)
    source = tf.placeholder(tf.int32, [None, 4])
    table = tf.get_variable("table", [7, 5])
    helper = tf.contrib.seq2seq.GreedyEmbeddingHelper(table, tf.zeros_like(source[:, 0]), 2)
    results, lengths = decoded(tf, helper, source, maximum_iterations=5)
    fetches = [results.rnn_output, results.sample_id, lengths]
    values = np.random.RandomState(0).randint(0, 7, (3, 4)).astype(np.int32)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        wanted = session.run(fetches, {source: values})
        fn, params = migrate.to_jax(fetches, source, most_iterations=8, padded=True)
        refused, _ = migrate.to_jax(fetches, source, most_iterations=8)
        with pytest.raises(ValueError, match="most_iterations"):
            migrate.to_jax(fetches, source, padded=True)
    error, found = jax.jit(checkify.checkify(fn))(params, values)
    assert error.get() is None and found[0].shape == (3, 8, 7)
    steps = wanted[1].shape[1]
    np.testing.assert_allclose(found[0][:, :steps], wanted[0], rtol=1e-5, atol=1e-6)
    np.testing.assert_array_equal(found[1][:, :steps], wanted[1])
    np.testing.assert_array_equal(found[2], wanted[2])
    assert not np.any(found[0][:, steps:]) and not np.any(found[1][:, steps:])
    with pytest.raises(NotImplementedError, match="must be known when the program is compiled"):
        refused(params, jnp.asarray(values))


def test_known_lengths_decide_how_long_a_decoder_runs(tf) -> None:
    source, target = (tf.placeholder(tf.int32, [None, 4]) for _ in range(2))
    lengths = tf.placeholder(tf.int32, [None])
    helper = tf.contrib.seq2seq.TrainingHelper(tf.one_hot(target, 7), lengths)
    results, _ = decoded(tf, helper, source, impute_finished=True)
    most = tf.reduce_max(lengths)
    mask = tf.sequence_mask(lengths, most, dtype=tf.float32)
    loss = tf.contrib.seq2seq.sequence_loss(results.rnn_output, target[:, :most], mask)
    train = tf.train.MomentumOptimizer(0.5, 0.9).minimize(loss)
    random = np.random.RandomState(0)
    known = np.array([2, 3, 1] * 7, np.int32)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        step, params = migrate.to_jax([train, loss], [source, target, lengths])
        compiled = jax.jit(lambda params, *words: step(params, *words, known))
        for _ in range(3):
            words = random.randint(0, 7, (2, 21, 4)).astype(np.int32)
            params, (_, found) = compiled(params, *words)
            feeds = {source: words[0], target: words[1], lengths: known}
            wanted = session.run([train, loss], feeds)[1]
            np.testing.assert_allclose(found, wanted, rtol=1e-5)


def test_64_bits_inside(tf) -> None:
    """What a kernel works out in float64 it does here too, and its 64-bit integers are drawn so."""
    tf.set_random_seed(3)
    classes = tf.placeholder(tf.int64, [None, 1])
    drawn = tf.nn.log_uniform_candidate_sampler(classes, 1, 4, True, 30)[0]
    drawn = [drawn, tf.random_uniform([3], maxval=1000, dtype=tf.int64)]
    with tf.Session() as session:
        fn, params = migrate.to_jax(drawn, classes, returns_params=True)
        for _ in range(3):
            params, found = jax.jit(fn)(params, np.array([[1], [29]]))
            wanted = session.run(drawn, {classes: [[1], [29]]})
            jax.tree.map(np.testing.assert_array_equal, found, wanted)
            assert found[0].dtype == np.int32  # as JAX is set
    x = tf.placeholder(tf.float32, [3])
    with tf.Session() as session:
        fn, params = migrate.to_jax(tf.cast(x, tf.int64), x)
    found = jax.jit(fn)(params, np.array([1.9, -2.5, 2.0**24], np.float32))
    assert found.tolist() == [1, -2, 2**24] and found.dtype == np.int32


IMPURE = {
    "script": (lambda tf, x: tf.py_func(np.sin, [x], tf.float32), "PyFunc", "does something"),
    "text": (lambda tf, x: tf.as_string(x), "AsString", "makes strings"),
    "file": (lambda tf, x: tf.decode_raw(tf.read_file("a"), tf.float32), "ReadFile", "strings"),
    "queue": (lambda tf, x: tf.FIFOQueue(1, tf.float32).dequeue(), "FIFOQueueV2", "an object"),
    "batches": (lambda tf, x: tf.train.batch([x], 2), "FIFOQueueV2", "an object"),
    "reader": (
        lambda tf, x: tf.TextLineReader().read(tf.FIFOQueue(1, tf.string)),
        "TextLineReaderV2",
        "an object",
    ),
    "iterator": (
        lambda tf, x: tf.data.Dataset.range(3).make_one_shot_iterator().get_next(),
        "OneShotIterator",
        "an object",
    ),
    "accumulator": (
        lambda tf, x: tf.ConditionalAccumulator(tf.float32, [2]).take_grad(1),
        "ResourceConditionalAccumulator",
        "an object",
    ),
    "summary": (lambda tf, x: tf.summary.histogram("s", x), "HistogramSummary", "strings"),
    "writer": (
        lambda tf, x: tf.contrib.summary.create_file_writer("logs").init(),
        "SummaryWriter",
        "an object",
    ),
    "printed": (lambda tf, x: tf.print(x), "StringFormat", "strings"),
    "handle": (lambda tf, x: tf.get_session_handle(x), "GetSessionHandle", "strings"),
    "written": (lambda tf, x: tf.write_file("a", "b"), "WriteFile", "does something"),
    "clock": (lambda tf, x: tf.timestamp(), "Timestamp", "does something"),
    "eager": (lambda tf, x: tf.py_function(abs, [x], tf.float32), "EagerPyFunc", "something"),
    "branch": (
        lambda tf, x: tf.cond(x[0] > 0, lambda: tf.py_func(np.sin, [x], tf.float32), lambda: x),
        "PyFunc",
        "does something",
    ),
    "loop": (
        lambda tf, x: tf.map_fn(lambda y: tf.py_func(np.sin, [y], tf.float32), x),
        "while_loop",
        "a loop around '.*' .PyFunc., which runs on the host",
    ),
    "shape": (lambda tf, x: tf.where(x > 0.0), "Where", "only known when it runs"),
    "size": (lambda tf, x: tf.ones(tf.cast(x, tf.int32)), "Fill", "must be known when"),
    "draws": (
        lambda tf, x: tf.random_uniform(tf.cast(x, tf.int32)),
        "RandomUniform",
        "must be known when",
    ),
}


@pytest.mark.parametrize("name", IMPURE)
def test_what_is_not_pure_is_named(tf, name) -> None:
    x = tf.placeholder(tf.float32, [2])
    make, op_type, why = IMPURE[name]
    y = make(tf, x)
    line = inspect.getsourcelines(make)[1]
    with pytest.raises(NotImplementedError, match=rf"\({op_type}\),? .*{why}") as raised:
        fn, params = migrate.to_jax(y, x)
        jax.jit(fn)(params, jnp.ones(2))
    assert f"{__file__}:{line}" in str(raised.value)


def test_a_function_of_python_without_effects_is_called(tf) -> None:
    x = tf.placeholder(tf.float32, [2])
    y = tf.py_func(lambda x: np.float32(2) * x, [x], tf.float32, stateful=False)
    y.set_shape([2])
    fn, params = migrate.to_jax(y, x)
    np.testing.assert_array_equal(jax.jit(fn)(params, np.ones(2, np.float32)), [2.0, 2.0])


def test_lacking_params_are_named(tf) -> None:
    x, _, loss, _ = noisy(tf)
    with tf.Session() as session:
        with pytest.raises(ValueError, match="net/kernel has no value in the session"):
            migrate.to_jax(loss, x, session)
        session.run(tf.global_variables_initializer())
        fn, params = migrate.to_jax(loss, x)
    for name in list(params):
        with pytest.raises(KeyError, match=f"lacks .* {name}"):
            fn({other: value for other, value in params.items() if other != name}, np.ones([1, 3]))
    with pytest.raises(TypeError, match="expected 1 inputs, got 0"):
        fn(params)
    with pytest.raises(ValueError, match="No such way: random='key'"):
        migrate.to_jax(loss, x, session, random="key")


def _weight(tf, x):
    return tf.get_variable("weight", [2]) * x


def _table(tf, x, key=1):
    pairs = tf.lookup.KeyValueTensorInitializer([key], [2], tf.int64, tf.int64)
    table = tf.lookup.StaticHashTable(pairs, 0)
    return table.lookup(tf.cast(x, tf.int64))


# What is made, how it is asked for, and what is said of it.
UNMET = {
    "variable": (_weight, "session", "Variable weight has no value in the session"),
    "variable_alone": (_weight, "nothing", "No session to read variable weight from"),
    "table": (_table, "session", "Table hash_table is not initialized in the session"),
    "table_alone": (_table, "nothing", "No session to read table hash_table from"),
    "keys": (
        lambda tf, x: _table(tf, x, 2**40),
        "tables",
        "Keys of table hash_table do not fit into int32: set jax_enable_x64",
    ),
}


@pytest.mark.parametrize("name", UNMET)
def test_what_has_no_value_is_named_with_its_line(tf, name) -> None:
    make, where, text = UNMET[name]
    x = tf.placeholder(tf.float32, [2])
    y = make(tf, x)
    session = None if where == "nothing" else tf.Session()
    if where == "tables":
        session.run(tf.tables_initializer())
    with pytest.raises(ValueError, match=f"^{text}") as raised:
        migrate.to_jax(y, x, session)
    first = inspect.getsourcelines(_weight if make is _weight else _table)[1]
    file, line = re.search(r"\(defined at (.*):(\d+)\)", str(raised.value)).groups()
    assert file == __file__ and first < int(line) <= first + 2


def table_programs(tf, x):
    """(table, result) by the kind of table."""
    keys, values = np.array([9, 4, 7], np.int64), np.array([0.5, 1.5, 2.5], np.float32)
    fixed = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(keys, values), -1.0)
    rows = tf.contrib.lookup.MutableHashTable(tf.int64, tf.float32, [0.0, -1.0])
    filled = rows.insert(keys, np.stack([values, -values], 1))
    weight = tf.get_variable("weight", [], initializer=tf.ones_initializer())
    return {
        "fixed": (fixed.initializer, fixed.lookup(x) * weight),
        "size": (fixed.initializer, fixed.size() + x),
        "rows": (filled, rows.lookup(x) * weight),
        "in_a_loop": (fixed.initializer, tf.map_fn(fixed.lookup, x, tf.float32)),
    }


@pytest.mark.parametrize("name", ["fixed", "size", "rows", "in_a_loop"])
def test_tables_are_arrays(tf, name) -> None:
    x = tf.placeholder(tf.int64, [4])
    initializer, y = table_programs(tf, x)[name]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        if name != "rows":
            with pytest.raises(ValueError, match="hash_table is not initialized in the session"):
                migrate.to_jax(y, x)
        session.run(initializer)
        fn, params = migrate.to_jax(y, x)
        for batch in ([9, 4, 5, 7], [0, 100, 4, -9]):
            wanted = session.run(y, {x: batch})
            np.testing.assert_array_equal(jax.jit(fn)(params, jnp.array(batch)), wanted)
    keys = next(key for key in params if key.endswith("/keys"))
    np.testing.assert_array_equal(params[keys], [4, 7, 9])
    del params[keys]
    with pytest.raises(KeyError, match=f"lacks the table {keys}"):
        fn(params, jnp.array(batch))


def test_what_of_tables_is_refused(tf) -> None:
    x = tf.placeholder(tf.int64, [2])
    words = tf.contrib.lookup.index_to_string_table_from_tensor(["a", "b"])
    large = tf.lookup.KeyValueTensorInitializer([2**40], [1], tf.int64, tf.int64)
    large = tf.lookup.StaticHashTable(large, 0)
    mutable = tf.contrib.lookup.MutableHashTable(tf.int64, tf.int64, 0)
    with tf.Session() as session:
        session.run(tf.tables_initializer())
        with pytest.raises(NotImplementedError, match=r"\(HashTableV2\), which makes an obj"):
            migrate.to_jax(words.lookup(x), x)
        with pytest.raises(NotImplementedError, match=r"\(LookupTableInsertV2\), which does some"):
            migrate.to_jax(mutable.insert(x, x), x)
        with pytest.raises(ValueError, match="do not fit into int32: set jax_enable_x64"):
            migrate.to_jax(large.lookup(x), x)


def batches_of(tf, *arrays):
    dataset = tf.data.Dataset.from_tensors(arrays).repeat()
    return dataset.make_one_shot_iterator().get_next()


def filled(tf):
    """An array whose size is data, after which the graph goes on."""
    (size,) = batches_of(tf, np.array([2], np.int32))
    return tf.fill(size, 1.0)


PIPELINES = {
    "iterator": lambda tf: batches_of(tf, np.ones(2, np.float32))[0],
    "text": lambda tf: tf.string_to_number(tf.constant(["1.0", "2.0"])),
    "script": lambda tf: tf.py_func(lambda: np.ones(2, np.float32), [], tf.float32),
    "queue": lambda tf: tf.train.input_producer(np.ones([4, 2], np.float32)).dequeue(),
    "size": filled,
}


@pytest.mark.parametrize("name", PIPELINES)
def test_the_boundary_of_a_pipeline(tf, name) -> None:
    given = PIPELINES[name](tf)
    x = tf.placeholder(tf.float32, [])
    weight = tf.get_variable("weight", [2], initializer=tf.ones_initializer())
    loss = tf.reduce_sum(tf.square(weight - x * tf.nn.relu(given)))
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    inputs = migrate.boundary({"train": train, "loss": loss})
    assert inputs == [given]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        step, params = migrate.to_jax([train, loss], [x, *inputs])
        coordinator = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(session, coordinator, start=name == "queue")
        _, wanted, values = session.run([train, loss, inputs], {x: 0.5})
        params, (_, found) = jax.jit(step)(params, 0.5, *values)
        np.testing.assert_allclose(found, wanted, rtol=1e-6)
        np.testing.assert_allclose(params["weight"], session.run(weight), rtol=1e-6)
        coordinator.request_stop()
        coordinator.join([thread for thread in threads if thread.is_alive()])


def test_a_session_goes_on_after_to_jax(tf, xla) -> None:
    """What JAX made of 64-bit constants with its own setting is not what a session gets."""
    count = tf.get_variable("count", [], tf.int64, initializer=tf.zeros_initializer())
    step = tf.assign_add(count, tf.constant(1, tf.int64))
    with tf.Session() as session:
        session.run(count.initializer)
        fn, params = migrate.to_jax(step, [])
        _, found = jax.jit(fn)(params)
        assert (found, session.run([step, count + 2])[0]) == (1, 1)


def test_an_input_in_a_loop_has_its_value_in_each_step(tf) -> None:
    x = tf.placeholder(tf.float32, [2], name="x")
    drawn = []

    def body(i, total):
        drawn.append(tf.random_normal([2]))
        return i + 1, total * drawn[0]

    _, y = tf.while_loop(lambda i, _: i < 3, body, [0, x])
    with tf.Session() as session:
        fn, params = migrate.to_jax(y, [x, drawn[0]], session)
    given = np.array([2.0, 3.0], np.float32), np.array([0.5, 2.0], np.float32)
    np.testing.assert_allclose(fn(params, *given), [0.25, 24.0])
    np.testing.assert_allclose(
        jax.grad(lambda d: fn(params, given[0], d).sum())(given[1]), [1.5, 36]
    )


def test_ctc_loss_is_a_function_of_arrays(tf) -> None:
    """It runs on the host in a session, and in XLA in what leaves; its checks leave as well."""
    x = tf.placeholder(tf.float32, [5, 2, 4])
    labels = tf.sparse_placeholder(tf.int32)
    steps = tf.placeholder(tf.int32, [2])
    inputs = [x, labels.indices, labels.values, steps]
    loss = tf.nn.ctc_loss(labels, x, steps)
    fn, params = migrate.to_jax(loss, inputs, checks="checkify")
    checked = jax.jit(checkify.checkify(fn))
    logits = np.random.RandomState(0).randn(5, 2, 4).astype(np.float32)
    indices = np.array([[0, 0], [0, 1], [1, 0]])

    def run(values, steps):
        return checked(params, logits, indices, np.array(values, np.int32), np.array(steps))

    error, found = run([1, 1, 2], [5, 2])
    error.throw()
    given = tf.SparseTensorValue(indices, [1, 1, 2], [2, 2])
    with tf.Session() as session:
        wanted = session.run(loss, {x: logits, labels: given, steps: [5, 2]})
    np.testing.assert_allclose(found, wanted, rtol=1e-5)
    for values, times, text in (
        ([1, 1, 2], [5, 9], r"sequence_length\(1\) <= 5"),
        ([1, 1, 2], [1, 5], r"required: 2, available: 1"),
        ([1, -1, 2], [5, 5], r"All labels must be nonnegative"),
        ([3, 1, 2], [5, 5], r"Saw a non-null label"),
    ):
        error, _ = run(values, times)
        with pytest.raises(Exception, match=text):
            error.throw()
