"""The options of sessions and runs: every field has a row in the table, and does what it says."""

from __future__ import annotations

import inspect
import subprocess
import sys
import time
import warnings

import pytest

from tf1compat.core import errors, waiting
from tf1compat.runtime import options, progress
from tf1compat.runtime.option_table import (
    NO_MEANING,
    NOT_IN_TF1,
    RAISES,
    SECTIONS,
    WARNS,
    WORKS,
)

FUNCTIONS = {
    "Server": "train.Server",
    "ClusterSpec": "train.ClusterSpec",
    "Saver": "train.Saver",
    "RunConfig": "estimator.RunConfig",
    "TPURunConfig": "estimator.tpu.RunConfig",
    "TPUConfig": "estimator.tpu.TPUConfig",
    "LearnRunConfig": "contrib.learn.RunConfig",
}
MESSAGES = [name for name in SECTIONS if name not in FUNCTIONS]
UNSET = object()


def proto(tf, section):
    from tensorboard.compat.proto import config_pb2, rewriter_config_pb2

    found = None
    for part in section.split("."):
        if found is not None:
            found = getattr(found, part)
        else:
            found = getattr(config_pb2, part, None) or getattr(rewriter_config_pb2, part, None)
    if found is None:
        from tensorboard.compat.proto import debug_pb2

        found = getattr(debug_pb2, section, None)
    return found or rewriter_config_pb2.__dict__[section]


def a_value(field):
    """Some value of a field that asks for something."""
    if field.enum_type is not None:
        return next(v.number for v in field.enum_type.values if v.number and v.name != "OFF")
    kind = field.cpp_type
    if kind == field.CPPTYPE_STRING:
        return "0"
    return True if kind == field.CPPTYPE_BOOL else 1


def with_field(tf, section, name):
    """A message of a section in which one field is set."""
    message = proto(tf, section)()
    field = message.DESCRIPTOR.fields_by_name[name]
    repeated = field.is_repeated if hasattr(field, "is_repeated") else field.label == 3
    if field.message_type is not None and field.message_type.GetOptions().map_entry:
        getattr(message, name)["CPU"] = 1
    elif field.message_type is not None:
        target = getattr(message, name)
        target.add() if repeated else target.SetInParent()
    elif repeated:
        getattr(message, name).append(a_value(field))
    else:
        setattr(message, name, a_value(field))
    return message


def rows(*kinds):
    return [
        pytest.param(section, name, id=f"{section}.{name}")
        for section in MESSAGES
        for name, (kind, _) in SECTIONS[section].items()
        if kind in kinds
    ]


@pytest.mark.parametrize("section", MESSAGES)
def test_every_field_of_the_messages_has_a_row(tf, section):
    fields = {field.name for field in proto(tf, section).DESCRIPTOR.fields}
    # Fields that only some versions of tensorboard have may be missing from it.
    of_tf1 = {name for name, (kind, _) in SECTIONS[section].items() if kind != NOT_IN_TF1}
    assert fields <= set(SECTIONS[section])
    assert of_tf1 <= fields


def test_every_message_that_holds_options_has_a_section(tf):
    """A message within a message is looked at too, or the field that holds it has no meaning."""
    for section in MESSAGES:
        for field in proto(tf, section).DESCRIPTOR.fields:
            if SECTIONS[section][field.name][0] != WORKS or field.message_type is None:
                continue
            if field.name in ("device_count", "cluster_def"):  # values, not options
                continue
            assert field.message_type.full_name.partition(".")[2] in SECTIONS


@pytest.mark.parametrize("section", FUNCTIONS)
def test_every_argument_has_a_row(tf, section):
    function = tf
    for part in FUNCTIONS[section].split("."):
        function = getattr(function, part)
    made = function.__new__ if issubclass(function, tuple) else function.__init__
    arguments = set(inspect.signature(made).parameters) - {"self", "cls", "_cls"}
    assert arguments == set(SECTIONS[section])


def test_arguments_that_raise(tf):
    """They are given what is not nothing."""
    for section, name in FUNCTIONS.items():
        for argument, (kind, _) in SECTIONS[section].items():
            function = tf
            for part in name.split("."):
                function = getattr(function, part)
            if kind == RAISES:
                with pytest.raises(NotImplementedError, match=argument):
                    function(**{argument: object()})


@pytest.mark.parametrize(("section", "name"), rows(WARNS))
def test_warns_once(tf, monkeypatch, section, name):
    monkeypatch.setattr(options, "_warned", set())
    message = with_field(tf, section, name)
    with pytest.warns(UserWarning, match=rf"{section}\.{name} has no effect") as caught:
        options.check(message)
    assert caught[0].filename == __file__
    options.check(message)


