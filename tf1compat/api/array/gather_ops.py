"""Elements and slices by index: gather, scatter, masks (a part of TF's array_ops)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.util.deprecation import deprecated
from tf1compat.api.util.dispatch import add_dispatch_support
from tf1compat.core import dtypes, ops, raw_ops, tensor_util
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_shape import TensorShape, as_shape
from tf1compat.core.typing import DTypeLike, Name, ShapeLike, TensorLike

_MODULE = "tensorflow.python.ops.array_ops"

__all__ = [
    "batch_gather",
    "batch_gather_nd",
    "boolean_mask",
    "boolean_mask_v2",
    "gather",
    "gather_nd",
    "gather_nd_v2",
    "gather_v2",
    "scatter_nd",
    "tensor_scatter_add",
    "tensor_scatter_sub",
    "tensor_scatter_update",
    "where",
    "where_v2",
]


def _coordinates(condition: TensorLike, name: Name) -> Tensor:
    with ops.name_scope(name, "Where", [condition]) as name:
        condition = ops.convert_to_tensor(condition, preferred_dtype=dtypes.bool, name="condition")
        return raw_ops.Where(condition, name=name)


@tf_export("where")
@deprecated(
    None, "Use tf.where in 2.0, which has the same broadcast rule as np.where", module=_MODULE
)
@add_dispatch_support
def where(
    condition: TensorLike,
    x: TensorLike | None = None,
    y: TensorLike | None = None,
    name: Name = None,
) -> Tensor:
    """Elements of `x` where `condition` holds, else of `y`.

    Args:
      condition: bools of the shape of `x` and `y`, or of their first dimension.
      x, y: tensors of one shape; without them, the coordinates of the true elements are returned.
      name: the operation's name.

    Returns:
      A tensor like `x`; with `condition` alone int64 [true elements, rank], their indices in
      row-major order.

    Raises:
      ValueError: only one of `x` and `y` is given.
    """
    if x is None and y is None:
        return _coordinates(condition, name)
    if x is None or y is None:
        raise ValueError("x and y must both be non-None or both be None.")
    return raw_ops.Select(condition, x, y, name=name)


@tf_export("where_v2")
def where_v2(
    condition: TensorLike, x: TensorLike | None = None, y: Any = None, name: Name = None
) -> Tensor:
    """As `where`; the three are broadcast against each other.

    Args:
      condition: a bool tensor.
      x, y: tensors of one dtype; both or neither.
      name: the operation's name.

    Returns:
      `x` where `condition`, else `y`; without them the indices [n, rank] (int64) of what is true.

    Raises:
      ValueError: only one of `x` and `y` is given.
    """
    if x is None and y is None:
        return _coordinates(condition, name)
    if x is None or y is None:
        raise ValueError("x and y must both be non-None or both be None.")
    return raw_ops.SelectV2(condition, x, y, name=name)


@tf_export("boolean_mask")
def boolean_mask(
    tensor: TensorLike, mask: TensorLike, name: str = "boolean_mask", axis: Any = None
) -> Tensor:
    """The elements of `tensor` where `mask` (over dimensions from `axis` on) is true.

    Args:
      tensor: a tensor of any dtype.
      mask: bool, of known rank.
      axis: a scalar int, 0 by default.
      name: the operation's name.

    Returns:
      A tensor [..., n, ...] with one dimension where the mask had its.

    Raises:
      ValueError: the mask is a scalar, of unknown rank, or does not fit.
    """
    from tf1compat.api.array.array_ops import concat, reshape, shape, squeeze

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
        end = axis + dims
        masked = tensor_shape[axis:end]
        masked.assert_is_compatible_with(mask_shape)
        count = raw_ops.Prod(shape(tensor)[axis:end], [0])
        flat_shape = concat([shape(tensor)[:axis], [count], shape(tensor)[end:]], 0)
        flat = reshape(tensor, flat_shape)
        outer = as_shape(tensor_shape[:axis]).concatenate([masked.num_elements()])
        flat.set_shape(outer.concatenate(tensor_shape[end:]))
        where_true = where(reshape(mask, [-1]))
        return gather(flat, squeeze(where_true, axis=[1]), axis=axis)


@tf_export("compat.v2.boolean_mask")
def boolean_mask_v2(
    tensor: TensorLike, mask: TensorLike, axis: TensorLike | None = None, name: str = "boolean_mask"
) -> Tensor:
    """As `boolean_mask`.

    Args:
      tensor, mask, axis, name: as in `boolean_mask`.

    Returns:
      As `boolean_mask`.
    """
    return boolean_mask(tensor, mask, name, axis)


# Gather.


@tf_export("gather")
@add_dispatch_support
def gather(
    params: Any, indices: Any, validate_indices: Any = None, name: Name = None, axis: Any = None,
    batch_dims: int = 0,
) -> Tensor:  # fmt: skip
    """The slices of `params` at `indices` along `axis`.

    Args:
      params: a tensor or variable.
      indices: ints.
      validate_indices: ignored, as in TF 1.15.
      name: the operation's name.
      axis: `batch_dims` by default.
      batch_dims: how many leading dimensions `params` and `indices` share.

    Returns:
      A tensor of the dtype of `params`, of shape `params.shape[:axis] + indices.shape[batch_dims:]
      + params.shape[axis + 1:]`.
    """
    if axis is None:
        axis = batch_dims
    if tensor_util.constant_value(axis) != 0:
        return raw_ops.GatherV2(params, indices, axis, batch_dims=batch_dims, name=name)
    if not isinstance(params, Tensor):
        try:
            # A resource variable is gathered from in place.
            return params.sparse_read(indices, name=name)
        except AttributeError:
            pass
    return raw_ops.GatherV2(params, indices, axis, name=name)


@tf_export("compat.v2.gather")
@add_dispatch_support
def gather_v2(
    params: TensorLike, indices: TensorLike, validate_indices: Any = None,
    axis: TensorLike | None = None, batch_dims: int = 0,
    name: Name = None,
) -> Tensor:  # fmt: skip
    """As `gather`.

    Args:
      params, indices, validate_indices, axis, batch_dims, name: as in `gather`.

    Returns:
      As `gather`.
    """
    return gather(params, indices, validate_indices, name, axis, batch_dims)


@tf_export("batch_gather")
@deprecated(
    "2017-10-25",
    "`tf.batch_gather` is deprecated, please use `tf.gather` with `batch_dims=-1` instead.",
    module=_MODULE,
)
@add_dispatch_support
def batch_gather(params: TensorLike, indices: TensorLike, name: Name = None) -> Tensor:
    """`gather` where all but the last dimension of `indices` are shared with `params`.

    Args:
      params: [batch..., n, ...].
      indices: int32 or int64 [batch..., m].
      name: the operation's name.

    Returns:
      [batch..., m, ...].

    Raises:
      ValueError: the rank of `indices` is not known, or too large.
    """
    with ops.name_scope(name, "BatchGather", [params, indices]):
        indices = ops.convert_to_tensor(indices, name="indices")
        params = ops.convert_to_tensor(params, name="params")
        rank = indices.shape.ndims
        if rank is None:
            raise ValueError("batch_gather does not allow indices with unknown shape.")
        return _batch_gather(params, indices, rank - 1)


def _batch_gather(params: Tensor, indices: Tensor, batch_dims: int) -> Tensor:
    """Gathers from the flattened batch, by indices shifted to where each batch begins."""
    from tf1compat.api.array.array_ops import concat, reshape, shape

    rank = len(indices.shape)
    params_rank = params.shape.ndims
    if batch_dims < 0 or batch_dims >= rank:
        raise ValueError(f"batch_dims = {batch_dims} must be less than rank(indices) = {rank}")
    if params_rank is not None and batch_dims >= params_rank:
        raise ValueError(
            f"batch_dims = {batch_dims} must be less than rank(params) = {params_rank}"
        )
    indices_shape = shape(indices)
    params_shape = shape(params)
    flat_indices = reshape(_shifted_by_batch(indices, params_shape, batch_dims), [-1])
    rest = params_shape[batch_dims + 1 :]
    count = raw_ops.Prod(params_shape[: batch_dims + 1], [0], False)
    flat_params = reshape(params, concat([[count], rest], axis=0))
    taken_shape = [indices_shape, rest]
    result = reshape(gather(flat_params, flat_indices), concat(taken_shape, axis=0))
    result.set_shape(_taken_shape(params.get_shape(), indices.get_shape(), batch_dims))
    return result


def _shifted_by_batch(indices: Tensor, params_shape: Tensor, batch_dims: int) -> Tensor:
    """Adds to each index where its batch begins in the flattened one."""
    from tf1compat.api.array.array_ops import ones, reshape, stack, zeros

    rank = len(indices.shape)
    dtype = indices.dtype.base_dtype
    step = ones((), dtype=dtype)
    sizes = raw_ops.Cast(params_shape, DstT=dtype)
    for dim in reversed(range(batch_dims)):
        size = sizes[dim]
        step *= sizes[dim + 1]
        batches = raw_ops.Range(zeros((), dtype=dtype), size, ones((), dtype=dtype))
        starts = batches * step
        layout = stack([1] * dim + [size] + [1] * (rank - dim - 1), axis=0)
        indices += reshape(starts, layout)
    return indices


def _taken_shape(params: TensorShape, indices: TensorShape, batch_dims: int) -> TensorShape:
    batch = indices[:batch_dims].merge_with(params[:batch_dims])
    return batch.concatenate(indices[batch_dims:]).concatenate(params[batch_dims + 1 :])


@tf_export("gather_nd", "manip.gather_nd")
@add_dispatch_support
def gather_nd(params: Any, indices: TensorLike, name: Name = None, batch_dims: Any = 0) -> Tensor:
    """The slices of `params` at the multi-dimensional `indices` (their last dimension).

    Args:
      params: a tensor or variable.
      indices: ints [..., depth].
      name: the operation's name.
      batch_dims: how many leading dimensions `params` and `indices` share.

    Returns:
      A tensor of the dtype of `params`, of shape `indices.shape[:-1] +
      params.shape[indices.shape[-1]:]` where there are no batch dimensions.
    """
    known = tensor_util.constant_value(batch_dims)
    if known is not None:
        batch_dims = int(known)
    if batch_dims != 0:
        return batch_gather_nd(params, indices, batch_dims=batch_dims, name=name)
    try:
        # A resource variable is gathered from in place.
        return params.gather_nd(indices, name=name)
    except AttributeError:
        return raw_ops.GatherNd(params, indices, name=name)


@tf_export("compat.v2.gather_nd")
@add_dispatch_support
def gather_nd_v2(
    params: TensorLike, indices: TensorLike, batch_dims: TensorLike = 0, name: Name = None
) -> Tensor:
    """As `gather_nd`.

    Args:
      params, indices, batch_dims, name: as in `gather_nd`.

    Returns:
      As `gather_nd`.
    """
    return gather_nd(params, indices, name, batch_dims)


def batch_gather_nd(params: Any, indices: Any, batch_dims: int, name: Name = None) -> Tensor:
    """`gather_nd` where the first `batch_dims` dimensions are shared.

    Raises:
      TypeError, ValueError: `batch_dims` does not fit.
    """
    from tf1compat.api.array import array_ops

    with ops.name_scope(name, "BatchGatherND", [params, indices]):
        indices = ops.convert_to_tensor(indices, name="indices")
        params = ops.convert_to_tensor(params, name="params")
        if not isinstance(batch_dims, int):
            raise TypeError(f"batch_dims must be an int; got {batch_dims!r}")
        if batch_dims < 0:
            raise ValueError("tf.gather_nd does not allow negative batch_dims.")
        for which, tensor in (("indices", indices), ("params", params)):
            dims = tensor.shape.ndims
            if dims is not None and batch_dims >= dims:
                raise ValueError(
                    f"batch_dims = {batch_dims} must be less than rank({which}) = {dims}"
                )
        expand = batch_dims == 0
        if expand:
            params = array_ops.expand_dims(params, axis=0)
            indices = array_ops.expand_dims(indices, axis=0)
            batch_dims = 1
        params_shape = array_ops.shape(params)
        indices_shape = array_ops.shape(indices)
        batch_shape = params_shape[:batch_dims]
        batch_size = raw_ops.Prod(batch_shape, [0])
        inner_rank = array_ops.rank(indices) - batch_dims - 1
        inner_shape = indices_shape[batch_dims:-1]
        # The coordinates of each batch are put before the indices within it.
        grid = _batch_grid(array_ops.unstack(batch_shape, axis=0), indices.dtype)
        grid_shape = array_ops.shape(grid)
        grid = array_ops.reshape(
            grid,
            array_ops.concat(
                [grid_shape[:1], array_ops.ones(inner_rank, dtype=dtypes.int32), grid_shape[1:]],
                axis=0,
            ),
        )
        multiples = array_ops.concat(((1,), inner_shape, (1,)), axis=0)
        grid = array_ops.tile(grid, multiples=multiples)
        flat_shape = array_ops.concat(([batch_size], indices_shape[batch_dims:]), axis=0)
        flat = array_ops.reshape(indices, shape=flat_shape)
        out = raw_ops.GatherNd(params, array_ops.concat((grid, flat), axis=-1))
        out_shape = array_ops.shape(out)
        out = array_ops.reshape(out, shape=array_ops.concat((batch_shape, out_shape[1:]), axis=0))
        return array_ops.squeeze(out, axis=0) if expand else out


def _batch_grid(sizes: list[Tensor], dtype: DTypeLike) -> Tensor:
    """The coordinates of all batches: [number of batches, batch dimensions]."""
    from tf1compat.api.array import array_ops

    ranges = [raw_ops.Cast(raw_ops.Range(0, size, 1), DstT=dtype) for size in sizes]
    grids = array_ops.meshgrid(*ranges, indexing="ij") if ranges else []
    flat = [array_ops.reshape(grid, shape=(-1,)) for grid in grids]
    return array_ops.transpose(array_ops.stack(flat, axis=0))


# Scatter.


@tf_export("scatter_nd", "manip.scatter_nd")
def scatter_nd(
    indices: TensorLike, updates: TensorLike, shape: ShapeLike, name: Name = None
) -> Tensor:
    """Zeros of `shape` with `updates` added at `indices`.

    Args:
      indices: int32 or int64 [..., depth].
      updates: [..., the dimensions of `shape` from `depth` on]; repeated indices add up.
      shape: an int vector of the dtype of `indices`.
      name: the operation's name.

    Returns:
      A tensor of `shape` and the dtype of `updates`.
    """
    return raw_ops.ScatterNd(indices, updates, shape, name=name)


@tf_export("tensor_scatter_nd_update", "tensor_scatter_update")
def tensor_scatter_update(
    tensor: TensorLike, indices: TensorLike, updates: TensorLike, name: Name = None
) -> Tensor:
    """`tensor` with the slices at `indices` replaced by `updates`.

    Args:
      tensor: a tensor of any dtype.
      indices: int32 or int64 [..., depth].
      updates: [..., the dimensions of `tensor` from `depth` on].
      name: the operation's name.

    Returns:
      A tensor like `tensor`.
    """
    return raw_ops.TensorScatterUpdate(tensor, indices, updates, name=name)


@tf_export("tensor_scatter_nd_add", "tensor_scatter_add")
def tensor_scatter_add(
    tensor: TensorLike, indices: TensorLike, updates: TensorLike, name: Name = None
) -> Tensor:
    """`tensor` with `updates` added to the slices at `indices`.

    Args:
      tensor: a tensor of numbers.
      indices: int32 or int64 [..., depth].
      updates: [..., the dimensions of `tensor` from `depth` on].
      name: the operation's name.

    Returns:
      A tensor like `tensor`.
    """
    return raw_ops.TensorScatterAdd(tensor, indices, updates, name=name)


@tf_export("tensor_scatter_nd_sub", "tensor_scatter_sub")
def tensor_scatter_sub(
    tensor: TensorLike, indices: TensorLike, updates: TensorLike, name: Name = None
) -> Tensor:
    """`tensor` with `updates` subtracted from the slices at `indices`.

    Args:
      tensor: a tensor of numbers.
      indices: int32 or int64 [..., depth].
      updates: [..., the dimensions of `tensor` from `depth` on].
      name: the operation's name.

    Returns:
      A tensor like `tensor`.
    """
    return raw_ops.TensorScatterSub(tensor, indices, updates, name=name)
