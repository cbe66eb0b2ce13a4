"""`tensorflow.python.ops.array_ops`: making, reshaping, joining and splitting tensors.

Functions of other subjects lie beside this file; all are offered here, as in TF.
"""

from __future__ import annotations

import functools
import operator
from typing import Any

import numpy as np

from tf1compat.api.array.constant_op import _convert_shape
from tf1compat.api.array.constant_op import constant_v1 as constant
from tf1compat.api.array.placeholder_ops import *  # noqa: F403
from tf1compat.api.array.shape_ops import *  # noqa: F403
from tf1compat.api.array.shape_ops import (
    expand_dims,
    fill,
    identity,
    rank,
    reshape,
    shape_internal,
    size,
)
from tf1compat.api.util.dispatch import add_dispatch_support
from tf1compat.core import context, conversion, dtypes, ops, raw_ops, tensor_util
from tf1compat.core.export import export_constant, tf_export
from tf1compat.core.nest import flatten as _flatten
from tf1compat.core.nest import map_structure as _map_structure
from tf1compat.core.tensor import Tensor, is_dense_tensor_like, skip_uids
from tf1compat.core.tensor_shape import Dimension, TensorShape, as_shape
from tf1compat.core.typing import DTypeLike, Name, ShapeLike, TensorLike

newaxis = None
export_constant("newaxis", None)


# Zeros and ones.


def _constant_if_small(value: Any, shape: Any, dtype: Any, name: Any) -> Tensor | None:
    if isinstance(shape, list | tuple) and any(isinstance(size, Tensor) for size in shape):
        # TF's product and comparison of tensors: nodes that lead nowhere, but they are recorded.
        _ = functools.reduce(operator.mul, shape) < 1000
        return None
    try:
        if np.prod(shape) < 1000:
            if context.executing_eagerly() and np.size(shape):
                skip_uids(2)  # TF fills: the shape and the value are tensors.
            return constant(value, shape=shape, dtype=dtype, name=name)
    except TypeError:
        # Some size is a tensor.
        pass
    return None


def _filled(value: Any, shape: Any, dtype: Any, name: Any) -> Tensor:
    if not isinstance(shape, Tensor):
        try:
            if isinstance(shape, TensorShape):
                sizes = shape.to_tuple()
                small = None
                if sizes is not None and None not in sizes:
                    small = _constant_if_small(value, sizes, dtype, name)
            else:
                small = _constant_if_small(value, shape, dtype, name)
            if small is not None:
                return small
            shape = _convert_shape(as_shape(shape))
        except (TypeError, ValueError):
            shape = ops.convert_to_tensor(shape, dtype=dtypes.int32)
    if not shape._shape:
        # A scalar gives the size of a vector.
        shape = reshape(shape, [-1])
    return fill(shape, constant(value, dtype=dtype), name=name)


@tf_export("zeros")
def zeros(shape: Any, dtype: Any = dtypes.float32, name: Name = None) -> Tensor:
    """A tensor of zeros (False, or empty strings).

    Args:
      shape: a list of ints, a TensorShape, or an int32 or int64 vector.
      dtype: any dtype.
      name: the operation's name.

    Returns:
      A tensor of `shape` and `dtype`.
    """
    dtype = dtypes.as_dtype(dtype).base_dtype
    with ops.name_scope(name, "zeros", [shape]) as name:
        zero = False if dtype is dtypes.bool else "" if dtype is dtypes.string else 0
        return _filled(zero, shape, dtype, name)


@tf_export("ones")
def ones(shape: ShapeLike, dtype: Any = dtypes.float32, name: Name = None) -> Tensor:
    """A tensor of ones (True).

    Args:
      shape: a list of ints, a TensorShape, or an int32 or int64 vector.
      dtype: a numeric dtype or bool.
      name: the operation's name.

    Returns:
      A tensor of `shape` and `dtype`.
    """
    dtype = dtypes.as_dtype(dtype).base_dtype
    with ops.name_scope(name, "ones", [shape]) as name:
        return _filled(True if dtype is dtypes.bool else 1, shape, dtype, name)


