"""Every row of the op table in XLA's programs: outputs, second gradients and variables are those of
TensorFlow 1.15, with the tolerances of `test_ops`, which runs the rows on the host tier. So are the
gradients that `test_ops.jax_gradients` does not compile.

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
from op_table.batch import Row

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


def _reduced(row: Row) -> Row:
    """A row with its tolerance, and without gradients where `test_ops.jax_gradients` compiles them,
    or another dtype has them."""
    rtol = IN_FLOAT32.get(row.case.key)
    case = row.case if rtol is None else dataclasses.replace(row.case, rtol=rtol)
    golden = row.golden
    second = isinstance(golden.get("second"), list)
    if not (case.stands_for_sweep and (second or not row.is_exported)):
        golden = {key: value for key, value in golden.items() if key != "gradients"}
    return Row(row.table, case, golden)


@pytest.mark.parametrize("rows", batch.batches(), ids=batch.batch_names())
def test_batch(tensorflow: Any, rows: list[Row]) -> None:
    reduced = [_reduced(row) for row in rows]
    compare.assert_all_same(reduced, batch.run_or_split(tensorflow, reduced))
