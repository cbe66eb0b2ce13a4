"""The prompt that fills the screen (`tensorflow.python.debug.cli.curses_ui`): refused."""

from __future__ import annotations

from typing import Any

from tf1compat.api.debug.cli import base_ui
from tf1compat.api.debug.cli.debugger_cli_common import RichTextLines


class ScrollBar:
    """A scroll bar at the right of some lines.

    Args:
      min_x, min_y, max_x, max_y: where it is on the screen.
      scroll_position: the first row that is seen.
      output_num_rows: how many rows there are.

    Raises:
      ValueError: it is too low for what it consists of.
    """

    BASE_ATTR = "black_on_white"

    def __init__(
        self, min_x: int, min_y: int, max_x: int, max_y: int, scroll_position: int,
        output_num_rows: int,
    ):  # fmt: skip
        self._top = min_y
        self._width = max_x - min_x + 1
        self._height = max_y - min_y + 1
        if self._height < 4:
            raise ValueError(f"Insufficient height for ScrollBar ({self._height})")
        # The block is between the two ends, each of which has a line.
        share = scroll_position / max(output_num_rows - 1, 1)
        self._block = 1 + min(int(share * (self._height - 3)), self._height - 3)

    def layout(self) -> RichTextLines:
        """The lines of the bar."""
        texts = {0: "UP", self._height - 1: "DN"}
        lines = [
            texts.get(y, "").ljust(self._width)[: self._width] for y in range(self._height)
        ]  # fmt: skip
        marked = (0, self._width, self.BASE_ATTR)
        return RichTextLines(lines, {y: [marked] for y in (*texts, self._block)})

    def get_click_command(self, mouse_y: int) -> str | None:
        """What a click says.

        Args:
          mouse_y: its line on the screen.

        Returns:
          Where to scroll; None if nowhere.
        """
        y = mouse_y - self._top
        if y not in range(self._height) or y == self._block:
            return None
        if y in (0, self._height - 1):
            return "down_a_line" if y else "up_a_line"
        return "up" if y < self._block else "down"


class CursesUI(base_ui.BaseUI):
    """Refused: the plain prompt does all that it does but for the mouse and the colors."""

    def __init__(self, on_ui_exit: Any = None, config: Any = None):
        raise NotImplementedError(
            "CursesUI, a prompt that fills the screen, is not supported by tf1compat: use "
            'ReadlineUI (ui_type="readline"), which knows the same commands'
        )
