"""`tf.contrib.opt.GGTOptimizer`."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.array import array_ops, diagonal_ops
from tf1compat.api.contrib.optimizer_v2 import optimizer_v2
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.linalg import linalg_ops
from tf1compat.api.math import math_ops
from tf1compat.api.variables import state_ops
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor_shape import dimension_value
from tf1compat.core.typing import Name, TensorLike


@tf_export("contrib.opt.GGTOptimizer")
class GGTOptimizer(optimizer_v2.OptimizerV2):
    """Full-matrix AdaGrad on a window of gradients (Agarwal et al., 2018,
    https://arxiv.org/abs/1806.02958): all variables are one vector.

    Args:
      learning_rate: the step.
      beta1: the decay of the mean of gradients.
      use_locking: as of any optimizer.
      name: the name scope.
      window: how many means are kept.
      eps: below this least singular value the part outside of the window's span is left out.
      svd_eps: added to the diagonal before the decomposition.
      sigma_eps: added to the singular values.
    """

    def __init__(
        self, learning_rate: TensorLike = 0.001, beta1: TensorLike = 0.9, use_locking: bool = False,
        name: Name = "GGT", window: TensorLike = 10, eps: Any = 1e-4, svd_eps: Any = 1e-6,
        sigma_eps: Any = 1e-2,
    ):  # fmt: skip
        super().__init__(use_locking, name)
        self._set_hyper("lr", learning_rate)
        self._set_hyper("beta1", beta1)
        self._set_hyper("window", window)
        self._set_hyper("eps", eps)
        self._set_hyper("svd_eps", svd_eps)
        self._set_hyper("sigma_eps", sigma_eps)
        # A variable's name -> where its part of the vector begins, and its size.
        self.index_dict: dict[str, int] = {}
        self.shape_dict: dict[str, int] = {}

    def _create_vars(self, var_list: Any, state: Any) -> None:
        sizes: dict[str, Any] = {v.name: dimension_value(np.prod(v.get_shape())) for v in var_list}
        self.shape_dict = dict(sorted(sizes.items()))
        total = 0
        for name, size in self.shape_dict.items():
            self.index_dict[name] = total
            total += size
        dtype = var_list[0].dtype.base_dtype
        state.create_non_slot(math_ops.cast(0.0, dtype=dtype), "global_step")
        window = state.get_hyper("window")
        state.create_non_slot(array_ops.zeros([window, total], dtype=dtype), "grad_buffer")
        state.create_non_slot(array_ops.zeros((total,), dtype=dtype), "moment1")
        state.create_non_slot(array_ops.zeros((total,), dtype=dtype), "flat_grad")

    def _prepare(self, state: Any) -> None:
        self._variables: list[Any] = []

    def _part(self, var: Any) -> tuple[int, int]:
        start = self.index_dict[var.name]
        return start, start + self.shape_dict[var.name]

    def _apply_dense(self, grad: Any, var: Any, state: Any) -> Any:
        self._variables.append(var)
        flat_grad = state.get_non_slot("flat_grad")
        new = array_ops.reshape(grad, [-1])
        return state_ops.scatter_update(flat_grad, math_ops.range(*self._part(var)), new)

    _resource_apply_dense = _apply_dense  # pyright: ignore[reportAssignmentType]

    def _apply_sparse(self, grad: Any, var: Any) -> Any:  # pyright: ignore
        raise NotImplementedError("Sparse gradient updates are not supported.")

    def _finish(self, state: Any) -> Any:
        dtype = self._variables[0].dtype.base_dtype
        one = 1.0
        count = state_ops.assign_add(state.get_non_slot("global_step"), 1.0)
        beta1 = state.get_hyper("beta1", dtype=dtype)
        moment1 = state.get_non_slot("moment1")
        flat_grad = state.get_non_slot("flat_grad")
        moment1_t = moment1.assign(beta1 * moment1 + (one - beta1) * flat_grad)
        window = state.get_hyper("window")
        row = math_ops.floormod(math_ops.cast(count - 1.0, dtypes.int32), window)
        buffer = state_ops.scatter_update(state.get_non_slot("grad_buffer"), row, moment1_t)

        eps = state.get_hyper("eps", dtype=dtype)
        svd_eps = state.get_hyper("svd_eps", dtype=dtype)
        sigma_eps = state.get_hyper("sigma_eps", dtype=dtype)
        rate = state.get_hyper("lr", dtype=dtype)
        rows = math_ops.minimum(
            ops.convert_to_tensor(count),
            ops.convert_to_tensor(math_ops.cast(window, dtype=dtype)),
        )
        denominator = math_ops.sqrt(rows)
        column = array_ops.expand_dims(moment1_t, -1)
        # One column a mean: [size of all variables, window].
        m = array_ops.transpose(math_ops.divide(buffer, denominator))
        sigma, u = _spectrum(m, window, svd_eps)
        root = math_ops.sqrt(sigma)
        least = math_ops.reduce_min(root)
        inverse_cube = math_ops.divide(
            math_ops.cast(1.0, dtype=dtype), math_ops.pow(root + sigma_eps, 3)
        )
        nothing = array_ops.expand_dims(array_ops.zeros(flat_grad.get_shape(), dtype=dtype), -1)
        # (m m^T)^(-1/2) = m (m^T m)^(-3/2) m^T, where the window is small.
        head = _through(m, u, inverse_cube, column)
        inverse = math_ops.divide(math_ops.cast(1.0, dtype=dtype), sigma)
        tail = math_ops.divide(column - _through(m, u, inverse, column), least)
        step = control_flow_ops.cond(
            least > eps,
            lambda: math_ops.add(head, tail),
            lambda: math_ops.add(nothing, head),
        )
        return control_flow_ops.group([self._descend(var, step, rate) for var in self._variables])

    def _descend(self, var: Any, step: Any, rate: TensorLike) -> Any:
        mine = array_ops.reshape(step[slice(*self._part(var))], var.get_shape())
        return state_ops.assign_sub(var, rate * mine)


def _spectrum(m: Any, window: TensorLike, svd_eps: Any) -> tuple[Any, Any]:
    """The eigenvalues of m^T m, and its eigenvectors."""
    gram = math_ops.matmul(m, m, transpose_a=True)
    damping = math_ops.cast(linalg_ops.eye(window), dtype=gram.dtype) * svd_eps
    values, vectors, _ = linalg_ops.svd(gram + damping)
    return values, vectors


def _through(m: Any, u: TensorLike, diagonal: TensorLike, column: Any) -> Any:
    """m u diag u^T m^T column."""
    # Recorded from the outside in, as the arguments of nested calls are.
    scaling = diagonal_ops.diag(diagonal)
    inner = math_ops.matmul(u, math_ops.matmul(m, column, transpose_a=True), transpose_a=True)
    return math_ops.matmul(m, math_ops.matmul(u, math_ops.matmul(scaling, inner)))
