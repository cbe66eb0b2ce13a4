"""What commands of the prompt show and how they are found, as lines with font attributes
(`tensorflow.python.debug.cli.debugger_cli_common`)."""

from __future__ import annotations

import copy
import os
import re
import traceback
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

import tf1compat
from tf1compat.api.platform import gfile
from tf1compat.core.export import required

HELP_INDENT = "  "
#: What a prompt gives whose user has asked to exit.
EXPLICIT_USER_EXIT = "explicit_user_exit"
#: The annotations of what was searched for, of the first row to show, and of the menu.
REGEX_MATCH_LINES_KEY = "regex_match_lines"
INIT_SCROLL_POS_KEY = "init_scroll_pos"
MAIN_MENU_KEY = "mm:"

# Where it begins, where it ends, and how it looks: a name, a menu item, or a list of these.
Segment = tuple[int, int, Any]


class CommandLineExit(Exception):
    """Ends a prompt.

    Args:
      exit_token: what the prompt gives.
    """

    def __init__(self, exit_token: Any = None):
        super().__init__()
        self._exit_token = exit_token

    @property
    def exit_token(self) -> Any:
        """What the prompt gives."""
        return self._exit_token


def _moved(segments: Iterable[Segment], by: int) -> list[Segment]:
    return [(begin + by, end + by, attr) for begin, end, attr in segments]


class RichLine:
    """A line with font attributes.

    Args:
      text: the text.
      font_attr: how all of it looks; lines that are added keep how each of them looks.
    """

    def __init__(self, text: str = "", font_attr: Any = None):
        self.text = text
        self.font_attr_segs: list[Segment] = [(0, len(text), font_attr)] if font_attr else []

    def __add__(self, other: RichLine | str) -> RichLine:
        tail = RichLine(other) if isinstance(other, str) else other
        if not isinstance(tail, RichLine):
            return NotImplemented
        joined = RichLine(self.text + tail.text)
        joined.font_attr_segs = [*self.font_attr_segs, *_moved(tail.font_attr_segs, len(self))]
        return joined

    def __len__(self) -> int:
        return len(self.text)


class RichTextLines:
    """Lines with font attributes and annotations.

    Args:
      lines: the lines; a text is one line.
      font_attr_segs: row -> its segments, each of a begin, an end and an attribute.
      annotations: row -> what is said of the line; other keys say something of all of them.

    Raises:
      ValueError: the lines are neither.
    """

    def __init__(
        self, lines: list[str] | str, font_attr_segs: dict[int, list[Segment]] | None = None,
        annotations: dict[Any, Any] | None = None,
    ):  # fmt: skip
        if isinstance(lines, str):
            lines = [lines]
        if not isinstance(lines, list):
            raise ValueError(f"Unexpected type in lines: {type(lines)}")
        self._lines = lines
        self._font_attr_segs = font_attr_segs or {}
        self._annotations = annotations or {}

    @property
    def lines(self) -> list[str]:
        """The texts."""
        return self._lines

    @property
    def font_attr_segs(self) -> dict[int, list[Segment]]:
        """Row -> segments."""
        return self._font_attr_segs

    @property
    def annotations(self) -> dict[Any, Any]:
        """What is said of lines, by their rows, and of all of them, by other keys."""
        return self._annotations

    def num_lines(self) -> int:
        """How many lines there are."""
        return len(self._lines)

    def slice(self, begin: int, end: int) -> RichTextLines:
        """Some of the lines, with what belongs to them.

        Args:
          begin: the first one.
          end: the one behind the last one.

        Raises:
          ValueError: one of them is negative.
        """
        if min(begin, end) < 0:
            raise ValueError("Encountered negative index.")
        here = range(begin, end)
        return RichTextLines(
            self._lines[begin:end],
            {row - begin: segs for row, segs in self._font_attr_segs.items() if row in here},
            {
                key - begin if isinstance(key, int) else key: note
                for key, note in self._annotations.items()
                if not isinstance(key, int) or key in here
            },
        )

    def extend(self, other: RichTextLines) -> None:
        """Adds lines at the end; of annotations of all lines theirs win.

        Args:
          other: the lines.
        """
        self._take(other, len(self._lines))
        self._lines.extend(other.lines)

    def _take(self, other: RichTextLines, by: int) -> None:
        """Takes what belongs to lines that are to be so much further down."""
        for row, segments in other.font_attr_segs.items():
            self._font_attr_segs[row + by] = segments
        for key, note in other.annotations.items():
            self._annotations[key + by if isinstance(key, int) else key] = note

    def _extend_before(self, other: RichTextLines) -> None:
        """Adds lines at the beginning; of annotations of all lines theirs win."""
        before = RichTextLines([], self._font_attr_segs, self._annotations)
        self._font_attr_segs, self._annotations = {}, {}
        self._take(before, len(other.lines))
        self._take(other, 0)
        self._lines = [*other.lines, *self._lines]

    def append(self, line: str, font_attr_segs: list[Segment] | None = None) -> None:
        """Adds a line at the end.

        Args:
          line: the text.
          font_attr_segs: its segments.
        """
        if font_attr_segs:
            self._font_attr_segs[len(self._lines)] = font_attr_segs
        self._lines.append(line)

    def append_rich_line(self, rich_line: RichLine) -> None:
        """Adds a line at the end.

        Args:
          rich_line: the line.
        """
        self.append(rich_line.text, rich_line.font_attr_segs)

    def prepend(self, line: str, font_attr_segs: list[Segment] | None = None) -> None:
        """Adds a line at the beginning.

        Args:
          line: the text.
          font_attr_segs: its segments.
        """
        self._extend_before(RichTextLines(line, {0: font_attr_segs} if font_attr_segs else None))

    def write_to_file(self, file_path: str) -> None:
        """Writes the texts to a file.

        Args:
          file_path: the file.
        """
        with gfile.Open(file_path, "w") as file:
            file.write("".join(f"{line}\n" for line in self._lines))


