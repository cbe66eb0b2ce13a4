"""Adding up the gradients that reach one tensor from its several uses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tf1compat.api.array import indexed_slices
from tf1compat.api.math import math_ops
from tf1compat.core import ops, shapes
from tf1compat.core.export import tf_export


@tf_export("AggregationMethod")
class AggregationMethod:
    """How `tf.gradients` adds the gradients that reach a tensor from several uses.

    `ADD_N` (the default): one AddN. `EXPERIMENTAL_TREE`: a chain of AddN of two.
    `EXPERIMENTAL_ACCUMULATE_N`: AccumulateNV2 where more than two gradients have a known shape,
    else as `EXPERIMENTAL_TREE`. As `tf.AggregationMethod` in TF 1.15.
    """

    ADD_N = 0
    DEFAULT = ADD_N
    EXPERIMENTAL_TREE = 1
    EXPERIMENTAL_ACCUMULATE_N = 2


def check_method(method: int | None) -> int:
    """The method that `method` stands for.

    Raises:
      ValueError: there is no such method.
    """
    if method is None:
        return AggregationMethod.DEFAULT
    if method not in (
        AggregationMethod.ADD_N,
        AggregationMethod.EXPERIMENTAL_TREE,
        AggregationMethod.EXPERIMENTAL_ACCUMULATE_N,
    ):
        raise ValueError(f"Invalid aggregation_method specified {method}.")
    return method


def check_types(gradients: Sequence[Any]) -> None:
    """Refuses gradients that are no gradients.

    Raises:
      TypeError: one of them is neither a tensor nor an IndexedSlices.
    """
    for gradient in gradients:
        if gradient is not None and not isinstance(gradient, ops.Tensor | ops.IndexedSlices):
            raise TypeError("gradients have to be either all Tensors or all IndexedSlices")


def aggregate(gradients: Sequence[Any], op: ops.Operation, gradient_uid: str, method: int) -> Any:
    """The sum of two or more gradients of one output of `op`.

    Args:
      gradients: tensors and IndexedSlices.
      op: the forward operation.
      gradient_uid: names the call of `tf.gradients`, for colocation inside control flow.
      method: one of `AggregationMethod`.
    """
    if not all(isinstance(g, ops.Tensor) for g in gradients):
        return indexed_slices.aggregate(gradients)
    if method == AggregationMethod.ADD_N:
        return _add_by_device(gradients, gradient_uid)
    if method == AggregationMethod.EXPERIMENTAL_ACCUMULATE_N and len(gradients) > 2:
        if shapes.is_fully_known(shapes.merge_all([g._shape for g in gradients])):
            return math_ops.accumulate_n(gradients)
    with ops.name_scope(op.name + "_gradient_sum"):
        total = gradients[0]
        for gradient in gradients[1:]:
            total = math_ops.add_n([total, gradient])
    return total


def _add_by_device(gradients: Sequence[ops.Tensor], gradient_uid: str) -> ops.Tensor:
    """Adds on each device first, colocated with the first gradient there, then what the devices
    give.
    """
    on_device: dict[str, list[ops.Tensor]] = {}
    for gradient in gradients:
        on_device.setdefault(gradient.device or "", []).append(gradient)
    sums = []
    for _, tensors in sorted(on_device.items()):
        with ops._colocate_with_for_gradient(tensors[0].op, gradient_uid, ignore_existing=True):
            sums.append(math_ops.add_n(tensors))
    return math_ops.add_n(sums)
