"""Updates of some rows of a variable: they cost what they touch, and fail as other updates do."""

from __future__ import annotations

import random
import re
import signal
import threading
from typing import Any

import count_compilations
import numpy as np
import pytest

from tf1compat.core import op_registry
from tf1compat.runtime import tiers
from tf1compat.runtime.compile import cache, executable, state

BOTH = pytest.mark.parametrize("tier", [tiers.HOST, tiers.XLA])

# So large that a table is not as soon copied.
HEIGHT, WIDTH = 3000, 3
ROWS = [17, 5, 17, 2999]
FORMS = re.compile(r"(Resource)?(Scatter(Nd)?(Update|Add|Sub|Mul|Div|Min|Max)|SparseApply\w+)$")


def _op_types() -> list[str]:
    return sorted(
        name for name, spec in op_registry.registered().items() if FORMS.match(name) and spec.writes
    )


class _Op:
    """An op that updates rows, on variables of its own.

    Attributes:
      indices: a placeholder of row numbers [4].
      variables: what it updates.
      op: the operation.
    """

    def __init__(self, tf: Any, op_type: str, draw: np.random.RandomState):
        spec = op_registry.spec(op_type)
        self.indices = tf.placeholder(tf.int32, [len(ROWS)], f"{op_type}/indices")
        self.variables = []
        inputs: dict[str, Any] = {}
        assert spec.op_def is not None
        for i, arg in enumerate(spec.op_def.input_args):
            if i in spec.writes:
                table = draw.uniform(0.5, 2, [HEIGHT, WIDTH]).astype(np.float32)
                resource = op_type.startswith("Resource")
                variable = tf.Variable(table, use_resource=resource, name=op_type)
                self.variables.append(variable)
                inputs[arg.name] = variable.handle if resource else variable._ref()
            elif arg.name == "indices":
                inputs[arg.name] = self.indices[:, None] if "Nd" in op_type else self.indices
            elif arg.name in ("updates", "grad"):
                inputs[arg.name] = draw.uniform(0.5, 2, [len(ROWS), WIDTH]).astype(np.float32)
            else:
                dtype = np.int64 if arg.name == "global_step" else np.float32
                inputs[arg.name] = np.array(3 if dtype is np.int64 else 0.25, dtype)
        made = getattr(tf.raw_ops, op_type)(**inputs)
        self.op = getattr(made, "op", made)


@BOTH
def test_a_failed_run_leaves_every_table_as_it_was(tf, tier, compiled_quickly):
    draw = np.random.RandomState(0)
    ops = {name: _Op(tf, name, draw) for name in _op_types()}
    assert len(ops) > 40
    good, bad = np.array(ROWS, np.int32), np.array([17, 5, HEIGHT, -1], np.int32)
    holds = tf.placeholder(tf.bool, [])
    with tf.control_dependencies([op.op for op in ops.values()]):
        everything = tf.group(tf.Assert(holds, ["no"]))
    tables = [variable for op in ops.values() for variable in op.variables]
    feeds: dict[Any, Any] = {op.indices: good for op in ops.values()}
    with tiers.tier(tier), tf.Session() as session:
        session.run(tf.global_variables_initializer())
        before = session.run(tables)
        for name, op in ops.items():
            with pytest.raises(tf.errors.InvalidArgumentError) as error:
                session.run(everything, {**feeds, op.indices: bad, holds: True})
            assert error.value.op is op.op, name
        with pytest.raises(tf.errors.InvalidArgumentError, match="assertion failed"):
            session.run(everything, {**feeds, holds: False})
        for one, other in zip(before, session.run(tables), strict=True):
            np.testing.assert_array_equal(one, other)
        session.run(everything, {**feeds, holds: True})
        rest = np.setdiff1d(np.arange(HEIGHT), ROWS)
        for variable, one, other in zip(tables, before, session.run(tables), strict=True):
            np.testing.assert_array_equal(one[rest], other[rest])
            if not re.search("Min|Max", variable.name):
                assert (one[ROWS] != other[ROWS]).any(), variable.name


