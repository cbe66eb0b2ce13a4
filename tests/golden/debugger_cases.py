"""What TensorFlow's debugger says and writes: cases that say what they found.

A case is a function of tf that returns something JSON can hold.  Each has a graph and a folder of
its own.  Runs under the real TensorFlow 1.15 (Python 3.7), too.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import os
import re
import shutil
import sys
import tempfile

import numpy as np

CASES = {}


def case(function):
    def with_folder(tf):
        folder = tempfile.mkdtemp()
        # What the prompt keeps, it keeps at home.
        home = os.environ.get("HOME")
        os.environ["HOME"] = folder
        try:
            return function(tf, debugger(), folder)
        finally:
            os.environ.pop("HOME") if home is None else os.environ.update(HOME=home)
            shutil.rmtree(folder)

    CASES[function.__name__] = with_folder
    return function


def debugger():
    return importlib.import_module("tensorflow.python.debug")


def part(name):
    return importlib.import_module("tensorflow.python.debug." + name)


def error(function, *args, **kwargs):
    """The class and the first line of what a call raises."""
    try:
        result = function(*args, **kwargs)
    except Exception as caught:
        lines = str(getattr(caught, "message", caught)).splitlines() or [""]
        return [type(caught).__name__, re.sub(r"<class '[\w.]+\.", "<class '", lines[0])]
    return ["nothing", repr(result)]


def session(tf):
    """A session that runs the graph as it was recorded."""
    rewriter = importlib.import_module("tensorflow.core.protobuf.rewriter_config_pb2")
    graph_options = tf.GraphOptions(
        rewrite_options=rewriter.RewriterConfig(disable_meta_optimizer=True),
        optimizer_options=tf.OptimizerOptions(opt_level=-1),
    )
    return tf.Session(config=tf.ConfigProto(graph_options=graph_options))


def files(tf, folder):
    """What is in a dump, without times and hashes."""
    found = []
    for root, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(root, name)
            with open(path, "rb") as file:
                event = tf.Event.FromString(file.read())
            said = [event.log_message.message]
            if event.graph_def:
                said = ["a graph", tf.GraphDef.FromString(event.graph_def).versions.producer]
            for value in event.summary.value:
                shape = [dim.size for dim in value.tensor.tensor_shape.dim]
                said = [
                    value.tag,
                    value.node_name,
                    value.metadata.plugin_data.plugin_name,
                    value.metadata.plugin_data.content.decode(),
                    value.tensor.dtype,
                    shape,
                    [text.decode() for text in value.tensor.string_val],
                ]
                if value.tensor.dtype != 20:  # A handle has a hash and an address.
                    said.append(list(value.tensor.tensor_content))
            name = re.sub(r"_\d{16}(-\d+)?$|\d{10,}", "", os.path.relpath(path, folder))
            found.append([name, said])
    return sorted(found)


def graph_of(metadata):
    return [
        sorted([node.name, node.op, sorted(node.input)] for node in graph.node)
        for graph in metadata.partition_graphs
    ]


def _program(tf):
    x = tf.placeholder(tf.float32, [2], name="x")
    v = tf.Variable([1.0, 2.0], name="v")
    with tf.variable_scope("r", use_resource=True):
        r = tf.get_variable("rv", initializer=[1.0, float("nan")])
    unset = tf.Variable([3.0, 4.0], name="unset")
    y = tf.add(x * v, 1.0, name="ns/y")
    c = tf.cond(tf.reduce_sum(y) > 0, lambda: y * 2.0, lambda: y * 3.0)
    w = tf.while_loop(lambda i: i < 2, lambda i: i + 1, [tf.constant(0)], name="w")
    text = tf.strings.join([tf.constant(["a", "b"], name="a"), "c"], name="text")
    parts = tf.split(y, 2, name="parts")
    u = tf.assign(unset, x, name="set")
    z = tf.add(r, parts[1], name="z")
    init = tf.variables_initializer([v, r])
    return init, [c, w, text, parts[0], u, z], {x: [1.0, 2.0]}


@case
def dumps(tf, debug, folder):
    init, fetches, feeds = _program(tf)
    sess = session(tf)
    sess.run(init)
    options, metadata = tf.RunOptions(output_partition_graphs=True), tf.RunMetadata()
    url = "file://" + os.path.join(folder, "dump")
    debug.watch_graph(options, sess.graph, debug_urls=url, global_step=7)
    found = sess.run(fetches, feeds, options=options, run_metadata=metadata)
    dumped = files(tf, os.path.join(folder, "dump"))
    for _, said in dumped:
        said[0] = re.sub(r'"session_run_index\\?":\d+', "", str(said[0]))
    return [repr([np.asarray(value).tolist() for value in found]), dumped, graph_of(metadata)]


@case
def debug_ops(tf, debug, folder):
    init, fetches, feeds = _program(tf)
    sess = session(tf)
    sess.run(init)
    options = tf.RunOptions()
    debug.watch_graph_with_blacklists(
        options,
        sess.graph,
        debug_ops=[
            "DebugIdentity",
            "DebugNanCount",
            "DebugNumericSummary(mute_if_healthy=true; lower_bound=-1.5)",
        ],
        debug_urls="file://" + folder,
        node_name_regex_blacklist="w/|cond/",
        op_type_regex_blacklist="Const|Var",
        tensor_dtype_regex_blacklist="string|resource",
        tolerate_debug_op_creation_failures=True,
    )
    sess.run(fetches, feeds, options=options)
    return [item for item in files(tf, folder) if "core_metadata" not in item[0]]


@case
def watches_that_cannot_be(tf, debug, folder):
    init, fetches, feeds = _program(tf)
    sess = session(tf)
    sess.run(init)

    def run(node, slot=0, debug_ops="DebugIdentity", url="file://" + folder):
        options = tf.RunOptions()
        debug.add_debug_tensor_watch(options, node, slot, debug_ops, url)
        return error(sess.run, [fetches[2], fetches[-1]], feeds, options=options)

    return [
        run("text", debug_ops="DebugNanCount"),
        run("text", debug_ops="NoSuchOp"),
        *(
            run("text", debug_ops=f"DebugIdentity({attrs})")
            for attrs in ("foo=1", "foo", "a=1;b=2")
        ),
        *(
            run("z", debug_ops=f"DebugNumericSummary({attrs})")
            for attrs in ("lower_bound=a", "lower_bound=", "mute_if_healthy=2", "gated_grpc=x")
        ),
        run("text", debug_ops="DebugIdentity(foo=1"),
        run("text", debug_ops="DebugIdentity()"),
        run("nosuch"),
        run("text", slot=3),
        error(debug.watch_graph, tf.RunOptions(), sess.graph),
        error(debug.watch_graph, tf.RunOptions(), sess.graph, debug_ops="", debug_urls="file://a"),
    ]


def _dump(tf, debug, folder):
    init, fetches, feeds = _program(tf)
    sess = session(tf)
    sess.run(init)
    options, metadata = tf.RunOptions(output_partition_graphs=True), tf.RunMetadata()
    debug.watch_graph(options, sess.graph, debug_urls="file://" + folder)
    sess.run(fetches, feeds, options=options, run_metadata=metadata)
    dump = debug.DebugDumpDir(folder, partition_graphs=metadata.partition_graphs)
    return dump, sess.graph


@case
def dump_dir(tf, debug, folder):
    dump, graph = _dump(tf, debug, os.path.join(folder, "dump"))
    core = dump.core_metadata
    untraced = error(dump.node_traceback, "z")
    dump.set_python_graph(graph)
    return [
        [type(core).__name__, core.global_step, core.executor_step_index, core.input_names],
        [core.output_names, core.target_nodes],
        [dump.run_fetches_info, dump.run_feed_keys_info, dump.size, dump.devices()],
        [dump.loaded_partition_graphs(), len(dump.partition_graphs()), sorted(dump.nodes())],
        sorted(dump.node_attributes("w/Enter")),
        [dump.node_inputs("z"), dump.node_inputs("cond/mul"), dump.node_inputs("set")],
        [sorted(dump.node_recipients("ns/y")), sorted(dump.node_recipients("w/Merge"))],
        sorted(dump.transitive_inputs("z")),
        sorted(dump.transitive_inputs("cond/Merge", include_control=False)),
        [dump.node_device("z"), dump.node_op_type("z"), dump.node_exists("q")],
        dump.find_some_path("v", "parts"),
        dump.find_some_path("z", "v"),
        [dump.debug_watch_keys("w/add"), dump.debug_watch_keys("q")],
        [np.asarray(v).tolist() for v in dump.get_tensors("w/add", 0, "DebugIdentity")],
        [str(v)[:20] for v in dump.get_tensors("unset", 0, "DebugIdentity")],
        sorted(d.watch_key for d in dump.find(debug.has_inf_or_nan)),
        len(dump.find(debug.has_inf_or_nan, first_n=1)),
        len(dump.find(debug.has_inf_or_nan, exclude_node_names="r/|z")),
        len(dump.get_rel_timestamps("w/add", 0, "DebugIdentity")),
        dump.get_dump_sizes_bytes("ns/y", 0, "DebugIdentity"),
        len(dump.watch_key_to_data("w/add:0:DebugIdentity")),
        dump.watch_key_to_data("q:0:DebugIdentity"),
        dump.t0 == dump.dumped_tensor_data[0].timestamp,
        [untraced[0], len(dump.node_traceback("z")) > 0],
        error(dump.get_tensors, "ns/y", 3, "DebugIdentity"),
        error(dump.get_tensors, "q", 0, "DebugIdentity"),
        error(dump.node_inputs, "q"),
        error(dump.node_device, "q"),
        error(dump.nodes, "/cpu:7"),
        error(dump.node_exists, "z", "/cpu:7"),
        error(dump.node_traceback, "q"),
        error(debug.DebugDumpDir, "/no/such/folder"),
    ]


@case
def reconstructed_graph(tf, debug, folder):
    dump, graph = _dump(tf, debug, os.path.join(folder, "dump"))
    (graph_def,) = dump.partition_graphs()
    made = debug.reconstruct_non_debug_graph_def(graph_def)
    ((_, same),) = dump.reconstructed_non_debug_partition_graphs().items()
    assert made == same
    return sorted([node.name, node.op, list(node.input)] for node in made.node)


def typed(function, *lines):
    """What a function prints while lines are typed."""
    before = sys.stdin
    sys.stdin = io.StringIO("".join(line + "\n" for line in lines))
    said, complained = io.StringIO(), io.StringIO()
    try:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(complained):
            try:
                function()
            except SystemExit as end:
                print("exit:", end.code)
    finally:
        sys.stdin = before
    shown = []
    for line in said.getvalue().splitlines():
        line = re.sub(r"^\[\d+\.\d+\] +", "[T] ", re.sub(r"\d+\.\d+ ms", "T ms", line))
        shown.append(re.sub(r"^t \(ms\) +", "t ", line).rstrip())
    # What does not wait for each other has no order.
    return sorted_tables(shown)


def without_tracebacks(lines):
    """Without what is Python's own, and the help of a command that says it in other words."""
    kept, skips = [], False
    for line in lines:
        if line.startswith("Traceback") or line == "eval":
            skips = True
        if line.startswith("tfdbg> ") or line == "help":
            skips = False
        if not skips:
            kept.append(re.sub(r", shape=\(\d+,\)", "", line))
    return kept


