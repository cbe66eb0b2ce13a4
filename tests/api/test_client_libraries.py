"""What client libraries take from TF's internal modules, against TensorFlow 1.15."""

from __future__ import annotations

from case_goldens import CaseGoldens

from tf1compat.launcher import import_hook

import_hook.install()
GOLDENS = CaseGoldens("client_library")


@GOLDENS.cases()
def test_case(tf, group, name):
    GOLDENS.check_case(tf, group, name)
