"""What the debugger's prompts have in common (`tensorflow.python.debug.cli.base_ui`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tf1compat.api.debug.cli import cli_config, command_parser
from tf1compat.api.debug.cli import debugger_cli_common as common

_CONFIG = command_parser.parser("config command")
_actions = _CONFIG.add_subparsers()
_set = _actions.add_parser("set")
_set.add_argument("property_name", type=str)
_set.add_argument("property_value", type=str)
_actions.add_parser("show")


class BaseUI:
    """A prompt without the reading and the showing.

    Args:
      on_ui_exit: called at the end.
      config: the settings.
    """

    CLI_PROMPT = "tfdbg> "
    CLI_EXIT_COMMANDS = ["exit", "quit"]
    ERROR_MESSAGE_PREFIX = "ERROR: "
    INFO_MESSAGE_PREFIX = "INFO: "

    def __init__(
        self,
        on_ui_exit: Callable[[], None] | None = None,
        config: cli_config.CLIConfig | None = None,
    ):
        self._on_ui_exit = on_ui_exit
        self._config = config or cli_config.CLIConfig()
        self._command_handler_registry = common.CommandHandlerRegistry()
        self._tab_completion_registry = common.TabCompletionRegistry()
        registry = self._command_handler_registry
        first = [*self.CLI_EXIT_COMMANDS, registry.HELP_COMMAND, *registry.HELP_COMMAND_ALIASES]
        self._tab_completion_registry.register_tab_comp_context([""], first)
        self.register_command_handler(
            "config", self._config_command_handler, _CONFIG.format_help(), prefix_aliases=["cfg"]
        )

    @property
    def config(self) -> cli_config.CLIConfig:
        """The settings."""
        return self._config

    def set_help_intro(self, help_intro: common.RichTextLines | None) -> None:
        """Sets the lines that "help" begins with.

        Args:
          help_intro: the lines.
        """
        self._command_handler_registry.set_help_intro(help_intro)

    def register_command_handler(
        self, prefix: str, handler: Callable[..., Any], help_info: str,
        prefix_aliases: Sequence[str] | None = None,
    ) -> None:  # fmt: skip
        """Adds a command, whose names are completed.

        Args:
          prefix, handler, help_info, prefix_aliases: see
            `CommandHandlerRegistry.register_command_handler`.
        """
        self._command_handler_registry.register_command_handler(
            prefix, handler, help_info, prefix_aliases=prefix_aliases
        )
        names = [prefix, *(prefix_aliases or ())]
        self._tab_completion_registry.extend_comp_items("", names)

    def register_tab_comp_context(self, *args: Any, **kwargs: Any) -> None:
        """See `TabCompletionRegistry.register_tab_comp_context`."""
        self._tab_completion_registry.register_tab_comp_context(*args, **kwargs)

    def run_ui(
        self, init_command: str | None = None, title: str | None = None,
        title_color: str | None = None, enable_mouse_on_start: bool = True,
    ) -> Any:  # fmt: skip
        """Reads commands until one of them ends it.

        Args:
          init_command: the first one.
          title: what is shown before.
          title_color: how that looks.
          enable_mouse_on_start: whether a mouse is used.

        Returns:
          The exit token.

        Raises:
          NotImplementedError: it is none of the prompts that read.
        """
        raise NotImplementedError("run_ui() is not implemented in BaseUI")

    def _parse_command(self, command: str) -> tuple[str, list[str], str | None]:
        """The name, the words and the file of what was typed.

        Raises:
          SyntaxError: ">" is last.
        """
        words, path = command_parser.extract_output_file_path(
            command_parser.parse_command(command.strip())
        )
        return (words[0] if words else ""), words[1:], path

    def _analyze_tab_complete_input(self, text: str) -> tuple[str, str, str]:
        """What follows what: the first word, how the last one begins, and all before that."""
        line = text.lstrip()
        head, space, last = line.rpartition(" ")
        return (head.split()[0] if head else ""), last, head + space

    def _config_command_handler(
        self, args: list[str], screen_info: dict[str, Any] | None = None
    ) -> common.RichTextLines:
        del screen_info
        parsed = _CONFIG.parse_args(args)
        if not hasattr(parsed, "property_name"):
            return self._config.summarize()
        self._config.set(parsed.property_name, parsed.property_value)
        return self._config.summarize(highlight=parsed.property_name)
