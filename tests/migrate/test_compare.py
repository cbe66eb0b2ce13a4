"""Recordings of runs, and where two of them part."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import forked
import numpy as np
import programs
import pytest

from tf1compat.core import tensor_proto
from tf1compat.migrate import compare_report, recorder
from tf1compat.migrate.compare import compare
from tf1compat.migrate.recording import Recording, Value, read
from tf1compat.runtime import tiers
from tf1compat.runtime.session import BaseSession

ROOT = Path(__file__).parents[2]
SCRIPT = Path(__file__).parent / "recorded_script.py"
REAL = Path(__file__).parent / "recorded_script.tfrec"


@pytest.fixture
def tf(tf):
    from tf1compat.launcher import import_hook

    import_hook.install()
    tf.logging.set_verbosity(tf.logging.ERROR)
    return tf


@pytest.fixture
def record(tf, tmp_path):
    """Records what a function of a session, in a graph of its own, runs."""

    def recorded(function, tensors: int = 1) -> Recording:
        path = tmp_path / f"{len(list(tmp_path.iterdir()))}.tfrec"
        made = recorder.Recorder(str(path), tensor_proto.make_ndarray, tensors)
        made.attach(BaseSession)
        try:
            with tf.Graph().as_default(), tf.Session() as session:
                function(session)
        finally:
            made.close()
        return read(path)

    return recorded


def trained(tf, program, fault=None, steps: int = 3):
    def run(session) -> None:
        train, loss, inputs, batch = programs.Maker(tf, fault).trained(program)
        session.run(tf.global_variables_initializer())
        random = np.random.RandomState(0)
        for _ in range(steps):
            session.run([train, loss], dict(zip(inputs, batch(random))))

    return run


# What the fault is in, and how it is told of.
FAULTS = {
    "epsilon": ("Adam/epsilon", "constant: Adam/epsilon (programs.py:"),
    "axis": ("sums/reduction_indices", "constant: sums/reduction_indices (programs.py:"),
    "override": ("halved", "gradient override: "),
}


@pytest.mark.parametrize("program", programs.PROGRAMS, ids=lambda program: program.__name__)
def test_planted_faults_are_named(tf, record, program) -> None:
    wanted = record(trained(tf, program))
    again = compare(wanted, record(trained(tf, program)))
    assert again.same and again.largest[0] == 0.0
    for fault, (node, reason) in FAULTS.items():
        found = compare(wanted, record(trained(tf, program, fault)))
        assert not found.same
        assert found.node.rpartition("/")[2] == node.rpartition("/")[2], fault
        assert found.reason.startswith(reason), fault
        assert found.value is not None and found.value.error > 1e-4


def test_the_real_tensorflow(tf, tmp_path) -> None:
    """A recording that TensorFlow 1.15.5 made of a script agrees with a run of it here."""
    page = tmp_path / "page.html"
    command = ["compare", "--html", str(page), str(REAL), str(SCRIPT)]
    done = cli(command, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "(1.15.5, 11 runs)" in done.stdout
    assert "The same, in 11 runs." in done.stdout
    assert page.read_text().count("<polyline") == 4  # two curves of the loss, two of the accuracy
    other = tmp_path / "other.py"
    other.write_text(SCRIPT.read_text().replace("momentum=0.9", "momentum=0.8"))
    done = cli(["compare", str(REAL), str(other)], tmp_path)
    assert done.returncode == 1
    assert "They differ: constant: Momentum/momentum (recorded_script.py:" in done.stdout
    assert "[0.8999999761581421], then float32 [] [0.800000011920929]" in done.stdout


def test_programs_of_the_real_tensorflow(tmp_path) -> None:
    """What TensorFlow 1.15.5 computes on the way is the same here, but what has no one value."""
    real = Path(__file__).with_name("recorded_programs.tfrec")
    done = cli(["compare", str(real), str(real.with_suffix(".py"))], tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "The same, in 12 runs." in done.stdout


def test_loops_of_tensorflow_s_own(tmp_path) -> None:
    """What Keras and an Estimator run is recorded too, here and under TensorFlow 1.15.5."""
    real = Path(__file__).with_name("recorded_loops.tfrec")
    losses = read(real).curves()
    assert len(losses["loss/mul:0"]) == 10  # 8 steps of `fit`, one of its own, one to evaluate
    assert len(losses["sparse_softmax_cross_entropy_loss/value:0"]) == 5
    done = cli(["compare", str(real), str(real.with_suffix(".py"))], tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"The same, in (\d+) runs", done.stdout)


def cli(arguments: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    return forked.launch(*arguments, cwd=folder)


def test_reasons(tf, record) -> None:
    def draw(seed: int | None, size: int = 3, name: str = "x", scale: float = 1.0):
        def run(session) -> None:
            session.run(tf.random_uniform([size], seed=seed, name=name) * scale)

        return run

    def fed(value: float, times: int = 1):
        def run(session) -> None:
            x = tf.placeholder(tf.float32, [], name="x")
            y = x + 1.0
            for _ in range(times):
                session.run(y, {x: value})

        return run

    pairs = {
        "seed: x/RandomUniform": (draw(1), draw(2)),
        "seed: x/RandomUniform draws other numbers, as it has no seed": (draw(None), draw(None)),
        "missing name: x/shape": (draw(1), draw(1, name="z")),
        "constant: x/shape": (draw(1), draw(1, 4)),
        "constant: mul/y": (draw(1), draw(1, scale=2.0)),
        "input: x:0 is fed other data": (fed(1.0), fed(2.0)),
        "course: ": (fed(1.0), fed(1.0, times=2)),
    }
    for reason, (first, second) in pairs.items():
        assert compare(record(first), record(second)).reason.startswith(reason)


def test_growing_errors_are_rounding(record) -> None:
    def run(session) -> None:
        import tensorflow as tf

        x = tf.placeholder(tf.float32, [], name="x")
        y = tf.identity(x, name="y")
        for i in range(12):
            session.run(y, {x: float(i)})

    wanted = record(run, tensors=0)

    def altered(growth) -> Recording:
        runs = []
        for i, run in enumerate(wanted.runs):
            value = Value("float32", (), [1.0 + growth(i)], None)
            runs.append(run._replace(fetches=[("y:0", value)]))
        return wanted._replace(runs=runs)

    smooth = altered(lambda i: 1e-7 * 2.0**i)
    found = compare(altered(lambda _: 0.0), smooth)
    assert found.value is not None and found.value.run == 10
    assert found.reason.startswith("rounding growth: the error of y:0 grows from 1.0e-07 over 10")
    found = compare(altered(lambda _: 0.0), altered(lambda i: 0.1 * (i == 4)))
    assert found.value is not None and (found.value.run, found.value.step) == (4, 4)
    assert found.reason.startswith("kernel: the same node computes something else: y:0 (Identity")


def test_what_is_left_where_large_terms_cancel_out_is_rounding(tf, record) -> None:
    def run(session) -> None:
        x = tf.placeholder(tf.float32, [2], name="x")
        left = tf.subtract(x + 1.0, x, name="left")
        session.run(tf.add(tf.multiply(left, 3.0, name="more"), x, name="y"), {x: [5.0, 7.0]})

    wanted = record(run)

    def altered(**values: list[float]) -> Recording:
        (only,) = wanted.runs
        named = {f"{name}:0": Value("float32", (2,), v, None) for name, v in values.items()}
        return wanted._replace(runs=[only._replace(tensors={**only.tensors, **named})])

    cancelled = altered(left=[1e-7, 0.0], more=[3e-7, 0.0])
    assert compare(cancelled, altered(left=[0.0, 2e-7], more=[0.0, 6e-7])).same
    assert compare(cancelled, altered(left=[0.0, 2e-2], more=[0.0, 6e-2])).node == "left"
    # An operation that is no sum is excused only by what it is given.
    assert compare(cancelled, altered(left=[1e-7, 0.0], more=[6e-7, 0.0])).node == "more"


@pytest.mark.parametrize(
    ("first", "second", "error"),
    [
        (np.ones(3), np.array([1.0, 1.0, 1.5]), 0.5),
        (np.ones(3), np.ones(4), np.inf),
        (np.array([1.0, np.nan]), np.array([1.0, np.nan]), 0.0),
        (np.array([1.0, np.nan]), np.array([1.0, 2.0]), np.inf),
        (np.array([2.0, np.inf]), np.array([1.0, np.inf]), 0.5),
        (np.arange(1000.0), np.arange(1000.0), 0.0),
        (np.ones([100, 10]), np.full([100, 10], 1.25), 0.25),
        (np.array(b"a"), np.array(b"b"), np.inf),
        (np.array([], np.float32), np.array([], np.float32), 0.0),
        (np.array([3 + 4j]), np.array([3 + 2j]), 0.5),
    ],
)
def test_errors_of_values(first, second, error) -> None:
    a, b = (Value.of(recorder.summary(value)) for value in (first, second))
    assert a is not None and b is not None
    assert a.error(b) == error


def test_large_arrays_are_kept_in_part() -> None:
    kept = Value.of(recorder.summary(np.arange(100000.0)))
    assert kept is not None
    assert (kept.shape, len(kept.elements)) == ((100000,), recorder.ELEMENTS)
    changed = np.arange(100000.0)
    changed[1] += 1e9  # None of the kept elements.
    other = Value.of(recorder.summary(changed))
    assert other is not None and kept.error(other) > 1.0


def test_what_is_run_is_not_changed(tf, record) -> None:
    """The structure of fetches, names, and a program's errors come through."""
    seen = []

    def run(session) -> None:
        x = tf.placeholder(tf.float32, [2], name="x")
        y = tf.square(x, name="y")
        seen.append(session.run({"a": y, "b": [y, ("y:0",)]}, {"x:0": [1.0, 2.0]}))
        seen.append(session.run(tf.SparseTensor([[0]], [1.0], [2])))
        with pytest.raises(tf.errors.InvalidArgumentError):
            session.run(y)
        with pytest.raises(TypeError):
            session.run(None)

    found = record(run)
    np.testing.assert_array_equal(seen[0]["b"][1][0], [1.0, 4.0])
    assert type(seen[1]).__name__ == "SparseTensorValue"
    assert [name for name, _ in found.runs[0].fetches] == ["y:0", "y:0", "y:0"]
    assert set(found.runs[0].feeds) == {"x:0"}


