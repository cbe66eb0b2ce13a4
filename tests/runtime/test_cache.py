"""Compiled programs on disk: found again, kept apart, whole, and not in the way of the user's
JAX.
"""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest

from tf1compat.runtime import cache


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path / "programs"))
    return tmp_path / "programs"


@pytest.fixture
def compilations(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Grows with every program that XLA compiles for a session."""
    found: list[Any] = []
    compile_program = jax.stages.Lowered.compile

    def counted(self: Any, *args: Any, **kwargs: Any) -> Any:
        found.append(self)
        return compile_program(self, *args, **kwargs)

    monkeypatch.setattr(jax.stages.Lowered, "compile", counted)
    return found


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
