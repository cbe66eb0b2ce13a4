"""The pieces of the debugger's prompt, as other programs import them: more cases.

Each is in `debugger_cases.CASES`, as those of that file are.
"""

from __future__ import annotations

import importlib
import inspect
import json
import os
import re

import numpy as np
from debugger_cases import case, error, part

_MENU = "mm:"


def rich(output):
    """Lines, font attributes and annotations as JSON."""
    if output is None or not hasattr(output, "lines"):
        return repr(output)
    segments = sorted(output.font_attr_segs.items())
    notes = []
    for key, value in sorted(output.annotations.items(), key=lambda item: str(item[0])):
        if key == _MENU:
            value = [_attribute(value.caption_to_item(caption)) for caption in value.captions()]
        notes.append([key, repr(value)])
    return [
        list(output.lines),
        [[row, [[*ends, _attribute(attr)] for *ends, attr in found]] for row, found in segments],
        notes,
    ]


def _attribute(attr):
    if isinstance(attr, (list, tuple)):
        return [_attribute(item) for item in attr]
    if hasattr(attr, "caption"):
        return ["menu", attr.caption, attr.content, attr.is_enabled()]
    return attr


def parameters(owner, names):
    """The names and defaults of the parameters of functions and of classes' methods."""
    found = []
    for name in names.split():
        value = owner
        for word in name.split("."):
            value = getattr(value, word)
        if inspect.isclass(value):
            value = value.__init__
        spec = inspect.getfullargspec(value)
        found.append([name, spec.args, repr(spec.defaults), spec.varargs, spec.varkw])
    return found


@case
def rich_lines(tf, debug, folder):
    common = part("cli.debugger_cli_common")
    line = common.RichLine("Roses are ") + common.RichLine("red", "red")
    longer = line + ", violets " + common.RichLine("blue", ["bold", "blue"]) + "."
    lines = common.rich_text_lines_from_rich_line_list
    texts = common.RichTextLines(
        ["Roses are red", "Violets are blue"],
        font_attr_segs={0: [(0, 5, "red")], 1: [(0, 7, "blue"), (8, 11, "bold")]},
        annotations={0: "longer wavelength", 1: "shorter", "key": "value"},
    )
    other = common.RichTextLines(
        ["Sugar", "is", "sweet"], {0: [(0, 5, "white")], 2: [(0, 1, "x")]}, {2: "two", "key": 3}
    )
    sliced = [rich(texts.slice(*ends)) for ends in ((0, 1), (1, 2), (0, 5), (1, 1), (2, 9))]
    both = common.RichTextLines(["first"], annotations={0: "here"})
    both.extend(other)
    front = common.RichTextLines(["last"], {0: [(1, 2, "y")]}, {0: "l", "key": "kept"})
    front._extend_before(other)
    grown = common.RichTextLines("one line", annotations={0: "the one"})
    grown.append("second")
    grown.append("third", [(0, 2, "red")])
    grown.append("fourth", font_attr_segs=[])
    grown.prepend("zeroth", font_attr_segs=[(0, 1, "z")])
    grown.prepend("before")
    grown.append_rich_line(line)
    grown.append_rich_line(common.RichLine("plain"))
    path = os.path.join(folder, "text")
    grown.write_to_file(path)
    with open(path) as file:
        written = file.read()
    return [
        [line.text, line.font_attr_segs, len(line), len(common.RichLine())],
        [longer.text, longer.font_attr_segs, (common.RichLine("a", "b") + "").font_attr_segs],
        rich(lines([line, "plain", longer], annotations={1: "x", "k": 2})),
        rich(lines([])),
        rich(texts),
        sliced,
        [error(texts.slice, *ends) for ends in ((-1, 1), (0, -1), (1, 0))][:2],
        rich(both),
        rich(front),
        rich(grown),
        [grown.num_lines(), written],
        rich(common.RichTextLines([])),
        error(common.RichTextLines, 3),
        error(common.RichTextLines, None),
        error(common.RichTextLines, {"a": 1}),
        rich(common.RichTextLines(["a"], annotations={})),
    ]


