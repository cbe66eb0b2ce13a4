"""`python -m tf1compat --profile`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import tensorflow as tf
x = tf.placeholder(tf.float32, [None])
with tf.variable_scope("net"):
    w = tf.get_variable("w", [])
y = tf.reduce_sum(x * w)
words = tf.strings.upper(tf.as_string(y))
session = tf.Session()
session.run(tf.global_variables_initializer())
for i in range(3):
    session.run(words, {x: [1.0, 2.0]})
print("done")
"""


@pytest.mark.parametrize("tier", ["host", "xla"])
def test_profile(tmp_path: Path, tier: str) -> None:
    (tmp_path / "script.py").write_text(SCRIPT)
    command = [sys.executable, "-m", "tf1compat", "--profile=trace.json", "script.py"]
    result = subprocess.run(
        command,
        cwd=tmp_path,
        env=dict(os.environ, TF1COMPAT_TIER=tier),
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert (result.returncode, result.stdout) == (0, "done\n"), result.stderr
    with open(tmp_path / "trace.json") as file:
        events = json.load(file)["traceEvents"]
    kinds = {event["cat"] for event in events}
    runs = [event for event in events if event["cat"] == "Session.run itself"]
    assert [event["args"]["line"] for event in runs] == ["script.py:9"] + 3 * ["script.py:11"]
    recorded = {
        event["name"]: event["args"]["line"] for event in events if event["cat"] == "recording"
    }
    assert recorded["mul"] == "script.py:6"
    assert recorded["net/w"] == "script.py:5"
    by_tier = {"host": {"host tier"}, "xla": {"tracing", "compiling", "device", "host steps"}}
    assert by_tier[tier] <= kinds
    for run in runs:  # What a run is made of lies within it.
        assert run["dur"] > 0
    texts = ("are:", "by the script's lines:", "script.py:11: ", "trace.json")
    assert all(text in result.stderr for text in texts), result.stderr


def test_nothing_is_wrapped_without_it() -> None:
    from tf1compat.runtime.session import BaseSession

    assert not hasattr(BaseSession.run, "__wrapped__")
