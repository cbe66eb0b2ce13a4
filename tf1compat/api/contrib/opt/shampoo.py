"""`tf.contrib.opt.ShampooOptimizer`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tf1compat.api.array import array_ops, gather_ops
from tf1compat.api.contrib.opt import matrix_functions
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.linalg import linalg_ops
from tf1compat.api.math import math_matmul, math_ops
from tf1compat.api.platform import tf_logging
from tf1compat.api.training.optimizer import Optimizer
from tf1compat.api.variables import state_ops
from tf1compat.core import dtypes, ops, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor_shape import dimension_value
from tf1compat.core.typing import TensorLike


def GetParam(var: Any, timestep: Any) -> Any:  # noqa: N802
    """A setting, or what the function given for it makes of the step."""
    return var(timestep) if callable(var) else var


@tf_export("contrib.opt.ShampooOptimizer")
class ShampooOptimizer(Optimizer):
    """Shampoo (Gupta et al., 2018): each dimension of a gradient is multiplied by a root of the
    sum of its outer products so far.

    Settings may be functions of the step.

    Args:
      global_step: the variable that counts the steps.
      max_matrix_size: dimensions larger than this one have a vector in place of the matrix.
      gbar_decay, gbar_weight: of the moving average of gradients.
      mat_gbar_decay, mat_gbar_weight: of the moving sum of outer products.
      learning_rate: a float or a function.
      svd_interval: after how many steps the roots are computed again.
      precond_update_interval: after how many steps the outer products are added.
      epsilon: what is added to the diagonals.
      alpha: the roots are to the power `-alpha` over the number of dimensions.
      use_iterative_root: whether roots are computed by iteration, not by an SVD.
      use_locking: the `use_locking` attr of the steps.
      name: the name scope of the steps, and the name of the slots.
    """

    def __init__(
        self,
        global_step: TensorLike = 0,
        max_matrix_size: int = 768,
        gbar_decay: Any = 0.0,
        gbar_weight: Any = 1.0,
        mat_gbar_decay: Any = 1.0,
        mat_gbar_weight: Any = 1.0,
        learning_rate: TensorLike = 1.0,
        svd_interval: Any = 1,
        precond_update_interval: Any = 1,
        epsilon: float = 1e-4,
        alpha: TensorLike = 0.5,
        use_iterative_root: bool = False,
        use_locking: bool = False,
        name: str = "Shampoo",
    ):
        super().__init__(use_locking, name)
        self._global_step = math_ops.cast(global_step, dtypes.float32)
        self._max_matrix_size = max_matrix_size
        self._gbar_decay = gbar_decay
        self._gbar_weight = gbar_weight
        self._mat_gbar_decay = mat_gbar_decay
        self._mat_gbar_weight = mat_gbar_weight
        self._learning_rate = learning_rate
        self._svd_interval = svd_interval
        self._precond_update_interval = precond_update_interval
        self._epsilon = epsilon
        self._alpha = alpha
        self._use_iterative_root = use_iterative_root

    def _create_slots(self, var_list: Sequence[Any]) -> None:
        for v in var_list:
            with ops.colocate_with(v):
                self._zeros_slot(v, "gbar", self._name)
                for i, size in enumerate(v.get_shape()):
                    size_tensor = ops.convert_to_tensor(size)
                    if size <= self._max_matrix_size:
                        start = array_ops.zeros_like(linalg_ops.eye(size_tensor))
                        if self._svd_interval > 1:
                            identity = linalg_ops.eye(size_tensor)
                            self._get_or_make_slot(v, identity, f"H_{i}", self._name)
                    else:
                        start = array_ops.zeros([size_tensor])
                    self._get_or_make_slot(v, start, f"Gbar_{i}", self._name)

    def _apply_dense(self, grad: ops.Tensor, var: Any) -> Any:
        return self._apply_gradient(grad, var)

    def _resource_apply_dense(self, grad: ops.Tensor, handle: Any) -> Any:
        return self._apply_dense(grad, handle)

    def _apply_sparse(self, grad: ops.IndexedSlices, var: Any) -> Any:
        return self._apply_sparse_shared(grad.values, grad.indices, var)

    def _resource_apply_sparse(self, grad: ops.Tensor, handle: Any, indices: ops.Tensor) -> Any:
        return self._apply_sparse_shared(grad, indices, handle)

    def _apply_sparse_shared(self, grad_values: Any, grad_indices: Any, var: Any) -> Any:
        if var.get_shape()[0] <= self._max_matrix_size or self._gbar_decay != 0.0:
            # The whole matrix of the first dimension, or the average of gradients, is kept.
            dense = gather_ops.scatter_nd(
                array_ops.expand_dims(grad_indices, axis=1),
                grad_values,
                array_ops.shape(var, out_type=grad_indices.dtype),
            )
            return self._apply_gradient(dense, var)
        return self._apply_gradient(grad_values, var, grad_indices)

    def _weighted_average(self, var: Any, weight: Any, weight_t: Any, rest: Any) -> Any:
        """A slot times a weight and the rest."""
        if weight == 0.0:
            return rest
        if weight == 1.0:
            return state_ops.assign_add(var, rest)
        return var.assign_add((weight_t - 1) * var + rest)

    def _update_mat_g(
        self,
        mat_g: Any,
        grad: Any,
        axes: TensorLike,
        mat_gbar_decay: Any,
        mat_gbar_weight: Any,
        i: int,
    ) -> Any:
        outer = math_matmul.tensordot(grad, grad, axes=(axes, axes), name=f"grad_outer_{i}")
        return self._weighted_average(
            mat_g, self._mat_gbar_decay, mat_gbar_decay, mat_gbar_weight * outer
        )

    def _compute_power_svd(self, mat_g: Any, mat_g_size: Any, alpha: TensorLike) -> Any:
        if mat_g_size == 1:
            return math_ops.pow(mat_g + self._epsilon, alpha)
        damping = self._epsilon * linalg_ops.eye(math_ops.cast(mat_g_size, dtypes.int32))
        d, u, v = raw_ops.Svd(mat_g + damping, compute_uv=True, full_matrices=True)
        powers = math_ops.pow(math_ops.maximum(d, self._epsilon), alpha)
        return math_ops.matmul(v * powers, array_ops.transpose(u))

    def _compute_power_iter(self, mat_g: Any, mat_g_size: Any, alpha: Any) -> Any:
        root = matrix_functions.matrix_square_root(mat_g, mat_g_size, 100, self._epsilon)
        return matrix_functions.matrix_inverse_pth_root(
            root, mat_g_size, 2 * alpha, 100, 1e-6, ridge_epsilon=0.0
        )

    def _compute_power(
        self, var: Any, mat_g: Any, mat_g_size: Any, alpha: TensorLike, mat_h_slot_name: Any = None
    ) -> Any:
        with ops.name_scope("matrix_iterative_power"):
            compute = (
                self._compute_power_iter if self._use_iterative_root else self._compute_power_svd
            )
            mat_h = compute(mat_g, mat_g_size, alpha)
            if mat_h_slot_name is None:
                return mat_h
            return state_ops.assign(self.get_slot(var, mat_h_slot_name), mat_h)

    def _apply_gradient(self, grad: Any, var: Any, indices: TensorLike | None = None) -> Any:
        step = self._global_step + 1
        gbar = self.get_slot(var, "gbar")
        gbar_decay = GetParam(self._gbar_decay, step)
        gbar_weight = GetParam(self._gbar_weight, step)
        if indices is None:
            average = self._weighted_average(gbar, self._gbar_decay, gbar_decay, gbar_weight * grad)
        else:
            if self._gbar_decay != 0.0:
                tf_logging.warning(f"Not applying momentum for variable: {var.name}")
            average = grad
        shape = var.get_shape()
        rank = len(shape)
        decay = GetParam(self._mat_gbar_decay, step)
        weight = GetParam(self._mat_gbar_weight, step)
        power = -GetParam(self._alpha, step) / rank
        svd_interval = GetParam(self._svd_interval, step)
        update_interval = GetParam(self._precond_update_interval, step)
        for i in range(rank):
            mat_g = self.get_slot(var, f"Gbar_{i}")
            axes = [j for j in range(rank) if j != i]
            if shape[i] <= self._max_matrix_size:
                mat_h = self._matrix(
                    var,
                    mat_g,
                    grad,
                    i,
                    axes,
                    step,
                    (decay, weight, power),
                    svd_interval,
                    update_interval,
                )
                average = math_matmul.tensordot(
                    average, mat_h, axes=([0], [0]), name=f"precond_{i}"
                )
                continue
            if axes:
                size = 1.0 if indices is not None else float(dimension_value(shape[i]))
                outer = math_ops.reduce_sum(grad * grad, axis=axes) / size
            else:
                outer = grad * grad
            if i == 0 and indices is not None:
                assert self._mat_gbar_decay == 1.0
                new_g = state_ops.scatter_add(mat_g, indices, weight * outer)
                new_g = gather_ops.gather(new_g, indices)
            else:
                new_g = self._weighted_average(mat_g, self._mat_gbar_decay, decay, weight * outer)
            scale = gather_ops.where(
                math_ops.greater(new_g, 0),
                math_ops.pow(new_g, power),
                array_ops.zeros_like(new_g),
            )
            average = array_ops.transpose(average, perm=[*range(1, rank), 0]) * scale
        rate = GetParam(self._learning_rate, step)
        if indices is not None:
            return state_ops.scatter_add(var, indices, -rate * average)
        return state_ops.assign_sub(var, rate * average)

    def _matrix(
        self,
        var: Any,
        mat_g: Any,
        grad: Any,
        i: int,
        axes: list[int],
        step: Any,
        settings: tuple[Any, Any, Any],
        svd_interval: Any,
        update_interval: Any,
    ) -> Any:
        """The root of dimension `i`."""
        decay, weight, power = settings
        size = var.get_shape()[i]
        new_g = control_flow_ops.cond(
            math_ops.mod(step, update_interval) < 1,
            lambda: self._update_mat_g(mat_g, grad, axes, decay, weight * update_interval, i),
            lambda: mat_g,
        )
        new_g = new_g / float(size.value)
        if self._svd_interval == 1:
            return self._compute_power(var, new_g, size, power)
        return control_flow_ops.cond(
            math_ops.mod(step, svd_interval) < 1,
            lambda: self._compute_power(var, new_g, size, power, f"H_{i}"),
            lambda: self.get_slot(var, f"H_{i}"),
        )
