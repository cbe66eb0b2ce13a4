"""Clusters that Slurm, Kubernetes and Google Compute Engine describe, against TensorFlow 1.15."""

from __future__ import annotations

import sys

from case_goldens import CaseGoldens

GOLDENS = CaseGoldens("resolver")


@GOLDENS.cases()
def test_case(tf, group, name):
    GOLDENS.check_case(tf, group, name)


@GOLDENS.mistakes()
def test_mistake(tf, group, name, monkeypatch):
    for client in ("kubernetes.client", "googleapiclient.discovery"):
        monkeypatch.setitem(sys.modules, client, None)
    GOLDENS.check_mistake(tf, group, name)
