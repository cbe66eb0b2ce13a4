"""Moving blocks of space into the batch and back; `tensorflow.python.ops.array_ops` has these
functions too."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.util.deprecation import renamed
from tf1compat.core import dtypes, ops, raw_ops, tensor_util
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name, TensorLike

__all__ = [
    "batch_to_space",
    "batch_to_space_nd",
    "required_space_to_batch_paddings",
    "space_to_batch",
    "space_to_batch_nd",
]


@tf_export("space_to_batch_nd", "manip.space_to_batch_nd")
def space_to_batch_nd(
    input: TensorLike, block_shape: TensorLike, paddings: TensorLike, name: Name = None
) -> Tensor:
    """Pads the spatial dimensions 1…M and moves blocks of them into the batch.

    Args:
      input: [batch, *space, *rest].
      block_shape: int vector [M].
      paddings: ints [M, 2].
      name: the operation's name.

    Returns:
      [batch * product of block_shape, smaller spatial dimensions, rest].
    """
    return raw_ops.SpaceToBatchND(input, block_shape, paddings, name=name)


@tf_export("batch_to_space_nd", "manip.batch_to_space_nd")
def batch_to_space_nd(
    input: TensorLike, block_shape: TensorLike, crops: TensorLike, name: Name = None
) -> Tensor:
    """The inverse of `space_to_batch_nd`, with `crops` in place of paddings.

    Args:
      input: [batch, spatial..., ...].
      block_shape: an int vector [m].
      crops: an int matrix [m, 2].
      name: the operation's name.

    Returns:
      A tensor of the same rank and dtype.
    """
    return raw_ops.BatchToSpaceND(input, block_shape, crops, name=name)


def _square(block_size: Any) -> np.ndarray:
    return np.array([block_size, block_size], dtype=np.int64)


@tf_export("nn.space_to_batch", "space_to_batch")
def space_to_batch(
    input: TensorLike,
    paddings: TensorLike,
    block_size: Any = None,
    name: Name = None,
    block_shape: TensorLike | None = None,
) -> Tensor:
    """`space_to_batch_nd` of images, with square blocks.

    Args:
      input: [batch, height, width, depth].
      paddings: an int matrix [2, 2].
      block_size: an int of at least 2.
      block_shape: the newer name of `block_size`.
      name: the operation's name.

    Returns:
      A tensor of the same rank and dtype.
    """
    block_size = renamed("block_shape", block_shape, "block_size", block_size)
    result = space_to_batch_nd(input, paddings=paddings, block_shape=_square(block_size), name=name)
    result.set_shape(result.get_shape().with_rank(4))
    return result


@tf_export("batch_to_space")
def batch_to_space(
    input: TensorLike,
    crops: TensorLike,
    block_size: Any,
    name: Name = None,
    block_shape: TensorLike | None = None,
) -> Tensor:
    """`batch_to_space_nd` of images, with square blocks.

    Args:
      input: [batch, height, width, depth].
      crops: an int matrix [2, 2].
      block_size: an int of at least 2.
      block_shape: the newer name of `block_size`.
      name: the operation's name.

    Returns:
      A tensor of the same rank and dtype.
    """
    block_size = renamed("block_shape", block_shape, "block_size", block_size)
    result = batch_to_space_nd(input, crops=crops, block_shape=_square(block_size), name=name)
    result.set_shape(result.get_shape().with_rank(4))
    return result


@tf_export("required_space_to_batch_paddings")
def required_space_to_batch_paddings(
    input_shape: Any, block_shape: TensorLike, base_paddings: Any = None, name: Name = None
) -> tuple[Tensor, Tensor]:
    """The least paddings that make every spatial size divisible by its block, and the crops that
    undo them.

    Args:
      input_shape: the spatial sizes, ints [M].
      block_shape: ints [M].
      base_paddings: paddings wanted in any case, ints [M, 2].
      name: the name scope.

    Returns:
      (paddings, crops), both int32 [M, 2].
    """
    with ops.name_scope(name, "required_space_to_batch_paddings", [input_shape, block_shape]):
        size: Any = ops.convert_to_tensor(input_shape, dtype=dtypes.int32, name="input_shape")
        block: Any = ops.convert_to_tensor(block_shape, dtype=dtypes.int32, name="block_shape")
        block.get_shape().assert_is_fully_defined()
        block.get_shape().assert_has_rank(1)
        count = int(block.get_shape()[0])
        if count == 0:
            return (
                array_ops.zeros([0, 2], dtypes.int32),
                array_ops.zeros([0, 2], dtypes.int32),
            )
        size.get_shape().assert_is_compatible_with([count])
        base: Any
        if base_paddings is not None:
            base = ops.convert_to_tensor(base_paddings, dtype=dtypes.int32, name="base_paddings")
            base.get_shape().assert_is_compatible_with([count, 2])
        else:
            base = array_ops.zeros([count, 2], dtypes.int32)
        known = [tensor_util.constant_value(tensor) for tensor in (block, size, base)]
        if all(value is not None for value in known):
            block, size, base = known
        start = base[:, 0]
        end = base[:, 1]
        full = size + start + end
        extra = (block - full % block) % block
        end = end + extra
        paddings = array_ops.stack([[start[i], end[i]] for i in range(count)], name="paddings")
        crops = array_ops.stack([[0, extra[i]] for i in range(count)], name="crops")
        return paddings, crops


# Last, as that module takes all that is above.
from tf1compat.api.array import array_ops  # noqa: E402
