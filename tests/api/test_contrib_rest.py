"""Rarely used packages of tf.contrib against TensorFlow 1.15."""

from __future__ import annotations

from case_goldens import CaseGoldens

GOLDENS = CaseGoldens("contrib_rest")


@GOLDENS.cases()
def test_case(tf, group, name):
    GOLDENS.check_case(tf, group, name)


@GOLDENS.mistakes()
def test_mistake(tf, group, name):
    GOLDENS.check_mistake(tf, group, name)
