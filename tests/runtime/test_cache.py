"""Compiled programs on disk: found again, kept apart, whole, and not in the way of the user's
JAX.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from pathlib import Path
from typing import Any

import count_compilations
import jax
import numpy as np
import pytest
import recording

from tf1compat.runtime.compile import cache

pytestmark = pytest.mark.usefixtures("xla", "optimized_little")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path / "programs"))
    return tmp_path / "programs"


@pytest.fixture
def compilations(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Grows with every program that XLA compiles for a session."""
    return count_compilations.count(monkeypatch.setattr)


def _train(tf: Any, steps: int = 3) -> list[float]:
    """The losses of a small model, in a graph and a session of its own."""
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [None, 3])
        w = tf.Variable(tf.ones([3]))
        loss = tf.reduce_sum(tf.square(tf.tensordot(x, w, 1) - 1.0))
        step = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
        session.run(tf.global_variables_initializer())
        batch = np.arange(6, dtype=np.float32).reshape(2, 3) / 10
        return [float(session.run([loss, step], {x: batch})[0]) for _ in range(steps)]


def test_loaded_programs_compute_the_same(tf, folder, compilations):
    first = _train(tf)
    assert len(compilations) == 2
    assert len(list(folder.iterdir())) == 2
    assert _train(tf) == first
    assert len(compilations) == 2


def test_programs_with_other_arguments_are_kept_apart(tf, folder):
    def value(name: str) -> Any:
        with tf.Graph().as_default(), tf.Session() as session:
            fed = {key: tf.placeholder(tf.float32, [2]) for key in "ab"}
            other = tf.shape(fed["b" if name == "a" else "a"])
            feeds = {fed["a"]: [1.0, 2.0], fed["b"]: [3.0, 4.0]}
            return session.run([fed[name] * 2.0, other], feeds)[0].tolist()

    assert value("a") == [2.0, 4.0]
    assert value("b") == [6.0, 8.0]


def test_off(tf, tmp_path, monkeypatch, compilations):
    monkeypatch.setenv(cache.VARIABLE, "off")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert _train(tf) == _train(tf)
    assert len(compilations) == 4
    assert not list(tmp_path.iterdir())