@tf_export("zeros_like")
@add_dispatch_support
def zeros_like(
    tensor: TensorLike, dtype: DTypeLike | None = None, name: Name = None, optimize: bool = True
) -> Tensor:
    """Zeros of the shape (and, by default, the dtype) of `tensor`.

    Args:
      tensor: a tensor of any shape and dtype.
      dtype: the result's dtype; that of `tensor` if None.
      optimize: whether a static shape makes the result a constant.
      name: the operation's name.

    Returns:
      A tensor of the shape of `tensor`.
    """
    return zeros_like_impl(tensor, dtype, name, optimize)


@tf_export("compat.v2.zeros_like")
@add_dispatch_support
def zeros_like_v2(input: TensorLike, dtype: DTypeLike | None = None, name: Name = None) -> Tensor:
    """As `zeros_like`.

    Args:
      input: a tensor, or what becomes one.
      dtype, name: as in `zeros_like`.

    Returns:
      As `zeros_like`.
    """
    return zeros_like_impl(input, dtype, name, optimize=True)


def zeros_like_impl(tensor: TensorLike, dtype: Any, name: Any, optimize: bool = True) -> Tensor:
    """As `zeros_like`."""
    with ops.name_scope(name, "zeros_like", [tensor]) as name:
        tensor = ops.convert_to_tensor(tensor, name="tensor")
        if dtype is not None:
            dtype = dtypes.as_dtype(dtype)
        same_dtype = dtype is None or dtype == tensor.dtype
        eager = context.executing_eagerly()
        if optimize and not eager and tensor.dtype != dtypes.variant:
            if tensor.shape.is_fully_defined():
                return zeros(tensor.shape, dtype=dtype or tensor.dtype, name=name)
        if same_dtype or (dtype == dtypes.variant and not eager):
            return raw_ops.ZerosLike(tensor, name=name)
        return zeros(shape_internal(tensor, optimize=optimize), dtype=dtype, name=name)


@tf_export("ones_like")
@add_dispatch_support
def ones_like(
    tensor: TensorLike, dtype: DTypeLike | None = None, name: Name = None, optimize: bool = True
) -> Tensor:
    """Ones of the shape (and, by default, the dtype) of `tensor`.

    Args:
      tensor: a tensor of any shape; numeric or bool.
      dtype: the result's dtype; that of `tensor` if None.
      optimize: whether a static shape makes the result a constant.
      name: the operation's name.

    Returns:
      A tensor of the shape of `tensor`.
    """
    return ones_like_impl(tensor, dtype, name, optimize)


@tf_export("compat.v2.ones_like")
@add_dispatch_support
def ones_like_v2(input: TensorLike, dtype: DTypeLike | None = None, name: Name = None) -> Tensor:
    """As `ones_like`.

    Args:
      input: a tensor, or what becomes one.
      dtype, name: as in `ones_like`.

    Returns:
      As `ones_like`.
    """
    return ones_like_impl(input, dtype, name, optimize=True)


def ones_like_impl(tensor: TensorLike, dtype: Any, name: Any, optimize: bool = True) -> Tensor:
    """As `ones_like`."""
    with ops.name_scope(name, "ones_like", [tensor]) as name:
        tensor = ops.convert_to_tensor(tensor, name="tensor")
        dtype = tensor.dtype if dtype is None else dtype
        result = ones(shape_internal(tensor, optimize=optimize), dtype, name)
        if not context.executing_eagerly():
            result.set_shape(tensor.get_shape())
        return result


# Joining and splitting.


@tf_export("stack")
@add_dispatch_support
def stack(values: Any, axis: int = 0, name: str = "stack") -> Tensor:
    """Stacks tensors of one shape along a new dimension.

    Args:
      values: a list of tensors of one shape and dtype, or a tensor to be stacked along its first
        dimension.
      axis: an int in [-rank - 1, rank]: where the new dimension is in the result.
      name: the operation's name.

    Returns:
      A tensor of one dimension more.

    Raises:
      ValueError: `axis` is out of range, or the shapes differ.
    """
    if axis == 0:
        try:
            # A list of constants becomes one constant.
            return ops.convert_to_tensor(values, name=name)
        except (TypeError, ValueError):
            pass
    first = ops.convert_to_tensor(values[0], name=name)._shape
    if first is not None:
        dims = len(first) + 1
        if axis < -dims or axis >= dims:
            raise ValueError(f"axis = {axis} not in [{-dims}, {dims})")
    if context.executing_eagerly() and isinstance(values, Tensor):
        values = list(values)
    return raw_ops.Pack(values, axis=axis, name=name)


