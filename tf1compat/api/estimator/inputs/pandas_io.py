"""Tables as input (`tensorflow_estimator.python.estimator.inputs.pandas_io`)."""

from __future__ import annotations

import importlib.util
import uuid
from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.api.estimator.inputs.numpy_io import check_shuffle
from tf1compat.api.estimator.inputs.queues import feeding_functions
from tf1compat.core.export import tf_export

HAS_PANDAS = importlib.util.find_spec("pandas") is not None


def _get_unique_target_key(features: Any, target_column_name: str) -> str:
    if target_column_name not in features:
        return target_column_name
    return f"{target_column_name}_{uuid.uuid4()}"


@tf_export("estimator.inputs.pandas_input_fn")
def pandas_input_fn(
    x: Any, y: Any = None, batch_size: int = 128, num_epochs: int | None = 1, shuffle: Any = None,
    queue_capacity: int = 1000, num_threads: int = 1, target_column: Any = "target",
) -> Callable[[], Any]:  # fmt: skip
    """An input function of a table.

    Args:
      x: the features, a pandas.DataFrame.
      y: the labels, a pandas.Series or DataFrame with the same index; None if there are none.
      batch_size: how many examples a batch has.
      num_epochs: how often the table is gone through; None for no end.
      shuffle: whether a queue shuffles the examples.
      queue_capacity: the size of the queue; None for one that fits the table.
      num_threads: how many threads fill it.
      target_column: the labels' name in the table; no feature may have it.

    Returns:
      A function without arguments that records a queue and gives {column: a tensor}, or that and
      the labels.

    Raises:
      ValueError: `shuffle` is no bool, the indices differ, or a column has the labels' name.
      TypeError: pandas is not installed, or `target_column` is no string.
    """
    if not HAS_PANDAS:
        raise TypeError("pandas_input_fn should not be called without pandas installed")
    check_shuffle(shuffle)
    if not isinstance(target_column, str):
        raise TypeError("target_column must be a string type")
    table = x.copy()
    targets: dict[str, str] | None = None  # A label's name: its column in the table.
    if y is not None:
        if target_column in table:
            raise ValueError(
                f"Cannot use name {target_column} for target column: DataFrame already has a "
                f"column with that name: {table.columns}"
            )
        if not np.array_equal(table.index, y.index):
            raise ValueError(
                "Index for x and y are mismatched.\n"
                f"Index for x: {table.index}\nIndex for y: {y.index}\n"
            )
        if feeding_functions.is_data_frame(y):
            targets = {column: _get_unique_target_key(table, column) for column in y}
            table[list(targets.values())] = y
        else:
            table[target_column] = y
    if queue_capacity is None:
        queue_capacity = len(table) * (4 if shuffle else 1)

    def input_fn() -> Any:
        queue = feeding_functions._enqueue_data(
            table, queue_capacity, shuffle=shuffle, min_after_dequeue=max(queue_capacity / 4, 1),
            num_threads=num_threads, enqueue_size=batch_size, num_epochs=num_epochs,
        )  # fmt: skip
        dequeue = queue.dequeue_many if num_epochs is None else queue.dequeue_up_to
        features = dict(zip(table.columns, dequeue(batch_size)[1:], strict=True))
        if y is None:
            return features
        if targets is None:
            return features, features.pop(target_column)
        labels = {name: features.pop(column) for name, column in targets.items()}
        return features, labels

    return input_fn
