"""Every row of the op table in XLA's programs: outputs, gradients, second gradients and variables
are those of TensorFlow 1.15, with the tolerances of `test_ops`, which runs the rows on the host
tier.

A batch is one graph and, as a rule, one program; XLA optimizes little, as compiling takes most of
the time. `test_ops_optimized` has a sample with XLA's defaults.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import quick_compilation
from op_table import batch, compare

from tf1compat.runtime import tiers
from tf1compat.runtime.compile import cache

# Of float64, but worked out in float32, as in TensorFlow: where XLA rounds a product and a sum
# once, some of its last places differ.
IN_FLOAT32 = {"ImageProjectiveTransform/BILINEAR/float64": 8 * 2**-23}
pytestmark = pytest.mark.filterwarnings("ignore:Converting sparse IndexedSlices")


@pytest.fixture(scope="module", autouse=True)
def _in_xla() -> Iterator[None]:
    with tiers.tier(tiers.XLA), pytest.MonkeyPatch.context() as patch:
        patch.setattr(cache, "compiled", quick_compilation.compiled)
        patch.setattr(batch, "moves", False)
        yield


@pytest.mark.parametrize("rows", batch.batches(), ids=batch.batch_names())
def test_batch(tensorflow: Any, rows: list[batch.Row]) -> None:
    found = batch.run_or_split(tensorflow, rows)
    compare.assert_all_same(map(_with_tolerance, rows), found)


def _with_tolerance(row: batch.Row) -> batch.Row:
    rtol = IN_FLOAT32.get(row.case.key)
    if rtol is None:
        return row
    return dataclasses.replace(row, case=dataclasses.replace(row.case, rtol=rtol))
