"""Experiments, monitors and what is beside them in tf.contrib.learn, against TensorFlow 1.15."""

from __future__ import annotations

import pytest
from case_goldens import CaseGoldens

GOLDENS = CaseGoldens("contrib_experiment")


@pytest.fixture(autouse=True)
def _folder(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)


@GOLDENS.cases()
def test_case(tf, group, name):
    GOLDENS.check_case(tf, group, name, rtol=1e-4)


@GOLDENS.mistakes()
def test_mistake(tf, group, name):
    GOLDENS.check_mistake(tf, group, name)
