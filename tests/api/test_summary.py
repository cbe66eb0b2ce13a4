"""tf.summary against TensorFlow 1.15, and read by TensorBoard."""

from __future__ import annotations

import gc
import os

import pytest
from case_goldens import CaseGoldens

from tf1compat.api.lib.io import tf_record

GOLDENS = CaseGoldens("summary")


@GOLDENS.cases()
def test_case(tf, group, name):
    GOLDENS.check_case(tf, group, name)


@GOLDENS.mistakes()
def test_mistake(tf, group, name):
    GOLDENS.check_mistake(tf, group, name)


def test_tensorboard_reads_the_file(tf, tmp_path):
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    x = tf.placeholder(tf.float32, [3])
    tf.summary.scalar("average", tf.reduce_mean(x))
    tf.summary.histogram("values", x)
    tf.summary.image("picture", tf.reshape(x, [1, 3, 1, 1]))
    tf.summary.audio("sound", tf.reshape(x, [1, 3]), 8000)
    merged = tf.summary.merge_all()
    with tf.summary.FileWriter(str(tmp_path), tf.get_default_graph()) as writer, tf.Session() as s:
        for step in range(3):
            writer.add_summary(s.run(merged, {x: [0, 1, step]}), step)
    found = EventAccumulator(str(tmp_path)).Reload()
    tags = found.Tags()
    assert tags["scalars"] == ["average"]
    assert tags["histograms"] == ["values"]
    assert tags["images"] == ["picture/image/0"]
    assert tags["audio"] == ["sound/audio/0"]
    assert tags["graph"] and tags["meta_graph"]
    assert [(e.step, round(e.value, 5)) for e in found.Scalars("average")] == [
        (0, 0.33333),
        (1, 0.66667),
        (2, 1.0),
    ]
    assert found.Histograms("values")[-1].histogram_value.sum == 3.0
    assert [node.name for node in found.Graph().node][0] == "Placeholder"


def test_eager_execution_is_refused(tf):
    from tensorflow.python.eager import context

    with context.eager_mode():
        with pytest.raises(RuntimeError, match="not compatible with eager execution"):
            tf.summary.merge(["a"])
        with pytest.raises(RuntimeError, match="not compatible with eager execution"):
            tf.summary.FileWriter("x")


def test_writer_of_a_session(tf, tmp_path):
    """Its events are in the file of the session's writer for the folder."""
    with tf.Session() as session:
        writers = [tf.summary.FileWriter(str(tmp_path), session=session) for _ in range(2)]
        for step, writer in enumerate(writers):
            value = tf.Summary.Value(tag="a", simple_value=2.0)
            writer.add_summary(tf.Summary(value=[value]), step)
        writers[0].close()
    (path,) = tmp_path.iterdir()
    events = list(tf.train.summary_iterator(str(path)))
    assert [event.step for event in events if event.WhichOneof("what") == "summary"] == [0, 1]


def test_closed_writer(tf, tmp_path):
    writer = tf.summary.FileWriter(str(tmp_path))
    writer.close()
    with pytest.warns(UserWarning, match="closed FileWriter"):
        writer.add_summary(tf.Summary())


def test_writer_that_is_never_closed(tf, tmp_path):
    """What it was given is in the file when it goes, at the end of the program at the latest."""
    writer = tf.summary.FileWriter(str(tmp_path))
    for step in range(1, 6):
        writer.add_summary(tf.Summary(), step)
    del writer
    gc.collect()
    (path,) = tmp_path.iterdir()
    assert [event.step for event in tf.train.summary_iterator(str(path))] == [0, 1, 2, 3, 4, 5]


def test_removed_file(tf, tmp_path):
    """A new file is begun when somebody has removed the first one."""
    with tf.summary.FileWriter(str(tmp_path)) as writer:
        writer.add_summary(tf.Summary(), 1)
        writer.flush()
        (first,) = tmp_path.iterdir()
        first.unlink()
        writer.add_summary(tf.Summary(), 2)
    (second,) = tmp_path.iterdir()
    assert [event.step for event in tf.train.summary_iterator(str(second))] == [0, 2]


@pytest.fixture
def full_disk(monkeypatch):
    """What is written to files of records finds no space."""

    def opened(path, mode):
        open(path, "a").close()
        return open("/dev/full", mode)

    monkeypatch.setattr(tf_record, "open", opened, raising=False)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
class TestFullDisk:
    """As TF 1.15 on a full file system."""

    def test_a_program_goes_on_without_its_events(self, tf, full_disk, tmp_path, caplog):
        writer = tf.summary.FileWriter(str(tmp_path), max_queue=2)
        value = tf.Summary.Value(tag="a" * 5000, simple_value=1)
        for step in range(10):
            writer.add_summary(tf.Summary(value=[value]), step)
        writer.flush()
        writer.add_summary(tf.Summary(value=[value]), 10)
        writer.close()
        assert not writer.event_writer._worker.is_alive()
        (record,) = [r.message for r in caplog.records if "Events are lost" in r.message]
        assert record.endswith("; No space left on device")
        writer.reopen()
        writer.close()

    @pytest.mark.parametrize("size", [100, 100_000])
    def test_records(self, tf, full_disk, tmp_path, size):
        path = str(tmp_path / "x")
        match = f"^{path}; No space left on device$"
        for last in ("flush", "close"):
            writer = tf.python_io.TFRecordWriter(path)
            with pytest.raises(tf.errors.ResourceExhaustedError, match=match):
                writer.write(b"a" * size)
                getattr(writer, last)()
