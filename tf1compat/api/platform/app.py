"""`tf.app.run`: the entry point of scripts that use flags."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

from absl import app as _app

from tf1compat.api.platform import flags
from tf1compat.core.export import tf_export


def _parse_known(argv: Sequence[str] | None) -> list[str]:
    """Parses the defined flags; unknown ones are left for `main` (absl alone refuses them)."""
    return flags.FLAGS(sys.argv if argv is None else argv, known_only=True)


@tf_export("app.run")
def run(main: Callable[..., Any] | None = None, argv: Sequence[str] | None = None) -> None:
    """Parses flags, calls `main` with the remaining arguments and exits with what it returns.

    Args:
      main: the function to call; by default `main` of the script.
      argv: the command line, the program's name first; by default `sys.argv`.
    """
    _app.run(
        main or sys.modules["__main__"].main,
        argv=None if argv is None else list(argv),
        flags_parser=_parse_known,
    )
