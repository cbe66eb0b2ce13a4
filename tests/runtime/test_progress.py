"""What a user waits for is said, on terminals, while it lasts."""

from __future__ import annotations

import io
import logging
import threading
import time
import types
from typing import Any

import numpy as np
import pytest

from tf1compat.runtime import progress
from tf1compat.runtime.compile import cache


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def _set_stderr(monkeypatch: pytest.MonkeyPatch, stream: Any) -> None:
    # pytest puts `sys.stderr` itself back before every phase of a test.
    monkeypatch.setattr(progress, "sys", types.SimpleNamespace(stderr=stream))


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    stream = Terminal()
    _set_stderr(monkeypatch, stream)
    monkeypatch.setattr(progress, "PATIENCE", 0.05)
    monkeypatch.delenv(progress.VARIABLE, raising=False)
    return stream


def _wait_for(stream: io.StringIO, text: str) -> None:
    deadline = time.monotonic() + 10
    while text not in stream.getvalue() and time.monotonic() < deadline:
        time.sleep(0.01)


def test_a_long_wait_is_said_while_it_lasts(terminal):
    with progress.waiting("compiling", "compiled", "a step"):
        _wait_for(terminal, "...")
        assert terminal.getvalue() == "tf1compat: compiling a step ..."
    _, last = terminal.getvalue().split("\r")
    assert last.startswith("tf1compat: compiled a step in ") and last.endswith(" s\n")


def test_what_fails_leaves_an_empty_line(terminal):
    with pytest.raises(KeyError), progress.waiting("compiling", "compiled", "a step"):
        _wait_for(terminal, "...")
        raise KeyError
    said, blank, rest = terminal.getvalue().split("\r")
    assert (blank, rest) == (" " * len(said), "")


def test_a_short_wait_is_not_said(terminal, monkeypatch):
    monkeypatch.setattr(progress, "PATIENCE", 60.0)
    before = threading.active_count()
    with progress.waiting("compiling", "compiled", "a step"):
        pass
    deadline = time.monotonic() + 10
    while threading.active_count() > before and time.monotonic() < deadline:
        time.sleep(0.01)
    assert threading.active_count() == before
    assert terminal.getvalue() == ""


@pytest.mark.parametrize("case", ["pipe", "quiet", "none"])
def test_elsewhere_only_the_logger_gets_it(terminal, monkeypatch, caplog, case):
    def no_thread(*args: Any) -> Any:
        raise AssertionError(args)

    monkeypatch.setattr(threading, "Timer", no_thread)
    if case == "pipe":
        _set_stderr(monkeypatch, io.StringIO())
    elif case == "none":
        _set_stderr(monkeypatch, None)
    else:
        monkeypatch.setenv(progress.VARIABLE, "quiet")
    monkeypatch.setattr(progress, "PATIENCE", -1.0)
    caplog.set_level(logging.INFO, "tf1compat")
    with progress.waiting("compiling", "compiled", "a step"):
        pass
    assert terminal.getvalue() == ""
    assert len(caplog.records) == (0 if case == "quiet" else 1)


def test_a_slow_compilation(tf, xla, terminal, monkeypatch):
    def slow(traced: Any) -> Any:
        _wait_for(terminal, "...")
        return traced.lower().compile()

    monkeypatch.setattr(cache, "compiled", slow)
    x = tf.placeholder(tf.float32, [2], name="x")
    y = tf.add(x * 2.0, 1.0, name="y")
    with tf.Session() as session:
        np.testing.assert_array_equal(session.run(y, {x: [1, 2]}), [3, 5])
        said, last = terminal.getvalue().split("\r")
        assert said == "tf1compat: compiling the run of 'y:0': 2 operations ..."
        assert last.startswith("tf1compat: compiled the run of 'y:0': 2 operations in ")
        session.run(y, {x: [1, 2]})
    assert terminal.getvalue() == said + "\r" + last


def test_a_closed_terminal_does_no_harm(terminal, monkeypatch):
    with progress.waiting("compiling", "compiled", "a step"):
        _wait_for(terminal, "...")
        terminal.close()
    with progress.waiting("compiling", "compiled", "a step"):
        pass


def test_quiet_gives_no_hints(monkeypatch, caplog):
    monkeypatch.setattr(progress, "_hinted", False)
    monkeypatch.setenv(progress.VARIABLE, "quiet")
    progress.many_shapes("the run of 'y'", 16, [("x:0", "[2]", True)])
    assert not caplog.records


def test_a_hint_names_what_is_fed_first(monkeypatch, caplog):
    monkeypatch.setattr(progress, "_hinted", False)
    monkeypatch.delenv(progress.VARIABLE, raising=False)
    varying = [(f"unique_{i}:0", "[3]", False) for i in range(9)]
    varying += [(f"x_{i}:0", f"[{i}]", True) for i in range(5)]
    progress.many_shapes("the run of 'y'", 16, varying)
    (record,) = caplog.records
    wanted = "'x_0:0' (last [0]), 'x_1:0' (last [1]), 'x_2:0' (last [2]) and 2 more came in"
    assert wanted in record.message
    assert "unique" not in record.message and "\n" not in record.message
