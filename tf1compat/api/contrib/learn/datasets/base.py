"""Tables (`tensorflow.contrib.learn.python.learn.datasets.base`)."""

from __future__ import annotations

import csv
import gzip
import os
import random
import shutil
import time
import urllib.request
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from tf1compat.api.contrib.learn.datasets.examples_mnist import Dataset, Datasets
from tf1compat.api.platform import gfile
from tf1compat.api.util.deprecation import deprecated

__all__ = [
    "Dataset", "Datasets", "load_boston", "load_csv_with_header", "load_csv_without_header",
    "load_iris", "maybe_download", "retry", "shrink_csv", "urlretrieve_with_retry",
]  # fmt: skip

_DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")


@deprecated(None, "Use tf.data instead.")
def load_csv_with_header(
    filename: Any, target_dtype: Any, features_dtype: Any, target_column: int = -1
) -> Dataset:
    """A table whose first line begins with the numbers of examples and of features.

    Args:
      filename: the CSV file.
      target_dtype, features_dtype: of the labels and features.
      target_column: the labels' column.

    Returns:
      A `Dataset`: features [examples, features] and labels [examples].
    """
    with gfile.Open(filename) as file:
        return _with_header(file, target_dtype, features_dtype, target_column)


def _with_header(
    lines: Iterable[str], target_dtype: Any, features_dtype: Any, target_column: int = -1
) -> Dataset:
    rows = csv.reader(lines)
    count, width = map(int, next(rows)[:2])
    data, target = np.zeros((count, width), features_dtype), np.zeros(count, target_dtype)
    for i, row in enumerate(rows):
        target[i] = np.asarray(row.pop(target_column), dtype=target_dtype)
        data[i] = np.asarray(row, dtype=features_dtype)
    return Dataset(data=data, target=target)


@deprecated(None, "Use tf.data instead.")
def load_csv_without_header(
    filename: Any, target_dtype: Any, features_dtype: Any, target_column: int = -1
) -> Dataset:
    """A table without a first line of its own: see `load_csv_with_header`."""
    data, target = [], []
    with gfile.Open(filename) as file:
        for row in csv.reader(file):
            target.append(row.pop(target_column))
            data.append(np.asarray(row, dtype=features_dtype))
    return Dataset(data=np.array(data), target=np.array(target, dtype=target_dtype))


@deprecated(None, "Use tf.data instead.")
def shrink_csv(filename: Any, ratio: int) -> None:
    """Writes every `ratio`-th line of a table to a file "…_small.csv"."""
    with gfile.Open(filename.replace(".", "_small."), "w") as small, gfile.Open(filename) as file:
        writer = csv.writer(small)
        for i, row in enumerate(csv.reader(file)):
            if i % ratio == 0:
                writer.writerow(row)


def _packaged(name: str, target_dtype: Any) -> Dataset:
    with gzip.open(os.path.join(_DATA, f"{name}.csv.gz"), "rt") as file:
        return _with_header(file, target_dtype, np.float64)


@deprecated(None, "Use scikits.learn.datasets.")
def load_iris(data_path: Any = None) -> Dataset:
    """Fisher's irises: four measures of 150 flowers, and the three species.

    Args:
      data_path: a CSV file with a header, instead.
    """
    if data_path is None:
        return _packaged("iris", np.int64)
    return load_csv_with_header(data_path, target_dtype=np.int64, features_dtype=np.float64)


@deprecated(None, "Use scikits.learn.datasets.")
def load_boston(data_path: Any = None) -> Dataset:
    """Houses in Boston: thirteen measures of 506 districts, and the median prices.

    Args:
      data_path: a CSV file with a header, instead.
    """
    if data_path is None:
        return _packaged("boston_house_prices", np.float64)
    return load_csv_with_header(data_path, target_dtype=np.float64, features_dtype=np.float64)


@deprecated(None, "Use the retry module or similar alternatives.")
def retry(
    initial_delay: float, max_delay: float, factor: float = 2.0, jitter: float = 0.25,
    is_retriable: Any = None,
) -> Callable[[Any], Any]:  # fmt: skip
    """A decorator that calls a function again when it fails.

    Args:
      initial_delay, max_delay: seconds to wait, at first and at most.
      factor: by which the delay grows.
      jitter: by which fraction it varies.
      is_retriable: a function of an exception that says whether to wait and go on.

    Raises:
      ValueError: `factor` is below 1 or `jitter` not.
    """
    return _retry(initial_delay, max_delay, factor, jitter, is_retriable)


def _retry(
    initial_delay: float, max_delay: float, factor: float = 2.0, jitter: float = 0.25,
    is_retriable: Any = None,
) -> Callable[[Any], Any]:  # fmt: skip
    if factor < 1:
        raise ValueError(f"factor must be >= 1; was {factor:f}")
    if jitter >= 1:
        raise ValueError(f"jitter must be < 1; was {jitter:f}")

    def wrap(fn: Any) -> Any:
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            delay = initial_delay
            while delay <= max_delay:
                try:
                    return fn(*args, **kwargs)
                except Exception as error:
                    if is_retriable is not None:
                        if not is_retriable(error):
                            raise
                        time.sleep(delay * random.uniform(1 - jitter, 1 + jitter))
                delay *= factor
            return fn(*args, **kwargs)

        return wrapped

    return wrap


def _has_timed_out(error: Exception) -> bool:
    return isinstance(error, OSError) and error.errno == 110


@deprecated(None, "Please use urllib or similar directly.")
@_retry(1.0, 16.0, is_retriable=_has_timed_out)
def urlretrieve_with_retry(url: str, filename: Any = None) -> Any:
    """`urllib.request.urlretrieve`, tried again when it times out."""
    return urllib.request.urlretrieve(url, filename)


@deprecated(None, "Please write your own downloading logic.")
def maybe_download(filename: str, work_directory: str, source_url: str) -> str:
    """The path of a file, which is downloaded if it is not there.

    Args:
      filename: its name.
      work_directory: its folder.
      source_url: where it comes from.
    """
    path = os.path.join(work_directory, filename)
    if not gfile.Exists(work_directory):
        gfile.MakeDirs(work_directory)
    if not gfile.Exists(path):
        downloaded, _ = urlretrieve_with_retry(source_url)
        shutil.copyfile(downloaded, path)
        print("Successfully downloaded", filename, os.path.getsize(path), "bytes.")
    return path
