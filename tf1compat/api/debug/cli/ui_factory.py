"""Which prompt there is (`tensorflow.python.debug.cli.ui_factory`)."""

from __future__ import annotations

from collections.abc import Callable

from tf1compat.api.debug.cli.base_ui import BaseUI
from tf1compat.api.debug.cli.cli_config import CLIConfig
from tf1compat.api.debug.cli.readline_ui import ReadlineUI

SUPPORTED_UI_TYPES = ["curses", "readline"]


def get_ui(
    ui_type: str | None,
    on_ui_exit: Callable[[], None] | None = None,
    available_ui_types: list[str] | None = None,
    config: CLIConfig | None = None,
) -> BaseUI:
    """A prompt: the plain one, which TF 1.15 has too where there is no curses.

    Args:
      ui_type: one of `available_ui_types`.
      on_ui_exit, config: see `ReadlineUI`.
      available_ui_types: "curses" and "readline" if None.

    Raises:
      ValueError: it is of no type that there is.
    """
    if ui_type and ui_type not in (available_ui_types or SUPPORTED_UI_TYPES):
        raise ValueError(f"Invalid ui_type: '{ui_type}'")
    return ReadlineUI(on_ui_exit, config)
