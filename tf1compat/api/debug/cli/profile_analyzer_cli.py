"""How long nodes ran, at the prompt (`tensorflow.python.debug.cli.profile_analyzer_cli`)."""

from __future__ import annotations

import math
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tf1compat.api.debug.cli import base_ui, cli_config, cli_shared, command_parser, ui_factory
from tf1compat.api.debug.cli import debugger_cli_common as common
from tf1compat.api.debug.cli.cli_shared import (
    COLOR_CYAN,
    COLOR_YELLOW,
    linked,
    time_to_readable_str,
)
from tf1compat.api.debug.cli.command_parser import Interval, number, switch, text
from tf1compat.api.debug.cli.debugger_cli_common import RichLine, RichTextLines
from tf1compat.api.debug.lib import source_utils
from tf1compat.api.debug.lib.profiling import AggregateProfile, ProfileDatum

SORT_OPS_BY_OP_NAME = "node"
SORT_OPS_BY_OP_TYPE = "op_type"
SORT_OPS_BY_OP_TIME = "op_time"
SORT_OPS_BY_EXEC_TIME = "exec_time"
SORT_OPS_BY_START_TIME = "start_time"
SORT_OPS_BY_LINE = "line"

_SORT_KEYS: dict[str, Callable[[ProfileDatum], Any]] = {
    SORT_OPS_BY_OP_NAME: lambda datum: datum.node_exec_stats.node_name,
    SORT_OPS_BY_OP_TYPE: lambda datum: datum.op_type,
    SORT_OPS_BY_START_TIME: lambda datum: datum.start_time,
    SORT_OPS_BY_OP_TIME: lambda datum: datum.op_time,
    SORT_OPS_BY_EXEC_TIME: lambda datum: datum.exec_time,
    SORT_OPS_BY_LINE: lambda datum: datum.line_number,
}
_BAR_LENGTH = 10
_TOTAL = "Device Total"


def _flags(device: str | None, node: str | None, op_type: str | None) -> str:
    """The filters of a command, as one says them."""
    given = {"device_name_filter": device, "node_name_filter": node, "op_type_filter": op_type}
    return "".join(f" --{name} {value}" for name, value in given.items() if value)


class ProfileDataTableView:
    """A table of the runs of nodes.

    Args:
      profile_datum_list: the runs.
      time_unit: one of `cli_shared.TIME_UNITS`.
    """

    def __init__(
        self, profile_datum_list: list[ProfileDatum], time_unit: str = cli_shared.TIME_UNIT_US
    ):
        self._data = profile_datum_list
        self._unit = time_unit

    def column_names(self) -> list[str]:
        """The titles."""
        times = [f"{what} Time ({self._unit})" for what in ("Op", "Exec")]
        return ["Node", "Op Type", "Start Time (us)", *times, "Filename:Lineno(function)"]

    def column_sort_id(self, col: int) -> str:
        """What "list_profile -s" calls a column.

        Args:
          col: which one.
        """
        return list(_SORT_KEYS)[col]

    def column_count(self) -> int:
        """How many columns there are."""
        return len(_SORT_KEYS)

    def row_count(self) -> int:
        """How many rows there are."""
        return len(self._data)

    def value(
        self, row: int, col: int, device_name_filter: str | None = None,
        node_name_filter: str | None = None, op_type_filter: str | None = None,
    ) -> RichLine:  # fmt: skip
        """What a cell says.

        Args:
          row, col: which one.
          device_name_filter, node_name_filter, op_type_filter: filters of the command that the
            name of a file stands for.

        Raises:
          IndexError: there is no such row.
        """
        datum = self._data[row]
        key = self.column_sort_id(col)
        if key == SORT_OPS_BY_LINE:
            flags = _flags(device_name_filter, node_name_filter, op_type_filter)
            command = f"ps{flags} {datum.file_path} --init_line {datum.line_number}"
            where = f"{os.path.basename(datum.file_path)}:{datum.line_number}({datum.func_name})"
            return linked(where if datum.file_path else "", command, caption=None)
        found = _SORT_KEYS[key](datum)
        if key in (SORT_OPS_BY_OP_TIME, SORT_OPS_BY_EXEC_TIME):
            found = time_to_readable_str(found, force_time_unit=self._unit)
        return RichLine(str(found))


