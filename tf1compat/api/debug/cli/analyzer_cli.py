"""The commands that show a dump (`tensorflow.python.debug.cli.analyzer_cli`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from tf1compat.api.debug.cli import (
    base_ui,
    cli_config,
    cli_shared,
    command_parser,
    evaluator,
    ui_factory,
)
from tf1compat.api.debug.cli import debugger_cli_common as common
from tf1compat.api.debug.cli.cli_shared import (
    bytes_to_readable_str,
    linked,
    numpy_printoptions_from_screen_info,
)
from tf1compat.api.debug.cli.command_parser import number, switch, text
from tf1compat.api.debug.cli.debugger_cli_common import RichLine, RichTextLines
from tf1compat.api.debug.lib import debug_data, debug_graphs, source_utils
from tf1compat.api.debug.lib.debug_dump import DebugDumpDir

_NODE = "Name of the node or {}, e.g., hidden1/Wx_plus_b/MatMul, hidden1/Wx_plus_b/MatMul:0"
# How trees are drawn.
HANG_UNFINISHED = "|  "
HANG_FINISHED = "   "
HANG_SUFFIX = "|- "
DEPTH_TEMPLATE = "(%d) "
OP_TYPE_TEMPLATE = "[%s] "
CTRL_LABEL = "(Ctrl) "
ELLIPSIS = "..."
#: What tensors are listed by.
SORT_TENSORS_BY_TIMESTAMP = "timestamp"
SORT_TENSORS_BY_DUMP_SIZE = "dump_size"
SORT_TENSORS_BY_OP_TYPE = "op_type"
SORT_TENSORS_BY_TENSOR_NAME = "tensor_name"

ScreenInfo = Mapping[str, Any] | None

# What only carries values between devices and out of the graph.
_HIDDEN = ("_Send", "_Recv", "_HostSend", "_HostRecv", "_Retval")
_LIST = ("node_name", {"type": str, "help": _NODE.format("an output tensor from the node")})


def _neighbours(kind: str, of_kind: str, depth: int) -> tuple[Any, ...]:
    """The arguments of "list_inputs" and "list_outputs"."""
    tree, what = ("input", "inputs to") if kind == "inputs" else ("output", "recipients of")
    return (
        _LIST,
        ("-c", "--control", switch("Include control inputs.")),
        (
            "-d", "--depth",
            number(f"Maximum depth of recursion used when showing the {tree} tree.", depth),
        ),
        (
            "-r", "--recursive",
            switch(f"Show {what} the node recursively, i.e., the {tree} tree."),
        ),
        ("-t", "--op_type", switch(f"Show op types of {of_kind} nodes.")),
    )  # fmt: skip


def _add_main_menu(
    output: RichTextLines, node_name: str | None = None, enable_list_tensors: bool = True,
    enable_node_info: bool = True, enable_print_tensor: bool = True,
    enable_list_inputs: bool = True, enable_list_outputs: bool = True,
) -> None:  # fmt: skip
    """Adds the menu to lines; what is about a node can be chosen only if there is one."""
    menu = common.Menu()
    menu.append(common.MenuItem("list_tensors", "list_tensors", enabled=enable_list_tensors))
    for caption, flags, enabled in (
        ("node_info", " -a -d -t", enable_node_info),
        ("print_tensor", "", enable_print_tensor),
        ("list_inputs", " -c -r", enable_list_inputs),
        ("list_outputs", " -c -r", enable_list_outputs),
    ):
        command = f"{caption}{flags} {node_name}" if node_name else None
        menu.append(common.MenuItem(caption, command, enabled=enabled and bool(node_name)))
    for caption in ("run_info", "help"):
        menu.append(common.MenuItem(caption, caption))
    output.annotations[common.MAIN_MENU_KEY] = menu


def _rich(lines: Iterable[RichLine | str]) -> RichTextLines:
    return common.rich_text_lines_from_rich_line_list(lines)


class DebugAnalyzer:
    """The commands that show a dump: each a method of a command's words that gives lines.

    It is told of the screen, too: how many columns it has.

    Args:
      debug_dump: the dump.
      config: the prompt's settings.
    """

    def __init__(self, debug_dump: DebugDumpDir, config: cli_config.CLIConfig):
        self._dump = debug_dump
        self._config = config
        self._evaluator = evaluator.ExpressionEvaluator(debug_dump)
        self._filters: dict[str, Callable[..., Any]] = {}

    def add_tensor_filter(self, filter_name: str, filter_callable: Callable[..., Any]) -> None:
        """Adds a filter.

        Args:
          filter_name: its name.
          filter_callable: a function of a `DebugTensorDatum` and its value.

        Raises:
          TypeError, ValueError: it is no function; the name is no text, or an empty one.
        """
        if not isinstance(filter_name, str):
            raise TypeError("Input argument filter_name is expected to be str, but is not.")
        if not filter_name:
            raise ValueError("Input argument filter_name cannot be empty.")
        if not callable(filter_callable):
            raise TypeError(
                "Input argument filter_callable is expected to be callable, but is not."
            )
        self._filters[filter_name] = filter_callable

    def get_tensor_filter(self, filter_name: str) -> Callable[..., Any]:
        """A filter.

        Raises:
          ValueError: there is none of the name.
        """
        if filter_name not in self._filters:
            raise ValueError(f'There is no tensor filter named "{filter_name}"')
        return self._filters[filter_name]

    def parsers(self) -> dict[str, Any]:
        """The parsers of the commands' words."""
        depth = self._config.get("graph_recursion_depth")
        return {
            "list_tensors": _LIST_TENSORS,
            "node_info": _NODE_INFO,
            "list_inputs": command_parser.parser(
                "Show inputs to a node.", *_neighbours("inputs", "input", depth)
            ),
            "list_outputs": command_parser.parser(
                "Show the nodes that receive the outputs of given node.",
                *_neighbours("outputs", "recipient", depth),
            ),
            "print_tensor": _PRINT_TENSOR,
            "print_source": _PRINT_SOURCE,
            "list_source": _LIST_SOURCE,
            "eval": _EVAL,
        }

    def _since_start(self, datum: debug_data.DebugTensorDatum) -> float:
        """When something was dumped, in milliseconds."""
        return (datum.timestamp - (self._dump.t0 or 0)) / 1000

    def get_help(self, handler_name: str) -> str:
        """What "help" says of a command.

        Args:
          handler_name: the command.
        """
        return self.parsers()[handler_name].format_help()

    def list_tensors(self, args: list[str], screen_info: ScreenInfo = None) -> RichTextLines:
        """Lists what was dumped."""
        del screen_info
        parsed = _LIST_TENSORS.parse_args(args)
        said = self._list_tensors(parsed)
        _add_main_menu(said, enable_list_tensors=False)
        return said

    def _list_tensors(self, parsed: Any) -> RichTextLines:
        if parsed.tensor_filter:
            if parsed.tensor_filter not in self._filters:
                return cli_shared.error(
                    f'There is no tensor filter named "{parsed.tensor_filter}".'
                )
            data = self._dump.find(
                self._filters[parsed.tensor_filter],
                exclude_node_names=parsed.filter_exclude_node_names,
            )
        elif parsed.filter_exclude_node_names:
            raise ValueError(
                "The flag --filter_exclude_node_names is valid only when the flag -f or "
                "--tensor_filter is used."
            )
        else:
            data = self._dump.dumped_tensor_data
        op_types = {datum.node_name: self._dump.node_op_type(datum.node_name) for datum in data}
        keys: dict[str, Callable[[Any], Any]] = {
            SORT_TENSORS_BY_TIMESTAMP: lambda datum: datum.timestamp,
            SORT_TENSORS_BY_DUMP_SIZE: lambda datum: datum.dump_size_bytes,
            SORT_TENSORS_BY_OP_TYPE: lambda datum: op_types[datum.node_name],
            SORT_TENSORS_BY_TENSOR_NAME: lambda datum: datum.tensor_name,
        }
        if parsed.sort_by not in keys:
            raise ValueError(f"Unsupported key to sort tensors by: {parsed.sort_by}")
        cells = {
            datum: (
                f"[{self._since_start(datum):.3f}]",
                bytes_to_readable_str(datum.dump_size_bytes),
                op_types[datum.node_name],
            )
            for datum in data
        }
        # The columns are as wide as all of them need; of times, as the last one does.
        columns = list(zip(*cells.values(), strict=True)) or [(), (), ()]
        times = (columns[0][-1] + " ",) if data else ()
        titles = ("t (ms)", "Size (B)", "Op type", "Tensor name")
        widths = [
            max(len(item) for item in (title, *column)) + 1
            for title, column in zip(titles, (times, *columns[1:]), strict=False)
        ]
        shown = [
            datum
            for datum in sorted(data, key=keys[parsed.sort_by], reverse=parsed.reverse)
            if re.match(parsed.node_name_filter, datum.node_name)
            and re.match(parsed.op_type_filter, op_types[datum.node_name])
        ]
        passing = f' passing filter "{parsed.tensor_filter}"' if parsed.tensor_filter else ""
        lines: list[RichLine | str] = [f"{len(shown)} dumped tensor(s){passing}:"]
        if parsed.op_type_filter:
            lines.append(f'Op type regex filter: "{parsed.op_type_filter}"')
        if parsed.node_name_filter:
            lines.append(f'Node name regex filter: "{parsed.node_name_filter}"')
        head = RichLine()
        for title, key, width in zip(titles, keys, (*widths, 0), strict=True):
            command = _sorted_by(parsed, key)
            link = linked(title, command, "bold", caption=None if width else "")
            head = head + link + " " * (width - len(title))
        lines += ["", head]
        for datum in shown:
            padded = map(str.ljust, cells[datum], widths)
            name = datum.tensor_name
            lines.append(RichLine("".join(padded)) + linked(name, f"pt {name}"))
        return _rich(lines)

    def _op_type(self, element: str) -> str:
        return self._dump.node_op_type(debug_graphs.get_node_name(element))

    def _visible(self, names: Iterable[str]) -> list[str]:
        return [name for name in names if self._op_type(name) not in _HIDDEN]

    def _unknown(self, node_name: str) -> RichTextLines | None:
        if self._dump.node_exists(node_name):
            return None
        return cli_shared.error(f'There is no node named "{node_name}" in the partition graphs')

    def node_info(self, args: list[str], screen_info: ScreenInfo = None) -> RichTextLines:
        """Shows a node."""
        del screen_info
        parsed = _NODE_INFO.parse_args(args)
        name = debug_graphs.get_node_name(parsed.node_name)
        unknown = self._unknown(name)
        if unknown:
            _add_main_menu(unknown, enable_node_info=False)
            return unknown
        lines: list[RichLine | str] = [
            RichLine("Node ") + RichLine(name, "bold"),
            "",
            f"  Op: {self._dump.node_op_type(name)}",
            f"  Device: {self._dump.node_device(name)}",
        ]
        for kind, get in (
            ("input", self._dump.node_inputs),
            ("recipient", self._dump.node_recipients),
        ):
            data, controls = (self._visible(get(name, is_control=flag)) for flag in (False, True))
            lines += [
                "",
                f"  {len(data)} {kind}(s) + {len(controls)} control {kind}(s):",
                f"    {len(data)} {kind}(s):",
                *map(self._neighbour, data),
            ]
            if controls:
                lines += ["", f"    {len(controls)} control {kind}(s):"]
                lines += map(self._neighbour, controls)
        if parsed.attributes:
            lines += ["", "Node attributes:"]
            for key, value in self._dump.node_attributes(name).items():
                shown = repr(value).strip().replace("\n", " ")
                lines += [f"  {key}:", f"    {shown}", ""]
        if parsed.dumps:
            lines += self._dumps(name)
        if parsed.traceback:
            lines += self._traceback(name)
        said = _rich(lines)
        _add_main_menu(said, name, enable_node_info=False)
        return said

    def _neighbour(self, name: str) -> RichLine:
        link = linked(name, f"ni -a -d -t {name}", caption=None)
        return RichLine(f"      [{self._op_type(name)}] ") + link

    def _dumps(self, name: str) -> list[RichLine | str]:
        keys = self._dump.debug_watch_keys(name)
        dumps = [datum for key in keys for datum in self._dump.watch_key_to_data(key)]
        lines: list[RichLine | str] = [f"{len(dumps)} dumped tensor(s):", ""]
        for i, datum in enumerate(dumps):
            time = f"{self._since_start(datum):.3f} ms"
            shown = f"Slot {datum.output_slot} @ {datum.debug_op} @ {time}"
            command = f"pt {name}:{datum.output_slot} -n {i}"
            lines.append(RichLine("  ") + linked(shown, command, caption=None))
        return lines

    def _traceback(self, name: str) -> list[RichLine | str]:
        lines: list[RichLine | str] = [
            "", "", RichLine("Traceback of node construction:", "bold"),
        ]  # fmt: skip
        try:
            stack = self._dump.node_traceback(name)
        except KeyError:
            return [*lines, "(Node unavailable in the loaded Python graph)"]
        except LookupError:
            return [*lines, "(Unavailable because no Python graph has been loaded)"]
        for depth, (path, line, function, source) in enumerate(stack):
            quoted = f'"{source}"' if source else "None"
            lines += [
                f"{depth}: {path}",
                RichLine("  ") + linked(f"Line:     {line}", f"ps {path} -b {line}"),
                f"  Function: {function}",
                f"  Text:     {quoted}",
                "",
            ]
        return lines

    def list_inputs(self, args: list[str], screen_info: ScreenInfo = None) -> RichTextLines:
        """Shows what a node depends on."""
        del screen_info
        parsed = self.parsers()["list_inputs"].parse_args(args)
        said = self._tree(parsed, "Inputs to", "inputs", "li", self._dump.node_inputs)
        name = debug_graphs.get_node_name(parsed.node_name)
        _add_main_menu(said, name, enable_list_inputs=False)
        return said

    def list_outputs(self, args: list[str], screen_info: ScreenInfo = None) -> RichTextLines:
        """Shows what depends on a node."""
        del screen_info
        parsed = self.parsers()["list_outputs"].parse_args(args)
        said = self._tree(parsed, "Recipients of", "recipients", "lo", self._dump.node_recipients)
        name = debug_graphs.get_node_name(parsed.node_name)
        _add_main_menu(said, name, enable_list_outputs=False)
        return said

    def _tree(
        self, parsed: Any, title: str, kind: str, command: str, get: Callable[..., list[str]]
    ) -> RichTextLines:
        name = debug_graphs.get_node_name(parsed.node_name)
        unknown = self._unknown(name)
        if unknown:
            return unknown
        depth = parsed.depth if parsed.recursive else 1
        controls = f", control {kind} included" if parsed.control else ""
        about = f'" (Depth limit = {depth}{controls}):'
        lines: list[RichLine | str] = [RichLine(f'{title} node "') + RichLine(name, "bold") + about]
        below = self._branches(name, get, parsed, command, depth, 1, "")
        lines += [*(below or ["  [None]"]), "", "Legend:", "  (d): recursion depth = d."]
        if parsed.control:
            lines.append("  (Ctrl): Control input.")
        if parsed.op_type:
            lines.append("  [Op]: Input node has op type Op.")
        return _rich(lines)

    def _branches(
        self, name: str, get: Callable[..., list[str]], parsed: Any, command: str, limit: int,
        depth: int, stem: str,
    ) -> list[RichLine | str]:  # fmt: skip
        """The lines of what is next to a node, each with what is behind it."""
        found = [(other, "") for other in self._visible(get(name, is_control=False))]
        if parsed.control:
            controls = self._visible(sorted(get(name, is_control=True)))
            found += [(other, CTRL_LABEL) for other in controls]
        if not found:
            return []
        if depth > limit:
            return [stem + HANG_SUFFIX + ELLIPSIS]
        lines: list[RichLine | str] = []
        for i, (other, label) in enumerate(found):
            op_type = OP_TYPE_TEMPLATE % self._op_type(other) if parsed.op_type else ""
            before = stem + HANG_SUFFIX + DEPTH_TEMPLATE % depth + label + op_type
            link = linked(other, f"{command} -c -r {other}", caption=None)
            lines.append(RichLine(before) + link)
            under = stem + (HANG_FINISHED if i == len(found) - 1 else HANG_UNFINISHED)
            node = debug_graphs.get_node_name(other)
            lines += self._branches(node, get, parsed, command, limit, depth + 1, under)
        return lines

    def print_tensor(self, args: list[str], screen_info: ScreenInfo = None) -> RichTextLines:
        """Shows a dumped tensor."""
        parsed = _PRINT_TENSOR.parse_args(args)
        name, slices = command_parser.parse_tensor_name_with_slicing(parsed.tensor_name)
        node, slot = debug_graphs.parse_node_or_tensor_name(name)
        if self._dump.loaded_partition_graphs() and not self._dump.node_exists(node):
            said = cli_shared.error(f'Node "{node}" does not exist in partition graphs')
            _add_main_menu(said, enable_print_tensor=False)
            return said
        slots = {int(key.split(":")[1]) for key in self._dump.debug_watch_keys(node)}
        if slot is None and len(slots) == 1:
            (slot,) = slots
        if slot is not None and slot not in slots:
            return cli_shared.error(f'Tensor "{parsed.tensor_name}" did not generate any dumps.')
        if slot is None:
            said = RichTextLines(
                [
                    f'Node "{node}" generated debug dumps from {len(slots)} output slots:',
                    f"Please specify the output slot: {node}:x.",
                ]
            )
        else:
            said = self._print_slot(parsed, node, slot, slices, screen_info)
        _add_main_menu(said, node, enable_print_tensor=False)
        return said

    def _print_slot(
        self, parsed: Any, node: str, slot: int, slices: str, screen_info: ScreenInfo
    ) -> RichTextLines:
        keys = self._dump.debug_watch_keys(node)
        found = [datum for key in keys for datum in self._dump.watch_key_to_data(key)]
        found = [datum for datum in found if datum.output_slot == slot]
        asked = parsed.number
        if len(found) == 1 and asked > 0:
            return cli_shared.error(
                f"Invalid number ({asked}) for tensor {parsed.tensor_name}, which generated one "
                "dump."
            )
        if asked >= len(found):
            return cli_shared.error(
                f"Specified number ({asked}) exceeds the number of available dumps ({len(found)}) "
                f"for tensor {parsed.tensor_name}"
            )
        if len(found) > 1 and asked < 0:
            command = f"print_tensor {parsed.tensor_name} -n"
            each = (
                RichLine(f"#{i} [{self._since_start(datum):.3f} ms] ")
                + linked(datum.watch_key, f"{command} {i}", caption=None)
                for i, datum in enumerate(found)
            )
            advice = "You can use the -n (--number) flag to specify which dump to print."
            title = f'Tensor "{parsed.tensor_name}" generated {len(found)} dumps:'
            return _rich([title, *each, "", advice, "For example:", f"  {command} 0"])
        datum = found[max(asked, 0)]
        which = f" (dump #{asked})" if len(found) > 1 else ""
        return cli_shared.format_tensor(
            datum.get_tensor(),
            datum.watch_key + which,
            numpy_printoptions_from_screen_info(screen_info),
            print_all=parsed.print_all,
            tensor_slicing=slices,
            highlight_options=cli_shared.parse_ranges_highlight(parsed.ranges),
            include_numeric_summary=parsed.numeric_summary,
            write_path=parsed.write_path,
        )

    def evaluate_expression(self, args: list[str], screen_info: ScreenInfo = None) -> RichTextLines:
        """Shows the value of an expression of dumped tensors."""
        parsed = _EVAL.parse_args(args)
        return cli_shared.format_tensor(
            self._evaluator.evaluate(parsed.expression),
            f"from eval of expression '{parsed.expression}'",
            numpy_printoptions_from_screen_info(screen_info),
            print_all=parsed.print_all,
            include_numeric_summary=True,
            write_path=parsed.write_path,
        )

    def print_source(self, args: list[str], screen_info: ScreenInfo = None) -> RichTextLines:
        """Shows a file, with what its lines recorded."""
        del screen_info
        parsed = _PRINT_SOURCE.parse_args(args)
        path, most = parsed.source_file_path, parsed.max_elements_per_line
        names = source_utils.annotate_source(self._dump, path, do_dumped_tensors=parsed.tensors)
        source, width = source_utils.load_source(path)
        lines: list[RichLine | str] = []
        first = 0
        for i, line in enumerate(source, 1):
            if i == parsed.line_begin:
                first = len(lines)
            number = f"L{i}"
            lines.append(RichLine(number, "yellow") + " " * (width - len(number)) + line)
            here = sorted(names.get(i, ()))
            for name in here[:most]:
                is_dumped = parsed.tensors or self._dump.debug_watch_keys(name)
                shown = linked(name, f"pt {name}") if is_dumped else RichLine(name, "blue")
                lines.append(RichLine("    ") + shown)
            if len(here) > most:
                kind, flag = ("tensor(s)", "-t") if parsed.tensors else ("op(s)", "")
                omitted = f"    (... Omitted {len(here) - most} of {len(here)} {kind} ...) "
                more = linked("+5", f"ps {path} {flag} -b {i} -m {most + 5}", caption=None)
                lines.append(RichLine(omitted) + more)
        said = _rich(lines)
        said.annotations[common.INIT_SCROLL_POS_KEY] = first
        _add_main_menu(said)
        return said

    def list_source(self, args: list[str], screen_info: ScreenInfo = None) -> RichTextLines:
        """Lists the files whose lines recorded the program."""
        del screen_info
        parsed = _LIST_SOURCE.parse_args(args)
        files = source_utils.list_source_files_against_dump(
            self._dump, parsed.path_filter, parsed.node_name_filter
        )
        lines: list[RichLine | str] = [
            RichLine("List of source files that created nodes in this run", "bold")
        ]
        if parsed.path_filter:
            lines.append(f'File path regex filter: "{parsed.path_filter}"')
        if parsed.node_name_filter:
            lines.append(f'Node name regex filter: "{parsed.node_name_filter}"')
        lines.append("")
        if not files:
            return _rich([*lines, "[No source file information.]"])
        for title, is_library, color in (
            ("File(s) outside TensorFlow Python library:", False, cli_shared.COLOR_WHITE),
            ("TensorFlow Python library file(s):", True, cli_shared.COLOR_GRAY),
        ):
            table = _source_table([file for file in files if file.is_library == is_library], color)
            lines += [RichLine(title, color), *(table or ["[No files.]"]), ""]
        said = _rich(lines)
        _add_main_menu(said)
        return said


