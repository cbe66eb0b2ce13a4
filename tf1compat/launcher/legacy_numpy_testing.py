"""`numpy.testing.decorators` and what else of `numpy.testing` was made for nose."""

from __future__ import annotations

import sys
import unittest
import warnings
from collections.abc import Callable
from typing import Any


class KnownFailureException(Exception):
    """`numpy.testing.KnownFailureException`: of a test that is known to fail."""


class Tester:
    """`numpy.testing.Tester`, by which packages offered their tests as `package.test()`."""

    def __init__(self, package: Any = None, raise_warnings: str = "release", depth: int = 0):
        self.package = package

    def test(self, *args: Any, **kwargs: Any) -> None:
        """Raises NotImplementedError."""
        raise NotImplementedError(
            "numpy.testing.Tester runs tests by nose, which no Python since 3.10 runs; "
            "pytest --pyargs PACKAGE runs most of them"
        )

    bench = test


def run_module_suite(file_to_run: str | None = None, argv: Any = None) -> None:
    """`numpy.testing.run_module_suite`: runs the tests of a file, by pytest.

    Args:
      file_to_run: the file; by default the script.
      argv: unused.

    Raises:
      SystemExit: with pytest's exit code.
    """
    import pytest

    sys.exit(pytest.main([file_to_run or sys.modules["__main__"].__file__ or "."]))


def setastest(tf: bool = True) -> Callable[[Any], Any]:
    """`dec.setastest`: whether a function is a test."""

    def decorate(function: Any) -> Any:
        function.__test__ = tf
        return function

    return decorate


def slow(t: Any) -> Any:
    """`dec.slow`: marks a test."""
    t.slow = True
    return t


def skipif(skip_condition: Any, msg: str | None = None) -> Callable[[Any], Any]:
    """`dec.skipif`: skips a test where the condition, or what it returns, is true."""
    skip = skip_condition() if callable(skip_condition) else skip_condition
    return unittest.skipIf(bool(skip), msg or "Test skipped due to test condition")


def knownfailureif(fail_condition: Any, msg: str | None = None) -> Callable[[Any], Any]:
    """`dec.knownfailureif`: leaves out a test that is known to fail."""
    return skipif(fail_condition, msg or "Test skipped due to known failure")


def deprecated(conditional: Any = True) -> Callable[[Any], Any]:
    """`dec.deprecated`: warnings of deprecated names are not told."""

    def decorate(function: Any) -> Any:
        def test(*args: Any, **kwargs: Any) -> None:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", DeprecationWarning)
                function(*args, **kwargs)

        return test if conditional else function

    return decorate
