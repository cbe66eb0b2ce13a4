"""Suites on TF's base classes for tests of strategies: what TensorFlow 1.15 passes, passes here."""

from __future__ import annotations

import importlib
import os

import pytest
import recording

from tf1compat.core import context
from tf1compat.launcher import import_hook

_GOLDENS = {
    name: recording.read_json(os.path.join(recording.DATA, f"{name}.json.gz"))
    for name in ("strategy_suites", "worker_suites", "model_suites")
}


@pytest.mark.parametrize(
    ("suite", "name"), [(suite, name) for suite, golden in _GOLDENS.items() for name in golden]
)
def test_passes_what_tensorflow_passes(tf, monkeypatch, suite, name):
    pytest.importorskip("grpc")
    import_hook.install()
    suites, found = importlib.import_module(suite), importlib.import_module("strategy_suites")
    monkeypatch.setattr(context, "cpus", 3)
    wanted = _GOLDENS[suite][name]
    assert found.outcomes(getattr(suites, name), wanted.__contains__) == wanted
