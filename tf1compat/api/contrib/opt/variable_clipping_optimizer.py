"""`tf.contrib.opt.VariableClippingOptimizer`."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from tf1compat.api.array import gather_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.math import clip_ops
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.training.optimizer import Optimizer, _WrappingOptimizer
from tf1compat.core import ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import TensorLike


@tf_export("contrib.opt.VariableClippingOptimizer")
class VariableClippingOptimizer(_WrappingOptimizer, Optimizer):
    """Clips the norms of variables after each step of an optimizer.

    Args:
      opt: the optimizer.
      vars_to_clip_dims: a dict from variables to the dimensions that a norm goes over.
      max_norm: the largest norm.
      use_locking: the `use_locking` attr of the clipping.
      colocate_clip_ops_with_vars: whether the clipping is placed with the variables.
      name: the name scope.
    """

    def __init__(
        self,
        opt: Any,
        vars_to_clip_dims: Any,
        max_norm: Any,
        use_locking: bool = False,
        colocate_clip_ops_with_vars: bool = False,
        name: str = "VariableClipping",
    ):
        super().__init__(use_locking, name)
        self._opt = opt
        self._vars_to_clip_dims = {var: dims[:] for var, dims in vars_to_clip_dims.items()}
        self._max_norm = max_norm
        self._colocate_clip_ops_with_vars = colocate_clip_ops_with_vars

    def apply_gradients(
        self, grads_and_vars: Any, global_step: TensorLike | None = None, name: str | None = None
    ) -> Any:
        """As `tf.train.Optimizer.apply_gradients`, and the clipping."""
        with ops.name_scope(name, self._name) as scope:
            update = self._opt.apply_gradients(grads_and_vars, global_step=global_step)
            with ops.control_dependencies([update]):
                clips = [
                    self._clip(grad, var)
                    for grad, var in grads_and_vars
                    if grad is not None and var in self._vars_to_clip_dims
                ]
            return control_flow_ops.group(update, *clips, name=scope)

    def _clip(self, grad: TensorLike, var: Any) -> Any:
        """Records the clipping of a variable, of only the rows that a sparse gradient changes."""
        with ops.name_scope("clip_" + var.op.name):
            if isinstance(grad, ops.Tensor):
                return self._clip_all(var)
            assert isinstance(grad, ops.IndexedSlices)
            dims = self._vars_to_clip_dims[var]
            if 0 not in dims:
                return self._clip_rows(var, grad)
            logging.warning(
                "Clipping norm across dims %s for %s is inefficient when including sparse "
                "dimension 0.",
                dims,
                var.op.name,
            )
            return self._clip_all(var)

    def _clip_all(self, var: Any) -> Any:
        with self._maybe_colocate_with(var):
            excess = self._excess(var, var.read_value())
        with ops.colocate_with(var):
            return var.assign_sub(excess, use_locking=self._use_locking)

    def _clip_rows(self, var: Any, changed: Any) -> Any:
        with ops.colocate_with(var):
            rows = gather_ops.gather(var, changed.indices)
        with self._maybe_colocate_with(var):
            excess = self._excess(var, rows)
            slices = ops.IndexedSlices(excess, changed.indices, changed.dense_shape)
        with ops.colocate_with(var):
            return var.scatter_sub(slices, use_locking=self._use_locking)

    def _excess(self, var: Any, value: Any) -> Any:
        """What a value of a variable is longer than allowed."""
        return value - clip_ops.clip_by_norm(value, self._max_norm, self._vars_to_clip_dims[var])

    @contextlib.contextmanager
    def _maybe_colocate_with(self, var: Any) -> Iterator[None]:
        place = (
            ops.colocate_with(var)
            if self._colocate_clip_ops_with_vars
            else contextlib.nullcontext()
        )
        with place:
            yield
