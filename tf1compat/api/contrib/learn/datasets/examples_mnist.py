"""MNIST as TF 1.15's tutorials read it: `tensorflow.examples.tutorials.mnist.input_data`.

Nothing is downloaded: the four files must be in the folder that the script names.
"""

from __future__ import annotations

import collections
import gzip
import os
import struct
from typing import Any, BinaryIO

import numpy as np

from tf1compat.core import dtypes, export
from tf1compat.core.attribute import attribute
from tf1compat.core.typing import DTypeLike

DEFAULT_SOURCE_URL = "https://storage.googleapis.com/cvdf-datasets/mnist/"
_FILES = (
    "train-images-idx3-ubyte.gz",
    "train-labels-idx1-ubyte.gz",
    "t10k-images-idx3-ubyte.gz",
    "t10k-labels-idx1-ubyte.gz",
)
_IMAGES_MAGIC, _LABELS_MAGIC = 2051, 2049

Dataset = collections.namedtuple("Dataset", ["data", "target"])  # noqa: PYI024
Datasets = collections.namedtuple("Datasets", ["train", "validation", "test"])  # noqa: PYI024


def dense_to_one_hot(labels_dense: np.ndarray, num_classes: int) -> np.ndarray:
    """Labels [n] as float64 [n, num_classes] with a one each."""
    one_hot = np.zeros((labels_dense.shape[0], num_classes))
    one_hot[np.arange(labels_dense.shape[0]), labels_dense.ravel()] = 1
    return one_hot


def extract_images(f: BinaryIO) -> np.ndarray:
    """Reads an idx3 file, gzipped or not.

    Returns:
      uint8 [images, rows, columns, 1].

    Raises:
      ValueError: it is no such file.
    """
    print("Extracting", f.name)
    data = _contents(f)
    magic, count, rows, columns = struct.unpack(">4I", data[:16].ljust(16, b"\0"))
    if magic != _IMAGES_MAGIC:
        raise ValueError(f"Invalid magic number {magic} in MNIST image file: {f.name}")
    pixels = np.frombuffer(data, np.uint8, count * rows * columns, 16)
    return pixels.reshape(count, rows, columns, 1)


def extract_labels(f: BinaryIO, one_hot: bool = False, num_classes: int = 10) -> np.ndarray:
    """Reads an idx1 file, gzipped or not.

    Returns:
      uint8 [labels], or with `one_hot` float64 [labels, num_classes].

    Raises:
      ValueError: it is no such file.
    """
    print("Extracting", f.name)
    data = _contents(f)
    magic, count = struct.unpack(">2I", data[:8].ljust(8, b"\0"))
    if magic != _LABELS_MAGIC:
        raise ValueError(f"Invalid magic number {magic} in MNIST label file: {f.name}")
    labels = np.frombuffer(data, np.uint8, count, 8)
    return dense_to_one_hot(labels, num_classes) if one_hot else labels


def _contents(file: BinaryIO) -> bytes:
    data = file.read()
    return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data


