"""Tests of what the prompt shows (`tensorflow.python.debug.cli.cli_test_utils`)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import numpy as np

_BETWEEN_NUMBERS = re.compile(r"(?:array|[()\[\]|,\s])+")


def assert_lines_equal_ignoring_whitespace(
    test: Any, expected_lines: Iterable[str], actual_lines: Iterable[str]
) -> None:
    """Asserts that lines are the same without their spaces.

    Args:
      test: the test case.
      expected_lines, actual_lines: the lines.
    """
    expected, actual = list(expected_lines), list(actual_lines)
    counts = f"{len(expected)} vs {len(actual)}"
    test.assertEqual(len(expected), len(actual), f"Mismatch in the number of lines: {counts}")
    for wanted, line in zip(expected, actual, strict=True):
        test.assertEqual("".join(wanted.split()), "".join(line.split()))


def assert_array_lines_close(test: Any, expected_array: Any, array_lines: Iterable[str]) -> None:
    """Asserts that lines show an array's numbers, whatever its shape.

    Args:
      test: the test case.
      expected_array: the array.
      array_lines: the lines, as "array([[1.0, 2.0], [3.0, 4.0]])".
    """
    texts = _BETWEEN_NUMBERS.split(" ".join(array_lines))
    shown = [float(text) for text in texts if text]
    test.assertAllClose(np.ravel(expected_array), shown)