@case
def rich_line_searches(tf, debug, folder):
    common = part("cli.debugger_cli_common")
    texts = common.RichTextLines(
        ["Roses are red", "Violets are blue", "", "12345678901234567890"],
        {
            0: [(0, 5, "red"), (6, 13, "white"), (4, 4, "nowhere"), (9, 7, "turned")],
            3: [(3, 14, "bold"), (9, 10, "x")],
        },
        {0: "longer", 1: "shorter", 3: "digits", "key": "value"},
    )
    found = [
        rich(common.regex_find(texts, regex, "yellow"))
        for regex in ("are", "blue$", "(o|e)", "nothing", "", "[0-9]{3}", "e*")
    ]
    wrapped = []
    for cols in (1, 3, 7, 10, 13, 50):
        output, indices = common.wrap_rich_text_lines(texts, cols)
        wrapped.append([cols, rich(output), indices])
    empty, none = common.wrap_rich_text_lines(common.RichTextLines([]), 5)
    return [
        found,
        error(common.regex_find, texts, "*", "yellow"),
        error(common.regex_find, texts, "(a", "yellow"),
        wrapped,
        [rich(empty), none],
        error(common.wrap_rich_text_lines, 3, 4),
        error(common.wrap_rich_text_lines, texts, "4"),
        error(common.wrap_rich_text_lines, ["a"], 4),
        rich(texts),
    ]


@case
def command_registry(tf, debug, folder):
    common = part("cli.debugger_cli_common")
    registry = common.CommandHandlerRegistry()

    def noop(argv, screen_info=None):
        return common.RichTextLines(["Done.", " ".join(argv), repr(screen_info)])

    def fails(argv, screen_info=None):
        raise RuntimeError("bad " + argv[0])

    def parses(argv, screen_info=None):
        raise SystemExit(2)

    def leaves(argv, screen_info=None):
        raise common.CommandLineExit(exit_token="the token")

    def wrong(argv, screen_info=None):
        return ["lines"]

    register = registry.register_command_handler
    register("noop", noop, "Does nothing.\nAt all.", prefix_aliases=["n", "NOOP"])
    register("fails", fails, "", prefix_aliases=["f"])
    register("parses", parses, "Parses")
    register("leaves", leaves, "Leaves")
    register("wrong", wrong, "Wrong")

    def stops(argv, screen_info=None):
        raise KeyboardInterrupt("stop")

    register("stops", stops, "Stops")
    register("none", lambda argv, screen_info=None: None, "None")

    def dispatch(prefix, argv, **kwargs):
        try:
            output = registry.dispatch_command(prefix, argv, **kwargs)
        except common.CommandLineExit as end:
            return ["exit", end.exit_token]
        except BaseException as caught:
            return [type(caught).__name__, re.sub(" at 0x[0-9a-f]+", "", str(caught))]
        lines = getattr(output, "lines", None)
        if lines and "Traceback (most recent call last):" in lines:
            at = lines.index("Traceback (most recent call last):")
            return [lines[:at], lines[-2:], output.font_attr_segs]
        return rich(output)

    dispatched = [
        dispatch("noop", ["a", "b"]),
        dispatch("n", [], screen_info={"cols": 80}),
        dispatch("NOOP", ["x"]),
        dispatch("fails", ["x"]),
        dispatch("f", ["x", "y"]),
        dispatch("parses", ["x"]),
        dispatch("leaves", []),
        dispatch("wrong", []),
        dispatch("none", []),
        dispatch("stops", []),
        dispatch("nosuch", []),
        dispatch("", []),
        dispatch("help", ["noop"]),
        dispatch("h", ["n"]),
        dispatch("help", ["nosuch"]),
        dispatch("help", ["a", "b"]),
        dispatch("help", ["parses"]),
    ]
    whole = rich(registry.get_help())
    registry.set_help_intro(common.RichTextLines(["Welcome", ""], {0: [(0, 3, "bold")]}))
    version = registry.dispatch_command("version", []).lines
    versions = [
        [re.sub(r"[\d.]+\S*$", "N", line) for line in common.get_tensorflow_version_lines().lines],
        version[0].split(":")[0],
        len(common.get_tensorflow_version_lines(True).lines) > 3,
        rich(common.get_tensorflow_version_lines())[1:],
    ]
    return [
        dispatched,
        whole,
        rich(registry.dispatch_command("help", [])),
        rich(registry.get_help("noop")),
        rich(registry.get_help("nosuch")),
        versions,
        [registry.is_registered(name) for name in ("noop", "n", "nosuch", "help", "ver", "h")],
        error(register, "noop", noop, ""),
        error(register, "noop2", noop, "", prefix_aliases=["n"]),
        error(register, "", noop, ""),
        error(register, "a", 3, ""),
        error(register, "b", noop, 4),
        error(register, "c", noop, "", prefix_aliases=["noop"]),
        error(register, "d", noop, "", prefix_aliases="d"),
        error(register, "help", noop, ""),
        [common.HELP_INDENT, common.EXPLICIT_USER_EXIT, common.REGEX_MATCH_LINES_KEY],
        [common.INIT_SCROLL_POS_KEY, common.MAIN_MENU_KEY, common.CommandLineExit().exit_token],
        [registry.HELP_COMMAND, registry.HELP_COMMAND_ALIASES, registry.VERSION_COMMAND],
        registry.VERSION_COMMAND_ALIASES,
    ]