@pytest.mark.parametrize(("section", "name"), rows(RAISES))
def test_raises(tf, section, name):
    with pytest.raises(NotImplementedError, match=rf"{section}\.{name} is not supported"):
        options.check(with_field(tf, section, name))


@pytest.mark.parametrize(("section", "name"), rows(NOT_IN_TF1))
def test_a_field_of_later_versions_is_refused(tf, section, name):
    with pytest.raises(ValueError, match=f'Protocol message {section} has no "{name}" field'):
        options.check(with_field(tf, section, name))


@pytest.mark.parametrize(("section", "name"), rows(NO_MEANING))
def test_hints_are_taken(tf, section, name):
    options.check(with_field(tf, section, name))


def test_what_is_within_is_looked_at(tf, monkeypatch):
    monkeypatch.setattr(options, "_warned", set())
    config = tf.ConfigProto()
    config.graph_options.rewrite_options.auto_mixed_precision = 1
    with pytest.warns(UserWarning, match="auto_mixed_precision has no effect"):
        tf.Session(config=config)
    config.graph_options.rewrite_options.auto_mixed_precision = 2  # OFF
    options.check(config)


def refuses(tf, error, text, **fields):
    with pytest.raises(error, match=text):
        tf.Session(config=tf.ConfigProto(**fields))


def test_config_is_checked_as_in_tf(tf):
    refuses(tf, tf.errors.NotFoundError, "No CPU devices are available", device_count={"CPU": 0})
    text = r"given executor type: x Registered factories are \{SINGLE_THREADED_EXECUTOR, , DEFAULT"
    refuses(tf, tf.errors.NotFoundError, text, experimental={"executor_type": "x"})
    cluster = tf.train.ClusterSpec({"w": ["a:1", "b:2"]}).as_cluster_def()
    refuses(tf, NotImplementedError, "cluster_def of several tasks, of", cluster_def=cluster)


@pytest.mark.parametrize(("pool", "text"), [(-1, None), (0, None), (1, "1"), (-2, "-2")])
def test_thread_pools(tf, pool, text):
    x = tf.constant(1.0)
    with tf.Session() as sess:
        run_options = tf.RunOptions(inter_op_thread_pool=pool)
        if text is None:
            assert sess.run(x, options=run_options) == 1
        else:
            with pytest.raises(tf.errors.InvalidArgumentError, match=f"thread_pool: {text}$"):
                sess.run(x, options=run_options)


def test_metadata_alone_asks_for_nothing(tf):
    metadata = tf.RunMetadata()
    with tf.Session() as sess:
        sess.run(tf.constant(1.0), run_metadata=metadata)
    assert not metadata.step_stats.dev_stats


# ---- Timeouts ----------


def blocked(tf, which):
    """An operation that waits for ever."""
    if which == "dequeue":
        return tf.FIFOQueue(2, [tf.float32], shapes=[[]]).dequeue()
    if which == "dequeue_many":
        return tf.RandomShuffleQueue(5, 1, [tf.float32], shapes=[[]]).dequeue_many(2)
    if which == "enqueue":
        return tf.FIFOQueue(1, [tf.float32], shapes=[[]]).enqueue_many([[1.0, 2.0]])
    if which == "take":
        return tf.ConditionalAccumulator(tf.float32, shape=[]).take_grad(1)
    if which == "stage":
        return tf.contrib.staging.StagingArea([tf.float32]).get()
    from tensorflow.python.ops import data_flow_ops

    return data_flow_ops.Barrier([tf.float32], shapes=[[]]).take_many(1)


@pytest.mark.parametrize(
    "which", ["dequeue", "dequeue_many", "enqueue", "take", "stage", "barrier"]
)
@pytest.mark.parametrize("where", ["config", "run"])
def test_what_waits_too_long_fails(tf, install, which, where):
    waits = blocked(tf, which)
    config = tf.ConfigProto(operation_timeout_in_ms=50 if where == "config" else 60_000)
    run_options = tf.RunOptions(timeout_in_ms=50) if where == "run" else None
    with tf.Session(config=config) as sess:
        start = time.monotonic()
        with pytest.raises(tf.errors.DeadlineExceededError) as caught:
            sess.run(waits, options=run_options)
        assert time.monotonic() - start < 10
    assert caught.value.message == "Timed out waiting for notification"
    assert (caught.value.op, caught.value.node_def) == (None, None)


@pytest.fixture
def install():
    """`import tensorflow` gives this project."""
    from tf1compat.launcher import import_hook

    import_hook.install()


