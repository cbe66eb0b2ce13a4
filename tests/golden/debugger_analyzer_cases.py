"""What the debugger's analyzers show, with font attributes, menus and annotations: more cases.

Each is in `debugger_cases.CASES`, as those of that file are.
"""

from __future__ import annotations

import importlib
import os
import re
import shutil
import tempfile

import numpy as np
from debugger_cases import case, error, part, session
from debugger_cli_cases import _attribute, parameters, rich


def _said(function, *args, **kwargs):
    """What a command shows, without what is Python's own."""
    try:
        with np.printoptions():
            output = function(*args, **kwargs)
    except SystemExit:
        return "SystemExit"
    except SyntaxError as caught:
        return type(caught).__name__  # Its text is Python's.
    except Exception as caught:
        return [type(caught).__name__, str(caught)]
    return rich(output)


def alone(module):
    """A module whose functions leave NumPy's print options as they found them."""

    class Alone:
        def __getattr__(self, name):
            value = getattr(module, name)
            if not callable(value) or isinstance(value, type):
                return value

            def call(*args, **kwargs):
                with np.printoptions():
                    return value(*args, **kwargs)

            return call

    return Alone()


@case
def formatted_tensors(tf, debug, folder):
    tensors, common = alone(part("cli.tensor_format")), part("cli.debugger_cli_common")
    options = tensors.HighlightOptions
    small = np.linspace(0, 1 - 1 / 16, 16).reshape(4, 4)
    large = np.arange(2000).reshape(2, 10, 100)
    said = [
        rich(tensors.format_tensor(value, "label"))
        for value in (
            small, np.float32(3), np.zeros([0, 3]), np.array(b"text"),
            np.array([b"a", b"b"], object), np.array([True, False]), np.arange(5),
            np.array(5), np.arange(24).reshape(2, 3, 4),
            np.array([1 + 2j]), np.array([np.nan, np.inf, -np.inf, 1e-20, -3.5]), 3, "text", None,
            [1, 2], np.zeros([2, 0]), np.array([[1]]), np.zeros([1, 1, 1, 2]),
        )
    ]  # fmt: skip
    said += [
        rich(tensors.format_tensor(small, None)),
        rich(tensors.format_tensor(small, None, include_metadata=True)),
        rich(
            tensors.format_tensor(
                small, "a", auxiliary_message=common.RichTextLines(["x"], {0: [(0, 1, "bold")]})
            )
        ),
        rich(
            tensors.format_tensor(
                small, "a", include_metadata=True, include_numeric_summary=True,
                np_printoptions={"precision": 2, "linewidth": 20},
            )
        ),
        rich(tensors.format_tensor(large, "a", np_printoptions={"threshold": 100})),
        rich(
            tensors.format_tensor(
                large, "a", np_printoptions={"threshold": 100, "edgeitems": 2, "linewidth": 40}
            )
        ),
    ]  # fmt: skip
    labels = ("", "a:b", "a:0 (feed)", "a:0:D", "a:0:D[1, :]", "a:0:D (dump #1)", ":", "a:0[1]")
    said += [rich(tensors.format_tensor(np.zeros([1]), label))[:2] for label in labels]
    note = common.RichTextLines(["note"])
    said += [
        rich(
            tensors.format_tensor(
                value, "a", include_metadata=True, auxiliary_message=note,
                include_numeric_summary=True,
            )
        )
        for value in (3, np.array([b"a", b"bc"]), np.array([u"a"]), np.float32(3), np.array(3.0))
    ]  # fmt: skip
    highlights = [
        options(lambda x: x > 0.5),
        options(lambda x: x > 0.5, description="over half", font_attr="red"),
        options(lambda x: x > 9, description="none"),
        options(lambda x: x < 2),
    ]
    said += [
        rich(tensors.format_tensor(value, "a", highlight_options=highlight, **kwargs))
        for highlight in highlights
        for value, kwargs in ((small, {}), (np.array([0.25, 3]), {"include_metadata": True}))
    ]
    said += [
        rich(
            tensors.format_tensor(
                large, "a", np_printoptions={"threshold": 9},
                highlight_options=options(lambda x: x % 50 == 0, font_attr="bold"),
            )
        ),
        rich(tensors.format_tensor(np.float32(3), "a", highlight_options=highlights[0])),
        error(tensors.format_tensor, np.array(3.0), "a", highlight_options=highlights[0]),
        rich(tensors.format_tensor(3, "a", highlight_options=highlights[0])),
    ]  # fmt: skip
    empty = (np.zeros([0]), np.array([b"a"]), np.zeros([2], bool), np.array([[True], [False]]))
    numbers = (np.arange(-3, 5), np.array([np.nan, np.inf]), np.float32(3), 5, np.zeros([2]))
    return [
        said,
        [rich(tensors.numeric_summary(value)) for value in (*empty, *numbers)],
        error(tensors.numeric_summary, np.array([1j]))[0],
        [highlights[0].description, highlights[0].font_attr, highlights[0].criterion(3)],
        [tensors.BEGIN_INDICES_KEY, tensors.OMITTED_INDICES_KEY],
        tensors.DEFAULT_TENSOR_ELEMENT_HIGHLIGHT_FONT_ATTR,
        parameters(
            part("cli.tensor_format"),
            "HighlightOptions format_tensor locate_tensor_element numeric_summary",
        ),
    ]