@case
def tab_completions(tf, debug, folder):
    common = part("cli.debugger_cli_common")
    registry = common.TabCompletionRegistry()
    registry.register_tab_comp_context(["print_tensor", "pt"], ["node_b:1", "node_b:2", "node_a:1"])
    registry.register_tab_comp_context(["node_info"], ["node_c", "node_b", "node_a"])
    registry.register_tab_comp_context([""], ["print_tensor", "node_info"])

    def get(*args):
        return list(registry.get_completions(*args))

    before = [
        get("node_info", "node_"), get("print_tensor", "node_b"), get("pt", "node_b"),
        get("pt", "q"), get("nosuch", "a"), get("", ""), get("pt", ""), get("", "n"),
    ]  # fmt: skip
    registry.extend_comp_items("print_tensor", ["node_A:1", "node_A:2"])
    extended = [get("pt", "node_A"), get("pt", "")]
    # TensorFlow 1.15's words of a context no longer share their items once some were added.
    registry.register_tab_comp_context(["print_tensor", "pt"], ["node_b:1", "node_b:2", "node_a:1"])
    registry.remove_comp_items("pt", ["node_a:1", "node_b:2"])
    removed = [get("print_tensor", ""), error(registry.remove_comp_items, "pt", ["nosuch"])]
    said = [
        error(registry.extend_comp_items, "nosuch", ["a"]),
        error(registry.remove_comp_items, "nosuch", ["a"]),
        error(registry.register_tab_comp_context, ["node_info"], ["a"]),
        error(registry.register_tab_comp_context, "node", ["a"]),
        error(registry.register_tab_comp_context, ["n"], "a"),
        error(registry.deregister_context, ["nosuch"]),
        error(registry.deregister_context, ["nosuch", "pt"]),
    ]
    registry.deregister_context(["print_tensor"])
    said.append([get("print_tensor", "node"), get("pt", "node_b")])
    said.append([registry._common_prefix(m) for m in ([], ["ab"], ["abc", "abd"], ["a", "b"])])
    return [before, extended, removed, said]


@case
def command_history(tf, debug, folder):
    common = part("cli.debugger_cli_common")
    path = os.path.join(folder, "history")
    history = common.CommandHistory(limit=3, history_file_path=path)
    for command in ("print_tensor", "list_tensors", "help", "print_tensor node_a:0", "help"):
        history.add_command(command)
    with open(path) as file:
        written = file.read()
    again = common.CommandHistory(limit=2, history_file_path=path)
    default = common.CommandHistory()
    default.add_command("a")
    with open(os.path.join(folder, ".tfdbg_history")) as file:
        kept = file.read()
    with open(path, "a") as file:
        file.write("\n  \nlast one  \n")
    return [
        [history.most_recent_n(n) for n in (0, 1, 2, 3, 4, 9)],
        [history.lookup_prefix(*ask) for ask in (("h", 1), ("h", 9), ("print", 5), ("q", 2))],
        [error(history.add_command, value) for value in (3, None, ["a"])],
        [written, kept, again.most_recent_n(5)],
        common.CommandHistory(limit=9, history_file_path=path).most_recent_n(9),
        parameters(common, "CommandHistory CommandHistory.most_recent_n"),
    ]


