"""News, and what they are about (`tensorflow.python.keras.datasets.reuters`)."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from tf1compat.api.keras.datasets import words
from tf1compat.api.keras.datasets.mnist import ORIGIN
from tf1compat.api.keras.utils.data_utils import get_file
from tf1compat.core.export import tf_export


@tf_export("keras.datasets.reuters.load_data")
def load_data(
    path: str = "reuters.npz", num_words: Any = None, skip_top: int = 0, maxlen: Any = None,
    test_split: float = 0.2, seed: int = 113, start_char: Any = 1, oov_char: Any = 2,
    index_from: Any = 3, **kwargs: Any,
) -> Any:  # fmt: skip
    """11228 news, each about one of 46 topics.

    Args:
      path: the file in ~/.keras/datasets that they are kept in.
      num_words: the number from which on words are left out; words are numbered by how common they
        are.
      skip_top: the number below which words are left out.
      maxlen: texts of so many words are left out.
      test_split: the share that is to test with.
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
        origin=f"{ORIGIN}reuters.npz",
        file_hash="d6586e694ee56d7a4e65172e12b3e987c03096cb01eab99753921ef915959916",
    )
    with np.load(path, allow_pickle=True) as f:
        texts, labels = f["x"], f["y"]
    np.random.seed(seed)
    texts, labels = words.mixed(texts, labels)
    texts, labels = words.selected(
        texts, labels, num_words, skip_top, maxlen, start_char, oov_char, index_from
    )
    split = int(len(texts) * (1 - test_split))
    train = words.arrays(texts[:split], labels[:split])
    return train, words.arrays(texts[split:], labels[split:])


@tf_export("keras.datasets.reuters.get_word_index")
def get_word_index(path: str = "reuters_word_index.json") -> dict[str, int]:
    """The number of each word.

    Args:
      path: the file in ~/.keras/datasets that they are kept in.

    Returns:
      {word: its number, from 1 on}.
    """
    path = get_file(
        path,
        origin=f"{ORIGIN}reuters_word_index.json",
        file_hash="4d44cc38712099c9e383dc6e5f11a921",
    )
    with open(path) as f:
        return json.load(f)