@case
def located_elements(tf, debug, folder):
    tensors = alone(part("cli.tensor_format"))

    def found(output, indices):
        try:
            return list(tensors.locate_tensor_element(output, indices))
        except Exception as caught:
            return [type(caught).__name__, str(caught)]

    def all_of(value, asked, **kwargs):
        output = tensors.format_tensor(value, "a", np_printoptions=kwargs)
        return [output.lines, [found(output, indices) for indices in asked]]

    grid = [[0, 0], [1, 2], [3, 3], [[0, 0], [1, 3], [2, 0]], [4, 0], [-1, 0], [0], [0, 0, 0]]
    grid += [[], [[0, 0], [0]], [[1, 0], [0, 0]], [[3, 3], [9, 9]]]
    long = [[0], [9], [10], [99], [[5], [6], [50]], [150], [2], [3], [[0], [1], [60], [99]]]
    cube = [[0, 0, 0], [0, 5, 0], [4, 9, 19], [2, 0, 0], [[0, 0, 0], [0, 5, 5], [4, 9, 19]]]
    cube += [[0, 0, 3], [1, 1, 1], [4, 9, 0], [3, 0, 0], [0, 0, 19], [[0, 1, 10], [0, 2, 1]]]
    mixed = np.array([[np.nan, np.inf, -np.inf], [-1.0, 1e-10, 1e20]])
    short = {"threshold": 10}
    return [
        all_of(np.linspace(0, 1 - 1 / 16, 16).reshape(4, 4), grid),
        all_of(np.arange(100), long, linewidth=40),
        all_of(np.arange(100), long, edgeitems=2, **short),
        all_of(np.arange(1000.0).reshape(5, 10, 20), cube, **short),
        all_of(np.arange(1000.0).reshape(5, 10, 20), cube, edgeitems=2, linewidth=30, **short),
        all_of(mixed, [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2], [[0, 2], [1, 2]]]),
        all_of(np.array(3.0), [[], [0]]),
        all_of(np.zeros([0, 2]), [[0, 0], []]),
        all_of(3, [[0]]),
        all_of(np.array([b"a", b"b"], object), [[0], [1]]),
    ]


