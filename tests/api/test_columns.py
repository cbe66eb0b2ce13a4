"""Feature columns against TensorFlow 1.15."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from case_goldens import CaseGoldens

sys.path.insert(0, str(Path(__file__).parents[1]))

import quick_compilation

from tf1compat.runtime import cache

GOLDENS = CaseGoldens("column")


@pytest.fixture(autouse=True)
def _quick_and_apart(tmp_path, monkeypatch):
    monkeypatch.setattr(cache, "compiled", quick_compilation.compiled)
    monkeypatch.chdir(tmp_path)  # The cases write files.


@pytest.mark.filterwarnings("ignore:Converting sparse IndexedSlices to a dense")
@GOLDENS.cases()
def test_case(tf, group, name):
    # Steps of training add rounding up.
    GOLDENS.check_case(tf, group, name, rtol=1e-4)


@GOLDENS.mistakes()
def test_mistake(tf, group, name):
    GOLDENS.check_mistake(tf, group, name)