@tf_export("parallel_stack")
def parallel_stack(values: Any, name: str = "parallel_stack") -> Tensor:
    """As `stack` along a new first dimension; the shapes must be known.

    Args:
      values: a list of tensors of one known shape and one dtype.
      name: the operation's name.

    Returns:
      A tensor [len(values), ...].
    """
    if context.executing_eagerly():
        raise RuntimeError("tf.parallel_stack() is not compatible with eager execution.")
    with ops.name_scope(name):
        first = ops.convert_to_tensor(values[0])
        output_shape = TensorShape([len(values)]).concatenate(first.get_shape())
        return raw_ops.ParallelConcat(
            [expand_dims(value, 0) for value in values], shape=output_shape
        )


def _autopack(values: Any, dtype: Any, name: str) -> Any:
    """Packs a nested list that holds tensors; plain parts become constants."""
    if context.executing_eagerly() and all(is_dense_tensor_like(item) for item in values):
        return raw_ops.Pack(values, name=name)
    must_pack = False
    parts = []
    with ops.name_scope(name) as scope:
        for i, item in enumerate(values):
            if is_dense_tensor_like(item):
                if dtype is not None and item.dtype.base_dtype != dtype:
                    raise TypeError(
                        f"Cannot convert a list containing a tensor of dtype {item.dtype} to "
                        f"{dtype} (Tensor is: {item!r})"
                    )
                must_pack = True
            elif isinstance(item, list | tuple):
                item = _autopack(item, dtype, str(i))
                must_pack = must_pack or is_dense_tensor_like(item)
            parts.append(item)
        if not must_pack:
            return parts
        tensors = [
            part if is_dense_tensor_like(part) else constant(part, dtype=dtype, name=str(i))
            for i, part in enumerate(parts)
        ]
        return raw_ops.Pack(tensors, name=scope)


def _convert_sequence(
    value: TensorLike, dtype: DTypeLike | None = None, name: Name = None, as_ref: bool = False
) -> Any:
    """Lists and tuples that hold tensors become a Pack."""
    if as_ref:
        return NotImplemented
    inferred = next(
        (item.dtype.base_dtype for item in _flatten(value) if is_dense_tensor_like(item)), None
    )
    if inferred is None:
        return NotImplemented
    if dtype is None:
        dtype = inferred
    elif dtype != inferred:
        from tf1compat.api.math import math_ops

        value = _map_structure(
            lambda item: (
                math_ops.cast(item, dtype)
                if is_dense_tensor_like(item) and item.dtype.base_dtype != dtype
                else item
            ),
            value,
        )
    return _autopack(value, dtype, name or "packed")


conversion.register_tensor_conversion_function((list, tuple), _convert_sequence, 99)


@tf_export("unstack")
def unstack(
    value: Any, num: TensorLike | None = None, axis: int = 0, name: str = "unstack"
) -> list[Tensor]:
    """Splits a tensor into the tensors along `axis`.

    Args:
      value: a tensor of rank 1 or more and any dtype.
      num: how many there are; taken from the static shape if None.
      axis: an int in [-rank, rank).
      name: the operation's name.

    Returns:
      A list of `num` tensors without the dimension `axis`.

    Raises:
      ValueError: `axis` is out of range, or `num` is neither given nor known.
    """
    if num is None:
        value = ops.convert_to_tensor(value)
        known = value._shape
        if known is not None:
            if axis < -len(known) or axis >= len(known):
                raise ValueError(f"axis = {axis} not in [{-len(known)}, {len(known)})")
            num = known[axis]
        if num is None:
            raise ValueError(f"Cannot infer num from shape {value.shape}")
    return raw_ops.Unpack(value, num=num, axis=axis, name=name)


@tf_export("concat")
@add_dispatch_support
def concat(values: Any, axis: TensorLike, name: str = "concat") -> Tensor:
    """Joins tensors along a dimension.

    Args:
      values: a list of tensors of one dtype whose shapes agree except along `axis`, or one tensor.
      axis: a scalar int32 in [-rank, rank).
      name: the operation's name.

    Returns:
      A tensor of the same rank.
    """
    if not isinstance(values, list | tuple):
        values = [values]
    if len(values) == 1:
        with ops.name_scope(name):
            ops.convert_to_tensor(
                axis, name="concat_dim", dtype=dtypes.int32
            ).get_shape().assert_has_rank(0)
            return identity(values[0], name=name)
    return raw_ops.ConcatV2(values, axis, name=name)


