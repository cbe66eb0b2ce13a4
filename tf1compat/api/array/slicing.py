"""Slices of tensors: what `tensor[...]` records (a part of TF's array_ops)."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from tf1compat.api.array.constant_op import constant_v1 as constant
from tf1compat.api.array.gather_ops import boolean_mask
from tf1compat.core import dtypes, ops, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_shape import Dimension
from tf1compat.core.typing import Name, TensorLike

__all__ = ["_SliceHelperVar", "_slice_helper", "slice", "strided_slice"]

_Slice = type(np.s_[:])


def _check_index(index: Any) -> None:
    """Refuses what can't be an index."""
    if isinstance(index, int | Dimension):
        return
    dtype = getattr(index, "dtype", None)
    if (
        dtype is None
        or dtypes.as_dtype(dtype).base_dtype not in (dtypes.int32, dtypes.int64)
        or (index.shape and len(index.shape) == 1)
    ):
        shown = index.item() if isinstance(index, np.generic) else index  # As NumPy 1 shows it.
        raise TypeError(
            "Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) and scalar "
            f"tf.int32/tf.int64 tensors are valid indices, got {shown!r}"
        )


# What a slice of a variable notes of a dimension that it adds, and of one that it takes away.
NEW_AXIS = -1
SHRINK_AXIS = -2


def _slice_helper(tensor: TensorLike, slice_spec: Any, var: Any = None) -> Tensor:
    """`tensor[slice_spec]`: records a StridedSlice.

    Raises:
      TypeError: something in `slice_spec` is no index.
    """
    if (
        isinstance(slice_spec, bool)
        or (isinstance(slice_spec, Tensor) and slice_spec.dtype == dtypes.bool)
        or (isinstance(slice_spec, np.ndarray) and slice_spec.dtype == bool)
    ):
        return boolean_mask(tensor=tensor, mask=slice_spec)
    if not isinstance(slice_spec, list | tuple):
        slice_spec = [slice_spec]
    begin: list[Any] = []
    end: list[Any] = []
    strides: list[Any] = []
    masks: dict[str, int] = dict.fromkeys(
        ("begin", "end", "ellipsis", "new_axis", "shrink_axis"), 0
    )
    for i, item in enumerate(slice_spec):
        bit = 1 << i
        if isinstance(item, _Slice):
            for bound, values, mask in ((item.start, begin, "begin"), (item.stop, end, "end")):
                if bound is not None and (isinstance(bound, Tensor) or bound != sys.maxsize):
                    _check_index(bound)
                    values.append(bound)
                else:
                    values.append(0)
                    masks[mask] |= bit
            if item.step is not None:
                _check_index(item.step)
                strides.append(item.step)
            else:
                strides.append(1)
            continue
        if item is Ellipsis or item is None:
            begin.append(0)
            end.append(0)
            masks["ellipsis" if item is Ellipsis else "new_axis"] |= bit
        else:
            _check_index(item)
            begin.append(item)
            end.append(item + 1)
            masks["shrink_axis"] |= bit
        strides.append(1)
    with ops.name_scope(None, "strided_slice", [tensor, *begin, *end, *strides]) as name:
        if begin:
            packed = [array_ops.stack(begin), array_ops.stack(end), array_ops.stack(strides)]
            if any(part.dtype == dtypes.int64 for part in packed):
                packed = [
                    part if part.dtype == dtypes.int64 else raw_ops.Cast(part, DstT=dtypes.int64)
                    for part in packed
                ]
        else:
            packed = [constant([], dtype=dtypes.int32)] * 3
        return strided_slice(
            tensor, *packed, begin_mask=masks["begin"], end_mask=masks["end"],
            ellipsis_mask=masks["ellipsis"], new_axis_mask=masks["new_axis"],
            shrink_axis_mask=masks["shrink_axis"], var=var, name=name,
        )  # fmt: skip


def _SliceHelperVar(var: Any, slice_spec: Any) -> Tensor:
    """`variable[slice_spec]`, which also can be assigned to."""
    return _slice_helper(var.value(), slice_spec, var)


@tf_export("strided_slice")
def strided_slice(
    input_: Any, begin: TensorLike, end: Any, strides: Any = None, begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0, new_axis_mask: int = 0, shrink_axis_mask: int = 0, var: Any = None,
    name: Any = None,
) -> Tensor:  # fmt: skip
    """A strided slice of a tensor; the bit masks say how each index is meant (see TF's
    StridedSlice).

    Args:
      input_: a tensor of any dtype.
      begin, end, strides: int32 or int64 vectors of one length; strides of 1 by default.
      begin_mask, end_mask: bit i: the whole range counts from its beginning, or to its end.
      ellipsis_mask: bit i: index i stands for all dimensions between.
      new_axis_mask: bit i: index i makes a new dimension of 1.
      shrink_axis_mask: bit i: index i takes one element, and the dimension goes.
      var: the variable that `input_` reads, for assigning to the slice.
      name: the operation's name.

    Returns:
      A tensor of the dtype of `input_`.
    """
    if strides is None:
        strides = array_ops.ones_like(begin)
    masks = {
        "begin_mask": begin_mask,
        "end_mask": end_mask,
        "ellipsis_mask": ellipsis_mask,
        "new_axis_mask": new_axis_mask,
        "shrink_axis_mask": shrink_axis_mask,
    }
    result = raw_ops.StridedSlice(input_, begin, end, strides, name=name, **masks)
    if var is None and result._is_eager:
        return result
    parent = name

    def assign(value: Any, name: Any = None) -> Any:
        """Assigns to this slice of the variable."""
        if var is None:
            raise ValueError("Sliced assignment is only supported for variables")
        return var._strided_slice_assign(
            begin=begin,
            end=end,
            strides=strides,
            value=value,
            name=name or parent + "_assign",
            **masks,
        )

    result.assign = assign  # pyright: ignore[reportAttributeAccessIssue]
    return result


@tf_export("slice")
def slice(input_: Any, begin: TensorLike, size: Any, name: Name = None) -> Tensor:
    """The block of `input_` that begins at `begin` and has sizes `size` (-1: to the end).

    Args:
      input_: a tensor of any dtype.
      begin, size: int32 or int64 vectors [rank].
      name: the operation's name.

    Returns:
      A tensor of the same rank and dtype.
    """
    return raw_ops.Slice(input_, begin, size, name=name)


Tensor._override_operator("__getitem__", _slice_helper)


# Last, as that module takes all that is above.
from tf1compat.api.array import array_ops  # noqa: E402