class ProfileAnalyzer:
    """The commands that show how long nodes ran: methods of a command's words that give lines.

    Args:
      graph: the graph that was run.
      run_metadata: the `RunMetadata` with the statistics.

    Raises:
      ValueError: there is none.
    """

    def __init__(self, graph: Any, run_metadata: Any):
        if not run_metadata:
            raise ValueError("No RunMetadata passed for profile analysis.")
        self._graph = graph
        self._run_metadata = run_metadata

    def get_help(self, handler_name: str) -> str:
        """What "help" says of a command.

        Args:
          handler_name: the command.
        """
        return _PARSERS[handler_name].format_help()

    def _profile_data(self) -> list[tuple[str, list[ProfileDatum]]]:
        """The devices, each with the runs of nodes there."""
        recorded = {op.name: (op.type, *_line_of(op)) for op in self._graph.get_operations()}
        return [
            (device.device, list(_runs(device, recorded)))
            for device in self._run_metadata.step_stats.dev_stats
        ]

    def list_profile(
        self, args: list[str], screen_info: Mapping[str, Any] | None = None
    ) -> RichTextLines:
        """Lists the nodes that ran, device by device."""
        parsed = _PARSERS["list_profile"].parse_args(args)
        is_wanted = _filter(parsed)
        devices = self._profile_data()
        said = RichTextLines([""])
        rule = "-" * (screen_info or {}).get("cols", 80)
        for i, (name, data) in enumerate(devices, 1):
            if parsed.device_name_filter and not re.match(parsed.device_name_filter, name):
                continue
            shown = [datum for datum in data if is_wanted(datum)]
            said.extend(RichTextLines([rule, f"Device {i} of {len(devices)}: {name}", ""]))
            said.extend(_table(shown, parsed))
        return said

    def print_source(
        self, args: list[str], screen_info: Mapping[str, Any] | None = None
    ) -> RichTextLines:
        """Shows a file, with how long the nodes ran that its lines recorded."""
        del screen_info
        parsed = _PARSERS["print_source"].parse_args(args)
        wanted = re.compile(parsed.device_name_filter or "")
        path, is_op_time = parsed.source_file_path, parsed.cost_type == SORT_OPS_BY_OP_TIME
        lines = source_utils.annotate_source_against_profile(
            [datum for name, data in self._profile_data() if wanted.match(name) for datum in data],
            os.path.expanduser(path),
            node_name_filter=parsed.node_name_filter,
            op_type_filter=parsed.op_type_filter,
        )
        filters = (parsed.device_name_filter, parsed.node_name_filter, parsed.op_type_filter)
        if not lines:
            names = ("device_name_filter", "node_name_filter", "op_type_filter")
            return RichTextLines(
                [
                    f"The source file {path} does not contain any profile information for the "
                    "previous Session run under the following filters:",
                    *(
                        f"  --{name}: {given or ''}"
                        for name, given in zip(names, filters, strict=True)
                    ),
                ]
            )
        costs = {
            i: line.total_op_time if is_op_time else line.total_exec_time
            for i, line in lines.items()
        }
        source, width = source_utils.load_source(path)
        # The bar, the cost, the nodes; then the numbers of lines, and the lines.
        cost_width, nodes_width = len(parsed.cost_type) + 3, len("#nodes") + 3
        margin = " " * (_BAR_LENGTH + 3)
        blank = margin + " " * (cost_width + nodes_width)
        head = margin + parsed.cost_type.ljust(cost_width) + "#nodes".ljust(nodes_width)
        under = (margin + " " * cost_width + "(#execs)").ljust(len(blank) + width)
        rows = [
            RichLine(head, COLOR_CYAN) + RichLine("lineno", COLOR_YELLOW),
            RichLine(under, COLOR_CYAN) + RichLine("source", "bold"),
        ]
        first = len(rows)
        for i, line in enumerate(source, 1):
            row = RichLine(blank)
            if i in lines:
                row = self._render_normalized_cost_bar(costs[i], max(costs.values()), _BAR_LENGTH)
                cost = time_to_readable_str(costs[i], force_time_unit=parsed.time_unit)
                row = row + " " + RichLine(cost, COLOR_CYAN) + " " * (cost_width - len(cost))
                nodes = _nodes(lines[i], path, i, _flags(*filters))
                row = row + nodes + " " * (nodes_width - len(nodes))
            label = f" L{i}"
            row = row + RichLine(label, COLOR_YELLOW) + " " * (width - len(label)) + line
            rows.append(row)
        said = common.rich_text_lines_from_rich_line_list(rows)
        if parsed.init_line in range(1, len(source) + 1):
            said.annotations[common.INIT_SCROLL_POS_KEY] = first + parsed.init_line - 1
        return said

    def _render_normalized_cost_bar(self, cost: float, max_cost: float, length: int) -> RichLine:
        """A bar of a length that shows how much of the most something is; never nothing."""
        filled = max(math.ceil(cost / max_cost * length) if max_cost else 0, 1)
        inside = RichLine(("|" * filled).ljust(length), ["bold", COLOR_CYAN])
        return RichLine("[", COLOR_CYAN) + inside + RichLine("]", COLOR_CYAN)


