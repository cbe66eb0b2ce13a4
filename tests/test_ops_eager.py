"""Every row of the op table in eager execution, against TensorFlow 1.15: values, gradients by a
tape, and the class and text of what fails."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from op_table import batch, driver, store
from op_table.batch import Row
from op_table.compare import assert_close, assert_same_gradients

from tf1compat.core import context

# What was recorded in eager execution, where it is not what the graph gives.
RECORDED = store.load("eager")
ROWS = [row for table in batch.rows().values() for row in table]
pytestmark = [pytest.mark.filterwarnings("ignore:Converting sparse IndexedSlices")]


@pytest.fixture(scope="module")
def tf(tensorflow: Any) -> Iterator[Any]:
    tensorflow.reset_default_graph()
    tensorflow.enable_eager_execution()
    yield tensorflow
    context.set_eager_by_default(False)
    tensorflow.set_random_seed(None)


def _recorded(row: Row) -> Any:
    return RECORDED.get(f"{row.table}:{row.case.key}", {})


def _is_error(found: Any) -> bool:
    return isinstance(found, list) and len(found) == 2 and isinstance(found[0], str)


# What TensorFlow says where its CPU has no kernel for what the row asks for, or its compiler, which
# it then turns to, has none; and where this package does more than that.
_LACKING = (
    "Could not find valid device", "[[{{node", "only supports", "binary complex op",
    "has unhandled type", "input data type is not supported",
)  # fmt: skip


def _is_comparable(row: Row) -> bool:
    """Whether TensorFlow has a kernel for the row, and one that looks at its inputs."""
    recorded = _recorded(row)
    name, text = recorded.get("error", ["", ""])
    reads_anything = "error" in row.golden and not name
    if row.case.dtype and not (row.case.stands_for_sweep or "error" in recorded):
        return False  # One dtype of a sweep is enough here.
    return not (recorded.get("aborts") or reads_anything or any(x in text for x in _LACKING))


@pytest.mark.parametrize(
    "row", [pytest.param(row, id=row.case.key) for row in ROWS if _is_comparable(row)]
)
def test_row(tf: Any, row: Row) -> None:
    recorded, found = _recorded(row), driver.run_eagerly(tf, row.case)
    assert found.get("error") == recorded.get("error")
    if "error" in found:
        return
    for part in ("outputs", "after"):
        expected = store.unpack(recorded.get(part, row.golden.get(part, [])))
        assert len(found[part]) == len(expected)
        for i, (ours, theirs) in enumerate(zip(found[part], expected, strict=True)):
            assert_close(row, f"{part} {i}", ours, theirs)
    gradients = recorded.get("gradients", row.golden.get("gradients"))
    if _is_error(gradients) or "gradients" not in found:
        # Other errors are those of kernels that TensorFlow lacks, and of its gradients' code.
        if gradients is None or gradients[0] == "LookupError":
            assert found.get("gradients") == gradients
    else:
        assert not _is_error(found["gradients"]), found["gradients"]
        assert_same_gradients(row, found["gradients"], gradients)