def sorted_tables(lines):
    out, table = [], []
    for line in [*lines, ""]:
        if line.startswith("[T] "):
            table.append(line)
        else:
            out += [*sorted(table), line]
            table = []
    return out


def _model(tf):
    x = tf.placeholder(tf.float32, [2, 3], name="x")
    v = tf.Variable(np.arange(6.0).reshape(3, 2), dtype=tf.float32, name="w/v")
    y = tf.matmul(x, v, name="ns/y")
    log = tf.log(y, name="ns/log")
    with tf.control_dependencies([log]):
        z = tf.identity(log, name="z")
    return x, v, y, z


@case
def prompt(tf, debug, folder):
    x, v, y, z = _model(tf)
    sess = session(tf)
    sess.run(v.initializer)
    sess = debug.LocalCLIDebugWrapperSession(sess, ui_type="readline")
    results = []

    def runs():
        results.append(sess.run([z], {x: [[1, 2, 3], [0, 0, 0]]}))
        results.append(sess.run(z, {x: [[1, 2, 3], [4, 5, 6]]}))
        results.append(sess.run({"a": y}, {"x:0": np.ones([2, 3])}))
        results.append(sess.run([], {x: np.ones([2, 3])}))

    path = os.path.join(folder, "saved.npy")
    said = typed(
        runs,
        "pf x:0", "pf nosuch", "pf -s 'x:0[1]'", "run -f nosuch", "run -fenn a", "run",
        "lt -f has_inf_or_nan", "lt -f nosuch", "lt -n ns.* -t Log", "lt -s op_type -r",
        "lt -s tensor_name", "lt -s dump_size", "lt -x", "lt -f has_inf_or_nan -fenn ns/.*",
        "ni ns/y", "ni -d ns/log", "ni", "ni nosuch", "li -c z", "li -c -r z", "li -r -d 2 z",
        "li -t ns/log:0", "lo -r w/v", "lo -c -r -t w/v", "lo z", "li nosuch",
        "pt ns/log", "pt ns/y:0[0,:]", "pt 'ns/y:0[:, 1]'", "pt ns/y:0 -a", "pt -s w/v:0",
        "pt -r [0,3] w/v", 'pt -r "[[-inf, 0], [4, inf]]" w/v:0', "pt nosuch", "pt ns/y:1",
        "pt ns/y -n 3", "pt -w " + path + " ns/y", "pt z[0]", "pt ns/y:0[a]",
        'eval "np.sum(`ns/y:0`)"', "eval `ns/y:0:DebugIdentity`.T", "ev `z:0[0]`[0]",
        "foo", "", "help ni", "h", "help x y", "version >", "run_info", "config show",
        "config set graph_recursion_depth 1", "li -c -r z", "run -t 2",
        "run -n", "exit", "run",
    )  # fmt: skip
    sizes = [r if isinstance(r, list) and not r else np.shape(r) for r in results[:2]]
    masked = [line.replace(folder, "FOLDER") for line in said]
    return [without_tracebacks(masked), repr(sizes), len(results), np.load(path).tolist()]