def test_a_queue_goes_on_after_a_timeout(tf):
    queue = tf.FIFOQueue(1, [tf.float32], shapes=[[]])
    put, get, size = queue.enqueue(1.0), queue.dequeue(), queue.size()
    with tf.Session(config=tf.ConfigProto(operation_timeout_in_ms=50)) as sess:
        with pytest.raises(tf.errors.DeadlineExceededError):
            sess.run(get)
        sess.run(put)
        with pytest.raises(tf.errors.DeadlineExceededError):
            sess.run(put)
        assert sess.run(size) == 1
        assert sess.run(get) == 1


def test_who_stands_in_line_may_time_out(tf):
    """One thread takes several elements; another, behind it, has less time."""
    import threading

    queue = tf.FIFOQueue(5, [tf.float32], shapes=[[]])
    many, one, close = queue.dequeue_many(2), queue.dequeue(), queue.close()
    failures = []
    with tf.Session() as sess:

        def take():
            try:
                sess.run(many)
            except tf.errors.OutOfRangeError as error:
                failures.append(error)

        thread = threading.Thread(target=take)
        thread.start()
        time.sleep(0.05)
        with pytest.raises(tf.errors.DeadlineExceededError):
            sess.run(one, options=tf.RunOptions(timeout_in_ms=50))
        sess.run(close)
        thread.join(10)
    assert len(failures) == 1


def test_a_slow_step_is_noticed_when_it_is_over(tf):
    slow = tf.py_func(lambda: time.sleep(0.1), [], [])
    with tf.Session() as sess:
        sess.run(slow, options=tf.RunOptions(timeout_in_ms=50))  # the first run may end late
        with pytest.raises(tf.errors.DeadlineExceededError):
            sess.run(slow, options=tf.RunOptions(timeout_in_ms=50))
        sess.run(slow, options=tf.RunOptions(timeout_in_ms=60_000))


def test_a_partial_run_may_time_out(tf):
    fed = tf.placeholder(tf.float32, [])
    waits = tf.FIFOQueue(2, [tf.float32], shapes=[[]]).dequeue()
    with tf.Session(config=tf.ConfigProto(operation_timeout_in_ms=50)) as sess:
        handle = sess.partial_run_setup([waits, fed * 2.0], [fed])
        with pytest.raises(tf.errors.DeadlineExceededError):
            sess.partial_run(handle, waits)


def test_compiling_does_not_count():
    with waiting.at_most(50, "too long"), progress.waiting("compiling", "compiled", "it"):
        time.sleep(0.1)
    too_long = pytest.raises(errors.DeadlineExceededError, match="too long")
    with too_long, waiting.at_most(50, "too long"):
        time.sleep(0.1)


# ---- GPUs ----------

_FRESH = """
import os, warnings, jax
import tensorflow as tf
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
config.gpu_options.per_process_gpu_memory_fraction = 0.25
config.gpu_options.visible_device_list = "1,0"
tf.Session(config=config)
tf.Session(config=tf.ConfigProto(device_count={"GPU": 0}))
names = "XLA_PYTHON_CLIENT_PREALLOCATE XLA_PYTHON_CLIENT_MEM_FRACTION CUDA_VISIBLE_DEVICES"
print(*[os.environ.get(name) for name in names.split()], jax.config.jax_platforms)
"""


@pytest.mark.parametrize(("before", "after"), [(None, "1,0"), ("4,7", "7,4")])
def test_gpus_are_set_up_before_jax_starts_them(monkeypatch, tmp_path, before, after):
    for name in ("XLA_PYTHON_CLIENT_PREALLOCATE", "XLA_PYTHON_CLIENT_MEM_FRACTION"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    monkeypatch.delenv("JAX_PLATFORMS", raising=False)
    if before:
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", before)
    script = tmp_path / "script.py"
    script.write_text(_FRESH)
    found = subprocess.run(
        [sys.executable, "-m", "tf1compat", script], capture_output=True, text=True, check=True
    )
    assert found.stdout.split() == ["false", "0.25", after, "cpu"]


def test_gpus_that_run_already(tf, monkeypatch):
    monkeypatch.setattr(options, "_warned", set())
    monkeypatch.setattr(options, "_is_started", lambda: True)
    monkeypatch.setattr(options, "_has_gpus", lambda: True)
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    with pytest.warns(UserWarning, match="GPUOptions.allow_growth comes too late"):
        tf.Session(config=config)
    with pytest.warns(UserWarning, match="device_count comes too late"):
        tf.Session(config=tf.ConfigProto(device_count={"GPU": 0}))
    monkeypatch.setattr(options, "_warned", set())
    monkeypatch.setattr(options, "_has_gpus", lambda: False)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tf.Session(config=config)
