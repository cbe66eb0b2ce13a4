"""Files and counters of a process; op types that TensorFlow's package can't run."""

from __future__ import annotations

import numpy as np
import pytest


def test_constants_in_files(tf, tmp_path):
    path = str(tmp_path / "x")
    np.arange(6, dtype=np.float32).tofile(path)
    read = tf.raw_ops.ImmutableConst
    found = read(dtype=tf.float32, shape=[2, 3], memory_region_name=path)
    with tf.Session() as session:
        np.testing.assert_array_equal(session.run(found), [[0, 1, 2], [3, 4, 5]])
        with pytest.raises(tf.errors.ResourceExhaustedError):
            session.run(read(dtype=tf.float32, shape=[7], memory_region_name=path))
        with pytest.raises(tf.errors.NotFoundError):
            session.run(read(dtype=tf.float32, shape=[7], memory_region_name=path + "y"))


def test_shuffled_records(tf, tmp_path):
    path = str(tmp_path / "x.rec")
    with tf.python_io.TFRecordWriter(path) as writer:
        for i in range(6):
            writer.write(b"%d" % i)
    found = tf.raw_ops.RecordInput(file_pattern=path, batch_size=3, file_buffer_size=4)
    missing = tf.raw_ops.RecordInput(file_pattern=path + "y")
    with tf.Session() as session:
        epochs = [[*session.run(found), *session.run(found)] for _ in range(3)]
        with pytest.raises(tf.errors.NotFoundError, match="Found no files at"):
            session.run(missing)
    assert all(sorted(epoch) == [b"%d" % i for i in range(6)] for epoch in epochs)
    assert epochs[0] != epochs[1]


def test_next_of_a_list(tf):
    counter = tf.Variable(-1, dtype=tf.int64, use_resource=False)
    found = tf.raw_ops.ObtainNext(list=["a", "b", "c"], counter=counter._ref())
    with tf.Session() as session:
        session.run(counter.initializer)
        assert [session.run(found) for _ in range(4)] == [b"a", b"b", b"c", b"a"]
        assert session.run(counter) == 0


def test_elements_added(tf):
    x = tf.Variable(np.zeros([3, 2], np.float32), use_resource=False)
    indices, deltas = np.array([[0, 1], [2, 0], [0, 1]], np.int32), np.float32([1, 2, 3])
    update = tf.raw_ops.ScatterAddNdim(input=x._ref(), indices=indices, deltas=deltas)
    with tf.Session() as session:
        session.run(x.initializer)
        session.run(update)
        np.testing.assert_array_equal(session.run(x), [[0, 4], [0, 0], [2, 0]])


def test_second_gradient_of_max_pooling(tf):
    x = np.random.RandomState(0).permutation(32).reshape(2, 4, 4, 1).astype(np.float32)
    windows = {"ksize": [1, 2, 2, 1], "strides": [1, 2, 2, 1], "padding": "SAME"}
    pooled, places = tf.nn.max_pool_with_argmax(x, **windows)
    # The gradient's gradient is a gather where the maxima are.
    found = tf.raw_ops.MaxPoolGradGradWithArgmax(input=x, grad=x, argmax=places, **windows)
    with tf.Session() as session:
        np.testing.assert_array_equal(*session.run([found, pooled]))


def test_memory(tf):
    if tf.test.is_gpu_available():
        pytest.skip("an accelerator tells how much it uses")
    refused = pytest.raises(tf.errors.InvalidArgumentError, match="No OpKernel was registered")
    with tf.Session() as session, refused:
        session.run(tf.raw_ops.BytesInUse())
