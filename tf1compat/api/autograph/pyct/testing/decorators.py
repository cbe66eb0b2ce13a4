"""Decorators to try the toolbox on."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any


def wrapping_decorator(f: Callable[..., Any]) -> Callable[..., Any]:
    """A decorator whose function says what it wraps."""

    @functools.wraps(f)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        return f(*args, **kwargs)

    return wrapper


def standalone_decorator(f: Callable[..., Any]) -> Callable[..., Any]:
    """A decorator whose function doesn't."""

    def standalone_wrapper(*args: Any, **kwargs: Any) -> Any:
        return f(*args, **kwargs)

    return standalone_wrapper


def functional_decorator() -> Callable[..., Any]:
    """A decorator that takes arguments: none."""

    def decorator(f: Callable[..., Any]) -> Callable[..., Any]:
        def functional_wrapper(*args: Any, **kwargs: Any) -> Any:
            return f(*args, **kwargs)

        return functional_wrapper

    return decorator
