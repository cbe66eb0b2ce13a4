"""Batches of examples that are taken with a probability
(`tensorflow.contrib.training.python.training.sampling_ops`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops, gather_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.io import logging_ops
from tf1compat.api.math import math_ops
from tf1compat.api.random import random_ops
from tf1compat.api.training import input as input_ops
from tf1compat.api.variables import variable_scope
from tf1compat.core import dtypes, ops, tensor_shape
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name

__all__ = ["rejection_sample", "stratified_sample"]


@tf_export("contrib.training.rejection_sample")
def rejection_sample(
    tensors: Any, accept_prob_fn: Callable[[Any], Any], batch_size: Any, queue_threads: Any = 1,
    enqueue_many: bool = False, prebatch_capacity: Any = 16, prebatch_threads: Any = 1,
    runtime_checks: bool = False, name: Name = None,
) -> list[Any]:  # fmt: skip
    """Batches of examples, each taken with the probability that a function gives it.

    Args:
      tensors: an example, or a batch of them.
      accept_prob_fn: the tensors of an example -> a float scalar, the probability.
      batch_size: an int.
      queue_threads: how many threads put examples into the batches.
      enqueue_many: whether `tensors` are a batch.
      prebatch_capacity, prebatch_threads: of the queue that takes such batches apart.
      runtime_checks: whether a run fails where the probability is none.
      name: the variable scope.

    Returns:
      The tensors of a batch.
    """
    with variable_scope.variable_scope(name, "rejection_sample", tensors):
        tensor_list = ops.convert_n_to_tensor_or_indexed_slices(tensors)
        if enqueue_many:
            _verify_data_inputs(tensor_list)
            batched = input_ops.batch(
                tensor_list, batch_size=1, num_threads=prebatch_threads,
                capacity=prebatch_capacity, enqueue_many=True,
            )  # fmt: skip
            tensor_list = [array_ops.squeeze(x, [0]) for x in batched]
        cur_prob = accept_prob_fn(tensor_list)
        if runtime_checks:
            checks = [
                check_ops.assert_less_equal(0.0, cur_prob),
                check_ops.assert_less_equal(cur_prob, 1.0),
            ]
            cur_prob = array_ops.identity(
                control_flow_ops.with_dependencies(checks, cur_prob), name="prob_with_checks"
            )
        minibatch = input_ops.maybe_batch(
            tensor_list, keep_input=random_ops.random_uniform([]) < cur_prob,
            batch_size=batch_size, num_threads=queue_threads,
        )  # fmt: skip
        return [minibatch] if isinstance(minibatch, Tensor) else minibatch


@tf_export("contrib.training.stratified_sample")
def stratified_sample(
    tensors: Any, labels: Any, target_probs: Any, batch_size: Any, init_probs: Any = None,
    enqueue_many: bool = False, queue_capacity: int = 16, threads_per_queue: Any = 1,
    name: Name = None,
) -> tuple[Any, Tensor]:  # fmt: skip
    """Batches in which classes are as frequent as wanted.

    Args:
      tensors: an example, or a batch of them.
      labels: the class, an int, or those of a batch.
      target_probs: how frequent each class shall be [classes].
      batch_size: an int.
      init_probs: how frequent each class is [classes]; estimated on the way if None.
      enqueue_many: whether `tensors` and `labels` are a batch.
      queue_capacity: of the queue that takes such batches apart.
      threads_per_queue: how many threads fill each queue.
      name: the name scope.

    Returns:
      (the tensors of a batch, its labels).

    Raises:
      ValueError: shapes are unknown or don't fit together, or probabilities are none.
    """
    with ops.name_scope(name, "stratified_sample", [*tensors, labels]):
        tensor_list = ops.convert_n_to_tensor_or_indexed_slices(tensors)
        labels = ops.convert_to_tensor(labels)
        target_probs = ops.convert_to_tensor(target_probs, dtype=dtypes.float32)
        if not enqueue_many:
            *tensor_list, labels = (array_ops.expand_dims(x, 0) for x in (*tensor_list, labels))
        if init_probs is None:
            shape = target_probs.get_shape()
            shape.assert_is_fully_defined()
            init_probs = _estimate_data_distribution(labels, shape.num_elements())
        else:
            init_probs = ops.convert_to_tensor(init_probs, dtype=dtypes.float32)
        tensor_list, labels, [init_probs, target_probs] = _verify_input(
            tensor_list, labels, [init_probs, target_probs]
        )
        possible = math_ops.logical_or(
            math_ops.not_equal(init_probs, 0), math_ops.equal(target_probs, 0)
        )
        assert_op = control_flow_ops.Assert(
            math_ops.reduce_all(possible),
            [
                "All classes with zero initial probability must also have zero target "
                "probability: ",
                init_probs,
                target_probs,
            ],
        )
        init_probs = control_flow_ops.with_dependencies([assert_op], init_probs)
        accept_probs = _calculate_acceptance_probabilities(init_probs, target_probs)
        rejected = math_ops.reduce_sum((1 - accept_probs) * init_probs)

        def warn() -> Tensor:
            return logging_ops.Print(
                accept_probs, [accept_probs],
                message="Proportion of examples rejected by sampler is high.", first_n=10,
            )  # fmt: skip

        accept_probs = control_flow_ops.cond(
            math_ops.less(rejected, 0.5), lambda given=accept_probs: given, warn
        )
        *examples, label = input_ops.batch(
            [*tensor_list, labels], batch_size=1, num_threads=threads_per_queue,
            capacity=queue_capacity, enqueue_many=True,
        )  # fmt: skip
        examples = [array_ops.squeeze(x, [0]) for x in examples]
        label = array_ops.squeeze(label, [0])
        cur_prob = gather_ops.gather(accept_probs, label)
        batched = input_ops.maybe_batch(
            [*examples, label], keep_input=random_ops.random_uniform([]) < cur_prob,
            batch_size=batch_size, num_threads=threads_per_queue,
        )  # fmt: skip
        return batched[:-1], batched[-1]


def _estimate_data_distribution(
    labels: Any, num_classes: int, smoothing_constant: Any = 10
) -> Tensor:
    """How frequent each class has been so far.

    Args:
      labels: ints [batch].
      num_classes: the number of classes.
      smoothing_constant: how often each class counts as seen at the beginning.

    Returns:
      Floats [num_classes].
    """
    if smoothing_constant <= 0:
        raise ValueError("smoothing_constant must be nonzero.")
    seen = variable_scope.variable(
        initial_value=[smoothing_constant] * num_classes, trainable=False, name="class_count",
        dtype=dtypes.int64,
    )  # fmt: skip
    found = array_ops.one_hot(labels, num_classes, dtype=dtypes.int64)
    seen = seen.assign_add(math_ops.reduce_sum(found, 0))
    # A copy: what is read later must not be what the variable holds then.
    seen += 0
    estimate = math_ops.truediv(seen, math_ops.reduce_sum(seen))
    return math_ops.cast(estimate, dtypes.float32)


def _verify_data_inputs(tensor_list: list[Any]) -> None:
    """Refuses tensors whose batches are of different sizes."""
    for tensor in tensor_list:
        shape = tensor.get_shape().with_rank_at_least(1)
        size = tensor_shape.dimension_at_index(shape, 0)
        size.assert_is_compatible_with(tensor_list[0].get_shape()[0])


def _checked_probs(probs: Any) -> Tensor:
    """Probabilities, checked to be none below 0 and to have the sum 1 when they are used."""
    probs.get_shape().assert_is_fully_defined()
    probs.get_shape().assert_has_rank(1)
    tolerance = 1e-6
    total = math_ops.reduce_sum(probs)
    checks = [
        check_ops.assert_non_negative(probs),
        check_ops.assert_less(total, 1.0 + tolerance),
        check_ops.assert_less(1.0 - tolerance, total),
    ]
    return control_flow_ops.with_dependencies(checks, probs)


def _verify_input(tensor_list: list[Any], labels: Any, probs_list: list[Any]) -> Any:
    """The arguments with checks, some of which are for the run."""
    checked = [_checked_probs(probs) for probs in probs_list]
    length = checked[0].get_shape().num_elements()
    for probs in checked:
        if probs.get_shape().num_elements() != length:
            raise ValueError("Probability parameters must have the same length.")
    labels.get_shape().assert_has_rank(1)
    known_size = labels.get_shape()[0]
    for tensor in tensor_list:
        shape = tensor.get_shape().with_rank_at_least(1)
        tensor_shape.dimension_at_index(shape, 0).assert_is_compatible_with(known_size)
    batch_size = array_ops.shape(labels)[0]
    not_empty = check_ops.assert_positive(batch_size)
    labels = control_flow_ops.with_dependencies([not_empty], labels)

    def of_batch_size(x: Any) -> Tensor:
        same = check_ops.assert_equal(array_ops.shape(x)[0], batch_size)
        return control_flow_ops.with_dependencies([not_empty, same], x)

    tensor_list = [of_batch_size(x) for x in tensor_list]
    checks = [
        check_ops.assert_integer(labels),
        check_ops.assert_non_negative(labels),
        check_ops.assert_less(labels, math_ops.cast(length, labels.dtype)),
    ]
    labels = control_flow_ops.with_dependencies(checks, labels)
    return tensor_list, labels, checked


def _calculate_acceptance_probabilities(init_probs: Any, target_probs: Any) -> Tensor:
    """The largest ones whose products with `init_probs` are in proportion to `target_probs`."""
    ratio = target_probs / init_probs
    # 0 / 0: the class is never seen, and needn't be.
    ratio = array_ops.where_v2(math_ops.is_nan(ratio), array_ops.zeros_like(ratio), ratio)
    return ratio / math_ops.reduce_max(ratio)
