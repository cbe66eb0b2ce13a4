"""tf.config, tf.autograph, tf.user_ops and the loaders of shared libraries."""

from __future__ import annotations

import pytest

from tf1compat.api.eager.context import eager_mode
from tf1compat.core import context
from tf1compat.runtime import config, device_lib, options


@pytest.fixture(autouse=True)
def _default_settings(monkeypatch):
    monkeypatch.setattr(config, "_settings", config._Settings())
    monkeypatch.setattr(options, "_warned", set())
    monkeypatch.setattr(context, "cpus", 1)
    monkeypatch.setattr(context, "eager_began", False)


def test_devices(tf):
    experimental = tf.config.experimental
    cpu = experimental.list_physical_devices("CPU")
    assert [tuple(d) for d in cpu] == [("/physical_device:CPU:0", "CPU")]
    assert experimental.list_physical_devices("FOO") == []
    (logical,) = experimental.list_logical_devices("CPU")
    assert logical.name == "/job:localhost/replica:0/task:0/device:CPU:0"
    assert tf.config.experimental_list_devices()[0] == logical.name
    assert experimental.get_visible_devices("CPU") == cpu
    assert experimental.get_visible_devices() == cpu


def test_devices_that_are_hidden(tf):
    experimental = tf.config.experimental
    (cpu,) = experimental.list_physical_devices("CPU")
    experimental.set_visible_devices([], "CPU")
    assert experimental.get_visible_devices() == []
    with pytest.raises(tf.errors.NotFoundError, match="No CPU devices are available in this proc"):
        experimental.list_logical_devices()
    experimental.set_visible_devices(cpu)
    experimental.set_virtual_device_configuration(cpu, [])
    with pytest.raises(tf.errors.NotFoundError, match="No CPU devices are available in this proc"):
        experimental.list_logical_devices("CPU")


@pytest.mark.parametrize("how", ["listed", "an eager operation", "an eager value"])
def test_what_is_settled_once_eager_execution_began(tf, how):
    """The texts are TF 1.15's."""
    experimental, threading = tf.config.experimental, tf.config.threading
    (cpu,) = experimental.list_physical_devices("CPU")
    part = experimental.VirtualDeviceConfiguration()
    experimental.set_virtual_device_configuration(cpu, [part])
    threading.set_inter_op_parallelism_threads(2)
    if how == "listed":
        experimental.list_logical_devices()
    else:
        with eager_mode():
            tf.constant([1.0]) if how == "an eager value" else tf.random.normal([1], seed=977)
    late = {
        "Virtual devices cannot be modified after being initialized": (
            lambda: experimental.set_virtual_device_configuration(cpu, [part, part])
        ),
        "Visible devices cannot be modified after being initialized": (
            lambda: experimental.set_visible_devices([], "CPU")
        ),
        "Intra op parallelism cannot be modified after initialization.": (
            lambda: threading.set_intra_op_parallelism_threads(0)
        ),
        "Inter op parallelism cannot be modified after initialization.": (
            lambda: threading.set_inter_op_parallelism_threads(3)
        ),
        "Device placement logging must be set at program startup": (
            lambda: tf.debugging.set_log_device_placement(True)
        ),
    }
    for text, change in late.items():
        with pytest.raises(RuntimeError, match=text):
            change()
    # What changes nothing is no mistake, and some settings may always be changed.
    experimental.set_virtual_device_configuration(cpu, [part])
    experimental.set_visible_devices(cpu, "CPU")
    threading.set_inter_op_parallelism_threads(2)
    tf.config.optimizer.set_jit(True)
    tf.config.set_soft_device_placement(True)


def test_mistakes_about_devices(tf):
    experimental = tf.config.experimental
    (cpu,) = experimental.list_physical_devices("CPU")
    with pytest.raises(ValueError, match="Cannot set memory growth on non-GPU devices"):
        experimental.set_memory_growth(cpu, True)
    with pytest.raises(ValueError, match="Unrecognized device: 'foo'"):
        experimental.set_memory_growth("foo", True)
    with pytest.raises(KeyError):
        experimental.get_memory_growth(cpu)
    part = experimental.VirtualDeviceConfiguration()
    experimental.set_virtual_device_configuration(cpu, [part, part])
    assert experimental.get_virtual_device_configuration(cpu) == [(None,), (None,)]
    names = [device.name for device in experimental.list_logical_devices("CPU")]
    assert [name[-5:] for name in names] == ["CPU:0", "CPU:1"]
    with tf.device("/cpu:1"):
        x = tf.constant(1.0)
    assert tf.Session().run(x) == 1


