"""AutoGraph's toolbox for syntax trees: what it says about pieces of source code."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest
import recording

pytest.importorskip("gast")

import pyct_cases as cases

GOLDEN = recording.read_json(str(Path(recording.DATA) / "pyct.json.gz"))


@pytest.fixture(scope="module")
def box():
    return cases.Toolbox(
        {
            name.rpartition(".")[2]: importlib.import_module("tf1compat.api.autograph." + name)
            for name in cases.MODULES
        }
    )


@pytest.mark.parametrize("question", cases.QUESTIONS)
@pytest.mark.parametrize("name", cases.SOURCES)
def test_answer(box, name, question):
    found = cases.answer(box, question, cases.SOURCES[name])
    assert found == cases.same_layout(GOLDEN[name][question])
