"""Indexing of tensors: slices, gather, scatter, masks (a part of TF's array_ops)."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from tf1compat.api import tensor_util
from tf1compat.api.constant_op import constant_v1 as constant
from tf1compat.core import dtypes, ops, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_shape import Dimension, as_shape

__all__ = [
    "_SliceHelperVar",
    "_slice_helper",
    "boolean_mask",
    "gather",
    "gather_nd",
    "scatter_nd",
    "slice",
    "strided_slice",
    "unique",
    "unique_with_counts",
    "where",
]

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
        raise TypeError(
            "Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) and scalar "
            f"tf.int32/tf.int64 tensors are valid indices, got {index!r}"
        )


def _slice_helper(tensor: Any, slice_spec: Any, var: Any = None) -> Tensor:
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
            from tf1compat.api.array_ops import stack

            packed = [stack(begin), stack(end), stack(strides)]
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
    input_: Any, begin: Any, end: Any, strides: Any = None, begin_mask: int = 0, end_mask: int = 0,
    ellipsis_mask: int = 0, new_axis_mask: int = 0, shrink_axis_mask: int = 0, var: Any = None,
    name: Any = None,
) -> Tensor:  # fmt: skip
    """A strided slice of a tensor; the bit masks say how each index is meant (see TF's
    StridedSlice)."""
    if strides is None:
        from tf1compat.api.array_ops import ones_like

        strides = ones_like(begin)
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
def slice(input_: Any, begin: Any, size: Any, name: Any = None) -> Tensor:
    """The block of `input_` that begins at `begin` and has sizes `size` (-1: to the end)."""
    return raw_ops.Slice(input_, begin, size, name=name)


@tf_export("where")
def where(condition: Any, x: Any = None, y: Any = None, name: Any = None) -> Tensor:
    """Elements of `x` where `condition` holds, else of `y`; the coordinates of true elements
    without `x` and `y`."""
    if x is None and y is None:
        with ops.name_scope(name, "Where", [condition]) as name:
            condition = ops.convert_to_tensor(
                condition, preferred_dtype=dtypes.bool, name="condition"
            )
            return raw_ops.Where(condition, name=name)
    if x is None or y is None:
        raise ValueError("x and y must both be non-None or both be None.")
    return raw_ops.Select(condition, x, y, name=name)


@tf_export("boolean_mask")
def boolean_mask(tensor: Any, mask: Any, name: str = "boolean_mask", axis: Any = None) -> Tensor:
    """The elements of `tensor` where `mask` (over dimensions from `axis` on) is true."""
    from tf1compat.api.array_ops import concat, reshape, shape, squeeze

    with ops.name_scope(name, values=[tensor, mask]):
        tensor = ops.convert_to_tensor(tensor, name="tensor")
        mask = ops.convert_to_tensor(mask, name="mask")
        mask_shape = mask.get_shape()
        dims = mask_shape.ndims
        tensor_shape = tensor.get_shape()
        if dims == 0:
            raise ValueError("mask cannot be scalar.")
        if dims is None:
            raise ValueError(
                "Number of mask dimensions must be specified, even if some dimensions are None.  "
                "E.g. shape=[None] is ok, but shape=None is not."
            )
        axis = 0 if axis is None else axis
        tensor_shape[axis : axis + dims].assert_is_compatible_with(mask_shape)
        leading = raw_ops.Prod(shape(tensor)[axis : axis + dims], [0])
        tensor = reshape(
            tensor, concat([shape(tensor)[:axis], [leading], shape(tensor)[axis + dims :]], 0)
        )
        first = tensor_shape[axis : axis + dims].num_elements()
        tensor.set_shape(
            as_shape(tensor_shape[:axis])
            .concatenate([first])
            .concatenate(tensor_shape[axis + dims :])
        )
        mask = reshape(mask, [-1])
        indices = squeeze(where(mask), axis=[1])
        return gather(tensor, indices, axis=axis)


@tf_export("gather")
def gather(
    params: Any, indices: Any, validate_indices: Any = None, name: Any = None, axis: Any = None,
    batch_dims: int = 0,
) -> Tensor:  # fmt: skip
    """The slices of `params` at `indices` along `axis`."""
    if axis is None:
        axis = batch_dims
    if tensor_util.constant_value(axis) != 0:
        return raw_ops.GatherV2(params, indices, axis, batch_dims=batch_dims, name=name)
    try:
        # A resource variable is gathered from in place.
        return params.sparse_read(indices, name=name)
    except AttributeError:
        return raw_ops.GatherV2(params, indices, axis, name=name)


@tf_export("gather_nd", "manip.gather_nd")
def gather_nd(params: Any, indices: Any, name: Any = None, batch_dims: Any = 0) -> Tensor:
    """The slices of `params` at the multi-dimensional `indices`."""
    known = tensor_util.constant_value(batch_dims)
    if known is not None:
        batch_dims = int(known)
    if batch_dims != 0:
        raise NotImplementedError("tf.gather_nd with batch_dims is not supported by tf1compat yet")
    try:
        return params.gather_nd(indices, name=name)
    except AttributeError:
        return raw_ops.GatherNd(params, indices, name=name)


@tf_export("scatter_nd", "manip.scatter_nd")
def scatter_nd(indices: Any, updates: Any, shape: Any, name: Any = None) -> Tensor:
    """Zeros of `shape` with `updates` added at `indices`."""
    return raw_ops.ScatterNd(indices, updates, shape, name=name)


@tf_export("unique")
def unique(x: Any, out_idx: Any = dtypes.int32, name: Any = None) -> Any:
    """The distinct elements of a vector in order of appearance, and for each element which one it
    is."""
    return raw_ops.Unique(x, out_idx=out_idx, name=name)


@tf_export("unique_with_counts")
def unique_with_counts(x: Any, out_idx: Any = dtypes.int32, name: Any = None) -> Any:
    """As `unique`, with how often each occurs."""
    return raw_ops.UniqueWithCounts(x, out_idx=out_idx, name=name)


Tensor._override_operator("__getitem__", _slice_helper)