class DataSet:
    """Images and labels, given out in batches.

    Args:
      images: uint8 [n, rows, columns, 1].
      labels: [n] or [n, classes].
      fake_data: give out made-up batches.
      one_hot: whether the labels of fake data are one-hot.
      dtype: tf.float32 scales images to [0, 1]; tf.uint8 leaves them.
      reshape: whether to flatten images to [n, rows * columns].
      seed: the seed of NumPy's global generator; by default the graph's, or a fresh one.

    Raises:
      TypeError: on another dtype.
    """

    def __init__(
        self,
        images: Any,
        labels: Any,
        fake_data: bool = False,
        one_hot: bool = False,
        dtype: DTypeLike = dtypes.float32,
        reshape: bool = True,
        seed: int | None = None,
    ):
        graph_seed, op_seed = export.find("get_seed")(seed)
        np.random.seed(graph_seed if seed is None else op_seed)
        dtype = dtypes.as_dtype(dtype).base_dtype
        if dtype not in (dtypes.uint8, dtypes.float32):
            raise TypeError(f"Invalid image dtype {dtype!r}, expected uint8 or float32")
        if fake_data:
            self._num_examples = 10000
            self.one_hot = one_hot
        else:
            assert images.shape[0] == labels.shape[0], (
                f"images.shape: {images.shape} labels.shape: {labels.shape}"
            )
            self._num_examples = images.shape[0]
            if reshape:
                assert images.shape[3] == 1
                images = images.reshape(images.shape[0], images.shape[1] * images.shape[2])
            if dtype == dtypes.float32:
                images = np.multiply(images.astype(np.float32), np.float32(1.0 / 255.0))
        self._images = images
        self._labels = labels
        self._epochs_completed = 0
        self._index_in_epoch = 0

    images: np.ndarray = attribute("_images")
    labels: np.ndarray = attribute("_labels")
    num_examples: int = attribute("_num_examples")
    epochs_completed: int = attribute("_epochs_completed")

    def next_batch(self, batch_size: int, fake_data: bool = False, shuffle: bool = True) -> Any:
        """The next `batch_size` images and labels.

        The order is drawn from NumPy's global generator at the start of each epoch; a batch that
        crosses the end of an epoch goes on with the beginning of the next.
        """
        if fake_data:
            label: Any = [1] + [0] * 9 if self.one_hot else 0
            return [[1] * 784 for _ in range(batch_size)], [label for _ in range(batch_size)]
        start = self._index_in_epoch
        if shuffle and self._epochs_completed == 0 and start == 0:
            self._shuffle()
        end = start + batch_size
        if end <= self._num_examples:
            self._index_in_epoch = end
            return self._images[start:end], self._labels[start:end]
        self._epochs_completed += 1
        images_rest, labels_rest = self._images[start:], self._labels[start:]
        if shuffle:
            self._shuffle()
        self._index_in_epoch = end - self._num_examples
        return (
            np.concatenate((images_rest, self._images[: self._index_in_epoch])),
            np.concatenate((labels_rest, self._labels[: self._index_in_epoch])),
        )

    def _shuffle(self) -> None:
        order = np.arange(self._num_examples)
        np.random.shuffle(order)
        self._images = self._images[order]
        self._labels = self._labels[order]


def read_data_sets(
    train_dir: str,
    fake_data: bool = False,
    one_hot: bool = False,
    dtype: DTypeLike = dtypes.float32,
    reshape: bool = True,
    validation_size: int = 5000,
    seed: int | None = None,
    source_url: str = DEFAULT_SOURCE_URL,
) -> Datasets:
    """Reads MNIST.

    Args:
      train_dir: the folder with the four idx files, gzipped or not.
      fake_data, one_hot, dtype, reshape, seed: see `DataSet`.
      validation_size: how many of the training images, from the front, to set apart.
      source_url: where TF 1.15 downloaded from; only named in the error.

    Returns:
      A namedtuple of `DataSet`s: train, validation, test.

    Raises:
      FileNotFoundError: a file is missing; the message says which ones belong where.
      ValueError: `validation_size` is out of range.
    """
    if fake_data:
        fakes = [
            DataSet([], [], fake_data=True, one_hot=one_hot, dtype=dtype, seed=seed)
            for _ in range(3)
        ]
        return Datasets(*fakes)
    paths = [_find(name, train_dir, source_url or DEFAULT_SOURCE_URL) for name in _FILES]
    parts = []
    for path in paths:
        with open(path, "rb") as file:
            is_labels = "labels" in os.path.basename(path)
            parts.append(extract_labels(file, one_hot) if is_labels else extract_images(file))
    train_images, train_labels, test_images, test_labels = parts
    if not 0 <= validation_size <= len(train_images):
        raise ValueError(
            f"Validation size should be between 0 and {len(train_images)}. "
            f"Received: {validation_size}."
        )
    options: dict[str, Any] = {"dtype": dtype, "reshape": reshape, "seed": seed}
    train = DataSet(train_images[validation_size:], train_labels[validation_size:], **options)
    validation = DataSet(train_images[:validation_size], train_labels[:validation_size], **options)
    return Datasets(train, validation, DataSet(test_images, test_labels, **options))


def load_mnist(train_dir: str = "MNIST-data") -> Datasets:
    """`read_data_sets` with its defaults."""
    return read_data_sets(train_dir)


def _find(name: str, folder: str, source_url: str) -> str:
    for candidate in (name, name.removesuffix(".gz")):
        path = os.path.join(folder, candidate)
        if os.path.exists(path):
            return path
    files = "".join(f"\n  {file}" for file in _FILES)
    raise FileNotFoundError(
        f"{os.path.join(folder, name)} is missing. tf1compat downloads nothing; put these files "
        f"(with or without .gz) into {os.path.abspath(folder)}:{files}\n"
        f"TensorFlow 1.15 took them from {source_url}"
    )
