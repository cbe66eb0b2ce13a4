"""What the debugger's prompt says of a run (`tensorflow.python.debug.cli.cli_shared`)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from tf1compat.api.debug.cli import command_parser, tensor_format
from tf1compat.api.debug.cli import debugger_cli_common as common_cli
from tf1compat.api.debug.cli.debugger_cli_common import RichLine, RichTextLines
from tf1compat.api.debug.lib import common
from tf1compat.api.platform import gfile
from tf1compat.api.variables.variable_base import Variable
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor

TIME_UNIT_US = "us"
TIME_UNIT_MS = "ms"
TIME_UNIT_S = "s"
TIME_UNITS = [TIME_UNIT_US, TIME_UNIT_MS, TIME_UNIT_S]
#: Arrays of more elements are shortened.
DEFAULT_NDARRAY_DISPLAY_THRESHOLD = 2000
COLOR_BLACK = "black"
COLOR_BLUE = "blue"
COLOR_CYAN = "cyan"
COLOR_GRAY = "gray"
COLOR_GREEN = "green"
COLOR_MAGENTA = "magenta"
COLOR_RED = "red"
COLOR_WHITE = "white"
COLOR_YELLOW = "yellow"

_BAR = "=" * 38
_RULE = "-" * 38
_LOGO = (
    "",
    "TTTTTT FFFF DDD  BBBB   GGG ",
    "  TT   F    D  D B   B G    ",
    "  TT   FFF  D  D BBBB  G  GG",
    "  TT   F    D  D B   B G   G",
    "  TT   F    DDD  BBBB   GGG ",
    "",
)


def bytes_to_readable_str(num_bytes: int | None, include_b: bool = False) -> str:
    """A number of bytes as a short text, "11.89k"."""
    if num_bytes is None:
        return "None"
    end = "B" if include_b else ""
    if num_bytes < 1 << 10:
        return f"{num_bytes:d}{end}"
    power = min((num_bytes.bit_length() - 1) // 10, 3)
    return f"{num_bytes / (1 << 10 * power):.2f}{' kMG'[power]}{end}"


def time_to_readable_str(value_us: float, force_time_unit: str | None = None) -> str:
    """A time in microseconds as a short text, "1.3ms".

    Raises:
      ValueError: the unit is none of `TIME_UNITS`.
    """
    if not value_us:
        return "0"
    if force_time_unit and force_time_unit not in TIME_UNITS:
        raise ValueError(f"Invalid time unit: {force_time_unit}")
    if force_time_unit:
        order = TIME_UNITS.index(force_time_unit)
    else:
        order = min(len(TIME_UNITS) - 1, int(math.log10(value_us) / 3))
    digits = ".10g" if force_time_unit else ".3g"
    return f"{value_us / 1000.0**order:{digits}}{TIME_UNITS[order]}"


def parse_ranges_highlight(ranges_string: str) -> tensor_format.HighlightOptions | None:
    """Marks the elements in ranges.

    Args:
      ranges_string: the ranges; see `command_parser.parse_ranges`.

    Returns:
      What marks them; None if there are no ranges.

    Raises:
      ValueError, SyntaxError: it is no such text.
    """
    ranges = command_parser.parse_ranges(ranges_string)
    if not ranges:
        return None
    # Ends that are infinite are the largest numbers of 64 bits.
    ends = np.asarray(ranges, np.float64)

    def is_inside(tensor: Any) -> Any:
        return np.any([(tensor >= low) & (tensor <= high) for low, high in ends], axis=0)

    return tensor_format.HighlightOptions(is_inside, description=ranges_string)


def numpy_printoptions_from_screen_info(screen_info: Mapping[str, Any] | None) -> dict[str, Any]:
    """NumPy's print options for a screen."""
    if screen_info and "cols" in screen_info:
        return {"linewidth": screen_info["cols"]}
    return {}


def format_tensor(
    tensor: Any, tensor_name: str, np_printoptions: Mapping[str, Any], print_all: bool = False,
    tensor_slicing: str | None = None,
    highlight_options: tensor_format.HighlightOptions | None = None,
    include_numeric_summary: bool = False, write_path: str | None = None,
) -> RichTextLines:  # fmt: skip
    """Lines that show a tensor, or a part of it.

    Args:
      tensor: an array, an InconvertibleTensorProto, or anything else.
      tensor_name: what to call it.
      np_printoptions: options of NumPy's `printoptions`.
      print_all: whether all elements are shown.
      tensor_slicing: which part of it, "[1, :]"; all if there is none.
      highlight_options, include_numeric_summary: see `tensor_format.format_tensor`.
      write_path: a file that it is saved to as `numpy.save` does.

    Raises:
      ValueError: slices that are none.
    """
    value, name = tensor, tensor_name
    if tensor_slicing:
        value = command_parser.evaluate_tensor_slice(tensor, tensor_slicing)
        name += tensor_slicing
    said = None
    if write_path:
        with gfile.Open(write_path, "wb") as file:
            np.save(file, value)
        size = bytes_to_readable_str(gfile.Stat(write_path).length, include_b=True)
        said = RichTextLines([f"Saved value to: {write_path} ({size})", ""])
    most = DEFAULT_NDARRAY_DISPLAY_THRESHOLD
    threshold = max(np.size(value), 1) if print_all and isinstance(value, np.ndarray) else most
    return tensor_format.format_tensor(
        value,
        name,
        include_metadata=True,
        auxiliary_message=said,
        include_numeric_summary=include_numeric_summary,
        np_printoptions={**np_printoptions, "threshold": threshold},
        highlight_options=highlight_options,
    )


