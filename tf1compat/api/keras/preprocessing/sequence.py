"""Sequences (`tensorflow.python.keras.preprocessing.sequence`)."""

from __future__ import annotations

import itertools
import json
import random
from typing import Any

import numpy as np

from tf1compat.api.keras.utils.data_utils import Sequence
from tf1compat.core.export import tf_export


@tf_export("keras.preprocessing.sequence.pad_sequences")
def pad_sequences(
    sequences: Any, maxlen: Any = None, dtype: Any = "int32", padding: str = "pre",
    truncating: str = "pre", value: Any = 0.0,
) -> np.ndarray:  # fmt: skip
    """Sequences of different lengths as one array.

    Args:
      sequences: the sequences; their elements are numbers, or arrays of one shape.
      maxlen: how long they get; as long as the longest by default.
      dtype: the array's type.
      padding: "pre" or "post": where short ones are filled up.
      truncating: "pre" or "post": where long ones are cut.
      value: what they are filled up with.

    Returns:
      An array of shape [len(sequences), maxlen, ...].

    Raises:
      ValueError: sequences that are none, or whose elements have different shapes; unknown sides.
    """
    if not hasattr(sequences, "__len__"):
        raise ValueError("`sequences` must be iterable.")
    lengths = []
    shape: Any = None
    for x in sequences:
        try:
            lengths.append(len(x))
        except TypeError:
            raise ValueError(
                f"`sequences` must be a list of iterables. Found non-iterable: {x}"
            ) from None
        if shape is None and len(x):
            shape = np.asarray(x).shape[1:]
    shape = shape or ()
    if maxlen is None:
        maxlen = np.max(lengths)
    is_text = np.issubdtype(dtype, np.str_) or np.issubdtype(dtype, np.object_)
    if isinstance(value, str) and not is_text:
        raise ValueError(
            f"`dtype` {dtype} is not compatible with `value`'s type: {type(value)}\nYou should set "
            "`dtype=object` for variable length strings."
        )
    padded = np.full((len(sequences), maxlen, *shape), value, dtype=dtype)
    for i, sequence in enumerate(sequences):
        if not len(sequence):
            continue
        if truncating not in ("pre", "post"):
            raise ValueError(f'Truncating type "{truncating}" not understood')
        part = np.asarray(
            sequence[-maxlen:] if truncating == "pre" else sequence[:maxlen], dtype=dtype
        )
        if part.shape[1:] != shape:
            raise ValueError(
                f"Shape of sample {part.shape[1:]} of sequence at position {i} is different from "
                f"expected shape {shape}"
            )
        if padding == "post":
            padded[i, : len(part)] = part
        elif padding == "pre":
            padded[i, -len(part) :] = part
        else:
            raise ValueError(f'Padding type "{padding}" not understood')
    return padded


@tf_export("keras.preprocessing.sequence.make_sampling_table")
def make_sampling_table(size: int, sampling_factor: float = 1e-05) -> np.ndarray:
    """How likely words are to be kept by `skipgrams`, so that common ones don't prevail.

    Args:
      size: how many words there are; word i is taken to be the i-th most common one, with the
        frequencies that Zipf's law gives.
      sampling_factor: the frequency from which on words are dropped.

    Returns:
      An array of `size` probabilities.
    """
    rank = np.arange(size)
    rank[0] = 1
    inverse = rank * (np.log(rank) + 0.577) + 0.5 - 1.0 / (12.0 * rank)
    ratio = sampling_factor * inverse
    return np.minimum(1.0, ratio / np.sqrt(ratio))


@tf_export("keras.preprocessing.sequence.skipgrams")
def skipgrams(
    sequence: Any, vocabulary_size: int, window_size: int = 4, negative_samples: float = 1.0,
    shuffle: bool = True, categorical: bool = False, sampling_table: Any = None,
    seed: int | None = None,
) -> tuple[list[Any], list[Any]]:  # fmt: skip
    """Pairs of words that are near each other, and random ones.

    Args:
      sequence: the words, as ints; 0 is none.
      vocabulary_size: one more than the greatest word.
      window_size: how far words may be from each other.
      negative_samples: how many random pairs there are for each of the others.
      shuffle: whether to mix the pairs.
      categorical: whether labels are [1, 0] and [0, 1] rather than 0 and 1.
      sampling_table: how likely each word is to be used.
      seed: of the mixing.

    Returns:
      The pairs, and for each whether the words were near each other.
    """
    yes, no = ([0, 1], [1, 0]) if categorical else (1, 0)
    couples: list[Any] = []
    for i, word in enumerate(sequence):
        if not word or (sampling_table is not None and sampling_table[word] < random.random()):
            continue
        before, after = sequence[max(0, i - window_size) : i], sequence[i + 1 : i + window_size + 1]
        couples += [[word, other] for other in itertools.chain(before, after) if other]
    labels: list[Any] = [yes] * len(couples)
    if negative_samples > 0:
        count = int(len(labels) * negative_samples)
        words = [couple[0] for couple in couples]
        random.shuffle(words)
        couples += [
            [words[i % len(words)], random.randint(1, vocabulary_size - 1)] for i in range(count)
        ]
        labels += [no] * count
    if shuffle:
        seed = random.randint(0, 10_000_000) if seed is None else seed
        for mixed in (couples, labels):  # In the same order.
            random.seed(seed)
            random.shuffle(mixed)
    return couples, labels


