"""`nose.tools`, which no Python since 3.10 runs: assertions as functions, and marks of tests."""

from __future__ import annotations

import functools
import re
import unittest
from collections.abc import Callable
from typing import Any

_CASE = unittest.TestCase()
_CASE.maxDiff = None


def eq_(a: Any, b: Any, msg: str | None = None) -> None:
    """`nose.tools.eq_`: the values are equal."""
    if a != b:
        raise AssertionError(msg or f"{a!r} != {b!r}")


def ok_(expr: Any, msg: str | None = None) -> None:
    """`nose.tools.ok_`: the value is true."""
    if not expr:
        raise AssertionError(msg)


def raises(*exceptions: type[BaseException]) -> Callable[[Any], Any]:
    """`nose.tools.raises`: the test passes if it raises one of these.

    Args:
      *exceptions: classes.

    Returns:
      A decorator.
    """

    def decorate(function: Any) -> Any:
        @functools.wraps(function)
        def test(*args: Any, **kwargs: Any) -> None:
            try:
                function(*args, **kwargs)
            except exceptions:
                return
            names = " or ".join(cls.__name__ for cls in exceptions)
            raise AssertionError(f"{function.__name__}() did not raise {names}")

        return test

    return decorate


def istest(func: Any) -> Any:
    """`nose.tools.istest`: the function or class is a test."""
    func.__test__ = True
    return func


def nottest(func: Any) -> Any:
    """`nose.tools.nottest`: the function or class is none."""
    func.__test__ = False
    return func


def with_setup(setup: Any = None, teardown: Any = None) -> Callable[[Any], Any]:
    """`nose.tools.with_setup`: what runs before and after the test."""

    def decorate(function: Any) -> Any:
        @functools.wraps(function)
        def test(*args: Any, **kwargs: Any) -> None:
            if setup:
                setup()
            try:
                function(*args, **kwargs)
            finally:
                if teardown:
                    teardown()

        return test

    return decorate


def attr(*names: str, **values: Any) -> Callable[[Any], Any]:
    """`nose.plugins.attrib.attr`: attributes by which tests are chosen."""

    def decorate(test: Any) -> Any:
        for name, value in {**dict.fromkeys(names, True), **values}.items():
            setattr(test, name, value)
        return test

    return decorate


def _functions() -> dict[str, Any]:
    """`assert_is_none` for `assertIsNone`, and the others."""
    found = {}
    for name in dir(_CASE):
        if name.startswith("assert"):
            words = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()
            found[words] = getattr(_CASE, name)
    for old, new in (
        ("assert_equals", "assert_equal"),
        ("assert_not_equals", "assert_not_equal"),
        ("assert_almost_equals", "assert_almost_equal"),
        ("assert_items_equal", "assert_count_equal"),
        ("assert_raises_regexp", "assert_raises_regex"),
        ("assert_regexp_matches", "assert_regex"),
    ):
        found[old] = found[new]
    return found


globals().update(_functions())