@case
def menus(tf, debug, folder):
    common = part("cli.debugger_cli_common")
    node = common.MenuItem("water flower", "water_flower")
    other = common.MenuItem("measure wavelength", "measure", enabled=False)
    menu = common.Menu(name="flowers")
    counts = [menu.num_items()]
    menu.append(node)
    menu.append(other)
    menu.insert(1, common.MenuItem("middle", "m"))
    counts.append(menu.num_items())
    said = [rich(menu.format_as_single_line())]
    for kwargs in (
        {"prefix": "Menu: "},
        {"divider": ", ", "enabled_item_attrs": "bold", "disabled_item_attrs": "red"},
        {"enabled_item_attrs": ["bold", "x"], "disabled_item_attrs": ["red"]},
    ):
        said.append(rich(menu.format_as_single_line(**kwargs)))
    node.disable()
    other.enable()
    said.append(error(getattr, node, "type")[0])
    return [
        [node.caption, node.content, node.is_enabled(), other.is_enabled()],
        [counts, menu.captions(), menu.caption_to_item("middle").content],
        error(menu.caption_to_item, "nosuch"),
        said,
        rich(menu.format_as_single_line(prefix="a", divider="")),
        rich(common.Menu().format_as_single_line()),
        parameters(common, "Menu MenuItem Menu.format_as_single_line Menu.insert Menu.append"),
    ]


@case
def parsed_texts(tf, debug, folder):
    parser = part("cli.command_parser")
    sizes = (
        "0", "1023", "1.1kB", "24 MB", "23GB", "100 G", "1k", " 5 ", "0.5 M", "B", "5B", "3.2",
        "-1k", "1T", "", "abc", "1 kb", "2e3", "1KB",
    )  # fmt: skip
    times = (
        "100us",
        "8ms",
        "5s",
        "100",
        " 3 ms ",
        "1.5s",
        "0",
        "-1",
        "x",
        "5 m",
        "-2ms",
        "-1.5s",
        "-0.5",
    )
    indices = (
        "[1, 2, 3]",
        "1,2",
        "[]",
        "",
        "3",
        "[ 4 ]",
        "[-1, 0]",
        "1 2",
        "a b",
        "[1, a]",
        "[1",
        "1.5",
    )
    intervals = (
        "[10kB, 20kB]", "<100M", ">100G", "(1k, 2M]", "[1, 2)", ">=5", "<=5", "[5, 1]", "", "5",
        "[1,2", "<", ">=", "[1]", "<abc", "[a, b]", "(3, 3)", "[3, 3]", "  <1k ", "[-1, 2]",
        "<-5", ">= 5", "[1k,2k,3k]", "<5<6", "=5", "1,2", "[ 1 , 2 ]", " x ", "[1,b]", "[1 2]",
    )  # fmt: skip
    spans = (
        "[10us, 20us]",
        "<100s",
        ">100ms",
        "(1, 2s]",
        "[1s, 1us]",
        "x",
        "[1ms]",
        ">=8 ms",
        "[3, 3]",
        "(3,3)",
    )

    def interval(function, text):
        try:
            found = function(text)
        except Exception as caught:
            return [type(caught).__name__, str(caught)]
        if found is None:
            return None
        ends = [found.start, found.start_included, found.end, found.end_included]
        return [*ends, [found.contains(value) for value in (0, 1, 1024, 2048, 20000, 1e12)]]

    made = parser.Interval(1, True, 2, False)
    return [
        [error(parser.parse_readable_size_str, text) for text in sizes],
        [error(parser.parse_readable_time_str, text) for text in times],
        [error(parser.parse_indices, text) for text in indices],
        [interval(parser.parse_memory_interval, text) for text in intervals],
        [interval(parser.parse_time_interval, text) for text in spans],
        [made == parser.Interval(1, True, 2, False), made == parser.Interval(1, True, 2, True)],
        [made.contains(value) for value in (0, 1, 1.5, 2)],
        [
            error(parser.Interval(None, None, 5, True).contains, 5)[0],
            error(parser.Interval(5, False, None, None).contains, 5)[0],
        ],
        [
            error(parser.evaluate_tensor_slice, np.arange(6), text)
            for text in ("[1:2:3:4]", "[]", "[1,]", "[:,]", "[9]", "[: , ]", "1", "[ 1: ]")
        ],
        [
            error(parser.parse_ranges, text)
            for text in ("[]", "1", "[1]", "[[1]]", "[[1,2],3]", "(1,2)", "[1,2],[3,4]")
        ],
        [error(parser.parse_ranges, text)[0] for text in ("x", "[a")],
        parameters(parser, "Interval Interval.contains get_print_tensor_argparser parse_indices"),
    ]


