"""What ops do with `tf.IndexedSlices`: made dense, made out of a tensor, added up."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.math import math_ops
from tf1compat.core import context, dtypes, ops, raw_ops, tensor_util
from tf1compat.core.typing import ShapeLike, TensorLike

# A dense tensor of at least so many elements is worth a warning.
_LARGE = 100_000_000


def to_tensor(
    value: ops.IndexedSlices, dtype: Any = None, name: str | None = None, as_ref: bool = False
) -> ops.Tensor:
    """The dense tensor; rows with the same index are added (what `tf.convert_to_tensor` does).

    Raises:
      ValueError: another dtype is asked for, or the dense shape is not known.
    """
    if dtype and not dtype.is_compatible_with(value.dtype):
        raise ValueError(
            f"Tensor conversion requested dtype {dtype.name} "
            f"for IndexedSlices with dtype {value.dtype.name}"
        )
    if value.dense_shape is None:
        raise ValueError(
            "Tensor conversion requested for IndexedSlices without dense_shape: " + str(value)
        )
    if not context.executing_eagerly():
        _warn_about_size(value.dense_shape)
    return raw_ops.UnsortedSegmentSum(value.values, value.indices, value.dense_shape[0], name=name)


def _warn_about_size(dense_shape: ShapeLike) -> None:
    shape = tensor_util.constant_value(dense_shape)
    if shape is None:
        size = "of unknown shape"
    elif np.prod(shape) >= _LARGE:
        size = f"with {np.prod(shape)} elements"
    else:
        return
    warnings.warn(
        f"Converting sparse IndexedSlices to a dense Tensor {size}. "
        "This may consume a large amount of memory.",
        stacklevel=2,
    )


ops.register_tensor_conversion_function(ops.IndexedSlices, to_tensor)


def from_tensor(x: TensorLike, optimize: bool = True) -> ops.IndexedSlices:
    """All rows of a tensor as an IndexedSlices; an IndexedSlices is returned as it is.

    Raises:
      TypeError: `x` is neither.
    """
    if isinstance(x, ops.IndexedSlices):
        return x
    if not isinstance(x, ops.Tensor):
        raise TypeError(f"Not a Tensor or IndexedSlices: {type(x)}")
    shape = array_ops.shape_internal(x, optimize=optimize)
    return ops.IndexedSlices(x, math_ops.range(0, shape[0]), shape)


def from_tensors(inputs: Sequence[Any], optimize: bool = True) -> list[ops.IndexedSlices]:
    """As `from_tensor`, for each input; if the dtypes of the indices differ, all become int64.

    Raises:
      TypeError: `inputs` is not a list or tuple.
    """
    if not isinstance(inputs, list | tuple):
        raise TypeError(f"Expected a list or tuple, not a {type(inputs)}")
    slices = [from_tensor(x, optimize) for x in inputs]
    if len({s.indices.dtype is dtypes.int32 for s in slices}) < 2:
        return slices
    return [
        ops.IndexedSlices(s.values, math_ops.cast(s.indices, dtypes.int64), s.dense_shape)
        if s.indices.dtype is dtypes.int32
        else s
        for s in slices
    ]


def flatten_nested(slices: ops.IndexedSlices) -> ops.IndexedSlices:
    """An IndexedSlices whose values are a tensor, of one whose values may be an IndexedSlices."""
    if isinstance(slices.values, ops.Tensor):
        return slices
    inner = flatten_nested(slices.values)
    indices = array_ops.gather(slices.indices, inner.indices)
    return ops.IndexedSlices(inner.values, indices, inner.dense_shape)


def aggregate(gradients: Sequence[Any]) -> Any:
    """The sum of gradients of which some are IndexedSlices: dense if one is dense, else all rows
    concatenated.
    """
    if len(gradients) < 2:
        return gradients[0] if gradients else None
    present = [g for g in gradients if g is not None]
    if any(isinstance(g, ops.Tensor) for g in present):
        return math_ops.add_n(present)
    flat = [flatten_nested(s) for s in from_tensors(present)]
    return ops.IndexedSlices(
        array_ops.concat([s.values for s in flat], axis=0),
        array_ops.concat([s.indices for s in flat], axis=0),
        flat[0].dense_shape,
    )