@case
def shared_texts(tf, debug, folder):
    shared, tensors = alone(part("cli.cli_shared")), part("cli.tensor_format")
    x = tf.placeholder(tf.float32, name="x")
    y = tf.identity(x, name="y")
    values = np.array([[-2.0, 0.5], [1.0, np.inf]])
    highlights = [shared.parse_ranges_highlight(text) for text in ("[0, 1]", "[[-inf,0],[1,inf]]")]
    path = os.path.join(folder, "a.npy")
    saved = rich(shared.format_tensor(values, "a:0", {"precision": 3}, write_path=path))
    failure = tf.errors.InvalidArgumentError(y.op.node_def, y.op, "some\nmessage")
    unknown = tf.errors.InvalidArgumentError(None, None, "message")

    def intro(failure):
        lines, segments, notes = rich(shared.get_error_intro(failure))
        # The class has another module's name.
        lines = [re.sub("<class '.*[.]", "<class '", line) for line in lines]
        # What the traceback of the operation says is not the prompt's.
        lines = [line.split("\n")[0] for line in lines]
        return [lines, segments, notes]

    return [
        [highlight.description for highlight in highlights],
        [np.asarray(highlight.criterion(values)).tolist() for highlight in highlights],
        [highlights[0].font_attr, shared.parse_ranges_highlight("")],
        error(shared.parse_ranges_highlight, "[1")[0],
        shared.numpy_printoptions_from_screen_info({"cols": 60}),
        shared.numpy_printoptions_from_screen_info({}),
        shared.numpy_printoptions_from_screen_info(None),
        [line.replace(folder, "F") for line in saved[0]],
        [
            rich(shared.format_tensor(values, "a:0", {}, **kwargs))
            for kwargs in (
                {}, {"print_all": True}, {"tensor_slicing": "[1, :]"},
                {"highlight_options": highlights[0]}, {"include_numeric_summary": True},
                {"tensor_slicing": "[0, 0]"},
            )
        ],
        rich(shared.format_tensor(np.arange(3000), "a:0", {"linewidth": 90})),
        len(shared.format_tensor(np.arange(3000), "a:0", {}, print_all=True).lines) > 100,
        rich(shared.format_tensor(None, "a:0", {})),
        rich(shared.error("a message")),
        rich(shared.get_run_start_intro(3, [x, y], {x: 1, "q:0": 2}, {"b": None, "a": None})),
        rich(shared.get_run_start_intro(1, y, None, {})),
        rich(shared.get_run_start_intro(1, None, None, {}, is_callable_runner=True)),
        intro(failure),
        intro(unknown),
        rich(shared.get_tfdbg_logo()),
        [getattr(shared, "COLOR_" + name) for name in "BLACK BLUE CYAN GRAY GREEN".split()],
        [getattr(shared, "COLOR_" + name) for name in "MAGENTA RED WHITE YELLOW".split()],
        [shared.TIME_UNIT_US, shared.TIME_UNIT_MS, shared.TIME_UNIT_S, shared.TIME_UNITS],
        shared.DEFAULT_NDARRAY_DISPLAY_THRESHOLD,
        parameters(part("cli.cli_shared"), "format_tensor error get_tfdbg_logo"),
        type(highlights[0]) is tensors.HighlightOptions,
    ]  # fmt: skip


def at_fixed_times(tf, debug, folder):
    """A dump whose times are always the same, its program, and the file that recorded this."""
    # Tables are as wide as the path is long.
    source = os.path.join(folder, "recorded.py")
    with open(source, "w") as file:
        file.write(_SOURCE)
    scope = {"tf": tf, "np": np}
    with open(source) as file:
        exec(compile(file.read(), source, "exec"), scope)
    sess = session(tf)
    sess.run(scope["v"].initializer)
    root = os.path.join(folder, "dump")
    options, metadata = tf.RunOptions(output_partition_graphs=True), tf.RunMetadata()
    debug.watch_graph(options, sess.graph, debug_urls="file://" + root)
    feeds = {scope["x"]: [[1, 2, 3], [0, 0, 0]]}
    sess.run([scope["z"], scope["w"]], feeds, options=options, run_metadata=metadata)
    found = []
    for where, _, names in os.walk(root):
        for name in names:
            head, _, time = re.sub(r"-\d+$", "", name).rpartition("_")
            if re.match(r"\d{16}$", time):
                found.append([where, head, time, name])
    for i, (where, head, _, name) in enumerate(sorted(found)):
        fixed = "%s_%d" % (head, 1472563253536000 + 1337 * i)
        os.rename(os.path.join(where, name), os.path.join(where, fixed))
    dump = debug.DebugDumpDir(root, metadata.partition_graphs, validate=False)
    return dump, sess, source