def _sorted_by(parsed: Any, key: str) -> str:
    """The command that lists the same tensors by something; the other way round if it is."""
    command = "list_tensors"
    for flag, given in (
        ("-f", parsed.tensor_filter), ("-t", parsed.op_type_filter),
        ("-n", parsed.node_name_filter), ("-s", key),
    ):  # fmt: skip
        command += f" {flag} {given}" if given else ""
    return command + (" -r" if key == parsed.sort_by and not parsed.reverse else "")


def _source_table(files: list[source_utils.SourceFile], color: str) -> list[RichLine]:
    """Lines that show how much was recorded in which files; none if there are no files."""
    rows = [
        (file.path, *map(str, (file.num_nodes, file.num_tensors, file.num_dumps)))
        for file in files
    ]  # fmt: skip
    if not rows:
        return []
    head = ("Source file path", "#(nodes)", "#(tensors)", "#(tensor dumps)")
    *widths, _ = [max(map(len, column)) + 1 for column in zip(head, *rows, strict=True)]

    def cell(content: str, column: int) -> RichLine:
        return RichLine(content.ljust(widths[column]) if column < len(widths) else content, color)

    lines = []
    for file, row in zip((None, *files), (head, *rows), strict=True):
        line = cell(row[0], 0)
        if file is not None:
            item = common.MenuItem(None, f"ps {file.path} -b {file.first_line}")
            line = RichLine(file.path, [color, item]) + " " * (widths[0] - len(file.path))
        for column, content in enumerate(row[1:], 1):
            line += cell(content, column)
        lines.append(line)
    return lines