@case
def prompt_of_a_failed_run(tf, debug, folder):
    x = tf.placeholder(tf.float32, [2], name="x")
    checked = tf.check_numerics(tf.log(x - 1.0), "not good", name="checked")
    loop = tf.while_loop(lambda i: i < 3, lambda i: i + 1, [tf.constant(0)], name="w")
    big = tf.zeros([3000], name="big")
    sess = debug.LocalCLIDebugWrapperSession(
        session(tf), ui_type="readline", dump_root=folder + "/d"
    )
    sess.add_tensor_filter("large", lambda datum, value: np.size(value) > 100)

    def runs():
        found = sess.run(checked, {x: [1, 2]})
        print(type(found).__name__)
        sess.run(x + 1, {x: [1, 2]})
        sess.run([loop, big], {x: [1, 2]})
        print(os.path.exists(folder + "/d"))
        sess.run(loop)

    said = typed(
        runs,
        "run", "lt", "pt Log", "ni checked", "pt checked",
        "run -f large",
        "lt -n w/", "pt w/add:0", "pt w/add:0 -n 1", "pt w/add -n 9", "ni -d w/add", "pt big",
        "pt w/Switch", "lo -r w/Enter",
        "run --node_name_filter w/add --op_type_filter Add --tensor_dtype_filter int", "exit",
    )  # fmt: skip
    kept = [line for line in said if not re.match(r"  +File|    |Error type|\t|Original", line)]
    return without_tracebacks(kept)


