"""What a row gives beside its golden: values within what rounding explains, all else exactly."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pytest

from op_table import store
from op_table.batch import Result, Row

# Relative to the largest magnitude of what is compared (up to 1000): both sides sum in orders of
# their own.
TOLERANCE = {
    "float16": 2e-3,
    "float32": 1e-5,
    "float64": 1e-10,
    "complex64": 1e-5,
    "complex128": 1e-10,
}


def assert_close(
    row: Row, what: str, found: Any, expected: Any, scale: float | None = None
) -> None:
    """Compares dtype, shape and values; integers, bools and strings exactly.

    Args:
      row: the row, which may have a tolerance of its own.
      what: what is compared, for the text of a failure.
      found, expected: ours and TensorFlow's.
      scale: the magnitude that rounding errors come from; None for that of `expected`.
    """
    # As an array of bytes, text would lose zeros at its end.
    found = np.asarray(found, object if isinstance(found, bytes) else None)
    expected = np.asarray(expected)
    if expected.dtype.kind in "OS":
        assert found.astype(object).tolist() == expected.tolist(), what
        return
    assert found.dtype == expected.dtype, (
        f"{what}: dtype {found.dtype}, in TensorFlow {expected.dtype}"
    )
    assert found.shape == expected.shape, (
        f"{what}: shape {found.shape}, in TensorFlow {expected.shape}"
    )
    if expected.dtype.kind not in "fc":
        np.testing.assert_array_equal(found, expected, what)
        return
    tolerance = row.case.rtol or TOLERANCE[expected.dtype.name]
    scale = min(max(scale or scale_of([expected]), 1e-3), 1e3)
    wide = "complex128" if expected.dtype.kind == "c" else "float64"
    np.testing.assert_allclose(
        found.astype(wide), expected.astype(wide), tolerance, tolerance * scale, err_msg=what
    )


def scale_of(arrays: list) -> float:
    """The largest finite magnitude in some arrays."""
    finite = [np.abs(array[np.isfinite(array)]) for array in map(np.asarray, arrays)]
    return max((float(values.max()) for values in finite if values.size), default=1.0)


def assert_same_gradients(row: Row, found: Any, golden: Any) -> None:
    """Compares gradients with those of a golden: which are None, which are IndexedSlices, values.

    Args:
      row: the row.
      found: the gradients, IndexedSlices as dicts, or the exception that they raised.
      golden: as recorded, packed.
    """
    if isinstance(found, Exception):
        raise found
    expected = store.unpack(golden)
    assert [g is None for g in found] == [g is None for g in expected], "which gradients are None"
    # A sum over a broadcast operand is as exact as its terms, which are like the other gradients.
    dense = [g["values"] if isinstance(g, dict) else g for g in expected if g is not None]
    scale = scale_of([g for g in dense if g.dtype.kind in "fc"])
    for i, (ours, theirs) in enumerate(zip(found, expected, strict=True)):
        if theirs is None:
            continue
        assert isinstance(ours, dict) == isinstance(theirs, dict), f"gradient {i}: IndexedSlices"
        if isinstance(theirs, dict):
            assert_close(row, f"indices of gradient {i}", ours["indices"], theirs["indices"])
            ours, theirs = ours["values"], theirs["values"]
        assert_close(row, f"gradient {i}", ours, theirs, scale)


def assert_same(row: Row, result: Result) -> None:
    """Compares all that a golden has of a row's values: outputs, variables after the run,
    gradients and second gradients.

    Args:
      row: the row.
      result: what was made of it.
    """
    if result.error is not None:
        raise result.error
    expected = store.unpack(row.golden["outputs"])
    assert len(result.outputs) == len(expected)
    for i, (ours, theirs) in enumerate(zip(result.outputs, expected, strict=True)):
        assert_close(row, f"output {i}", ours, theirs)
    for i, theirs in enumerate(store.unpack(row.golden.get("after", []))):
        assert_close(row, f"variable {i} after the run", result.after[i], theirs)
    if row.has_gradients:
        assert_same_gradients(row, result.gradients, row.golden["gradients"])
    if isinstance(row.golden.get("second"), list):
        assert_same_gradients(row, result.second, row.golden["second"])


def assert_all_same(rows: Iterable[Row], results: Mapping[str, Result]) -> None:
    """Compares some rows, and names all that differ.

    Args:
      rows: the rows.
      results: what was made of them, by key.
    """
    failures = []
    for row in rows:
        try:
            assert_same(row, results[row.case.key])
        except Exception as error:
            failures.append(f"{row.case.key}: {type(error).__name__}: {error}")
    if failures:
        pytest.fail("\n".join(failures), pytrace=False)