def error(msg: str) -> RichTextLines:
    """What is shown of an error.

    Args:
      msg: what is wrong.
    """
    return _lines(RichLine(f"ERROR: {msg}", COLOR_RED))


def _lines(*lines: RichLine | str) -> RichTextLines:
    return common_cli.rich_text_lines_from_rich_line_list(lines)


def linked(text: str, command: str, *looks: str, caption: str | None = "") -> RichLine:
    """A text that stands for a command.

    Args:
      text: the text.
      command: the command.
      looks: font attributes.
      caption: what the menu item is called.
    """
    item = common_cli.MenuItem(caption, command)
    return RichLine(text, [item, *looks] if looks else item)


def _recommend_command(
    command: str, description: str, indent: int = 2, create_link: bool = False
) -> RichTextLines:
    """Lines that say what a command does."""
    name = linked(command, command, "bold") if create_link else RichLine(command, "bold")
    margin = " " * indent
    return _lines(RichLine(margin) + name + ":", f"{margin}  {description}")


def get_tfdbg_logo() -> RichTextLines:
    """The debugger's logo."""
    return RichTextLines(list(_LOGO))


def get_run_start_intro(
    run_call_count: int, fetches: Any, feed_dict: dict[Any, Any] | None,
    tensor_filters: Iterable[str], is_callable_runner: bool = False,
) -> RichTextLines:  # fmt: skip
    """What is said before a run.

    Args:
      run_call_count: the how-manieth run it is.
      fetches, feed_dict: see `Session.run`.
      tensor_filters: the names of the filters.
      is_callable_runner: whether it is a call of what `Session.make_callable` gave.
    """
    said = _lines(_BAR)
    if is_callable_runner:
        said.append("Running a runner returned by Session.make_callable()")
    else:
        said.extend(_lines(f"Session.run() call #{run_call_count}:", "", "Fetch(es):"))
        said.extend(_lines(*(f"  {name}" for name in common.get_flattened_names(fetches))))
        said.extend(_lines("", "Feed dict:"))
        feeds = [common.get_graph_element_name(key) for key in feed_dict or ()]
        said.extend(_lines(*(_feed(name) for name in feeds) if feeds else ("  (Empty)",)))
    said.extend(_lines(_BAR, "", "Select one of the following commands to proceed ---->"))
    for command, description in (
        ("run", "Execute the run() call with debug tensor-watching"),
        ("run -n", "Execute the run() call without debug tensor-watching"),
        (
            "run -t <T>",
            "Execute run() calls (T - 1) times without debugging, then execute run() once more "
            "with debugging and drop back to the CLI",
        ),
        (
            "run -f <filter_name>",
            "Keep executing run() calls until a dumped tensor passes a given, registered filter "
            "(conditional breakpoint mode)",
        ),
    ):
        said.extend(_recommend_command(command, description, create_link="<" not in command))
    filters = [RichLine("        * ") + linked(name, f"run -f {name}") for name in tensor_filters]
    said.extend(_lines("    Registered filter(s):", *(filters or ("        (None)",)), ""))
    said.extend(_lines(RichLine("For more details, see ") + linked("help.", "help") + ".", ""))
    menu = common_cli.Menu()
    for command in ("run", "exit"):
        menu.append(common_cli.MenuItem(command, command))
    said.annotations[common_cli.MAIN_MENU_KEY] = menu
    return said


def _feed(name: str) -> RichLine:
    return RichLine("  ") + linked(name, f"pf '{name}'", caption=None)


def get_run_short_description(
    run_call_count: int, fetches: Any, feed_dict: dict[Any, Any] | None,
    is_callable_runner: bool = False,
) -> str:  # fmt: skip
    """A run in one line; the arguments are those of `get_run_start_intro`."""
    if is_callable_runner:
        return "runner from make_callable()"
    if isinstance(fetches, Tensor | Operation | Variable):
        fetched = f"1 fetch ({fetches.name})"
    else:
        count = len(common.get_flattened_names(fetches))
        fetched = f"{count} fetch{'es' if count > 1 else ''}"
    fed = "0 feeds" if not feed_dict else f"{len(feed_dict)} feeds"
    if feed_dict and len(feed_dict) == 1:
        fed = f"1 feed ({common.get_graph_element_name(*feed_dict)})"
    return f"run #{run_call_count}: {fetched}; {fed}"


def get_error_intro(tf_error: Any) -> RichTextLines:
    """What is said after a run that failed.

    Args:
      tf_error: the error.
    """
    name = getattr(getattr(tf_error, "op", None), "name", None)
    said = _lines(_RULE, RichLine("!!! An error occurred during the run !!!", "blink"), "")
    if name is None:
        said.append("WARNING: Cannot determine the name of the op that caused the error.")
    else:
        said.append("You may use the following commands to debug:")
        for command, description in (
            (f"ni -a -d -t {name}", "Inspect information about the failing op."),
            (f"li -r {name}", "List inputs to the failing op, recursively."),
            ("lt", "List all tensors dumped during the failing run() call."),
        ):
            said.extend(_recommend_command(command, description, create_link=True))
    about = (f"Op name:    {name}", f"Error type: {type(tf_error)}")
    said.extend(_lines("", *about, "", "Details:", str(tf_error), "", _RULE, ""))
    return said
