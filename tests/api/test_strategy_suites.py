"""Suites on TF's base classes for tests of strategies: what TensorFlow 1.15 passes, passes here."""

from __future__ import annotations

import importlib
import os

import pytest
import recording

from tf1compat.core import context
from tf1compat.launcher import import_hook

_GOLDEN = recording.read_json(os.path.join(recording.DATA, "strategy_suites.json.gz"))


@pytest.mark.parametrize("name", _GOLDEN)
def test_passes_what_tensorflow_passes(tf, monkeypatch, name):
    import_hook.install()
    suites = importlib.import_module("strategy_suites")
    monkeypatch.setattr(context, "cpus", 3)
    wanted = _GOLDEN[name]
    assert suites.outcomes(getattr(suites, name), wanted.__contains__) == wanted
