"""What was shown before (`tensorflow.python.debug.cli.curses_widgets`)."""

from __future__ import annotations

from tf1compat.api.debug.cli import debugger_cli_common as common


class NavigationHistoryItem:
    """What was shown.

    Args:
      command: what was typed.
      screen_output: what was shown.
      scroll_position: its first row that was seen.
    """

    def __init__(
        self, command: str, screen_output: common.RichTextLines | None, scroll_position: int
    ):
        self.command = command
        self.screen_output = screen_output
        self.scroll_position = scroll_position


class CursesNavigationHistory:
    """What was shown, in which one can go back and forward.

    Args:
      capacity: how much of it is kept.

    Raises:
      ValueError: that is nothing.
    """

    BACK_ARROW_TEXT = "<--"
    FORWARD_ARROW_TEXT = "-->"

    def __init__(self, capacity: int):
        if capacity <= 0:
            raise ValueError(f"In valid capacity value: {capacity}")
        self._capacity = capacity
        self._items: list[NavigationHistoryItem] = []
        self._at = -1

    def add_item(
        self, command: str, screen_output: common.RichTextLines | None, scroll_position: int
    ) -> None:
        """Adds what was shown, and goes there: what one could go forward to is gone.

        Args:
          command, screen_output, scroll_position: see `NavigationHistoryItem`.
        """
        shown = NavigationHistoryItem(command, screen_output, scroll_position)
        self._items = [*self._items[: self._at + 1], shown][-self._capacity :]
        self._at = len(self._items) - 1

    def _here(self) -> NavigationHistoryItem:
        if not self._items:
            raise ValueError("Empty navigation history")
        return self._items[self._at]

    def update_scroll_position(self, new_scroll_position: int) -> None:
        """Sets the first row that is seen of what is shown.

        Args:
          new_scroll_position: the row.

        Raises:
          ValueError: there is nothing.
        """
        self._here().scroll_position = new_scroll_position

    def size(self) -> int:
        """How much there is."""
        return len(self._items)

    def pointer(self) -> int:
        """Where one is; -1 if there is nothing."""
        return self._at

    def can_go_back(self) -> bool:
        """Whether something was shown before."""
        return self._at > 0

    def can_go_forward(self) -> bool:
        """Whether something was shown after."""
        return self._at + 1 < len(self._items)

    def go_back(self) -> NavigationHistoryItem:
        """Goes to what was shown before, if there is any.

        Returns:
          What is there.

        Raises:
          ValueError: there is nothing.
        """
        self._here()
        self._at -= self.can_go_back()
        return self._here()

    def go_forward(self) -> NavigationHistoryItem:
        """Goes to what was shown after, if there is any.

        Returns:
          What is there.

        Raises:
          ValueError: there is nothing.
        """
        self._here()
        self._at += self.can_go_forward()
        return self._here()

    def render(
        self, max_length: int, backward_command: str, forward_command: str,
        latest_command_attribute: str = "black_on_white",
        old_command_attribute: str = "magenta_on_white",
    ) -> common.RichTextLines:  # fmt: skip
        """The bar with the arrows and the command.

        Args:
          max_length: how long it may be.
          backward_command, forward_command: what the arrows stand for.
          latest_command_attribute, old_command_attribute: how the last command looks, and how
            one before it.
        """
        arrows = (
            (self.BACK_ARROW_TEXT, backward_command, self.can_go_back()),
            (self.FORWARD_ARROW_TEXT, forward_command, self.can_go_forward()),
        )
        bar = common.RichLine("|")
        for text, command, goes in arrows:
            item = common.MenuItem(None, command) if goes else None
            bar = bar + " " + common.RichLine(text, item)
        if self._items:
            bar += " | "
            looks = latest_command_attribute
            back = len(self._items) - 1 - self._at
            if back:
                looks = old_command_attribute
                bar += common.RichLine(f"(-{back}) ", looks)
            room = max(max_length - len(bar), 0)
            shown = self._here().command[:room]
            bar += common.RichLine(shown, looks if shown else None)
        return common.rich_text_lines_from_rich_line_list([bar])
