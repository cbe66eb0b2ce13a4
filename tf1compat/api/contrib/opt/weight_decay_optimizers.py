"""Weight decay beside the gradient (Loshchilov and Hutter, 2017): `tf.contrib.opt.AdamWOptimizer`,
…
"""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import gather_ops
from tf1compat.api.contrib.opt.shampoo import ShampooOptimizer
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.training.adam import AdamOptimizer
from tf1compat.api.training.momentum import MomentumOptimizer
from tf1compat.api.training.optimizer import Optimizer
from tf1compat.api.variables import state_ops
from tf1compat.core import ops, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import TensorLike


@tf_export("contrib.opt.DecoupledWeightDecayExtension")
class DecoupledWeightDecayExtension:
    """Goes before an optimizer in a list of bases, and makes each of its steps shrink the variable
    first: `var -= weight_decay * var`.

    Args:
      weight_decay: a float, a tensor, or a function that returns one.
      **kwargs: the arguments of the optimizer.
    """

    _use_locking: bool

    def __init__(self, weight_decay: Any, **kwargs: Any):
        self._decay_var_list: Any = None
        self._weight_decay = weight_decay
        self._weight_decay_tensor: Any = None
        super().__init__(**kwargs)

    def minimize(
        self,
        loss: Any,
        global_step: TensorLike | None = None,
        var_list: Any = None,
        gate_gradients: int = Optimizer.GATE_OP,
        aggregation_method: Any = None,
        colocate_gradients_with_ops: bool = False,
        name: str | None = None,
        grad_loss: Any = None,
        decay_var_list: Any = None,
    ) -> Any:
        """As of the optimizer.

        Args:
          loss, global_step, var_list, gate_gradients, aggregation_method,
            colocate_gradients_with_ops, name, grad_loss: as of `tf.train.Optimizer.minimize`.
          decay_var_list: the variables that decay; all by default.

        Returns:
          The operation that does it all.
        """
        self._decay_var_list = set(decay_var_list) if decay_var_list else False
        return super().minimize(  # type: ignore[misc]
            loss,
            global_step=global_step,
            var_list=var_list,
            gate_gradients=gate_gradients,
            aggregation_method=aggregation_method,
            colocate_gradients_with_ops=colocate_gradients_with_ops,
            name=name,
            grad_loss=grad_loss,
        )

    def apply_gradients(
        self,
        grads_and_vars: Any,
        global_step: TensorLike | None = None,
        name: str | None = None,
        decay_var_list: Any = None,
    ) -> Any:
        """As of the optimizer.

        Args:
          grads_and_vars, global_step, name: as of `tf.train.Optimizer.apply_gradients`.
          decay_var_list: the variables that decay; all by default.

        Returns:
          The operation that does it all.
        """
        self._decay_var_list = set(decay_var_list) if decay_var_list else False
        return super().apply_gradients(  # type: ignore[misc]
            grads_and_vars, global_step=global_step, name=name
        )

    def _prepare(self) -> None:
        weight_decay = self._weight_decay() if callable(self._weight_decay) else self._weight_decay
        self._weight_decay_tensor = ops.convert_to_tensor(weight_decay, name="weight_decay")
        super()._prepare()  # type: ignore[misc]

    def _decays(self, var: Any) -> bool:
        return not self._decay_var_list or var in self._decay_var_list

    def _decay_weights_op(self, var: Any) -> Any:
        if not self._decays(var):
            return control_flow_ops.no_op()
        return var.assign_sub(self._weight_decay * var, self._use_locking)

    def _decay_weights_sparse_op(self, var: Any, indices: TensorLike, scatter_add: Any) -> Any:
        if not self._decays(var):
            return control_flow_ops.no_op()
        update = -self._weight_decay * gather_ops.gather(var, indices)
        return scatter_add(var, indices, update, self._use_locking)

    def _apply_dense(self, grad: ops.Tensor, var: Any) -> Any:
        with ops.control_dependencies([self._decay_weights_op(var)]):
            return super()._apply_dense(grad, var)  # type: ignore[misc]

    def _resource_apply_dense(self, grad: ops.Tensor, var: Any) -> Any:
        with ops.control_dependencies([self._decay_weights_op(var)]):
            return super()._resource_apply_dense(grad, var)  # type: ignore[misc]

    def _apply_sparse(self, grad: ops.IndexedSlices, var: Any) -> Any:
        decay = self._decay_weights_sparse_op(var, grad.indices, state_ops.scatter_add)
        with ops.control_dependencies([decay]):
            return super()._apply_sparse(grad, var)  # type: ignore[misc]

    def _resource_scatter_add(self, x: Any, i: Any, v: TensorLike, _: Any = None) -> ops.Tensor:
        with ops.control_dependencies([raw_ops.ResourceScatterAdd(x.handle, i, v)]):
            return x.value()

    def _resource_apply_sparse(self, grad: ops.Tensor, var: Any, indices: ops.Tensor) -> Any:
        decay = self._decay_weights_sparse_op(var, indices, self._resource_scatter_add)
        with ops.control_dependencies([decay]):
            return super()._resource_apply_sparse(grad, var, indices)  # type: ignore[misc]