@pytest.mark.parametrize(
    "module, name, default, other",
    [
        ("config.threading", "intra_op_parallelism_threads", 0, 2),
        ("config.threading", "inter_op_parallelism_threads", 0, 3),
        ("config.optimizer", "jit", False, True),
        ("config", "soft_device_placement", False, True),
        ("config.experimental", "device_policy", "silent", "warn"),
        ("config.experimental", "synchronous_execution", True, False),
    ],
)
def test_a_setting_is_kept(tf, module, name, default, other):
    place = tf
    for part in module.split("."):
        place = getattr(place, part)
    get, change = getattr(place, f"get_{name}"), getattr(place, f"set_{name}")
    assert get() == default
    change(other)
    assert get() == other


def test_what_does_not_happen_is_said(tf):
    with pytest.warns(UserWarning, match="set_log_device_placement has no effect"):
        tf.debugging.set_log_device_placement(True)
    assert tf.debugging.get_log_device_placement()
    with pytest.warns(UserWarning, match="auto_mixed_precision has no effect"):
        tf.config.optimizer.set_experimental_options({"auto_mixed_precision": True})


def test_rewrites_of_graphs(tf):
    optimizer = tf.config.optimizer
    flags = {"disable_model_pruning": False, "disable_meta_optimizer": False}
    assert optimizer.get_experimental_options() == flags
    optimizer.set_experimental_options({"constant_folding": False, "foo": 1})
    assert optimizer.get_experimental_options() == {"constant_folding": False, **flags}
    with pytest.raises(ValueError, match="Not a valid device policy: 'foo'"):
        tf.config.experimental.set_device_policy("foo")


def test_autograph(tf, capsys):
    def function():
        return 1

    assert tf.autograph.experimental.do_not_convert(function)() == 1
    decorator = tf.autograph.experimental.do_not_convert()
    assert decorator(function)() == 1
    tf.autograph.set_verbosity(3)
    tf.autograph.trace("here", 2)
    assert capsys.readouterr().out == "here 2\n"
    tf.autograph.experimental.set_loop_options(parallel_iterations=1)
    features = tf.autograph.experimental.Feature
    assert features.ALL not in features.all_but(features.LISTS)
    assert tf.autograph.to_graph(function)() == 1


def test_shared_libraries(tf, tmp_path):
    missing = str(tmp_path / "x.so")
    text = "x.so: cannot open shared object file: No such file or directory"
    for load in (tf.load_op_library, tf.load_file_system_library):
        with pytest.raises(tf.errors.NotFoundError, match=text):
            load(missing)
    with pytest.raises(OSError, match="to load kernel libraries from does not exist"):
        tf.load_library(missing)
    tf.load_library(str(tmp_path))
    (tmp_path / "x.so").write_bytes(b"")
    for load, place in ((tf.load_op_library, missing), (tf.load_library, str(tmp_path))):
        with pytest.raises(NotImplementedError, match=r"x\.so"):
            load(place)


def test_virtual_cpus_are_of_sessions_without_a_configuration(tf):
    experimental = tf.config.experimental
    (cpu,) = experimental.list_physical_devices("CPU")
    one = experimental.VirtualDeviceConfiguration()
    experimental.set_virtual_device_configuration(cpu, [one, one, one])

    def cpus(devices):
        return [device.name[-5:] for device in devices if device.device_type == "CPU"]

    three = ["CPU:0", "CPU:1", "CPU:2"]
    assert cpus(tf.Session().list_devices()) == three
    assert cpus(experimental.list_logical_devices()) == three
    assert cpus(tf.Session(config=tf.ConfigProto()).list_devices()) == ["CPU:0"]
    two = tf.ConfigProto(device_count={"CPU": 2})
    assert cpus(tf.Session(config=two).list_devices()) == three[:2]
    assert cpus(device_lib.list_local_devices()) == ["CPU:0"]
    case = tf.test.TestCase()
    with case.session() as session:
        assert cpus(session.list_devices()) == three
    with case.session(config=tf.ConfigProto()) as session:
        assert cpus(session.list_devices()) == ["CPU:0"]


def test_variable_creators_may_tell_each_other_what_variables_do_not_take(tf):
    def create(next_creator, **kwargs):
        return next_creator(own=3, **kwargs)

    with tf.variable_creator_scope(create):
        made = [
            tf.Variable(1.0),
            tf.Variable(1.0, use_resource=True),
            tf.get_variable("x", [2]),
            tf.compat.v2.Variable(2.0),
        ]
    assert [repr(v) for v in made] == [
        "<tf.Variable 'Variable:0' shape=() dtype=float32_ref>",
        "<tf.Variable 'Variable_1:0' shape=() dtype=float32>",
        "<tf.Variable 'x:0' shape=(2,) dtype=float32_ref>",
        "<tf.Variable 'Variable_2:0' shape=() dtype=float32>",
    ]
