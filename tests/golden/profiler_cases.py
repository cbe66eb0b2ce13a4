"""tf.profiler: parameters and float operations.

Read by `record_cases.py` under TensorFlow 1.15 and replayed by `tests/api/test_profiler.py`.
"""

from __future__ import annotations

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


CASES = {"profiles": collect(scopes, types, logged, op_logs, options)}


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
        "statistics": _increased,
        "op_type": _registered(1, "flops"),
        "comma": _registered("a,b", "flops"),
        "statistic_type": _registered("A", "b,c"),
    }
}