def rich_text_lines_from_rich_line_list(
    rich_text_list: Iterable[RichLine | str], annotations: dict[Any, Any] | None = None
) -> RichTextLines:
    """Lines from single ones.

    Args:
      rich_text_list: the lines: texts, or `RichLine`s.
      annotations: see `RichTextLines`.
    """
    made = RichTextLines([], annotations=annotations)
    for line in rich_text_list:
        made.append_rich_line(RichLine(line) if isinstance(line, str) else line)
    return made


def get_tensorflow_version_lines(include_dependency_versions: bool = False) -> RichTextLines:
    """What is said of the version.

    Args:
      include_dependency_versions: whether of what it is built on, too.
    """
    lines = [f"TensorFlow version: {required('VERSION')}", ""]
    if include_dependency_versions:
        built_on = (f"  numpy: {np.__version__}", f"  tf1compat: {tf1compat.__version__}")
        lines += ["Dependency version(s):", *built_on, ""]
    return RichTextLines(lines)


def regex_find(orig_screen_output: RichTextLines, regex: str, font_attr: Any) -> RichTextLines:
    """Marks what matches, and annotates in which rows it is.

    Args:
      orig_screen_output: the lines to search.
      regex: the regular expression.
      font_attr: how a match is to look.

    Returns:
      The same lines, with more segments.

    Raises:
      ValueError: it is no regular expression.
    """
    try:
        pattern = re.compile(regex)
    except re.error as wrong:
        raise ValueError(f'Invalid regular expression: "{regex}"') from wrong
    segments = {row: list(found) for row, found in orig_screen_output.font_attr_segs.items()}
    matching = []
    for row, line in enumerate(orig_screen_output.lines):
        marks = [(*match.span(), font_attr) for match in pattern.finditer(line)]
        if marks:
            matching.append(row)
            segments[row] = sorted([*segments.get(row, ()), *marks], key=lambda mark: mark[0])
    # The annotations are those of what was searched, as in TF 1.15.
    found = RichTextLines(orig_screen_output.lines, segments, orig_screen_output.annotations)
    found.annotations[REGEX_MATCH_LINES_KEY] = matching
    return found


def wrap_rich_text_lines(inp: RichTextLines, cols: int) -> tuple[RichTextLines, list[int]]:
    """Breaks lines that are too long.

    Args:
      inp: the lines.
      cols: how long a line may be.

    Returns:
      The lines, and of each line that there was the row where it begins.

    Raises:
      ValueError: the one are no lines, the other is no integer.
    """
    if not isinstance(inp, RichTextLines):
        raise ValueError("Invalid type of input screen_output")
    if not isinstance(cols, int):
        raise ValueError("Invalid type of input cols")
    wrapped = RichTextLines([])
    rows: list[int] = []
    for row, line in enumerate(inp.lines):
        rows.append(wrapped.num_lines())
        segments = inp.font_attr_segs.get(row, [])
        if len(line) <= cols:
            wrapped.append(line, list(segments))
            continue
        for at in range(0, len(line), cols):
            cut = ((max(begin - at, 0), min(end - at, cols), attr) for begin, end, attr in segments)
            wrapped.append(line[at : at + cols], [seg for seg in cut if seg[0] < seg[1]])
    for key, note in inp.annotations.items():
        if not isinstance(key, int):
            wrapped.annotations[key] = note
        elif key in range(len(rows)):
            wrapped.annotations[rows[key]] = note
    return wrapped, rows


