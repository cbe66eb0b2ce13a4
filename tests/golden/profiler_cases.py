"""tf.profiler: parameters, float operations, and what runs took.

Read by `record_cases.py` under TensorFlow 1.15 and replayed by `tests/api/test_profiler.py`.
"""

from __future__ import annotations

import json
import os

from case_runs import collect
from session_runs import Folder, lasting


def _tree(proto):
    """A profile's numbers and what is below it."""
    found = [proto.name, proto.parameters, proto.float_ops]
    found += [proto.total_parameters, proto.total_float_ops]
    if hasattr(proto, "graph_nodes"):
        found.append([_tree(node) for node in proto.graph_nodes])
    else:
        shapes = sorted(proto.input_shapes.items())
        found.append(proto.total_definition_count)
        found.append([[d.size for d in shape.dim] for _, shape in shapes])
    return found + [[_tree(child) for child in proto.children]]


def _profiled(tf, cmd, options, **kwargs):
    with Folder() as folder:
        path = os.path.join(folder.path, "profile")
        options = tf.profiler.ProfileOptionBuilder(options).with_file_output(path).build()
        proto = tf.profiler.profile(cmd=cmd, options=options, **kwargs)
        with open(path) as file:
            return [file.read(), _tree(proto)]


def _net(tf):
    """What has all kinds of formulas, and no two numbers alike: TF sorts these either way."""
    x = tf.placeholder(tf.float32, [4, 8, 8, 3], name="x")
    with tf.variable_scope("net"):
        y = tf.layers.conv2d(x, 5, 3, name="c1", activation=tf.nn.relu)
        y = tf.layers.average_pooling2d(tf.layers.max_pooling2d(y, 2, 1), 3, 2)
        y = tf.layers.dense(tf.layers.flatten(y), 7, name="fc")
        tf.get_variable("unused", [3], trainable=False)
        tf.get_variable("scalar", [], use_resource=True)
    loss = tf.nn.l2_loss(tf.nn.softmax(y)) + tf.reduce_mean(tf.ones([31]))
    tf.squared_difference(y, 1.0)
    ones, raw = tf.ones, tf.raw_ops
    with tf.name_scope("back"):
        kernel, ends = ones([3, 3, 2, 4]), ones([2, 3, 3, 4])
        common = {"strides": [1, 1, 1, 1], "padding": "VALID"}
        raw.Conv2DBackpropInput(
            input_sizes=[2, 5, 5, 2], filter=kernel, out_backprop=ends, name="input", **common
        )
        raw.Conv2DBackpropFilter(
            input=ones([1, 5, 5, 2]),
            filter_sizes=[3, 3, 2, 4],
            out_backprop=ends[:1],
            name="filter",
            **common,
        )
        pool = {"ksize": [1, 2, 2, 1], "strides": [1, 2, 2, 1], "padding": "VALID"}
        grads = ones([1, 2, 2, 3])
        raw.MaxPoolGrad(
            orig_input=ones([1, 4, 4, 3]), orig_output=grads, grad=grads, name="max", **pool
        )
        raw.AvgPoolGrad(orig_input_shape=[1, 4, 4, 3], grad=grads, name="mean", **pool)
        raw.BiasAddGrad(out_backprop=ones([6, 3]), name="bias")
    with tf.name_scope("more"):
        tf.matmul(ones([2, 3]), ones([2, 4]), transpose_a=True, name="product")
        tf.add_n([loss, loss, loss], name="sum")
        tf.rsqrt(ones([13]), name="root")
        tf.argmax(ones([5, 3]), 0, name="best")


def _shown(tf):
    builder = tf.profiler.ProfileOptionBuilder
    both = builder(builder.float_operation()).select(["params", "float_ops"])
    return {
        "parameters": builder.trainable_variables_parameter(),
        "flops": builder.float_operation(),
        "named": builder(builder.float_operation())
        .with_node_names(show_name_regexes=["net/.*"], hide_name_regexes=[".*Initializer.*"])
        .build(),
        "variables": builder(builder.trainable_variables_parameter())
        .with_accounted_types(["VariableV2", "VarHandleOp"])
        .with_min_parameters(4)
        .build(),
        "both": both.with_min_float_operations(0).with_max_depth(2).build(),
    }


@lasting
def scopes(tf, log, folder):
    _net(tf)
    said = [_profiled(tf, "scope", options) for options in _shown(tf).values()]
    del log.lines[:]
    return said, []


@lasting
def types(tf, log, folder):
    _net(tf)
    shown = _shown(tf)
    said = [_profiled(tf, "op", shown[key]) for key in ("parameters", "flops", "variables")]
    del log.lines[:]
    return said, []


