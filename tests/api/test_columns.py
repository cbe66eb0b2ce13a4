"""Feature columns against TensorFlow 1.15."""

from __future__ import annotations

import pytest
from case_goldens import CaseGoldens

GOLDENS = CaseGoldens("column")

# Graphs of the same lookups as the others: running them too would cost a minute.
GRAPH_ONLY = {"shared", "old_columns", "layers", "contrib_input", "contrib_sums", "contrib_targets"}


pytestmark = pytest.mark.usefixtures("compiled_quickly")


@pytest.fixture(autouse=True)
def _apart(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # The cases write files.


@pytest.mark.filterwarnings("ignore:Converting sparse IndexedSlices to a dense")
@GOLDENS.cases()
def test_case(tf, group, name):
    if name in GRAPH_ONLY:
        GOLDENS.check_graph(tf, group, name)
    else:  # Steps of training add rounding up.
        GOLDENS.check_case(tf, group, name, rtol=1e-4)


@GOLDENS.mistakes()
def test_mistake(tf, group, name):
    GOLDENS.check_mistake(tf, group, name)
