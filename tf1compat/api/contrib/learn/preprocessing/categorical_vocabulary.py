"""`tensorflow.contrib.learn.python.learn.preprocessing.categorical_vocabulary`."""

from __future__ import annotations

import collections
from typing import Any

from tf1compat.api.util.deprecation import deprecated

INSTRUCTIONS = "Please use tensorflow/transform or tf.data."


class CategoricalVocabulary:
    """Numbers for categories, in the order in which they are met; 0 is what is unknown.

    Args:
      unknown_token: the name of 0.
      support_reverse: whether numbers can be turned into categories again.
    """

    # The attributes are TF's: vocabularies are pickled.
    @deprecated(None, INSTRUCTIONS)
    def __init__(self, unknown_token: str = "<UNK>", support_reverse: bool = True):
        self._unknown_token = unknown_token
        self._support_reverse = support_reverse
        self._freq: Any = collections.defaultdict(int)
        self._freeze = False
        self._clear()

    def _clear(self) -> None:
        self._mapping: dict[Any, int] = {self._unknown_token: 0}
        if self._support_reverse:
            self._reverse_mapping: list[Any] = [self._unknown_token]

    def _append(self, category: Any) -> int:
        number = self._mapping[category] = len(self._mapping)
        if self._support_reverse:
            self._reverse_mapping.append(category)
        return number

    def __len__(self) -> int:
        return len(self._mapping)

    def freeze(self, freeze: bool = True) -> None:
        """Says whether new categories are unknown from now on."""
        self._freeze = freeze

    def get(self, category: Any) -> int:
        """A category's number, a new one if it was not met before."""
        if category in self._mapping:
            return self._mapping[category]
        return 0 if self._freeze else self._append(category)

    def add(self, category: Any, count: int = 1) -> None:
        """Counts a category."""
        if self.get(category) > 0:
            self._freq[category] += count

    def trim(self, min_frequency: int, max_frequency: int = -1) -> None:
        """Keeps the categories met more than `min_frequency` and less than `max_frequency` times.

        The most frequent ones come first then; those as frequent in alphabetical order.
        """
        found = sorted(self._freq.items(), key=lambda x: (isinstance(x[0], str), x[0]))
        found.sort(key=lambda x: x[1], reverse=True)
        self._clear()
        for category, count in found:
            if count > min_frequency and not 0 < max_frequency <= count:
                self._append(category)
        # As in TF: too frequent ones take the place of the last ones here.
        self._freq = dict(found[: len(self) - 1])

    def reverse(self, class_id: int) -> Any:
        """The category of a number.

        Raises:
          ValueError: they are not kept.
        """
        if not self._support_reverse:
            raise ValueError(
                "This vocabulary wasn't initialized with support_reverse to support reverse() "
                "function."
            )
        return self._reverse_mapping[class_id]
