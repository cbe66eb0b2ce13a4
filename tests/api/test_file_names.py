"""Files named by `file://`, by other file systems, and without a folder."""

from __future__ import annotations

import os

import pytest


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "f").write_text("x")
    return f"file://{tmp_path}"


def test_files(tf, folder):
    assert tf.gfile.GFile(f"{folder}/f").read() == "x"
    assert tf.gfile.Glob(f"{folder}/f*") == [f"{folder}/f"]
    tf.gfile.MakeDirs(f"{folder}/d/e")
    tf.gfile.Copy(f"{folder}/f", f"{folder}/d/g")
    assert list(tf.gfile.Walk(f"{folder}/d"))[0] == (f"{folder}/d", ["e"], ["g"])
    tf.gfile.DeleteRecursively(f"{folder}/d")
    assert os.listdir() == ["f"]
    with tf.python_io.TFRecordWriter(f"{folder}/r") as writer:
        writer.write(b"record")
    assert list(tf.python_io.tf_record_iterator(f"{folder}/r")) == [b"record"]
    with tf.Session() as sess:
        assert sess.run(tf.read_file(f"{folder}/f")) == b"x"
        assert sess.run(tf.matching_files(f"{folder}/f*")).tolist() == [f"{folder}/f".encode()]


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize("in_folder", [True, False])
def test_checkpoints(tf, folder, in_folder, version):
    name = f"{folder}/ck" if in_folder else "ck"
    variable = tf.Variable(1.0)
    with tf.Session() as sess:
        sess.run(variable.initializer)
        saver = tf.train.Saver(write_version=version)
        assert saver.save(sess, name) == name
        sess.run(variable.assign(2.0))
        saver.restore(sess, name)
        assert sess.run(variable) == 1.0
    assert tf.train.latest_checkpoint(folder) == f"{folder}/ck"
    assert tf.train.latest_checkpoint(".") == "./ck"


def test_object_checkpoint_without_a_folder(tf, folder):
    checkpoint = tf.train.Checkpoint(v=tf.Variable(1.0, use_resource=True))
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        assert checkpoint.save("ck", session=sess) == "ck-1"
    assert tf.train.latest_checkpoint(".") == "./ck-1"


def test_other_file_systems_are_refused(tf, folder):
    text = r"^File system scheme 'gs' not implemented \(file: 'gs://bucket/d'\)"
    with pytest.raises(tf.errors.UnimplementedError, match=text):
        tf.gfile.MakeDirs("gs://bucket/d")
    with tf.Session() as sess, pytest.raises(tf.errors.UnimplementedError, match=text):
        sess.run(tf.read_file("gs://bucket/d"))
    assert os.listdir() == ["f"]
