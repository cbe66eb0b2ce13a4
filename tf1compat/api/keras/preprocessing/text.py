"""Text as numbers (`tensorflow.python.keras.preprocessing.text`)."""

from __future__ import annotations

import collections
import hashlib
import json
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from tf1compat.core.export import tf_export


@tf_export("keras.preprocessing.text.text_to_word_sequence")
def text_to_word_sequence(
    text: str,
    filters: str = '!"#$%&()*+,-./:;<=>?@[\\]^_`{|}~\t\n',
    lower: bool = True,
    split: str = " ",
) -> list[str]:
    """The words of a text.

    Args:
      text: the text.
      filters: characters that separate words and belong to none.
      lower: whether to make letters small.
      split: what separates words.

    Returns:
      Words.
    """
    text = text.lower() if lower else text
    return [word for word in text.translate({ord(c): split for c in filters}).split(split) if word]


@tf_export("keras.preprocessing.text.hashing_trick")
def hashing_trick(
    text: str,
    n: int,
    hash_function: Any = None,
    filters: str = '!"#$%&()*+,-./:;<=>?@[\\]^_`{|}~\t\n',
    lower: bool = True,
    split: str = " ",
) -> list[int]:
    """The words of a text as numbers from 1 to n - 1, which different words may share.

    Args:
      text: the text.
      n: one more than the greatest number.
      hash_function: a function of a word that gives an int; "md5"; or Python's `hash`, the default,
        which differs from run to run.
      filters, lower, split: see `text_to_word_sequence`.

    Returns:
      A number for each word.
    """

    def md5(word: str) -> int:
        return int(hashlib.md5(word.encode()).hexdigest(), 16)

    number: Any = {None: hash, "md5": md5}.get(hash_function, hash_function)
    words = text_to_word_sequence(text, filters=filters, lower=lower, split=split)
    return [number(word) % (n - 1) + 1 for word in words]


@tf_export("keras.preprocessing.text.one_hot")
def one_hot(
    text: str,
    n: int,
    filters: str = '!"#$%&()*+,-./:;<=>?@[\\]^_`{|}~\t\n',
    lower: bool = True,
    split: str = " ",
) -> list[int]:
    """`hashing_trick` with Python's `hash`.

    Args:
      text, n, filters, lower, split: see there.

    Returns:
      A number for each word.
    """
    return hashing_trick(text, n, hash_function=hash, filters=filters, lower=lower, split=split)