_SOURCE = """\
x = tf.placeholder(tf.float32, [2, 3], name="x")
v = tf.Variable(np.arange(6.0).reshape(3, 2), dtype=tf.float32, name="w/v")

y = tf.matmul(x, v, name="ns/y")
log = tf.log(y, name="ns/log")
with tf.control_dependencies([log, v.read_value()]):
    z = tf.identity(log, name="z")
w = tf.while_loop(lambda i: i < 2, lambda i: i + 1, [tf.constant(0)], name="loop")
"""

_COMMANDS = [
    ("list_tensors", *words.split())
    for words in (
        "", "-f bad", "-f nosuch", "-n ns.*", "-t Log", "-n ns -t Log",
        "-s dump_size", "-s op_type -r",
        "-s tensor_name", "-s nosuch", "-f bad -fenn ns/.*", "-fenn a", "-n nosuch", "--nosuch",
        "-r -n ns -s timestamp", "-f bad -n z -t Ident",
    )
] + [
    ("node_info", *words.split())
    for words in (
        "ns/y", "ns/y:0", "z -d", "z -a", "loop/Merge -d", "loop/Enter -d", "nosuch", "w/v -d -t",
        "x -a -d", "w/v/Assign", "",
    )
] + [
    (command, *words.split())
    for command in ("list_inputs", "list_outputs")
    for words in (
        "z", "-c z", "-c -r z", "-r -d 1 z", "-r -t z", "-r -t -c ns/y:0", "nosuch", "x", "w/v",
        "-r loop/Merge", "-c -t -r -d 2 w/v",
    )
] + [
    ("print_tensor", *words)
    for words in (
        ["ns/y"], ["ns/y:0"], ["ns/y:0[0, :]"], ["ns/y:0[0,0]"], ["-a", "w/v:0"], ["-s", "w/v"],
        ["-r", "[0,3]", "w/v"], ["-r", "[[-inf, 0], [4, inf]]", "-s", "w/v:0"], ["nosuch"],
        ["ns/y:1"], ["ns/y", "-n", "3"], ["ns/y", "-n", "0"], ["loop/Merge"], ["loop/add"],
        ["loop/add", "-n", "1"], ["loop/add:0", "-n", "7"], ["loop/add:0"], ["loop/Switch"],
        ["ns/y[a]"], ["ns/y:0[a]"], ["x"], [],
    )
] + [
    ("evaluate_expression", *words)
    for words in (
        ["np.sum(`ns/y:0`)"], ["`ns/y:0:DebugIdentity`.T"], ["`loop/add:0[1]`", "-a"],
        ["`nosuch:0`"], ["`ns/y`"], ["1 +"], ["`loop/add:0:DebugIdentity[9]`"], ["3"],
    )
]  # fmt: skip


@case
def analyzed(tf, debug, folder):
    analyzers, config = part("cli.analyzer_cli"), part("cli.cli_config")
    dump, sess, _ = at_fixed_times(tf, debug, folder)
    analyzer = analyzers.DebugAnalyzer(dump, config.CLIConfig())
    analyzer.add_tensor_filter("bad", debug.has_inf_or_nan)
    said = [
        [words, _said(getattr(analyzer, words[0]), list(words[1:]))]
        for words in _COMMANDS
    ]  # fmt: skip
    screened = [
        _said(analyzer.print_tensor, ["w/v:0"], screen_info={"cols": 12}),
        _said(analyzer.list_tensors, [], screen_info={"cols": 12}),
        _said(analyzer.list_outputs, ["-r", "w/v"], screen_info={"cols": 12}),
    ]
    path = os.path.join(folder, "a.npy")
    written = rich(analyzer.print_tensor(["-w", path, "ns/y"]))
    wrote = rich(analyzer.evaluate_expression(["np.ones([2])", "-w", path]))
    helps = [analyzer.get_help(name).splitlines()[:4] for name in ("list_tensors", "list_inputs")]
    config_path = config.CLIConfig()
    config_path.set("graph_recursion_depth", 1)
    again = analyzers.DebugAnalyzer(dump, config_path)
    lines = [line.replace(folder, "F") for found in (written, wrote) for line in found[0]]
    return [
        said,
        screened,
        lines,
        helps,
        _said(again.list_inputs, ["-r", "z"]),
        error(analyzer.add_tensor_filter, "", 3),
        error(analyzer.get_tensor_filter, "nosuch"),
        analyzer.get_tensor_filter("bad") is debug.has_inf_or_nan,
        parameters(
            analyzers,
            "create_analyzer_ui DebugAnalyzer DebugAnalyzer.list_tensors DebugAnalyzer.node_info "
            "DebugAnalyzer.print_source DebugAnalyzer.evaluate_expression DebugAnalyzer.get_help",
        ),
        [
            getattr(analyzers, name)
            for name in "CTRL_LABEL DEPTH_TEMPLATE ELLIPSIS HANG_FINISHED HANG_SUFFIX "
            "HANG_UNFINISHED OP_TYPE_TEMPLATE SORT_TENSORS_BY_DUMP_SIZE SORT_TENSORS_BY_OP_TYPE "
            "SORT_TENSORS_BY_TENSOR_NAME SORT_TENSORS_BY_TIMESTAMP".split()
        ],
    ]


