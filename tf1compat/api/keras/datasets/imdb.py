"""Reviews of films, and whether they like them (`tensorflow.python.keras.datasets.imdb`)."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from tf1compat.api.keras.datasets import words
from tf1compat.api.keras.datasets.mnist import ORIGIN
from tf1compat.api.keras.utils.data_utils import get_file
from tf1compat.core.export import tf_export


@tf_export("keras.datasets.imdb.load_data")
def load_data(
    path: str = "imdb.npz", num_words: Any = None, skip_top: int = 0, maxlen: Any = None,
    seed: int = 113, start_char: Any = 1, oov_char: Any = 2, index_from: Any = 3, **kwargs: Any,
) -> Any:  # fmt: skip
    """50000 reviews of films, and whether each likes its film.

    Args:
      path: the file in ~/.keras/datasets that they are kept in.
      num_words: the number from which on words are left out; words are numbered by how common they
        are.
      skip_top: the number below which words are left out.
      maxlen: texts of so many words are left out.
      seed: of the mixing.
      start_char: what texts begin with.
      oov_char: what takes the place of words that are left out; None for nothing.
      index_from: what is added to the words' numbers.
      **kwargs: `nb_words`, an old name of `num_words`.

    Returns:
      ((texts, labels) to train with, (texts, labels) to test with).

    Raises:
      Exception: they are not there yet and can't be downloaded.
    """
    num_words = words.renamed(num_words, kwargs)
    path = get_file(
        path,
        origin=f"{ORIGIN}imdb.npz",
        file_hash="69664113be75683a8fe16e3ed0ab59fda8886cb3cd7ada244f7d9544e4676b9f",
    )
    with np.load(path, allow_pickle=True) as f:
        x_train, y_train, x_test, y_test = f["x_train"], f["y_train"], f["x_test"], f["y_test"]
    np.random.seed(seed)
    x_train, y_train = words.mixed(x_train, y_train)
    x_test, y_test = words.mixed(x_test, y_test)
    split = len(x_train)
    texts, labels = words.selected(
        np.concatenate([x_train, x_test]), np.concatenate([y_train, y_test]), num_words, skip_top,
        maxlen, start_char, oov_char, index_from,
    )  # fmt: skip
    train = words.arrays(texts[:split], labels[:split])
    return train, words.arrays(texts[split:], labels[split:])


@tf_export("keras.datasets.imdb.get_word_index")
def get_word_index(path: str = "imdb_word_index.json") -> dict[str, int]:
    """The number of each word.

    Args:
      path: the file in ~/.keras/datasets that they are kept in.

    Returns:
      {word: its number, from 1 on}.
    """
    path = get_file(
        path,
        origin=f"{ORIGIN}imdb_word_index.json",
        file_hash="bfafd718b763782e994055a2d397834f",
    )
    with open(path) as f:
        return json.load(f)
