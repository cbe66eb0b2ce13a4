"""Feature columns against TensorFlow 1.15."""

from __future__ import annotations

import pytest
from case_goldens import CaseGoldens

GOLDENS = CaseGoldens("column")


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.mark.filterwarnings("ignore:Converting sparse IndexedSlices to a dense")
@GOLDENS.cases()
def test_case(tf, group, name):
    # Steps of training add rounding up.
    GOLDENS.check_case(tf, group, name, rtol=1e-4)


@GOLDENS.mistakes()
def test_mistake(tf, group, name):
    GOLDENS.check_mistake(tf, group, name)
