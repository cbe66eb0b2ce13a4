"""`tensorflow.python.autograph.operators.slices`: reading and replacing an element."""

from __future__ import annotations

from typing import Any, NamedTuple

from tf1compat.api.autograph.utils import tensors
from tf1compat.api.control_flow import list_ops
from tf1compat.core import dtypes, raw_ops, tensor_util


class GetItemOpts(NamedTuple):
    """What is known of the elements."""

    element_dtype: Any


def get_item(target: Any, i: Any, opts: GetItemOpts) -> Any:
    """`target[i]`, also of a `TensorArray`, a list in a tensor, and a scalar string.

    Args:
      target: what has elements.
      i: which one.
      opts: see there.

    Raises:
      ValueError: the dtype of the elements of a list in a tensor is not known.
    """
    assert isinstance(opts, GetItemOpts)
    if tensors.is_tensor_array(target):
        return target.read(i)
    if not tensor_util.is_tensor(target):
        return target[i]
    if target.dtype == dtypes.variant:
        if opts.element_dtype is None:
            raise ValueError(
                "cannot retrieve from a list without knowing its element type; use "
                "set_element_type to annotate it"
            )
        return list_ops.tensor_list_get_item(target, i, element_dtype=opts.element_dtype)
    if target.dtype == dtypes.string and target.shape.ndims == 0:
        return raw_ops.Substr(target, i, 1)
    return target[i]


def set_item(target: Any, i: Any, x: Any) -> Any:
    """`target[i] = x`, also of a `TensorArray`, a list in a tensor, and a tensor.

    Args:
      target: what has elements.
      i: which one.
      x: what becomes of it.

    Returns:
      What `target` is afterwards; it need not be another object.
    """
    if tensors.is_tensor_array(target):
        return target.write(i, x)
    if not tensor_util.is_tensor(target):
        target[i] = x
        return target
    if target.dtype == dtypes.variant:
        return list_ops.tensor_list_set_item(target, i, x)
    return raw_ops.TensorScatterUpdate(target, ((i,),), (x,))
