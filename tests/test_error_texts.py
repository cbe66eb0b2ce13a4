"""What mistakes raise, against the class and the text that TensorFlow 1.15 raised."""

from __future__ import annotations

from pathlib import Path

import error_cases
import pytest
import recording

GOLDENS = recording.read_json(str(Path(recording.DATA) / "errors.json"))


@pytest.mark.parametrize(
    ("name", "function"), error_cases.CASES, ids=[n for n, _ in error_cases.CASES]
)
def test_error(tf, name, function):
    actual, expected = recording.raised(tf, function), GOLDENS[name]
    if actual != expected:
        here = "nothing" if actual is None else f"{actual['class']}: {actual['text']}"
        text = f"TensorFlow raises\n  {expected['class']}: {expected['text']}\nhere\n  {here}"
        pytest.fail(text, pytrace=False)


def test_every_case_is_recorded():
    assert set(GOLDENS) == {name for name, _ in error_cases.CASES}
