"""Where operations are: devices that are not there are refused as in TensorFlow 1.15."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import jax
import placement_cases
import pytest
import recording

from tf1compat.api.eager.context import eager_mode
from tf1compat.api.functions.defun import Defun
from tf1compat.launcher import import_hook
from tf1compat.runtime import device_lib

import_hook.install()

LOCALHOST = "/job:localhost/replica:0/task:0"


@pytest.fixture(autouse=True)
def _no_gpus(monkeypatch):
    """These tests are of a machine without accelerators, wherever they run."""
    monkeypatch.setattr(device_lib.jax, "local_devices", lambda: jax.devices("cpu"))


def run(tf, device, make=None, **config):
    with tf.device(device):
        fetch = make() if make is not None else tf.constant([1.0, 2.0], name="c")
    with tf.Session(config=tf.ConfigProto(**config)) as sess:
        return sess.run(fetch)


def refusal(tf, device, make=None, **config):
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        run(tf, device, make, **config)
    assert (caught.value.op, caught.value.node_def) == (None, None)
    return caught.value.message


@pytest.mark.parametrize(
    ("device", "config"),
    [
        ("/cpu:0", {}),
        ("/device:XLA_CPU:0", {}),
        ("/job:localhost", {}),
        ("/job:localhost/replica:0/task:0/device:CPU:0", {}),
        ("/cpu:1", {"device_count": {"CPU": 2}}),
        ("/cpu:2", {"device_count": {"CPU": 2}, "allow_soft_placement": True}),
        ("/gpu:0", {"allow_soft_placement": True}),
        ("/device:FOO:3", {"allow_soft_placement": True}),
    ],
)
def test_devices_that_are_taken(tf, device, config):
    assert run(tf, device, **config).tolist() == [1, 2]


@pytest.mark.parametrize(
    ("device", "shown", "config"),
    [
        ("/gpu:3", "/device:GPU:3", {}),
        ("/cpu:3", "/device:CPU:3", {}),
        ("/cpu:2", "/device:CPU:2", {"device_count": {"CPU": 2}}),
        ("/job:ps/task:0", "/job:ps/task:0", {}),
        ("/job:ps/task:0", "/job:ps/task:0", {"allow_soft_placement": True}),
        ("/job:localhost/task:1", "/job:localhost/task:1", {"allow_soft_placement": True}),
        ("/device:TPU:0", "/device:TPU:0", {}),
    ],
)
def test_devices_that_are_refused(tf, device, shown, config):
    cpus = [f"{LOCALHOST}/device:CPU:{i}" for i in range(2 if "device_count" in config else 1)]
    available = ", ".join([*cpus, f"{LOCALHOST}/device:XLA_CPU:0"])
    gpu = " The requested device appears to be a GPU, but CUDA is not enabled."
    text = re.sub(r"defined at [^)]*:\d+\)", "defined at HERE)", refusal(tf, device, **config))
    assert text == (
        "Cannot assign a device for operation c: node c (defined at HERE)  was explicitly assigned "
        f"to {shown} but available devices are [ {available} ]. Make sure the device specification "
        f"refers to a valid device.{gpu if 'GPU' in shown else ''}\n\t [[c]]"
    )


@pytest.mark.parametrize(
    ("make", "first"),
    [
        (lambda tf: tf.constant(1.0) + tf.constant(2.0), "add"),
        (lambda tf: tf.Variable(1.0, name="v").initializer, "v"),
        (lambda tf: tf.Variable(1.0, name="v", use_resource=True).initializer, "v/IsIni"),
        (lambda tf: tf.FIFOQueue(2, [tf.float32]).size(), "fifo_queue_Size"),
        (lambda tf: tf.while_loop(lambda i: i < 3, lambda i: i + 1, [0]), "while/Enter"),
        (lambda tf: tf.placeholder_with_default(1.0, []), "PlaceholderWithDefault"),
        (lambda tf: tf.no_op(name="nothing"), "nothing"),
    ],
)
def test_which_operation_is_named(tf, make, first):
    """The first in TF's order: operations that only make a value come last."""
    assert refusal(tf, "/gpu:0", lambda: make(tf)).startswith(
        f"Cannot assign a device for operation {first}"
    )