def test_callables_are_recorded(tf, record) -> None:
    def run(session) -> None:
        x = tf.placeholder(tf.float32, [], name="x")
        y = tf.square(x, name="y")
        z = tf.identity(3.0, name="z")
        assert session.make_callable([y, z], [x])(2.0) == [4.0, 3.0]
        assert session.make_callable(z)() == 3.0

    first, second = record(run).runs
    assert ([name for name, _ in first.fetches], set(first.feeds)) == (["y:0", "z:0"], {"x:0"})
    assert [(name, value.elements) for name, value in second.fetches] == [("z:0", [3.0])]


def test_branches_that_are_not_taken_are_left_out(tf, record) -> None:
    def run(session) -> None:
        p = tf.placeholder(tf.bool, [], name="p")
        y = tf.cond(p, lambda: tf.constant(1.0), lambda: tf.constant(2.0), name="branch")
        session.run(tf.square(y, name="y"), {p: True})

    tensors = record(run).runs[0].tensors
    assert {"branch/Merge:0", "y:0"} <= set(tensors)
    assert not any("switch" in name.lower() for name in tensors)


def test_every_second_run(tf, record, tmp_path) -> None:
    def run(session) -> None:
        x = tf.placeholder(tf.float32, [], name="x")
        for i in range(5):
            session.run([x], {x: float(i)})

    path = tmp_path / "sampled.tfrec"
    made = recorder.Recorder(str(path), tensor_proto.make_ndarray, every=2)
    made.attach(BaseSession)
    with tf.Graph().as_default(), tf.Session() as session:
        run(session)
    made.close()
    found = read(path)
    assert [run.fetches[0][1].elements for run in found.runs] == [[0.0], [2.0], [4.0]]
    assert found.about["every"] == 2