def _line_of(op: Any) -> tuple[str, int, str]:
    """The innermost line outside of the library that recorded an operation."""
    for path, line, function, *_ in reversed(op.traceback):
        if not source_utils.guess_is_tensorflow_py_library(path):
            return path, line, function
    return "", 0, ""


def _runs(device: Any, recorded: Mapping[str, tuple[str, str, int, str]]) -> Iterator[ProfileDatum]:
    for stats in device.node_stats:
        if stats.node_name == "_SOURCE":  # It stands for the beginning of a run.
            continue
        op_type, path, line, function = recorded.get(stats.node_name, ("", "", 0, ""))
        yield ProfileDatum(device.device, stats, path, line, function, op_type)


def _filter(parsed: Any) -> Callable[[ProfileDatum], bool]:
    """Whether a run is one that "list_profile" lists."""
    patterns = (
        (parsed.node_name_filter, lambda datum: datum.node_exec_stats.node_name),
        (parsed.file_path_filter, lambda datum: datum.file_path),
        (parsed.op_type_filter, lambda datum: datum.op_type),
    )
    intervals: list[tuple[Interval, Callable[[ProfileDatum], int]]] = [
        (command_parser.parse_time_interval(given), get)
        for given, get in (
            (parsed.op_time, lambda datum: datum.op_time),
            (parsed.execution_time, lambda datum: datum.exec_time),
        )
        if given
    ]

    last = parsed.max_lineno if parsed.max_lineno > 0 else sys.maxsize
    lines = range(max(parsed.min_lineno, 0), last)

    def is_wanted(datum: ProfileDatum) -> bool:
        return (
            all(not pattern or re.match(pattern, get(datum)) for pattern, get in patterns)
            and all(interval.contains(get(datum)) for interval, get in intervals)
            # What no line recorded is everywhere.
            and (not datum.line_number or datum.line_number in lines)
        )

    return is_wanted


def _table(data: list[ProfileDatum], parsed: Any) -> RichTextLines:
    """The runs on a device, and what they took together."""
    by = parsed.sort_by if parsed.sort_by in _SORT_KEYS else SORT_OPS_BY_START_TIME
    data = sorted(data, key=_SORT_KEYS[by], reverse=parsed.reverse)
    view = ProfileDataTableView(data, time_unit=parsed.time_unit)
    filters = (parsed.device_name_filter, parsed.node_name_filter, parsed.op_type_filter)
    heads = []
    for column, title in enumerate(view.column_names()):
        key = view.column_sort_id(column)
        turned = " -r" if key == parsed.sort_by and not parsed.reverse else ""
        heads.append(linked(title, f"list_profile -s {key}{turned}", "bold", caption=None))
    rows = [
        [view.value(row, column, *filters) for column in range(view.column_count())]
        for row in range(view.row_count())
    ]
    totals = (sum(d.op_time for d in data), sum(d.exec_time for d in data))
    times = (time_to_readable_str(total, force_time_unit=parsed.time_unit) for total in totals)
    last = [RichLine(item) for item in (_TOTAL, "", *times)]
    widths = [0] * view.column_count()
    for row in (heads, *rows, last):
        widths = [
            max(width, len(row[i]) + 2 if i < len(row) else 0) for i, width in enumerate(widths)
        ]

    def joined(row: list[RichLine]) -> RichLine:
        line = RichLine()
        for item, width in zip(row, widths, strict=False):
            line = line + item + " " * (width - len(item))
        return line

    lines = [joined(heads), *map(joined, rows), "", joined(last)]
    return common.rich_text_lines_from_rich_line_list(lines)


