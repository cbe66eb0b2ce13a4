"""What the command lines of TF's tools have in common."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from tf1compat.api.platform import app


class Option(NamedTuple):
    """An option of a command line; `bool` ones are given as "--x", "--x=true" or "--x=false"."""

    name: str
    default: Any = ""
    help: str | None = None
    kind: Any = str
    more: dict[str, Any] = {}


def parser_of(options: Iterable[Option]) -> argparse.ArgumentParser:
    """A parser of these options.

    Args:
      options: the options, named without "--".
    """
    parser = argparse.ArgumentParser()
    for option in options:
        kind, more = option.kind, option.more
        if kind is bool:
            kind, more = _is_true, {"nargs": "?", "const": True}
        parser.add_argument(
            f"--{option.name}", type=kind, default=option.default, help=option.help, **more
        )
    return parser


def _is_true(text: str) -> bool:
    return text.lower() == "true"


def run(options: Iterable[Option], main: Callable[[Any, argparse.Namespace], Any]) -> None:
    """Parses the command line, calls `main`, and exits.

    Args:
      options: the options.
      main: takes what is left of the command line, and the options' values.
    """
    values, rest = parser_of(options).parse_known_args()
    app.run(lambda left: main(left, values), [sys.argv[0], *rest])