def test_checksums() -> None:
    """Any bit, and the order of what is fed, are told."""
    rows = np.random.RandomState(0).rand(64, 100).astype(np.float32)
    found = {
        recorder.checksum(rows),
        recorder.checksum(rows[::-1]),
        recorder.checksum(rows[:, ::-1]),
    }
    for place in ((0, 0), (31, 50), (63, 99)):
        changed = rows.copy()
        changed[place] = np.nextafter(changed[place], 2.0)
        found.add(recorder.checksum(changed))
    assert len(found) == 6
    assert recorder.checksum(np.asfortranarray(rows)) == recorder.checksum(rows)
    assert recorder.checksum(np.float32(0)) != recorder.checksum(np.float32(1))
    for size in (3, 511, 512, 700, 4095):  # What is copied is told of later, by the same numbers.
        assert recorder._form_of(rows.ravel()[:size])[2]
        copied = recorder._sums_of([rows.ravel()[i : i + size].tobytes() for i in (0, 1)])
        assert list(copied) == [recorder.checksum(rows.ravel()[i : i + size]) for i in (0, 1)]
    assert not recorder._form_of(np.zeros(4096, np.float32))[2]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (b"/tmp/model-1", b"model-1"),
        ("/no such folder/model-1", "/no such folder/model-1"),
        (b"_temp_0123456789abcdef0123456789abcdef/part", b"_temp_/part"),
        (b"\x00\xff", b"\x00\xff"),
    ],
)
def test_texts_of_one_run_alone(text, kept) -> None:
    assert recorder.summary(np.array(text, object))[2] == [repr(kept)]