def _remove_long_seq(maxlen: int, seq: Any, label: Any) -> tuple[list[Any], list[Any]]:
    """Sequences shorter than `maxlen`, and their labels."""
    kept = [(x, y) for x, y in zip(seq, label, strict=False) if len(x) < maxlen]
    return [x for x, _ in kept], [y for _, y in kept]


@tf_export("keras.preprocessing.sequence.TimeseriesGenerator")
class TimeseriesGenerator(Sequence):
    """Batches of windows on a series, each with the target that follows it.

    Args:
      data: the series: a list or array, whose first axis is time.
      targets: the target of each time.
      length: how many times a window spans.
      sampling_rate: each how many times are in a window.
      stride: how many times lie between a window and the next.
      start_index, end_index: what part of the series is used.
      shuffle: whether windows are drawn at random.
      reverse: whether windows go back in time.
      batch_size: how many windows are in a batch.

    Raises:
      ValueError: as many targets as times there are not, or nothing is left of the series.
    """

    def __init__(
        self, data: Any, targets: Any, length: int, sampling_rate: int = 1, stride: int = 1,
        start_index: int = 0, end_index: Any = None, shuffle: bool = False, reverse: bool = False,
        batch_size: int = 128,
    ):  # fmt: skip
        if len(data) != len(targets):
            raise ValueError(
                f"Data and targets have to be of same length. Data length is {len(data)} while "
                f"target length is {len(targets)}"
            )
        self.data = data
        self.targets = targets
        self.length = length
        self.sampling_rate = sampling_rate
        self.stride = stride
        self.start_index = start_index + length
        self.end_index = len(data) - 1 if end_index is None else end_index
        self.shuffle = shuffle
        self.reverse = reverse
        self.batch_size = batch_size
        if self.start_index > self.end_index:
            raise ValueError(
                f"`start_index+length={self.start_index} > end_index={self.end_index}` is "
                "disallowed, as no part of the sequence would be left to be used as current step."
            )

    def __len__(self) -> int:
        span = self.batch_size * self.stride
        return (self.end_index - self.start_index + span) // span

    def __getitem__(self, index: int) -> tuple[np.ndarray, np.ndarray]:
        if self.shuffle:
            rows = np.random.randint(self.start_index, self.end_index + 1, size=self.batch_size)
        else:
            first = self.start_index + self.batch_size * self.stride * index
            end = min(first + self.batch_size * self.stride, self.end_index + 1)
            rows = np.arange(first, end, self.stride)
        samples = np.array(
            [self.data[row - self.length : row : self.sampling_rate] for row in rows]
        )
        targets = np.array([self.targets[row] for row in rows])
        return (samples[:, ::-1, ...] if self.reverse else samples), targets

    def get_config(self) -> dict[str, Any]:
        """The arguments, data and targets as JSON."""

        def as_json(name: str, value: Any) -> str:
            try:
                return json.dumps(value.tolist() if isinstance(value, np.ndarray) else value)
            except TypeError:
                raise TypeError(f"{name} not JSON Serializable:", value) from None

        return {
            "data": as_json("Data", self.data),
            "targets": as_json("Targets", self.targets),
            "length": self.length,
            "sampling_rate": self.sampling_rate,
            "stride": self.stride,
            "start_index": self.start_index,
            "end_index": self.end_index,
            "shuffle": self.shuffle,
            "reverse": self.reverse,
            "batch_size": self.batch_size,
        }

    def to_json(self, **kwargs: Any) -> str:
        """The config as JSON; `**kwargs` as in `json.dumps`."""
        described = {"class_name": type(self).__name__, "config": self.get_config()}
        return json.dumps(described, **kwargs)