@BOTH
@pytest.mark.parametrize(
    ("kind", "step"),
    [
        ("add", lambda row, update: row + update),
        ("sub", lambda row, update: row - update),
        ("mul", lambda row, update: row * update),
        ("update", lambda row, update: update),
    ],
)
def test_repeated_rows_are_updated_in_order(tf, tier, kind, step):
    """The sums of floats of such different sizes hang on the order."""
    draw = np.random.RandomState(1)
    indices = draw.randint(0, 9, size=64)
    updates = (10.0 ** draw.randint(-6, 7, [64, WIDTH]) * draw.randn(64, WIDTH)).astype(np.float32)
    table = draw.randn(HEIGHT, WIDTH).astype(np.float32)
    v = tf.Variable(table)
    update = getattr(tf, f"scatter_{kind}")(v, indices, updates).op
    with np.errstate(over="ignore"):
        for index, row in zip(indices, updates, strict=True):
            table[index] = step(table[index], row)
    with tiers.tier(tier), tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(update)
        np.testing.assert_array_equal(session.run(v), table)


@BOTH
@pytest.mark.parametrize("resource", [False, True])
def test_what_was_read_before_does_not_change(tf, tier, resource):
    v = tf.Variable(np.zeros([HEIGHT, WIDTH], np.float32), use_resource=resource)
    read = v.read_value()
    whole = read if resource else read + 0  # TF's read of a reference shares its buffer.
    view, rows = tf.reshape(whole, [WIDTH, HEIGHT]), tf.gather(v, ROWS)
    with tf.control_dependencies([whole, view, rows]):
        first = tf.scatter_add(v, ROWS, np.ones([len(ROWS), WIDTH], np.float32))
    with tf.control_dependencies([first]):
        between, sum_before = tf.gather(v.read_value(), ROWS), tf.reduce_sum(whole)
        second = tf.scatter_add(v, [17], np.full([1, WIDTH], 10, np.float32))
    with tf.control_dependencies([second]):
        after = tf.gather(v.read_value(), ROWS) + 0
    fetches = [whole, view, rows, sum_before, after] + [between] * resource
    with tiers.tier(tier), tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for turn in range(3):
            found = session.run(fetches)
            before = np.zeros([HEIGHT, WIDTH])
            for row, more in zip(ROWS, (6, 1, 6, 1), strict=True):
                before[row] += turn * more
            expected = [before, before.reshape(WIDTH, HEIGHT), before[ROWS], before.sum()]
            expected += [before[ROWS] + [[12], [1], [12], [1]]]
            expected += [before[ROWS] + [[2], [1], [2], [1]]] * resource
            for _ in range(2):
                for value, wanted in zip(found, expected, strict=True):
                    np.testing.assert_array_equal(value, wanted)
                # What was given out stays as it is, whatever comes next.
                session.run(first.op)
                session.run(tf.scatter_sub(v, ROWS, np.ones([len(ROWS), WIDTH], np.float32)))


@BOTH
def test_in_a_loop(tf, tier):
    v = tf.Variable(np.zeros([HEIGHT, WIDTH], np.float32), use_resource=True)
    last = tf.placeholder(tf.int32, [])

    def body(i: Any) -> Any:
        with tf.control_dependencies([tf.scatter_add(v, [i, i], tf.ones([2, WIDTH]))]):
            return i + 1

    loop = tf.while_loop(lambda i: i < last, body, [HEIGHT - 5])
    with tiers.tier(tier), tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(loop, {last: HEIGHT})
        expected = np.zeros([HEIGHT, WIDTH])
        expected[-5:] = 2
        np.testing.assert_array_equal(session.run(v), expected)
        with pytest.raises(tf.errors.InvalidArgumentError, match=rf"= {HEIGHT} is not in"):
            session.run(loop, {last: HEIGHT + 1})
        np.testing.assert_array_equal(session.run(v), expected)


