"""`tensorflow.python.ops.manip_ops`: rolling a tensor."""

from __future__ import annotations

from tf1compat.core import raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name, TensorLike


@tf_export("roll", "manip.roll")
def roll(input: TensorLike, shift: TensorLike, axis: TensorLike, name: Name = None) -> Tensor:
    """Rolls the elements of a tensor along dimensions, as numpy.roll.

    Args:
      input: a tensor of rank 1 or more and any dtype.
      shift, axis: int scalars, or vectors of one length.
      name: the operation's name.

    Returns:
      A tensor like `input`.
    """
    return raw_ops.Roll(input, shift, axis, name=name)
