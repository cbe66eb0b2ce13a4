"""Inner modules of `tensorflow.contrib` against TensorFlow 1.15."""

from __future__ import annotations

import pytest
from case_goldens import CaseGoldens

from tf1compat.launcher import import_hook

import_hook.install()
pytestmark = pytest.mark.filterwarnings("ignore:Converting sparse IndexedSlices")

GOLDENS = {
    name: CaseGoldens(name)
    for name in ("contrib_seq2seq_layer", "contrib_state_space", "contrib_small_inner")
}
_CASES = [
    (name, group, case)
    for name, goldens in GOLDENS.items()
    for group, cases in goldens.module.CASES.items()
    for case in cases
]


@pytest.mark.parametrize(("module", "group", "name"), _CASES)
def test_case(tf, module, group, name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # Some write files.
    GOLDENS[module].check_case(tf, group, name, rtol=1e-4)
