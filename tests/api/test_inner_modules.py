"""Further modules below `tensorflow.python` against TensorFlow 1.15."""

from __future__ import annotations

import json
import os

import inner_autograph_cases  # noqa: F401 - its cases are among inner_module_cases.CASES
import inner_module_cases
import pytest
import recording

from tf1compat.core import context
from tf1compat.launcher import import_hook

import_hook.install()
_GOLDEN = recording.read_json(os.path.join(recording.DATA, "inner_modules.json"))


@pytest.mark.parametrize("name", inner_module_cases.CASES)
def test_says_what_tensorflow_says(tf, name):
    with context.mode(name in inner_module_cases.EAGER):
        said = inner_module_cases.CASES[name](tf)
    assert json.loads(json.dumps(said)) == _GOLDEN[name]