def test_the_host_changes_the_array_of_the_session(tf):
    v = tf.Variable(np.zeros([HEIGHT, WIDTH], np.float32))
    value = tf.placeholder(tf.float32, [len(ROWS), WIDTH])
    update = tf.scatter_add(v, ROWS, tf.check_numerics(value, "bad")).op
    total = tf.reduce_sum(v)
    with tiers.tier(tiers.HOST), tf.Session() as session:
        session.run(v.initializer)

        def array() -> Any:
            (found,) = session._variables.values()
            return found

        first = id(array())
        session.run(update, {value: np.ones([len(ROWS), WIDTH])})
        assert id(array()) == first
        with pytest.raises(tf.errors.InvalidArgumentError, match="bad"):
            session.run(update, {value: np.full([len(ROWS), WIDTH], np.nan)})
        assert session.run(total) == len(ROWS) * WIDTH
        held = array()  # Somebody else has it: now it is copied.
        session.run(update, {value: np.ones([len(ROWS), WIDTH])})
        assert array() is not held
        assert held.sum() == len(ROWS) * WIDTH


@pytest.fixture
def tables_made(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """For each program that is compiled, how much it takes besides its inputs and outputs, as a
    multiple of a table's size."""
    made: list[float] = []
    real = cache.compiled

    def compiled(traced: Any) -> Any:
        size = traced.lower().compile().memory_analysis().temp_size_in_bytes
        made.append(size / (100 * HEIGHT * WIDTH * 4))
        return real(traced)

    monkeypatch.setattr(cache, "compiled", compiled)
    return made


@pytest.fixture
def small_tables_are_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executable, "_LARGE", 0)


@pytest.mark.usefixtures("small_tables_are_large")
@pytest.mark.parametrize("with_summary", [False, True])
@pytest.mark.parametrize("optimizer", ["GradientDescent", "Adagrad", "Momentum", "Adam"])
def test_xla_makes_no_second_table(tf, tables_made, optimizer, with_summary):
    tables = [tf.Variable(tf.ones([100 * HEIGHT, WIDTH])) for _ in range(2)]
    loss = tf.add_n([tf.reduce_sum(tf.nn.embedding_lookup(t, ROWS) ** 2) for t in tables])
    options = (0.1, 0.9) if optimizer == "Momentum" else (0.1,)
    train = getattr(tf.train, f"{optimizer}Optimizer")(*options).minimize(loss)
    with tiers.tier(tiers.XLA), tf.Session() as session:
        session.run(tf.global_variables_initializer())
        tables_made.clear()
        session.run([train, tf.summary.scalar("loss", loss) if with_summary else loss])
        assert max(tables_made) < 0.5


@pytest.mark.usefixtures("small_tables_are_large")
@pytest.mark.parametrize("optimizer", ["Adagrad", "Ftrl", "LazyAdam"])
def test_a_step_that_fails_on_the_host_has_its_rows_put_back(tf, monkeypatch, optimizer):
    """And what is no table; in a first run, and in one that repeats."""
    put_back = []
    real = state.OldRows.put_back
    monkeypatch.setattr(
        state.OldRows, "put_back", lambda *args: put_back.append(args) or real(*args)
    )
    tables = [tf.Variable(tf.ones([HEIGHT, WIDTH], dtype)) for dtype in (tf.float32, tf.float64)]
    dense = tf.Variable([3.0])
    ids, more = tf.placeholder(tf.int32, [None]), tf.placeholder(tf.float32, [])
    rows = [tf.cast(tf.gather(t, i), tf.float32) for t in tables for i in (ids, ids[:2])]
    loss = dense[0] * tf.add_n([tf.reduce_sum(row**2) for row in rows])
    train = OPTIMIZERS[optimizer](tf).minimize(loss)
    last = [train, tf.summary.histogram("loss", loss + more)]
    batches = [[1, 2, 2, 7], [7, 7, 7, 7], [0, 1, 2, HEIGHT - 1], [5, 2, 5, 2]]

    def run(tier: str, also_failing: bool) -> list[Any]:
        found = []
        with tiers.tier(tier), tf.Session() as session:
            session.run(tf.global_variables_initializer())
            for batch in batches:
                if also_failing:
                    before = session.run(tf.global_variables())
                    with pytest.raises(
                        tf.errors.InvalidArgumentError, match="Nan in summary histogram"
                    ):
                        session.run(last, {ids: batch[::-1], more: np.nan})
                    for one, other in zip(before, session.run(tf.global_variables()), strict=True):
                        np.testing.assert_array_equal(one, other)
                session.run(last, {ids: batch, more: 0})
                found.append(session.run(tf.global_variables()))
        return found

    wanted = run(tiers.HOST, also_failing=False)
    for one, other in zip(run(tiers.XLA, also_failing=True), wanted, strict=True):
        for left, right in zip(one, other, strict=True):
            np.testing.assert_allclose(left, right, rtol=1e-5)
    assert len(put_back) >= len(batches) * len(tables)