@case
def analyzed_sources(tf, debug, folder):
    analyzers, config = part("cli.analyzer_cli"), part("cli.cli_config")
    folder = tempfile.mkdtemp(dir="/tmp", prefix="tfdbg_case_")
    dump, sess, source = at_fixed_times(tf, debug, folder)
    analyzer = analyzers.DebugAnalyzer(dump, config.CLIConfig())

    def say(command, *words):
        text = repr(_said(getattr(analyzer, command), list(words)))
        return text.replace(folder, "F" * len(folder))

    unset = [say("print_source", source), say("list_source"), say("node_info", "-t", "z")]
    dump.set_python_graph(sess.graph)
    # The frames outside of the file are not the program's.
    traced = analyzer.node_info(["-t", "z"])
    at = [i for i, line in enumerate(traced.lines) if line.endswith(source)]
    rows = [row for i in at for row in range(i, i + 5)]
    start = traced.lines.index("Traceback of node construction:")
    segments = [traced.font_attr_segs.get(row) or () for row in rows]
    shown = [
        [re.sub(r"^\d+: ", "N: ", traced.lines[row]).replace(folder, "FOLDER") for row in rows],
        [
            [[*ends, repr(_attribute(attr)).replace(folder, "FOLDER")] for *ends, attr in segs]
            for segs in segments
        ],
        repr(traced.font_attr_segs.get(start)),
    ]  # fmt: skip
    commands = [
        ["print_source", source], ["print_source", "-t", source],
        ["print_source", "-m", "1", source], ["print_source", "-m", "2", "-t", source],
        ["print_source", "-b", "5", source],
        ["print_source", "-b", "99", source], ["print_source", "/nowhere.py"], ["print_source"],
        ["list_source", "-p", ".*recorded.*"], ["list_source", "-p", ".*recorded", "-n", "ns"],
        ["list_source", "-p", "nosuch"], ["list_source", "-n", "nosuch"],
    ]  # fmt: skip
    said = [[words[:1], say(*words)] for words in commands]
    shutil.rmtree(folder)
    return [unset, shown, said]


