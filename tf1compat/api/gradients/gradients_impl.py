"""`tf.gradients` and `tf.hessians`."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.control_flow import control_flow_ops, tensor_array_ops
from tf1compat.api.gradients import gradients_walk
from tf1compat.api.gradients.gradient_aggregation import AggregationMethod
from tf1compat.api.gradients.gradients_walk import UnconnectedGradients
from tf1compat.api.math import math_ops
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export

__all__ = ["AggregationMethod", "UnconnectedGradients", "gradients", "hessians"]


@tf_export("gradients")
def gradients(
    ys: Any,
    xs: Any,
    grad_ys: Any = None,
    name: str | None = "gradients",
    colocate_gradients_with_ops: bool = False,
    gate_gradients: bool = False,
    aggregation_method: int | None = None,
    stop_gradients: Any = None,
    unconnected_gradients: Any = UnconnectedGradients.NONE,
) -> list[Any]:
    """Records the derivatives of the sum of `ys` with respect to each of `xs` (as `tf.gradients`
    in TF 1.15).

    Args:
      ys: a tensor or a list of tensors.
      xs: a tensor, a variable or a list of these.
      grad_ys: for each y its gradient, of the y's shape; None (also in the list) means ones.
      name: the name scope of the recorded operations.
      colocate_gradients_with_ops: colocates the gradient of each operation with it.
      gate_gradients: makes the gradients of an operation's inputs wait for each other.
      aggregation_method: how the gradients of a tensor's several uses are added
        (`tf.AggregationMethod`).
      stop_gradients: a tensor or a list of tensors to take as constants.
      unconnected_gradients: what to give for an x that no y depends on
        (`tf.UnconnectedGradients`, or its value).

    Returns:
      A list with one entry per x: a tensor of the x's shape and dtype, a `tf.IndexedSlices`, or
      None where no y
      depends on it through differentiable operations.

    Raises:
      LookupError: an operation between has no gradient defined.
      ValueError: arguments that don't fit together.
      TypeError: `grad_ys` of the wrong type, or a y that needs one.
      RuntimeError: ops are executed eagerly.
    """
    return gradients_walk.gradients(**locals())


def _hessian_vector_product(ys: Any, xs: Any, v: Any) -> list[Any]:
    """The Hessian of `ys` with respect to `xs`, times `v`, by differentiating twice.

    Args:
      ys: a scalar tensor, or tensors that are summed.
      xs: a list of tensors.
      v: a list of tensors of the same shapes.

    Raises:
      ValueError: the lists differ in length.
    """
    if len(v) != len(xs):
        raise ValueError("xs and v must have the same length.")
    products = [
        math_ops.multiply(grad, array_ops.stop_gradient(factor))
        for grad, factor in zip(gradients(ys, xs), v)
        if grad is not None
    ]
    return gradients(products, xs)


@tf_export("hessians")
def hessians(
    ys: Any,
    xs: Any,
    name: str = "hessians",
    colocate_gradients_with_ops: bool = False,
    gate_gradients: bool = False,
    aggregation_method: int | None = None,
) -> list[Any]:
    """Records the Hessian of the sum of `ys` with respect to each of `xs` (as `tf.hessians` in TF
    1.15).

    Args:
      ys: a tensor or a list of tensors.
      xs: a tensor or a list of tensors.
      name: accepted and not used, as in TF.
      colocate_gradients_with_ops, gate_gradients, aggregation_method: as in `tf.gradients`, for
        the first derivatives.

    Returns:
      A list with one tensor per x, of shape x.shape + x.shape.
    """
    xs = gradients_walk.as_list(xs)
    first = gradients(
        ys,
        xs,
        colocate_gradients_with_ops=colocate_gradients_with_ops,
        gate_gradients=gate_gradients,
        aggregation_method=aggregation_method,
    )
    result = []
    for gradient, x in zip(first, xs):
        rows = _rows_of_hessian(array_ops.reshape(gradient, [-1]), x)
        shape = array_ops.shape(x)
        result.append(array_ops.reshape(rows.stack(), array_ops.concat((shape, shape), 0)))
    return result


def _rows_of_hessian(gradient: ops.Tensor, x: Any) -> Any:
    """A TensorArray of the derivatives of each element of `gradient` with respect to `x`: one loop
    iteration an element.
    """
    count = array_ops.size(x)

    def write_row(row: Any, rows: Any) -> Any:
        return row + 1, rows.write(row, gradients(gradient[row], x)[0])

    start = [constant_op.constant(0, dtypes.int32), tensor_array_ops.TensorArray(x.dtype, count)]
    _, rows = control_flow_ops.while_loop(lambda row, _: row < count, write_row, start)
    return rows