@tf_export("contrib.opt.extend_with_decoupled_weight_decay")
def extend_with_decoupled_weight_decay(base_optimizer: type) -> type:
    """An optimizer class with weight decay.

    Args:
      base_optimizer: a subclass of `tf.train.Optimizer`.

    Returns:
      A subclass of it and `DecoupledWeightDecayExtension`; its constructor takes `weight_decay`
      first.
    """

    class OptimizerWithDecoupledWeightDecay(DecoupledWeightDecayExtension, base_optimizer):
        """The optimizer, with weight decay."""

        def __init__(self, weight_decay: Any, *args: Any, **kwargs: Any):
            super().__init__(weight_decay, *args, **kwargs)

    return OptimizerWithDecoupledWeightDecay


@tf_export("contrib.opt.MomentumWOptimizer")
class MomentumWOptimizer(DecoupledWeightDecayExtension, MomentumOptimizer):
    """`tf.train.MomentumOptimizer` with weight decay.

    Args:
      weight_decay: a float, a tensor, or a function that returns one.
      learning_rate, momentum, use_locking, name, use_nesterov: as there.
    """

    def __init__(
        self,
        weight_decay: Any,
        learning_rate: TensorLike,
        momentum: TensorLike,
        use_locking: bool = False,
        name: str = "MomentumW",
        use_nesterov: bool = False,
    ):
        super().__init__(
            weight_decay,
            learning_rate=learning_rate,
            momentum=momentum,
            use_locking=use_locking,
            name=name,
            use_nesterov=use_nesterov,
        )


@tf_export("contrib.opt.AdamWOptimizer")
class AdamWOptimizer(DecoupledWeightDecayExtension, AdamOptimizer):
    """`tf.train.AdamOptimizer` with weight decay.

    Args:
      weight_decay: a float, a tensor, or a function that returns one.
      learning_rate, beta1, beta2, epsilon, use_locking, name: as there.
    """

    def __init__(
        self,
        weight_decay: Any,
        learning_rate: TensorLike = 0.001,
        beta1: TensorLike = 0.9,
        beta2: TensorLike = 0.999,
        epsilon: TensorLike = 1e-8,
        use_locking: bool = False,
        name: str = "AdamW",
    ):
        super().__init__(
            weight_decay,
            learning_rate=learning_rate,
            beta1=beta1,
            beta2=beta2,
            epsilon=epsilon,
            use_locking=use_locking,
            name=name,
        )


class ShampooWOptimizer(DecoupledWeightDecayExtension, ShampooOptimizer):
    """`tf.contrib.opt.ShampooOptimizer` with weight decay.

    Args:
      weight_decay: a float, a tensor, or a function that returns one.
      global_step: the variable that counts the steps.
      mat_gbar_decay, mat_gbar_weight: as TF 1.15 does it, the second one becomes the optimizer's
        `mat_gbar_decay`, and its `mat_gbar_weight` is 1.
      max_matrix_size, gbar_decay, gbar_weight, learning_rate, svd_interval,
        precond_update_interval, epsilon, alpha, use_iterative_root, use_locking, name: as there.
    """

    def __init__(
        self,
        weight_decay: Any,
        global_step: TensorLike,
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
        name: str = "ShampooW",
    ):
        super().__init__(
            weight_decay,
            global_step=global_step,
            max_matrix_size=max_matrix_size,
            gbar_decay=gbar_decay,
            gbar_weight=gbar_weight,
            mat_gbar_decay=mat_gbar_weight,
            learning_rate=learning_rate,
            svd_interval=svd_interval,
            precond_update_interval=precond_update_interval,
            epsilon=epsilon,
            alpha=alpha,
            use_iterative_root=use_iterative_root,
            use_locking=use_locking,
            name=name,
        )