class CommandHandlerRegistry:
    """The commands: of each a function of its words that gives lines, its help, its aliases."""

    HELP_COMMAND = "help"
    HELP_COMMAND_ALIASES = ["h"]
    VERSION_COMMAND = "version"
    VERSION_COMMAND_ALIASES = ["ver"]

    def __init__(self):
        self._handlers: dict[str, Callable[..., Any]] = {}
        self._help: dict[str, str] = {}
        self._aliases: dict[str, list[str]] = {}
        self._help_intro: RichTextLines | None = None
        self.register_command_handler(
            self.HELP_COMMAND, self._help_handler, "Print this help message.",
            prefix_aliases=self.HELP_COMMAND_ALIASES,
        )  # fmt: skip
        self.register_command_handler(
            self.VERSION_COMMAND,
            self._version_handler,
            "Print the versions of TensorFlow and its key dependencies.",
            prefix_aliases=self.VERSION_COMMAND_ALIASES,
        )

    def register_command_handler(
        self, prefix: str, handler: Callable[..., Any], help_info: str,
        prefix_aliases: Sequence[str] | None = None,
    ) -> None:  # fmt: skip
        """Adds a command.

        Args:
          prefix: its name.
          handler: a function `handler(argv, screen_info=None)` of its words that gives
            `RichTextLines`, or None.  It may raise `CommandLineExit`.
          help_info: what "help" says.
          prefix_aliases: other names.

        Raises:
          ValueError: the name is empty, or a name is there already; the handler is no function;
            the help is no text.
        """
        if not prefix:
            raise ValueError("Empty command prefix")
        if prefix in self._handlers:
            raise ValueError(f'A handler is already registered for command prefix "{prefix}"')
        if not callable(handler):
            raise ValueError("handler is not callable")
        if not isinstance(help_info, str):
            raise ValueError("help_info is not a str")
        aliases = list(prefix_aliases or ())
        for alias in aliases:
            if self.is_registered(alias):
                raise ValueError(
                    f'The prefix alias "{alias}" clashes with existing prefixes or aliases.'
                )
        self._handlers[prefix] = handler
        self._help[prefix] = help_info
        self._aliases[prefix] = aliases

    def _resolve_prefix(self, token: str) -> str | None:
        """The name of the command of a name or an alias."""
        if token in self._handlers:
            return token
        return next((name for name, others in self._aliases.items() if token in others), None)

    def is_registered(self, prefix: str) -> bool:
        """Whether there is a command of a name or an alias."""
        return self._resolve_prefix(prefix) is not None

    def dispatch_command(
        self, prefix: str, argv: list[str], screen_info: dict[str, Any] | None = None
    ) -> RichTextLines | None:
        """Does what a command says.

        Args:
          prefix: its name.
          argv: its words.
          screen_info: what is known of the screen, as {"cols": 80}.

        Returns:
          What the command shows; of a command that failed, how.

        Raises:
          ValueError: there is no such command, or it gave something else than lines.
          CommandLineExit: the command ends the prompt.
        """
        if not prefix:
            raise ValueError("Prefix is empty")
        name = self._resolve_prefix(prefix)
        if name is None:
            raise ValueError(f'No handler is registered for command prefix "{prefix}"')
        handler = self._handlers[name]
        try:
            output = handler(argv, screen_info=screen_info)
        except CommandLineExit:
            raise
        except SystemExit:  # That is how a parser says that it does not know the words.
            return RichTextLines(
                [f"Syntax error for command: {prefix}", f'For help, do "help {prefix}"']
            )
        except BaseException as failure:  # A command that is interrupted ends no prompt.
            return RichTextLines(
                [
                    f"Error occurred during handling of command: {name} {' '.join(argv)}:",
                    f"{type(failure)}: {failure}",
                    "",
                    *traceback.format_exc().split("\n"),
                ]
            )
        if output is None or isinstance(output, RichTextLines):
            return output
        raise ValueError(
            f"Return value from command handler {handler} is not None or a RichTextLines instance"
        )

    def set_help_intro(self, help_intro: RichTextLines | None) -> None:
        """Sets the lines that "help" begins with."""
        self._help_intro = help_intro

    def get_help(self, cmd_prefix: str | None = None) -> RichTextLines:
        """What "help" says.

        Args:
          cmd_prefix: of which command; of all of them if None.
        """
        if cmd_prefix:
            return RichTextLines(self._get_help_for_command_prefix(cmd_prefix))
        said = RichTextLines([])
        if self._help_intro:
            said.extend(self._help_intro)
        for name in sorted(self._handlers):
            said.extend(RichTextLines([*self._get_help_for_command_prefix(name), "", ""]))
        return said

    def _get_help_for_command_prefix(self, cmd_prefix: str) -> list[str]:
        name = self._resolve_prefix(cmd_prefix)
        if name is None:
            return [f'Invalid command prefix: "{cmd_prefix}"']
        aliases = ", ".join(self._aliases[name])
        lines = [name, *([f"{HELP_INDENT}Aliases: {aliases}"] if aliases else ()), ""]
        return [*lines, *(HELP_INDENT + line for line in self._help[name].split("\n"))]

    def _help_handler(
        self, args: list[str], screen_info: dict[str, Any] | None = None
    ) -> RichTextLines:
        del screen_info
        if len(args) > 1:
            return RichTextLines(["ERROR: help takes only 0 or 1 input argument."])
        return self.get_help(*args)

    def _version_handler(
        self, args: list[str], screen_info: dict[str, Any] | None = None
    ) -> RichTextLines:
        del args, screen_info
        return get_tensorflow_version_lines(include_dependency_versions=True)