@case
def analyzer_prompt(tf, debug, folder):
    """The parts that the prompt is made of."""
    analyzers, base = part("cli.analyzer_cli"), part("cli.base_ui")
    common, readline_ui = part("cli.debugger_cli_common"), part("cli.readline_ui")
    dump, sess, _ = at_fixed_times(tf, debug, folder)
    filters = {"bad": debug.has_inf_or_nan}
    ui = analyzers.create_analyzer_ui(dump, filters, ui_type="readline")
    registry, completions = ui._command_handler_registry, ui._tab_completion_registry
    ui.set_help_intro(common.RichTextLines(["intro"]))

    def noop(argv, screen_info=None):
        return common.RichTextLines(["noop"])

    ui.register_command_handler("noop", noop, "No.", prefix_aliases=["no"])
    ui.register_tab_comp_context(["noop"], ["x1", "x2"])
    ask = [list(completions.get_completions(*words)) for words in (
        ("", ""), ("", "l"), ("pt", "ns/"), ("noop", "x"), ("q", ""),
        ("config", ""), ("cfg", "s"),
    )]  # fmt: skip
    menus = []
    for kwargs in (
        {},
        {"node_name": "a/b"},
        {"node_name": "c", "enable_print_tensor": False},
        {"node_name": "c", "enable_list_inputs": False, "enable_list_tensors": False},
        {"node_name": "c", "enable_node_info": False, "enable_list_outputs": False},
    ):
        output = common.RichTextLines(["a"])
        analyzers._add_main_menu(output, **kwargs)
        menus.append(rich(output))
    texts = ("", "print", "print_tensor", "print_tensor ", "print_tensor a b", "pt  a", " pt a")
    redirected = ("a > b", "pt x:0 >b", "pt x:0[1, :]", "", "a >", "run -f 'a b' c>=d")
    return [
        ask,
        menus,
        [list(ui._analyze_tab_complete_input(text)) for text in texts],
        [error(ui._parse_command, text) for text in redirected],
        registry.get_help().lines[0],
        [isinstance(ui, base.BaseUI), isinstance(ui, readline_ui.ReadlineUI)],
        [base.BaseUI.CLI_PROMPT, base.BaseUI.CLI_EXIT_COMMANDS],
        [base.BaseUI.ERROR_MESSAGE_PREFIX, base.BaseUI.INFO_MESSAGE_PREFIX],
        error(base.BaseUI().run_ui),
        rich(registry.dispatch_command("config", ["show"])),
        rich(registry.dispatch_command("config", ["set", "mouse_mode", "no"])),
        ui.config.get("mouse_mode"),
        [ui._readline_complete(*ask) for ask in (("pr", 0), ("pr", 1), ("pt ns/", 1))],
        parameters(base, "BaseUI BaseUI.register_command_handler BaseUI.run_ui"),
        parameters(base, "BaseUI.register_tab_comp_context BaseUI.set_help_intro"),
        parameters(readline_ui, "ReadlineUI ReadlineUI.run_ui"),
    ]


def _run_metadata(tf):
    """Statistics of two devices, as a run gives them."""
    stats = importlib.import_module("tensorflow.core.framework.step_stats_pb2")
    metadata = tf.RunMetadata()
    for device, nodes in (
        ("deviceA", [("MatMul", "add/x", 10, 0, 3, 4), ("Mul", "m", 20, 1, 3, 5)]),
        ("deviceB", [("Add", "add/y", 1002, 0, 4000, 4500), ("noop", "q", 0, 1, 2, 3)]),
        ("gpu", [("noop", "_SOURCE", 0, 1, 2, 3), ("Add", "late", 1, 0, 3 * 10**10, 4 * 10**10)]),
        ("idle", []),
    ):
        node_stats = [
            stats.NodeExecStats(
                node_name=name, all_start_micros=start, op_start_rel_micros=begin,
                op_end_rel_micros=end, all_end_rel_micros=whole,
                timeline_label=f"{name} = {op}()",
            )
            for op, name, start, begin, end, whole in nodes
        ]  # fmt: skip
        metadata.step_stats.dev_stats.extend(
            [stats.DeviceStepStats(device=device, node_stats=node_stats)]
        )
    return metadata


