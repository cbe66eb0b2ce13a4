"""Keras's internal modules against TensorFlow 1.15."""

from __future__ import annotations

import json
import os

import client_internal_cases  # noqa: F401 - its cases are among keras_internal_cases.CASES
import keras_internal_cases as cases
import pytest
import recording

from tf1compat.core import context
from tf1compat.launcher import import_hook

import_hook.install()
_GOLDEN = recording.read_json(os.path.join(recording.DATA, "keras_internal_cases.json"))


@pytest.mark.parametrize("name", cases.CASES)
def test_says_what_tensorflow_says(tf, name):
    with context.mode(name in cases.EAGER):
        said = cases.CASES[name](tf)
    assert json.loads(json.dumps(said)) == _GOLDEN[name]


def test_every_case_is_recorded():
    assert set(_GOLDEN) == set(cases.CASES)
