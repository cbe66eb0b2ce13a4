"""`tf.contrib.opt.MultitaskOptimizerWrapper`."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.math import clip_ops, math_ops
from tf1compat.api.training.optimizer import Optimizer
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import TensorLike

_STEPS = ("_apply_dense", "_resource_apply_dense", "_apply_sparse", "_resource_apply_sparse")


def _is_all_zeros(grad: TensorLike) -> Tensor:
    return math_ops.equal(math_ops.count_nonzero(grad), 0)


def _get_wrapper(fn: Callable[..., Any], opt: Any) -> Any:
    """A step that is not taken if the gradient is zero."""

    def wrapper(self: Any, grad: TensorLike, *args: Any, **kwargs: Any) -> Any:
        def step() -> Any:
            with ops.control_dependencies([fn(grad, *args, **kwargs)]):
                return control_flow_ops.no_op()

        return control_flow_ops.cond(_is_all_zeros(grad), control_flow_ops.no_op, step)

    return types.MethodType(wrapper, opt)


@tf_export("contrib.opt.MultitaskOptimizerWrapper")
class MultitaskOptimizerWrapper:
    """Makes an optimizer leave variables, and their slots, alone where the gradient is all zeros:
    they belong to a task that the batch has nothing of.

    Args:
      opt: the optimizer; its steps are replaced.

    Raises:
      TypeError: it is no `tf.train.Optimizer`.
    """

    def __init__(self, opt: Any):
        if not isinstance(opt, Optimizer):
            raise TypeError("Supplied optimizer must be an instance of tf.train.Optimizer")
        self._opt = opt
        for name in _STEPS:
            setattr(opt, name, _get_wrapper(getattr(opt, name), opt))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._opt, name)


@tf_export("contrib.opt.clip_gradients_by_global_norm")
def clip_gradients_by_global_norm(gradients_variables: Any, clip_norm: Any = 20.0) -> Any:
    """Clips gradients by their global norm, in which those that are all zeros don't count.

    Args:
      gradients_variables: (gradient, variable) pairs.
      clip_norm: the largest global norm.

    Returns:
      (pairs, global norm).
    """
    gradients, variables = zip(*gradients_variables)

    def scalar_if_zero(grad: Any) -> Any:
        if grad is None:
            return grad
        return control_flow_ops.cond(
            _is_all_zeros(grad),
            lambda: array_ops.zeros([], dtype=dtypes.as_dtype(grad.dtype)),
            lambda: grad,
        )

    norm = clip_ops.global_norm([scalar_if_zero(g) for g in gradients])
    clipped, _ = clip_ops.clip_by_global_norm(gradients, clip_norm, use_norm=norm)
    return list(zip(clipped, variables)), norm
