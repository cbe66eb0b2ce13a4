"""TF's internal modules against TensorFlow 1.15."""

from __future__ import annotations

import importlib
import json
import os
import re

import autograph_internal_cases  # noqa: F401
import contrib_internal_cases  # noqa: F401
import distribute_internal_cases  # noqa: F401
import eager_internal_cases  # noqa: F401 - its cases are among internal_cases.CASES
import framework_internal_cases  # noqa: F401
import internal_cases
import pytest
import recording
import tool_internal_cases  # noqa: F401

from tf1compat.core import context
from tf1compat.launcher import import_hook

import_hook.install()
_GOLDEN = recording.read_json(os.path.join(recording.DATA, "internal_cases.json.gz"))


@pytest.mark.parametrize("name", internal_cases.CASES)
def test_says_what_tensorflow_says(tf, name):
    with context.mode(name in internal_cases.EAGER):
        said = internal_cases.CASES[name](tf)
    assert json.loads(json.dumps(said)) == _GOLDEN[name]


@pytest.mark.parametrize(
    "record",
    [
        lambda tf, x: tf.contrib.seq2seq.BahdanauAttention(3, x),
        lambda tf, x: tf.contrib.crf.crf_log_likelihood(
            x, tf.zeros([2, 4], tf.int32), tf.constant([3, 3])
        ),
        lambda tf, x: tf.nn.static_rnn(
            tf.contrib.seq2seq.AttentionWrapper(
                tf.nn.rnn_cell.LSTMCell(3),
                tf.contrib.seq2seq.LuongAttention(3, x),
                attention_layer_size=2,
            ),
            [tf.ones([2, 3])],
            dtype=tf.float32,
        ),
        lambda tf, x: tf.contrib.layers.group_norm(tf.ones([1, 4, 4, 4]), 2),
    ],
)
def test_contrib_takes_sizes_that_are_plain_numbers(tf, record):
    tf.enable_v2_tensorshape()
    try:
        record(tf, tf.ones([2, 4, 3]))
    finally:
        tf.disable_v2_tensorshape()


@pytest.mark.parametrize("kind", ["", "GZIP"])
def test_records_of_a_file_that_grows(tf, tmp_path, kind):
    """What TF 1.15's PyRecordReader gives and says."""
    from tensorflow.python import pywrap_tensorflow

    path = str(tmp_path / "events")
    with tf.python_io.TFRecordWriter(path, kind) as writer:
        writer.write(b"one")
    part = (tmp_path / "events").read_bytes()
    reader = pywrap_tensorflow.PyRecordReader_New(path.encode(), 0, kind.encode(), None)
    reader.GetNext()
    assert (reader.record(), reader.offset()) == (b"one", 19)
    with pytest.raises(tf.errors.OutOfRangeError, match="^Read less bytes than requested$"):
        reader.GetNext()
    with open(path, "ab") as file:
        if not kind:
            file.write(part[:15])
            file.flush()
            with pytest.raises(tf.errors.DataLossError, match="^truncated record at 19$"):
                reader.GetNext()
            part = part[15:]
        file.write(part)
    reader.GetNext()
    assert (reader.record(), reader.offset()) == (b"one", 38)
    later = pywrap_tensorflow.PyRecordReader_New(path.encode(), 19, kind.encode(), None)
    later.GetNext()
    assert later.offset() == 38
    reader.Close()
    with pytest.raises(tf.errors.FailedPreconditionError, match=r"Reader is closed\."):
        reader.GetNext()


def test_errors_say_where_nodes_were_made(tf):
    interpolate = importlib.import_module(
        "tensorflow.python.framework.error_interpolation"
    ).interpolate
    a = tf.constant(1.0, name="a")
    tf.negative(a, name="b")
    first = a.op.traceback[-1][1]
    said = interpolate("in {{node b}}", tf.get_default_graph())
    assert re.sub(r"at \S*/", "at ", said) == (
        f"in node b (defined at test_internals.py:{first + 1}) \n\nErrors may have originated "
        "from an input operation.\nInput Source operations connected to node b:\n"
        f" a (defined at test_internals.py:{first})"
    )
    assert "No device assignments were active" in interpolate(
        "{{colocation_node b}}", tf.get_default_graph()
    )


def test_events_writer(tf, tmp_path):
    """What TF 1.15's EventsWriter does, which loggers of RL libraries write by."""
    from tf1compat.api.client import pywrap_tensorflow

    writer = pywrap_tensorflow.EventsWriter(os.fsencode(tmp_path / "events"))
    assert writer.FileName().startswith(os.fsencode(tmp_path / "events.out.tfevents."))
    event = tf.Event(wall_time=1.0, step=3)
    assert writer.WriteEvent(event) is None
    writer._WriteSerializedEvent(event.SerializeToString())
    writer.Flush()
    found = list(tf.train.summary_iterator(os.fsdecode(writer.FileName())))
    assert [(e.step, e.file_version) for e in found] == [(0, "brain.Event:2"), (3, ""), (3, "")]
    with pytest.raises(TypeError, match="^Expected an event_pb2.Event proto,  but"):
        writer.WriteEvent("text")
    with pytest.raises(TypeError, match="^expected bytes, str found$"):
        pywrap_tensorflow.EventsWriter(str(tmp_path / "events"))
    writer.Close()
    writer.InitWithSuffix(b".v2")
    assert writer.FileName().endswith(b".v2")
