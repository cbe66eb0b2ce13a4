"""Keras's dtype policies against TensorFlow 1.15."""

from __future__ import annotations

import pytest
from case_goldens import CaseGoldens

GOLDENS = CaseGoldens("keras_policy")


@pytest.fixture(autouse=True)
def _in_own_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@GOLDENS.cases()
def test_case(tf, group, name):
    GOLDENS.check_case(tf, group, name, rtol=1e-3)  # float16 has 11 bits


@GOLDENS.mistakes()
def test_mistake(tf, group, name):
    GOLDENS.check_mistake(tf, group, name)