class TabCompletionRegistry:
    """What may follow which words."""

    def __init__(self):
        # The words of a context share its list.
        self._items: dict[str, list[str]] = {}

    def _of(self, context_word: str) -> list[str]:
        if context_word not in self._items:
            raise KeyError(f'Context word "{context_word}" has not been registered')
        return self._items[context_word]

    def register_tab_comp_context(self, context_words: list[str], comp_items: list[str]) -> None:
        """Says what may follow some words.

        Args:
          context_words: the words; "" stands for the beginning of a line.
          comp_items: what may follow each of them.

        Raises:
          TypeError: they are no lists.
        """
        for name, given in (("context_list", context_words), ("comp_items", comp_items)):
            if not isinstance(given, list):
                raise TypeError(f"Incorrect type in {name}: Expected list, got {type(given)}")
        self._items.update(dict.fromkeys(context_words, sorted(comp_items)))

    def deregister_context(self, context_words: list[str]) -> None:
        """Forgets words.

        Args:
          context_words: the words.

        Raises:
          KeyError: one of them is not known.
        """
        for word in context_words:
            if word not in self._items:
                raise KeyError(f'Cannot deregister unregistered context word "{word}"')
        for word in context_words:
            del self._items[word]

    def extend_comp_items(self, context_word: str, new_comp_items: list[str]) -> None:
        """Adds what may follow a word, and all others of its context.

        Args:
          context_word: the word.
          new_comp_items: what may follow it.

        Raises:
          KeyError: the word is not known.
        """
        items = self._of(context_word)
        items[:] = sorted([*items, *new_comp_items])

    def remove_comp_items(self, context_word: str, comp_items: list[str]) -> None:
        """Removes what may follow a word, and all others of its context.

        Args:
          context_word: the word.
          comp_items: what may no longer follow it.

        Raises:
          KeyError, ValueError: the word is not known; one of the items is not there.
        """
        items = self._of(context_word)
        for item in comp_items:
            items.remove(item)

    def get_completions(
        self, context_word: str, prefix: str
    ) -> tuple[list[str], str] | tuple[None, None]:
        """What may follow a word.

        Args:
          context_word: the word.
          prefix: how it is to begin.

        Returns:
          What may follow, and how all of it begins; None and None of a word that is not known.
        """
        if context_word not in self._items:
            return None, None
        fitting = [item for item in self._items[context_word] if item.startswith(prefix)]
        return fitting, self._common_prefix(fitting)

    def _common_prefix(self, m: list[str]) -> str:
        return os.path.commonprefix(m)


