"""Beam search for sequences of labels, as TF 1.15's decoder of connectionist temporal
classification does it (Graves, 2012)."""

from __future__ import annotations

import heapq
import itertools
import math
from typing import Any

import numpy as np

_ZERO = -math.inf  # log(0)


def _log_sum(a: float, b: float) -> float:
    if a == _ZERO or b == _ZERO:
        return max(a, b)
    return max(a, b) + math.log1p(math.exp(-abs(a - b)))


class _Prefix:
    """A sequence of labels in the beam: log probabilities that it ends in a blank or its label.

    Attributes:
      blank, label, total: at this step.
      old_blank, old_total: at the step before.
    """

    __slots__ = (
        "blank",
        "children",
        "label",
        "old_blank",
        "old_total",
        "parent",
        "symbol",
        "total",
    )

    def __init__(self, parent: _Prefix | None, symbol: int):
        self.parent, self.symbol = parent, symbol
        self.children: dict[int, _Prefix] = {}
        self.leave()
        self.old_blank = self.old_total = _ZERO

    def leave(self) -> None:
        """Takes the prefix out of the beam."""
        self.blank = self.label = self.total = _ZERO

    def labels(self) -> list[int]:
        found: list[int] = []
        prefix: _Prefix | None = self
        while prefix is not None and prefix.parent is not None:
            found.append(prefix.symbol)
            prefix = prefix.parent
        return found[::-1]


class _Beam:
    """The best prefixes of a step, the worst of them at hand."""

    def __init__(self, width: int):
        self._width = width
        self._heap: list[tuple[float, int, _Prefix]] = []
        self._numbers = itertools.count(0, -1)

    def accepts(self, total: float) -> bool:
        full = len(self._heap) == self._width
        return total > _ZERO and (not full or total > self._heap[0][0])

    def push(self, prefix: _Prefix) -> None:
        item = (prefix.total, next(self._numbers), prefix)
        if len(self._heap) < self._width:
            heapq.heappush(self._heap, item)
        elif item[0] > self._heap[0][0]:
            heapq.heapreplace(self._heap, item)[2].leave()

    @property
    def worst(self) -> float:
        """What a newcomer must surpass."""
        return self._heap[0][0] if len(self._heap) == self._width else _ZERO

    def sorted(self) -> list[_Prefix]:
        """The prefixes, the best first."""
        return [prefix for _, _, prefix in sorted(self._heap, key=lambda item: item[:2])[::-1]]


def search(logits: Any, width: int) -> list[tuple[float, list[int]]]:
    """The best sequences of labels for logits [T, C], whose last class is the blank.

    Args:
      logits: an array.
      width: how many prefixes each step keeps.

    Returns:
      (log probability, labels), the best first.
    """
    logits = np.asarray(logits, np.float64)
    highest = logits.max(axis=1, keepdims=True, initial=-math.inf)
    norm = highest + np.log(np.exp(logits - highest).sum(axis=1, keepdims=True))
    root = _Prefix(None, -1)
    root.blank = root.total = 0.0
    beam = _Beam(width)
    beam.push(root)
    for scores in logits - norm:
        beam = _step(beam, scores, width)
    return [(prefix.total, prefix.labels()) for prefix in beam.sorted()]


def _step(beam: _Beam, scores: np.ndarray, width: int) -> _Beam:
    prefixes = beam.sorted()
    following = _Beam(width)
    values, blank = scores[:-1].tolist(), float(scores[-1])
    for prefix in prefixes:
        prefix.old_blank, prefix.old_total = prefix.blank, prefix.total
    for prefix in prefixes:
        parent = prefix.parent
        if parent is not None:
            if parent.total != _ZERO:
                same = prefix.symbol == parent.symbol
                before = parent.old_blank if same else parent.old_total
                prefix.label = _log_sum(prefix.label, before)
            prefix.label += values[prefix.symbol]
        prefix.blank = prefix.old_total + blank
        prefix.total = _log_sum(prefix.blank, prefix.label)
        following.push(prefix)
    for prefix in prefixes:
        if following.accepts(prefix.old_total):
            _grow(prefix, scores, following)
    return following


def _grow(prefix: _Prefix, scores: np.ndarray, following: _Beam) -> None:
    """Adds those sequences of one label more that are good enough."""
    totals = scores[:-1] + prefix.old_total
    if prefix.symbol >= 0:
        totals[prefix.symbol] = scores[prefix.symbol] + prefix.old_blank
    for symbol in np.flatnonzero(totals > following.worst).tolist():
        child = prefix.children.get(symbol)
        if child is None:
            child = prefix.children[symbol] = _Prefix(prefix, symbol)
        if child.total != _ZERO or not following.accepts(totals[symbol]):
            continue
        child.blank = _ZERO
        child.label = child.total = float(totals[symbol])
        following.push(child)
