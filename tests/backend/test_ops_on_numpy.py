"""The rows of the op table, worked out on NumPy values: outputs, gradients and second gradients are
those of TensorFlow 1.15, with the tolerances of `test_ops`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))

import eagerly
from op_table import batch
from test_ops import test_gradients as test_gradients
from test_ops import test_outputs as test_outputs
from test_ops import test_second_gradients as test_second_gradients

pytestmark = pytest.mark.filterwarnings("ignore:Converting sparse IndexedSlices")


@pytest.fixture(scope="module", autouse=True)
def _on_numpy() -> Iterator[None]:
    with eagerly.on_numpy(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(batch, "_results", {})
        patch.setattr(batch, "moves", False)
        yield
