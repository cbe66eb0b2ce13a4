"""Texts whose words are numbers by how common they are."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.keras.preprocessing.sequence import _remove_long_seq
from tf1compat.api.platform import tf_logging as logging


def renamed(num_words: Any, kwargs: dict[str, Any]) -> Any:
    """`num_words`, which had another name once.

    Raises:
      TypeError: there are other arguments.
    """
    if "nb_words" in kwargs:
        logging.warning("The `nb_words` argument in `load_data` has been renamed `num_words`.")
        num_words = kwargs.pop("nb_words")
    if kwargs:
        raise TypeError(f"Unrecognized keyword arguments: {kwargs}")
    return num_words


def mixed(x: Any, y: Any) -> tuple[Any, Any]:
    """Texts and labels in another order."""
    indices = np.arange(len(x))
    np.random.shuffle(indices)
    return x[indices], y[indices]


def selected(
    texts: Any, labels: Any, num_words: Any, skip_top: int, maxlen: Any, start_char: Any,
    oov_char: Any, index_from: Any,
) -> tuple[list[Any], Any]:  # fmt: skip
    """Texts with the words that are wanted.

    Args:
      texts, labels: the texts.
      num_words: the number from which on words are left out.
      skip_top: the number below which they are.
      maxlen: texts of so many words are left out.
      start_char: what texts begin with.
      oov_char: what takes the place of words that are left out.
      index_from: what is added to the words' numbers.
    """
    begin = [] if start_char is None else [start_char]
    if begin or index_from:
        texts = [[*begin, *(w + index_from for w in text)] for text in texts]
    if maxlen:
        texts, labels = _remove_long_seq(maxlen, texts, labels)
        if not texts:
            raise ValueError(
                f"After filtering for sequences shorter than maxlen={maxlen}, no sequence was "
                "kept. Increase maxlen."
            )
    num_words = num_words or max(max(text) for text in texts)

    def chosen(text: Any) -> list[Any]:
        if oov_char is None:
            return [w for w in text if skip_top <= w < num_words]
        return [w if skip_top <= w < num_words else oov_char for w in text]

    return [chosen(text) for text in texts], labels


def arrays(texts: Any, labels: Any) -> tuple[np.ndarray, np.ndarray]:
    """Texts, as an array of lists, and labels."""
    found = np.empty(len(texts), object)
    found[:] = texts
    return found, np.array(labels)
