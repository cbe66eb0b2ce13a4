"""`tf.data.experimental.rejection_resample`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.data.experimental.ops import interleave_ops, transformations
from tf1compat.api.data.ops import dataset_ops
from tf1compat.api.io import logging_ops
from tf1compat.api.math import math_ops
from tf1compat.api.random import random_ops
from tf1compat.core import dtypes, ops, tensor_util
from tf1compat.core.export import tf_export
from tf1compat.core.typing import TensorLike


@tf_export("data.experimental.rejection_resample")
def rejection_resample(
    class_func: Callable[..., Any],
    target_dist: Any,
    initial_dist: Any = None,
    seed: TensorLike | None = None,
) -> Callable[[Any], Any]:
    """A transformation that leaves elements out until classes are distributed as wanted.

    Args:
      class_func: gives the class of an element, an int32 scalar.
      target_dist: how classes are to be distributed, a vector of floats.
      initial_dist: how they are; estimated by default.
      seed: the seed of the choice.

    Returns:
      A transformation to a dataset of (class, element).
    """

    def transform(dataset: Any) -> Any:
        target = ops.convert_to_tensor(target_dist, name="target_dist")
        classes = dataset.map(class_func)
        static = None
        if initial_dist is not None:
            initial = ops.convert_to_tensor(initial_dist, name="initial_dist")
            acceptance, original = _acceptance(initial, target)
            from_tensors = dataset_ops.Dataset.from_tensors
            initial_ds = from_tensors(initial).repeat()
            acceptance_ds = from_tensors(acceptance).repeat()
            original_ds = from_tensors(original).repeat()
        else:
            initial = None
            initial_ds = _estimated(target, classes)
            both = initial_ds.map(lambda initial: _acceptance(initial, target))
            acceptance_ds = both.map(lambda accept_prob, _: accept_prob)
            original_ds = both.map(lambda _, prob_original: prob_original)
        filtered = _filtered(dataset, acceptance_ds, initial_ds, classes, seed).prefetch(3)
        if initial is not None:
            static = _least_ratio(initial, target)
        if static == 1:
            return dataset_ops.Dataset.zip((classes, dataset))
        if static == 0:
            return filtered
        return interleave_ops.sample_from_datasets(
            [dataset_ops.Dataset.zip((classes, dataset)), filtered],
            weights=original_ds.map(lambda prob: [(prob, 1.0 - prob)]),
            seed=seed,
        )

    return transform


def _least_ratio(initial: Any, target: Any) -> Any:
    """The part of elements that are taken as they are, if it is known."""
    known = tensor_util.constant_value(initial), tensor_util.constant_value(target)
    if known[0] is None or known[1] is None:
        return None
    return np.min(known[1] / known[0])


def _filtered(dataset: Any, acceptance_ds: Any, initial_ds: Any, classes: Any, seed: Any) -> Any:
    def maybe_warn_on_large_rejection(accept_dist: Any, initial_dist: Any) -> Any:
        rejected = math_ops.reduce_sum((1 - accept_dist) * initial_dist)
        return control_flow_ops.cond(
            math_ops.less(rejected, 0.5),
            lambda: accept_dist,
            lambda: logging_ops.Print(
                accept_dist,
                [rejected, initial_dist, accept_dist],
                message="Proportion of examples rejected by sampler is high: ",
                summarize=100,
                first_n=10,
            ),
        )

    zipped = dataset_ops.Dataset.zip((acceptance_ds, initial_ds))
    acceptance_ds = zipped.map(maybe_warn_on_large_rejection)

    def _gather_and_copy(class_val: Any, acceptance_prob: Any, data: Any) -> Any:
        return class_val, array_ops.gather(acceptance_prob, class_val), data

    zipped = dataset_ops.Dataset.zip((classes, acceptance_ds, dataset))
    chosen = zipped.map(_gather_and_copy).filter(
        lambda _1, p, _2: random_ops.random_uniform([], seed=seed) < p
    )
    return chosen.map(lambda class_value, _, data: (class_value, data))


def _estimated(target: Any, classes: Any, batch_size: int = 32, smoothing: int = 10) -> Any:
    """A dataset of how classes are distributed, as far as has been seen."""
    count = target.shape[0] or array_ops.shape(target)[0]
    seen = array_ops.fill([count], np.int64(smoothing))

    def update_estimate_and_tile(num_examples_per_class_seen: Any, c: Any) -> Any:
        updated, dist = _distribution(c, num_examples_per_class_seen)
        tiled = array_ops.tile(array_ops.expand_dims(dist, 0), [batch_size, 1])
        return updated, tiled

    scanned = classes.batch(batch_size).apply(transformations.scan(seen, update_estimate_and_tile))
    return scanned.apply(transformations.unbatch())


def _distribution(c: Any, seen: Any) -> tuple[Any, Any]:
    count = seen.get_shape()[0]
    seen = math_ops.add(
        seen, math_ops.reduce_sum(array_ops.one_hot(c, count, dtype=dtypes.int64), 0)
    )
    estimate = math_ops.truediv(seen, math_ops.reduce_sum(seen))
    return seen, math_ops.cast(estimate, dtypes.float32)


def _acceptance(initial: Any, target: Any) -> tuple[Any, Any]:
    """How probable it is to accept an element of each class, and to take one as it is."""
    tiny = np.finfo(initial.dtype.as_numpy_dtype).tiny
    ratio = target / (initial + tiny)
    most = math_ops.reduce_max(ratio)
    least = math_ops.reduce_min(ratio)
    return (ratio - least) / (most - least), least