def test_default_folder(tf, tmp_path, monkeypatch):
    monkeypatch.delenv(cache.VARIABLE, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    _train(tf)
    assert [path.name for path in tmp_path.iterdir()] == ["tf1compat"]
    if os.name == "posix":
        assert (tmp_path / "tf1compat").stat().st_mode & 0o077 == 0


def test_the_users_own_cache_and_settings_stay(tf, tmp_path, monkeypatch):
    monkeypatch.delenv(cache.VARIABLE, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    before = dict(jax.config.values)
    _train(tf)
    assert jax.config.values == before
    monkeypatch.setitem(jax.config.values, "jax_compilation_cache_dir", str(tmp_path / "own"))
    config = jax.config
    old = config.jax_compilation_cache_dir
    try:
        config.update("jax_compilation_cache_dir", str(tmp_path / "own"))
        assert cache.cache_folder() is None
    finally:
        config.update("jax_compilation_cache_dir", old)
    assert cache.cache_folder() == tmp_path / "tf1compat"


def test_a_damaged_file_is_replaced(tf, folder, compilations):
    first = _train(tf)
    whole = {path: path.read_bytes() for path in folder.iterdir()}
    for path, content in whole.items():
        path.write_bytes(content[: len(content) // 2])
    assert _train(tf) == first
    assert len(compilations) == 4
    assert _train(tf) == first
    assert len(compilations) == 4


def test_a_folder_that_cannot_be_written(tf, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    monkeypatch.delenv(cache.VARIABLE, raising=False)
    first = _train(tf)
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path / "file"))
    with pytest.warns(UserWarning, match="Compiled programs are not kept in .*file"):
        assert _train(tf) == first


def test_readers_see_whole_files(tmp_path):
    path = tmp_path / "program"
    contents = [bytes([i]) * 300_000 for i in range(4)]
    cache._write(path, contents[0])
    deadline = time.monotonic() + 0.3

    def write(content: bytes) -> None:
        while time.monotonic() < deadline:
            cache._write(path, content)

    writers = [threading.Thread(target=write, args=(content,)) for content in contents]
    for writer in writers:
        writer.start()
    seen = 0
    while time.monotonic() < deadline:
        assert path.read_bytes() in contents
        seen += 1
    for writer in writers:
        writer.join()
    assert seen
    assert [entry.name for entry in tmp_path.iterdir()] == ["program"]


def test_the_folder_stays_small(tmp_path, monkeypatch):
    monkeypatch.setattr(cache, "LIMIT_BYTES", 4000)
    monkeypatch.setattr(cache, "_pruned", set())
    for i in range(5):
        path = tmp_path / str(i)
        path.write_bytes(bytes(1000))
        os.utime(path, (i, i))
    cache._prune(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["3", "4"]


def _seq2seq(tf: Any) -> Any:
    """A training step of an encoder and a decoder with attention, and what to feed."""
    source, target = (tf.placeholder(tf.int32, [None, None]) for _ in range(2))
    source_length, target_length = (tf.placeholder(tf.int32, [None]) for _ in range(2))
    embedding = tf.get_variable("embedding", [9, 4])
    cells = tf.nn.rnn_cell
    memory, state = tf.nn.dynamic_rnn(
        cells.GRUCell(4),
        tf.nn.embedding_lookup(embedding, source),
        source_length,
        dtype=tf.float32,
    )
    seq2seq = tf.contrib.seq2seq
    attention = seq2seq.LuongAttention(4, memory, memory_sequence_length=source_length)
    cell = seq2seq.AttentionWrapper(cells.GRUCell(4), attention, attention_layer_size=4)
    start = cell.zero_state(tf.shape(source)[0], tf.float32).clone(cell_state=state)
    fed = tf.nn.embedding_lookup(embedding, target)
    helper = seq2seq.TrainingHelper(fed, target_length)
    decoder = seq2seq.BasicDecoder(cell, helper, start, tf.layers.Dense(9))
    logits = seq2seq.dynamic_decode(decoder)[0].rnn_output
    weights = tf.sequence_mask(target_length, dtype=tf.float32)
    loss = seq2seq.sequence_loss(logits, target, weights)
    rng = np.random.RandomState(0)
    feeds = {
        source: rng.randint(0, 9, (3, 4)),
        source_length: [2, 4, 3],
        target: rng.randint(0, 9, (3, 3)),
        target_length: [1, 3, 2],
    }
    return [loss, tf.train.AdamOptimizer().minimize(loss)], feeds


def _static_rnn(tf: Any) -> Any:
    inputs = [tf.placeholder(tf.float32, [2, 3]) for _ in range(3)]
    lengths = tf.placeholder(tf.int32, [2])
    outputs, _ = tf.nn.static_rnn(
        tf.nn.rnn_cell.BasicLSTMCell(4), inputs, sequence_length=lengths, dtype=tf.float32
    )
    loss = tf.reduce_sum(tf.square(outputs[-1]))
    feeds: dict[Any, Any] = {tensor: np.ones((2, 3)) for tensor in inputs}
    return [loss, tf.train.AdamOptimizer().minimize(loss)], {**feeds, lengths: [1, 3]}


def _writes_in_branches(tf: Any) -> Any:
    """Many variables of one version, which one branch writes."""
    variables = [tf.Variable(float(i), name=f"v{i}") for i in range(6)]
    x = tf.placeholder(tf.float32, [])

    def moved() -> Any:
        return tf.group(*(v.assign_add(x) for v in variables))

    return tf.cond(x > 0.0, moved, tf.no_op), {x: 1.0}


def _gan(tf: Any) -> Any:
    path = next(path for name, path, _ in recording.program_cases() if name == "gan")
    program = recording.load_module(path).build(tf)
    return [program["loss"], program["train"]], program["feeds"](0)


@pytest.mark.parametrize("build", [_seq2seq, _static_rnn, _writes_in_branches, _gan])
def test_a_graph_built_again_compiles_nothing(tf, folder, compilations, monkeypatch, build):
    def trained() -> None:
        count_compilations.hash_at_random(monkeypatch.setattr)
        with tf.Graph().as_default(), tf.Session() as session:
            tf.set_random_seed(1)
            step, feeds = build(tf)
            session.run(tf.global_variables_initializer())
            for _ in range(2):
                session.run(step, feeds)

    trained()
    found = len(compilations)
    assert len(list(folder.iterdir())) == found
    for _ in range(2):
        trained()
    assert len(compilations) == found
    assert len(list(folder.iterdir())) == found


@pytest.mark.parametrize("error", [MemoryError(), ValueError("no"), RuntimeError("no")])
def test_what_cannot_be_serialised_runs(tf, folder, monkeypatch, caplog, error):
    def fail(executable: Any) -> Any:
        raise error

    monkeypatch.setattr(cache.serialize_executable, "serialize", fail)
    monkeypatch.setattr(cache, "_said", set())
    with caplog.at_level(logging.DEBUG, "tf1compat"):
        assert len(_train(tf)) == 3
    assert not folder.exists()
    messages = [record.message for record in caplog.records]
    assert messages.count(f"A compiled program can't be kept: {error!r}") == 1


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
@pytest.mark.parametrize("mode", [0o770, 0o707])
@pytest.mark.parametrize("part", ["folder", "file"])
def test_what_others_can_write_is_not_used(tf, folder, compilations, monkeypatch, mode, part):
    monkeypatch.setattr(cache, "_said", set())
    first = _train(tf)
    files = sorted(folder.iterdir())
    opened = folder if part == "folder" else files[0]
    opened.chmod(mode)
    with pytest.warns(UserWarning, match=f"Compiled programs in {opened} are not used"):
        assert _train(tf) == first
    assert len(compilations) == 2 + (2 if part == "folder" else 1)
    assert sorted(folder.iterdir()) == files
    if part == "file":  # One of ours took its place.
        assert opened.stat().st_mode & 0o077 == 0


@pytest.mark.skipif(os.name != "posix", reason="users of POSIX")
def test_a_folder_of_another_user_is_not_used(tf, folder, compilations, monkeypatch):
    monkeypatch.setattr(cache, "_said", set())
    folder.mkdir()
    monkeypatch.setattr(os, "geteuid", lambda: folder.stat().st_uid + 1)
    with pytest.warns(UserWarning, match="belongs to another user"):
        _train(tf)
    assert not list(folder.iterdir())


def test_options_that_the_users_flags_name_are_theirs(monkeypatch):
    monkeypatch.setenv("XLA_FLAGS", "--xla_disable_hlo_passes=dce")
    assert cache._options() == {}


@pytest.mark.skipif(jax.default_backend() != "cpu", reason="A GPU computes it as before")
def test_barriers_hold(monkeypatch):
    monkeypatch.setenv(cache.VARIABLE, "off")

    def fused(x: Any) -> Any:
        return jax.lax.optimization_barrier(x * 2.0) + 1.0

    made = cache.compiled(jax.jit(fused, keep_unused=True).trace(np.ones((100, 100), "f")))
    assert "opt-barrier" in made.as_text()
