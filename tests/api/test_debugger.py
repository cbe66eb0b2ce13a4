"""The data of TensorFlow's debugger; what is expected here is what TF 1.15 says."""

from __future__ import annotations

import numpy as np
import pytest


@pytest.fixture
def debug(tf):
    from tensorflow.python import debug

    return debug


def test_has_inf_or_nan(tf, debug):
    from tensorflow.python.debug.lib.debug_data import InconvertibleTensorProto

    values = [1.0, np.inf], [1, 2], [np.nan * 1j], ["a"], [True]
    found = [bool(debug.has_inf_or_nan(None, np.array(value))) for value in values]
    assert found == [True, False, True, False, False]
    proto = InconvertibleTensorProto(tf.make_tensor_proto(1), initialized=False)
    assert not debug.has_inf_or_nan(None, proto) and not proto.initialized
    assert str(proto).startswith("Uninitialized tensor:\ndtype: DT_INT32\n")


@pytest.mark.parametrize(
    ("name", "parts"),
    [("a:0", ("a", 0)), ("a", ("a", None)), (":3", ("", 3)), ("a:", ("a:", None))],
)
def test_names_of_tensors(tf, name, parts):
    from tensorflow.python.debug.lib import debug_graphs

    assert debug_graphs.parse_node_or_tensor_name(name) == parts
    found = debug_graphs.get_node_name(name), debug_graphs.get_output_slot(name)
    assert found == (parts[0], parts[1] or 0)


def test_names_of_debug_nodes(tf):
    from tensorflow.python.debug.lib import debug_graphs

    name = "__dbg_ns_a/ns_b/node_c:1_0_DebugIdentity"
    parts = ("ns_a/ns_b/node_c", 1, 0, "DebugIdentity")
    assert debug_graphs.parse_debug_node_name(name) == parts
    for name, message in {
        "x": "Invalid prefix in debug node name: 'x'",
        "__dbg_a": "Invalid debug node name: '__dbg_a'",
        "__dbg_a_0_D": "Invalid tensor name in debug node name: '__dbg_a_0_D'",
        "__dbg_a:0_x_D": "invalid literal for int",
    }.items():
        with pytest.raises(ValueError, match=message):
            debug_graphs.parse_debug_node_name(name)


def test_dumped_tensor(tf, debug, tmp_path):
    device = "_tfdbg_device_,job_localhost,replica_0,task_0,device_CPU_0"
    path = f"{device}/ns_1/node_a_1_2_DebugIdentity_1472563253536385"
    with pytest.raises(ValueError, match="does not conform to the naming pattern: a"):
        debug.DebugTensorDatum(str(tmp_path), f"{device}/a_D_5")
    assert debug.DebugTensorDatum(str(tmp_path), path + "-7").extended_timestamp[-2:] == "-7"
    event = tf.Event()
    event.summary.value.add().tensor.CopyFrom(tf.make_tensor_proto(np.float32([1, 2])))
    (tmp_path / path).parent.mkdir(parents=True)
    (tmp_path / path).write_bytes(event.SerializeToString())
    datum = debug.DebugTensorDatum(str(tmp_path), path)
    assert str(datum) == (
        "{DebugTensorDatum (/job:localhost/replica:0/task:0/device:CPU:0) ns_1/node_a_1:2 @ "
        "DebugIdentity @ 1472563253536385}"
    )
    assert datum.watch_key == "ns_1/node_a_1:2:DebugIdentity"
    assert datum.get_tensor().tolist() == [1, 2] and datum.dump_size_bytes == 24


def test_events(tf, debug):
    from tensorflow.python.debug.lib import debug_data

    kinds = []
    for value in (["a"], np.zeros([0, 2]), np.arange(3), 3):
        event = tf.Event()
        event.summary.value.add().tensor.CopyFrom(tf.make_tensor_proto(value))
        kinds.append(type(debug.load_tensor_from_event(event)).__name__)
    assert kinds == ["ndarray"] * 3 + ["InconvertibleTensorProto"]
    event.summary.value[0].tensor.dtype = tf.resource.as_datatype_enum
    event.summary.value[0].tensor.tensor_content = b"x"
    assert debug.load_tensor_from_event(event).initialized
    path = debug_data.device_name_to_device_path("/job:ps/replica:1/cpu:0")
    assert path == "_tfdbg_device_,job_ps,replica_1,cpu_0"
    assert debug_data.device_path_to_device_name(path) == "/job:ps/replica:1/cpu:0"


