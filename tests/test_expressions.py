"""What small expressions give or raise, in a graph and eagerly, as in TensorFlow 1.15."""

from __future__ import annotations

from pathlib import Path

import expression_cases
import numpy as np
import pytest
import recording

from tf1compat.api.eager import context
from tf1compat.launcher import import_hook

import_hook.install()

GOLDENS = {
    table: recording.read_json(str(Path(recording.DATA) / f"{table}.json"))
    for table in expression_cases.TABLES
}


def _check(found, wanted):
    if isinstance(wanted, dict) or isinstance(found, dict):
        assert found == wanted
    elif isinstance(wanted[0], str):
        assert found[:2] == wanted[:2]
        if wanted[0] == "object":
            assert found[2] == wanted[2]
        else:
            # TF adds halves up in half precision: some units of its last place are lost.
            rtol = 4 * 2**-10 if wanted[0] == "float16" else 1e-5
            np.testing.assert_allclose(found[2], wanted[2], rtol=rtol, atol=1e-6)
    else:
        assert len(found) == len(wanted)
        for part, other in zip(found, wanted, strict=True):
            _check(part, other)


@pytest.mark.parametrize("mode", expression_cases.MODES)
@pytest.mark.parametrize(
    ("table", "text"),
    [
        pytest.param(table, text, id=text)
        for table, cases in expression_cases.TABLES.items()
        for text in cases
    ],
)
def test_expression(tf, table, text, mode):
    found = expression_cases.run(tf, context.eager_mode, text, mode)
    _check(found, GOLDENS[table][f"{mode} {text}"])


@pytest.mark.parametrize("table", expression_cases.TABLES)
def test_every_expression_is_recorded(table):
    cases = {
        f"{mode} {text}"
        for text in expression_cases.TABLES[table]
        for mode in expression_cases.MODES
    }
    assert set(GOLDENS[table]) == cases
