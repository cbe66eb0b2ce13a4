"""A sample of the op table in programs that XLA compiles with its defaults, as it does for users:
for `test_ops.py` it compiles quickly, and so fuses and contracts less."""

from __future__ import annotations

from typing import Any

import pytest
from op_table import batch, store
from op_table.batch import Row
from test_ops import ROWS, _assert_close, _assert_same_gradients

STEP = 61  # A prime, so that the sample goes through the dtypes and forms of an op type.
SAMPLE = [row for row in ROWS if row.has_values and not row.case.no_jax][::STEP]
# TensorFlow warns so, too.
pytestmark = [
    pytest.mark.usefixtures("xla"),
    pytest.mark.filterwarnings("ignore:Converting sparse IndexedSlices"),
]


@pytest.mark.parametrize("row", SAMPLE, ids=[row.case.key for row in SAMPLE])
def test_outputs_and_gradients(tensorflow: Any, row: Row) -> None:
    result = batch.run(tensorflow, [row])[row.case.key]
    if result.error is not None:
        raise result.error
    for i, theirs in enumerate(store.unpack(row.golden["outputs"])):
        _assert_close(row, f"output {i}", result.outputs[i], theirs)
    if row.has_gradients:
        _assert_same_gradients(row, result.gradients, row.golden["gradients"])
    if isinstance(row.golden.get("second"), list):
        _assert_same_gradients(row, result.second, row.golden["second"])