def test_paths_in_a_folder_that_goes(tf, record) -> None:
    """Constants are told of while a temporary folder is there."""

    def run(session) -> None:
        with tempfile.TemporaryDirectory() as folder:
            session.run(tf.strings.length(tf.constant(f"{folder}/train.tfrecord", name="path")))

    attrs = [record(run).graphs[0]["path"].attrs["value"] for _ in range(2)]
    assert attrs == ["object [] [b'train.tfrecord']"] * 2


def test_runs_of_several_kinds_keep_their_order(tf, record) -> None:
    """Blocks tell of each kind apart: of values of one type or several, of shapes that change."""

    def run(session) -> None:
        x = tf.placeholder(tf.float32, name="x")
        doubled = tf.multiply(x, 2.0, name="doubled")
        count = tf.size(x, name="count")
        for i in range(1, 5):
            session.run(doubled, {x: np.float32(i)})
            session.run([count, doubled], {x: np.full([i], i, np.float32)})
            session.run(doubled.op, {x: float(i)})

    runs = record(run, tensors=0).runs
    assert [len(run.fetches) for run in runs] == [1, 2, 1] * 4
    for i, (single, both, nothing) in enumerate(zip(*[iter(runs)] * 3), 1):
        ((_, value),) = single.fetches
        assert value == Value("float32", (), [2.0 * i], None)
        assert [value for _, value in both.fetches] == [
            Value("int32", (), [i], None),
            Value("float32", (i,), [2.0 * i] * i, None),
        ]
        assert both.feeds["x:0"][:2] == ["float32", [i]]
        assert nothing.fetches == [("doubled", None)]
        assert nothing.feeds["x:0"][2] == recorder.checksum(np.float64(i))
        assert single.feeds["x:0"][2] == recorder.checksum(np.float32(i))


def test_sparse_tensors_are_fed(tf, record) -> None:
    """By a SparseTensorValue or a tuple of its parts, in each run; what differs in one is told."""
    parts = [[0, 1], [1, 0]], [1.0, 2.0], [2, 4]
    other = [[0, 1], [1, 0]], [1.0, 2.5], [2, 4]

    def run(session) -> None:
        x = tf.sparse_placeholder(tf.float32, [2, 4], name="x")
        total = tf.sparse_reduce_sum(x)
        for fed in (tf.SparseTensorValue(*parts), parts, other):
            session.run(total, {x: fed})

    runs = record(run).runs
    assert [run.fetches[0][1].elements for run in runs] == [[3.0], [3.0], [3.5]]
    first, second, third = [run.feeds["x/values:0"] for run in runs]
    assert first == second != third


