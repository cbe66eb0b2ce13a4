"""What several kernels share: shape functions of families, and the gradient of broadcasting."""

from __future__ import annotations

from typing import Any, NamedTuple, NoReturn

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.math import math_ops
from tf1compat.backend import jnp
from tf1compat.core import constants, context, errors, op_registry, raw_ops, shapes
from tf1compat.core.op_registry import Shape
from tf1compat.core.operation import Operation
from tf1compat.core.shapes import ShapeError
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import LoweringContext

spec = op_registry.spec


# Shapes.


def same(x: Shape, *rest: Any) -> Shape:
    """The output has the first input's shape."""
    return x


def merged(x: Shape, y: Shape) -> Shape:
    """The inputs must have one shape; the output has it, as far as the first input tells."""
    shapes.merge(x, y)
    return x


def broadcast(x: Shape, y: Shape) -> Shape:
    """The inputs are broadcast against each other."""
    return shapes.broadcast(x, y)


def scalar(*_: Any) -> Shape:
    """The output is a scalar."""
    return ()


def scalar_dim(op: Operation, index: int) -> int | None:
    """Input `index`, a scalar, as a dimension: None where its value is not known.

    Raises:
      ShapeError: it can't be a dimension; TF's text.
    """
    value = op.const_input(index)
    if value is None:
        return None
    if value.ndim:
        raise ShapeError(f"Input must be scalar but has rank {value.ndim}")
    if value < 0:
        raise ShapeError(
            f"Dimension size, given by scalar input {index}, must be non-negative but is {value}"
        )
    return int(value)


# Values.


def known(value: Any) -> bool:
    """Whether a lowering's input is a NumPy value rather than a tracer."""
    return isinstance(value, np.ndarray)


def add(x: Any, y: Any) -> Any:
    """The sum of two values, each an array or what knows how to be added (a TensorArray's flow)."""
    return (jnp.asarray(x) if known(x) else x) + y


def jnp_dtype(dtype: Any) -> Any:
    """The JAX dtype of a TF dtype; of a quantized one, that of the integers that it is made of."""
    numpy = np.dtype(dtype.as_numpy_dtype)
    return jnp.dtype(numpy if numpy.fields is None else numpy[0])


def text_of_shape(value: Any) -> str:
    """The shape of a value as TF prints it: `[2,3]`."""
    return shapes.to_string(np.shape(value))


def refuse(ctx: LoweringContext, text: str) -> NoReturn:
    """Fails the run: the inputs can't be given to the op."""
    ctx.check(False, errors.InvalidArgumentError, lambda: text)
    raise AssertionError("ctx.check(False, …) raises")


def in_range(indices: Any, limit: int) -> bool:
    """Whether indices, a NumPy array, all lie in [0, limit)."""
    # As unsigned numbers the negative ones are larger than any limit.
    return not indices.size or int(indices.view(f"u{indices.itemsize}").max()) < limit


def broadcastable(x: Any, y: Any) -> bool:
    """Whether two values can be broadcast against each other."""
    a, b = np.shape(x), np.shape(y)
    if a == b or not a or not b:
        return True
    pairs = zip(reversed(a), reversed(b), strict=False)
    return all(m in (n, 1) or n == 1 for m, n in pairs)


def check_same_shape(ctx: LoweringContext, *values: Any) -> None:
    """Fails the run with TF's text unless the op's inputs all have one shape."""
    first = np.shape(values[0])
    for i, value in enumerate(values):
        if np.shape(value) != first:
            refuse(
                ctx,
                f"Inputs to operation {ctx.op.name} of type {ctx.op.type} must have the same size "
                f"and shape.  Input 0: {text_of_shape(values[0])} != input {i}: "
                f"{text_of_shape(value)}",
            )


def check_broadcast(ctx: LoweringContext, x: Any, y: Any) -> None:
    """Fails the run with TF's text unless two values can be broadcast against each other."""
    if not broadcastable(x, y):
        refuse(ctx, f"Incompatible shapes: {text_of_shape(x)} vs. {text_of_shape(y)}")


# Gradients of ops that broadcast.


def equal_static_shapes(*tensors: Any) -> bool:
    """Whether tensors have the same, fully known static shape."""
    first = tensors[0]._shape
    return (
        first is not None
        and None not in first
        and all(isinstance(tensor, Tensor) and tensor._shape == first for tensor in tensors)
    )