@tf_export("split")
def split(
    value: Any,
    num_or_size_splits: Any,
    axis: TensorLike = 0,
    num: TensorLike | None = None,
    name: str = "split",
) -> list[Tensor]:
    """Splits a tensor along `axis` into equal parts (an int) or parts of given sizes (a vector).

    Args:
      value: a tensor of rank 1 or more and any dtype.
      num_or_size_splits: how many parts, or an int vector of their sizes, one of which may be -1.
      axis: a scalar int in [-rank, rank).
      num: how many parts there are, where the sizes' static shape does not say.
      name: the operation's name.

    Returns:
      A list of tensors of the rank of `value`.

    Raises:
      ValueError: the number of parts is not known.
    """
    sizes = ops.convert_to_tensor(num_or_size_splits)
    if isinstance(num_or_size_splits, int | Dimension) and not isinstance(num_or_size_splits, bool):
        return raw_ops.Split(axis, value, num_split=int(num_or_size_splits), name=name)
    if sizes._rank() == 0:
        raise ValueError(
            "Rank-0 tensors are not supported as the num_or_size_splits argument to split. "
            f"Argument provided: {num_or_size_splits}"
        )
    if num is None:
        num = sizes._shape[0] if sizes._shape else None
        if num is None:
            raise ValueError(f"Cannot infer num from shape {num_or_size_splits}")
    return raw_ops.SplitV(value, sizes, axis, num_split=num, name=name)


@tf_export("transpose")
def transpose(a: Any, perm: Any = None, name: str = "transpose", conjugate: bool = False) -> Tensor:
    """Permutes the dimensions; reverses them by default.

    Args:
      a: a tensor of any shape and dtype.
      perm: an int vector [rank]: which dimension of `a` each of the result is.
      conjugate: whether complex numbers are conjugated as well.
      name: the operation's name.

    Returns:
      A tensor of the dtype of `a`.
    """
    with ops.name_scope(name, "transpose", [a]) as name:
        record = (
            raw_ops.ConjugateTranspose if conjugate and a.dtype.is_complex else raw_ops.Transpose
        )
        if perm is not None:
            return record(a, perm, name=name)
        a = ops.convert_to_tensor(a, name="a")
        if not a._shape:
            dims = raw_ops.Rank(a)
            perm = dims - 1 - raw_ops.Range(0, dims, 1)
        else:
            dims = len(a._shape)
            perm = dims - 1 - np.arange(dims)
        result = record(a, perm, name=name)
        if not context.executing_eagerly() and a._shape is not None:
            result.set_shape(a._shape[::-1])
        return result


@tf_export("compat.v2.transpose")
def transpose_v2(
    a: TensorLike, perm: TensorLike | None = None, conjugate: bool = False, name: str = "transpose"
) -> Tensor:
    """As `transpose`.

    Args:
      a, perm, conjugate, name: as in `transpose`.

    Returns:
      As `transpose`.
    """
    return transpose(a, perm, name, conjugate)


@tf_export("linalg.transpose", "linalg.matrix_transpose", "matrix_transpose")
def matrix_transpose(
    a: TensorLike, name: str = "matrix_transpose", conjugate: bool = False
) -> Tensor:
    """Transposes the last two dimensions.

    Args:
      a: a tensor of rank 2 or more.
      conjugate: whether complex numbers are conjugated as well.
      name: the operation's name.

    Returns:
      A tensor [..., columns, rows].

    Raises:
      ValueError: the rank is known to be less than 2.
    """
    with ops.name_scope(name, values=[a]):
        a = ops.convert_to_tensor(a, name="a")
        if a._shape is not None:
            dims = len(a._shape)
            if dims < 2:
                raise ValueError(
                    f"Argument 'a' should be a (batch) matrix, with rank >= 2.  Found: {a.shape}"
                )
            perm: Any = [*range(dims - 2), dims - 1, dims - 2]
        else:
            a_rank = rank(a)
            perm = concat((raw_ops.Range(0, a_rank - 2, 1), [a_rank - 1, a_rank - 2]), 0)
        return transpose(a, perm=perm, conjugate=conjugate)


@tf_export("tile", "manip.tile")
@add_dispatch_support
def tile(input: Any, multiples: TensorLike, name: Name = None) -> Tensor:
    """Repeats a tensor `multiples[i]` times along dimension i.

    Args:
      input: a tensor of rank 1 or more and any dtype.
      multiples: an int32 or int64 vector [rank].
      name: the operation's name.

    Returns:
      A tensor of the same rank and dtype.
    """
    return raw_ops.Tile(input, multiples, name=name)