def test_what_is_fed_may_change_its_form(tf, record) -> None:
    """Numbers of other types and lengths, from block to block and within one."""
    values = [
        np.zeros(3, np.float32),
        np.ones(2, np.float32),
        [4.0, 5.0],
        600 * [1.0],
        np.ones(600),
    ]

    def run(session) -> None:
        x = tf.placeholder(tf.float32, name="x")
        for i in range(1200):
            session.run(tf.identity(x, "y") if not i else "y:0", {x: values[i // 7 % 5]})

    runs = record(run, tensors=0).runs
    for i, found in enumerate(runs):
        given = np.asarray(values[i // 7 % 5])
        dtype, shape, number = found.feeds["x:0"]
        assert (dtype, tuple(shape)) == (given.dtype.name, given.shape)
        assert number == recorder.checksum(given)
    assert len(runs) == 1200


@pytest.mark.parametrize("tier", [tiers.HOST, tiers.XLA])
@pytest.mark.parametrize(("inputs", "units", "rows"), [(784, 64, 64), (2, 8, 32)])
def test_what_recording_costs(tf, tmp_path, inputs, units, rows, tier) -> None:
    """Below 10 % of the processor time of a step of a small net; the least of many, as others work
    here too."""
    x = tf.placeholder(tf.float32, [None, inputs])
    y = tf.placeholder(tf.int32, [None])
    net = tf.layers.dense(tf.layers.dense(x, units, tf.nn.relu), units, tf.nn.relu)
    loss = tf.losses.sparse_softmax_cross_entropy(y, tf.layers.dense(net, 10))
    train = tf.train.AdamOptimizer().minimize(loss)
    batch = {x: np.ones([rows, inputs], np.float32), y: np.zeros([rows], np.int32)}

    def least(function) -> float:
        times = []
        for _ in range(30):
            start = time.process_time()
            for _ in range(20):
                function()
            times.append(time.process_time() - start)
        return min(times)

    made = recorder.Recorder(str(tmp_path / "run.tfrec"), tensor_proto.make_ndarray, tensors=0)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        with tiers.tier(tier):
            step = least(lambda: session.run([train, loss], batch))
        values = session.run([train, loss], batch)

    class Given:
        graph = session.graph

        def run(self, fetches, feed_dict=None, options=None, run_metadata=None):
            return values

    given = Given()
    made.attach(Given)
    cost = least(lambda: given.run([train, loss], batch))
    made.close()
    assert cost < 0.1 * step


def test_what_is_no_recording(tmp_path) -> None:
    path = tmp_path / "a.tfrec"
    for content in (b"", b"text"):
        path.write_bytes(content)
        with pytest.raises(ValueError, match="is no recording"):
            read(path)
    done = cli(["compare", "a.tfrec", "a.tfrec"], tmp_path)
    assert (done.returncode, done.stderr) == (2, done.stderr)
    assert "a.tfrec is no recording" in done.stderr


def test_a_recording_that_breaks_off_is_read(tf, record, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(recorder, "_HELD", 10)
    recorded = record(trained(tf, programs.policy_gradient, steps=40))
    whole = next(tmp_path.glob("*.tfrec"))
    part = tmp_path / "part.tfrec"
    data = whole.read_bytes()
    part.write_bytes(data[: len(data) - 200])
    found = read(part)
    assert 0 < len(found.runs) <= len(recorded.runs)


def test_the_recorder_stands_alone() -> None:
    """It imports nothing of tf1compat, and parses as Python 3.5."""
    source = Path(recorder.__file__).read_text()
    tree = ast.parse(source, feature_version=(3, 5))
    assert not any(isinstance(node, ast.JoinedStr) for node in ast.walk(tree))
    imported = {
        name.split(".")[0]
        for node in ast.walk(tree)
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert imported - {"numpy", "tensorflow"} <= sys.stdlib_module_names


def test_text_lists_nodes_that_never_ran(tf, record) -> None:
    def program(name):
        def run(session) -> None:
            tf.constant(1.0, name=name)
            session.run(tf.constant(2.0, name="used"))

        return run

    first, second = record(program("a")), record(program("b"))
    found = compare(first, second)
    assert found.same
    text = compare_report.as_text(found, first, second)
    assert "The same, in 1 runs." in text
    assert "missing in the second program [never run]" in text