@tf_export("keras.preprocessing.text.Tokenizer")
class Tokenizer:
    """Numbers the words of texts, the most common one first, from 1 on.

    Args:
      num_words: the number from which on words are left out.
      filters, lower, split: see `text_to_word_sequence`.
      char_level: whether each character counts as a word.
      oov_token: what words are given as that there is no number for; they are left out by default.
      document_count: how many texts were counted before.
    """

    def __init__(
        self, num_words: Any = None, filters: str = '!"#$%&()*+,-./:;<=>?@[\\]^_`{|}~\t\n',
        lower: bool = True, split: str = " ", char_level: bool = False, oov_token: Any = None,
        document_count: int = 0, **kwargs: Any,
    ):  # fmt: skip
        if "nb_words" in kwargs:
            warnings.warn(
                "The `nb_words` argument in `Tokenizer` has been renamed `num_words`.",
                stacklevel=2,
            )
            num_words = kwargs.pop("nb_words")
        if kwargs:
            raise TypeError(f"Unrecognized keyword arguments: {kwargs}")
        self.word_counts: Any = collections.OrderedDict()
        self.word_docs: Any = collections.defaultdict(int)
        self.filters = filters
        self.split = split
        self.lower = lower
        self.num_words = num_words
        self.document_count = document_count
        self.char_level = char_level
        self.oov_token = oov_token
        self.index_docs: Any = collections.defaultdict(int)
        self.word_index: dict[str, int] = {}
        self.index_word: dict[int, str] = {}

    def _words(self, text: Any) -> Any:
        if not self.char_level and not isinstance(text, list):
            return text_to_word_sequence(text, self.filters, self.lower, self.split)
        if not self.lower:
            return text
        return [one.lower() for one in text] if isinstance(text, list) else text.lower()

    def fit_on_texts(self, texts: Any) -> None:
        """Counts the words of texts and numbers them.

        Args:
          texts: texts, or lists of words.
        """
        for text in texts:
            self.document_count += 1
            words = self._words(text)
            for word in words:
                self.word_counts[word] = self.word_counts.get(word, 0) + 1
            for word in set(words):
                self.word_docs[word] += 1
        ordered = sorted(self.word_counts.items(), key=lambda item: item[1], reverse=True)
        found = [] if self.oov_token is None else [self.oov_token]
        found += [word for word, _ in ordered]
        self.word_index = {word: i for i, word in enumerate(found, 1)}
        self.index_word = {i: word for word, i in self.word_index.items()}
        for word, count in self.word_docs.items():
            self.index_docs[self.word_index[word]] = count

    def fit_on_sequences(self, sequences: Any) -> None:
        """Counts in how many sequences each number is."""
        self.document_count += len(sequences)
        for sequence in sequences:
            for i in set(sequence):
                self.index_docs[i] += 1

    def texts_to_sequences(self, texts: Any) -> list[list[int]]:
        """The words of texts as numbers."""
        return list(self.texts_to_sequences_generator(texts))

    def texts_to_sequences_generator(self, texts: Any) -> Iterator[list[int]]:
        """Yields the words of each text as numbers."""
        word_index: Any = self.word_index
        unknown = word_index.get(self.oov_token)
        for text in texts:
            found: list[int] = []
            for word in self._words(text):
                i = self.word_index.get(word)
                if i is None:
                    if self.oov_token is not None:
                        found.append(unknown)  # pyright: ignore[reportArgumentType]
                elif not self.num_words or i < self.num_words:
                    found.append(i)
                elif unknown is not None:
                    found.append(unknown)
            yield found

    def sequences_to_texts(self, sequences: Any) -> list[str]:
        """Texts of the words that the numbers stand for."""
        return list(self.sequences_to_texts_generator(sequences))

    def sequences_to_texts_generator(self, sequences: Any) -> Iterator[str]:
        """Yields the text of each sequence."""
        word_index: Any = self.word_index
        unknown = word_index.get(self.oov_token)
        for sequence in sequences:
            found: list[str] = []
            for i in sequence:
                word = self.index_word.get(i)
                if word is None:
                    if self.oov_token is not None:
                        found.append(self.index_word[unknown])  # pyright: ignore
                elif not self.num_words or i < self.num_words:
                    found.append(word)
                elif unknown is not None:
                    found.append(self.index_word[unknown])
            yield " ".join(found)

    def texts_to_matrix(self, texts: Any, mode: str = "binary") -> np.ndarray:
        """An array with a row for each text; see `sequences_to_matrix`."""
        return self.sequences_to_matrix(self.texts_to_sequences(texts), mode=mode)

    def sequences_to_matrix(self, sequences: Any, mode: str = "binary") -> np.ndarray:
        """An array with a row for each sequence and a column for each number.

        Args:
          sequences: the sequences.
          mode: what it holds: "binary", whether the number is there; "count", how often; "freq",
            the share it has; "tfidf", how much it tells about the text.

        Raises:
          ValueError: nothing was counted yet, or the mode is unknown.
        """
        if self.num_words:
            size = self.num_words
        elif self.word_index:
            size = len(self.word_index) + 1
        else:
            raise ValueError(
                "Specify a dimension (`num_words` argument), or fit on some text data first."
            )
        if mode == "tfidf" and not self.document_count:
            raise ValueError("Fit the Tokenizer on some data before using tfidf mode.")
        found = np.zeros((len(sequences), size))
        for row, sequence in zip(found, sequences, strict=True):
            counts = collections.Counter(j for j in sequence if j < size)
            for j, count in counts.items():
                if mode == "count":
                    row[j] = count
                elif mode == "freq":
                    row[j] = count / len(sequence)
                elif mode == "binary":
                    row[j] = 1
                elif mode == "tfidf":
                    rare = np.log(1 + self.document_count / (1 + self.index_docs.get(j, 0)))
                    row[j] = (1 + np.log(count)) * rare
                else:
                    raise ValueError("Unknown vectorization mode:", mode)
        return found

    def get_config(self) -> dict[str, Any]:
        """The arguments, and what was counted as JSON."""
        config = {
            name: getattr(self, name)
            for name in (
                "num_words", "filters", "lower", "split", "char_level", "oov_token",
                "document_count",
            )
        }  # fmt: skip
        for name in ("word_counts", "word_docs", "index_docs", "index_word", "word_index"):
            config[name] = json.dumps(getattr(self, name))
        return config

    def to_json(self, **kwargs: Any) -> str:
        """The config as JSON; `**kwargs` as in `json.dumps`."""
        described = {"class_name": type(self).__name__, "config": self.get_config()}
        return json.dumps(described, **kwargs)


def tokenizer_from_json(json_string: str) -> Tokenizer:
    """The tokenizer that `to_json` described."""
    config = json.loads(json_string)["config"]
    counted = {
        name: json.loads(config.pop(name))
        for name in ("word_counts", "word_docs", "index_docs", "index_word", "word_index")
    }
    tokenizer = Tokenizer(**config)
    for name, value in counted.items():
        if name.startswith("index"):
            value = {int(key): one for key, one in value.items()}
        setattr(tokenizer, name, value)
    return tokenizer