@lasting
def logged(tf, log, folder):
    """What a user knows of operations; statistics of one's own."""
    from tensorflow.python.framework import ops

    x = tf.placeholder(tf.float32, [None, 3], name="x")
    tf.matmul(x, tf.ones([3, 2]), name="unknown")
    tf.tanh(tf.ones([2]), name="t")
    op_log = tf.profiler.OpLogProto()
    op_log.log_entries.add(name="t", float_ops=12, types=["mine"])
    options = tf.profiler.ProfileOptionBuilder.float_operation()
    said = [_profiled(tf, "scope", options, op_log=op_log)]
    node = tf.get_default_graph().get_operation_by_name("t").node_def
    stats = ops.get_stats_for_node_def(tf.get_default_graph(), node, "flops")
    stats += ops.OpStats("flops", 3)
    stats += ops.OpStats("flops", 4)
    return said + [stats.statistic_type, stats.value], []


@lasting
def op_logs(tf, log, folder):
    """What is written of operations; where they were made, of one in this file."""
    _net(tf)
    tf.matmul(tf.placeholder(tf.float32, [None, 3], name="rows"), tf.ones([3, 2]), name="open")
    given = tf.profiler.OpLogProto()
    given.log_entries.add(name="open", types=["mine"])
    given.log_entries.add(name="net/c1/Conv2D", types=["mine"], float_ops=7)
    given.log_entries.add(name="nowhere", types=["mine"])
    said = []
    for number, kwargs in enumerate(({"add_trace": False}, {"op_log": given}, {})):
        path = os.path.join(folder.path, str(number))
        os.mkdir(path)
        tf.profiler.write_op_log(None if number else tf.get_default_graph(), path, **kwargs)
        with open(os.path.join(path, "tfprof_log"), "rb") as file:
            found = tf.profiler.OpLogProto.FromString(file.read())
        # The operations that make initial values have formulas of their own.
        entries = [e for e in found.log_entries if "Initializer" not in e.name]
        said.append([[e.name, e.float_ops, list(e.types)] for e in entries])
        texts = found.id_to_string
        said.append([texts[0]] if texts else [])
        for entry in entries:
            if entry.name == "x":
                here = [
                    [texts[t.function_id], texts[t.line_id]]
                    for t in entry.code_def.traces
                    if texts[t.file_id].endswith("profiler_cases.py")
                ]
                said.append(here)
    return said, []


@lasting
def options(tf, log, folder):
    builder = tf.profiler.ProfileOptionBuilder
    made = builder(builder.time_and_memory(min_micros=3, min_output_bytes=2))
    made.with_min_execution_time(1, 2, 3).with_min_memory(4).with_min_occurrence(2).with_step(7)
    made.with_timeline_output("t").order_by("bytes").account_displayed_op_only(False)
    defaults = builder().with_node_names(["a"], ["b"], ["c"], ["d"]).with_pprof_output("p")
    given = [builder.float_operation(), builder.trainable_variables_parameter()]
    return given + [made.build(), defaults.with_empty_output().build()], []


_CPU = "/job:localhost/replica:0/task:0/device:CPU:0"
_GPU = "/job:localhost/replica:0/task:0/device:GPU:0"
_STREAM = "/device:GPU:0/stream:all"


def _layers(tf):
    """A small net with control inputs, unknown shapes, and more than sixteen of a kind."""
    x = tf.placeholder(tf.float32, [4, 3], name="x")
    for name, units in (("one", 5), ("two", 2)):
        with tf.variable_scope(name):
            w = tf.get_variable("w", [x.shape[1], units], initializer=tf.ones_initializer())
            b = tf.get_variable("b", [units], initializer=tf.zeros_initializer(), trainable=False)
            x = tf.nn.relu(tf.matmul(x, w) + b)
    rows = tf.placeholder(tf.float32, [None, 3], name="rows")
    anything = tf.placeholder(tf.float32, name="anything")
    with tf.control_dependencies([tf.no_op(name="before"), tf.add(rows, anything, name="sum")]):
        tf.identity(tf.reduce_sum(x, name="total"), name="last")
    tf.nn.relu(tf.placeholder(tf.float32, [300, 5000], name="big"), name="long")
    for i in range(1, 18):
        tf.identity(tf.zeros([i, 2], name="z{}".format(i)), name="BatchNorm/i{}".format(i))
    image = tf.nn.conv2d(tf.ones([1, 8, 8, 3]), tf.ones([3, 3, 3, 4]), 1, "VALID", name="image")
    return tf.gradients(tf.reduce_sum(image), image.op.inputs[0])


