"""A sample of the op table in programs that XLA compiles with its defaults, as it does for users:
for `test_ops.py` it compiles quickly, and so fuses and contracts less."""

from __future__ import annotations

from typing import Any

import pytest
from op_table import batch, compare
from op_table.batch import Row
from test_ops import ROWS

STEP = 61  # A prime, so that the sample goes through the dtypes and forms of an op type.
SAMPLE = [row for row in ROWS if row.has_values and not row.case.no_jax][::STEP]
# TensorFlow warns so, too.
pytestmark = [
    pytest.mark.usefixtures("xla"),
    pytest.mark.filterwarnings("ignore:Converting sparse IndexedSlices"),
]


@pytest.mark.parametrize("row", SAMPLE, ids=[row.case.key for row in SAMPLE])
def test_outputs_and_gradients(tensorflow: Any, row: Row) -> None:
    compare.assert_same(row, batch.run(tensorflow, [row])[row.case.key])