_LIST_TENSORS = command_parser.parser(
    "List dumped intermediate tensors.",
    (
        "-f", "--tensor_filter",
        text("List only Tensors passing the filter of the specified name"),
    ),
    (
        "-fenn", "--filter_exclude_node_names",
        text(
            "When applying the tensor filter, exclude node with names matching the regular "
            "expression. Applicable only if --tensor_filter or -f is used."
        ),
    ),
    ("-n", "--node_name_filter", text("filter node name by regex.")),
    ("-t", "--op_type_filter", text("filter op type by regex.")),
    (
        "-s", "--sort_by",
        {
            **text(
                "the field to sort the data by: (timestamp | dump_size | op_type | tensor_name)"
            ),
            "default": "timestamp",
        },
    ),
    ("-r", "--reverse", switch("sort the data in reverse (descending) order")),
)  # fmt: skip
_NODE_INFO = command_parser.parser(
    "Show information about a node.",
    ("node_name", {"type": str, "help": _NODE.format("an associated tensor")}),
    ("-a", "--attributes", switch("Also list attributes of the node.")),
    ("-d", "--dumps", switch("Also list dumps available from the node.")),
    (
        "-t", "--traceback",
        switch("Also include the traceback of the node's creation (if available in Python)."),
    ),
)  # fmt: skip
_PRINT_TENSOR = command_parser.get_print_tensor_argparser("Print the value of a dumped tensor.")
_PRINT_SOURCE = command_parser.parser(
    "Print a Python source file with overlaid debug information, including the nodes (ops) or "
    "Tensors created at the source lines.",
    ("source_file_path", {"type": str, "help": "Path to the source file."}),
    ("-t", "--tensors", switch("Label lines with dumped Tensors, instead of ops.")),
    (
        "-m", "--max_elements_per_line",
        number("Maximum number of elements (ops or Tensors) to show per source line.", 10),
    ),
    ("-b", "--line_begin", number("Print source beginning at line number (1-based.)", 1)),
)  # fmt: skip
_LIST_SOURCE = command_parser.parser(
    "List source files responsible for constructing nodes and tensors present in the run().",
    ("-p", "--path_filter", text("Regular expression filter for file path.")),
    ("-n", "--node_name_filter", text("Regular expression filter for node name.")),
)
_EVAL = command_parser.parser(
    "Evaluate a Python expression of dumped tensors, whose names stand in backticks; NumPy is np. "
    'E.g., eval "np.matmul((`output/Identity:0`/`Softmax:0`).T, `Softmax:0`)".',
    (
        "expression",
        {
            "type": str,
            "help": "The expression. A tensor is [<device_name>:]<node_name>:<output_slot>"
            "[:<debug_op>], with [<number>] behind if it was dumped several times; the debug op "
            "is DebugIdentity if none is named.",
        },
    ),
    (
        "-a", "--all",
        {
            "dest": "print_all",
            **switch(
                "Print the tensor in its entirety, i.e., do not use ellipses (may be slow for "
                "large results)."
            ),
        },
    ),
    (
        "-w", "--write_path",
        text("Path of the numpy file to write the evaluation result to, using numpy.save()"),
    ),
)  # fmt: skip