def _profile_files(folder):
    path = os.path.join(folder, "profiled.py")
    with open(path, "w") as file:
        file.write("import a\nx = 1\ny = x + 1\nz = y\n")
    return path


@case
def profile_data(tf, debug, folder):
    profiling, sources = part("lib.profiling"), part("lib.source_utils")
    stats = importlib.import_module("tensorflow.core.framework.step_stats_pb2")
    path = _profile_files(folder)

    def datum(name, start, op, total, line, op_type="Add", device="/cpu:0", file=path):
        node = stats.NodeExecStats(
            node_name=name, all_start_micros=10, op_start_rel_micros=start,
            op_end_rel_micros=start + op, all_end_rel_micros=total,
        )  # fmt: skip
        return profiling.ProfileDatum(device, node, file, line, "func", op_type)

    data = [
        datum("Add/123", 3, 6, 11, 2), datum("Mul/456", 1, 2, 5, 2, "Mul"),
        datum("Add/123", 1, 3, 8, 2), datum("far", 1, 2, 3, 4, file="/nowhere.py"),
        datum("w", 2, 5, 9, 4, "Var", "/gpu:0"), datum("Add/123", 0, 1, 2, 3, device="/gpu:0"),
    ]  # fmt: skip
    first = data[0]
    total = profiling.AggregateProfile(first)
    for item in data[1:]:
        total.add(item)

    def summary(profile):
        names = "total_op_time total_exec_time node_count node_exec_count".split()
        return [getattr(profile, name) for name in names]

    def annotated(**kwargs):
        found = sources.annotate_source_against_profile(data, path, **kwargs)
        return sorted([line, summary(profile)] for line, profile in found.items())

    kinds = "a.py a.pyc a.pyo a.txt A.PY a py".split()
    return [
        [first.device_name, first.line_number, first.func_name, first.op_type, first.op_time],
        [first.exec_time, first.start_time, first.file_path == path],
        first.node_exec_stats.node_name,
        summary(profiling.AggregateProfile(first)),
        summary(total),
        annotated(),
        annotated(node_name_filter="Add"),
        annotated(op_type_filter="Mul|Var"),
        annotated(min_line=3),
        annotated(max_line=3),
        [sources.is_extension_compiled_python_source(name) for name in kinds],
        [sources.is_extension_uncompiled_python_source(name) for name in kinds],
        [sources.COMPILED_SOURCE_SUFFIXES, sources.UNCOMPILED_SOURCE_SUFFIXES],
        parameters(profiling, "ProfileDatum AggregateProfile AggregateProfile.add"),
        parameters(sources, "annotate_source_against_profile annotate_source load_source"),
    ]


