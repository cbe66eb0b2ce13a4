"""The rows of the op table, worked out on NumPy values: outputs, gradients and second gradients are
those of TensorFlow 1.15, with the tolerances of `test_ops`.

`test_ops` has a test for each row, on the host tier. Here it is one for each batch: 50 ms, where
tests of their own take 2 ms a row for nothing but being tests.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))

import eagerly
from op_table import batch, compare

pytestmark = pytest.mark.filterwarnings("ignore:Converting sparse IndexedSlices")


@pytest.fixture(scope="module", autouse=True)
def _on_numpy() -> Iterator[None]:
    with eagerly.on_numpy(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(batch, "moves", False)
        yield


@pytest.mark.parametrize("rows", batch.batches(), ids=batch.batch_names())
def test_batch(tensorflow: Any, rows: list[batch.Row]) -> None:
    compare.assert_all_same(rows, batch.run_or_split(tensorflow, rows))
