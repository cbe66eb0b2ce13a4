"""Functions and a class to try the toolbox on."""

from __future__ import annotations

from typing import Any


def simple_function(x: Any) -> Any:
    """Docstring."""
    return x  # A comment.


def nested_functions(x: Any) -> Any:
    """Docstring."""

    def inner_fn(y: Any) -> Any:
        return y

    return inner_fn(x)


def function_with_print() -> None:
    """Prints a word."""
    print("foo")


simple_lambda = lambda: None  # noqa: E731 # As the code of a lambda.


class SimpleClass:
    """Two methods."""

    def simple_method(self) -> Any:
        """The object."""
        return self

    def method_with_print(self) -> None:
        """Prints a word."""
        print("foo")


def function_with_multiline_call(x: Any) -> Any:
    """Docstring."""
    return range(
        x,
        x + 1,
    )
