"""Penalties on weights (`tensorflow.contrib.layers.python.layers.regularizers`)."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from tf1compat.api.array import constant_op
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_ops
from tf1compat.api.platform import tf_logging as logging
from tf1compat.core import ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name, TensorLike

__all__ = [
    "apply_regularization",
    "l1_l2_regularizer",
    "l1_regularizer",
    "l2_regularizer",
    "sum_regularizer",
]

Regularizer = Callable[[Any], Any]


def _disabled(scale: Any, end: str) -> Regularizer | None:
    """The regularizer for a scale of 0; None for another one.

    Raises:
      ValueError: the scale is an integer or negative.
    """
    if isinstance(scale, numbers.Integral):
        raise ValueError(f"scale cannot be an integer: {scale}")
    if isinstance(scale, numbers.Real):
        if scale < 0.0:
            raise ValueError(f"Setting a scale less than 0 on a regularizer: {scale:g}{end}")
        if scale == 0.0:
            logging.info("Scale of 0 disables regularizer.")
            return lambda _: None
    return None


@tf_export("contrib.layers.l1_regularizer")
def l1_regularizer(scale: Any, scope: Any = None) -> Regularizer:
    """A function that gives scale * sum |weights|.

    Args:
      scale: a float of 0 or more, or a scalar tensor. 0 gives a function that returns None.
      scope: the name scope.

    Returns:
      A function of a tensor that gives a scalar, or None where `scale` is 0.

    Raises:
      ValueError: the scale is an integer or negative.
    """

    def l1(weights: Any, name: Name = None) -> Tensor:
        with ops.name_scope(scope, "l1_regularizer", [weights]) as name:
            factor = ops.convert_to_tensor(scale, dtype=weights.dtype.base_dtype, name="scale")
            total = math_ops.reduce_sum(math_ops.abs(weights))
            return math_ops.multiply(factor, total, name=name)

    return _disabled(scale, "") or l1


@tf_export("contrib.layers.l2_regularizer")
def l2_regularizer(scale: Any, scope: Any = None) -> Regularizer:
    """A function that gives scale * sum weights^2 / 2.

    Args:
      scale: a float of 0 or more, or a scalar tensor. 0 gives a function that returns None.
      scope: the name scope.

    Returns:
      A function of a tensor that gives a scalar, or None where `scale` is 0.

    Raises:
      ValueError: the scale is an integer or negative.
    """

    def l2(weights: Any) -> Tensor:
        with ops.name_scope(scope, "l2_regularizer", [weights]) as name:
            factor = ops.convert_to_tensor(scale, dtype=weights.dtype.base_dtype, name="scale")
            return math_ops.multiply(factor, nn_ops.l2_loss(weights), name=name)

    return _disabled(scale, ".") or l2


@tf_export("contrib.layers.l1_l2_regularizer")
def l1_l2_regularizer(
    scale_l1: Any = 1.0, scale_l2: Any = 1.0, scope: Any = None
) -> Regularizer | None:
    """The sum of `l1_regularizer` and `l2_regularizer`.

    Args:
      scale_l1, scale_l2: their scales.
      scope: the name scope.

    Returns:
      A function of weights that gives a scalar of their dtype, or None where both scales are 0.

    Raises:
      ValueError: a scale is an integer or negative.
    """
    for name, scale in (("scale_l1", scale_l1), ("scale_l2", scale_l2)):
        if isinstance(scale, numbers.Integral):
            raise ValueError(f"{name} cannot be an integer: {scale}")
    scope = scope or "l1_l2_regularizer"
    if scale_l1 == 0.0:
        return l2_regularizer(scale_l2, scope)
    if scale_l2 == 0.0:
        return l1_regularizer(scale_l1, scope)
    return sum_regularizer([l1_regularizer(scale_l1), l2_regularizer(scale_l2)], scope=scope)


@tf_export("contrib.layers.sum_regularizer")
def sum_regularizer(regularizer_list: Sequence[Any], scope: Any = None) -> Regularizer | None:
    """A function that gives the sum of several regularizers.

    Args:
      regularizer_list: regularizers; those that are None are left out.
      scope: the name scope.

    Returns:
      A regularizer; None if there is none to sum.
    """

    def present(found: Iterable[Any]) -> list[Any]:
        return [one for one in found if one is not None]

    regularizers = present(regularizer_list)

    def sum_reg(weights: TensorLike) -> Tensor | None:
        with ops.name_scope(scope, "sum_regularizer", [weights]) as name:
            penalties = present(regularizer(weights) for regularizer in regularizers)
            return math_ops.add_n(penalties, name=name) if penalties else None

    return sum_reg if regularizers else None


@tf_export("contrib.layers.apply_regularization")
def apply_regularization(regularizer: Regularizer, weights_list: Any = None) -> Tensor:
    """The sum of the penalties on weights; it joins `GraphKeys.REGULARIZATION_LOSSES`.

    Args:
      regularizer: a function of a tensor that gives a scalar or None.
      weights_list: the weights; by default those in `GraphKeys.WEIGHTS`.

    Returns:
      A scalar of the penalties' dtype.

    Raises:
      ValueError: there are no weights, or a penalty is no scalar.
    """
    weights_list = weights_list or ops.get_collection(ops.GraphKeys.WEIGHTS)
    if not weights_list:
        raise ValueError("No weights to regularize.")
    with ops.name_scope("get_regularization_penalty", values=weights_list) as scope:
        penalties = [regularizer(weights) for weights in weights_list]
        penalties = [constant_op.constant(0.0) if p is None else p for p in penalties]
        for penalty in penalties:
            rank = penalty.get_shape().ndims
            if rank != 0:
                raise ValueError(
                    f"regularizer must return a scalar Tensor instead of a Tensor with rank {rank}."
                )
        total = math_ops.add_n(penalties, name=scope)
        ops.add_to_collection(ops.GraphKeys.REGULARIZATION_LOSSES, total)
        return total