@tf_export("reverse", "manip.reverse", "reverse_v2")
def reverse(tensor: TensorLike, axis: TensorLike, name: Name = None) -> Tensor:
    """Reverses dimensions.

    Args:
      tensor: a tensor of any dtype with at most 8 dimensions.
      axis: an int32 or int64 vector of distinct dimensions.
      name: the operation's name.

    Returns:
      A tensor like `tensor`.
    """
    return raw_ops.ReverseV2(tensor, axis, name=name)


reverse_v2 = reverse


@tf_export("pad")
def pad(
    tensor: TensorLike,
    paddings: TensorLike,
    mode: str = "CONSTANT",
    name: Name = None,
    constant_values: TensorLike = 0,
) -> Tensor:
    """Pads a tensor by constants, or by its mirror image (modes CONSTANT, REFLECT, SYMMETRIC).

    Args:
      tensor: a tensor of any dtype.
      paddings: an int32 or int64 matrix [rank, 2]: how much goes before and after each dimension.
      mode: "CONSTANT", "REFLECT" (without the edge) or "SYMMETRIC" (with it); case does not matter.
      constant_values: a scalar of the dtype of `tensor`, for CONSTANT.
      name: the operation's name.

    Returns:
      A tensor of the same rank and dtype.

    Raises:
      ValueError: an unknown mode.
    """
    mode = mode.upper()
    if mode == "CONSTANT":
        if not tensor_util.is_tensor(constant_values) and constant_values == 0:
            result = raw_ops.Pad(tensor, paddings, name=name)
        else:
            result = raw_ops.PadV2(tensor, paddings, constant_values, name=name)
    elif mode in ("REFLECT", "SYMMETRIC"):
        result = raw_ops.MirrorPad(tensor, paddings, mode=mode, name=name)
    else:
        raise ValueError(f"Unknown padding mode: {mode}")
    if not context.executing_eagerly():
        known = tensor_util.constant_value(result.op.inputs[1], partial=True)
        sizes = result.op.inputs[0]._shape
        if sizes is not None and not result.shape.is_fully_defined() and known is not None:
            result.set_shape(
                [
                    None
                    if pair is None or dim is None or any(p is None for p in pair)
                    else int(sum(pair)) + dim
                    for pair, dim in zip(known, sizes, strict=False)
                ]
            )
    return result


@tf_export("compat.v2.pad")
def pad_v2(
    tensor: TensorLike,
    paddings: TensorLike,
    mode: str = "CONSTANT",
    constant_values: TensorLike = 0,
    name: Name = None,
) -> Tensor:
    """As `pad`.

    Args:
      tensor, paddings, mode, constant_values, name: as in `pad`.

    Returns:
      As `pad`.
    """
    return pad(tensor, paddings, mode, name, constant_values)


@tf_export("bitcast")
def bitcast(input: TensorLike, type: Any, name: Name = None) -> Tensor:
    """The bytes of `input` read as another dtype.

    Args:
      input: a tensor of numbers.
      type: the dtype; if it is wider, the last dimension of `input` makes up one element, and if it
        is narrower, each element becomes a dimension more.
      name: the operation's name.

    Returns:
      A tensor of dtype `type`.
    """
    return raw_ops.Bitcast(input, type, name=name)