@case
def profiled(tf, debug, folder):
    profilers, shared = part("cli.profile_analyzer_cli"), part("cli.cli_shared")
    source = os.path.join(folder, "made.py")
    with open(source, "w") as file:
        file.write("a = tf.add(1.0, 2.0, name='add/x')\n\nb = tf.add(a, 1.0, name='add/y')\n")
        file.write("m = tf.multiply(a, b, name='m')\n")
    with open(source) as file:
        exec(compile(file.read(), source, "exec"), {"tf": tf})
    exec(
        compile("\n" * 120 + "tf.add(1.0, 2.0, name='late')", folder + "/a.py", "exec"), {"tf": tf}
    )
    with open(folder + "/a.py", "w") as file:
        file.write("\n" * 120 + "late\n")
    graph, metadata = tf.get_default_graph(), _run_metadata(tf)
    analyzer = profilers.ProfileAnalyzer(graph, metadata)

    def say(command, *words, **kwargs):
        text = repr(_said(getattr(analyzer, command), list(words), **kwargs))
        return text.replace(folder, "FOLDER")

    lists = (
        "", "-d deviceB", "-n add", "-t Add", "-f made", "-f nosuch", "-s node", "-s op_type -r",
        "-s op_time", "-s line", "-s start_time", "-s nosuch", "--time_unit ms", "-e <1ms",
        "-e >4ms", "-o [2us,3us]", "-o (2us,3us)", "--min_lineno 3",
        "--min_lineno 3 --max_lineno 4", "--max_lineno 3", "--time_unit h", "-x",
        "-d nosuch", "--op_time <5us -n m", "-n nosuch",
    )  # fmt: skip
    prints = (
        [source], [source, "-n", "add/x"], [source, "-t", "Add"], ["-x", source],
        ["--time_unit", "ms", source], ["--cost_type", "op_time", source],
        ["--cost_type", "nosuch", source], ["-d", "deviceB", source], ["/nowhere.py"],
        ["--init_line", "3", source], ["--init_line", "0", source], [folder + "/a.py"],
        ["-d", "dev", "-n", "add", "-t", "A", source], ["--init_line", "999", source],
    )  # fmt: skip
    ui = profilers.create_profiler_ui(graph, metadata, ui_type="readline")
    profiling = part("lib.profiling")
    data = [
        profiling.ProfileDatum("d", node, source, i, "f", "Op" * i)
        for i, node in enumerate(metadata.step_stats.dev_stats[0].node_stats)
    ]
    table = profilers.ProfileDataTableView(data, time_unit=shared.TIME_UNIT_US)
    bars = [
        analyzer._render_normalized_cost_bar(*cost)
        for cost in ((1, 2, 10), (0, 1, 5), (3, 3, 4), (1, 3, 10))
    ]

    def cell(row, col, **kwargs):
        found = table.value(row, col, **kwargs)
        text, segs = getattr(found, "text", found), getattr(found, "font_attr_segs", None)
        return repr([text, [[*seg[:2], getattr(seg[2], "content", seg[2])] for seg in segs or ()]])

    return [
        [[words, say("list_profile", *words.split())] for words in lists],
        say("list_profile", screen_info={"cols": 40}),
        [[len(words), say("print_source", *words)] for words in prints],
        say("print_source", source, screen_info={"cols": 60}),
        [table.row_count(), table.column_count(), table.column_names()],
        [table.column_sort_id(column) for column in range(6)],
        [cell(1, column).replace(folder, "FOLDER") for column in range(6)],
        cell(0, 1, device_name_filter="d", node_name_filter="n", op_type_filter="o"),
        error(table.value, 9, 0),
        [[bar.text, bar.font_attr_segs] for bar in bars],
        error(profilers.ProfileAnalyzer, graph, None),
        list(ui._tab_completion_registry.get_completions("", "")),
        [analyzer.get_help(name).splitlines()[:3] for name in ("list_profile", "print_source")],
        parameters(profilers, "ProfileAnalyzer ProfileDataTableView create_profiler_ui"),
        parameters(profilers, "ProfileDataTableView.value ProfileAnalyzer.list_profile"),
        [
            getattr(profilers, "SORT_OPS_BY_" + name)
            for name in "EXEC_TIME LINE OP_NAME OP_TIME OP_TYPE START_TIME".split()
        ],
    ]


@case
def compared_lines(tf, debug, folder):
    tests = part("cli.cli_test_utils")
    test = tf.test.TestCase()
    return [
        error(tests.assert_lines_equal_ignoring_whitespace, test, *lines)
        for lines in (
            (["a b", "c"], ["a  b ", " c"]), (["ab"], ["a b"]), (["a"], ["b"]), (["a"], ["a", "b"]),
        )
    ] + [
        error(tests.assert_array_lines_close, test, np.array(values), lines)[0]
        for values, lines in (
            ([1.0, 2.0], ["array([1., 2.])"]), ([[1, 2], [3, 4]], ["array([[1, 2],", " [3, 4]])"]),
            ([1.0], ["| 1.0 |"]), ([1.0, 2.0], ["array([1., 3.])"]),
        )
    ]  # fmt: skip
