"""TensorFlow's debugger: what it dumps and what its prompt says, as TF 1.15 has it."""

from __future__ import annotations

import json
import os

import debugger_analyzer_cases  # noqa: F401  Its cases are in debugger_cases.CASES, too.
import debugger_cases
import debugger_cli_cases  # noqa: F401
import pytest
import recording

from tf1compat.launcher import import_hook

import_hook.install()
_GOLDEN = recording.read_json(os.path.join(recording.DATA, "debugger_cases.json.gz"))


@pytest.mark.parametrize("name", debugger_cases.CASES)
def test_says_what_tensorflow_says(tf, name):
    assert json.loads(json.dumps(debugger_cases.CASES[name](tf))) == _GOLDEN[name]