def create_analyzer_ui(
    debug_dump: DebugDumpDir,
    tensor_filters: Mapping[str, Callable[..., Any]] | None = None,
    ui_type: str = "curses",
    on_ui_exit: Callable[[], None] | None = None,
    config: cli_config.CLIConfig | None = None,
) -> base_ui.BaseUI:
    """A prompt with the commands that show a dump.

    Args:
      debug_dump: the dump.
      tensor_filters: name -> filter.
      ui_type, on_ui_exit, config: see `ui_factory.get_ui`.
    """
    ui = ui_factory.get_ui(ui_type, on_ui_exit, config=config)
    analyzer = DebugAnalyzer(debug_dump, ui.config)
    for name, tensor_filter in (tensor_filters or {}).items():
        analyzer.add_tensor_filter(name, tensor_filter)
    commands = {
        "list_tensors": (analyzer.list_tensors, "lt"),
        "node_info": (analyzer.node_info, "ni"),
        "list_inputs": (analyzer.list_inputs, "li"),
        "list_outputs": (analyzer.list_outputs, "lo"),
        "print_tensor": (analyzer.print_tensor, "pt"),
        "print_source": (analyzer.print_source, "ps"),
        "list_source": (analyzer.list_source, "ls"),
        "eval": (analyzer.evaluate_expression, "ev"),
    }
    parsers = analyzer.parsers()
    for name, (command, alias) in commands.items():
        ui.register_command_handler(
            name, command, parsers[name].format_help(), prefix_aliases=[alias]
        )
    dumped = list(dict.fromkeys(datum.tensor_name for datum in debug_dump.dumped_tensor_data))
    ui.register_tab_comp_context(["print_tensor", "pt"], dumped)
    if debug_dump.loaded_partition_graphs():
        ui.register_tab_comp_context(
            ["node_info", "ni", "list_inputs", "li", "list_outputs", "lo"], debug_dump.nodes()
        )
    return ui