def _nodes(line: AggregateProfile, path: str, number: int, flags: str) -> RichLine:
    """How many nodes a line recorded, and how often they ran."""
    where = f"--file_path_filter {re.escape(path)}$ --min_lineno {number}"
    item = common.MenuItem(None, f"lp {where} --max_lineno {number + 1}{flags}")
    return RichLine(f"{line.node_count}({line.node_exec_count})", [COLOR_CYAN, item])


def _time_unit() -> dict[str, Any]:
    return {**text("Time unit (us | ms | s)"), "default": cli_shared.TIME_UNIT_US}


def _filters(verb: str) -> tuple[Any, ...]:
    names = {"-d": "device_name", "-n": "node_name", "-t": "op_type"}
    return tuple(
        (short, f"--{name}_filter", text(f"{verb} {name.replace('_', ' ')} by regex."))
        for short, name in names.items()
    )


def _times(what: str) -> str:
    return (
        f"{what}. Supported units are s, ms and us (default). "
        "E.g. -e >100s, -e <100, -e [100us,1000ms]"
    )


_PARSERS = {
    "list_profile": command_parser.parser(
        "List nodes profile information.",
        *_filters("filter"),
        (
            "-f", "--file_path_filter",
            text(
                "filter by file name at the top position of node's creation stack that does not "
                "belong to TensorFlow library."
            ),
        ),
        *(
            (
                f"--{end}_lineno",
                number(
                    f"({kind}) {bound} bound for 1-based line number in source file. If <= 0, has "
                    "no effect.", -1,
                ),
            )
            for end, kind, bound in (("min", "Inclusive", "lower"), ("max", "Exclusive", "upper"))
        ),
        (
            "-e", "--execution_time",
            text(
                _times(
                    "Filter by execution time interval (includes compute plus pre- and post "
                    "-processing time)"
                )
            ),
        ),
        (
            "-o", "--op_time",
            text(_times("Filter by op time interval (only includes compute time)")),
        ),
        (
            "-s", "--sort_by",
            {
                **text(f"the field to sort the data by: ({' | '.join(_SORT_KEYS)})"),
                "default": SORT_OPS_BY_START_TIME,
            },
        ),
        ("-r", "--reverse", switch("sort the data in reverse (descending) order")),
        ("--time_unit", _time_unit()),
    ),
    "print_source": command_parser.parser(
        "Print a Python source file with line-level profile information",
        ("source_file_path", {"type": str, "help": "Path to the source_file_path"}),
        (
            "--cost_type",
            {
                "type": str,
                "choices": [SORT_OPS_BY_EXEC_TIME, SORT_OPS_BY_OP_TIME],
                "default": SORT_OPS_BY_EXEC_TIME,
                "help": "Type of cost to display",
            },
        ),
        ("--time_unit", _time_unit()),
        *_filters("Filter"),
        ("--init_line", number("The 1-based line number to scroll to initially.", 0)),
    ),
}  # fmt: skip


def create_profiler_ui(
    graph: Any, run_metadata: Any, ui_type: str = "curses",
    on_ui_exit: Callable[[], None] | None = None, config: cli_config.CLIConfig | None = None,
) -> base_ui.BaseUI:  # fmt: skip
    """A prompt with the commands that show how long nodes ran.

    Args:
      graph, run_metadata: see `ProfileAnalyzer`.
      ui_type, on_ui_exit, config: see `ui_factory.get_ui`.
    """
    analyzer = ProfileAnalyzer(graph, run_metadata)
    ui = ui_factory.get_ui(ui_type, on_ui_exit, config=config)
    for name, handler, alias in (
        ("list_profile", analyzer.list_profile, "lp"),
        ("print_source", analyzer.print_source, "ps"),
    ):
        ui.register_command_handler(name, handler, analyzer.get_help(name), prefix_aliases=[alias])
    return ui
