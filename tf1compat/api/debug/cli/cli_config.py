"""Settings of the debugger's prompt (`tensorflow.python.debug.cli.cli_config`)."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import Any

from tf1compat.api.debug.cli.debugger_cli_common import (
    RichLine,
    RichTextLines,
    rich_text_lines_from_rich_line_list,
)
from tf1compat.api.platform import gfile

_YES = ("1", "true", "t", "yes", "y", "on")
_NO = ("0", "false", "f", "no", "n", "off")


class CLIConfig:
    """The settings, which are kept in a file once one is set.

    Args:
      config_file_path: the file; ~/.tfdbg_config if None.
    """

    def __init__(self, config_file_path: str | None = None):
        self._path = config_file_path or os.path.join(os.path.expanduser("~"), ".tfdbg_config")
        self._values: dict[str, Any] = {"graph_recursion_depth": 20, "mouse_mode": True}
        self._callbacks: dict[str, Callable[[CLIConfig], Any]] = {}
        if gfile.Exists(self._path):
            with gfile.Open(self._path, "r") as file:
                self._values.update(json.load(file))

    def get(self, property_name: str) -> Any:
        """A setting.

        Raises:
          KeyError: there is none of the name.
        """
        if property_name not in self._values:
            raise KeyError(f"{property_name} is not a valid property name.")
        return self._values[property_name]

    def set(self, property_name: str, property_val: Any) -> None:
        """Sets and keeps a setting, of the type that it has.

        Raises:
          KeyError: there is none of the name.
          ValueError: a text that is no such value.
        """
        before = self.get(property_name)
        value = property_val
        if isinstance(before, bool) and isinstance(value, str):
            if value.lower() not in (*_YES, *_NO):
                raise ValueError(f"Invalid string value for bool type: {value}")
            value = value.lower() in _YES
        self._values[property_name] = type(before)(value)
        with gfile.Open(self._path, "w") as file:
            json.dump(self._values, file)
        if property_name in self._callbacks:
            self._callbacks[property_name](self)

    def set_callback(self, property_name: str, callback: Callable[[CLIConfig], Any]) -> None:
        """Has a function called whenever a setting is set.

        Args:
          property_name: which one.
          callback: a function of these settings.

        Raises:
          KeyError: there is none of the name.
          TypeError: it is no function.
        """
        if property_name not in self._values:
            raise KeyError(f"{property_name} is not a valid property name.")
        if not callable(callback):
            raise TypeError("The callback object provided is not callable.")
        self._callbacks[property_name] = callback

    def summarize(self, highlight: str | None = None) -> RichTextLines:
        """Lines that show the settings.

        Args:
          highlight: which of them is marked.
        """
        lines: list[RichLine | str] = [RichLine("Command-line configuration:", "bold"), ""]
        for name, value in self._values.items():
            attr = "bold" if name == highlight else None
            title = RichLine("  ") + RichLine(name, ["underline", attr]) + ": "
            lines.append(title + RichLine(str(value), attr))
        return rich_text_lines_from_rich_line_list(lines)