@case
def prompt_of_a_profiled_run(tf, debug, folder):
    x, v, y, z = _model(tf)
    sess = session(tf)
    sess.run(v.initializer)
    sess = debug.LocalCLIDebugWrapperSession(sess, ui_type="readline")

    def runs():
        for _ in range(4):
            sess.run(z, {x: np.ones([2, 3])})

    said = typed(
        runs, "run -p -fenn a", "run -p -f nosuch", "lt", "ps /no.py", "pf x:0", "run -t 2 -p",
        "run -p", "run -p -f has_inf_or_nan", "exit",
    )  # fmt: skip
    # How long it took, and what else the runtime tells of, are the machine's and the runtime's.
    rows = [re.match(r"(\S+) +(\S+) +\d.*[.]py:\d+(.*)", line) for line in said]
    profiled = sorted({row.groups() for row in rows if row})
    kept = [line for line in said if line.startswith(("tfdbg", "ERROR", "The source", "<class"))]
    return [profiled, kept]


@case
def dumping(tf, debug, folder):
    x, v, y, z = _model(tf)
    sess = session(tf)
    sess.run(v.initializer)
    root = os.path.join(folder, "dumps")
    watches = []

    def watch_fn(fetches, feeds):
        watches.append([str(fetches), sorted(map(str, feeds or ()))])
        return debug.WatchOptions(node_name_regex_whitelist=r"ns/.*", debug_ops=["DebugIdentity"])

    wrapped = debug.DumpingDebugWrapperSession(sess, root, watch_fn=watch_fn)
    with wrapped:
        assert tf.get_default_session() is wrapped
        wrapped.run(z, {x: np.ones([2, 3])})
        runner = wrapped.make_callable([y], feed_list=[x])
        runner(np.ones([2, 3]))
        wrapped.run(v.initializer)
    found = []
    for name in sorted(os.listdir(root), key=lambda name: int(name.rsplit("_", 1)[1])):
        dump = debug.DebugDumpDir(os.path.join(root, name))
        keys = sorted(datum.watch_key for datum in dump.dumped_tensor_data)
        found.append(
            [re.sub(r"_\d{16}_", "_T_", name), dump.run_fetches_info, dump.run_feed_keys_info, keys]
        )
    with open(os.path.join(folder, "file"), "w") as file:
        file.write("a")
    dumping = debug.DumpingDebugWrapperSession
    return [
        watches,
        [
            [name, re.sub(r" shape=.*", "", info), len(feeds), keys]
            for name, info, feeds, keys in found
        ],
        error(dumping, sess, root)[0],
        error(dumping, sess, os.path.join(folder, "file"))[0],
        error(dumping, sess, os.path.join(folder, "a"), watch_fn=3),
        error(dumping, 3, os.path.join(folder, "b"))[0],
        error(debug.LocalCLIDebugWrapperSession, sess, os.path.join(folder, "file"))[0],
        error(debug.LocalCLIDebugWrapperSession, sess, root)[0],
        error(wrapped.partial_run_setup, z),
        error(wrapped.partial_run, "", z),
        error(wrapped.should_stop)[0],
        [wrapped.graph is sess.graph, wrapped.session is sess, wrapped.run_call_count],
    ]