def test_others_may_build_upon_rows_while_a_run_waits(tf):
    """What a run changed is taken back when it fails, but for what others made of it since."""
    tables = [tf.Variable(np.zeros([HEIGHT, WIDTH], np.float32)) for _ in range(2)]
    entered, go = threading.Event(), threading.Event()

    def wait() -> Any:
        entered.set()
        assert go.wait(60)
        raise ValueError("no")

    updates = [tf.scatter_add(v, [5], tf.ones([1, WIDTH])).op for v in tables]
    with tf.control_dependencies(updates):
        failing = tf.py_func(wait, [], tf.float32)
    other = tf.scatter_add(tables[0], [6], tf.ones([1, WIDTH])).op
    with tiers.tier(tiers.HOST), tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(updates)
        caught: list[Any] = []

        def run() -> None:
            with tiers.tier(tiers.HOST):
                try:
                    session.run(failing)
                except tf.errors.OpError as error:
                    caught.append(error)

        thread = threading.Thread(target=run)
        thread.start()
        assert entered.wait(60)
        session.run(other)
        go.set()
        thread.join()
        assert caught
        one, two = session.run(tables)
        np.testing.assert_array_equal(one[5:7, 0], [2, 1])
        np.testing.assert_array_equal(two[5:7, 0], [1, 0])


# A signal that comes in a destructor, or in a callback of the collector, is only reported.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers here")
def test_a_signal_at_any_instant(tf):
    """Of two tables and a counter that every step changes alike, all change or none."""
    tables = [tf.Variable(np.zeros([HEIGHT, WIDTH]), use_resource=r) for r in (False, True)]
    count = tf.Variable(np.zeros(100))
    rows, ones = [5, 6], np.ones([2, WIDTH])
    step = tf.group(
        tf.scatter_add(tables[0], rows, ones),
        count.assign_add(np.ones(100)),
        *[tf.scatter_add(tables[1], [row], ones[:1]) for row in rows],
    )
    draw = random.Random(0)
    armed = False

    def stop(*_: Any) -> None:
        if armed:
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, stop)
    try:
        with tiers.tier(tiers.HOST), tf.Session() as session:
            session.run(tf.global_variables_initializer())
            session.run(step)
            for _ in range(300):
                try:
                    armed = True
                    # Again and again, also while the run takes back what it did.
                    signal.setitimer(signal.ITIMER_REAL, draw.uniform(1e-5, 4e-4), 0.01)
                    while True:
                        session.run(step)
                except KeyboardInterrupt:
                    armed = False
                found = session.run([tables[0], tables[1], count])
                assert len({*found[0][rows].flat, *found[1][rows].flat, *found[2]}) == 1
                assert not found[0][7:].any()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


# Distinct indices, found by the program.


def _losses(tf: Any, optimizer: Any, dtype: Any, resource: bool, batches: Any) -> list[Any]:
    """The losses of an embedding trained on batches of ids, and the table in the end."""
    tf.reset_default_graph()
    tf.set_random_seed(1)
    ids = tf.placeholder(dtype, [None])
    table = tf.get_variable("table", [HEIGHT, WIDTH], use_resource=resource)
    rows = tf.nn.embedding_lookup(table, ids)
    loss = tf.reduce_sum(tf.square(rows - tf.to_float(ids % 7)[:, None]))
    train = optimizer(tf).minimize(loss)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        found = [session.run([loss, train], {ids: batch})[0] for batch in batches]
        return [*found, session.run(table)]


