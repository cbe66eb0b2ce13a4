"""A list whose strings are handed out in turn
(`tensorflow.contrib.input_pipeline.python.ops.input_pipeline_ops`)."""

from __future__ import annotations

import random
from typing import Any

from tf1compat.api.array.constant_op import constant
from tf1compat.api.variables.variable_scope import get_variable, variable_scope
from tf1compat.core import dtypes, ops, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import DTypeLike


@tf_export("contrib.input_pipeline.obtain_next")
def obtain_next(string_list_tensor: Any, counter: Any) -> Any:
    """Counts up, and gives the string at that place; after the last comes the first.

    Args:
      string_list_tensor: [n] strings.
      counter: an int64 variable of an earlier kind than resource variables.

    Returns:
      A string scalar.
    """
    return raw_ops.ObtainNext(list=string_list_tensor, counter=counter)


def _expanded(strings: list[str], shuffle: bool, seed: Any, num_epochs: Any) -> list[str]:
    """The strings of all epochs; the list that was given is shuffled with them."""
    if shuffle and seed:
        random.seed(seed)
    found: list[str] = []
    for _ in range(num_epochs or 1):
        if shuffle:
            random.shuffle(strings)
        found += strings
    return found


def seek_next(
    string_list: list[str],
    shuffle: bool = False,
    seed: int | None = None,
    num_epochs: int | None = None,
) -> Any:
    """The next string of a list at each run, whichever worker runs it.

    Args:
      string_list: the list; with `shuffle` it is shuffled in place.
      shuffle: whether each epoch is shuffled.
      seed: of Python's generator.
      num_epochs: how often the list is gone through before OutOfRangeError; for ever by default.

    Returns:
      A string.
    """
    strings = _expanded(string_list, shuffle, seed, num_epochs)

    def kept(name: str, value: Any, dtype: DTypeLike) -> Any:
        initial = constant(value, dtype=dtype)
        return get_variable(name=name, initializer=initial, dtype=dtype, trainable=False)

    with variable_scope("obtain_next"):
        counter = kept("obtain_next_counter", -1, dtypes.int64)
        with ops.colocate_with(counter):
            tensor = kept("obtain_next_expanded_list", strings, dtypes.string)
        if not num_epochs:
            return obtain_next(tensor, counter)
        read = kept("obtain_next_filename_counter", 0, dtypes.int64)
        with ops.control_dependencies([read.count_up_to(len(strings))]):
            return obtain_next(tensor, counter)
