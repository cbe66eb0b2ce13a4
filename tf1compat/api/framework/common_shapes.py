"""`tensorflow.python.framework.common_shapes`: the algebra of static shapes for client code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tf1compat.core.tensor_shape import Dimension, TensorShape
from tf1compat.core.tensor_shape import unknown_shape as _unknown


def has_fully_defined_shape(tensor: Any) -> bool:
    """Whether the static shape of a tensor is known in full."""
    return tensor.get_shape().is_fully_defined()


def rank(tensor: Any) -> int | None:
    """The rank of a tensor, or None."""
    return tensor.shape.ndims


def scalar_shape(unused_op: Any) -> list[TensorShape]:
    """Shape function: one scalar."""
    return [TensorShape([])]


def unchanged_shape(op: Any) -> list[TensorShape]:
    """Shape function: that of the first input."""
    return [op.inputs[0].get_shape()]


def unchanged_shape_with_rank(rank: int) -> Callable[[Any], list[TensorShape]]:
    """A shape function: that of the first input, which has this rank."""
    return lambda op: [op.inputs[0].get_shape().with_rank(rank)]


def unchanged_shape_with_rank_at_least(rank: int) -> Callable[[Any], list[TensorShape]]:
    """A shape function: that of the first input, which has at least this rank."""
    return lambda op: [op.inputs[0].get_shape().with_rank_at_least(rank)]


def unchanged_shape_with_rank_at_most(rank: int) -> Callable[[Any], list[TensorShape]]:
    """A shape function: that of the first input, which has at most this rank."""
    return lambda op: [op.inputs[0].get_shape().with_rank_at_most(rank)]


def no_outputs(unused_op: Any) -> list[TensorShape]:
    """Shape function of an operation without outputs."""
    return []


def unknown_shape(op: Any) -> list[TensorShape]:
    """Shape function that knows nothing."""
    return [_unknown() for _ in op.outputs]


def get_conv_output_size(
    input_size: Sequence[Any], filter_size: Sequence[Any], strides: Sequence[int], padding_type: Any
) -> tuple[int | None, ...]:
    """The sizes of a convolution's output, one for each dimension.

    Args:
      input_size, filter_size: ints, or None for what is not known.
      strides: ints.
      padding_type: b"SAME" or b"VALID".

    Raises:
      ValueError: another padding, or a filter larger than the input.
    """
    sizes = [None if size is None else int(size) for size in input_size]
    windows = [None if size is None else int(size) for size in filter_size]
    if any(s is not None and w is not None and w > s for s, w in zip(sizes, windows, strict=True)):
        raise ValueError(
            f"Filter must not be larger than the input: Filter: {tuple(filter_size)!r} "
            f"Input: {tuple(input_size)!r}"
        )
    if padding_type not in (b"SAME", b"VALID"):
        raise ValueError(f"Invalid padding: {padding_type!r}")
    same = padding_type == b"SAME"
    known: list[int | None] = []
    for size, window in zip(sizes, windows, strict=True):
        if same or size is None:
            known.append(size)
        else:
            known.append(None if window is None else size - window + 1)
    return tuple(
        None if size is None else -(-size // stride)
        for size, stride in zip(known, strides, strict=True)
    )


def is_broadcast_compatible(shape_x: TensorShape, shape_y: TensorShape) -> bool:
    """Whether two shapes of known rank broadcast, as far as they are known."""
    if shape_x.ndims is None or shape_y.ndims is None:
        return False
    return _broadcast_shape_helper(shape_x, shape_y) is not None


def broadcast_shape(shape_x: TensorShape, shape_y: TensorShape) -> TensorShape:
    """The static shape that two shapes broadcast to.

    Raises:
      ValueError: they don't.
    """
    if shape_x.ndims is None or shape_y.ndims is None:
        return _unknown()
    dims = _broadcast_shape_helper(shape_x, shape_y)
    if dims is None:
        raise ValueError(f"Incompatible shapes for broadcasting: {shape_x} and {shape_y}")
    return TensorShape(dims)


def _broadcast_shape_helper(shape_x: Any, shape_y: Any) -> list[Dimension] | None:
    longest = max(shape_x.ndims, shape_y.ndims)
    x, y = (
        [Dimension(1)] * (longest - shape.ndims) + list(shape.dims) for shape in (shape_x, shape_y)
    )
    dims = []
    for a, b in zip(x, y, strict=True):
        if a.value == 1 or b.value == 1:
            dims.append(b if a.value == 1 else a)
        elif a.value is None or b.value is None:
            # A known size other than 1 wins: the other one is it, or 1.
            known = a if b.value is None else b
            dims.append(known if known.value is not None and known.value > 1 else Dimension(None))
        elif a.value == b.value:
            dims.append(a)
        else:
            return None
    return dims


def call_cpp_shape_fn(op: Any, require_shape_fn: bool = True) -> dict[str, Any]:
    """What an operation's shape function says of its outputs."""
    outputs = list(op.outputs)
    return {
        "shapes": [output.get_shape() for output in outputs],
        "handle_data": [getattr(output, "_handle_data", None) for output in outputs],
    }


def _inferred(op: Any) -> list[TensorShape]:
    return [output.get_shape() for output in op.outputs]


matmul_shape = conv2d_shape = depthwise_conv2d_native_shape = _inferred
separable_conv2d_shape = avg_pool_shape = max_pool_shape = _inferred


def get2d_conv_output_size(
    input_height: Any,
    input_width: Any,
    filter_height: Any,
    filter_width: Any,
    row_stride: int,
    col_stride: int,
    padding_type: Any,
) -> tuple[int | None, ...]:
    """`get_conv_output_size` of two dimensions."""
    return get_conv_output_size(
        (input_height, input_width),
        (filter_height, filter_width),
        (row_stride, col_stride),
        padding_type,
    )