@case
def hooks(tf, debug, folder):
    x, v, y, z = _model(tf)
    feeds = {x: np.ones([2, 3])}
    root = os.path.join(folder, "dumps")
    with tf.train.MonitoredSession(hooks=[debug.DumpingDebugHook(root)]) as sess:
        sess.run(z, feeds)
        sess.run(y, feeds)
    found = []
    for name in sorted(os.listdir(root), key=lambda name: int(name.rsplit("_", 1)[1])):
        dump = debug.DebugDumpDir(os.path.join(root, name), validate=False)
        found.append("z:0:DebugIdentity" in {d.watch_key for d in dump.dumped_tensor_data})
    hook = debug.LocalCLIDebugHook(ui_type="readline")
    hook.add_tensor_filter("any", lambda datum, value: True)

    def runs():
        with tf.train.MonitoredSession(hooks=[hook]) as sess:
            print(np.shape(sess.run(z, feeds)))
            print(np.shape(sess.run(y, feeds)))

    said = typed(runs, "run", "pt ns/y", "run -n", "run -f any", "lt -f any -n z$", "exit")
    return [found, [line for line in said if not line.startswith("[T] ")]]


@case
def gradients(tf, debug, folder):
    module = part("lib.debug_gradients")
    u = tf.Variable(2.0, name="u")
    v = tf.Variable(3.0, name="v", use_resource=True)
    w = tf.multiply(u, v, name="w")
    debugger = debug.GradientsDebugger()
    watched = debugger.identify_gradient(w)
    y = tf.add(watched, watched, name="y")
    other = debug.GradientsDebugger()
    with debugger:
        grads = tf.gradients(y, [u, v])
    names = sorted(debugger.gradient_tensors()), sorted(other.gradient_tensors())
    sess = session(tf)
    sess.run(tf.global_variables_initializer())
    options = tf.RunOptions()
    debug.watch_graph(options, sess.graph, debug_urls="file://" + folder)
    values = sess.run([debugger.gradient_tensor(w), *grads], options=options)
    dump = debug.DebugDumpDir(folder, validate=False)
    dump.set_python_graph(sess.graph)
    dumped = module.gradient_values_from_dump(debugger, w, dump)
    module.clear_gradient_debuggers()
    third = debug.GradientsDebugger()
    q = tf.square(u, name="q")
    t = tf.exp(q, name="t")
    third.watch_gradients_by_tensors(sess.graph, [q])
    tf.gradients(t, u)
    fourth = error(third.watch_gradients_by_tensor_names, sess.graph, "nosuch")
    module.clear_gradient_debuggers()
    return [
        names,
        np.asarray(values).tolist(),
        np.asarray(dumped).tolist(),
        sorted(third.gradient_tensors()),
        [
            re.sub(r"_[0-9a-f]{32}", "_ID", op.name)
            for op in t.op.inputs[0].op.inputs[0].consumers()
        ],
        fourth[0],
        error(debugger.gradient_tensor, y),
        error(debugger.gradient_tensor, 3),
        error(debugger.identify_gradient, w)[0],
        [debugger.graph is sess.graph, other.y_tensor, debugger.y_tensor],
    ]


