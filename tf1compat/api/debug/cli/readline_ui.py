"""The debugger's prompt (`tensorflow.python.debug.cli.readline_ui`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.debug.cli import base_ui
from tf1compat.api.debug.cli import debugger_cli_common as common


class ReadlineUI(base_ui.BaseUI):
    """A prompt: reads commands from standard input and prints what they give.

    The arguments are those of `BaseUI`.
    """

    def run_ui(
        self, init_command: str | None = None, title: str | None = None,
        title_color: str | None = None, enable_mouse_on_start: bool = True,
    ) -> Any:  # fmt: skip
        """Reads commands until one of them ends it.

        Args:
          init_command: the first one.
          title: what is printed before.
          title_color, enable_mouse_on_start: have no meaning.

        Returns:
          The exit token of the `CommandLineExit`; `EXPLICIT_USER_EXIT`.
        """
        del title_color, enable_mouse_on_start
        self._init_input()
        print(title)
        token = self._dispatch_command(init_command) if init_command is not None else None
        while token is None:
            token = self._dispatch_command(self._get_user_command())
        if self._on_ui_exit is not None:
            self._on_ui_exit()
        return token

    def _init_input(self) -> None:
        try:
            import readline
        except ImportError:  # Python without it has a prompt all the same.
            return
        readline.set_completer_delims("\n")
        readline.set_completer(self._readline_complete)
        readline.parse_and_bind("tab: complete")

    def _readline_complete(self, text: str, state: int) -> str | None:
        context, word, before = self._analyze_tab_complete_input(text)
        items, _ = self._tab_completion_registry.get_completions(context, word)
        found = [before + item for item in items or ()]
        return found[state] if state < len(found) else None

    def _get_user_command(self) -> str:
        print()
        return input(self.CLI_PROMPT).strip()

    def _dispatch_command(self, command: str) -> Any:
        """Does what a command says; gives an exit token, or None."""
        if command in self.CLI_EXIT_COMMANDS:
            return common.EXPLICIT_USER_EXIT
        try:
            prefix, args, path = self._parse_command(command)
        except SyntaxError as error:
            print(error)
            return None
        output = None
        if self._command_handler_registry.is_registered(prefix):
            try:
                output = self._command_handler_registry.dispatch_command(prefix, args)
            except common.CommandLineExit as end:
                return end.exit_token
        else:
            message = f'{self.ERROR_MESSAGE_PREFIX}Invalid command prefix "{prefix}"'
            output = common.RichTextLines([message])
        self._display_output(output)
        if path and output is not None:
            try:
                output.write_to_file(path)
                print(f"Wrote output to {path}")
            except Exception:
                print(f"Failed to write output to {path}")
        return None

    def _display_output(self, screen_output: common.RichTextLines | None) -> None:
        for line in screen_output.lines if screen_output is not None else ():
            print(line)
