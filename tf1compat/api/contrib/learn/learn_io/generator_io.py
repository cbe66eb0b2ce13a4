"""`tensorflow.contrib.learn.python.learn.learn_io.generator_io`: inputs from generators."""

from __future__ import annotations

import types
from collections.abc import Callable, Container, Iterator
from typing import Any

from tf1compat.api.estimator.inputs.queues import feeding_functions


def generator_input_fn(
    x: Callable[[], Iterator[dict[str, Any]]],
    target_key: Any = None,
    batch_size: int = 128,
    num_epochs: int | None = 1,
    shuffle: bool = True,
    queue_capacity: int = 1000,
    num_threads: int = 1,
    pad_value: Any = None,
) -> Callable[[], Any]:
    """An `input_fn` of samples that a generator yields (as in TF 1.15).

    Args:
      x: a generator function; each dict of arrays that it yields is one sample.
      target_key: the key of the labels, or several.
      batch_size: the size of batches.
      num_epochs: how often the generator is gone through; None for without end.
      shuffle: whether the samples are shuffled.
      queue_capacity: how many samples the queue holds.
      num_threads: how many threads fill it.
      pad_value: what shorter samples are filled up with.

    Returns:
      A function that gives a dict of features, and the labels, if any: a dict of several.

    Raises:
      TypeError: `x` is no generator function or yields no dicts, or `target_key` is no string or
        container of strings.
      KeyError: there is no such key.
    """
    if not isinstance(x, types.FunctionType):
        raise TypeError(f"x must be generator function; got {type(x).__name__}")
    generator = x()
    if not isinstance(generator, types.GeneratorType):
        raise TypeError(f"x() must be generator; got {type(generator).__name__}")
    first = next(generator)
    if not isinstance(first, dict):
        raise TypeError(f"x() must yield dict; got {type(first).__name__}")
    keys = sorted(next(x()))
    if isinstance(target_key, str):
        target_key = [target_key]
    elif target_key is not None:
        _check_targets(target_key, keys)

    def input_fn() -> Any:
        queue = feeding_functions._enqueue_data(
            x,
            queue_capacity,
            shuffle=shuffle,
            num_threads=num_threads,
            enqueue_size=batch_size,
            num_epochs=num_epochs,
            pad_value=pad_value,
        )
        dequeue = queue.dequeue_many if num_epochs is None else queue.dequeue_up_to
        values = dequeue(batch_size)
        if not isinstance(values, list):
            values = [values]
        features = dict(zip(keys, values, strict=False))
        if target_key is None:
            return features
        targets = {key: features.pop(key) for key in target_key}
        return features, targets if len(targets) > 1 else targets[target_key[0]]

    return input_fn


def _check_targets(target_key: Any, keys: list[str]) -> None:
    message = "target_key must be str or Container of str; got "
    if not isinstance(target_key, Container):
        raise TypeError(f"{message}{type(target_key).__name__}")
    for item in target_key:  # pyright: ignore[reportGeneralTypeIssues]
        if not isinstance(item, str):
            raise TypeError(f"{message}{type(item).__name__}")
        if item not in keys:
            raise KeyError(f"target_key not in yielded dict. Expected {keys} keys; got {item}")