def needed_gradients(op: Operation) -> list[bool]:
    """For each input of an operation, whether its gradient is asked for.

    Tapes know (TF calls what they tell `skip_input_indices`); `tf.gradients` asks for all.
    """
    skipped = getattr(op, "skip_input_indices", ())
    return [i not in skipped for i in range(len(op._inputs))]


def only_left_of_scalar(op: Operation) -> bool:
    """Whether of an operation of two inputs only the first one's gradient is asked for, and the
    other is a scalar: nothing is summed then."""
    return op.inputs[1]._shape == () and not needed_gradients(op)[1]


class BroadcastArgs(NamedTuple):
    """The shapes of two inputs, and the dimensions over which their gradients are summed."""

    x_shape: Any
    y_shape: Any
    x_axes: Any
    y_axes: Any

    def to_x(self, grad: Any) -> Tensor:
        """A gradient of the output's shape, summed to that of the first input."""
        return array_ops.reshape(math_ops.reduce_sum(grad, self.x_axes), self.x_shape)

    def to_y(self, grad: Any) -> Tensor:
        """A gradient of the output's shape, summed to that of the second input."""
        return array_ops.reshape(math_ops.reduce_sum(grad, self.y_axes), self.y_shape)


def broadcast_args(x: Tensor, y: Tensor) -> BroadcastArgs:
    """Records how the gradients of a broadcast `x` and `y` are summed."""
    x_shape = array_ops.shape(x)
    y_shape = array_ops.shape(y)
    return BroadcastArgs(x_shape, y_shape, *raw_ops.BroadcastGradientArgs(x_shape, y_shape))


class _SmartBroadcastArgs(BroadcastArgs):
    """As `BroadcastArgs`; a gradient that has an input's shape already is left alone."""

    x_needs_sum = True
    y_needs_sum = True

    def to_x(self, grad: Any) -> Tensor:
        return super().to_x(grad) if self.x_needs_sum else grad

    def to_y(self, grad: Any) -> Tensor:
        return super().to_y(grad) if self.y_needs_sum else grad


def smart_broadcast_args(x: Tensor, y: Tensor, grad: Any) -> BroadcastArgs:
    """As `broadcast_args`; static shapes are worked out now, once per graph.

    TF 1.15's SmartBroadcastGradientArgs.
    """
    if context.executing_eagerly() or not isinstance(grad, Tensor):
        return broadcast_args(x, y)
    if not shapes.is_fully_known(x._shape) or not shapes.is_fully_known(y._shape):
        x_shape = array_ops.shape_internal(x, optimize=False)
        y_shape = array_ops.shape_internal(y, optimize=False)
        return BroadcastArgs(x_shape, y_shape, *raw_ops.BroadcastGradientArgs(x_shape, y_shape))
    cache = context.default_graph().__dict__.setdefault("_bcast_grad_args_cache", {})
    key = (x._shape, y._shape)
    if key not in cache:
        axes = raw_ops.BroadcastGradientArgs(x._shape, y._shape)
        cache[key] = tuple(tuple(constants.known_value(t).tolist()) for t in axes)  # pyright: ignore
    result = _SmartBroadcastArgs(x._shape, y._shape, *cache[key])
    result.x_needs_sum = x._shape != grad._shape
    result.y_needs_sum = y._shape != grad._shape
    return result


def smart_broadcast_gradient_args(x: Tensor, y: Tensor, grad: Any) -> tuple[Any, Any]:
    """As `smart_broadcast_args`, in the form that TF's gradient functions take it apart in.

    Returns:
      For `x` and for `y`: its shape, the dimensions to sum over, and whether that is needed.
    """
    args = smart_broadcast_args(x, y, grad)
    needs_x, needs_y = getattr(args, "x_needs_sum", True), getattr(args, "y_needs_sum", True)
    return (args.x_shape, args.x_axes, needs_x), (args.y_shape, args.y_axes, needs_y)


def unbroadcast(op: Operation, grad_x: Any, grad_y: Any) -> list[Any]:
    """Sums gradients, computed already, over the dimensions that an op broadcast."""
    args = broadcast_args(*op.inputs)
    return [args.to_x(grad_x), args.to_y(grad_y)]
