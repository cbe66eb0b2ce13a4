"""`tensorflow.contrib.learn.python.learn.preprocessing.text`."""

from __future__ import annotations

import itertools
import pickle
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from tf1compat.api.contrib.learn.preprocessing.categorical_vocabulary import (
    INSTRUCTIONS,
    CategoricalVocabulary,
)
from tf1compat.api.platform import gfile
from tf1compat.api.util.deprecation import deprecated

# Abbreviations, the words of CamelCase, and what else has letters, digits, "'" and "-".
TOKENIZER_RE = re.compile(r"[A-Z]{2,}(?![a-z])|[A-Z][a-z]+(?=[A-Z])|[\'\w\-]+", re.UNICODE)


@deprecated(None, INSTRUCTIONS)
def tokenizer(iterator: Iterable[str]) -> Iterator[list[str]]:
    """The words of each text."""
    for text in iterator:
        yield TOKENIZER_RE.findall(text)


class ByteProcessor:
    """Texts as rows of bytes.

    Args:
      max_document_length: how many bytes a row has; texts are cut or filled with zeros.
    """

    @deprecated(None, INSTRUCTIONS)
    def __init__(self, max_document_length: int):
        self.max_document_length = max_document_length

    def fit(self, x: Any) -> None:
        """Does nothing."""

    def fit_transform(self, x: Iterable[Any]) -> Iterator[np.ndarray]:
        """See `transform`."""
        return self.transform(x)

    def reverse(self, x: Iterable[np.ndarray]) -> Iterator[str]:
        """The texts of rows; "" for what is no UTF-8."""
        for row in x:
            text = np.trim_zeros(row.astype(np.int8), trim="b").tobytes()
            try:
                yield text.decode("utf-8")
            except UnicodeDecodeError:
                yield ""

    def transform(self, x: Iterable[Any]) -> Iterator[np.ndarray]:
        """The rows of texts: uint8 [max_document_length] each."""
        for text in x:
            text = text.encode() if isinstance(text, str) else text
            found = np.frombuffer(memoryview(text)[: self.max_document_length], dtype=np.uint8)
            yield np.pad(found, (0, self.max_document_length - len(found)), "constant")


class VocabularyProcessor:
    """Texts as rows of the numbers of their words.

    Args:
      max_document_length: how many numbers a row has; texts are cut or filled with zeros.
      min_frequency: words met no more often are unknown.
      vocabulary: a `CategoricalVocabulary`; a new one by default.
      tokenizer_fn: a function of texts that yields lists of words.
    """

    @deprecated(None, INSTRUCTIONS)
    def __init__(
        self, max_document_length: int, min_frequency: int = 0, vocabulary: Any = None,
        tokenizer_fn: Callable[[Iterable[Any]], Iterator[list[Any]]] | None = None,
    ):  # fmt: skip
        self.max_document_length = max_document_length
        self.min_frequency = min_frequency
        self.vocabulary_ = vocabulary or CategoricalVocabulary()
        self._tokenizer = tokenizer_fn or tokenizer

    def fit(self, raw_documents: Iterable[Any], unused_y: Any = None) -> VocabularyProcessor:
        """Learns the words of texts."""
        for word in itertools.chain.from_iterable(self._tokenizer(raw_documents)):
            self.vocabulary_.add(word)
        if self.min_frequency > 0:
            self.vocabulary_.trim(self.min_frequency)
        self.vocabulary_.freeze()
        return self

    def fit_transform(
        self, raw_documents: Iterable[Any], unused_y: Any = None
    ) -> Iterator[np.ndarray]:
        """Learns the words of texts, and turns these into rows."""
        self.fit(raw_documents)
        return self.transform(raw_documents)

    def transform(self, raw_documents: Iterable[Any]) -> Iterator[np.ndarray]:
        """The rows of texts: int64 [max_document_length] each."""
        for words in self._tokenizer(raw_documents):
            row = np.zeros(self.max_document_length, np.int64)
            known = words[: self.max_document_length]
            row[: len(known)] = [self.vocabulary_.get(word) for word in known]
            yield row

    def reverse(self, documents: Iterable[Iterable[int]]) -> Iterator[str]:
        """The texts of rows, words separated by a space."""
        for row in documents:
            yield " ".join(self.vocabulary_.reverse(number) for number in row)

    def save(self, filename: str) -> None:
        """Pickles the processor."""
        with gfile.Open(filename, "wb") as file:
            file.write(pickle.dumps(self))

    @classmethod
    def restore(cls, filename: str) -> VocabularyProcessor:
        """Reads what `save` wrote."""
        with gfile.Open(filename, "rb") as file:
            return pickle.loads(file.read())
