"""Texts (`tensorflow.contrib.learn.python.learn.datasets.text_datasets`)."""

from __future__ import annotations

import os
import tarfile

import numpy as np

from tf1compat.api.contrib.learn.datasets import base
from tf1compat.api.contrib.learn.datasets.examples_mnist import Datasets
from tf1compat.api.platform import gfile
from tf1compat.api.util.deprecation import deprecated

DBPEDIA_URL = "https://github.com/le-scientifique/torchDatasets/raw/master/dbpedia_csv.tar.gz"


@deprecated(None, "See contrib/learn/README.md")
def maybe_download_dbpedia(data_dir: str) -> None:
    """Downloads DBpedia's abstracts into a folder, if they are not there."""
    paths = [os.path.join(data_dir, "dbpedia_csv", name) for name in ("train.csv", "test.csv")]
    if not all(gfile.Exists(path) for path in paths):
        archive = base.maybe_download("dbpedia_csv.tar.gz", data_dir, DBPEDIA_URL)
        with tarfile.open(archive, "r:*") as file:
            file.extractall(data_dir, filter="data")


@deprecated(None, "See contrib/learn/README.md")
def load_dbpedia(size: str = "small", test_with_fake_data: bool = False) -> Datasets:
    """DBpedia's abstracts, and what kind of thing each is about.

    Args:
      size: "small" for a thousandth.
      test_with_fake_data: not supported.

    Raises:
      NotImplementedError: fake data are asked for.
    """
    if test_with_fake_data:
        raise NotImplementedError("load_dbpedia has no fake data in tf1compat")
    folder = os.path.join(os.getenv("TF_EXP_BASE_DIR", ""), "dbpedia_data")
    maybe_download_dbpedia(folder)
    parts = {}
    for name in ("train", "test"):
        path = os.path.join(folder, "dbpedia_csv", f"{name}.csv")
        if size == "small":
            base.shrink_csv(path, 1000)
            path = path.replace(f"{name}.csv", f"{name}_small.csv")
        parts[name] = base.load_csv_without_header(
            path, target_dtype=np.int32, features_dtype=np.str_, target_column=0
        )
    return Datasets(train=parts["train"], validation=None, test=parts["test"])
