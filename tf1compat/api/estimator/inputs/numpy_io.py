"""Arrays as input (`tensorflow_estimator.python.estimator.inputs.numpy_io`)."""

from __future__ import annotations

import collections
from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.api.estimator.inputs.queues import feeding_functions
from tf1compat.core.export import tf_export

_DIRECT = "__direct_np_input__"


def check_shuffle(shuffle: Any) -> None:
    """Raises ValueError if nobody said whether to shuffle."""
    if not isinstance(shuffle, bool):
        raise ValueError(
            "shuffle must be provided and explicitly set as boolean (it is recommended to set it "
            f"as True for training); got {shuffle}"
        )


def _get_unique_target_key(features: Any) -> str:
    key = "__target_key__"
    while key in features:
        key += "_n"
    return key


def _validate_and_convert_features(x: Any) -> collections.OrderedDict[str, Any]:
    if isinstance(x, dict):
        if not x:
            raise ValueError("x cannot be an empty dict")
        return collections.OrderedDict(sorted(x.items()))
    if isinstance(x, np.ndarray):
        if x.size == 0:
            raise ValueError("x cannot be an empty array")
        return collections.OrderedDict([(_DIRECT, x)])
    raise TypeError(f"x must be a dict or array; got {type(x).__name__}")


@tf_export("estimator.inputs.numpy_input_fn")
def numpy_input_fn(
    x: Any, y: Any = None, batch_size: int = 128, num_epochs: int | None = 1, shuffle: Any = None,
    queue_capacity: int = 1000, num_threads: int = 1,
) -> Callable[[], Any]:  # fmt: skip
    """An input function of arrays.

    Args:
      x: the features, an array or {name: an array}, a row an example.
      y: the labels, in the same form; None if there are none.
      batch_size: how many examples a batch has.
      num_epochs: how often the arrays are gone through; None for no end.
      shuffle: whether a queue shuffles the examples.
      queue_capacity: the size of the queue.
      num_threads: how many threads fill it.

    Returns:
      A function without arguments that records a queue and gives features, or features and labels.

    Raises:
      ValueError: `shuffle` is no bool; the arrays differ in length, or are none (when it is
        called).
      TypeError: `x` is something else (when it is called).
    """
    check_shuffle(shuffle)

    def input_fn() -> Any:
        data = _validate_and_convert_features(x)
        keys = list(data)
        target_keys: Any = None
        if isinstance(y, dict):
            if not y:
                raise ValueError("y cannot be empty dict, use None instead.")
            target_keys = sorted(y)
            twice = set(keys).intersection(target_keys)
            if twice:
                raise ValueError(f"{len(twice)} duplicate keys are found in both x and y: {twice}")
            data.update((key, y[key]) for key in target_keys)
        elif y is not None:
            target_keys = _get_unique_target_key(data)
            data[target_keys] = y
        if len({column.shape[0] for column in data.values()}) != 1:
            shapes = {key: column.shape for key, column in data.items()}
            of_y: Any = None
            if isinstance(target_keys, list):
                of_y = {key: shapes[key] for key in target_keys}
            elif target_keys is not None:
                of_y = shapes[target_keys]
            raise ValueError(
                "Length of tensors in x and y is mismatched. All elements in x and y must have the "
                f"same length.\nShapes in x: { {key: shapes[key] for key in keys} }\n"
                f"Shapes in y: {of_y}\n"
            )
        queue = feeding_functions._enqueue_data(
            data, queue_capacity, shuffle=shuffle, num_threads=num_threads,
            enqueue_size=batch_size, num_epochs=num_epochs,
        )  # fmt: skip
        dequeue = queue.dequeue_many if num_epochs is None else queue.dequeue_up_to
        batch = dict(zip(data, dequeue(batch_size)[1:], strict=True))
        features = batch[_DIRECT] if isinstance(x, np.ndarray) else {k: batch[k] for k in keys}
        if target_keys is None:
            return features
        if isinstance(target_keys, str):
            return features, batch[target_keys]
        return features, {key: batch[key] for key in target_keys}

    return input_fn
