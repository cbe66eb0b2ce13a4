"""Accumulators of gradients; `tensorflow.python.ops.data_flow_ops` has them too."""

from __future__ import annotations

from typing import Any

from tf1compat.api.math import math_ops
from tf1compat.core import context, dtypes, ops, raw_ops
from tf1compat.core.attribute import attribute
from tf1compat.core.export import tf_export
from tf1compat.core.indexed_slices import IndexedSlices
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.core.typing import DTypeLike, Name, ShapeLike


def _step(value: Any) -> Tensor:
    return math_ops.cast(ops.convert_to_tensor(value), dtypes.int64)


@tf_export("ConditionalAccumulatorBase")
class ConditionalAccumulatorBase:
    """What sums up gradients between the steps of a program.

    Args:
      dtype: of the gradients.
      shape: of the gradients, as far as it is known.
      accumulator_ref: the handle.
    """

    _num_accumulated = "AccumulatorNumAccumulated"
    _set_global_step = "AccumulatorSetGlobalStep"

    def __init__(self, dtype: DTypeLike, shape: Any, accumulator_ref: Any):
        self._dtype = dtype
        self._shape = TensorShape(shape)
        self._accumulator_ref = accumulator_ref
        eager = context.executing_eagerly()
        name = context.thread.eager_scope if eager else accumulator_ref.op.name.split("/")[-1]
        self._name = name

    accumulator_ref = attribute("_accumulator_ref", "The handle.")
    name: str = attribute("_name", "The last part of the handle's name.")
    dtype = attribute("_dtype", "The gradients' dtype.")

    def num_accumulated(self, name: Name = None) -> Tensor:
        """How many gradients there are, an int32 scalar."""
        name = f"{self._name}_NumAccumulated" if name is None else name
        return getattr(raw_ops, self._num_accumulated)(self._accumulator_ref, name=name)

    def set_global_step(self, new_global_step: Any, name: Name = None) -> Any:
        """Sets the step below which a gradient is dropped; returns the operation."""
        record = getattr(raw_ops, self._set_global_step)
        return record(self._accumulator_ref, _step(new_global_step), name=name)


@tf_export("ConditionalAccumulator")
class ConditionalAccumulator(ConditionalAccumulatorBase):
    """Sums up gradients that are tensors.

    Args:
      dtype: of the gradients.
      shape: of the gradients, as far as it is known.
      shared_name: a name under which sessions share it.
      name: the name of the handle's operation.
      reduction_type: "MEAN" or "SUM".
    """

    _num_accumulated = "ResourceAccumulatorNumAccumulated"
    _set_global_step = "ResourceAccumulatorSetGlobalStep"

    def __init__(
        self,
        dtype: DTypeLike,
        shape: ShapeLike | None = None,
        shared_name: str | None = None,
        name: Name = "conditional_accumulator",
        reduction_type: Any = "MEAN",
    ):
        handle = raw_ops.ResourceConditionalAccumulator(
            dtype=dtype,
            shape=shape,
            shared_name=shared_name,
            name=name,
            reduction_type=reduction_type,
        )
        super().__init__(dtype, shape, handle)

    def apply_grad(self, grad: Any, local_step: Any = 0, name: Name = None) -> Any:
        """Adds a gradient, unless it is older than the accumulator's global step.

        Args:
          grad: a tensor.
          local_step: the global step that it was computed at.
          name: the operation's name.

        Returns:
          The operation.

        Raises:
          ValueError: `grad` does not have the accumulator's shape.
        """
        grad = ops.convert_to_tensor(grad, self._dtype)
        grad.get_shape().assert_is_compatible_with(self._shape)
        step = _step(local_step)
        return raw_ops.ResourceAccumulatorApplyGradient(
            self._accumulator_ref, local_step=step, gradient=grad, name=name
        )

    def take_grad(self, num_required: Any, name: Name = None) -> Tensor:
        """The gradients' mean (or sum), once there are `num_required`; forgets them."""
        gradient = raw_ops.ResourceAccumulatorTakeGradient(
            self._accumulator_ref, num_required, dtype=self._dtype, name=name
        )
        gradient.set_shape(self._shape)
        return gradient


@tf_export("sparse.SparseConditionalAccumulator", "SparseConditionalAccumulator")
class SparseConditionalAccumulator(ConditionalAccumulatorBase):
    """Sums up gradients that are slices of tensors.

    Args:
      dtype: of the gradients.
      shape: of the tensors, as far as it is known.
      shared_name: a name under which sessions share it.
      name: the name of the handle's operation.
      reduction_type: "MEAN" or "SUM".
    """

    def __init__(
        self,
        dtype: DTypeLike,
        shape: ShapeLike | None = None,
        shared_name: str | None = None,
        name: Name = "sparse_conditional_accumulator",
        reduction_type: Any = "MEAN",
    ):
        handle = raw_ops.SparseConditionalAccumulator(
            dtype=dtype,
            shape=shape,
            shared_name=shared_name,
            name=name,
            reduction_type=reduction_type,
        )
        super().__init__(dtype, shape, handle)

    def apply_indexed_slices_grad(self, grad: Any, local_step: Any = 0, name: Name = None) -> Any:
        """`apply_grad` of IndexedSlices."""
        return self.apply_grad(
            grad_indices=grad.indices,
            grad_values=grad.values,
            grad_shape=grad.dense_shape,
            local_step=local_step,
            name=name,
        )

    def apply_grad(
        self,
        grad_indices: Any,
        grad_values: Any,
        grad_shape: Any = None,
        local_step: Any = 0,
        name: Name = None,
    ) -> Any:
        """Adds a gradient, unless it is older than the accumulator's global step.

        Args:
          grad_indices: which slices, an int vector.
          grad_values: the slices.
          grad_shape: the shape of the whole tensor, if it is known.
          local_step: the global step that it was computed at.
          name: the operation's name.

        Returns:
          The operation.
        """
        step = _step(local_step)
        return raw_ops.SparseAccumulatorApplyGradient(
            self._accumulator_ref,
            local_step=step,
            gradient_indices=math_ops.cast(grad_indices, dtypes.int64),
            gradient_values=grad_values,
            gradient_shape=math_ops.cast([] if grad_shape is None else grad_shape, dtypes.int64),
            has_known_shape=grad_shape is not None,
            name=name,
        )

    def take_grad(self, num_required: Any, name: Name = None) -> Any:
        """(indices, values, shape) of the mean (or sum), once there are `num_required`."""
        return raw_ops.SparseAccumulatorTakeGradient(
            self._accumulator_ref, num_required, dtype=self._dtype, name=name
        )

    def take_indexed_slices_grad(self, num_required: Any, name: Name = None) -> IndexedSlices:
        """`take_grad` as IndexedSlices."""
        found = self.take_grad(num_required, name)
        return IndexedSlices(indices=found.indices, values=found.values, dense_shape=found.shape)