OPTIMIZERS = {
    "Adam": lambda tf: tf.train.AdamOptimizer(0.1),
    "Adagrad": lambda tf: tf.train.AdagradOptimizer(0.1),
    "Momentum": lambda tf: tf.train.MomentumOptimizer(0.1, 0.9),
    "RMSProp": lambda tf: tf.train.RMSPropOptimizer(0.1),
    "Ftrl": lambda tf: tf.train.FtrlOptimizer(0.1),
    "LazyAdam": lambda tf: tf.contrib.opt.LazyAdamOptimizer(0.1),
}


@pytest.mark.parametrize(
    ("name", "resource"),
    [
        *((name, number % 2 == 1) for number, name in enumerate(OPTIMIZERS)),
        ("Adam", True),
        ("LazyAdam", False),
    ],
)
def test_ids_that_change_are_one_program(tf, monkeypatch, name, resource):
    draw = np.random.RandomState(2)
    batches = [draw.randint(0, most, size=32) for most in (3, 5, 10, 100, HEIGHT, 1)]
    dtype = tf.int64 if resource else tf.int32
    with tiers.tier(tiers.HOST):
        wanted = _losses(tf, OPTIMIZERS[name], dtype, resource, batches)
    monkeypatch.setenv("TF1COMPAT_CACHE_DIR", "off")
    compiled = count_compilations.count(monkeypatch.setattr)
    counts = []

    def counted() -> Any:
        for batch in batches:
            yield batch
            counts.append(len(compiled))

    with tiers.tier(tiers.XLA):
        found = _losses(tf, OPTIMIZERS[name], dtype, resource, counted())
    assert len(set(counts)) == 1
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=2e-4, atol=1e-6)


@BOTH
def test_distinct_ids_out_of_range(tf, tier):
    """The first bad one of those that are meant, with TF's text."""
    ids, values = tf.placeholder(tf.int32, [None]), tf.placeholder(tf.float32, [None, WIDTH])
    v = tf.Variable(np.zeros([HEIGHT, WIDTH], np.float32))
    slices = tf.IndexedSlices(values, ids, tf.constant([HEIGHT, WIDTH]))
    train = tf.train.AdagradOptimizer(0.1).apply_gradients([(slices, v)])
    with tiers.tier(tier), tf.Session() as session:
        session.run(tf.global_variables_initializer())
        with pytest.raises(tf.errors.InvalidArgumentError) as error:
            bad = [4, 4, 9, 2**31 - 1, HEIGHT, 4]
            session.run(train, {ids: bad, values: np.ones([6, WIDTH])})
        text = "Index 2147483647 at offset 2 in indices is out of range"
        assert error.value.message.startswith(text)
        assert not session.run(v).any()
        session.run(train, {ids: [4, 4, 9, 4], values: np.ones([4, WIDTH])})
        assert list(np.flatnonzero(session.run(v)[:, 0])) == [4, 9]
        session.run(train, {ids: [], values: np.ones([0, WIDTH])})


@BOTH
def test_distinct_ids_that_others_see_are_those_of_tf(tf, tier):
    ids = tf.placeholder(tf.int32, [None])
    v = tf.Variable(np.zeros([HEIGHT, WIDTH], np.float32))
    distinct, places = tf.unique(ids)
    rows = tf.scatter_add(v, distinct, tf.ones([tf.size(distinct), WIDTH]))
    feed = {ids: [7, 3, 7, 7, 2, 3]}
    with tiers.tier(tier), tf.Session() as session:
        session.run(v.initializer)
        found = session.run([distinct, places, tf.size(distinct), rows.op, distinct * 2], feed)
        assert [np.array(f).tolist() for f in found if f is not None] == [
            [7, 3, 2],
            [0, 1, 0, 0, 2, 1],
            3,
            [14, 6, 4],
        ]
        session.run(rows.op, feed)
        assert session.run(tf.reduce_sum(v)) == 2 * 3 * WIDTH
        # Which one each is may be seen by anybody.
        summed = tf.unsorted_segment_sum(tf.ones([6, WIDTH]), places, tf.shape(distinct)[0])
        update = tf.scatter_sub(v, distinct, 2 * summed).op
        assert session.run([places + 1, update], feed)[0].tolist() == [1, 2, 1, 1, 3, 2]
        np.testing.assert_array_equal(session.run(v)[[7, 3, 2, 0], 0], [-4, -2, 0, 0])