@case
def navigation(tf, debug, folder):
    widgets, common = part("cli.curses_widgets"), part("cli.debugger_cli_common")
    history = widgets.CursesNavigationHistory(3)
    said = [
        error(widgets.CursesNavigationHistory, 0),
        error(widgets.CursesNavigationHistory, -1),
        error(widgets.CursesNavigationHistory, "a"),
        error(history.go_back),
        error(history.go_forward),
        error(history.update_scroll_position, 3),
        rich(history.render(40, "p", "n")),
        [history.can_go_back(), history.can_go_forward(), history.size(), history.pointer()],
    ]
    for number in range(5):
        history.add_item(f"command {number}", common.RichTextLines([str(number)]), number)
        said.append([history.size(), history.pointer(), history.can_go_back()])
    said.append(rich(history.render(40, "prev", "next")))
    for go in (history.go_back, history.go_back, history.go_back, history.go_forward):
        item = go()
        history.update_scroll_position(9)
        said.append([item.command, item.screen_output.lines, item.scroll_position])
        said.append([history.pointer(), history.can_go_back(), history.can_go_forward()])
        said.append(
            [
                rich(history.render(width, "prev", "next"))
                for width in (40, 26, 25, 21, 20, 19, 18, 17, 16, 8)
            ]
        )
    history.add_item("new", common.RichTextLines([]), 0)
    said.append(rich(history.render(40, "p", "n", "bold", "red")))
    said.append([history.go_back().command, history.go_back().command])
    said.append([history.size(), history.BACK_ARROW_TEXT, history.FORWARD_ARROW_TEXT])
    return [said, parameters(widgets, "NavigationHistoryItem CursesNavigationHistory")]


@case
def scroll_bars(tf, debug, folder):
    curses_ui = part("cli.curses_ui")
    bars = [
        (0, 0, 1, 7, 0, 6), (0, 0, 1, 7, 0, 50), (0, 0, 1, 7, 20, 50), (0, 0, 1, 7, 49, 50),
        (0, 0, 1, 7, 50, 50), (2, 3, 3, 10, 5, 200), (0, 0, 1, 3, 2, 5), (0, 0, 0, 9, 0, 5),
        (0, 0, 2, 9, 3, 9),
    ]  # fmt: skip
    said = []
    for place in bars:
        bar = curses_ui.ScrollBar(*place)
        said.append([rich(bar.layout()), [bar.get_click_command(y) for y in range(-1, 12)]])
    return [
        said,
        [error(curses_ui.ScrollBar, 0, 0, 1, y, 0, 5) for y in (0, 1, 2)],
        parameters(curses_ui, "CursesUI ScrollBar ScrollBar.get_click_command"),
        part("lib.common").GRPC_URL_PREFIX,
    ]


@case
def settings(tf, debug, folder):
    path = os.path.join(folder, "settings")
    config = part("cli.cli_config").CLIConfig(config_file_path=path)
    called = []
    config.set_callback("mouse_mode", lambda config: called.append(config.get("mouse_mode")))
    said = [
        error(config.set_callback, "nosuch", len),
        error(config.set_callback, "mouse_mode", 3),
        error(config.set, "nosuch", 3),
        error(config.set, "mouse_mode", "maybe"),
        error(config.set, "graph_recursion_depth", "x"),
        error(config.get, "nosuch"),
    ]
    for name, value in (
        ("mouse_mode", "no"), ("mouse_mode", True), ("mouse_mode", "F"), ("mouse_mode", 0),
        ("graph_recursion_depth", "7"), ("graph_recursion_depth", 3.9),
    ):  # fmt: skip
        config.set(name, value)
        said.append([config.get("mouse_mode"), config.get("graph_recursion_depth")])
    again = part("cli.cli_config").CLIConfig(config_file_path=path)
    with open(path) as file:
        written = json.load(file)
    return [
        said,
        called,
        rich(again.summarize()),
        rich(again.summarize(highlight="graph_recursion_depth")),
        sorted(written.items()),
        parameters(part("cli.cli_config"), "CLIConfig CLIConfig.set CLIConfig.summarize"),
        parameters(part("cli.evaluator"), "ExpressionEvaluator ExpressionEvaluator.evaluate"),
        parameters(part("cli.ui_factory"), "get_ui"),
    ]