@tf_export("one_hot")
@add_dispatch_support
def one_hot(
    indices: TensorLike, depth: TensorLike, on_value: Any = None, off_value: Any = None,
    axis: TensorLike | None = None,
    dtype: DTypeLike | None = None, name: Name = None,
) -> Tensor:  # fmt: skip
    """Vectors of `off_value` with one `on_value` at each index.

    Args:
      indices: uint8, int32 or int64 of any shape; one outside [0, depth) gives `off_value` alone.
      depth: a scalar int32, the size of the new dimension.
      on_value, off_value: scalars of one dtype; 1 and 0 by default.
      axis: where the new dimension is in the result; -1 is last.
      dtype: the result's dtype; by default that of the values, or float32.
      name: the operation's name.

    Returns:
      A tensor of one dimension more than `indices`.

    Raises:
      TypeError: the dtypes of the values and `dtype` differ.
    """
    with ops.name_scope(
        name, "one_hot", [indices, depth, on_value, off_value, axis, dtype]
    ) as name:
        on_dtype = None if on_value is None else ops.convert_to_tensor(on_value).dtype.base_dtype
        off_dtype = None if off_value is None else ops.convert_to_tensor(off_value).dtype.base_dtype
        if on_dtype is not None or off_dtype is not None:
            if dtype is not None:
                for found, which in ((on_dtype, "on_value"), (off_dtype, "off_value")):
                    if found is not None and found != dtype:
                        raise TypeError(
                            f"dtype {found} of {which} does not match dtype parameter {dtype}"
                        )
            else:
                dtype = on_dtype if on_dtype is not None else off_dtype
        elif dtype is None:
            dtype = dtypes.float32
        if on_dtype is None:
            on_value, on_dtype = ops.convert_to_tensor(1, dtype, name="on_value"), dtype
        if off_dtype is None:
            off_value, off_dtype = ops.convert_to_tensor(0, dtype, name="off_value"), dtype
        if on_dtype != off_dtype:
            raise TypeError(
                f"dtype {on_dtype} of on_value does not match dtype {off_dtype} of off_value"
            )
        return raw_ops.OneHot(indices, depth, on_value, off_value, axis=axis, name=name)


@tf_export("meshgrid")
def meshgrid(*args: Any, **kwargs: Any) -> list[Tensor]:
    """Coordinate grids of vectors, as numpy.meshgrid (`indexing` "xy" or "ij").

    Args:
      *args: vectors, of lengths n1, n2, ….
      **kwargs: `indexing`, "xy" (rows follow the second vector) or "ij", and `name`.

    Returns:
      One tensor for each vector: [n2, n1, …] for "xy", [n1, n2, …] for "ij", of its dtype.
    """
    indexing = kwargs.pop("indexing", "xy")
    name = kwargs.pop("name", "meshgrid")
    if kwargs:
        raise TypeError(f"'{next(iter(kwargs))}' is an invalid keyword argument for this function")
    if indexing not in ("xy", "ij"):
        raise ValueError("indexing parameter must be either 'xy' or 'ij'")
    with ops.name_scope(name, "meshgrid", args):
        rank = len(args)
        grids = [reshape(stack(x), _vector_shape(dim, rank)) for dim, x in enumerate(args)]
        sizes = [size(x) for x in args]
        dtype = ops.convert_to_tensor(args[0]).dtype.base_dtype
        if indexing == "xy" and rank > 1:
            grids[:2] = [reshape(grids[dim], _vector_shape(1 - dim, rank)) for dim in (0, 1)]
            sizes[:2] = reversed(sizes[:2])
        factor = ones(sizes, dtype)
        return [grid * factor for grid in grids]


def _vector_shape(axis: int, rank: int) -> tuple[int, ...]:
    """The shape of a vector that lies along one of `rank` dimensions."""
    return tuple(-1 if dim == axis else 1 for dim in range(rank))


@tf_export("invert_permutation", "math.invert_permutation")
def invert_permutation(x: TensorLike, name: Name = None) -> Tensor:
    """The inverse of a permutation.

    Args:
      x: an int32 or int64 vector that holds each of 0 ... n - 1 once.
      name: the operation's name.

    Returns:
      A vector like `x`.
    """
    return raw_ops.InvertPermutation(x, name=name)


# The rest of TF's module.
from tf1compat.api.array.diagonal_ops import *  # noqa: E402, F403
from tf1compat.api.array.gather_ops import *  # noqa: E402, F403
from tf1compat.api.array.patch_ops import *  # noqa: E402, F403
from tf1compat.api.array.sequence_ops import *  # noqa: E402, F403
from tf1compat.api.array.slicing import *  # noqa: E402, F403
from tf1compat.api.array.space_batch_ops import *  # noqa: E402, F403
from tf1compat.api.quantization.quantize_ops import *  # noqa: E402, F403


@tf_export("fingerprint")
def fingerprint(data: TensorLike, method: Any = "farmhash64", name: Name = None) -> Tensor:
    """A number for each row of a tensor, as bytes (as in TF 1.15).

    Args:
      data: a tensor of rank 1 or more.
      method: "farmhash64".
      name: the operation's name.

    Returns:
      A uint8 tensor [rows, 8].
    """
    return raw_ops.Fingerprint(data, method, name=name)