def test_accidental_hits_are_found_by_the_program(tf, monkeypatch):
    """Another number of them in each step."""
    monkeypatch.setenv("TF1COMPAT_CACHE_DIR", "off")

    def losses(tier: str, counts: list[int], compiled: list[Any]) -> list[float]:
        tf.reset_default_graph()
        tf.set_random_seed(3)
        x, labels = tf.placeholder(tf.float32, [8, 4]), tf.placeholder(tf.int64, [8, 2])
        weights = tf.get_variable("weights", [20, 4])
        biases = tf.get_variable("biases", [20], initializer=tf.zeros_initializer())
        each = tf.nn.sampled_softmax_loss(weights, biases, labels, x, 12, 20, num_true=2)
        loss = tf.reduce_mean(each)
        train = tf.train.GradientDescentOptimizer(0.5).minimize(loss)
        draw, found = np.random.RandomState(4), []
        with tiers.tier(tier), tf.Session() as session:
            session.run(tf.global_variables_initializer())
            for most in (3, 20, 5, 20, 1):
                feed = {x: draw.randn(8, 4), labels: draw.randint(20 - most, 20, size=[8, 2])}
                found.append(session.run([loss, train], feed)[0])
                counts.append(len(compiled))
        return found

    wanted = losses(tiers.HOST, [], [])
    compiled = count_compilations.count(monkeypatch.setattr)
    counts: list[int] = []
    np.testing.assert_allclose(losses(tiers.XLA, counts, compiled), wanted, rtol=1e-5)
    assert len(set(counts)) == 1


@BOTH
@pytest.mark.parametrize(
    ("grad", "indices", "text"),
    [
        ([3, WIDTH], [1, 2], "grad must be the same size as indices in the first dimension."),
        ([2, WIDTH + 1], [1, 2], "var and grad must match in dimension 1"),
        ([2, WIDTH], [[1], [2]], "indices must be one-dimensional"),
    ],
)
def test_gradients_of_other_shapes(tf, tier, grad, indices, text):
    one, two = (tf.Variable(np.ones([HEIGHT, WIDTH], np.float32)) for _ in range(2))
    values, rows = tf.placeholder(tf.float32), tf.placeholder(tf.int32)
    update = tf.raw_ops.SparseApplyAdagrad(
        var=one._ref(), accum=two._ref(), lr=0.1, grad=values, indices=rows
    )
    with tiers.tier(tier), tf.Session() as session:
        session.run(tf.global_variables_initializer())
        with pytest.raises(tf.errors.InvalidArgumentError) as error:
            session.run(update.op, {values: np.ones(grad), rows: indices})
        assert error.value.message.startswith(text)
        assert error.value.op is update.op


@pytest.mark.parametrize("use_resource", [False, True])
@pytest.mark.parametrize(
    ("indices", "updates", "expected"),
    [
        ([1], [[2.0, 3.0]], [[0, 0], [2, 3], [0, 0]]),
        ([1, 2], [[2.0, 3.0], [4.0, 5.0]], [[0, 0], [2, 3], [0, 0]]),  # TF looks at the first alone
        ([1], [2.0, 3.0], "The outermost dimension of updates and indices must match"),
        ([[1, 1]], [7.0], [[0, 0], [0, 7], [0, 0]]),
        (np.zeros((2, 0)), np.ones((2, 3, 2)), "specified for empty output"),
    ],
)
def test_shapes_of_indices(tf, use_resource, indices, updates, expected):
    """Those of `scatter_nd_update` that are not known before it runs, as in TensorFlow 1.15."""
    variable = tf.Variable(np.zeros((3, 2), np.float32), use_resource=use_resource)
    rows = tf.placeholder_with_default(np.array(indices, np.int32), None)
    values = tf.placeholder_with_default(np.array(updates, np.float32), None)
    update = (
        variable.scatter_nd_update(rows, values)
        if use_resource
        else tf.scatter_nd_update(variable, rows, values)
    )
    with tf.Session() as session:
        session.run(variable.initializer)
        if isinstance(expected, str):
            with pytest.raises(tf.errors.InvalidArgumentError, match=expected):
                session.run(update)
        else:
            session.run(update)
            assert session.run(variable).tolist() == expected