def _measured(tf, shift=1, on_gpu=False):
    """What a run of all operations could have taken: numbers that hang on nothing."""
    found = tf.RunMetadata()
    add = found.step_stats.dev_stats.add
    cpu = add(device=_CPU)
    gpu, stream = (add(device=_GPU), add(device=_STREAM)) if on_gpu else (cpu, None)
    for i, op in enumerate(tf.get_default_graph().get_operations()):
        if "Assign" in op.type or "Init" in op.name:
            continue
        here = gpu if i % 3 == 0 else cpu
        length = (7 * i * i + 3 * shift) % 97 * {7: 1000, 11: 30000000}.get(i, 1)
        node = here.node_stats.add(
            node_name=op.name, all_start_micros=1000 + 20 * i, op_start_rel_micros=1,
            op_end_rel_micros=length, all_end_rel_micros=length + 1,
        )  # fmt: skip
        if on_gpu and here is gpu:
            stream.node_stats.add(
                node_name=op.name + ":" + op.type, all_start_micros=1010 + 20 * i,
                op_end_rel_micros=11 * i + 5,
            )  # fmt: skip
        if i % 2:
            node.memory.add(
                allocator_name="cpu", total_bytes=1000 * i, peak_bytes=900 * i,
                live_bytes=10 * i + shift,
            )  # fmt: skip
        node.memory_stats.temp_memory_size = 3 * i * (40000000 if i == 9 else 1)
        node.memory_stats.persistent_memory_size = 2 * i
        for j, tensor in enumerate(op.outputs):
            about = node.output.add(slot=j).tensor_description
            about.dtype = tensor.dtype.base_dtype.as_datatype_enum
            for size in tensor.shape.as_list() if tensor.shape.is_fully_defined() else ():
                about.shape.dim.add(size=size)
            about.allocation_description.requested_bytes = 64 * i
            about.allocation_description.allocated_bytes = 80 * i
    return found


_ALL = (
    "bytes peak_bytes residual_bytes output_bytes micros accelerator_micros cpu_micros params "
    "float_ops occurrence device op_types input_shapes"
).split()


def _looks(tf):
    build, time = tf.profiler.ProfileOptionBuilder, tf.profiler.ProfileOptionBuilder.time_and_memory
    return [
        build(time()),
        build(time(0, 0)).select(_ALL).order_by("bytes"),
        build(time(50, 5000)).account_displayed_op_only(False),
        build(time(0, 0)).with_accounted_types(["Identity", "Relu"]).select(["micros", "op_types"]),
        build(time(0, 0)).select(["cpu_micros"]).order_by("cpu_micros").with_max_depth(3),
        build(time(0, 0)).with_node_names(["two/.*", "MatMul"], [".*"], [], ["two/b.*"]),
        build(time(0, 0)).with_node_names(trim_name_regexes=["two.*", "MatMul"]).order_by("name"),
        build(time(0, 0)).with_min_occurrence(1).select(["occurrence"]).order_by("occurrence"),
    ]


def _numbers(proto):
    """The numbers of a proto and of those below it."""
    fields = [f.name for f in type(proto).DESCRIPTOR.fields if f.name.startswith("total_")]
    return [proto.name, [getattr(proto, name) for name in sorted(fields)]] + [
        _numbers(child) for child in proto.children
    ]


@lasting
def runs(tf, log, folder):
    _layers(tf)
    said = []
    for cmd in ("scope", "graph", "op"):
        for i, look in enumerate(_looks(tf)):
            path = os.path.join(folder.path, "{}{}".format(cmd, i))
            proto = tf.profiler.profile(
                cmd=cmd, run_meta=_measured(tf, on_gpu=i % 2 == 1),
                options=look.with_file_output(path).build(),
            )  # fmt: skip
            with open(path) as file:
                said.append(file.read())
            if i == 2:
                said.append(_numbers(proto))
    del log.lines[:]
    return said, []


@lasting
def steps(tf, log, folder):
    _layers(tf)
    profiler = tf.profiler.Profiler()
    profiler.add_step(3, _measured(tf))
    profiler.add_step(5, _measured(tf, 20))
    said = []
    look = tf.profiler.ProfileOptionBuilder(tf.profiler.ProfileOptionBuilder.time_and_memory(0, 0))
    look.select(["micros", "bytes", "occurrence"]).with_max_depth(4)
    for step in (-1, 3, 5, 7):
        path = os.path.join(folder.path, "step{}".format(step))
        options = look.with_step(step).with_file_output(path).build()
        for view in ("name_scope", "operations", "graph"):
            proto = getattr(profiler, "profile_" + view)(options)
            said.append(_numbers(proto)[:2])
            if os.path.exists(path):
                with open(path) as file:
                    said.append(file.read())
    del log.lines[:]
    return said, []