def _watched(options):
    return [f"{w.node_name}:{w.output_slot}" for w in options.debug_options.debug_tensor_watch_opts]


def test_watches(tf, debug):
    a = tf.constant(1.0, name="a")
    tf.split(tf.identity([a, a], name="b"), 2, name="c")
    graph, urls = tf.get_default_graph(), "file:///dump"
    everything = ["a:0", "b/input:0", "b:0", "Const:0", "c/split_dim:0", "c:0", "c:1"]
    for names, watch, patterns in [
        ([*everything, "*:-1"], debug.watch_graph, {}),
        (["c:0", "c:1"], debug.watch_graph, {"op_type_regex_whitelist": "Split"}),
        (["b:0"], debug.watch_graph, {"node_name_regex_whitelist": "b$"}),
        (everything, debug.watch_graph_with_blacklists, {}),
        (
            ["a:0", "b/input:0", "b:0"],
            debug.watch_graph_with_blacklists,
            {"op_type_regex_blacklist": "Split", "tensor_dtype_regex_blacklist": "int"},
        ),
    ]:
        options = tf.RunOptions()
        watch(options, graph, debug_urls=urls, global_step=3, **patterns)
        assert _watched(options) == names
        assert options.debug_options.global_step == 3
        assert list(options.debug_options.debug_tensor_watch_opts[0].debug_urls) == [urls]
    for argument in ({"debug_ops": None, "debug_urls": urls}, {"debug_ops": "x"}):
        with pytest.raises(ValueError, match="must not be empty or None"):
            debug.watch_graph(tf.RunOptions(), graph, **argument)


def test_what_is_not_supported_says_what_to_use(tf, debug):
    a = tf.constant(1.0)
    options = tf.RunOptions()
    debug.watch_graph(options, a.graph, debug_urls="grpc://localhost:1")
    with tf.Session() as session, pytest.raises(NotImplementedError, match="dump them to files"):
        session.run(a, options=options)
    with tf.Session() as session:
        for name in ("GrpcDebugWrapperSession", "TensorBoardDebugWrapperSession"):
            with pytest.raises(NotImplementedError, match=rf"tf_debug.{name} .* Dumping"):
                getattr(debug, name)(session, "localhost:1")
        for name in ("GrpcDebugHook", "TensorBoardDebugHook"):
            with pytest.raises(NotImplementedError, match=rf"tf_debug.{name} .* Dumping"):
                getattr(debug, name)("localhost:1")

    from tensorflow.python.debug.cli import curses_ui
    from tensorflow.python.debug.lib import source_remote
    from tensorflow.python.debug.wrappers import grpc_wrapper

    with pytest.raises(NotImplementedError, match="CursesUI, .* use ReadlineUI"):
        curses_ui.CursesUI()
    with pytest.raises(NotImplementedError, match="send_graph_tracebacks sends tracebacks and"):
        source_remote.send_graph_tracebacks("localhost:1", "key", [], a.graph)
    with pytest.raises(NotImplementedError, match="send_eager_tracebacks sends tracebacks and"):
        source_remote.send_eager_tracebacks("localhost:1", [])
    with pytest.raises(NotImplementedError, match="publish_traceback sends tracebacks to"):
        grpc_wrapper.publish_traceback(["grpc://localhost:1"], a.graph, None, a, 0)


def test_watch_options(debug):
    assert repr(debug.WatchOptions(node_name_regex_whitelist="a")) == (
        "WatchOptions(debug_ops=['DebugIdentity'], node_name_regex_whitelist='a', "
        "op_type_regex_whitelist=None, tensor_dtype_regex_whitelist=None, "
        "tolerate_debug_op_creation_failures=False)"
    )