def test_the_whole_graph_is_placed(tf):
    """As in TF; `place_pruned_graph` asks for no more than what runs."""
    x = tf.constant(1.0)
    with tf.Session() as sess:
        assert sess.run(x) == 1
        with tf.device("/gpu:0"):
            y = tf.constant(2.0, name="y")
        for _ in range(2):
            with pytest.raises(tf.errors.InvalidArgumentError, match="operation y: node y"):
                sess.run(x + 1.0)
    config = tf.ConfigProto()
    config.graph_options.place_pruned_graph = True
    with tf.Session(config=config) as sess:
        assert sess.run(x) == 1
        with pytest.raises(tf.errors.InvalidArgumentError, match="operation y: node y"):
            sess.run(y)


@pytest.mark.parametrize("how", ["callable", "partial"])
def test_other_ways_to_run(tf, how):
    with tf.device("/gpu:0"):
        x = tf.constant(1.0, name="x")
    with tf.Session() as sess, pytest.raises(tf.errors.InvalidArgumentError, match="operation x:"):
        sess.make_callable(x) if how == "callable" else sess.partial_run_setup([x])


def test_log_device_placement(tf, capsys, monkeypatch):
    monkeypatch.setenv("TF_CPP_MIN_LOG_LEVEL", "0")
    a = tf.constant(1.0, name="a")
    v = tf.Variable(a, name="v")
    with tf.Session(config=tf.ConfigProto(log_device_placement=True)) as sess:
        mapping = f"Device mapping:\n{LOCALHOST}/device:XLA_CPU:0 -> device: XLA_CPU device\n"
        assert capsys.readouterr().out == mapping
        sess.run(v.initializer)
        shown = capsys.readouterr()
        names = ("v: (VariableV2)", "v/Assign: (Assign)", "v/read: (Identity)", "a: (Const)")
        lines = [f"{name}: {LOCALHOST}/device:CPU:0" for name in names]
        assert shown.out.splitlines() == lines
        stamp = r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}: I tensorflow/core/common_runtime/"
        logged = [rf"{stamp}placer\.cc:54\] {re.escape(line)}" for line in lines]
        assert re.fullmatch("\n".join(logged) + "\n", shown.err)
        sess.run(v.initializer)
        assert capsys.readouterr().out == ""


def test_lists_of_devices(tf):
    config = tf.ConfigProto(device_count={"CPU": 2})
    names = ["/device:CPU:0", "/device:CPU:1", "/device:XLA_CPU:0"]
    with tf.Session(config=config) as sess:
        assert [d.name for d in sess.list_devices()] == [LOCALHOST + name for name in names]
    local = device_lib.list_local_devices(config)
    assert [d.name for d in local] == names
    assert [d.device_type for d in local] == ["CPU", "CPU", "XLA_CPU"]


class _Gpu:
    platform, device_kind, compute_capability = "gpu", "Some GPU", "9.0"

    def memory_stats(self):
        return {"bytes_limit": 5}


def test_accelerators_are_listed(tf, monkeypatch):
    monkeypatch.setattr(device_lib.jax, "local_devices", lambda: [_Gpu(), _Gpu()])
    found = device_lib.list_local_devices()
    assert [d.name for d in found] == [
        f"/device:{name}" for name in "CPU:0 XLA_GPU:0 XLA_GPU:1 XLA_CPU:0 GPU:0 GPU:1".split()
    ]
    assert found[-1].physical_device_desc == ("device: 1, name: Some GPU, compute capability: 9.0")
    for count, kinds in ((1, ["GPU:0"]), (0, [])):
        config = tf.ConfigProto(device_count={"GPU": count})
        names = [d.name for d in device_lib.list_local_devices(config) if d.device_type == "GPU"]
        assert names == [f"/device:{kind}" for kind in kinds]