class CommandHistory:
    """The last commands, which are kept in a file.

    Args:
      limit: how many.
      history_file_path: the file; ~/.tfdbg_history if None.
    """

    _HISTORY_FILE_NAME = ".tfdbg_history"

    def __init__(self, limit: int = 100, history_file_path: str | None = None):
        self._limit = limit
        self._path = history_file_path or self._get_default_history_file_path()
        self._commands: list[str] = []
        self._load_history_from_file()

    @classmethod
    def _get_default_history_file_path(cls) -> str:
        return os.path.join(os.path.expanduser("~"), cls._HISTORY_FILE_NAME)

    def _load_history_from_file(self) -> None:
        if not os.path.isfile(self._path):
            return
        # A prompt works without its history, too.
        try:
            with open(self._path, encoding="utf-8") as file:
                known = [line.strip() for line in file if line.strip()]
            self._commands = known[-self._limit :]
            if len(known) > self._limit:
                with open(self._path, "w", encoding="utf-8") as file:
                    file.writelines(f"{command}\n" for command in self._commands)
        except OSError:
            print(f"WARNING: Failed to load or rewrite history file {self._path}")

    def _add_command_to_history_file(self, command: str) -> None:
        try:
            with open(self._path, "a", encoding="utf-8") as file:
                file.write(f"{command}\n")
        except OSError:
            pass

    def add_command(self, command: str) -> None:
        """Adds a command.

        Args:
          command: what was typed.

        Raises:
          TypeError: it is no text.
        """
        if not isinstance(command, str):
            raise TypeError("Attempt to enter non-str entry to command history")
        self._commands = [*self._commands, command][-self._limit :]
        self._add_command_to_history_file(command)

    def most_recent_n(self, n: int) -> list[str]:
        """The last commands, in order.

        Args:
          n: how many; all of them if 0.
        """
        return self._commands[-n:]

    def lookup_prefix(self, prefix: str, n: int) -> list[str]:
        """The last commands that begin with something, in order.

        Args:
          prefix: what they begin with.
          n: how many; all of them if 0.
        """
        return [command for command in self._commands if command.startswith(prefix)][-n:]


class MenuItem:
    """An entry of a menu.

    Args:
      caption: what it is called.
      content: the command that it stands for.
      enabled: whether it can be chosen.
    """

    def __init__(self, caption: str | None, content: Any, enabled: bool = True):
        self._caption = caption
        self._content = content
        self._enabled = enabled

    @property
    def caption(self) -> str | None:
        """What it is called."""
        return self._caption

    @property
    def content(self) -> Any:
        """The command that it stands for."""
        return self._content

    def is_enabled(self) -> bool:
        """Whether it can be chosen."""
        return self._enabled

    def disable(self) -> None:
        """Says that it cannot be chosen."""
        self._enabled = False

    def enable(self) -> None:
        """Says that it can be chosen."""
        self._enabled = True


class Menu:
    """A menu.

    Args:
      name: its name.
    """

    def __init__(self, name: str | None = None):
        self._name = name
        self._items: list[MenuItem] = []

    def append(self, item: MenuItem) -> None:
        """Adds an entry at the end."""
        self._items.append(item)

    def insert(self, index: int, item: MenuItem) -> None:
        """Adds an entry before another one.

        Args:
          index: which one.
          item: the entry.
        """
        self._items.insert(index, item)

    def num_items(self) -> int:
        """How many entries there are."""
        return len(self._items)

    def captions(self) -> list[str | None]:
        """What the entries are called."""
        return [item.caption for item in self._items]

    def caption_to_item(self, caption: str | None) -> MenuItem:
        """An entry.

        Args:
          caption: what it is called.

        Raises:
          LookupError: there is none.
        """
        for item in self._items:
            if item.caption == caption:
                return item
        raise LookupError(f'There is no menu item with the caption "{caption}"')

    def format_as_single_line(
        self, prefix: str | None = None, divider: str = " | ",
        enabled_item_attrs: Any = None, disabled_item_attrs: Any = None,
    ) -> RichTextLines:  # fmt: skip
        """The menu as a line.

        Args:
          prefix: what the line begins with.
          divider: what is behind each entry.
          enabled_item_attrs, disabled_item_attrs: how entries look that can and that cannot be
            chosen: an attribute, or a list.
        """
        line = RichLine(prefix or "")
        for item in self._items:
            given = enabled_item_attrs if item.is_enabled() else disabled_item_attrs
            looks = copy.copy(given) if isinstance(given, list) else [given] if given else []
            if item.is_enabled():
                looks = [item, *looks]
            line = line + RichLine(item.caption or "", looks) + divider
        return RichTextLines(line.text, {0: line.font_attr_segs})
