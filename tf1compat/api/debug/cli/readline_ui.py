"""The debugger's prompt (`tensorflow.python.debug.cli.readline_ui`)."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np

import tf1compat
from tf1compat.api.debug.cli import cli_config, command_parser
from tf1compat.api.platform import gfile
from tf1compat.core.export import required

_PROMPT = "tfdbg> "
_EXITS = ("exit", "quit")
# What a prompt gives whose user has asked to exit.
EXPLICIT_USER_EXIT = "explicit_user_exit"

_CONFIG = command_parser.parser("config command")
_actions = _CONFIG.add_subparsers()
_set = _actions.add_parser("set")
_set.add_argument("property_name", type=str)
_set.add_argument("property_value", type=str)
_actions.add_parser("show")

Command = Callable[[list[str]], "list[str]"]


class CommandLineExit(Exception):
    """Ends a prompt.

    Args:
      exit_token: what the prompt gives.
    """

    def __init__(self, exit_token: Any = None):
        super().__init__()
        self.exit_token = exit_token


class _Entry(NamedTuple):
    run: Command
    help: str
    alias: str


def version_lines() -> list[str]:
    """What is said of the version."""
    return [f"TensorFlow version: {required('VERSION')}", ""]


class ReadlineUI:
    """A prompt: reads commands from standard input and prints what they give.

    Args:
      on_ui_exit: called at the end.
      config: the settings.
    """

    def __init__(
        self,
        on_ui_exit: Callable[[], None] | None = None,
        config: cli_config.CLIConfig | None = None,
    ):
        self.config = config or cli_config.CLIConfig()
        self._on_ui_exit = on_ui_exit
        self._commands: dict[str, _Entry] = {}
        self._completions: dict[str, list[str]] = {}
        self._intro: list[str] = []
        self.register_command_handler("help", self._help, "Print this help message.", "h")
        self.register_command_handler(
            "version",
            lambda args: [
                *version_lines(), "Dependency version(s):", f"  numpy: {np.__version__}",
                f"  tf1compat: {tf1compat.__version__}", "",
            ],
            "Print the versions of TensorFlow and its key dependencies.",
            "ver",
        )  # fmt: skip
        self.register_command_handler("config", self._configure, _CONFIG.format_help(), "cfg")

    def register_command_handler(
        self, name: str, handler: Command, help_info: str, alias: str
    ) -> None:
        """Adds a command.

        Args:
          name, alias: what it is called.
          handler: a function of its words that gives lines.
          help_info: what "help" says.
        """
        self._commands[name] = _Entry(handler, help_info, alias)

    def register_tab_comp_context(self, context_words: Iterable[str], items: list[str]) -> None:
        """Says what may follow some commands, for the completion of words."""
        self._completions.update(dict.fromkeys(context_words, sorted(set(items))))

    def set_help_intro(self, help_intro: list[str]) -> None:
        """Sets the lines that "help" begins with."""
        self._intro = help_intro

    def run_ui(self, init_command: str | None = None, title: str | None = None) -> Any:
        """Reads commands until one of them ends it.

        Args:
          init_command: the first one.
          title: what is printed before.

        Returns:
          The exit token of the `CommandLineExit`; `EXPLICIT_USER_EXIT`.
        """
        self._bind_keys()
        print(title)
        token = self._dispatch(init_command) if init_command is not None else None
        while token is None:
            print()
            token = self._dispatch(input(_PROMPT).strip())
        if self._on_ui_exit is not None:
            self._on_ui_exit()
        return token

    def _bind_keys(self) -> None:
        try:
            import readline
        except ImportError:  # Python without it has a prompt all the same.
            return
        readline.set_completer_delims("\n")
        readline.set_completer(self._complete)
        readline.parse_and_bind("tab: complete")

    def _complete(self, text: str, state: int) -> str | None:
        head, space, word = text.lstrip().rpartition(" ")
        if space:
            items = self._completions.get(head.split()[0] if head else "", [])
        else:
            names = (name for key, entry in self._commands.items() for name in (key, entry.alias))
            items = sorted([*names, *_EXITS])
        found = [f"{head}{space}{item}" for item in items if item.startswith(word)]
        return found[state] if state < len(found) else None

    def _find(self, name: str) -> str | None:
        if name in self._commands:
            return name
        return next((key for key, entry in self._commands.items() if entry.alias == name), None)

    def _dispatch(self, command: str) -> Any:
        """Does what a command says; gives an exit token, or None."""
        if command in _EXITS:
            return EXPLICIT_USER_EXIT
        try:
            words, path = command_parser.extract_output_file_path(
                command_parser.parse_command(command)
            )
        except SyntaxError as error:
            print(error)
            return None
        prefix, args = (words[0], words[1:]) if words else ("", [])
        name = self._find(prefix)
        try:
            if name is None:
                lines = [f'ERROR: Invalid command prefix "{prefix}"']
            else:
                lines = self._commands[name].run(args)
        except CommandLineExit as end:
            return end.exit_token
        except SystemExit:
            lines = [f"Syntax error for command: {prefix}", f'For help, do "help {prefix}"']
        except Exception as error:
            lines = [
                f"Error occurred during handling of command: {name} {' '.join(args)}:",
                f"{type(error)}: {error}",
                "",
                *traceback.format_exc().split("\n"),
            ]
        for line in lines:
            print(line)
        if path:
            try:
                with gfile.Open(path, "w") as file:
                    file.write("".join(f"{line}\n" for line in lines))
                print(f"Wrote output to {path}")
            except Exception:
                print(f"Failed to write output to {path}")
        return None

    def _configure(self, args: list[str]) -> list[str]:
        parsed = _CONFIG.parse_args(args)
        if hasattr(parsed, "property_name"):
            self.config.set(parsed.property_name, parsed.property_value)
        return self.config.summarize()

    def _help(self, args: list[str]) -> list[str]:
        if not args:
            entries = (self._help_of(name) for name in sorted(self._commands))
            return [*self._intro, *(line for lines in entries for line in [*lines, "", ""])]
        if len(args) > 1:
            return ["ERROR: help takes only 0 or 1 input argument."]
        name = self._find(args[0])
        return [f'Invalid command prefix: "{args[0]}"'] if name is None else self._help_of(name)

    def _help_of(self, name: str) -> list[str]:
        entry = self._commands[name]
        lines = [name, f"  Aliases: {entry.alias}", ""]
        return [*lines, *(f"  {line}" for line in entry.help.split("\n"))]