def test_eager_operations(tf):
    script = """
import tensorflow as tf
tf.enable_eager_execution()
for device in ("/cpu:0", "/gpu:0", "/cpu:1", "/job:ps"):
    with tf.device(device):
        for make in (lambda: tf.constant(1.0), lambda: tf.random_uniform([])):
            try:
                print(make().device)
            except RuntimeError as error:
                print(error)
"""
    found = subprocess.run(
        [sys.executable, "-m", "tf1compat", "/dev/stdin"],
        input=script, env={**os.environ, "JAX_PLATFORMS": "cpu"},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    there = f"{LOCALHOST}/device:CPU:0"
    gone = [
        f"{LOCALHOST}/device:GPU:0 unknown device.",
        f"{LOCALHOST}/device:CPU:1 unknown device.",
        "/job:ps/replica:0/task:0/device:CPU:0 unknown device.",
    ]
    assert found.stdout.splitlines() == [line for line in (there, *gone) for _ in range(2)]


def test_eager_operations_on_several_names_of_the_cpu(tf):
    """What TF 1.15 says: nothing is said of int32, which is not copied."""
    script = """
import tensorflow as tf
tf.enable_eager_execution()
one = tf.config.experimental.VirtualDeviceConfiguration()
(cpu,) = tf.config.experimental.list_physical_devices("CPU")
tf.config.experimental.set_virtual_device_configuration(cpu, [one, one])
with tf.device("/cpu:1"):
    x, number = tf.constant(1.0), tf.constant(1)
    v = tf.Variable(1.0)
    for found in (x, number, x + 1.0, v):
        print(found.device[-5:])
with tf.device("/task:0"), tf.device("/cpu:1"), tf.device("/device:XLA_CPU:0"):
    print((x + 1.0).device[-9:], tf.constant(1.0).device[-9:])
    with tf.device(None):
        print((x + 1.0).device[-5:])
print(v.device[-5:], (v + 1.0).device[-5:], tf.identity(x).device[-5:])
"""
    found = subprocess.run(
        [sys.executable, "-m", "tf1compat", "/dev/stdin"],
        input=script, env={**os.environ, "JAX_PLATFORMS": "cpu"},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert found.stdout.split() == [
        *("CPU:1", "CPU:0", "CPU:1", "CPU:1", "XLA_CPU:0", "XLA_CPU:0", "CPU:0"),
        *("CPU:1", "CPU:0", "CPU:0"),
    ]


def test_devices_in_functions(tf):
    """As TF's placer: in what calls by an attribute, not in what is called by its own name."""

    def body(x):
        with tf.device("/gpu:3"):
            return x * 2.0

    by_name = Defun(tf.float32)(body)(tf.constant(3.0))
    by_attribute = tf.function(body)(tf.constant(3.0))
    with tf.Session() as session:
        assert session.run(by_name) == 6.0
        with pytest.raises(tf.errors.InvalidArgumentError) as caught:
            session.run(by_attribute)
    before, _, after = caught.value.message.partition(" but available devices are ")
    assert before == (
        "Cannot assign a device for operation mul: {{node mul}} was explicitly assigned to "
        "/device:GPU:3"
    )
    assert after.endswith("\n\t [[mul]]\n\t [[PartitionedCall]]")
    with tf.Session(config=tf.ConfigProto(allow_soft_placement=True)) as session:
        assert session.run(by_attribute) == 6.0


GOLDENS = recording.read_json(os.path.join(recording.DATA, "placement.json"))


def test_what_tensorflow_says(tf):
    """Of operations that have to be together, of resources, of functions of datasets."""
    assert GOLDENS.keys() == placement_cases.CASES.keys()
    for name, expected in GOLDENS.items():
        assert [placement_cases.run(tf, name, soft) for soft in (False, True)] == expected, name


@pytest.mark.parametrize(
    ("make", "shown"),
    [
        (
            lambda tf: tf.contrib.tpu.infeed_dequeue(tf.float32, [2], name="fed"),
            ("InfeedDequeue", "fed", "dtype=DT_FLOAT, shape=[2]"),
        ),
        (
            lambda tf: tf.tpu.initialize_system(),
            (
                "ConfigureDistributedTPU",
                "ConfigureDistributedTPU",
                'embedding_config="", is_global_init=false, tpu_embedding_config=""',
            ),
        ),
        (
            lambda tf: tf.contrib.tpu.outfeed_enqueue_tuple([tf.ones([2]), tf.ones([], tf.int64)]),
            ("OutfeedEnqueueTuple", "OutfeedEnqueueTuple", "dtypes=[DT_FLOAT, DT_INT64]"),
        ),
    ],
    ids=["infeed", "a system", "outfeed"],
)
def test_what_only_tpus_run(tf, make, shown):
    """In TF 1.15's words, where attrs come in no order."""
    op = make(tf)
    with tf.Session() as sess, pytest.raises(tf.errors.InvalidArgumentError) as caught:
        sess.run(op)
    kind, name, attrs = shown
    first, *rest = caught.value.message.split("\n")
    assert first.startswith(
        f"No OpKernel was registered to support Op '{kind}' used by node {name} (defined at "
    )
    assert first.endswith(f") with these attrs: [{attrs}]")
    assert rest[:4] == [
        "Registered devices: [CPU, XLA_CPU]",
        "Registered kernels:",
        "  <no registered kernels>",
        "",
    ]


def test_systems_of_tpus(tf):
    """As in TF 1.15 where there are none; it says no more than the error's first line."""
    resolver = tf.distribute.cluster_resolver.TPUClusterResolver("")
    for given in ((), (resolver,)):
        with pytest.raises(tf.errors.InvalidArgumentError, match="support Op 'ConfigureDistrib"):
            tf.tpu.experimental.initialize_tpu_system(*given)
    with (
        eager_mode(),
        pytest.raises(
            tf.errors.InvalidArgumentError,
            match="Unable to find any devices for spec /device:TPU_SYSTEM:0",
        ),
    ):
        tf.contrib.distribute.initialize_tpu_system(resolver)
    for strategy in (
        tf.distribute.experimental.TPUStrategy,
        tf.contrib.distribute.TPUStrategy,
        tf.compat.v2.distribute.experimental.TPUStrategy,
    ):
        with pytest.raises(IndexError, match=r"^list index out of range\n"):
            strategy(resolver)
    with pytest.raises(AttributeError, match="'str' object has no attribute 'master'"):
        tf.distribute.experimental.TPUStrategy("a")


def test_what_run_metadata_says_of_several_names_of_the_cpu(tf):
    """The graphs are TF 1.15's, but for the order of inputs, and numbers of edges."""
    with tf.device("/cpu:1"):
        given = tf.placeholder(tf.float32, [], name="P")
        a = tf.add(given, tf.constant(2.0), name="A")
        n = tf.get_variable("n", [], initializer=tf.zeros_initializer())
        n = tf.assign_add(n, 1.0, name="N")
    with tf.device("/cpu:0"):
        with tf.control_dependencies([n.op]):
            b = tf.multiply(a, a, name="B")
        c = tf.sqrt(a, name="C")
    found = tf.RunMetadata()
    options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE, output_partition_graphs=True)
    with tf.Session(config=tf.ConfigProto(device_count={"CPU": 2})) as sess:
        sess.run(tf.global_variables_initializer())
        assert sess.run([b, c], {given: 2.0}, options, found) == [16, 2]
    for number, (graph, expected) in enumerate(zip(found.partition_graphs, _PARTS, strict=True)):
        device = f"{LOCALHOST}/device:CPU:{number}"
        assert {node.device for node in graph.node} == {device}
        nodes = [[node.name, node.op, *sorted(node.input)] for node in graph.node]
        assert sorted(nodes) == [line.split() for line in expected.strip().splitlines()]
    nodes = [node for graph in found.partition_graphs for node in graph.node]
    sent = {node.name: node for node in nodes if "tensor_name" in node.attr}
    assert sent["A/_2"].attr["tensor_name"] == sent["A/_3"].attr["tensor_name"]
    assert sent["A/_3"].attr["send_device"].s == f"{LOCALHOST}/device:CPU:1".encode()
    stats = {s.device: {n.node_name for n in s.node_stats} for s in found.step_stats.dev_stats}
    assert {"A", "N_1"} <= stats[f"{LOCALHOST}/device:CPU:1"]
    assert {"B", "C"} <= stats[f"{LOCALHOST}/device:CPU:0"]


_PARTS = (
    """
    A/_3 _Recv
    B Mul A/_3 A/_3 ^N_1/_7
    C Sqrt A/_3
    N_1/_6 _Recv
    N_1/_7 Identity N_1/_6
    _arg_P_0_0 _Arg
    _arg_P_0_0/_0 _Send _arg_P_0_0
    _retval_B_0_0 _Retval B
    _retval_C_0_1 _Retval C
    """,
    """
    A Add Const _arg_P_0_0/_1
    A/_2 _Send A
    Const Const
    N_1 AssignAdd N_1/value n
    N_1/_4 Const ^N_1
    N_1/_5 _Send N_1/_4
    N_1/value Const
    _arg_P_0_0/_1 _Recv
    n VariableV2
    """,
)