@lasting
def timelines(tf, log, folder):
    """Events for chrome://tracing; memory of GPUs is left out."""
    _layers(tf)
    said = []
    for cmd, on_gpu in (("scope", False), ("graph", False), ("graph", True)):
        path = os.path.join(folder.path, cmd + str(on_gpu))
        look = tf.profiler.ProfileOptionBuilder(
            tf.profiler.ProfileOptionBuilder.time_and_memory(0, 0)
        )
        run = _measured(tf, on_gpu=on_gpu)
        options = look.with_step(0).with_timeline_output(path).build()
        tf.profiler.profile(cmd=cmd, run_meta=run, options=options)
        with open(path + "_0") as file:
            text = file.read()
        events = json.loads(text)["traceEvents"]
        said += [text] if not on_gpu else [[e for e in events if "emory" not in str(e)
                                            and "mem usage" not in str(e)]]  # fmt: skip
    del log.lines[:]
    return said, []


@lasting
def advice(tf, log, folder):
    _layers(tf)
    said = []
    for on_gpu in (False, True):
        found = tf.profiler.advise(run_meta=_measured(tf, on_gpu=on_gpu))
        for name in sorted(found.checkers):
            reports = list(found.checkers[name].reports)
            # The third one is of lines of code, of TensorFlow's own, too.
            said.append([name] + reports[: 2 if name.startswith("Exp") else None])
    found = tf.profiler.advise(options={"OperationChecker": {}})
    said.append([[name, list(found.checkers[name].reports)] for name in found.checkers])
    del log.lines[:]
    return said, []


@lasting
def profile_protos(tf, log, folder):
    """What TensorFlow's tool `tfprof` reads; lines of code and whose attributes they are apart."""
    _layers(tf)
    profiler = tf.profiler.Profiler()
    profiler.add_step(3, _measured(tf, on_gpu=True))
    from tensorflow.core.profiler.tfprof_log_pb2 import ProfileProto

    found = ProfileProto.FromString(profiler.serialize_to_string())
    said = [found.has_trace, list(found.steps), found.miss_accelerator_stream]
    for i in sorted(found.nodes):
        node = found.nodes[i]
        if i % 4 and node.op not in ("NoOp", "Conv2D"):
            continue
        node.ClearField("trace")
        said.append([node.name, sorted(node.attrs)])
        node.ClearField("attrs")
        # Serialized, as the texts of maps are not everywhere the same.
        said.append([f.name for f, _ in node.ListFields()])
        said.append([str(node.execs[step].memory_execs) for step in node.execs])
        said.append([sorted(node.inputs.items()), sorted(node.src_output_index.items())])
    del log.lines[:]
    return said, []


@lasting
def contexts(tf, log, folder):
    """Which runs are traced, and what is written."""
    x = tf.Variable(tf.ones([3, 4]), name="x")
    y = tf.reduce_sum(x * 2.0, name="y")
    said = []
    kwargs = ({"trace_steps": [2, 3], "dump_steps": [3, 5]}, {}, {"enabled": False})
    for number, given in enumerate(kwargs):
        path = os.path.join(folder.path, str(number))
        with tf.contrib.tfprof.ProfileContext(path, **given) as context:
            context.add_auto_profiling(
                "op",
                tf.profiler.ProfileOptionBuilder(
                    tf.profiler.ProfileOptionBuilder.float_operation()
                ).with_empty_output().build(),
                [4],
            )  # fmt: skip
            with tf.Session() as session:
                session.run(x.initializer)
                for _ in range(6):
                    session.run(y)
            if given != {"enabled": False}:
                said.append(sorted(context.get_profiles("op")))
                said.append(context.get_profiles("op")[4].total_float_ops)
        said.append(sorted(os.listdir(path)) if os.path.exists(path) else None)
    del log.lines[:]
    return said, []


CASES = {
    "profiles": collect(
        scopes, types, logged, op_logs, options, runs, steps, timelines, advice, profile_protos,
        contexts,
    )
}  # fmt: skip


def _increased(tf):
    from tensorflow.python.framework import ops

    stats = ops.OpStats("flops", 1)
    stats += ops.OpStats("size", 1)


def _registered(*args):
    def mistake(tf):
        from tensorflow.python.framework import ops

        ops.RegisterStatistics(*args)

    return mistake


MISTAKES = {
    "profiles": {
        "command": lambda tf: tf.profiler.profile(cmd="files"),
        "checker": lambda tf: tf.profiler.advise(options={"OperationChecker": {"a": "b"}}),
        "no_folder": lambda tf: tf.contrib.tfprof.ProfileContext(""),
        "steps": lambda tf: tf.contrib.tfprof.ProfileContext("a", trace_steps=range(101)),
        "no_profiles": lambda tf: tf.contrib.tfprof.ProfileContext("a").get_profiles("op"),
        "statistics": _increased,
        "op_type": _registered(1, "flops"),
        "comma": _registered("a,b", "flops"),
        "statistic_type": _registered("A", "b,c"),
    }
}