@case
def offline(tf, debug, folder):
    dump, _ = _dump(tf, debug, os.path.join(folder, "dump"))
    analyzer = part("cli.analyzer_cli")

    def show():
        ui = analyzer.create_analyzer_ui(dump, {"bad": debug.has_inf_or_nan}, ui_type="readline")
        ui.run_ui(init_command="lt -f bad", title="a title")

    said = typed(
        show, "pt r/rv:0", "pt unset", "pt text", "pt -s text", "pt parts", "ni parts",
        "li cond/mul",
        "ni -d w/add", "ni -t set", "ls", "pt w/Merge", "lo -r ns/y", "exit",
    )  # fmt: skip
    said = [line for line in said if not re.match(r"hash_code|tensor_content|maybe_type", line)]
    return without_tracebacks(said)


@case
def small_functions(tf, debug, folder):
    shared, parser = part("cli.cli_shared"), part("cli.command_parser")
    graphs, common = part("lib.debug_graphs"), part("lib.common")
    x = tf.constant(1.0, name="x")
    commands = [
        "", "a", "pt  x:0[1, :] -a", 'ev "a b" c', "a 'b  c'", "a [1, 2] 'd",
        "x -r [[0, 1], [2, 3]]",
    ]  # fmt: skip
    redirects = [
        ["a"], ["a", ">b"], ["a", ">", "b"], ["a>", "b"], ["a>b"], ["a", "-m", ">100k"],
        ["a>=3"], [],
    ]  # fmt: skip
    return [
        [shared.bytes_to_readable_str(n) for n in (None, 0, 1023, 1024, 12345, 1 << 20, 1 << 31)],
        [shared.bytes_to_readable_str(n, include_b=True) for n in (5, 2048)],
        [shared.time_to_readable_str(t) for t in (0, 1, 999.0, 1500, 2e6, 5e9)],
        shared.time_to_readable_str(1500, force_time_unit="s"),
        error(shared.time_to_readable_str, 1, force_time_unit="h"),
        [parser.parse_command(command) for command in commands],
        [list(parser.extract_output_file_path(list(words))) for words in redirects],
        error(parser.extract_output_file_path, ["a", "b>"]),
        [parser.parse_tensor_name_with_slicing(name) for name in ("a:0", "a:0[1, :]", "a[0][1]")],
        [parser.validate_slicing_string(text) for text in ("", "[1]", "[a]", "[1, :2]", "1")],
        parser.evaluate_tensor_slice(np.arange(6).reshape(2, 3), "[:, ::2]").tolist(),
        error(parser.evaluate_tensor_slice, np.arange(6), "[a]"),
        [parser.parse_ranges(text) for text in ("", "[1, 2]", "[[-inf, 0], [1, inf]]")],
        error(parser.parse_ranges, "[1, 2, 3]"),
        error(parser.parse_ranges, "[1, 'a']"),
        [common.get_graph_element_name(x), common.get_graph_element_name("q")],
        common.get_flattened_names([x, {"a": (x.op, "b")}]),
        common.get_run_key({"a": 1}, [x]),
        shared.get_run_short_description(3, x, None),
        shared.get_run_short_description(3, [x, [x]], {x: 1, "y": 2}),
        shared.get_run_short_description(3, [x], {"y": 2}),
        shared.get_run_short_description(3, None, None, is_callable_runner=True),
        error(graphs.DebugGraph, tf.GraphDef(node=[tf.NodeDef(name="a"), tf.NodeDef(name="a")])),
        error(part("cli.ui_factory").get_ui, "foo"),
    ]
