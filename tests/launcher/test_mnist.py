"""MNIST as the tutorials read it; the numbers were recorded from TF 1.15.5 on the same files."""

import gzip
import struct

import numpy as np
import pytest

import tf1compat
from tf1compat.api.contrib.learn.datasets import examples_mnist as input_data

tf = tf1compat.tensorflow()


def _idx(count, images):
    if images:
        pixels = bytes((i * 7 + j) % 256 for i in range(count) for j in range(6))
        return struct.pack(">4I", 2051, count, 2, 3) + pixels
    return struct.pack(">2I", 2049, count) + bytes(i % 10 for i in range(count))


@pytest.fixture(params=[True, False], ids=["gz", "plain"])
def folder(request, tmp_path):
    for part, count in (("train", 13), ("t10k", 5)):
        for what in ("images-idx3", "labels-idx1"):
            data = _idx(count, what.startswith("images"))
            name = f"{part}-{what}-ubyte"
            if request.param:
                (tmp_path / f"{name}.gz").write_bytes(gzip.compress(data))
            else:
                (tmp_path / name).write_bytes(data)
    return str(tmp_path)


def test_batches_come_in_tf_s_order(folder):
    data = input_data.read_data_sets(folder, validation_size=3, seed=7)
    labels = [data.train.next_batch(4)[1].tolist() for _ in range(6)]
    expected = [[1, 8, 3, 5], [4, 2, 0, 6], [9, 7, 8, 5], [3, 2, 7, 1], [4, 0, 6, 9], [3, 7, 5, 9]]
    assert labels == expected
    assert (data.train.epochs_completed, data.train.num_examples) == (2, 10)
    assert data.train.images.dtype == np.float32
    assert data.train.images.shape == (10, 6)
    assert float(data.train.images.sum()) == 12.941177368164062
    labels = [data.test.next_batch(2, shuffle=False)[1].tolist() for _ in range(4)]
    assert labels == [[0, 1], [2, 3], [4, 0], [1, 2]]
    assert data.test.epochs_completed == 1


def test_one_hot_uint8_images(folder):
    data = input_data.read_data_sets(
        folder, validation_size=3, seed=7, one_hot=True, reshape=False, dtype=tf.uint8
    )
    images, labels = data.validation.next_batch(2)
    assert images.shape == (2, 2, 3, 1)
    assert images.dtype == np.uint8
    assert labels.dtype == np.float64
    assert labels.argmax(1).tolist() == [2, 1]
    assert labels.sum() == 2
    assert images[0, :, :, 0].tolist() == [[14, 15, 16], [17, 18, 19]]


def test_graph_seed(folder):
    with tf.Graph().as_default():
        tf.set_random_seed(3)
        data = input_data.read_data_sets(folder, validation_size=0)
    assert data.train.next_batch(9)[1].tolist() == [6, 4, 1, 2, 2, 5, 7, 0, 1]


def test_fake_data():
    data = input_data.read_data_sets("nowhere", fake_data=True, one_hot=True)
    images, labels = data.train.next_batch(2, fake_data=True)
    assert images == [[1] * 784] * 2
    assert labels == [[1] + [0] * 9] * 2
    assert data.test.num_examples == 10000


def test_errors(folder, tmp_path):
    with pytest.raises(ValueError, match="between 0 and 13. Received: 14"):
        input_data.read_data_sets(folder, validation_size=14)
    with pytest.raises(TypeError, match="expected uint8 or float32"):
        input_data.read_data_sets(folder, validation_size=0, dtype=tf.float64)
    path = tmp_path / "labels"
    path.write_bytes(_idx(3, True))
    with path.open("rb") as file, pytest.raises(ValueError, match="Invalid magic number 2051"):
        input_data.extract_labels(file)


def test_missing_files_are_named(tmp_path):
    with pytest.raises(FileNotFoundError) as caught:
        input_data.read_data_sets(str(tmp_path))
    message = str(caught.value)
    assert "downloads nothing" in message
    assert str(tmp_path) in message
    for name in ("train-images-idx3", "train-labels-idx1", "t10k-images-idx3", "t10k-labels-idx1"):
        assert f"{name}-ubyte.gz" in message
